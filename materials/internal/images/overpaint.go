package images

import (
	"context"
	"fmt"
	"image"
	"io"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
)

// Overpaint is the image of a texture with another drawn over it, in the first one's coordinates.
type Overpaint struct {
	Base  string // a file
	Form  Form   // of the base
	Over  string // a file, or "" if only the base is changed
	Frame int    // of Over
	Mix   paint.Mix
	Span  int // how often the base is repeated in the image, to which Mix.UV applies; 0 means once
}

// Painted returns p over the texture that is the image of base. It returns false if base is no texture.
func Painted(base Work, p Overpaint) (Overpaint, bool) {
	switch x := base.(type) {
	case File:
		p.Base, p.Form = string(x), Form{}
	case Texture:
		p.Base, p.Form = x.File, x.Form
	default:
		return p, false
	}
	return p, true
}

// Key returns the paint itself, so that no field can be forgotten.
func (p Overpaint) Key() any { return p }

// Reads returns the files of the textures.
func (p Overpaint) Reads() []string {
	list := []string{p.Base}
	if p.Over != "" && p.Over != p.Base {
		list = append(list, p.Over)
	}
	return list
}

func (p Overpaint) identify(w io.Writer) { fmt.Fprintf(w, "%#v", p) }

func (p Overpaint) room(mk *Maker, _ *Task) int64 { return mk.roomOf(p) }

// softMask is the mean width of a mask's transition, in vertex alpha, from which a layer is shown by its opacity alone:
// with the mask a texel is either visible or not, and a gradual transition would become abrupt.
const softMask = 0.3

func (p Overpaint) draw(ctx context.Context, mk *Maker, t *Task, m *Made) error {
	most := 0
	if p.Span > 1 {
		most = paint.DetailMost / p.Span
	}
	base, err := mk.decode(p.Base, p.Form.Frame, most)
	if err != nil {
		return m.broken(p.Base, err)
	}
	defer base.Release()
	m.readTexture(p.Base, base)
	var over *image.NRGBA
	switch {
	case p.Over == p.Base:
		over = base.Im
	case p.Over != "":
		second, err := mk.decode(p.Over, p.Frame, 0)
		if err != nil { // the base is shown without the overlay
			if err := m.broken(p.Over, err); err != nil {
				return err
			}
			break
		}
		defer second.Release()
		over = second.Im
		m.Files = append(m.Files, p.Over)
	}
	base.Im = paint.Tiled(base.Im, p.Span)
	im := base.Im
	m.Soft = p.Mix.Mode == paint.Covered && (over == nil || paint.MeanColor(over, false)[0] > softMask)
	if (over != nil || p.Over == "") && !m.Soft {
		c := paint.Spread(&p.Mix, base.Im, over)
		if err := mk.budget.Pixels(c.Width, c.Height); err != nil {
			return m.broken(t.Name, err)
		}
		size := int64(4*c.Width*c.Height) * 3 // including both resized textures
		if err := mk.budget.Reserve(size); err != nil {
			return err
		}
		defer mk.budget.Release(size)
		if im, err = c.Draw(ctx, &p.Mix, base.Im, over); err != nil {
			return err
		}
	}
	paint.Change(p.Form.Pixels, im)
	return mk.encode(m, t.Name, im, t.Alpha == Shown && !m.Soft && !im.Opaque())
}
