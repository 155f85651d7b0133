package geometry

import "github.com/bsp2gltf/bsp2gltf/world"

// The engine's limits of one curve's collision (Quake III Arena, cm_local.h).
const (
	maxFacets      = 1024
	maxFacetPlanes = 2048
	maxFacetSize   = 65535 // map units along an axis; a facet beyond lacks a border (MAX_MAP_BOUNDS)
)

// none stands for a plane that there is not.
const none = -1

// faceter makes the facets of a lattice: flat polygons of three or four sides, each bounded by the planes of its neighbours, or by planes
// at right angles to it where there is no neighbour or it lies in the same plane. Bodies meet them from the front only.
//
// The engine's facets also have bevels, planes that keep a box from catching on edges. They touch the polygon and cut nothing off it.
type faceter struct {
	curve lattice
	hull  huller     // its planes are those of all triangles and borders, its faces the facets
	sides [][][2]int // the planes of the two triangles of each cell, by column, then row, as indices into hull.planes; or none
}

// facets adds the facets of a lattice to a mesh; ok is false if they exceed the engine's limits. Quake III Arena, cm_patch.c,
// CM_PatchCollideFromGrid.
func (f *faceter) facets(l lattice, m *Mesh) (ok bool) {
	f.curve, f.sides = l, f.sides[:0]
	f.hull.planes, f.hull.corners, f.hull.faces = f.hull.planes[:0], f.hull.corners[:0], f.hull.faces[:0]
	for i := range len(l.columns) - 1 {
		f.sides = append(f.sides, make([][2]int, len(l.columns[i])-1))
		for j := range f.sides[i] {
			c := f.cell(i, j)
			f.sides[i][j] = [2]int{f.plane(c[0], c[1], c[2]), f.plane(c[2], c[3], c[0])}
		}
		if len(f.hull.planes) > maxFacetPlanes {
			return false
		}
	}
	for i := range f.sides {
		for j := range f.sides[i] {
			f.split(i, j)
			if len(f.hull.planes) > maxFacetPlanes || len(f.hull.faces) > maxFacets {
				return false
			}
		}
	}
	f.hull.mesh(m)
	return true
}

// cell returns the corners of a cell: clockwise seen from the front, beginning with the least.
func (f *faceter) cell(i, j int) [4]vec {
	a, b := f.curve.columns[i], f.curve.columns[i+1]
	return [4]vec{toVec(a[j]), toVec(b[j]), toVec(b[j+1]), toVec(a[j+1])}
}

// plane returns the index of the plane through three points that are clockwise seen from its front: one that is there already, if it is
// near all of them. It returns none if they are on a line.
func (f *faceter) plane(a, b, c vec) int {
	normal, ok := c.sub(a).cross(b.sub(a)).unit()
	if !ok {
		return none
	}
	for i := range f.hull.planes {
		if p := &f.hull.planes[i]; p.normal.dot(normal) >= 0 && p.side(a) == 0 && p.side(b) == 0 && p.side(c) == 0 {
			return i
		}
	}
	f.hull.planes = append(f.hull.planes, plane{normal, normal.dot(a)})
	return len(f.hull.planes) - 1
}

// side returns 1 for a point in front of a plane, -1 for one behind it, and 0 for one on it.
func (p *plane) side(v vec) int {
	switch d := p.normal.dot(v) - p.distance; {
	case d > sameWithin:
		return 1
	case d < -sameWithin:
		return -1
	}
	return 0
}

// The sides of a cell, in the order of its corners, and the diagonals of its two triangles.
const (
	sideFirst  = iota // from corner 0 to 1
	sideAfter         // from corner 1 to 2
	sideLast          // from corner 2 to 3
	sideBefore        // from corner 3 to 0
)

// split adds the facets of a cell: one, if its triangles are in the same plane.
func (f *faceter) split(i, j int) {
	own, c := f.sides[i][j], f.cell(i, j)
	borders := f.borders(i, j)
	if own[0] == own[1] { // also if neither has a plane
		f.facet(own[0], borders[:], c[:])
		return
	}
	// The diagonal is the other triangle's plane; if that has none, the border beyond it.
	diagonal := [2]int{own[1], own[0]}
	if diagonal[0] == none {
		if diagonal[0] = borders[sideLast]; diagonal[0] == none {
			diagonal[0] = f.upright(c[2], c[0], own[0])
		}
	}
	f.facet(own[0], []int{borders[sideFirst], borders[sideAfter], diagonal[0]}, []vec{c[0], c[1], c[2]})
	if diagonal[1] == none {
		if diagonal[1] = borders[sideFirst]; diagonal[1] == none {
			diagonal[1] = f.upright(c[0], c[2], own[1])
		}
	}
	f.facet(own[1], []int{borders[sideLast], borders[sideBefore], diagonal[1]}, []vec{c[2], c[3], c[0]})
}

// borders returns the planes that bound a cell, by its sides.
func (f *faceter) borders(i, j int) (out [4]int) {
	own, c := f.sides[i][j], f.cell(i, j)
	columns, rows := len(f.sides), len(f.sides[i])
	beside := func(di, dj, triangle int) int { // the plane of a neighbour's triangle
		x, y := i+di, j+dj
		if x < 0 || x >= columns {
			if !f.curve.joined {
				return none
			}
			x = (x + columns) % columns
		}
		if y < 0 || y >= rows {
			if !f.curve.closed {
				return none
			}
			y = (y + rows) % rows
		}
		return f.sides[x][y][triangle]
	}
	for _, s := range [4]struct{ side, neighbour, own, other int }{ // in the engine's order, since planes are shared
		{sideFirst, beside(0, -1, 1), own[0], own[1]}, {sideLast, beside(0, 1, 0), own[1], own[0]},
		{sideBefore, beside(-1, 0, 0), own[1], own[0]}, {sideAfter, beside(1, 0, 1), own[0], own[1]},
	} {
		if out[s.side] = s.neighbour; s.neighbour != none && s.neighbour != s.own {
			continue
		}
		if s.own == none {
			s.own = s.other
		}
		out[s.side] = f.upright(c[s.side], c[(s.side+1)%4], s.own)
	}
	return out
}

// upright returns the plane through an edge at right angles to a plane, or none.
func (f *faceter) upright(from, to vec, on int) int {
	if on == none {
		return none
	}
	return f.plane(from, to, from.add(f.hull.planes[on].normal.scale(4)))
}

// facet adds the polygon of a plane within its borders, between which its corners are. As in the engine there is none if a border is
// missing or has all corners on it, and if nothing but a sliver is left.
func (f *faceter) facet(surface int, borders []int, corners []vec) {
	if surface == none {
		return
	}
	f.hull.square(&f.hull.planes[surface])
	for _, b := range borders {
		if b == none {
			return
		}
		p, front, back := f.hull.planes[b], false, false
		for _, c := range corners {
			side := p.side(c)
			front, back = front || side > 0, back || side < 0
		}
		if !front && !back {
			return
		}
		if front && !back {
			p = plane{p.normal.scale(-1), -p.distance}
		}
		wide := false
		for _, c := range f.hull.poly {
			wide = wide || p.side(c) < 0
		}
		if !wide {
			return
		}
		f.hull.poly, f.hull.next = p.keep(f.hull.next[:0], f.hull.poly), f.hull.poly
	}
	low, high := f.hull.poly[0], f.hull.poly[0]
	for _, c := range f.hull.poly[1:] {
		for k, x := range c {
			low[k], high[k] = min(low[k], x), max(high[k], x)
		}
	}
	for k := range low {
		if high[k]-low[k] > maxFacetSize {
			return
		}
	}
	for i, p := range f.hull.poly {
		for _, c := range corners {
			if p.distance(c) <= hullWithin {
				f.hull.poly[i] = c
			}
		}
	}
	f.hull.addFace(f.hull.planes[surface].normal)
}

// checkFacets returns why bodies can't meet a patch, or nil.
func checkFacets(p *world.Patch) *fault {
	if bad := checkPatch(p); bad != nil {
		return bad
	}
	for i := range p.Control {
		if isFar(p.Control[i].Position) {
			return faultf("face-number", "a control point has a coordinate that is too large")
		}
	}
	return nil
}
