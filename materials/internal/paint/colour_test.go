package paint

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
)

func TestClamp01(t *testing.T) {
	for v, want := range map[float64]float64{-1: 0, 0.5: 0.5, 7: 1, math.Inf(1): 1} {
		if got := Clamp01(v); got != want {
			t.Errorf("%g: %g", v, got)
		}
	}
	if Clamp01(math.NaN()) != 0 {
		t.Error("NaN stays")
	}
}

// EncodeSRGB is exact to the rounding of a float32.
func TestEncodesSRGB(t *testing.T) {
	for i := range 100000 {
		v := float64(i) / 99999
		want := 12.92 * v
		if v > 0.0031308 {
			want = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		if got := float64(EncodeSRGB(float32(v))); math.Abs(got-want*255) > 0.501 {
			t.Fatalf("%g: %g, want %g", v, got, want*255)
		}
	}
}

func TestUsesAlpha(t *testing.T) {
	for _, c := range []struct {
		l    Stage
		want bool
	}{
		{Stage{}, false},
		{Stage{Blend: &q3shader.BlendAdd}, false},
		{Stage{Blend: &q3shader.BlendAlpha}, true},
		{Stage{Blend: &q3shader.Blend{Src: q3shader.One, Dst: q3shader.SrcAlpha}}, true},
		{Stage{Test: q3shader.GE128}, true},
	} {
		if got := c.l.UsesAlpha(); got != c.want {
			t.Errorf("%+v: %t", c.l, got)
		}
	}
}
