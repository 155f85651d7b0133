package vtf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/woozymasta/bcn"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Kind is how a picture's numbers encode light. The file doesn't determine it: the material's parameter that names
// the texture does.
type Kind int

// The kinds. Source SDK 2013, materialsystem/stdshaders/sky_hdr_dx9.cpp.
const (
	ByFormat Kind = iota // as the file's format says: Floats, Integers, or 8-bit sRGB
	RGBS                 // $hdrcompressedtexture: 8 bits, colour times alpha times 8
	Integers             // $hdrbasetexture in RGBA16161616: 4096 means 1; the engine multiplies it by 16 for display
	Floats               // $hdrbasetexture in half floats, floats and BC6H: linear light as stored
)

func (k Kind) String() string {
	return [...]string{"as its format says", "RGBS", "integers", "floats"}[k]
}

// brightest is the largest finite half float. Most pictures of light are stored in halfs.
const brightest = 65504

// The bits of 32-bit floats.
const (
	infinity      = 0x7f800000
	brightestBits = 0x477fe000
)

// Light returns a picture as linear light, row by row from the top, three numbers per pixel (red, green, blue):
// finite, from 0 to 65504, where 1 is white. The pixels count against b, and the bytes of the result (12 a pixel)
// stay reserved in it. It fails as Image does, and with errors.ErrUnsupported if the format can't hold this kind.
func (f *File) Light(at At, kind Kind, b *limit.Budget) ([]float32, error) {
	if kind != ByFormat && kind != f.kind() {
		return nil, fmt.Errorf("vtf: format %s holds no light as %s: %w", f.Format, kind, errors.ErrUnsupported)
	}
	if !f.isLight() {
		return f.lightOf8(at, kind, b)
	}
	src, release, err := f.raw(at, b)
	if err != nil {
		return nil, err
	}
	defer release()
	w, h := f.Size(at.Mip)
	if err := b.Pixels(w, h); err != nil {
		return nil, fmt.Errorf("vtf: %w", err)
	}
	light, err := reserveLight(w*h, b)
	if err != nil {
		return nil, err
	}
	out := light
	err = eachRow(f, src, w, h, b, func(_ int, row []float32) {
		for ; len(row) >= 4; row, out = row[4:], out[3:] {
			out[0], out[1], out[2] = row[0], row[1], row[2]
		}
	})
	if err != nil {
		b.Release(4 * int64(len(light)))
		return nil, err
	}
	return light, nil
}

// kind returns how the file's format encodes light.
func (f *File) kind() Kind {
	switch {
	case !f.isLight():
		return RGBS
	case f.stored.format.number == integers || f.stored.format.number == 51:
		return Integers
	}
	return Floats
}

func reserveLight(pixels int, b *limit.Budget) ([]float32, error) {
	if err := b.Reserve(12 * int64(pixels)); err != nil {
		return nil, fmt.Errorf("vtf: %w", err)
	}
	return make([]float32, 3*pixels), nil
}

// lightOf8 returns the light of a picture of 8 bits a channel.
func (f *File) lightOf8(at At, kind Kind, b *limit.Budget) ([]float32, error) {
	im, err := f.Image(at, b)
	if err != nil {
		return nil, err
	}
	defer b.Release(int64(len(im.Pix)))
	light, err := reserveLight(len(im.Pix)/4, b)
	if err != nil {
		return nil, err
	}
	linear, out := gamma.Linear8(), light
	for pix := im.Pix; len(pix) >= 4; pix, out = pix[4:], out[3:] {
		for k := range 3 {
			if out[k] = linear[pix[k]]; kind == RGBS {
				out[k] = float32(8*int(pix[k])*int(pix[3])) / (255 * 255)
			}
		}
	}
	return light, nil
}

// eachRow calls do with each row of light, four numbers a pixel: linear red, green, blue, and alpha.
func eachRow(f *File, src []byte, width, height int, b *limit.Budget, do func(y int, row []float32)) error {
	row := make([]float32, 4*width)
	if f.stored.format.light != nil {
		n := width * f.stored.format.size
		for y := range height {
			f.stored.format.light(row, src[y*n:][:n])
			do(y, row)
		}
		return nil
	}
	band := 6 * int64(width) * 4 // half floats, of a row of blocks
	if err := b.Reserve(band); err != nil {
		return fmt.Errorf("vtf: %w", err)
	}
	defer b.Release(band)
	n := (width + 3) / 4 * f.stored.format.size
	table := halfTable()
	for y := 0; y < height; y += 4 {
		down := min(4, height-y)
		light, err := bcn.DecodeBC6HWithOptions(src[y/4*n:][:n], width, down, f.stored.format.bcn == bcn.FormatBC6HS, &singleWorker)
		if err != nil {
			return fmt.Errorf("vtf: %w: %w", limit.ErrInternal, err)
		}
		for i := range down {
			for x := range width {
				for k := range 3 {
					row[4*x+k] = table[light[3*(i*width+x)+k]]
				}
				row[4*x+3] = 1
			}
			do(y+i, row)
		}
	}
	return nil
}

// integers16 converts 16-bit pixels to light. 4096 means 1 for colours, 65535 for alpha.
func integers16(row []float32, src []byte) {
	for ; len(row) >= 4 && len(src) >= 8; row, src = row[4:], src[8:] {
		v := binary.LittleEndian.Uint64(src)
		row[0], row[1], row[2], row[3] = float32(v&0xffff)*16/65535, float32(v>>16&0xffff)*16/65535, float32(v>>32&0xffff)*16/65535,
			float32(v>>48)/65535
	}
}

// halfs returns a function that reads pixels of count half floats. Missing colours are 0, and missing alpha is 1.
func halfs(count int) func(row []float32, src []byte) {
	return func(row []float32, src []byte) {
		table := halfTable()
		for ; len(row) >= 4 && len(src) >= 2*count; row, src = row[4:], src[2*count:] {
			row[0], row[1], row[2], row[3] = 0, 0, 0, 1
			for k := range count {
				row[k] = table[binary.LittleEndian.Uint16(src[2*k:])]
			}
		}
	}
}

// floats returns a function that reads pixels of count 32-bit floats, with the defaults of halfs.
func floats(count int) func(row []float32, src []byte) {
	return func(row []float32, src []byte) {
		for ; len(row) >= 4 && len(src) >= 4*count; row, src = row[4:], src[4*count:] {
			row[0], row[1], row[2], row[3] = 0, 0, 0, 1
			for k := range count {
				// As integers, positive floats sort by value; NaN and negative floats sort after infinity.
				switch v := binary.LittleEndian.Uint32(src[4*k:]); {
				case v > infinity:
					row[k] = 0
				default:
					row[k] = math.Float32frombits(min(v, brightestBits))
				}
			}
		}
	}
}

// halfTable holds the values of all half floats. A table is faster than branches on noisy data.
var halfTable = sync.OnceValue(func() *[1 << 16]float32 {
	var t [1 << 16]float32
	for v := range t {
		t[v] = half(uint16(v))
	}
	return &t
})

// half returns the value of a half float, made finite and not negative: NaN and negative become 0, infinity becomes
// brightest.
func half(v uint16) float32 {
	exponent, mantissa := v>>10, v&1023
	switch {
	case exponent >= 32 || exponent == 31 && mantissa != 0:
		return 0
	case exponent == 31:
		return brightest
	case exponent == 0:
		return float32(mantissa) / (1 << 24)
	}
	return math.Float32frombits(uint32(v)<<13 + (127-15)<<23)
}
