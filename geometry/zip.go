package geometry

import (
	"sort"
)

// corner is a vertex on the border of a cell.
type corner struct {
	index uint32
	place int32 // along its side
}

// triangles appends the triangles of the grid's cells, split as in the engine from the top left to the bottom right
// (tr_surface.c, RB_SurfaceGrid).
func (t *tessellator) triangles(m *Mesh) {
	p := t.p
	w, h := len(p.columns), len(p.rows)
	var starts [4]uint32 // first extra point of each side
	next := uint32(w * h)
	for side := range starts {
		starts[side] = next
		next += uint32(len(p.extra[side]))
	}
	for y := range h - 1 {
		for x := range w - 1 {
			a := uint32(y*w + x)
			b, c, d := a+1, a+uint32(w)+1, a+uint32(w)
			south := y == 0 && len(p.extra[bottom]) > 0
			north := y == h-2 && len(p.extra[top]) > 0
			west := x == 0 && len(p.extra[left]) > 0
			east := x == w-2 && len(p.extra[right]) > 0
			if !south && !north && !west && !east {
				m.add(a, b, d)
				m.add(b, c, d)
				continue
			}
			x0, x1, y0, y1 := p.columns[x], p.columns[x+1], p.rows[y], p.rows[y+1]
			m.zip(t.chain(bottom, south, starts, corner{a, x0}, corner{b, x1}),
				t.chain(left, west, starts, corner{a, y0}, corner{d, y1}))
			m.zip(t.chain(top, north, starts, corner{c, x1}, corner{d, x0}),
				t.chain(right, east, starts, corner{c, y1}, corner{b, y0}))
		}
	}
}

// chain returns the corners of a cell from one end of a side to the other, with the extra points between.
func (t *tessellator) chain(side int, extras bool, starts [4]uint32, from, to corner) []corner {
	out := append(t.chains[side][:0], from)
	if extras {
		all := t.p.extra[side]
		low, high := min(from.place, to.place), max(from.place, to.place)
		i := sort.Search(len(all), func(i int) bool { return all[i].place > low })
		j := sort.Search(len(all), func(i int) bool { return all[i].place >= high })
		for k := i; k < j; k++ {
			out = append(out, corner{starts[side] + uint32(k), all[k].place})
		}
		if from.place > to.place {
			for k, l := 1, len(out)-1; k < l; k, l = k+1, l-1 {
				out[k], out[l] = out[l], out[k]
			}
		}
	}
	out = append(out, to)
	t.chains[side] = out
	return out
}

// zip appends the triangles between two chains that start at the same vertex. Seen from the front, the second is
// counter-clockwise of the first.
func (m *Mesh) zip(a, b []corner) {
	m.add(a[0].index, a[1].index, b[1].index)
	along := func(c []corner, i int) float64 {
		return float64(c[i].place-c[0].place) / float64(c[len(c)-1].place-c[0].place)
	}
	for i, j := 1, 1; i < len(a)-1 || j < len(b)-1; {
		if j == len(b)-1 || i < len(a)-1 && along(a, i+1) <= along(b, j+1) {
			m.add(a[i].index, a[i+1].index, b[j].index)
			i++
		} else {
			m.add(a[i].index, b[j+1].index, b[j].index)
			j++
		}
	}
}

// add appends a triangle if it has an area.
func (m *Mesh) add(a, b, c uint32) {
	if !flat(&m.Vertices[a], &m.Vertices[b], &m.Vertices[c]) {
		m.Indices = append(m.Indices, a, b, c)
	}
}
