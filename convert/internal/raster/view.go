package raster

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// view transforms points of the scene to samples of the picture.
type view struct {
	matrix        space.Matrix // rows: the eye's right, up and back, with translation
	width, height int          // in samples
	samples       int          // per pixel in each direction
	scale         float64      // samples per unit of slope, or per unit of the scene if flat
	flat          bool         // orthographic
	near          float64
	eye, back     [3]float64 // in the scene: the camera's place, and the direction from the scene to it
}

func newView(c Camera, width, height, samples int) view {
	back := unit(neg(c.Forward))
	right := unit(space.Cross(c.Up, back))
	up := space.Cross(back, right)
	v := view{width: width, height: height, samples: samples, near: max(c.Near, 1e-6), eye: c.Eye, back: back}
	for i, axis := range [3][3]float64{right, up, back} {
		copy(v.matrix[i][:], axis[:])
		v.matrix[i][3] = -space.Dot(axis, c.Eye)
	}
	if c.FovY > 0 {
		v.scale = float64(height) / 2 / math.Tan(c.FovY/2)
	} else {
		v.flat, v.scale = true, float64(height)/c.Height
	}
	return v
}

// corner is a triangle's corner in eye space: x to the right, y up, z the distance, before the perspective
// division.
type corner struct {
	x, y, z float64
	at      [allAttributes]float64
}

// The attributes that are interpolated over a triangle.
const (
	u0 = iota
	v0
	u1
	v1
	red
	green
	blue
	opacity
	attributes // of materials without a Mirror
	mirrorS    = iota - 1
	mirrorT
	mirrorRed
	mirrorGreen
	mirrorBlue
	mirrorAttributes            // of those without light with a direction
	frameRight       = iota - 2 // three each: the texture's right and up, the normal, the way to the eye
	frameEye         = frameRight + 9
	allAttributes    = frameEye + 3
)

// screen returns the position of a point in samples from the top left, and its nearness, which grows towards the eye and is
// linear over the screen.
func (v *view) screen(c *corner) (x, y, near float64) {
	scale, near := v.scale, -c.z
	if !v.flat {
		near = 1 / c.z
		scale *= near
	}
	return float64(v.width)/2 + float64(c.x*scale), float64(v.height)/2 - float64(c.y*scale), near
}

// clip clips a polygon at the near plane.
func (v *view) clip(in []corner, out []corner) []corner {
	for i := range in {
		a, b := &in[i], &in[(i+1)%len(in)]
		if a.z >= v.near {
			out = append(out, *a)
		}
		if (a.z >= v.near) != (b.z >= v.near) {
			out = append(out, between(a, b, (v.near-a.z)/(b.z-a.z)))
		}
	}
	return out
}

func between(a, b *corner, t float64) corner {
	c := corner{x: a.x + float64((b.x-a.x)*t), y: a.y + float64((b.y-a.y)*t), z: a.z + float64((b.z-a.z)*t)}
	for k := range c.at {
		c.at[k] = a.at[k] + float64((b.at[k]-a.at[k])*t)
	}
	return c
}

func neg(a [3]float64) [3]float64 { return [3]float64{-a[0], -a[1], -a[2]} }

func unit(a [3]float64) [3]float64 {
	u, n := space.Direction(a)
	if n == 0 {
		return [3]float64{0, 0, 1}
	}
	return u
}
