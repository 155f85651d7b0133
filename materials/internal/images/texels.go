package images

import (
	"fmt"
	"image"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Texels is a decoded texture. Its memory is reserved until release.
type Texels struct {
	Im      *image.NRGBA
	clamp   bool
	nearest bool
	Bump    bool   // the texture holds the light of three directions
	cut     string // the message if the file was truncated
	Release func()
}

// decode reads a texture at its largest stored size of at most most pixels per side; with most 0, at its largest.
func (mk *Maker) decode(file string, frame, most int) (*Texels, error) {
	data, err := mk.read(file)
	if err != nil {
		return nil, err
	}
	if !lookup.IsVTF(file) {
		im, _, err := picture.Decode(data, file, mk.budget)
		if err != nil {
			return nil, err
		}
		return Reserved(&Texels{Im: im}, len(im.Pix), mk.budget)
	}
	return DecodeVTF(data, frame, most, mk.budget)
}

// Reserved returns t with n bytes of memory reserved for it.
func Reserved(t *Texels, n int, b *limit.Budget) (*Texels, error) {
	if err := b.Reserve(int64(n)); err != nil {
		return nil, err
	}
	t.Release = func() { b.Release(int64(n)) }
	return t, nil
}

// DecodeVTF decodes a frame of a texture, or the first frame if there is no such frame.
func DecodeVTF(data []byte, frame, most int, b *limit.Budget) (*Texels, error) {
	f, err := vtf.Open(data)
	if err != nil {
		return nil, err
	}
	if frame >= f.Frames {
		frame = 0
	}
	mip, err := f.Fit(frame, 0, most)
	if err != nil {
		return nil, err
	}
	im, err := f.Image(vtf.At{Frame: frame, Mip: mip}, b)
	if err != nil {
		return nil, err
	}
	t := &Texels{Im: im, clamp: f.Flags&vtf.ClampS != 0 && f.Flags&vtf.ClampT != 0, nearest: f.Flags&vtf.PointSample != 0,
		Bump: f.Flags&vtf.SSBump != 0}
	t.Release = func() { b.Release(int64(len(im.Pix))) }
	if mip > 0 {
		if wider, higher := f.Size(mip - 1); most == 0 || max(wider, higher) <= most {
			t.cut = CutShort(f, mip)
		}
	}
	return t, nil
}

// CutShort returns the message that mip is the largest that a truncated texture holds.
func CutShort(f *vtf.File, mip int) string {
	width, height := f.Size(mip)
	return fmt.Sprintf("incomplete: %d x %d is the largest that it holds of %d x %d", width, height, f.Width, f.Height)
}

// readTexture records a texture that the image is made from.
func (m *Made) readTexture(file string, t *Texels) {
	m.Files = append(m.Files, file)
	m.Clamp, m.Nearest = t.clamp, t.nearest
	if t.cut != "" {
		m.Issues = append(m.Issues, world.Issue{Code: "image-cut", Where: file, Detail: t.cut})
	}
}
