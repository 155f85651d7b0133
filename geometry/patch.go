package geometry

import (
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The engine's numbers (tr_curve.c, R_SubdividePatchToGrid).
const (
	maxPoints    = 65  // most points of a grid along an axis (MAX_GRID_SIZE)
	collinear    = 0.1 // map units from the line within which a middle point is left out
	maxControl   = 1 << 15
	closedWithin = 1.0 // map units squared between opposite borders of a closed patch
)

// maxDepth bounds how often a span is halved. Each halving leaves a quarter of the error, so after 10 the largest
// curve of a Quake III map (65,536 units) is within 0.1 units of its line.
const maxDepth = 10

// spanPlaces is the number of places in a span. A place along an axis of a patch is an integer, so that places from both sides of a
// border compare equal: span s (of three control points) ends at (s+1)*spanPlaces.
const spanPlaces = 2 << maxDepth

// patch is a world.Patch while its mesh is made.
type patch struct {
	surface       int // index in builder.surfaces
	width, height int
	control       []world.Vertex
	corners       []int32 // for control points on the border, the index of the point they were welded to; by control point
	columns, rows []int32 // places along u and v where the grid has points, ascending
	extra         [4][]neighbourPoint
	reserved      meshMemory
}

// meshMemory is the memory that a mesh takes of the budget, in bytes.
type meshMemory struct{ bytes, vertices int64 }

// neighbourPoint is a point on a border that only the neighbour has.
type neighbourPoint struct {
	place    int32
	moved    bool // moved to position, where the neighbour has it
	position [3]float32
}

// vertices returns the number of the mesh's vertices.
func (p *patch) vertices() int {
	n := len(p.columns) * len(p.rows)
	for _, e := range p.extra {
		n += len(e)
	}
	return n
}

// bytes returns the memory of the mesh.
func (p *patch) bytes() int64 {
	n := p.vertices()
	grid := len(p.columns) * len(p.rows)
	cells := (len(p.columns) - 1) * (len(p.rows) - 1)
	return limit.Bytes[world.Vertex](n) + limit.Bytes[uint32](6*cells+3*(n-grid))
}

// checkPatch returns why a patch can't be tessellated, or nil.
func checkPatch(p *world.Patch) *fault {
	n := len(p.Control)
	if p.Width < 3 || p.Height < 3 || p.Width%2 == 0 || p.Height%2 == 0 || p.Width > maxControl || p.Height > maxControl ||
		p.Width*p.Height != n {
		return faultf("face-patch", "a patch of %d x %d with %d control points", p.Width, p.Height, n)
	}
	if finite, _ := check(p.Control); !finite {
		return faultf("face-number", "a control point has a coordinate that is not a number")
	}
	return nil
}

// plan decides the columns and rows of the grid.
//
// The net of control points is halved span by span until the middle of each is near enough to the line between its
// ends, first along the columns, then, with the resulting columns, along the rows. A span's middle also becomes a
// point of the grid unless it is on the line in all rows. So, as in the engine, the actual error is about a quarter
// of the given one.
func (p *patch) plan(maxError float64, s *subdivider) {
	net := grow(&s.net, p.width*p.height)
	for i := range net {
		net[i] = toVec(p.control[i].Position)
	}
	var lines int
	p.columns, lines = s.divide(maxError, p.height, p.width)
	p.rows, _ = s.divide(maxError, lines, p.height)
}

// subdivider halves the spans of a net of control points, reusing its memory.
type subdivider struct {
	net        []vec // line by line
	spans, old []span
	points     []vec // of spans, three per line
}

// span is a part of a net with three control points per line.
type span struct {
	place, size int32
	first       int // index of the first line's first point in subdivider.points
	err         float64
	done        bool
}

// divide returns the places where the lines of the net, each of n points, are cut. The net is replaced by that of
// the cut spans, transposed, with the returned number of lines.
func (s *subdivider) divide(maxError float64, lines, n int) (places []int32, cut int) {
	s.points, s.spans = s.points[:0], s.spans[:0]
	for i := 0; i+2 < n; i += 2 {
		s.spans = append(s.spans, span{place: int32(i/2) * spanPlaces, size: spanPlaces, first: len(s.points)})
		for l := range lines {
			s.points = append(s.points, s.net[l*n+i:l*n+i+3]...)
		}
	}
	// Each span is halved once per round, so that no span uses up the grid's points before its neighbours.
	for more := true; more; {
		more = false
		points := 2*len(s.spans) + 1
		s.old, s.spans = s.spans, s.old[:0]
		for _, p := range s.old {
			if !p.done {
				p.err = s.bend(p.first, lines)
				p.done = true
				if p.err > maxError && points+2 <= maxPoints && p.size > spanPlaces>>maxDepth {
					points += 2
					more = true
					s.halve(p, lines)
					continue
				}
			}
			s.spans = append(s.spans, p)
		}
	}
	cut = 2*len(s.spans) + 1
	net := grow(&s.net, cut*lines)
	places = make([]int32, 0, cut)
	for i, p := range s.spans {
		for l := range lines {
			for k := range 3 {
				net[(2*i+k)*lines+l] = s.points[p.first+3*l+k]
			}
		}
		places = append(places, p.place)
		if p.err >= collinear {
			places = append(places, p.place+p.size/2)
		}
	}
	return append(places, int32(n/2)*spanPlaces), cut
}

// halve appends the halves of p to the spans.
func (s *subdivider) halve(p span, lines int) {
	half := len(s.points)
	s.points = slices.Grow(s.points, 6*lines)[:half+6*lines]
	old, first, second := s.points[p.first:][:3*lines], s.points[half:][:3*lines], s.points[half+3*lines:]
	for i := 0; i < len(old); i += 3 {
		a, b, c := old[i], old[i+1], old[i+2]
		ab, bc := a.mid(b), b.mid(c)
		m := ab.mid(bc)
		first[i], first[i+1], first[i+2] = a, ab, m
		second[i], second[i+1], second[i+2] = m, bc, c
	}
	size := p.size / 2
	s.spans = append(s.spans,
		span{place: p.place, size: size, first: half},
		span{place: p.place + size, size: size, first: half + 3*lines})
}

// bend returns the largest distance of a curve's middle in a span from the line between its ends.
func (s *subdivider) bend(first, lines int) float64 {
	worst := 0.0
	for l := range lines {
		p := s.points[first+3*l:]
		worst = max(worst, bend(p[0], p[1], p[2]))
	}
	return math.Sqrt(worst)
}

// bend returns the squared distance of the middle of the curve a, b, c from the line a to c.
func bend(a, b, c vec) float64 {
	m := a.mid(b).mid(b.mid(c)).sub(a)
	line := c.sub(a)
	if l := line.dot(line); l > 0 {
		m = m.sub(line.scale(m.dot(line) / l))
	}
	return m.dot(m)
}

// grow resizes *s to n elements and returns it, keeping old elements that fit.
func grow[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = append(make([]T, 0, n), *s...)
	}
	*s = (*s)[:n]
	return *s
}
