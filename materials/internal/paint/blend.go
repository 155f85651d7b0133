package paint

import (
	"context"
	"image"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// painter draws the textures of a blend on one displacement.
type painter struct {
	*Blend
	p       *DisplacementPicture
	readers []reader    // by layer
	weights [][]float32 // by layer except the first, at the grid's points
	masks   reader
	details reader
	tilts   [2]reader
	heights bool // some layer's opacity depends on brightness
}

// Draw makes the image of a displacement and the image of its normals; the latter is nil if no layer has a normal map.
func (bl *Blend) Draw(ctx context.Context, p *DisplacementPicture) (base, normals *image.NRGBA, err error) {
	pt := painter{Blend: bl, p: p, masks: bl.Mask.reader(p, &asValue), details: bl.Detail.reader(p, &asValue)}
	for i := range bl.Layers {
		l := &bl.Layers[i]
		pt.readers = append(pt.readers, l.Texture.reader(p, gamma.Linear8()))
		pt.weights = append(pt.weights, bl.opacities(p.Displacement, l.Weight))
		pt.heights = pt.heights || l.Height.Set
	}
	for k, t := range bl.Normals {
		pt.tilts[k] = t.reader(p, &asValue)
	}
	base = image.NewNRGBA(image.Rect(0, 0, p.Width, p.Height))
	if bl.Normals[0] != nil {
		normals = image.NewNRGBA(base.Rect)
	}
	for y := range p.Height {
		if y%64 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		row := base.Pix[y*base.Stride : (y+1)*base.Stride]
		if normals == nil {
			pt.row(y, row, nil)
		} else {
			pt.row(y, row, normals.Pix[y*normals.Stride:(y+1)*normals.Stride])
		}
	}
	return base, normals, nil
}

// row draws a row of the image, and of the normals' image if normals is not nil.
func (pt *painter) row(y int, base, normals []byte) {
	p := pt.p
	t := 1 - float64(y)/float64(p.Height-1)
	first, last := texcoord(p.Displacement, 0, t), texcoord(p.Displacement, 1, t)
	turn := turnOf(p.Displacement, t)
	for x := range p.Width {
		s := float64(x) / float64(p.Width-1)
		u, v := mean(first[0], last[0], s), mean(first[1], last[1], s)
		c, second := pt.texel(s, t, u, v)
		px := base[4*x : 4*x+4 : 4*x+4]
		px[0], px[1], px[2], px[3] = EncodeSRGB(c[0]), EncodeSRGB(c[1]), EncodeSRGB(c[2]), 255
		if normals == nil {
			continue
		}
		n := pt.tilts[0].at(u, v)
		if second > 0 && pt.Normals[1] != nil {
			n = towards(n, pt.tilts[1].at(u, v), second)
		}
		turn.normal(n, normals[4*x:4*x+4:4*x+4])
	}
}

// texel returns the linear colour at a place on the grid, and the opacity of the second layer there.
func (pt *painter) texel(s, t, u, v float64) (c [4]float32, second float32) {
	c = pt.readers[0].at(u, v)
	below := float32(0)
	if pt.heights {
		below = BrightnessBy(&pt.Layers[0].Height, &c)
	}
	for i := 1; i < len(pt.Layers); i++ {
		l := &pt.Layers[i]
		f := gridValue(pt.weights[i], pt.p.Displacement.Power, s, t)
		if pt.Mask != nil {
			mask := pt.masks.at(u, v)
			if f = Modulate(mask, f); pt.Masked {
				f = mask[1]
			}
		}
		if f <= 0 {
			continue
		}
		d := pt.readers[i].at(u, v)
		if pt.heights {
			bright := BrightnessBy(&l.Height, &d)
			f = OpacityBy(&l.Height, f, bright, below)
			below += float32((bright - below) * f)
		}
		c = towards(c, d, f)
		if l.Weight == 1 {
			second = f
		}
	}
	if pt.Detail != nil {
		c[3] = 1
		c = pt.Mixer.Over(c, pt.details.at(u, v))
	}
	return c, second
}

// towards interpolates between two texels; f is 0 at a and 1 at b.
func towards(a, b [4]float32, f float32) [4]float32 {
	for k := range a {
		a[k] += float32((b[k] - a[k]) * f)
	}
	return a
}

// opacities returns a layer's opacities at the points of a displacement. If the displacement does not have the weights
// of four layers, its alpha is the opacity of the second.
func (bl *Blend) opacities(d *world.Displacement, layer int) []float32 {
	if !bl.FourWay || d.Blends == nil {
		if layer == 1 {
			return d.Alpha
		}
		return make([]float32, len(d.Alpha))
	}
	out := make([]float32, len(d.Blends))
	for i := range out {
		out[i] = min(max(d.Blends[i][layer], 0), 1)
	}
	return out
}

// reader reads a texture at the surface's coordinates, between the four nearest texels.
type reader struct {
	sampler
	values *[256]float32 // by a channel's byte: asLight or asValue
}

// reader returns a reader of a texture at the resolution of p's image. The reader of a nil texture must not be used.
func (t *BlendTexture) reader(p *DisplacementPicture, values *[256]float32) reader {
	if t == nil {
		return reader{}
	}
	x, y := Extent(p.Displacement, t.UV, [2]float64{float64(t.Sizes[0].Rect.Dx()), float64(t.Sizes[0].Rect.Dy())})
	per := max(x/float64(p.Width), y/float64(p.Height))
	size := 0
	for per > 1.5 && size < len(t.Sizes)-1 {
		per /= 2
		size++
	}
	return reader{sampler{im: t.Sizes[size], clamp: t.Clamp, m: t.UV}, values}
}

// at returns the texel at the surface's coordinates. Its alpha is always a plain number, whatever the values of the
// colour are.
func (r *reader) at(u, v float64) (c [4]float32) {
	m := &r.m
	x := r.between(float64(m[0]*u)+float64(m[1]*v)+m[2], r.im.Rect.Dx())
	y := r.between(float64(m[3]*u)+float64(m[4]*v)+m[5], r.im.Rect.Dy())
	top, foot := r.im.Pix[y.i*r.im.Stride:], r.im.Pix[y.j*r.im.Stride:]
	p, q := top[4*x.i:][:4], top[4*x.j:][:4]
	o, n := foot[4*x.i:][:4], foot[4*x.j:][:4]
	for k := range c {
		values := r.values
		if k == 3 {
			values = &asValue
		}
		a, b := values[p[k]], values[o[k]]
		a += float32((values[q[k]] - a) * x.at)
		b += float32((values[n[k]] - b) * x.at)
		c[k] = a + float32((b-a)*y.at)
	}
	return c
}

// texcoord returns the texture coordinates at a place on a displacement's grid.
func texcoord(d *world.Displacement, s, t float64) (uv [2]float64) {
	for k := range uv {
		first := mean(float64(d.Corners[0].UV[k]), float64(d.Corners[1].UV[k]), t)
		last := mean(float64(d.Corners[3].UV[k]), float64(d.Corners[2].UV[k]), t)
		uv[k] = mean(first, last, s)
	}
	return uv
}

// gridValue returns the value at a place on a displacement's grid, linear on its triangles (see world.Displacement).
func gridValue(values []float32, power int, s, t float64) float32 {
	n := 1<<power + 1
	x, y := s*float64(n-1), t*float64(n-1)
	col, row := min(int(x), n-2), min(int(y), n-2)
	fx, fy := float32(x-float64(col)), float32(y-float64(row))
	i := row*n + col
	ll, lr, ul, ur := values[i], values[i+1], values[i+n], values[i+n+1]
	switch {
	case i%2 == 1 && fx+fy <= 1:
		return ll + float32((lr-ll)*fx) + float32((ul-ll)*fy)
	case i%2 == 1:
		return ur + float32((ul-ur)*(1-fx)) + float32((lr-ur)*(1-fy))
	case fy >= fx:
		return ll + float32((ur-ul)*fx) + float32((ul-ll)*fy)
	}
	return ll + float32((lr-ll)*fx) + float32((ur-lr)*fy)
}
