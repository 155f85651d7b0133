// Package vtf writes Valve's texture files, for tests and for the materials of the showcase map.
//
// A file is a header, a thumbnail of at most 16 pixels per side in DXT1, and the mips of the image from the smallest to the
// largest, each as all its frames. Until version 7.2 the two follow the header; from 7.3 on a table of resources
// says where they are.
package vtf

import (
	"encoding/binary"
	"image"
	"math"
)

// Format is how pixels are stored: the number that the file has for it.
type Format int32

// The formats that can be written.
const (
	BGR888   Format = 3
	I8       Format = 5
	BGRA8888 Format = 12
	DXT1     Format = 13
	DXT5     Format = 15
)

// Flags of a texture.
const (
	ClampS        = 0x4
	ClampT        = 0x8
	Normal        = 0x80
	NoMip         = 0x100
	OneBitAlpha   = 0x1000
	EightBitAlpha = 0x2000
	SSBump        = 0x8000000
)

// Texture is a texture before it is written. Images are its frames, all of one size.
type Texture struct {
	Minor  int // version 7.Minor, 2 to 5
	Format Format
	Flags  uint32
	Mips   bool
	Images []*image.NRGBA
}

// Write returns the file. The same texture gives the same bytes.
func (t *Texture) Write() []byte {
	size := t.Images[0].Bounds().Size()
	levels := [][]*image.NRGBA{t.Images}
	for t.Mips && (levels[0][0].Rect.Dx() > 1 || levels[0][0].Rect.Dy() > 1) {
		var next []*image.NRGBA
		for _, m := range levels[0] {
			next = append(next, Half(m))
		}
		levels = append([][]*image.NRGBA{next}, levels...)
	}
	thumb := t.Images[0]
	for max(thumb.Rect.Dx(), thumb.Rect.Dy()) > 16 {
		thumb = Half(thumb)
	}
	small := encode(thumb, DXT1)
	var pixels []byte
	for _, level := range levels {
		for _, m := range level {
			pixels = append(pixels, encode(m, t.Format)...)
		}
	}

	header := 80
	if t.Minor >= 3 {
		header += 2 * 8
	}
	b := make([]byte, header)
	le := binary.LittleEndian
	copy(b, "VTF\x00")
	le.PutUint32(b[4:], 7)
	le.PutUint32(b[8:], uint32(t.Minor))
	le.PutUint32(b[12:], uint32(header))
	le.PutUint16(b[16:], uint16(size.X))
	le.PutUint16(b[18:], uint16(size.Y))
	le.PutUint32(b[20:], t.Flags)
	le.PutUint16(b[24:], uint16(len(t.Images)))
	for i, c := range reflectivity(t.Images[0]) {
		le.PutUint32(b[32+4*i:], math.Float32bits(c))
	}
	le.PutUint32(b[48:], math.Float32bits(1))
	le.PutUint32(b[52:], uint32(t.Format))
	b[56] = uint8(len(levels))
	le.PutUint32(b[57:], uint32(DXT1))
	b[61], b[62] = uint8(thumb.Rect.Dx()), uint8(thumb.Rect.Dy())
	le.PutUint16(b[63:], 1)
	if t.Minor >= 3 {
		le.PutUint32(b[68:], 2)
		b[80] = 0x01
		le.PutUint32(b[84:], uint32(header))
		b[88] = 0x30
		le.PutUint32(b[92:], uint32(header+len(small)))
	}
	return append(append(b, small...), pixels...)
}

// Half returns the image at half the size: each pixel is the mean of four.
func Half(m *image.NRGBA) *image.NRGBA {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, max(w/2, 1), max(h/2, 1)))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			for k := range 4 {
				sum := 0
				for _, d := range [4][2]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
					sum += int(m.Pix[m.PixOffset(min(2*x+d[0], w-1), min(2*y+d[1], h-1))+k])
				}
				out.Pix[out.PixOffset(x, y)+k] = uint8((sum + 2) / 4)
			}
		}
	}
	return out
}

// reflectivity returns the mean colour, linear.
func reflectivity(m *image.NRGBA) (mean [3]float32) {
	var sum [3]float64
	for i, c := range m.Pix {
		if i%4 < 3 {
			sum[i%4] += math.Pow(float64(c)/255, 2.2)
		}
	}
	for k := range mean {
		mean[k] = float32(sum[k] / float64(len(m.Pix)/4))
	}
	return mean
}

func encode(m *image.NRGBA, f Format) (b []byte) {
	switch f {
	case DXT1:
		return blocks(m, false)
	case DXT5:
		return blocks(m, true)
	}
	for i := 0; i < len(m.Pix); i += 4 {
		p := m.Pix[i : i+4]
		switch f {
		case BGR888:
			b = append(b, p[2], p[1], p[0])
		case I8:
			b = append(b, uint8((2*int(p[0])+5*int(p[1])+int(p[2])+4)/8))
		case BGRA8888:
			b = append(b, p[2], p[1], p[0], p[3])
		}
	}
	return b
}
