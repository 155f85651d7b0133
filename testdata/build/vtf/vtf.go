// Package vtf writes Valve's texture files, for tests and for the materials of the showcase map.
//
// A file is a header, a thumbnail of at most 16 pixels per side in DXT1, and the mips of the image from the smallest to the
// largest, each as all its frames. Until version 7.2 the two follow the header; from 7.3 on a table of resources
// says where they are.
package vtf

import (
	"image"
	"math"
)

// Flags of a texture.
const (
	ClampS        = 0x4
	ClampT        = 0x8
	Normal        = 0x80
	NoMip         = 0x100
	OneBitAlpha   = 0x1000
	EightBitAlpha = 0x2000
	EnvMap        = 0x4000
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
	for last := levels[0][0]; t.Mips && (last.Rect.Dx() > 1 || last.Rect.Dy() > 1); last = levels[len(levels)-1][0] {
		var next []*image.NRGBA
		for _, m := range levels[len(levels)-1] {
			next = append(next, Half(m))
		}
		levels = append(levels, next)
	}
	thumb := t.Images[0]
	for max(thumb.Rect.Dx(), thumb.Rect.Dy()) > 16 {
		thumb = Half(thumb)
	}
	f := File{
		Minor: t.Minor, Format: t.Format, Flags: t.Flags, Width: size.X, Height: size.Y, Frames: len(t.Images), Mips: len(levels),
		Reflectivity: reflectivity(t.Images[0]), Thumbnail: Encode(thumb, DXT1), ThumbnailSize: [2]int{thumb.Rect.Dx(), thumb.Rect.Dy()},
		Slice: func(mip, frame, _, _ int) []byte { return Encode(levels[mip][frame], t.Format) },
	}
	return f.Write()
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
