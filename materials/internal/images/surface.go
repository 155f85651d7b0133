package images

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"io"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// Surface is the picture that one of Source's shaders makes of several textures. The glow is a second picture.
type Surface struct {
	Base    Source
	Second  Source // what the base is mixed with before all else; without a file there is nothing
	Among   Source // the mask of that mixing; without a file there is none
	Over    Source // the detail texture; without a file there is none
	Mask    Source // where it glows; without a file the base's alpha says that
	ByAlpha bool   // the mask's alpha counts, not its colours
	// Span is the number of periods of the base, Second and Mask in the picture, to which the matrices of Pair and Paint apply; 0 means 1.
	Span  int
	Pair  paint.Pair
	Paint paint.Surface
}

// SurfaceOf returns a surface that makes the same picture as a work. It returns false if the work is not a texture as it is, or
// a surface.
func SurfaceOf(w Work) (Surface, bool) {
	switch x := w.(type) {
	case Surface:
		return x, true
	case Texture:
		s := Surface{Base: Source{x.File, x.Form.Frame},
			Paint: paint.Surface{Tint: [3]float32{1, 1, 1}, Light: [3]float32{1, 1, 1}, Opacity: 1}}
		return s, x.Form == Form{Frame: x.Form.Frame}
	case File:
		return SurfaceOf(Texture{File: string(x)})
	}
	return Surface{}, false
}

// sources returns the surface's textures, the base first. Some may have no file.
func (s *Surface) sources() []Source { return []Source{s.Base, s.Second, s.Among, s.Over, s.Mask} }

// Source is a texture and its frame.
type Source struct {
	File  string
	Frame int
}

// Key returns the surface itself, so that no field can be forgotten.
func (s Surface) Key() any { return s }

// Reads returns the files of the textures.
func (s Surface) Reads() (files []string) {
	for _, x := range s.sources() {
		if x.File != "" && !slices.Contains(files, x.File) {
			files = append(files, x.File)
		}
	}
	return files
}

func (s Surface) identify(w io.Writer) { fmt.Fprintf(w, "%#v", s) }

func (s Surface) room(mk *Maker, _ *Task) int64 { return 2 * mk.roomOf(s) }

// draw makes the pictures. A broken detail or mask is ignored.
func (s Surface) draw(ctx context.Context, mk *Maker, t *Task, m *Made) error {
	most := mk.o.Output.MaxSize
	if s.Over.File != "" {
		most = 0 // the detail may need a larger picture, which is then scaled
	}
	if s.Pair.Most > 0 && (most == 0 || s.Pair.Most < most) {
		most = s.Pair.Most
	}
	if s.Span > 1 {
		most = min(cmp.Or(most, paint.DetailMost), paint.DetailMost/s.Span)
	}
	decoded, read := map[Source]*Texels{}, map[string]bool{}
	defer func() {
		for _, x := range decoded {
			x.Release()
		}
	}()
	for _, x := range s.sources() {
		if x.File == "" || decoded[x] != nil {
			continue
		}
		if read[x.File] { // another frame of a file that the task has announced once
			mk.unread([]string{x.File})
		}
		read[x.File] = true
		tx, err := mk.decode(x.File, x.Frame, most)
		if err != nil {
			if err := m.broken(x.File, err); err != nil || x == s.Base {
				return err
			}
			continue
		}
		if decoded[x] = tx; x == s.Base {
			m.readTexture(x.File, tx)
		} else {
			m.Files = append(m.Files, x.File)
		}
	}
	return s.paint(ctx, mk, t, m, decoded)
}

// paint draws the decoded textures.
func (s Surface) paint(ctx context.Context, mk *Maker, t *Task, m *Made, decoded map[Source]*Texels) error {
	p := s.Paint
	of := func(x Source) *image.NRGBA {
		if tx := decoded[x]; tx != nil {
			return tx.Im
		}
		return nil
	}
	base, over, mask := paint.Tiled(of(s.Base), s.Span), of(s.Over), paint.Tiled(of(s.Mask), s.Span)
	if mask == nil && s.Mask.File != "" {
		p.Glow = 0
	}
	if second := paint.Tiled(of(s.Second), s.Span); second != nil {
		mixed, err := s.mix(ctx, mk, base, second, of(s.Among))
		if err != nil {
			return m.broken(t.Name, err)
		}
		base = mixed
	}
	b := paint.Brush{Width: base.Rect.Dx(), Height: base.Rect.Dy(), UV: pbr.Identity}
	if over != nil {
		b = paint.Spread(&p.Detail, base, over)
	}
	if err := mk.budget.Pixels(b.Width, b.Height); err != nil {
		return m.broken(t.Name, err)
	}
	size := int64(4*b.Width*b.Height) * 5 // the pictures and the resized textures
	if err := mk.budget.Reserve(size); err != nil {
		return err
	}
	defer mk.budget.Release(size)
	if mask != nil {
		if mask = picture.Resize(mask, b.Width, b.Height); s.ByAlpha {
			mask = alphaOf(mask)
		}
	}
	lit, glow, err := p.Draw(ctx, &b, base, over, mask)
	if err != nil {
		return err
	}
	if err := mk.encode(m, t.Name, lit, t.Alpha == Shown && !lit.Opaque()); err != nil || glow == nil || paint.Black(glow) {
		return err
	}
	return mk.encode(m, t.Name+"_glow", glow, false)
}

// alphaOf returns the alpha of a picture as a grey picture.
func alphaOf(im *image.NRGBA) *image.NRGBA {
	out := image.NewNRGBA(im.Rect)
	for i := 0; i+3 < len(im.Pix); i += 4 {
		a := im.Pix[i+3]
		copy(out.Pix[i:], []byte{a, a, a, 255})
	}
	return out
}

// mix mixes the base with the second texture.
func (s Surface) mix(ctx context.Context, mk *Maker, base, second, mask *image.NRGBA) (*image.NRGBA, error) {
	b := s.Pair.Spread(base, second, mask)
	if err := mk.budget.Pixels(b.Width, b.Height); err != nil {
		return nil, err
	}
	size := int64(4*b.Width*b.Height) * 5 // the picture and the resized textures
	if err := mk.budget.Reserve(size); err != nil {
		return nil, err
	}
	defer mk.budget.Release(size)
	return s.Pair.Draw(ctx, &b, base, second, mask)
}
