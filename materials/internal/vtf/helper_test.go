package vtf

import (
	"bytes"
	"image"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
)

func open(t testing.TB, x *build.File) *File {
	t.Helper()
	f, err := Open(x.Write())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// decode returns a picture, and makes sure that no more than it stays reserved.
func decode(t testing.TB, x *build.File, at At) *image.NRGBA {
	t.Helper()
	b := limit.NewBudget(limit.Limits{})
	im, err := open(t, x).Image(at, b)
	if err != nil {
		t.Fatal(err)
	}
	if b.Reserved() != int64(len(im.Pix)) {
		t.Errorf("%d bytes are reserved for %d", b.Reserved(), len(im.Pix))
	}
	return im
}

// numbered fills an I8 texture: every pixel of an image is 50 mip + 10 frame + 3 face + slice.
func numbered(width, height int) func(mip, frame, face, slice int) []byte {
	return func(mip, frame, face, slice int) []byte {
		return bytes.Repeat([]byte{byte(50*mip + 10*frame + 3*face + slice)}, max(width>>mip, 1)*max(height>>mip, 1))
	}
}

// of returns a texture of one picture.
func of(format build.Format, width, height int, stored []byte) *build.File {
	return &build.File{Minor: 5, Width: width, Height: height, Format: format, Slice: func(int, int, int, int) []byte { return stored }}
}

// picture is colourful, with soft and hard edges and all of alpha.
func picture(width, height int) *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			p := im.Pix[im.PixOffset(x, y):]
			p[0], p[1], p[2], p[3] = uint8(255*x/max(width-1, 1)), uint8(255*y/max(height-1, 1)), uint8(128+64*(x/4%2)),
				uint8(255*(x+y)/max(width+height-2, 1))
		}
	}
	return im
}

// mips returns the pictures of a texture: those of a mip are darker, and frames, faces and slices differ in blue.
func mips(width, height int, format build.Format) func(mip, frame, face, slice int) []byte {
	return func(mip, frame, face, slice int) []byte {
		return build.Encode(variation(width, height, mip, frame, face, slice), format)
	}
}

func variation(width, height, mip, frame, face, slice int) *image.NRGBA {
	im := picture(max(width>>mip, 1), max(height>>mip, 1))
	for i := 0; i < len(im.Pix); i += 4 {
		im.Pix[i] /= uint8(mip + 1)
		im.Pix[i+2] += uint8(7*frame + 3*face + slice)
	}
	return im
}
