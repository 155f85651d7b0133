package picture

import (
	"bytes"
	"errors"
	"image"
	"math/rand/v2"
	"testing"
)

func TestDifferencesOfEachLength(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 40 {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		want := bytes.Clone(b)
		for i := 1; i < n; i++ {
			want[i] = b[i] - b[i-1] + 128
		}
		if differences(b); !bytes.Equal(b, want) {
			t.Errorf("%d bytes: % x, want % x", n, b, want)
		}
	}
}

// A written file decodes to the pixels that were given: anything else that comes back from a store does not.
func TestHolds(t *testing.T) {
	const w, h = 40, 37 // three blocks of an EXR
	im := image.NewNRGBA(image.Rect(0, 0, w, h))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range im.Pix {
		im.Pix[i] = byte(r.Uint32())
	}
	exr, err := EncodeEXR(t.Context(), im.Pix[:0:0], 1, 0)
	if err != nil || Holds(exr, EXR, w, h) {
		t.Errorf("no lines: %v", err)
	}
	written := map[Format][]byte{}
	half := make([]byte, EXRPixel*w*h)
	for i := range half {
		half[i] = byte(r.Uint32()) &^ 0x40
	}
	var errs [3]error
	written[EXR], errs[0] = EncodeEXR(t.Context(), half, w, h)
	written[PNG], errs[1] = EncodePNG(im, true, Fast)
	written[WebP], errs[2] = EncodeWebP(im, true, 100)
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	for f, data := range written {
		if !Holds(data, f, w, h) {
			t.Errorf("%s: not what was written", f)
		}
		for other := range written {
			if Holds(data, other, w, h) != (other == f) || Holds(data, other, w+1, h) || Holds(data, other, w, h-16) {
				t.Errorf("%s holds what is %s, or has another size", other, f)
			}
		}
		for _, n := range []int{0, 1, 8, 33, len(data) / 2, len(data) - 1} {
			if Holds(data[:n], f, w, h) {
				t.Errorf("%s: %d of %d bytes", f, n, len(data))
			}
		}
		if Holds(append(bytes.Clone(data), 0), f, w, h) {
			t.Errorf("%s: a byte more", f)
		}
	}
	for at := range written[PNG] { // whose checksums include all but the magic, which Sniff compares
		b := bytes.Clone(written[PNG])
		b[at] ^= 1
		if Holds(b, PNG, w, h) {
			t.Errorf("png: byte %d is another", at)
		}
	}
}

func FuzzHolds(f *testing.F) {
	exr, err := EncodeEXR(f.Context(), make([]byte, EXRPixel*4*20), 4, 20)
	if err != nil {
		f.Fatal(err)
	}
	png, err := EncodePNG(image.NewNRGBA(image.Rect(0, 0, 4, 20)), true, Fast)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(exr)
	f.Add(png)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range []Format{EXR, PNG, WebP} {
			if Holds(data, format, 4, 20) && len(data) < 30 {
				t.Errorf("%d bytes are a %s", len(data), format)
			}
		}
	})
}
