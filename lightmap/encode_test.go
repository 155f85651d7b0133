package lightmap

import (
	"math"
	"math/rand/v2"
	"testing"
)

// encodeSRGB is the standard's formula (IEC 61966-2-1).
func encodeSRGB(v float64) float64 {
	if v <= 0.0031308 {
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}

func TestEncodeReturnsAll8BitValues(t *testing.T) {
	for i := range 256 {
		if got := srgb.value(float32(decodeSRGB(float64(i) / 255))); got != uint8(i) {
			t.Errorf("light of %d became %d", i, got)
		}
	}
}

func TestEncodeIsTheNearestValue(t *testing.T) {
	check := func(x float32) {
		t.Helper()
		want := uint8(encodeSRGB(min(max(float64(x), 0), 1))*255 + 0.5)
		if got := srgb.value(x); got != want {
			t.Errorf("light %g became %d, want %d", x, got, want)
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 1_000_000 {
		check(r.Float32())
		check(float32(math.Exp(-12 * r.Float64()))) // as many dark ones
	}
	// The floats around each step.
	for i := 1; i < 256; i++ {
		x := srgb.threshold[i]
		if srgb.value(x) != uint8(i) || srgb.value(math.Nextafter32(x, 0)) != uint8(i-1) {
			t.Errorf("value %d does not start at %g", i, x)
		}
	}
}

func TestEncodeTakesAnyFloat(t *testing.T) {
	for _, test := range []struct {
		x    float32
		want uint8
	}{
		{float32(math.NaN()), 0}, {float32(math.Inf(1)), 255}, {float32(math.Inf(-1)), 0},
		{-1, 0}, {0, 0}, {math.SmallestNonzeroFloat32, 0}, {1, 255}, {2, 255}, {math.MaxFloat32, 255},
	} {
		if got := srgb.value(test.x); got != test.want {
			t.Errorf("light %g became %d, want %d", test.x, got, test.want)
		}
		signed(test.x)
	}
	for x, want := range map[float32]uint8{-1: 0, 0: 128, 1: 255, -2: 0, 2: 255} {
		if got := signed(x); got != want {
			t.Errorf("direction %g became %d, want %d", x, got, want)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	light := make([]float32, 1<<16)
	for i := range light {
		light[i] = r.Float32()
	}
	b.SetBytes(int64(len(light)))
	var sum uint8
	for b.Loop() {
		for _, x := range light {
			sum += srgb.value(x)
		}
	}
	_ = sum
}
