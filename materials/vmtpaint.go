package materials

import (
	"context"
	"fmt"
	"image"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/q3shader"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// overpaint is a texture with another drawn over it, in its own coordinates.
type overpaint struct {
	base   string // a file
	form   form   // of the base
	over   string // a file, or "" where the base alone is changed
	second int    // its frame
	uv     [6]float64
	mode   blendMode
	factor float64
	tint   [3]float64 // linear; multiplies the colour of what is drawn over
	finer  float64    // how many times finer than the base the picture may be
}

// painted is what drawing has found out.
type painted struct {
	soft bool // a mask's texels come in by and by, or there is no mask: it is not drawn
}

// key tells paints apart that make different pictures.
func (p *overpaint) key() string {
	return fmt.Sprintf("paint %q %+v %q %d %g %d %g %g %g", p.base, p.form, p.over, p.second, p.uv, p.mode, p.factor, p.tint, p.finer)
}

func (p *overpaint) reads() []string {
	if p.over == "" || p.over == p.base {
		return []string{p.base}
	}
	return []string{p.base, p.over}
}

// repaint draws over the base texture of a material that has been planned. It returns false where the material has none.
func (ld *loader) repaint(to target, p overpaint, name string, painted func(*Material, *painted)) bool {
	j, u, ok := ld.takeBase(to)
	if !ok {
		return false
	}
	p.base = j.file
	if j.form != nil {
		p.form = *j.form
	}
	n := ld.job(p.key(), func() job { return job{file: p.base, name: j.name + name, paint: &p} })
	n.alpha = n.alpha || j.alpha || p.mode == covered
	n.users = append(n.users, user{to: to, role: asBase, set: func(m *Material, image int, made *made) {
		u.set(m, image, made)
		if painted != nil {
			painted(m, &made.painted)
		}
	}})
	return true
}

// takeBase takes a material's base texture away from it. The job is a copy.
func (ld *loader) takeBase(to target) (j job, u user, ok bool) {
	for i := range ld.jobs {
		users := ld.jobs[i].users
		for k := range users {
			if users[k].to == to && users[k].role == asBase && ld.jobs[i].recipe == nil && ld.jobs[i].indexed == nil {
				j, u = ld.jobs[i], users[k]
				ld.jobs[i].users = append(users[:k:k], users[k+1:]...)
				return j, u, true
			}
		}
	}
	return job{}, user{}, false
}

// makePaint makes the picture of a paint.
func (ld *loader) makePaint(ctx context.Context, m *made, j *job, b *limit.Budget) error {
	p := j.paint
	base, err := ld.decode(p.base, p.form.frame, 0, b)
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
		second, err := ld.decode(p.over, p.second, 0, b)
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
	m.painted.soft = p.mode == covered && (over == nil || meanColor(over, false)[0] > softMask)
	if (over != nil || p.over == "") && !m.painted.soft {
		c := p.plan(base.im, over)
		if err := b.Pixels(c.width, c.height); err != nil {
			return m.broken(j.name, err)
		}
		size := int64(4*c.width*c.height) * 3 // with both textures resized
		if err := b.Reserve(size); err != nil {
			return err
		}
		defer b.Release(size)
		if im, err = p.draw(ctx, base.im, over, c); err != nil {
			return err
		}
	}
	p.form.pixels.change(im)
	return ld.encode(m, j.name, im, j.alpha && !m.painted.soft && !im.Opaque())
}

// brush is how a paint's picture lies on its textures.
type brush struct {
	width, height int
	uv            [6]float64 // from the picture's coordinates to those of what is drawn over
	mean          bool       // which can't repeat with the base: its mean is drawn
}

// plan settles the size of a picture that repeats as its base does: as fine as what is drawn over, within what is
// reasonable. What is drawn over repeats a whole number of times.
func (p *overpaint) plan(base, over *image.NRGBA) brush {
	c := brush{width: base.Rect.Dx(), height: base.Rect.Dy(), uv: p.uv}
	if over == nil {
		return c
	}
	if !whole(c.uv) {
		for _, k := range []int{0, 1, 3, 4} {
			c.uv[k] = math.Round(c.uv[k])
		}
	}
	if math.Abs(float64(c.uv[0]*c.uv[4])-float64(c.uv[1]*c.uv[3])) < 0.5 {
		c.uv, c.mean = identity, true
		return c
	}
	side := func(own, other int, repeats float64) int {
		most := max(float64(own), min(canvasMost, max(p.finer, 1)*float64(own)))
		return int(min(max(float64(own), float64(other)*repeats), most))
	}
	c.width = side(c.width, over.Rect.Dx(), max(math.Abs(c.uv[0]), math.Abs(c.uv[3])))
	c.height = side(c.height, over.Rect.Dy(), max(math.Abs(c.uv[1]), math.Abs(c.uv[4])))
	return c
}

// draw makes the picture. It fails only when ctx ends.
func (p *overpaint) draw(ctx context.Context, base, over *image.NRGBA, c brush) (*image.NRGBA, error) {
	out := image.NewNRGBA(image.Rect(0, 0, c.width, c.height))
	l := layer{color: white, alpha: 1}
	if !base.Opaque() {
		l.blend = &q3shader.BlendAlpha // its alpha goes along
	}
	below := newSampler(base, &l, identity, c.width, c.height)
	above := newSampler(nil, &l, identity, c.width, c.height)
	if over != nil {
		l := layer{color: white, alpha: 1}
		if mixes[p.mode].alpha {
			l.blend = &q3shader.BlendAlpha
		}
		if c.mean {
			l.gen = q3shader.TCEnvironment
		}
		above = newSampler(over, &l, c.uv, c.width, c.height)
	}
	rgb, alpha := make([]float32, 3*c.width), make([]float32, c.width)
	rgb2, alpha2 := make([]float32, 3*c.width), make([]float32, c.width)
	m := newMixer(p.mode, p.factor, p.tint)
	for y := range c.height {
		if y%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		rgb, alpha := below.row(y, rgb, alpha)
		rgb2, alpha2 := above.row(y, rgb2, alpha2)
		row := out.Pix[y*out.Stride : (y+1)*out.Stride]
		for x := range alpha {
			a := [4]float32{decodeSRGB(rgb[3*x]), decodeSRGB(rgb[3*x+1]), decodeSRGB(rgb[3*x+2]), alpha[x]}
			a = m.over(a, [4]float32{rgb2[3*x], rgb2[3*x+1], rgb2[3*x+2], alpha2[x]})
			px := row[4*x : 4*x+4 : 4*x+4]
			px[0], px[1], px[2], px[3] = encodeSRGB(a[0]), encodeSRGB(a[1]), encodeSRGB(a[2]), value(a[3])
		}
	}
	return out, nil
}
