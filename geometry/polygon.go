package geometry

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// fans holds the triangles of polygons of up to 64 corners. A polygon of n corners uses the first 3(n-2) indices.
var fans = fan(64)

func fan(corners int) []uint32 {
	out := make([]uint32, 0, 3*max(0, corners-2))
	for c := 2; c < corners; c++ {
		out = append(out, 0, uint32(c-1), uint32(c))
	}
	return out
}

// polygon returns a fan of the corners. All corners are kept as vertices.
func polygon(p *world.Polygon) (Mesh, *fault) {
	n := len(p.Corners)
	if n < 3 {
		return Mesh{}, faultf("face-degenerate", "a polygon of %d corners", n)
	}
	finite, unit := check(p.Corners)
	if !finite {
		return Mesh{}, faultf("face-number", "a corner has a coordinate that is not a number")
	}
	m := Mesh{Vertices: p.Corners}
	switch {
	case hasFlat(p.Corners):
		m.Indices = clip(p.Corners)
	case n <= 64:
		m.Indices = fans[: 3*(n-2) : 3*(n-2)]
	default:
		m.Indices = fan(n)
	}
	if len(m.Indices) == 0 {
		return Mesh{}, faultf("face-degenerate", "the %d corners lie on a line", n)
	}
	if !unit {
		m.Vertices = withNormals(p.Corners, m.Indices)
	}
	return m, nil
}

// straightTurn is the sine of the turn at a corner below which it lies on the line of its neighbours.
const straightTurn = 1e-4

// hasFlat reports whether a corner, or a triangle of the fan (of a polygon that is not convex), is flat.
func hasFlat(corners []world.Vertex) bool {
	a, b := len(corners)-2, len(corners)-1
	for c := range corners {
		if isFlatCorner(&corners[a], &corners[b], &corners[c]) || c >= 2 && flat(&corners[0], &corners[b], &corners[c]) {
			return true
		}
		a, b = b, c
	}
	return false
}

// isFlatCorner reports whether b lies on the line from a to c or coincides with one of them.
func isFlatCorner(a, b, c *world.Vertex) bool {
	p := toVec(b.Position)
	in, out := p.sub(toVec(a.Position)), toVec(c.Position).sub(p)
	x := in.cross(out)
	return x.dot(x) <= straightTurn*straightTurn*in.dot(in)*out.dot(out) // also for zero length
}

// clip returns the triangles of a polygon with corners on the lines of their neighbours.
//
// Map compilers put such corners where a neighbour's corner touches an edge. A fan that starts at such a corner has
// triangles without area; without them it has the gap that the corner was meant to close. So the corners next to flat
// ones are clipped first: after that a flat corner is no longer flat, and the rest is a valid fan.
func clip(corners []world.Vertex) []uint32 {
	ring := make([]uint32, len(corners))
	for i := range ring {
		ring[i] = uint32(i)
	}
	at := func(i int) *world.Vertex { return &corners[ring[(i+len(ring))%len(ring)]] }
	flatAt := func(i int) bool { return isFlatCorner(at(i-1), at(i), at(i+1)) }
	out := make([]uint32, 0, 3*(len(corners)-2))
	emit := func(a, b, c uint32) {
		if !flat(&corners[a], &corners[b], &corners[c]) {
			out = append(out, a, b, c)
		}
	}
	for i, tried := 0, 0; len(ring) > 3 && tried < len(ring); {
		n := len(ring)
		i %= n
		switch {
		case at(i).Position == at(i+1).Position: // a duplicate corner: the first stands for both
			ring = append(ring[:(i+1)%n], ring[(i+1)%n+1:]...)
			tried = 0
		case !flatAt(i) && (flatAt(i+1) || flatAt(i-1)):
			emit(ring[(i+n-1)%n], ring[i], ring[(i+1)%n])
			ring = append(ring[:i], ring[i+1:]...)
			tried = 0
		default:
			i++
			tried++
		}
	}
	for i := 2; i < len(ring); i++ {
		emit(ring[0], ring[i-1], ring[i])
	}
	return out
}

// triangles returns the shape without the triangles that can't be drawn.
func triangles(t *world.Triangles) (Mesh, *fault) {
	finite, unit := check(t.Vertices)
	switch {
	case !finite:
		return Mesh{}, faultf("face-number", "a vertex has a coordinate that is not a number")
	case int64(len(t.Vertices)) > math.MaxUint32:
		return Mesh{}, faultf("face-indices", "%d vertices are more than indices can address", len(t.Vertices))
	}
	m := Mesh{Vertices: t.Vertices, Indices: t.Indices}
	outside, empty := 0, 0
	for i := 0; i+2 < len(t.Indices); i += 3 {
		switch drawable(t, i) {
		case outOfRange:
			outside++
		case noArea:
			empty++
		}
	}
	rest := len(t.Indices) % 3
	var bad *fault
	if outside+empty+rest > 0 {
		m.Indices = make([]uint32, 0, len(t.Indices)-rest-3*(outside+empty))
		for i := 0; i+2 < len(t.Indices); i += 3 {
			if drawable(t, i) == drawn {
				m.Indices = append(m.Indices, t.Indices[i:i+3]...)
			}
		}
		bad = faultf("face-degenerate", "%d of %d triangles have no area", empty, len(t.Indices)/3)
		if outside+rest > 0 {
			bad = faultf("face-indices",
				"%d of %d triangles have indices outside the %d vertices, %d have no area, %d indices are left over",
				outside, len(t.Indices)/3, len(t.Vertices), empty, rest)
		}
	}
	if len(m.Indices) == 0 {
		if bad == nil {
			bad = faultf("face-degenerate", "it has no triangles")
		}
		return Mesh{}, bad
	}
	if !unit {
		m.Vertices = withNormals(t.Vertices, m.Indices)
	}
	return m, bad
}

// triangleCheck is the result of checking a triangle.
type triangleCheck uint8

const (
	drawn triangleCheck = iota
	outOfRange
	noArea
)

func drawable(t *world.Triangles, i int) triangleCheck {
	a, b, c := t.Indices[i], t.Indices[i+1], t.Indices[i+2]
	if n := uint32(len(t.Vertices)); a >= n || b >= n || c >= n {
		return outOfRange
	}
	if a == b || b == c || c == a || flat(&t.Vertices[a], &t.Vertices[b], &t.Vertices[c]) {
		return noArea
	}
	return drawn
}
