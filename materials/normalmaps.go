package materials

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// bakedSize is the largest side in pixels of a normal map for baking: a luxel covers a dozen pixels or more.
const bakedSize = 256

// NormalMaps returns the normal maps of materials whose charts have light of three directions, by index in w. Red,
// green and blue are (n+1)/2 along the texture's U, its V downwards and the normal; no side exceeds 256 pixels. A
// material with a missing or broken one has no entry. It fails if a limit is exceeded or ctx ends.
func NormalMaps(ctx context.Context, files fs.FS, w *world.World) (map[int]*image.NRGBA, error) {
	fl := lookup.New(files, limit.From(ctx))
	type source struct {
		material int
		valve.NormalMap
	}
	var list []source
	seen := make([]bool, len(w.Materials))
	for i := range w.Baked.Charts {
		c := &w.Baked.Charts[i]
		if !tiltedChart(c) || c.Material < 0 || c.Material >= len(seen) || seen[c.Material] {
			continue
		}
		seen[c.Material] = true
		v := fl.VMT(w.Materials[c.Material].Name).Material
		if v == nil {
			continue
		}
		if m := valve.NormalOf(fl, v); m.File != "" {
			list = append(list, source{c.Material, m})
		}
	}
	images, err := par.Map(ctx, len(list), func(i int) (*image.NRGBA, error) {
		s := &list[i]
		data, err := fl.Text(s.File)
		if err != nil {
			return nil, survived(err)
		}
		var im *image.NRGBA
		bump := s.Bump
		if lookup.IsVTF(s.File) {
			t, err := images.DecodeVTF(data, s.Frame, bakedSize, fl.Budget)
			if err != nil {
				return nil, survived(err)
			}
			defer t.Release()
			im, bump = t.Im, bump || t.Bump
		} else if im, _, err = picture.Decode(data, s.File, fl.Budget); err != nil {
			return nil, survived(err)
		}
		im = picture.Fit(paint.Opaque(im), bakedSize)
		paint.ToNormals(im, bump, false)
		return im, nil
	})
	if err != nil {
		return nil, err
	}
	maps := map[int]*image.NRGBA{}
	for i, im := range images {
		if im != nil {
			maps[list[i].material] = im
		}
	}
	return maps, nil
}

// tiltedChart reports whether a chart has light from the three directions.
func tiltedChart(c *world.Chart) bool {
	for _, l := range c.Layers {
		if l.Basis == world.Bump1 || l.Basis == world.Bump2 || l.Basis == world.Bump3 {
			return true
		}
	}
	return false
}

// survived returns err if it must stop the conversion, else nil: the material then has no image.
func survived(err error) error {
	over := (*limit.Error)(nil)
	if errors.Is(err, limit.ErrLimit) && !(errors.As(err, &over) && images.OneImage[over.Limit]) {
		return fmt.Errorf("normal map: %w", err)
	}
	return nil
}
