package raster

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// fogSample is the fog at a sample: its share of the colour, and its linear colour.
type fogSample struct {
	share float32
	color [3]float32
	shown bool // the share is in display space; else it is in linear light
}

// share returns the share of the fog at a distance.
func (f *Fog) share(d float64) float64 {
	if f.Thickness > 0 {
		return f.Most * (1 - math.Exp(-math.Pow(max(min(d, f.End)-f.Start, 0)*f.Thickness, f.Power)))
	}
	part := min(max((d-f.Start)/(f.End-f.Start), 0), f.Most)
	return part * part
}

// color returns the colour of the fog for an eye with a direction behind it.
func (f *Fog) color(back [3]float64) [3]float32 {
	if f.SecondColor == nil {
		return f.Color
	}
	out, first := f.Color, (1-space.Dot(back, f.Direction))/2
	for k, c := range f.Color {
		a, b := float64(shown().of(c)), float64(shown().of(f.SecondColor[k]))
		out[k] = float32(gamma.Decode(b + float64(first*(a-b))))
	}
	return out
}

// fogAt returns the fog in front of a sample of a triangle at a nearness.
func (v *view) fogAt(f *Fog, x, y int, near float64, behind Behind) fogSample {
	if f == nil || v.flat {
		return fogSample{}
	}
	d := 1 / near
	if f.Radial {
		dx, dy := (float64(x)+0.5-float64(v.width)/2)/v.scale, (float64(y)+0.5-float64(v.height)/2)/v.scale
		d *= math.Sqrt(1 + float64(dx*dx) + float64(dy*dy))
	}
	out := fogSample{float32(f.share(d)), f.color(v.back), f.Thickness > 0}
	switch behind {
	case Adds: // adds less
		out.color = [3]float32{}
	case Multiplies: // changes less: a displayed half multiplies by one
		grey := float32(gamma.Decode(0.5))
		out.color = [3]float32{grey, grey, grey}
	}
	return out
}

// over returns the display value of a linear colour behind the fog.
func (v *fogSample) over(light float32, k int) float32 {
	if v.shown {
		seen := shown().of(light)
		return seen + float32(v.share*(shown().of(v.color[k])-seen))
	}
	return shown().of(light + float32(v.share*(v.color[k]-light)))
}

// displayed returns a displayed colour behind the fog.
func (v *fogSample) displayed(c color) color {
	if v.share == 0 {
		return c
	}
	for k := range 3 {
		if v.shown {
			c[k] += float32(v.share * (shown().of(v.color[k]) - c[k]))
		} else {
			c[k] = v.over(float32(gamma.Decode(float64(c[k]))), k)
		}
	}
	return c
}
