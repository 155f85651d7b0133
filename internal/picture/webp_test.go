package picture

import (
	"bytes"
	"errors"
	"image"
	"runtime"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Encoders that share a picture among cores may choose by the number of them.
func TestEncodeWebPIsTheSameOnAnyNumberOfCores(t *testing.T) {
	for _, im := range []*image.NRGBA{textured(256, 200, false), textured(97, 129, true)} {
		for _, lossless := range []bool{false, true} {
			var first []byte
			for _, n := range []int{1, 2, 7} {
				before := runtime.GOMAXPROCS(n)
				data, err := EncodeWebP(im, lossless, 80)
				runtime.GOMAXPROCS(before)
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = data
				} else if !bytes.Equal(first, data) {
					t.Errorf("lossless %t: %d bytes on %d cores, %d on one", lossless, len(data), n, len(first))
				}
			}
		}
	}
}

// A picture of one colour takes a few bytes in any packed format. Only the limits on pixels bound the cost of its pixels.
func TestPlainPicturesAreReadInEveryFormat(t *testing.T) {
	const side = 2112 // above 4 Mi pixels
	im := image.NewNRGBA(image.Rect(0, 0, side, side))
	for i := range im.Pix {
		im.Pix[i] = 200
	}
	for _, e := range []Encoding{{Format: PNG, Effort: Fast}, {Format: WebP, Quality: 100}} {
		data, err := Encode(im, true, e)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := Decode(data, "a", nil)
		if err != nil || !bytes.Equal(got.Pix, im.Pix) {
			t.Errorf("%s of %d bytes: %v", e.Format, len(data), err)
		}
		if _, _, err := Decode(data, "a", limit.NewBudget(limit.Limits{MaxPixels: side*side - 1})); !errors.Is(err, limit.ErrLimit) {
			t.Errorf("%s beyond the limit: %v", e.Format, err)
		}
	}
}

// What a lossless WebP has for alpha counts only if its header says that it is used.
func TestAlphaThatIsNotUsed(t *testing.T) {
	im := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	for i := range im.Pix {
		im.Pix[i] = byte(40 * i)
	}
	data, err := EncodeWebP(im, true, 0)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.IndexByte(data, 0x2f) // VP8L's signature; the bit is the 29th of the 32 after it
	data[at+4] &^= 1 << 4
	got, info, err := Decode(data, "a.webp", nil)
	if err != nil || info.Alpha || !got.Opaque() || got.Pix[0] != im.Pix[0] {
		t.Errorf("%v, %+v, %v", got, info, err)
	}
}
