// Package thumb draws pictures of converted maps without a GPU: it finds a good viewpoint and passes the scene to the
// rasteriser.
package thumb

import (
	"context"
	"encoding/binary"
	"image"

	"github.com/bsp2gltf/bsp2gltf/cache"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/raster"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/cached"
)

// Find returns an eye with a good view of a map: at a camera or a start, else above a floor, at another entity, before a surface or above
// a corner of the map. The cache, which may be nil, keeps it for scenes that look the same.
func Find(ctx context.Context, s *scene.Scene, c *cache.Cache) (e scene.Eye, err error) {
	kept, err := cached.Remember(c, func() ([]byte, error) {
		o := Options{FovY: DefaultFov, Texels: sketchTexels}
		found, _, err := find(ctx, s, newDrawing(s, &o), o)
		if err != nil {
			return nil, err
		}
		return binary.Append(nil, binary.LittleEndian, found)
	}, func(data []byte) bool { return len(data) == binary.Size(e) }, []byte("eye"), look(s, false))
	if err == nil {
		_, err = binary.Decode(kept, binary.LittleEndian, &e)
	}
	return e, err
}

// Draw returns a picture of a scene.
func Draw(ctx context.Context, s *scene.Scene, o Options) (*image.NRGBA, error) {
	if o.FovY == 0 {
		o.FovY = DefaultFov
	}
	d := newDrawing(s, &o)
	var c raster.Camera
	found := false
	switch {
	case o.Plan:
		c = d.plan(o)
	case o.Eye != nil:
		eye := o.Eye.in(s.Unit)
		c = camera(&eye, o.FovY)
		c.Near = max(near, nearUnits*s.Unit)
	case o.Model:
		lo, hi := d.bounds()
		eye := front(lo, hi, float64(o.Width)/float64(o.Height))
		c, d = camera(&eye, modelFov), d.shaded()
	default:
		found = true
		d.scene.Background = outside
		eye, ok := s.StartView()
		if !ok {
			var err error
			if eye, d, err = find(ctx, s, d, o); err != nil {
				return nil, err
			}
		}
		c = camera(&eye, o.FovY)
	}
	if !found {
		return raster.Draw(ctx, d.scene, c, o.Width, o.Height)
	}
	return drawReadable(ctx, s, d, c, o)
}

// drawReadable draws a view that was found. It brightens a dark one, and leaves out the map's light if that shows nothing.
func drawReadable(ctx context.Context, s *scene.Scene, d *drawing, c raster.Camera, o Options) (*image.NRGBA, error) {
	im, err := raster.Draw(ctx, d.scene, c, o.Width, o.Height)
	if err != nil {
		return nil, err
	}
	hits, err := raster.NewLooker(d.scene).Look(ctx, c, gridWidth, gridHeight)
	if err != nil {
		return nil, err
	}
	seen := surfaces(s, hits)
	factor := brighten(im, seen)
	if d.lightless {
		factor = 0
	}
	if by := dull(im); by > poor && !d.lightless {
		other, err := raster.Draw(ctx, d.shaded().scene, c, o.Width, o.Height)
		if err != nil {
			return nil, err
		}
		if brighten(other, seen); dull(other) < by-1 {
			im, factor = other, 0
		}
	}
	if factor != 1 && o.Brightened != nil {
		o.Brightened(factor)
	}
	return im, nil
}
