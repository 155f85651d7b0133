package paint

import (
	"encoding/binary"
	"image"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Table returns the pixel for every index: red in the lowest byte, alpha in the highest. An index without a colour is
// black.
func Table(palette [][3]uint8, hole, gradient bool) (t [256]uint32) {
	for i := range t {
		if i < len(palette) {
			c := palette[i]
			t[i] = uint32(c[0]) | uint32(c[1])<<8 | uint32(c[2])<<16
		}
		t[i] |= 255 << 24
	}
	if gradient {
		last := t[max(len(palette), 1)-1] &^ (255 << 24)
		for i := range t {
			t[i] = last | uint32(i)<<24
		}
	}
	if hole {
		t[255] = 0
	}
	return t
}

// Paint makes an image of a texture's palette indices.
func Paint(t *world.Texture, colours *[256]uint32) *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, t.Width, t.Height))
	for i, p := range t.Pixels {
		binary.LittleEndian.PutUint32(im.Pix[4*i:], colours[p])
	}
	return im
}

// Cloud returns the right half of an image with the left half drawn over it, except where the left half's index is 0.
func Cloud(im *image.NRGBA, indices []byte) *image.NRGBA {
	w, h := im.Rect.Dx(), im.Rect.Dy()
	half := w / 2
	out := image.NewNRGBA(image.Rect(0, 0, half, h))
	for y := range h {
		for x := range half {
			from := y*w + x
			if indices[from] == 0 {
				from += half
			}
			copy(out.Pix[4*(y*half+x):], im.Pix[4*from:4*from+4])
		}
	}
	return out
}

// Greys replaces a missing palette.
var Greys = func() [][3]uint8 {
	c := make([][3]uint8, 256)
	for i := range c {
		c[i] = [3]uint8{uint8(i), uint8(i), uint8(i)}
	}
	return c
}()

// FirstShining is the first fullbright colour of Quake's palette: light does not affect 224 to 255. The palettes of
// Half-Life and Quake II have none.
const FirstShining = 224
