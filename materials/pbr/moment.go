package pbr

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// MatrixAt returns the product of changes at a time, as docs/internals/readers.md states them.
func MatrixAt(list []Change, time float64) [6]float64 {
	m := Identity
	for _, c := range list {
		n := c.Numbers
		switch c.Kind {
		case "scale":
			m = space.MultiplyTexture([6]float64{n[0], 0, 0, 0, n[1], 0}, m)
		case "scroll":
			m = space.MultiplyTexture([6]float64{1, 0, n[0] * time, 0, 1, n[1] * time}, m)
		case "transform":
			m = space.MultiplyTexture([6]float64(n), m)
		case "rotate":
			sin, cos := math.Sincos(math.Mod(0-n[0]*time, 360) * math.Pi / 180)
			m = space.MultiplyTexture([6]float64{cos, 0 - sin, 0.5 - float64(cos*0.5) + float64(sin*0.5), sin, cos,
				0.5 - float64(sin*0.5) - float64(cos*0.5)}, m)
		case "stretch":
			if w := WaveAt(c.Wave, time); math.Abs(w) > 1e-3 {
				m = space.MultiplyTexture([6]float64{1 / w, 0, 0.5 - 0.5/w, 0, 1 / w, 0.5 - 0.5/w}, m)
			}
		}
	}
	return m
}

// WaveAt returns a wave's value at a time. Quake III Arena, renderer, tr_init.c, tr_shade_calc.c.
func WaveAt(w *Wave, time float64) float64 {
	x := w.Phase + float64(w.Freq*time)
	x -= math.Floor(x)
	f := 0.0
	switch w.Func {
	case "sin":
		f = math.Sin(2 * math.Pi * x)
	case "triangle":
		f = 1 - math.Abs(math.Mod(x+0.25, 1)*4-2)
	case "square":
		f = 1
		if x >= 0.5 {
			f = -1
		}
	case "sawtooth":
		f = x
	case "inversesawtooth":
		f = 1 - x
	}
	return w.Base + float64(w.Amp*f)
}
