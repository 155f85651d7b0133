package materials

import (
	"fmt"
	"image"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// makeTexture makes an image of a texture.
func (mk *maker) makeTexture(m *made, j *job, b *limit.Budget) error {
	t, err := mk.decode(j.file, j.form.frame, mk.o.MaxSize, b)
	if err != nil {
		return m.broken(j.file, err)
	}
	defer t.release()
	m.files = append(m.files, j.file)
	m.clamp = t.clamp
	if t.cut != "" {
		m.issues = append(m.issues, world.Issue{Code: "image-cut", Where: j.file, Detail: t.cut})
	}
	var mask *image.NRGBA
	if j.form.mask != "" && j.form.mask != j.file {
		most := max(t.im.Rect.Dx(), t.im.Rect.Dy())
		other, err := mk.decode(j.form.mask, 0, most, b)
		if err != nil {
			return m.broken(j.form.mask, err)
		}
		defer other.release()
		m.files = append(m.files, j.form.mask)
		mask = picture.Resize(other.im, t.im.Rect.Dx(), t.im.Rect.Dy())
	}
	switch j.form.pixels {
	case normal:
		toNormals(t.im, t.bump || j.form.bump, true)
	case glow:
		shine(t.im, mask)
	case tinted:
		paintTint(t.im, j.form.tint, j.form.over)
	case pane:
		paintPane(t.im, j.form.over)
	case passed:
		paintPassed(t.im, j.form.over)
	default:
		change(j.form.pixels, t.im)
	}
	return mk.encode(m, j.name, t.im, j.alpha && !t.im.Opaque())
}

// texels is a decoded texture. Its memory is reserved until release.
type texels struct {
	im      *image.NRGBA
	clamp   bool
	bump    bool   // it holds the light of three directions
	cut     string // says that the file was cut short
	release func()
}

// decode reads a texture at the largest size of its own that is at most most, or at any where most is 0.
func (mk *maker) decode(file string, frame, most int, b *limit.Budget) (*texels, error) {
	data, err := mk.read(file, b)
	if err != nil {
		return nil, err
	}
	if !isVTF(file) {
		im, _, err := picture.Decode(data, file, b)
		if err != nil {
			return nil, err
		}
		return reserved(&texels{im: im}, len(im.Pix), b)
	}
	return decodeVTF(data, frame, most, b)
}

func reserved(t *texels, n int, b *limit.Budget) (*texels, error) {
	if err := b.Reserve(int64(n)); err != nil {
		return nil, err
	}
	t.release = func() { b.Release(int64(n)) }
	return t, nil
}

// decodeVTF decodes a picture of a texture, the first where it has no such frame.
func decodeVTF(data []byte, frame, most int, b *limit.Budget) (*texels, error) {
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
	t := &texels{im: im, clamp: f.Flags&vtf.ClampS != 0 && f.Flags&vtf.ClampT != 0, bump: f.Flags&vtf.SSBump != 0}
	t.release = func() { b.Release(int64(len(im.Pix))) }
	if mip > 0 {
		if wider, higher := f.Size(mip - 1); most == 0 || max(wider, higher) <= most {
			t.cut = cutShort(f, mip)
		}
	}
	return t, nil
}

// cutShort says that a mip is the largest that a texture's file holds.
func cutShort(f *vtf.File, mip int) string {
	width, height := f.Size(mip)
	return fmt.Sprintf("the file is cut short: %d x %d is the largest that it holds of %d x %d", width, height, f.Width, f.Height)
}
