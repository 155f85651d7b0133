package q3shader

import (
	"math"
	"testing"
)

func TestMatrix(t *testing.T) {
	for _, tt := range []struct {
		mods string
		time float64
		want [6]float64
	}{
		{"", 1, identity},
		{"tcMod scale 2 3", 0, [6]float64{2, 0, 0, 0, 3, 0}},
		// 0.5 · 3 = 1.5 and -0.25 · 3 = -0.75, less whole images.
		{"tcMod scroll .5 -.25", 3, [6]float64{1, 0, .5, 0, 1, .25}},
		// -90°: cos 0, sin -1. The middle stays: s' = t, t' = 1 - s.
		{"tcMod rotate 90", 1, [6]float64{0, 1, 0, -1, 0, 1}},
		{"tcMod rotate 90", 0, identity},
		// The wave is 2, so the image is half as large about (.5, .5): .5 - .5 · .5 = .25.
		{"tcMod stretch sin 2 0 0 0", 5, [6]float64{.5, 0, .25, 0, .5, .25}},
		{"tcMod stretch sin 0 0 0 0", 5, identity},
		// s' = 1s + 3t + 5, t' = 2s + 4t + 6
		{"tcMod transform 1 2 3 4 5 6", 0, [6]float64{1, 3, 5, 2, 4, 6}},
		{"tcMod turb 0 1 0 1", .25, identity},
		{"tcMod entityTranslate", 1, identity},
		// 2s, then + .5; and s + .5, then · 2.
		{"tcMod scale 2 2\ntcMod scroll .5 0", 1, [6]float64{2, 0, .5, 0, 2, 0}},
		{"tcMod scroll .5 0\ntcMod scale 2 2", 1, [6]float64{2, 0, 1, 0, 2, 0}},
		// t' = 1 - s, then · 3 of the transform's s' = 2s, t' = 3t + 1: s'' = 2t, t'' = 4 - 3s.
		{"tcMod rotate 90\ntcMod transform 2 0 0 3 0 1", 1, [6]float64{0, 2, 0, -3, 0, 4}},
		{"tcMod scale 1e9 1e9\ntcMod scale 1e9 1e9", 0, identity},
		{"tcMod scroll 1 1", math.Inf(1), identity},
		{"tcMod rotate 1", math.NaN(), identity},
	} {
		got := one(t, "{\nmap a\n"+tt.mods+"\n}").Stages[0].Matrix(tt.time)
		for i := range got {
			if !(math.Abs(got[i]-tt.want[i]) < 1e-12) {
				t.Errorf("%q at %v: %v, want %v", tt.mods, tt.time, got, tt.want)
				break
			}
		}
	}
}

func TestWaves(t *testing.T) {
	for _, tt := range []struct {
		f    WaveFunc
		want [8]float64 // at 0, 1/8, … of the period
	}{
		{Sin, [8]float64{0, math.Sqrt2 / 2, 1, math.Sqrt2 / 2, 0, -math.Sqrt2 / 2, -1, -math.Sqrt2 / 2}},
		{Square, [8]float64{1, 1, 1, 1, -1, -1, -1, -1}},
		{Triangle, [8]float64{0, .5, 1, .5, 0, -.5, -1, -.5}},
		{Sawtooth, [8]float64{0, .125, .25, .375, .5, .625, .75, .875}},
		{InverseSawtooth, [8]float64{1, .875, .75, .625, .5, .375, .25, .125}},
		{Noise, [8]float64{}},
	} {
		for i, y := range tt.want {
			// At 3 seconds and half a turn per second, -1.5 of phase make a whole number of turns.
			w := Wave{tt.f, 10, 2, -1.5 + float32(i)/8, .5}
			if got, want := float64(w.At(3)), 10+2*y; math.Abs(got-want) > 1e-6 {
				t.Errorf("wave %d at %d/8: %v, want %v", tt.f, i, got, want)
			}
		}
	}
}
