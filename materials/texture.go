package materials

import (
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// form is what is made of a texture.
type form struct {
	frame  int
	pixels pixels
	bump   bool       // of a normal map: it holds the light of three directions, whatever the file says
	mask   string     // of a glow: the file that says where; its own alpha where it is the same file
	tint   [3]float32 // linear, of tinted pixels
	over   float32    // how much of them is the tint alone, 0 to 1; of panes, the opacity
}

// textureEnds are how the files of textures end: on a PC, an Xbox 360 (as in the archive of v20be_x360_shack.360), a
// PlayStation 3 and the first Xbox (sourcepp). Materials leave them out.
var textureEnds = []string{".vtf", ".360.vtf", ".ps3.vtf", ".xtf"}

// texture returns the file of a texture that a material names, or "": that of a PC before those of consoles, and these
// before pictures, of those who convert their textures.
func (ld *loader) texture(name string) string {
	if name == "" {
		return ""
	}
	file, ok := ld.textures[name]
	if ok {
		return file
	}
	if i := slices.IndexFunc(textureEnds, func(end string) bool { return ld.exists(name + end) }); i >= 0 {
		file = name + textureEnds[i]
	} else {
		file = ld.find(name)
	}
	ld.textures[name] = file
	return file
}

// useTexture asks for a texture in a form.
func (ld *loader) useTexture(file string, f form, alpha bool, u user) {
	if !isVTF(file) && f == (form{}) {
		ld.use(file, alpha, u)
		return
	}
	name := imageName(file)
	if f.frame > 0 {
		name = fmt.Sprintf("%s_frame%d", name, f.frame)
	}
	if end := "_" + f.pixels.String(); f.pixels != asStored && !strings.HasSuffix(name, end) {
		name += end
	}
	j := ld.job(fmt.Sprintf("texture %q %d %d %t %q %g %g", file, f.frame, f.pixels, f.bump, f.mask, f.tint, f.over), func() job {
		return job{file: file, name: name, form: &f}
	})
	j.alpha = j.alpha || alpha
	j.users = append(j.users, u)
}

// imageName is what the image of a file is called.
func imageName(file string) string { return strings.TrimPrefix(stem(file), "materials/") }

func isVTF(file string) bool { return path.Ext(file) == ".vtf" || path.Ext(file) == ".xtf" }

// makeTexture makes an image of a texture.
func (ld *loader) makeTexture(m *made, j *job, b *limit.Budget) error {
	t, err := ld.decode(j.file, j.form.frame, ld.o.MaxSize, b)
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
		other, err := ld.decode(j.form.mask, 0, most, b)
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
		j.form.pixels.change(t.im)
	}
	return ld.encode(m, j.name, t.im, j.alpha && !t.im.Opaque())
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
func (ld *loader) decode(file string, frame, most int, b *limit.Budget) (*texels, error) {
	data, err := ld.read(file, b)
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

// vtfSize returns the size of a texture from its header, or an error where it is none.
func vtfSize(files fs.FS, file string) (width, height int, err error) {
	r, err := files.Open(file)
	if err != nil {
		return 0, 0, err
	}
	defer r.Close()
	head := make([]byte, vtf.Header)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, 0, err
	}
	f, err := vtf.Open(head[:n])
	if err != nil {
		return 0, 0, err
	}
	return f.Width, f.Height, nil
}
