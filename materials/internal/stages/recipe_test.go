package stages

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
)

func TestWaveMean(t *testing.T) {
	for _, c := range []struct {
		w    q3shader.Wave
		want float64
	}{
		{q3shader.Wave{Func: q3shader.Sin, Base: 0.5, Amp: 0.3, Freq: 2}, 0.5},
		{q3shader.Wave{Func: q3shader.Square, Base: 0.5, Amp: 5, Freq: 1}, 0.5}, // half the time 1, half 0
		{q3shader.Wave{Func: q3shader.Sawtooth, Amp: 1, Freq: 0.1}, 63.0 / 128},
		{q3shader.Wave{Func: q3shader.Triangle, Base: 2, Amp: 1, Freq: 1}, 1},
		{q3shader.Wave{Func: q3shader.Noise, Base: 0.25, Amp: 1, Freq: 1}, 0.25},
		{q3shader.Wave{Func: q3shader.Sin, Base: 0.25, Amp: 0.5, Phase: 0.25}, 0.75},
		{q3shader.Wave{Func: q3shader.Sin, Base: 0.5, Amp: 1, Freq: 1e-30}, 0.5},
		{q3shader.Wave{Func: q3shader.Sin, Base: 1e9, Amp: -1e9, Freq: 1e9}, 63.0 / 64},
	} {
		if got := waveMean(c.w); got < c.want-0.02 || got > c.want+0.02 {
			t.Errorf("%v: %g, want %g", c.w, got, c.want)
		}
	}
}
