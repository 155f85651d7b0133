package geometry

import (
	"sort"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// tessellator makes meshes of patches, reusing its memory.
type tessellator struct {
	p                *patch
	closedX, closedY bool
	control          []numbers
	line             []linePoint // the control points of the current column
	bent             []int       // grid vertices whose normal the surface does not define
	chains           [4][]corner // of the current cell
}

// linePoint is a control point of a column: the curve of a row of control points at the column's place. Where two
// spans meet, the directions along u before and after it differ.
type linePoint struct {
	numbers
	west, east vec
}

// mesh returns the triangles of a patch. Its vertices are the grid row by row and then the extra points.
//
// Normals are computed from the surface's tangents; those of the control points are ignored, as in the engine. The
// engine computes them from the chords of the grid, so they jump by up to 20 degrees where one patch continues
// another; tangents don't. Chords are used where there are no tangents (gridNormal).
func (t *tessellator) mesh(p *patch) (Mesh, *fault) {
	t.p = p
	control := grow(&t.control, len(p.control))
	for i := range control {
		control[i] = toNumbers(&p.control[i])
	}
	t.closedX = t.closed(p.height, p.width, 0, p.width-1)
	t.closedY = t.closed(p.width, 1, 0, (p.height-1)*p.width)
	grow(&t.line, p.height)

	w, h := len(p.columns), len(p.rows)
	vertices := make([]world.Vertex, p.vertices())
	t.bent = t.bent[:0]
	for x, place := range p.columns {
		t.column(place)
		for y, place := range p.rows {
			if !t.point(place, &vertices[y*w+x]) {
				t.bent = append(t.bent, y*w+x)
			}
		}
	}
	for _, i := range t.bent {
		n, ok := gridNormal(vertices[:w*h], w, h, i%w, i/w, t.closedX, t.closedY)
		if !ok {
			n = t.middle()
		}
		vertices[i].Normal = n.float32()
	}
	next := w * h
	for side := range p.extra {
		for _, e := range p.extra[side] {
			t.extra(side, e, vertices, next)
			next++
		}
	}
	m := Mesh{Vertices: vertices, Indices: make([]uint32, 0, 6*(w-1)*(h-1)+3*(len(vertices)-w*h))}
	t.triangles(&m)
	if len(m.Indices) == 0 {
		return Mesh{}, faultf("face-degenerate", "a patch of %d x %d has no area", p.width, p.height)
	}
	return m, nil
}

// closed reports whether n control points from first, a step apart, coincide with those at an offset of last.
func (t *tessellator) closed(n, step, first, last int) bool {
	for i := range n {
		d := t.control[first+i*step].position().sub(t.control[last+i*step].position())
		if d.dot(d) > closedWithin {
			return false
		}
	}
	return true
}

// column sets t.line to the control points of the column at a place.
func (t *tessellator) column(place int32) {
	w := t.p.width
	span, in := splitPlace(place, w/2)
	weights := weightsAt(in)
	before, after := neighbours(span, in, spanPlaces, w, t.closedX)
	for r := range t.line {
		row := t.control[r*w : (r+1)*w]
		l := &t.line[r]
		weights.curve(&row[2*span], &row[2*span+1], &row[2*span+2], &l.numbers)
		l.east = slope(row[2*span].position(), row[2*span+1].position(), row[2*span+2].position(), in, spanPlaces)
		l.west = l.east
		if before >= 0 {
			l.west = row[before+1].position().sub(row[before].position())
		}
		if after >= 0 {
			l.east = row[after+1].position().sub(row[after].position())
		}
	}
}

// neighbours returns the first of the two control points on either side of a place where spans meet, and -1
// elsewhere. The ends of a closed axis of n control points meet.
func neighbours(span int, in, unit int32, n int, closed bool) (before, after int) {
	switch {
	case in == 0 && span > 0:
		return 2*span - 1, 2 * span
	case closed && (in == 0 || in == unit):
		return n - 2, 0
	}
	return -1, -1
}

// slope returns the direction of a curve at a place of its span.
func slope(a, b, c vec, in, unit int32) vec {
	t := float64(in) / float64(unit)
	return b.sub(a).scale(1 - t).add(c.sub(b).scale(t))
}

// point sets v to the vertex of the column at a place. It returns false if the surface has no normal there: at a
// tip, where a border is one point, or where control points coincide.
func (t *tessellator) point(place int32, v *world.Vertex) bool {
	span, in := splitPlace(place, t.p.height/2)
	weights := weightsAt(in)
	a, b, c := &t.line[2*span], &t.line[2*span+1], &t.line[2*span+2]
	var n numbers
	weights.curve(&a.numbers, &b.numbers, &c.numbers, &n)
	n.to(v)

	north := slope(a.position(), b.position(), c.position(), in, spanPlaces)
	south := north
	before, after := neighbours(span, in, spanPlaces, t.p.height, t.closedY)
	if before >= 0 {
		south = t.line[before+1].position().sub(t.line[before].position())
	}
	if after >= 0 {
		north = t.line[after+1].position().sub(t.line[after].position())
	}
	east, west := weights.point(a.east, b.east, c.east), weights.point(a.west, b.west, c.west)
	normal, ok := corner4(east, north, west, south)
	v.Normal = normal.float32()
	return ok
}

// corner4 returns the mean of the normals between the directions along u and v on both sides of a point.
func corner4(east, north, west, south vec) (vec, bool) {
	if east == west && north == south {
		return between(east, north)
	}
	var sum vec
	for _, q := range [4][2]vec{{east, north}, {west, north}, {west, south}, {east, south}} {
		if n, ok := between(q[0], q[1]); ok {
			sum = sum.add(n)
		}
	}
	if sum.dot(sum) < 1e-6 { // a fold: they cancel out
		return vec{}, false
	}
	return sum.unit()
}

// between returns the normal of a surface with the directions u and v; ok is false if they are nearly parallel.
func between(u, v vec) (vec, bool) {
	n := u.cross(v)
	l := n.dot(n)
	if !(l > 1e-12*u.dot(u)*v.dot(v)) {
		return vec{}, false
	}
	return n.unit()
}

// middle returns a normal for points without one: that of the quad of the patch's corners, or up.
func (t *tessellator) middle() vec {
	w, h := t.p.width, t.p.height
	a, b := t.control[0].position(), t.control[w-1].position()
	c, d := t.control[w*h-1].position(), t.control[w*(h-1)].position()
	if n, ok := c.sub(a).cross(d.sub(b)).unit(); ok {
		return n
	}
	return toVec(up)
}

// extra sets vertex i to an extra point of a side.
func (t *tessellator) extra(side int, e neighbourPoint, vertices []world.Vertex, i int) {
	w, h := len(t.p.columns), len(t.p.rows)
	u, v := e.place, e.place
	var near int // the vertex of the grid before it
	switch side {
	case bottom, top:
		near = sort.Search(w, func(x int) bool { return t.p.columns[x] > u }) - 1
		v = 0
		if side == top {
			v = t.p.rows[h-1]
			near += (h - 1) * w
		}
	case left, right:
		near = (sort.Search(h, func(y int) bool { return t.p.rows[y] > v }) - 1) * w
		u = 0
		if side == right {
			u = t.p.columns[w-1]
			near += w - 1
		}
	}
	t.column(u)
	if !t.point(v, &vertices[i]) {
		vertices[i].Normal = vertices[near].Normal
	}
	if e.moved {
		vertices[i].Position = e.position
	}
}
