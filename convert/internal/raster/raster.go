// Package raster draws a scene into a picture without a GPU: textured, lit by lightmaps or vertex colours, with alpha.
//
// It draws as a GPU does, so that a picture can be compared with a viewer's. Triangles are clipped at the near plane
// and filled by edge functions over four samples per pixel. It first finds the nearest opaque surface of each sample
// and shades only that; blended surfaces follow, by Sort and then from far to near. Textures are filtered trilinearly, in linear
// light or as displayed; samples are averaged as displayed values.
//
// The result depends only on the input: rows are divided among the cores, and each row is drawn in the order of the
// triangles.
package raster

import (
	"cmp"
	"context"
	"image"
	"runtime"

	"github.com/bsp2gltf/bsp2gltf/internal/par"
)

// usualSamples is the number of samples per pixel in each direction, unless the scene says otherwise.
const usualSamples = 2

// Draw returns an opaque sRGB picture of the scene. Images that can't be read are drawn as white.
func Draw(ctx context.Context, s *Scene, c Camera, width, height int) (*image.NRGBA, error) {
	samples := cmp.Or(s.Samples, usualSamples)
	v := newView(c, width*samples, height*samples, samples)
	t, err := project(ctx, s, v)
	if err != nil {
		return nil, err
	}
	shaders := newShaders(s)
	// Holes depend on alpha, so images with alpha are needed to determine visibility; the others only for visible
	// surfaces.
	if err := shaders.load(ctx, func(m int) bool { return s.Materials[m].Alpha == Mask && t.has(t.solid, m) }); err != nil {
		return nil, err
	}
	n := min(height, 4*runtime.GOMAXPROCS(0))
	bands, err := par.Map(ctx, n, func(i int) (*band, error) {
		b := newBand(v, height*i/n*samples, height*(i+1)/n*samples)
		b.solid(t.solid, shaders.list, true)
		return b, ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	seen := make([]bool, len(s.Materials))
	for _, b := range bands {
		b.mark(t.solid, seen)
	}
	if err := shaders.load(ctx, func(m int) bool { return seen[m] || t.has(t.blended, m) }); err != nil {
		return nil, err
	}
	out, bright := image.NewNRGBA(image.Rect(0, 0, width, height)), brightened(s.Gamma)
	err = par.Each(ctx, n, func(i int) error {
		b := bands[i]
		b.shade(t.solid, shaders.list, s.Background)
		b.blend(t.blended, shaders.list)
		b.resolve(out, &bright)
		return ctx.Err()
	})
	return out, err
}
