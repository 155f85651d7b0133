package geometry

import (
	"context"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Why this is so complicated
//
// The grids of neighbouring displacements have different numbers of points on the edge between them: their powers
// differ, or one's edge is half of the other's. The engine leaves out the points that only one of them has (the allowed
// verts of disp_common.cpp), and blends the normals of the others across the edge. The map's own tables of neighbours
// name at most two per edge, and some compilers leave them empty; so neighbours are found where the flat polygons
// touch.
//
// First, coinciding corners of the flat polygons get one number; two of them form an edge. If an edge's middle is also
// such a corner, and edges lead from its ends to that corner, these are its halves. Second, each point on a side gets a
// slot: that of a corner, or a sixteenth of an edge or of the half that it lies on. So points of all displacements at
// the same flat position share a slot. Third, a slot on an edge that lies on more sides than it has points is dropped.
// Fourth, the points of a slot at the same displaced position become one.
//
// Not handled: edges in ratios other than one to two, which the engine does not join either, and edges of
// displacements on edges of polygons, which compilers leave straight.

// sixteenths is the number of parts of an edge at the highest power.
const sixteenths = 1 << maxPower

// seams finds the places where displacements touch.
type seams struct {
	displacements []displacement
	places        []flatCorner
	grid          map[cell]int32 // by cube: its first place
	edges         []flatEdge
	sides         [][4]flatSide // by displacement
	starts        []int32       // by slot, of its members; one more at the end
	members       []sidePoint
}

// flatCorner is a position of corners of flat polygons.
type flatCorner struct {
	position vec
	next     int32 // of places in the same cube, or -1
}

// flatEdge is the line between two corners.
type flatEdge struct {
	low, high int32    // indices of places
	middle    int32    // the place halfway, or -1
	halves    [2]int32 // the edges from low to the middle and from there to high, or -1
	on        [2]int32 // number of sides on each half that has no separate edge
}

// flatSide is a side of a displacement.
type flatSide struct {
	edge     int32 // or -1 if both ends coincide
	backward bool  // it runs from the edge's high end
	corner   int32 // the place where it starts
}

// sidePoint is a point on a side of a displacement.
type sidePoint struct {
	displacement int32
	vertex       uint16
	side, point  uint8
}

// sew drops border points that a neighbour lacks, and merges coinciding ones.
func sew(ctx context.Context, displacements []displacement, budget *limit.Budget) error {
	const each = 2 << 10 // bytes per displacement: 64 members, 60 slots, 4 edges and places in maps
	if err := budget.Reserve(each * int64(len(displacements))); err != nil {
		return err
	}
	defer budget.Release(each * int64(len(displacements)))
	s := &seams{displacements: displacements, grid: map[cell]int32{}}
	if err := s.findEdges(ctx); err != nil {
		return err
	}
	s.count()
	if err := s.fill(ctx); err != nil {
		return err
	}
	s.drop()
	const some = 8192
	slots := len(s.starts) - 1
	err := par.Each(ctx, (slots+some-1)/some, func(i int) error {
		var groups []weldGroup
		for slot := i * some; slot < min((i+1)*some, slots); slot++ {
			if m := s.members[s.starts[slot]:s.starts[slot+1]]; len(m) > 1 {
				groups = s.join(m, groups)
			}
		}
		return nil
	})
	return err
}

// cube is the side of the cubes that index corners. Places are farther apart than the tolerance, so a cube holds at
// most some hundreds.
const cube = 0.5

// find returns the place nearest to p, or -1 if none is within the tolerance.
func (s *seams) find(p vec) int32 {
	found, best := int32(-1), within
	cells(p, p, within, cube, func(c cell) {
		head, ok := s.grid[c]
		if !ok {
			return
		}
		for i := head; i >= 0; i = s.places[i].next {
			if d := p.distance(s.places[i].position); d < best || d == best && (found < 0 || i < found) {
				found, best = i, d
			}
		}
	})
	return found
}

// place returns the place of a corner.
func (s *seams) place(p vec) int32 {
	if found := s.find(p); found >= 0 {
		return found
	}
	i := int32(len(s.places))
	cells(p, p, 0, cube, func(c cell) {
		next := int32(-1)
		if head, ok := s.grid[c]; ok {
			next = head
		}
		s.places = append(s.places, flatCorner{p, next})
		s.grid[c] = i
	})
	return i
}

// findEdges numbers the corners and the edges between them, and finds the halves of edges.
func (s *seams) findEdges(ctx context.Context) error {
	known := map[[2]int32]int32{}
	s.sides = make([][4]flatSide, len(s.displacements))
	for i := range s.displacements {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		sides := &s.sides[i]
		for k := range sides {
			sides[k].corner = s.place(toVec(s.displacements[i].shape.Corners[k].Position))
		}
		for k := range sides {
			a, b := sides[k].corner, sides[(k+1)%4].corner
			sides[k].backward = a > b
			sides[k].edge = -1
			if a == b {
				continue
			}
			key := [2]int32{min(a, b), max(a, b)}
			e, ok := known[key]
			if !ok {
				e = int32(len(s.edges))
				known[key] = e
				s.edges = append(s.edges, flatEdge{low: key[0], high: key[1], middle: -1, halves: [2]int32{-1, -1}})
			}
			sides[k].edge = e
		}
	}
	half := func(a, b int32) int32 {
		if e, ok := known[[2]int32{min(a, b), max(a, b)}]; ok {
			return e
		}
		return -1
	}
	for i := range s.edges {
		e := &s.edges[i]
		m := s.find(s.places[e.low].position.mid(s.places[e.high].position))
		if m < 0 || m == e.low || m == e.high {
			continue
		}
		e.middle = m
		e.halves = [2]int32{half(e.low, m), half(m, e.high)}
	}
	return nil
}

// count counts the sides that lie on each half of the edges.
func (s *seams) count() {
	for i := range s.sides {
		for _, side := range s.sides[i] {
			if side.edge >= 0 {
				s.cover(side.edge, maxPower)
			}
		}
	}
}

// cover counts a side on an edge or on its halves, recursively as deep as there are points.
func (s *seams) cover(edge int32, depth int) {
	e := &s.edges[edge]
	for i, half := range e.halves {
		if half >= 0 && depth > 0 {
			s.cover(half, depth-1)
		} else {
			e.on[i]++
		}
	}
}

// slot returns the slot of the point k sixteenths from the low end of an edge.
func (s *seams) slot(edge int32, k int) int32 {
	for {
		e := &s.edges[edge]
		switch {
		case k == 0:
			return e.low
		case k == sixteenths:
			return e.high
		case k == sixteenths/2 && e.middle >= 0:
			return e.middle
		}
		i, start := 0, e.low
		if k >= sixteenths/2 {
			i, start = 1, e.middle
		}
		half := e.halves[i]
		if half < 0 {
			return int32(len(s.places)) + edge*(sixteenths-1) + int32(k-1)
		}
		// Each round makes k a multiple of a higher power of two, so it reaches an end or a middle.
		k = 2*k - i*sixteenths
		if s.edges[half].low != start {
			k = sixteenths - k
		}
		edge = half
	}
}

// eachPoint calls f for all points on sides and their slots, in the order of the displacements.
func (s *seams) eachPoint(ctx context.Context, f func(slot int32, m sidePoint)) error {
	for i := range s.displacements {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		d := &s.displacements[i]
		for k, side := range s.sides[i] {
			first, step := d.side(k)
			f(side.corner, sidePoint{int32(i), uint16(first), uint8(k), 0})
			if side.edge < 0 {
				continue
			}
			for p := 1; p < d.n-1; p++ {
				at := p << (maxPower - d.shape.Power)
				if side.backward {
					at = sixteenths - at
				}
				f(s.slot(side.edge, at), sidePoint{int32(i), uint16(first + p*step), uint8(k), uint8(p)})
			}
		}
	}
	return nil
}

// fill sorts the points into their slots.
func (s *seams) fill(ctx context.Context) error {
	s.starts = make([]int32, len(s.places)+len(s.edges)*(sixteenths-1)+1)
	if err := s.eachPoint(ctx, func(slot int32, _ sidePoint) { s.starts[slot+1]++ }); err != nil {
		return err
	}
	for i := 1; i < len(s.starts); i++ {
		s.starts[i] += s.starts[i-1]
	}
	s.members = make([]sidePoint, s.starts[len(s.starts)-1])
	next := slices.Clone(s.starts)
	return s.eachPoint(ctx, func(slot int32, m sidePoint) {
		s.members[next[slot]] = m
		next[slot]++
	})
}

// drop marks the points that some side on their edge lacks.
func (s *seams) drop() {
	for i := range s.edges {
		for k := 1; k < sixteenths; k++ {
			slot := len(s.places) + i*(sixteenths-1) + k - 1
			members := s.members[s.starts[slot]:s.starts[slot+1]]
			if len(members) == int(s.edges[i].on[k/(sixteenths/2)]) {
				continue
			}
			for _, m := range members {
				s.displacements[m.displacement].dropped[m.side] |= 1 << m.point
			}
		}
	}
}

// weldGroup is a group of points of a slot that become one vertex.
type weldGroup struct {
	position [3]float32 // of the first
	facing   vec        // its normal
	sum      vec        // of all normals
	count    int
}

// facingAway is the cosine between normals below which two surfaces are the two sides of a wall, which share
// positions but not normals.
const facingAway = -0.5

// maxSewn limits the vertices of one slot that others are compared with, to protect against hostile maps.
const maxSewn = 16

// join merges coinciding points of a slot; the others move to the first.
func (s *seams) join(members []sidePoint, groups []weldGroup) []weldGroup {
	groups = groups[:0]
	for _, m := range members {
		v := &s.displacements[m.displacement].vertices[m.vertex]
		place, group := s.group(v, groups)
		if place >= 0 {
			v.Position = groups[place].position
		}
		n := toVec(v.Normal)
		if group >= 0 {
			groups[group].sum = groups[group].sum.add(n)
			groups[group].count++
		} else if len(groups) < maxSewn {
			groups = append(groups, weldGroup{v.Position, n, n, 1})
		}
	}
	for _, m := range members {
		v := &s.displacements[m.displacement].vertices[m.vertex]
		if _, group := s.group(v, groups); group >= 0 && groups[group].count > 1 {
			if n, ok := groups[group].sum.unit(); ok {
				v.Normal = n.float32()
			}
		}
	}
	return groups
}

// group returns the first group at the position of v and the first of those that faces like v, or -1.
func (s *seams) group(v *world.Vertex, groups []weldGroup) (place, facing int) {
	at := toVec(v.Position)
	place = -1
	for i := range groups {
		g := &groups[i]
		if place < 0 && at.distance(toVec(g.position)) <= within {
			place = i
		}
		if place >= 0 && g.position == groups[place].position && toVec(v.Normal).dot(g.facing) > facingAway {
			return place, i
		}
	}
	return place, -1
}
