package world

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestHalfWorkedOut(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		in   float32
		half Half
		out  float32
	}{
		{0, 0, 0}, {1, 0x3c00, 1}, {-1, 0xbc00, -1}, {0.5, 0x3800, 0.5}, {2.5, 0x4100, 2.5},
		{1.0 / 3, 0x3555, 0.333251953125}, // 0.01010101010101 in binary, 11 of its bits
		{1 + 0x1p-10, 0x3c01, 1 + 0x1p-10},
		{1 + 0x1p-11, 0x3c00, 1}, {1 + 0x3p-11, 0x3c02, 1 + 0x1p-9}, // half way: to the even one
		{1 + 0x1.001p-11, 0x3c01, 1 + 0x1p-10},
		{2 - 0x1p-11, 0x4000, 2}, // up to the next exponent
		{0x1p-14, 0x0400, 0x1p-14}, {0x1p-24, 1, 0x1p-24}, {0x3ffp-24, 0x3ff, 0x3ffp-24},
		{0x1p-25, 0, 0}, {0x3p-25, 2, 0x1p-23}, {0x1.8p-25, 1, 0x1p-24}, {-0x1p-24, 0x8001, -0x1p-24},
		{0x1p-14 - 0x1p-26, 0x0400, 0x1p-14},
		{65504, 0x7bff, 65504}, {65503, 0x7bff, 65504}, {65520, 0x7bff, 65504}, {math.MaxFloat32, 0x7bff, 65504},
		{inf, 0x7bff, 65504}, {-inf, 0xfbff, -65504}, {nan, 0, 0},
	} {
		if h := NewHalf(c.in); h != c.half || h.Float32() != c.out {
			t.Errorf("%g is %#04x, %g; want %#04x, %g", c.in, uint16(h), h.Float32(), uint16(c.half), c.out)
		}
	}
}

// Every Half comes back, and they are in order.
func TestHalfComesBack(t *testing.T) {
	for h := Half(0); h <= maxHalf; h++ {
		f := h.Float32()
		if NewHalf(f) != h || NewHalf(-f) != h|0x8000 || (h|0x8000).Float32() != -f {
			t.Fatalf("%#04x is %g, which is %#04x", uint16(h), f, uint16(NewHalf(f)))
		}
		// Worked out by the definition.
		e, frac := int(h>>10), float64(h&0x3ff)
		want := math.Ldexp(1024+frac, e-25)
		if e == 0 {
			want = math.Ldexp(frac, -24)
		}
		if float64(f) != want {
			t.Fatalf("%#04x is %g, want %g", uint16(h), f, want)
		}
	}
	for h := maxHalf; h < 0x7fff; h++ { // no infinity, no NaN
		if !(h.Float32() < (h + 1).Float32()) {
			t.Fatalf("%#04x is %g", uint16(h), h.Float32())
		}
	}
}

// No other Half is nearer, and of two as near the even one is taken.
func TestHalfIsTheNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1_000_000 {
		f := math.Float32frombits(r.Uint32N(0x477fe000)) // to 65504
		h := NewHalf(f)
		off := math.Abs(float64(h.Float32()) - float64(f))
		for _, other := range []Half{h - 1, h + 1} {
			if other > maxHalf { // below 0
				continue
			}
			if d := math.Abs(float64(other.Float32()) - float64(f)); d < off || d == off && h%2 == 1 {
				t.Fatalf("%g became %g, but %g is nearer", f, h.Float32(), other.Float32())
			}
		}
	}
}

func TestRGB(t *testing.T) {
	if got := NewRGB(1, -0.5, 1e9); got != (RGB{0x3c00, 0xb800, 0x7bff}) || got.Float32() != [3]float32{1, -0.5, 65504} {
		t.Error(got)
	}
}

func BenchmarkHalf(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	light := make([]float32, 1<<16)
	for i := range light {
		light[i] = r.Float32()
	}
	b.SetBytes(4 << 16)
	var sum float32
	for b.Loop() {
		for _, x := range light {
			sum += NewHalf(x).Float32()
		}
	}
	_ = sum
}
