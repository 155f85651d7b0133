package raster

import (
	"image"
	"math"
)

// band is a range of rows of samples.
type band struct {
	view        view
	top, bottom int       // rows from top to bottom-1
	near        []float64 // nearness of the nearest triangle so far; 0 means none
	seen        []int32   // index of that triangle, or -1
	shown       []color
}

func newBand(v view, top, bottom int) *band {
	n := v.width * (bottom - top)
	b := &band{view: v, top: top, bottom: bottom, near: make([]float64, n), seen: make([]int32, n)}
	for i := range b.seen {
		b.seen[i] = -1
		if v.flat {
			b.near[i] = -1e30
		}
	}
	return b
}

// fill calls f for each sample that a triangle covers and that nothing nearer hides. I is the sample's index in the
// band.
func (b *band) fill(t *triangle, f func(i int, x, y, near float64)) {
	for y := max(int(t.top), b.top); y < min(int(t.bottom), b.bottom); y++ {
		row := (y - b.top) * b.view.width
		dy := float64(y) + 0.5 - t.y
		left, right := t.row(dy)
		for x := left; x < right; x++ {
			dx := float64(x) + 0.5 - t.x
			if !t.covers(dx, dy) {
				continue
			}
			if near := t.near.over(dx, dy); near > b.near[row+x] {
				f(row+x, dx, dy, near)
			}
		}
	}
}

// row returns the range of samples in a row that a triangle may cover.
func (t *triangle) row(dy float64) (left, right int) {
	lo, hi := float64(t.left), float64(t.right)
	for k := range t.edges {
		e := &t.edges[k]
		switch zero := t.x - 0.5 - (e.at+float64(e.dy*dy))/e.dx; { // where the edge crosses the row
		case e.dx > 0:
			lo = max(lo, zero-1)
		case e.dx < 0:
			hi = min(hi, zero+2)
		}
	}
	return int(lo), int(max(hi, lo))
}

func (t *triangle) covers(dx, dy float64) bool {
	for k := range t.edges {
		if e := t.edges[k].over(dx, dy); e < 0 || e == 0 && !t.onEdge[k] {
			return false
		}
	}
	return true
}

// solid finds the nearest triangle of each sample. If holes is set, samples where a masked material is transparent
// are not covered.
func (b *band) solid(list []triangle, s []shader, holes bool) {
	for i := range list {
		t := &list[i]
		sh := &s[t.material]
		b.fill(t, func(at int, x, y, near float64) {
			if holes && sh.material.Alpha == Mask {
				p := t.point(x, y, near, &b.view)
				if sh.albedo(&p)[3] < sh.material.Cutoff {
					return
				}
			}
			b.near[at], b.seen[at] = near, int32(i)
		})
	}
}

// mark sets the materials that are visible in the band.
func (b *band) mark(list []triangle, materials []bool) {
	last := int32(-1)
	for _, i := range b.seen {
		if i != last && i >= 0 {
			materials[list[i].material] = true
		}
		last = i
	}
}

// shade colours the samples: solid surfaces by their material, the others with the background.
func (b *band) shade(list []triangle, s []shader, background [3]uint8) {
	b.shown = make([]color, len(b.seen))
	ground := color{float32(background[0]) / 255, float32(background[1]) / 255, float32(background[2]) / 255, 1}
	for at, i := range b.seen {
		if i < 0 {
			b.shown[at] = ground
			continue
		}
		t := &list[i]
		x, y := at%b.view.width, at/b.view.width+b.top
		p := t.point(float64(x)+0.5-t.x, float64(y)+0.5-t.y, b.near[at], &b.view)
		sh := &s[t.material]
		b.shown[at] = sh.color(&p, b.view.fogAt(t.fog, x, y, b.near[at], sh.material.Behind))
	}
}

// blend draws the blended triangles over the samples, in display space and in the order of the list.
func (b *band) blend(list []triangle, s []shader) {
	for i := range list {
		t := &list[i]
		b.fill(t, func(at int, x, y, near float64) {
			p := t.point(x, y, near, &b.view)
			if s[t.material].through != nil {
				c := s[t.material].multiplied(&p)
				for k, v := range c[:3] {
					b.shown[at][k] = min(b.shown[at][k]*v, 1)
				}
				return
			}
			c := s[t.material].color(&p, b.view.fogAt(t.fog, at%b.view.width, at/b.view.width+b.top, near, s[t.material].material.Behind))
			alpha := min(max(c[3], 0), 1)
			for k := range 3 {
				d := &b.shown[at][k]
				switch s[t.material].material.Behind {
				case Mixes:
					*d += float32((c[k] - *d) * alpha)
				case Adds:
					*d += float32(c[k] * alpha)
				case Multiplies:
					*d *= 1 + float32(alpha*(2*c[k]-1))
				}
				*d = min(max(*d, 0), 1)
			}
		})
	}
}

// point interpolates a triangle's attributes at a sample.
func (t *triangle) point(x, y, near float64, v *view) (p point) {
	w, wx, wy := 1.0, 0.0, 0.0
	if !v.flat {
		w, wx, wy = 1/near, t.near.dx, t.near.dy
	}
	for k := range t.at {
		p.at[k] = t.at[k].over(x, y) * w
	}
	samples := float64(v.samples)
	for k := range p.dx { // derivative of a quotient, per pixel
		p.dx[k] = (t.at[k].dx - float64(p.at[k]*wx)) * w * samples
		p.dy[k] = (t.at[k].dy - float64(p.at[k]*wy)) * w * samples
	}
	return p
}

// brightened returns a table that applies a display gamma to the values of a picture.
func brightened(gamma float64) (table [256]uint8) {
	if gamma == 0 {
		gamma = 1
	}
	for i := range table {
		table[i] = uint8(float64(255*math.Pow(float64(i)/255, 1/gamma)) + 0.5)
	}
	return table
}

// resolve averages the samples of each pixel, and brightens it by a table.
func (b *band) resolve(out *image.NRGBA, bright *[256]uint8) {
	samples := b.view.samples
	whole := float32(255) / float32(samples*samples)
	for y := b.top / samples; y < b.bottom/samples; y++ {
		for x := range out.Rect.Dx() {
			var sum color
			for k := range samples * samples {
				c := &b.shown[(y*samples+k/samples-b.top)*b.view.width+x*samples+k%samples]
				for j := range sum {
					sum[j] += c[j]
				}
			}
			at := out.Pix[out.PixOffset(x, y):]
			for j := range 3 {
				at[j] = bright[uint8(float32(sum[j]*whole)+0.5)]
			}
			at[3] = 255
		}
	}
}
