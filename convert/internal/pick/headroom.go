package pick

import (
	"bytes"
	"context"
	"image"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Use is a group of surfaces that are drawn with the same draw keys, one for each skin.
type Use struct {
	Keys   []Key
	Charts []int // of the surfaces
}

// texels counts the colour values of a picture, by their 8 bits, where it is not transparent.
type texels [256]float64

// lights counts light by its logarithm, in sixteen steps for twice as much. The first step is 2^-8.
type lights [16 * 16]float64

func (h *lights) add(v float32) {
	if v > 0 {
		h[min(max(int(16*(math.Log2(float64(v))+8)), 0), len(h)-1)]++
	}
}

// Carry decides how the vertices carry light. If all surfaces with a texture show it by the light of their vertices, it is brightened
// by the factor that it has to spare, as far as light beyond white needs it.
func Carry(ctx context.Context, uses []Use, w *world.World, set *materials.Set, o materials.Options) (VertexLight, error) {
	out := VertexLight{Of: map[Texture]Carried{}, Brighter: map[int][]byte{}}
	barred, lit, list := imageUsers(uses, w.Baked.Charts, set)
	stats, err := par.Map(ctx, len(list), func(i int) (textureLight, error) {
		return measure(ctx, &set.Images[list[i]], lit[list[i]], !barred[list[i]], o)
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
	for _, u := range uses {
		key := u.Keys[0]
		if !key.Carried {
			continue
		}
		m := Base(set, key)
		c, s := Carried{Boost: 1}, of[pbr.NoImage]
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

// imageUsers lists the images that surfaces show whose light the vertices carry, with that light. Those that something else shows,
// too, are barred from being brightened.
func imageUsers(uses []Use, charts []world.Chart, set *materials.Set) (barred map[int]bool, lit map[int]*lights, list []int) {
	barred, lit = map[int]bool{}, map[int]*lights{}
	for i := range set.Materials {
		if sky := set.Materials[i].Sky; sky != nil {
			barred[set.Materials[i].Base.Image] = true
			for _, im := range sky.Box {
				barred[im] = true
			}
		}
	}
	for _, u := range uses {
		for _, key := range u.Keys {
			m := Base(set, key)
			for _, s := range []pbr.Slot{m.Normal, m.Emission.Slot} {
				barred[s.Image] = true
			}
			if !key.Carried {
				barred[m.Base.Image] = true
				continue
			}
			if m.Base.Image == pbr.NoImage {
				continue
			}
			h := lit[m.Base.Image]
			if h == nil {
				h = &lights{}
				lit[m.Base.Image] = h
				list = append(list, m.Base.Image)
			}
			factor := float32(Gain(m))
			for _, chart := range u.Charts {
				if c := &charts[chart]; len(c.Layers) > 0 {
					for _, luxel := range c.Layers[0].Luxels {
						for _, v := range luxel.Float32() {
							h.add(v * factor)
						}
					}
				}
			}
		}
	}
	slices.Sort(list)
	return barred, lit, list
}

// textureLight is what is known of a texture: its mean as displayed, and the factor by which its file was brightened.
type textureLight struct {
	mean  [3]float64
	boost float32
	data  []byte // of the brighter file, or nil
}

// measure looks at a texture and, if it may, brightens it.
func measure(ctx context.Context, from *materials.Image, lit *lights, may bool, o materials.Options) (textureLight, error) {
	out := textureLight{mean: [3]float64{0.35, 0.35, 0.35}, boost: 1}
	im, _, err := picture.Decode(from.Data, from.Name, limit.From(ctx))
	if err != nil {
		return out, ctx.Err() // a format that is only passed on stays as it is
	}
	size := 2 * int64(len(im.Pix)) // the picture, and a brighter one
	if err := limit.From(ctx).Reserve(size); err != nil {
		return out, err
	}
	defer limit.From(ctx).Release(size)
	var h texels
	total := 0.0
	sum := [3]float64{}
	for i := 0; i+3 < len(im.Pix); i += 4 {
		if im.Pix[i+3] == 0 {
			continue
		}
		total++
		for k := range 3 {
			h[im.Pix[i+k]]++
			sum[k] += float64(im.Pix[i+k])
		}
	}
	if total == 0 {
		return out, nil
	}
	for k := range 3 {
		out.mean[k] = sum[k] / total / 255
	}
	if !may {
		return out, nil
	}
	worth := 0.00002
	if from.MIME != picture.PNG.MIME() {
		worth = 0.001 // its pixels suffer when it is encoded once more
	}
	if out.boost = spare(&h, lit, worth); out.boost > 1 {
		out.data, err = brighten(im, from, out.boost, o)
	}
	return out, err
}

// spare returns the factor by which a texture may be brightened so that as little as possible of texture times light is cut off at
// white on the way: of the texture, by being brighter, or of the light, which ends at white. A gain below worth, where 1 is all that is
// displayed, does not count. The factor is 1 to 16 in steps of a quarter of an octave.
func spare(t *texels, l *lights, worth float64) float32 {
	best, least, total := 1.0, math.Inf(1), 0.0
	for _, n := range t {
		total += n
	}
	pairs := 0.0
	for _, n := range l {
		pairs += n * total
	}
	for step := range 17 {
		boost, lost := math.Exp2(float64(step)/4), 0.0
		for i, nl := range l {
			light := math.Exp2((float64(i)+0.5)/16 - 8)
			if nl == 0 || light <= 1 && boost == 1 {
				continue
			}
			for k := 0; k < len(t); k += 4 {
				nt := t[k] + t[k+1] + t[k+2] + t[k+3]
				if nt == 0 {
					continue
				}
				texel := gamma.Decode((float64(k) + 3) / 255)
				want, have := min(texel*light, 1), min(texel*boost, 1)*min(light/boost, 1)
				lost += nl * nt * (gamma.Encode(want) - gamma.Encode(have))
			}
		}
		if lost/pairs < least-worth {
			best, least = boost, lost/pairs
		}
	}
	return float32(best)
}

// again is the least quality of a JPEG that is encoded once more: at 90 the loss is a third of what the light gains.
const again = 97

// brighten encodes a texture that is brighter, in the format that it had.
func brighten(im *image.NRGBA, from *materials.Image, boost float32, o materials.Options) ([]byte, error) {
	var table [256]uint8
	for i := range table {
		table[i] = uint8(math.Round(255 * gamma.Encode(min(gamma.Decode(float64(i)/255)*float64(boost), 1))))
	}
	out := &image.NRGBA{Pix: bytes.Clone(im.Pix), Stride: im.Stride, Rect: im.Rect}
	for i := 0; i+3 < len(out.Pix); i += 4 {
		out.Pix[i], out.Pix[i+1], out.Pix[i+2] = table[out.Pix[i]], table[out.Pix[i+1]], table[out.Pix[i+2]]
	}
	how := picture.Encoding{Format: picture.OfMIME(from.MIME), Effort: o.PNG, Quality: o.Quality}
	if how.Format == picture.JPEG {
		how.Quality = max(how.Quality, again)
	}
	return picture.Encode(out, from.Alpha, how)
}
