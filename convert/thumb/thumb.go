// Package thumb draws pictures of converted maps without a GPU: it finds a good viewpoint and passes the scene to the
// rasteriser.
package thumb

import (
	"context"
	"image"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/raster"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// Draw returns a picture of a scene.
func Draw(ctx context.Context, s *scene.Scene, o Options) (*image.NRGBA, error) {
	if o.FovY == 0 {
		o.FovY = DefaultFov
	}
	d := newDrawing(s, &o)
	var c raster.Camera
	switch {
	case o.Plan:
		c = d.plan(o)
	case o.Eye != nil:
		eye := o.Eye.in(s.Unit)
		c = eye.camera(o.FovY)
	case o.Model:
		eye := front(d.bounds())
		c = eye.camera(modelFov)
	default:
		eye, err := find(ctx, s, d, o)
		if err != nil {
			return nil, err
		}
		c = eye.camera(o.FovY)
	}
	return raster.Draw(ctx, d.scene, c, o.Width, o.Height)
}
