package raster

import "testing"

// The curves of a display are made once for all pictures, and those of many displays don't stay.
func TestCurvesOfADisplayAreKept(t *testing.T) {
	d := &Display{Albedo: 0.5, Exponent: 1.2, Gain: 1.1}
	first := bentOf(d)
	if again := bentOf(&Display{Albedo: 0.5, Exponent: 1.2, Gain: 1.1, Texture: 2}); again != first {
		t.Error("equal displays have curves of their own")
	}
	want := newBent(d)
	if *first.light != *want.light || *first.texture != *want.texture {
		t.Error("the kept curves are others")
	}
	for i := range 3 * maxBents {
		if other := bentOf(&Display{Albedo: 1, Exponent: 1, Gain: 2 + float64(i)}); other == first {
			t.Fatal("another display has the same curves")
		}
		if len(bents.of) > maxBents {
			t.Fatalf("%d curves are kept, at most %d", len(bents.of), maxBents)
		}
	}
}
