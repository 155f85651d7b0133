package vtf

import (
	"fmt"
	"image"
	"sync"

	"github.com/woozymasta/bcn"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Image decodes a picture: sRGB as stored, row 0 at the top. Light of 16 or more bits a channel is converted to sRGB
// and clipped at white. The pixels count against b, and the bytes of the result stay reserved in it. It fails with
// limit.ErrCorrupt if the file has no such picture or ends before it, and with limit.ErrLimit if b is exceeded.
func (f *File) Image(at At, b *limit.Budget) (*image.NRGBA, error) {
	src, release, err := f.raw(at, b)
	if err != nil {
		return nil, err
	}
	defer release()
	w, h := f.Size(at.Mip)
	if err := b.Pixels(w, h); err != nil {
		return nil, fmt.Errorf("vtf: %w", err)
	}
	if err := b.Reserve(4 * int64(w) * int64(h)); err != nil {
		return nil, fmt.Errorf("vtf: %w", err)
	}
	im := image.NewNRGBA(image.Rect(0, 0, w, h))
	if err := f.decodeInto(im, src, at.Frame, b); err != nil {
		b.Release(int64(len(im.Pix)))
		return nil, err
	}
	return im, nil
}

// decodeInto decodes the stored bytes of a picture into im.
func (f *File) decodeInto(im *image.NRGBA, src []byte, frame int, b *limit.Budget) error {
	w, h := im.Rect.Dx(), im.Rect.Dy()
	switch {
	case f.stored.format.palette:
		at := f.stored.colours + int64(frame)*paletteSize
		if at+paletteSize > int64(len(f.stored.data)) {
			return corrupt("the palette of frame %d ends at byte %d of %d", frame, at+paletteSize, len(f.stored.data))
		}
		indexed(im.Pix, src, f.stored.data[at:])
	case f.stored.format.row != nil:
		f.stored.format.row(im.Pix, src)
	case f.isLight():
		return eachRow(f, src, w, h, b, func(y int, row []float32) { toSRGB(im.Pix[y*im.Stride:], row) })
	default:
		return f.stored.format.decodeBlocks(im.Pix, src, w, h)
	}
	return nil
}

// isLight reports whether a format stores linear light.
func (f *File) isLight() bool {
	return f.stored.format.light != nil || f.stored.format.bcn == bcn.FormatBC6HU || f.stored.format.bcn == bcn.FormatBC6HS
}

// toSRGB converts a row of light to 8-bit sRGB, clipped at white.
func toSRGB(pix []byte, row []float32) {
	table := sRGB()
	for ; len(row) >= 4; row, pix = row[4:], pix[4:] {
		for k := range 3 {
			pix[k] = table[int(float32(min(row[k], 1)*(steps-1))+0.5)]
		}
		pix[3] = uint8(float32(min(row[3], 1)*255) + 0.5)
	}
}

// steps is the size of the table: so fine that every 8-bit value has an entry, as the narrowest covers 1/3295.
const steps = 1 << 14

// sRGB holds the 8-bit sRGB value of each of steps levels of linear light from 0 to 1.
var sRGB = sync.OnceValue(func() *[steps]uint8 {
	var t [steps]uint8
	for i := range t {
		t[i] = uint8(float64(gamma.Encode(float64(i)/(steps-1))*255) + 0.5)
	}
	return &t
})
