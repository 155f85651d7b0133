package drawkey

import (
	"context"
	"image"
	"maps"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// DrawGroup is a group of surfaces that are drawn with the same draw keys, one for each skin.
type DrawGroup struct {
	Keys  []Key
	Light []LuxelRect // of the surfaces
}

// LuxelRect is a rectangle of luxels by whose light a surface shows an image.
type LuxelRect struct {
	Chart   int
	Luxels  image.Rectangle // of the chart, not empty
	Octaves float64         // log2 of a factor on the light
}

// PlanVertexLight decides how the vertices carry light. If all surfaces with a texture show it by the light of their vertices, it is
// brightened by the factor that it has to spare, as far as light beyond white needs it.
func PlanVertexLight(ctx context.Context, groups []DrawGroup, w *world.World, set *materials.Set, o materials.Options,
) (VertexLight, error) {
	out := VertexLight{Of: map[Texture]VertexLightScale{}, Brighter: map[int][]byte{}}
	barred, rects, err := imageUsers(ctx, groups, set)
	if err != nil {
		return out, err
	}
	list := slices.Sorted(maps.Keys(rects))
	stats, err := par.Map(ctx, len(list), func(i int) (textureLight, error) {
		im := &set.Images[list[i]]
		how := picture.Encoding{Format: picture.OfMIME(im.MIME), Effort: picture.Effort(o.PNG), Quality: o.Quality}
		if how.Format == picture.JPEG {
			how.Quality = max(how.Quality, again)
		}
		return measure(ctx, im, w.Baked.Charts, rects[list[i]], !barred[list[i]], how)
	})
	if err != nil {
		return out, err
	}
	of := map[int]textureLight{pbr.NoImage: {mean: [3]float64{1, 1, 1}, boost: 1}}
	for i, s := range stats {
		of[list[i]] = s
		if s.data != nil {
			out.Brighter[list[i]] = s.data
		}
	}
	for _, u := range groups {
		key := u.Keys[0]
		if !key.VertexLit {
			continue
		}
		m := Base(set, key)
		c, s := VertexLightScale{Boost: 1}, of[pbr.NoImage]
		if known, ok := of[m.Base.Image]; ok {
			s = known
		}
		c.Boost = s.boost
		if w.Baked.Display != nil {
			mean := 0.0
			for k := range 3 {
				mean += s.mean[k] * gamma.Encode(float64(m.BaseColor[k])) / 3
			}
			c.Albedo = math.Round(1000*min(max(mean, 0.05), 1)) / 1000
		}
		out.Of[key.Texture()] = c
	}
	return out, nil
}

// imageUsers returns, by image, the light by which surfaces show it whose light the vertices carry. Images that something else shows,
// too, are barred from being brightened.
func imageUsers(ctx context.Context, groups []DrawGroup, set *materials.Set) (barred map[int]bool, rects map[int][]LuxelRect, err error) {
	barred, rects = map[int]bool{}, map[int][]LuxelRect{}
	for i := range set.Materials {
		if sky := set.Materials[i].Sky; sky != nil {
			barred[set.Materials[i].Base.Image] = true
			for _, im := range sky.Box {
				barred[im] = true
			}
		}
	}
	for _, u := range groups {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		for _, key := range u.Keys {
			m := Base(set, key)
			for _, s := range []pbr.Slot{m.Normal, m.Emission.Slot} {
				barred[s.Image] = true
			}
			switch gain := Gain(m); {
			case !key.VertexLit || m.Layer.Bands != nil: // the bands' pictures are others
				barred[m.Base.Image] = true
			case m.Base.Image != pbr.NoImage:
				list := rects[m.Base.Image]
				if gain > 0 {
					for _, s := range u.Light {
						s.Octaves = math.Log2(gain)
						list = append(list, s)
					}
				}
				rects[m.Base.Image] = list
			}
		}
	}
	return barred, rects, nil
}
