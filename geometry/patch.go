package geometry

import (
	"math"
	"sort"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// The engine's numbers (tr_curve.c, R_SubdividePatchToGrid).
const (
	mostPoints   = 65  // of a grid along an axis, beyond which nothing is cut (MAX_GRID_SIZE)
	collinear    = 0.1 // map units from the line below which a middle point is left out
	mostControl  = 1 << 15
	closedWithin = 1.0 // map units squared between opposite borders of a closed patch
)

// mostDepth bounds how often a span is halved. A quarter of the error remains each time, so that the largest curve of
// a Quake III map (65,536 units) is within 0.1 units of its line by then.
const mostDepth = 10

// fineness is how closely patches are followed.
//
// A place along an axis of a patch is an integer, so that places of both sides of a border compare equal: span (of
// three control points) s ends at (s+1)*unit.
type fineness struct {
	maxError float64
	level    int   // steps per span; 0 follows maxError
	unit     int32 // places per span: a multiple of level, and at least 2048
}

func newFineness(o Options) fineness {
	f := fineness{o.PatchError, min(max(0, o.PatchLevel), 32), 2 << mostDepth}
	if !(f.maxError >= collinear) { // NaN too
		f.maxError = collinear
	}
	if f.level > 0 {
		l := int32(f.level)
		f.unit = (f.unit + l - 1) / l * l
	}
	return f
}

// patch is a world.Patch on its way to a mesh.
type patch struct {
	surface       int // index in builder.surfaces
	width, height int
	control       []world.Vertex
	corners       []int32 // for control points on the border, the index of the point they were welded to; by control point
	columns, rows []int32 // places along u and v where the grid has points, ascending
	extra         [4][]extra
}

// extra is a point on a border that a neighbour has and the grid has not.
type extra struct {
	place    int32
	moved    bool // to position, where a neighbour has it
	position [3]float32
}

// vertices is how many the mesh will have.
func (p *patch) vertices() int {
	n := len(p.columns) * len(p.rows)
	for _, e := range p.extra {
		n += len(e)
	}
	return n
}

// checkPatch says why a patch can't be tessellated, or nil.
func checkPatch(p *world.Patch) *fault {
	n := len(p.Control)
	if p.Width < 3 || p.Height < 3 || p.Width%2 == 0 || p.Height%2 == 0 || p.Width > mostControl || p.Height > mostControl || p.Width*p.Height != n {
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
// ends, first along the columns, then, with the columns that brought, along the rows. A span's middle is a point of
// the grid too unless it is on the line in all rows. So a grid is about four times closer to its surface than the
// error says, as it is in the engine.
func (p *patch) plan(f fineness, s *subdivider) {
	if f.level > 0 {
		p.columns, p.rows = f.steps(p.width/2), f.steps(p.height/2)
		return
	}
	net := grow(&s.net, p.width*p.height)
	for i := range net {
		net[i] = toVec(p.control[i].Position)
	}
	var lines int
	p.columns, lines = s.divide(f, p.height, p.width)
	p.rows, _ = s.divide(f, lines, p.height)
}

// steps are the places of a fixed level.
func (f fineness) steps(spans int) []int32 {
	out := make([]int32, spans*f.level+1)
	for i := range out {
		out[i] = int32(i) * (f.unit / int32(f.level))
	}
	return out
}

// subdivider halves the spans of a net of control points. Its memory is used again for the next net.
type subdivider struct {
	net        []vec // line by line
	spans, old []span
	points     []vec // of spans, three per line
}

// span is a part of the lines of a net that has three control points per line.
type span struct {
	place, size int32
	first       int // index of the first line's first point in subdivider.points
	err         float64
	done        bool
}

// divide returns the places where the lines of the net, each of n points, are cut. The net becomes the one of the
// cut spans, transposed; it has the returned number of lines.
func (s *subdivider) divide(f fineness, lines, n int) (places []int32, cut int) {
	s.points, s.spans = s.points[:0], s.spans[:0]
	for i := 0; i+2 < n; i += 2 {
		s.spans = append(s.spans, span{place: int32(i/2) * f.unit, size: f.unit, first: len(s.points)})
		for l := range lines {
			s.points = append(s.points, s.net[l*n+i:l*n+i+3]...)
		}
	}
	// Each span is halved once per round, so that none uses up the points of the grid before its neighbours.
	for more := true; more; {
		more = false
		points := 2*len(s.spans) + 1
		s.old, s.spans = s.spans, s.old[:0]
		for _, p := range s.old {
			if !p.done {
				p.err = s.bend(p.first, lines)
				p.done = true
				if p.err > f.maxError && points+2 <= mostPoints && p.size > f.unit>>mostDepth {
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
	return append(places, int32(n/2)*f.unit), cut
}

// halve appends the halves of p to the spans.
func (s *subdivider) halve(p span, lines int) {
	half := len(s.points)
	for range 2 * 3 * lines {
		s.points = append(s.points, vec{})
	}
	for l := range lines {
		old := s.points[p.first+3*l:]
		a, b, c := old[0], old[1], old[2]
		ab, bc := a.mid(b), b.mid(c)
		m := ab.mid(bc)
		copy(s.points[half+3*l:], []vec{a, ab, m})
		copy(s.points[half+3*lines+3*l:], []vec{m, bc, c})
	}
	size := p.size / 2
	s.spans = append(s.spans,
		span{place: p.place, size: size, first: half},
		span{place: p.place + size, size: size, first: half + 3*lines})
}

// bend is the farthest that the middle of a curve in a span is from the line between its ends.
func (s *subdivider) bend(first, lines int) float64 {
	worst := 0.0
	for l := range lines {
		p := s.points[first+3*l:]
		worst = max(worst, bend(p[0], p[1], p[2]))
	}
	return math.Sqrt(worst)
}

// bend is the square of the distance of the middle of the curve of a, b and c from the line from a to c.
func bend(a, b, c vec) float64 {
	m := a.mid(b).mid(b.mid(c)).sub(a)
	line := c.sub(a)
	if l := line.dot(line); l > 0 {
		m = m.sub(line.scale(m.dot(line) / l))
	}
	return m.dot(m)
}

// grow returns n elements of *s, with what fits of the old ones.
func grow[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = append(make([]T, 0, n), *s...)
	}
	*s = (*s)[:n]
	return *s
}

// numbers are the position, UV, luxel and colour of a vertex.
type numbers [11]float64

func toNumbers(v *world.Vertex) numbers {
	return numbers{
		float64(v.Position[0]), float64(v.Position[1]), float64(v.Position[2]),
		float64(v.UV[0]), float64(v.UV[1]), float64(v.Luxel[0]), float64(v.Luxel[1]),
		float64(v.Color[0]), float64(v.Color[1]), float64(v.Color[2]), float64(v.Color[3]),
	}
}

func (n *numbers) position() vec { return vec{n[0], n[1], n[2]} }

// to sets v but for its normal.
func (n *numbers) to(v *world.Vertex) {
	v.Position = n.position().float32()
	v.UV = [2]float32{float32(n[3]), float32(n[4])}
	v.Luxel = [2]float32{float32(n[5]), float32(n[6])}
	v.Color = [4]float32{float32(n[7]), float32(n[8]), float32(n[9]), float32(n[10])}
}

// weights are those of three control points at a place of a span.
//
// Both patches at a border must get the same bits from its control points, from either end. So the outer products are
// summed first, and the conversions keep the compiler from fusing them: then a and c may change places.
type weights struct{ a, b, c float64 }

func (f fineness) weights(place int32) weights {
	u, k := float64(f.unit), float64(place)
	return weights{(u - k) * (u - k) / (u * u), 2 * k * (u - k) / (u * u), k * k / (u * u)}
}

func (w weights) curve(a, b, c *numbers, out *numbers) {
	for i := range out {
		out[i] = float64(a[i]*w.a) + float64(c[i]*w.c) + float64(b[i]*w.b)
	}
}

// point is curve for a position or a direction.
func (w weights) point(a, b, c vec) (p vec) {
	for i := range p {
		p[i] = float64(a[i]*w.a) + float64(c[i]*w.c) + float64(b[i]*w.b)
	}
	return p
}

// split returns the span of a place and the place in it. The last place of an axis is in the last span.
func (f fineness) split(place int32, spans int) (span int, in int32) {
	span = min(int(place/f.unit), spans-1)
	return span, place - int32(span)*f.unit
}

// tessellator makes meshes of patches. Its memory is used again for the next patch.
type tessellator struct {
	f                fineness
	p                *patch
	closedX, closedY bool
	control          []numbers
	line             []linePoint // the control points of the column at hand
	bent             []int       // vertices of the grid whose normal the surface does not tell
	chains           [4][]corner // of the cell at hand
}

// linePoint is a control point of a column: where the rows of control points are at its place. The directions along
// u before and after it differ where two spans meet.
type linePoint struct {
	numbers
	west, east vec
}

// mesh returns the triangles of a patch. Its vertices are the grid row by row and then the extra points.
func (t *tessellator) mesh(f fineness, p *patch) (Mesh, *fault) {
	t.f, t.p = f, p
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

// closed reports whether n control points from first, each step apart, are where those at an offset of last are.
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
	span, in := t.f.split(place, w/2)
	weights := t.f.weights(in)
	before, after := neighbours(span, in, t.f.unit, w, t.closedX)
	for r := range t.line {
		row := t.control[r*w : (r+1)*w]
		l := &t.line[r]
		weights.curve(&row[2*span], &row[2*span+1], &row[2*span+2], &l.numbers)
		l.east = slope(row[2*span].position(), row[2*span+1].position(), row[2*span+2].position(), in, t.f.unit)
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

// slope is the direction of a curve at a place of its span.
func slope(a, b, c vec, in, unit int32) vec {
	t := float64(in) / float64(unit)
	return b.sub(a).scale(1 - t).add(c.sub(b).scale(t))
}

// point sets v to the vertex of the column at a place. It reports false where the surface has no normal: at a tip,
// where a border is one point, or where control points coincide.
func (t *tessellator) point(place int32, v *world.Vertex) bool {
	span, in := t.f.split(place, t.p.height/2)
	weights := t.f.weights(in)
	a, b, c := &t.line[2*span], &t.line[2*span+1], &t.line[2*span+2]
	var n numbers
	weights.curve(&a.numbers, &b.numbers, &c.numbers, &n)
	n.to(v)

	north := slope(a.position(), b.position(), c.position(), in, t.f.unit)
	south := north
	before, after := neighbours(span, in, t.f.unit, t.p.height, t.closedY)
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

// corner4 is the mean of the normals between the directions along u and v on both sides of a point.
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

// between is the normal of a surface with the directions u and v; ok is false where they are (nearly) one.
func between(u, v vec) (vec, bool) {
	n := u.cross(v)
	l := n.dot(n)
	if !(l > 1e-12*u.dot(u)*v.dot(v)) {
		return vec{}, false
	}
	return n.unit()
}

// middle is a normal for points that have none: that of the patch as the quad of its corners, or up.
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
func (t *tessellator) extra(side int, e extra, vertices []world.Vertex, i int) {
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

// corner is a vertex on the border of a cell.
type corner struct {
	index uint32
	place int32 // along its side
}

// triangles appends the triangles of the grid's cells. They are halved as in the engine, from the top left to the
// bottom right (tr_surface.c, RB_SurfaceGrid).
func (t *tessellator) triangles(m *Mesh) {
	p := t.p
	w, h := len(p.columns), len(p.rows)
	var starts [4]uint32 // of the extra points of each side
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
