package geometry

import (
	"math"
	"slices"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Cut returns m with its triangles cut along the lines where a luxel coordinate is a multiple of step, so that none
// lies in more than one cell of that grid. All numbers are interpolated linearly. Triangles of m that share an edge (or
// have edges of equal vertices) share its new vertices to the bit, so there are no T-junctions. A vertex within 1/10,000 of a
// step from a line counts as on it. The step is doubled until the result has at most limit vertices; if m alone has
// as many, or step is not above 0, m is returned.
func Cut(m Mesh, step float64, limit int) Mesh {
	most := 0.0
	for i := range m.Vertices {
		l := m.Vertices[i].Luxel
		most = max(most, math.Abs(float64(l[0])), math.Abs(float64(l[1])))
	}
	if !(step > 0) || !(most <= maxLuxel) || len(m.Vertices) >= limit {
		return m
	}
	c := cutters.Get().(*cutter)
	defer cutters.Put(c)
	// With a larger step only the lines at 0 could cut.
	for ; step <= 2*most; step *= 2 {
		if out, ok := c.cut(m, step, limit); ok {
			return out
		}
	}
	if out, ok := c.cut(m, step, limit); ok {
		return out
	}
	return m
}

// cutters keeps the lists of cutters, because a map has thousands of small surfaces.
var cutters = sync.Pool{New: func() any { return &cutter{} }}

// maxLuxel is far beyond any chart, and small enough for float32 to resolve luxels.
const maxLuxel = 1 << 20

// onLine is the distance in steps from a line at which a vertex is on it.
const onLine = 1e-4

// cutter cuts along the lines of one axis and then, the pieces, along those of the other. The pieces stay convex
// polygons until the end, because intermediate triangles would be cut further.
type cutter struct {
	step     float64
	limit    int
	vertices []world.Vertex
	blends   [][4]float32 // as of Mesh
	corners  []uint32     // of all polygons
	ends     []int        // of each polygon in corners
	whole    []uint32     // corners before the cut along an axis
	wholes   []int        // ends before it
	heads    []int32      // by vertex, the first of edges that have it as their lower end, or -1
	edges    []edge
	ring     []ringCorner
	strips   []int // counts, then ends
}

// edge is the line between two vertices, with the vertices where it is cut.
type edge struct {
	high  uint32
	first uint32 // new vertices, in the order from the edge's canonical start
	count int32
	next  int32 // next edge with the same lower end, or -1
}

// ringCorner is a corner of a polygon whose edges are cut. Low and high are the strips that it is in.
type ringCorner struct {
	index     uint32
	low, high int
}

// cut returns m cut along both axes. It reports false if there would be more than limit vertices.
func (c *cutter) cut(m Mesh, step float64, limit int) (Mesh, bool) {
	c.step, c.limit = step, limit
	c.vertices = append(c.vertices[:0], m.Vertices...)
	c.blends = c.blends[:0]
	if m.Blends != nil {
		c.blends = append(c.blends, m.Blends...)
	}
	c.corners, c.ends = append(c.corners[:0], m.Indices...), c.ends[:0]
	for i := 3; i <= len(m.Indices); i += 3 {
		c.ends = append(c.ends, i)
	}
	if !c.axis(0) || !c.axis(1) {
		return Mesh{}, false
	}
	if len(c.vertices) == len(m.Vertices) {
		return m, true
	}
	out := Mesh{Vertices: slices.Clone(c.vertices), Indices: make([]uint32, 0, 3*max(0, len(c.corners)-2*len(c.ends))), Issues: m.Issues}
	if m.Blends != nil {
		out.Blends = slices.Clone(c.blends)
	}
	start := 0
	for _, end := range c.ends {
		for i := start + 2; i < end; i++ {
			out.add(c.corners[start], c.corners[i-1], c.corners[i])
		}
		start = end
	}
	return out, true
}

// axis cuts all polygons along the lines of an axis. It reports false if there would be too many vertices.
func (c *cutter) axis(axis int) bool {
	c.heads = c.heads[:0]
	for range c.vertices {
		c.heads = append(c.heads, -1)
	}
	c.edges = c.edges[:0]
	c.whole, c.corners = c.corners, c.whole[:0]
	c.wholes, c.ends = c.ends, c.wholes[:0]
	start := 0
	for _, end := range c.wholes {
		if !c.polygon(c.whole[start:end], axis) {
			return false
		}
		start = end
	}
	return true
}

// lines returns the first of the lines strictly between a and b and how many there are.
func lines(a, b float64) (first, count float64) {
	if a > b {
		a, b = b, a
	}
	first = math.Ceil(a + onLine)
	return first, max(0, math.Floor(b-onLine)-first+1)
}

func (c *cutter) at(v uint32, axis int) float64 { return float64(c.vertices[v].Luxel[axis]) / c.step }

// polygon cuts a polygon into strips between the lines of an axis.
func (c *cutter) polygon(p []uint32, axis int) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range p {
		q := c.at(v, axis)
		low, high = min(low, q), max(high, q)
	}
	first, count := lines(low, high)
	if count == 0 {
		c.corners = append(c.corners, p...)
		c.ends = append(c.ends, len(c.corners))
		return true
	}
	if count > float64(c.limit) {
		return false
	}
	last := int(count)
	// strip is the strip of a coordinate off the lines: 0 is before the first line.
	strip := func(q float64) int { return int(max(0, min(math.Floor(q)-first+1, count))) }

	c.ring = c.ring[:0]
	for i, v := range p {
		q := c.at(v, axis)
		if r := math.Round(q); math.Abs(q-r) <= onLine {
			s := int(max(-1, min(r-first, count)))
			c.ring = append(c.ring, ringCorner{v, max(0, s), min(s+1, last)})
		} else {
			c.ring = append(c.ring, ringCorner{v, strip(q), strip(q)})
		}
		w := p[(i+1)%len(p)]
		e, forward, ok := c.edge(v, w, axis)
		if !ok {
			return false
		}
		for k := range e.count {
			index := e.first + uint32(k)
			if !forward {
				index = e.first + uint32(e.count-1-k)
			}
			s := int(max(0, min(math.Round(c.at(index, axis))-first, count-1)))
			c.ring = append(c.ring, ringCorner{index, s, s + 1})
		}
	}

	// The corners of each strip, in the order of the ring: a convex polygon.
	c.strips = c.strips[:0]
	for range last + 2 {
		c.strips = append(c.strips, 0)
	}
	for _, r := range c.ring {
		for s := r.low; s <= r.high; s++ {
			c.strips[s+1]++
		}
	}
	base := len(c.corners)
	c.strips[0] = base
	for s := 1; s < len(c.strips); s++ {
		c.strips[s] += c.strips[s-1]
	}
	for range c.strips[last+1] - base {
		c.corners = append(c.corners, 0)
	}
	for _, r := range c.ring {
		for s := r.low; s <= r.high; s++ {
			c.corners[c.strips[s]] = r.index
			c.strips[s]++
		}
	}
	for s := range last + 1 {
		c.ends = append(c.ends, c.strips[s])
	}
	return true
}

// edge returns the edge from v to w, with its new vertices, and whether they are in the order from v.
// It reports false if there would be too many vertices.
func (c *cutter) edge(v, w uint32, axis int) (e edge, forward, ok bool) {
	a, b := v, w
	if before(&c.vertices[w], &c.vertices[v]) {
		a, b = w, v
	}
	forward = a == v
	from, to := c.at(a, axis), c.at(b, axis)
	first, count := lines(from, to)
	if count == 0 {
		return edge{}, forward, true
	}
	low, high := min(v, w), max(v, w)
	// New vertices are never the lower end of a requested edge: heads has only the old ones.
	for i := c.heads[low]; i >= 0; i = c.edges[i].next {
		if c.edges[i].high == high {
			return c.edges[i], forward, true
		}
	}
	if float64(len(c.vertices))+count > float64(c.limit) {
		return edge{}, false, false
	}
	e = edge{high, uint32(len(c.vertices)), int32(count), c.heads[low]}
	c.heads[low] = int32(len(c.edges))
	c.edges = append(c.edges, e)
	for k := range int(count) {
		line := first + float64(k)
		if from > to {
			line = first + count - 1 - float64(k)
		}
		t := (line - from) / (to - from)
		n := lerp(&c.vertices[a], &c.vertices[b], t)
		n.Luxel[axis] = float32(line * c.step)
		c.vertices = append(c.vertices, n)
		if len(c.blends) > 0 {
			c.blends = append(c.blends, lerpBlend(c.blends[a], c.blends[b], t))
		}
	}
	return e, forward, true
}

// before orders vertices by their values, so that edges of equal vertices are cut from the same end.
func before(a, b *world.Vertex) bool {
	for i := range a.Luxel {
		if a.Luxel[i] != b.Luxel[i] {
			return a.Luxel[i] < b.Luxel[i]
		}
	}
	for i := range a.Position {
		if a.Position[i] != b.Position[i] {
			return a.Position[i] < b.Position[i]
		}
	}
	return false
}

// lerpBlend returns the weights at t between a and b.
func lerpBlend(a, b [4]float32, t float64) (out [4]float32) {
	for i := range out {
		out[i] = mix(a[i], b[i], t)
	}
	return out
}

// mix returns the number at t between a and b.
func mix(a, b float32, t float64) float32 {
	return float32(float64(a) + float64((float64(b)-float64(a))*t))
}

// lerp returns the vertex at t between a and b, with a unit normal.
func lerp(a, b *world.Vertex, t float64) world.Vertex {
	out := *a
	var n vec
	for i := range 3 {
		out.Position[i] = mix(a.Position[i], b.Position[i], t)
		n[i] = float64(a.Normal[i]) + float64((float64(b.Normal[i])-float64(a.Normal[i]))*t)
	}
	if n, ok := n.unit(); ok {
		out.Normal = n.float32()
	}
	for i := range 2 {
		out.UV[i] = mix(a.UV[i], b.UV[i], t)
		out.Luxel[i] = mix(a.Luxel[i], b.Luxel[i], t)
	}
	for i := range 4 {
		out.Color[i] = mix(a.Color[i], b.Color[i], t)
	}
	return out
}
