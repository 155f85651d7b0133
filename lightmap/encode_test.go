package lightmap

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// encodeSRGB applies the standard's formula (IEC 61966-2-1).
func encodeSRGB(v float64) float64 {
	if v <= 0.0031308 {
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}

func TestEncodeReturnsAll8BitValues(t *testing.T) {
	for i := range 256 {
		if got := unscaled()[world.NewHalf(float32(gamma.Decode(float64(i)/255)))]; got != uint8(i) {
			t.Errorf("light of %d became %d", i, got)
		}
	}
}

func TestEncodeIsTheNearestValue(t *testing.T) {
	for _, scale := range []float32{1, 1.5, 4, 3.1415927, 65504} {
		table := lightTable(scale)
		for i, got := range table {
			light := min(max(float64(world.Half(i).Float32())/float64(scale), 0), 1)
			if want := uint8(encodeSRGB(light)*255 + 0.5); got != want {
				t.Errorf("scale %g: light %g became %d, want %d", scale, world.Half(i).Float32(), got, want)
			}
		}
		if got := table[world.NewHalf(scale)]; got != 255 {
			t.Errorf("scale %g became %d", scale, got)
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
		if got := unscaled()[world.NewHalf(test.x)]; got != test.want {
			t.Errorf("light %g became %d, want %d", test.x, got, test.want)
		}
	}
	for x, want := range map[float32]uint8{-1: 0, 0: 128, 0.5: 191, -0.5: 64, 1: 255, -2: 0, 2: 255} {
		if got := directions()[world.NewHalf(x)]; got != want {
			t.Errorf("direction %g became %d, want %d", x, got, want)
		}
	}
}

// A table of its own for every Bake whose light passes 1.
func BenchmarkLightTable(b *testing.B) {
	for b.Loop() {
		lightTable(4)
	}
}
