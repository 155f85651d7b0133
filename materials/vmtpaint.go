package materials

import (
	"context"
	"image"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// softMask is the mean width of a mask's transition, of the vertices' alpha, from which on a layer is shown by its opacity
// alone: a texel is either there or not, and what comes in by and by would come in at once.
const softMask = 0.3

// makePaint makes the picture of a paint.
func (mk *maker) makePaint(ctx context.Context, m *made, j *job, b *limit.Budget) error {
	p := j.paint
	base, err := mk.decode(p.base, p.form.frame, 0, b)
	if err != nil {
		return m.broken(p.base, err)
	}
	defer base.release()
	m.clamp = base.clamp
	m.files = append(m.files, p.base)
	if base.cut != "" {
		m.issues = append(m.issues, world.Issue{Code: "image-cut", Where: p.base, Detail: base.cut})
	}
	var over *image.NRGBA
	switch {
	case p.over == p.base:
		over = base.im
	case p.over != "":
		second, err := mk.decode(p.over, p.second, 0, b)
		if err != nil { // the base is shown without it
			if err := m.broken(p.over, err); err != nil {
				return err
			}
			break
		}
		defer second.release()
		over = second.im
		m.files = append(m.files, p.over)
	}
	im := base.im
	if p.form.pixels == tinted {
		paintTint(im, p.form.tint, p.form.over)
	}
	m.soft = p.mode == covered && (over == nil || meanColor(over, false)[0] > softMask)
	if (over != nil || p.over == "") && !m.soft {
		c := spread(p, base.im, over)
		if err := b.Pixels(c.width, c.height); err != nil {
			return m.broken(j.name, err)
		}
		size := int64(4*c.width*c.height) * 3 // with both textures resized
		if err := b.Reserve(size); err != nil {
			return err
		}
		defer b.Release(size)
		if im, err = c.draw(ctx, p, base.im, over); err != nil {
			return err
		}
	}
	change(p.form.pixels, im)
	return mk.encode(m, j.name, im, j.alpha && !m.soft && !im.Opaque())
}
