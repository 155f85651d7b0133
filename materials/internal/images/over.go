package images

import (
	"context"
	"image"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// softMask is the mean width of a mask's transition, in vertex alpha, from which a layer is shown by its opacity alone:
// with the mask a texel is either visible or not, and a gradual transition would become abrupt.
const softMask = 0.3

// makePaint makes the picture of a paint.
func (mk *Maker) makePaint(ctx context.Context, m *Made, j *plan.Job, b *limit.Budget) error {
	p := j.Paint
	base, err := mk.decode(p.Base, p.Form.Frame, 0, b)
	if err != nil {
		return m.broken(p.Base, err)
	}
	defer base.Release()
	m.Clamp = base.clamp
	m.Files = append(m.Files, p.Base)
	if base.cut != "" {
		m.Issues = append(m.Issues, world.Issue{Code: "image-cut", Where: p.Base, Detail: base.cut})
	}
	var over *image.NRGBA
	switch {
	case p.Over == p.Base:
		over = base.Im
	case p.Over != "":
		second, err := mk.decode(p.Over, p.Second, 0, b)
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
	im := base.Im
	if p.Form.Pixels == plan.Tinted {
		paint.PaintTint(im, p.Form.Tint, p.Form.Over)
	}
	m.Soft = p.Mode == plan.Covered && (over == nil || paint.MeanColor(over, false)[0] > softMask)
	if (over != nil || p.Over == "") && !m.Soft {
		c := paint.Spread(p, base.Im, over)
		if err := b.Pixels(c.Width, c.Height); err != nil {
			return m.broken(j.Name, err)
		}
		size := int64(4*c.Width*c.Height) * 3 // including both resized textures
		if err := b.Reserve(size); err != nil {
			return err
		}
		defer b.Release(size)
		if im, err = c.Draw(ctx, p, base.Im, over); err != nil {
			return err
		}
	}
	paint.Change(p.Form.Pixels, im)
	return mk.encode(m, j.Name, im, j.Alpha && !m.Soft && !im.Opaque())
}
