package raster

import "math"

// Fog thickens with the distance from the eye: of what is seen at a distance d, a share of f² is Color, in linear light, where f is
// (d - Start) / (End - Start), from 0 to Most.
type Fog struct {
	Start, End, Most float64
	Color            [3]float32 // linear
	Radial           bool       // d is the distance from the eye; else it is that from the eye's plane
}

// veil is the fog at a sample: a share of the light and its colour, linear.
type veil struct {
	share float32
	color [3]float32
}

// veil returns the fog before a sample of a triangle at a nearness.
func (v *view) veil(f *Fog, x, y int, near float64, behind Behind) veil {
	if f == nil || v.flat {
		return veil{}
	}
	d := 1 / near
	if f.Radial {
		dx, dy := (float64(x)+0.5-float64(v.width)/2)/v.scale, (float64(y)+0.5-float64(v.height)/2)/v.scale
		d *= math.Sqrt(1 + float64(dx*dx) + float64(dy*dy))
	}
	part := min(max((d-f.Start)/(f.End-f.Start), 0), f.Most)
	out := veil{float32(part * part), f.Color}
	switch behind {
	case Adds: // adds less
		out.color = [3]float32{}
	case Multiplies: // changes less: a half as displayed multiplies by one
		grey := float32(decode(0.5))
		out.color = [3]float32{grey, grey, grey}
	}
	return out
}

// over returns a linear colour behind the fog.
func (v *veil) over(light float32, k int) float32 {
	return light + float32(v.share*(v.color[k]-light))
}

// displayed returns a displayed colour behind the fog.
func (v *veil) displayed(c color) color {
	if v.share == 0 {
		return c
	}
	for k := range 3 {
		c[k] = shown().of(v.over(float32(decode(float64(c[k]))), k))
	}
	return c
}
