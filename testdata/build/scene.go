package main

import (
	"math"
	"sort"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
)

// look says how a shader is baked and mapped. The zero look is an opaque wall that reflects half of the light.
type look struct {
	albedo          vec     // of the light; 0 is a mid grey
	emit            vec     // light sent out by each unit of area
	size            float64 // units per repeat of the texture; 0 is 128, negative stretches it over the face once
	luxel           float64 // units per luxel; 0 is 8
	noShadow        bool    // light passes
	noLight         bool    // surfaceparm nolightmap: the vertices hold white
	sky             bool
	hidden          bool // never drawn: no surface
	flags, contents int32
}

// point is a vertex before it is lit. lx and ly are its place in the chart, in luxels.
type point struct {
	at, normal vec
	s, t       float64
	lx, ly     float64
	color      vec
	alpha      float64
}

// surf is a surface before it is lit.
type surf struct {
	shader string
	look   look
	kind   ibsp.SurfaceType
	points []point
	tris   []int
	w, h   int // of a patch
	chart  *chart
	model  int
	fog    int
	flare  vec // colour
}

// chart is a rectangle of luxels that one or more surfaces share.
type chart struct {
	w, h       int
	page, x, y int
	at         []vec // where each luxel's light is gathered
	normal     []vec
	valid      []bool
	direct     []vec // light that comes straight from a source
	bounced    []vec
	// origin, ds and dt give a planar chart's place: luxel (i, j) is origin + i ds + j dt.
	origin, ds, dt vec
}

// box is a block of air or of solid. Sides are in the order -x +x -y +y -z +z; an empty shader is the first one's.
type box struct {
	min, max vec
	sides    [6]string
	solid    bool
	model    int
}

// scene is a level in the making: blocks of air cut out of endless solid, blocks of solid put back, then whatever else.
type scene struct {
	m      *ibsp.Map
	looks  map[string]look
	boxes  []box
	surfs  []*surf
	lights []light
	models []model
	sun    sun
	sky    vec // light from every part of a sky
}

// model is a brush model: what is added to it is in world space, and moved by -origin when it is written.
type model struct {
	origin vec
	mins   vec
	maxs   vec
	shader string
}

func newScene(looks map[string]look) *scene {
	return &scene{m: &ibsp.Map{}, looks: looks, models: []model{{}}}
}

func (s *scene) shader(name string) int32 {
	l := s.looks[name]
	return s.m.Shader(name, l.flags, l.contents)
}

// air cuts a block out of the solid; sides are shaders of its inner faces.
func (s *scene) air(min, max vec, sides ...string) { s.box(false, min, max, sides) }

// solid puts a block of solid back.
func (s *scene) solid(min, max vec, sides ...string) { s.box(true, min, max, sides) }

func (s *scene) box(solid bool, min, max vec, sides []string) {
	b := box{min: min, max: max, solid: solid}
	for i := range b.sides {
		switch {
		case i < len(sides):
			b.sides[i] = sides[i]
		case len(sides) == 3: // walls, floor, ceiling
			b.sides[i] = sides[0]
		default:
			b.sides[i] = sides[len(sides)-1]
		}
	}
	// Three names are walls, floor and ceiling of air; walls, bottom and top of solid.
	if len(sides) == 3 {
		w := sides[0]
		b.sides = [6]string{w, w, w, w, sides[1], sides[2]}
	}
	s.boxes = append(s.boxes, b)
}

// isSolid reports whether the place is outside all air or inside a solid.
func (s *scene) isSolid(p vec) bool {
	in := false
	for _, b := range s.boxes {
		if p[0] > b.min[0] && p[0] < b.max[0] && p[1] > b.min[1] && p[1] < b.max[1] && p[2] > b.min[2] && p[2] < b.max[2] {
			if b.solid {
				return true
			}
			in = true
		}
	}
	return !in
}

// cuts returns the sorted coordinates of all boxes along an axis between lo and hi, both included.
func (s *scene) cuts(axis int, lo, hi float64) []float64 {
	c := []float64{lo, hi}
	for _, b := range s.boxes {
		for _, x := range []float64{b.min[axis], b.max[axis]} {
			if x > lo && x < hi {
				c = append(c, x)
			}
		}
	}
	sort.Float64s(c)
	n := 1
	for _, x := range c[1:] {
		if x != c[n-1] {
			c[n] = x
			n++
		}
	}
	return c[:n]
}

// cells finds the rectangles of a grid for which keep holds, joined along the first and then the second axis.
func cells(nx, ny int, keep func(i, j int) bool) (rects [][4]int) {
	done := make([]bool, nx*ny)
	free := func(i, j int) bool { return i < nx && j < ny && !done[j*nx+i] && keep(i, j) }
	for j := range ny {
		for i := range nx {
			if !free(i, j) {
				continue
			}
			w, h := 1, 1
			for free(i+w, j) {
				w++
			}
			row := func() bool {
				for k := range w {
					if !free(i+k, j+h) {
						return false
					}
				}
				return true
			}
			for row() {
				h++
			}
			for y := j; y < j+h; y++ {
				for x := i; x < i+w; x++ {
					done[y*nx+x] = true
				}
			}
			rects = append(rects, [4]int{i, j, i + w, j + h})
		}
	}
	return rects
}

// build makes the faces where air meets solid, and the brushes of the solid.
func (s *scene) build() {
	for _, b := range s.boxes {
		for side, name := range b.sides {
			if !s.looks[name].hidden {
				s.faces(b, side, name)
			}
		}
	}
	s.fixJunctions()
	for _, b := range s.hull() {
		s.brush("textures/common/caulk", b.min, b.max)
	}
}

// faces adds what can be seen of one side of a box.
func (s *scene) faces(b box, side int, name string) {
	axis := side / 2
	u, v := (axis+1)%3, (axis+2)%3
	if u > v {
		u, v = v, u
	}
	d, out := b.min[axis], -1.0
	if side%2 == 1 {
		d, out = b.max[axis], 1
	}
	if !b.solid {
		out = -out // air is seen from inside
	}
	cu, cv := s.cuts(u, b.min[u], b.max[u]), s.cuts(v, b.min[v], b.max[v])
	rects := cells(len(cu)-1, len(cv)-1, func(i, j int) bool {
		var p vec
		p[u], p[v] = (cu[i]+cu[i+1])/2, (cv[j]+cv[j+1])/2
		p[axis] = d + out*0.25
		if s.isSolid(p) {
			return false
		}
		p[axis] = d - out*0.25
		return s.isSolid(p)
	})
	if len(rects) == 0 {
		return
	}
	var n vec
	n[axis] = out
	lo, hi := vec{}, vec{}
	lo[axis], hi[axis] = d, d
	lo[u], lo[v], hi[u], hi[v] = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, r := range rects {
		lo[u], hi[u] = math.Min(lo[u], cu[r[0]]), math.Max(hi[u], cu[r[2]])
		lo[v], hi[v] = math.Min(lo[v], cv[r[1]]), math.Max(hi[v], cv[r[3]])
	}
	var eu, ev vec
	eu[u], ev[v] = hi[u]-lo[u], hi[v]-lo[v]
	l := s.looks[name]
	c := s.planarChart(lo, eu, ev, n, l)
	for _, r := range rects {
		var p [4]vec
		for k, at := range [4][2]float64{{cu[r[0]], cv[r[1]]}, {cu[r[2]], cv[r[1]]}, {cu[r[2]], cv[r[3]]}, {cu[r[0]], cv[r[3]]}} {
			p[k][axis], p[k][u], p[k][v] = d, at[0], at[1]
		}
		f := s.polygon(name, p[:], n, c)
		f.model = b.model
		if l.size < 0 {
			fit(f.points, lo, hi, n)
		}
	}
}

// planarChart returns a chart over the parallelogram at lo, or nil if the look takes no light.
func (s *scene) planarChart(lo, eu, ev, n vec, l look) *chart {
	if l.noLight {
		return nil
	}
	luxel := l.luxel
	if luxel == 0 {
		luxel = 8
	}
	count := func(e vec) int { return min(max(int(math.Ceil(e.len()/luxel))+1, 2), 126) }
	c := &chart{w: count(eu), h: count(ev), origin: lo}
	c.ds, c.dt = eu.mul(1/float64(c.w-1)), ev.mul(1/float64(c.h-1))
	for j := range c.h {
		for i := range c.w {
			// A unit away from the edges and the plane, or the neighbouring walls would swallow it.
			fi := math.Min(math.Max(float64(i), 1/c.ds.len()), float64(c.w-1)-1/c.ds.len())
			fj := math.Min(math.Max(float64(j), 1/c.dt.len()), float64(c.h-1)-1/c.dt.len())
			p := lo.add(c.ds.mul(fi)).add(c.dt.mul(fj)).add(n)
			c.at = append(c.at, p)
			c.normal = append(c.normal, n)
			c.valid = append(c.valid, !s.isSolid(p))
		}
	}
	return c
}

// polygon adds a convex flat face. The loop may turn either way; it is stored clockwise seen from the front.
func (s *scene) polygon(name string, loop []vec, n vec, c *chart) *surf {
	f := &surf{shader: name, look: s.looks[name], kind: ibsp.Polygon, chart: c, fog: -1}
	size := f.look.size
	if size == 0 {
		size = 128
	}
	if loop[1].sub(loop[0]).cross(loop[2].sub(loop[0])).dot(n) > 0 {
		r := make([]vec, len(loop))
		for i := range loop {
			r[len(loop)-1-i] = loop[i]
		}
		loop = r
	}
	su, sv := textureAxes(n)
	for _, p := range loop {
		q := point{at: p, normal: n, s: p.dot(su) / size, t: p.dot(sv) / size, color: vec{1, 1, 1}, alpha: 1}
		if c != nil {
			d := p.sub(c.origin)
			q.lx, q.ly = d.dot(c.ds)/c.ds.dot(c.ds), d.dot(c.dt)/c.dt.dot(c.dt)
		}
		f.points = append(f.points, q)
	}
	s.surfs = append(s.surfs, f)
	return f
}

// textureAxes returns the directions of s and t on a plane: t goes down walls, as in q3map.
func textureAxes(n vec) (s, t vec) {
	switch a := (vec{math.Abs(n[0]), math.Abs(n[1]), math.Abs(n[2])}); {
	case a[2] >= a[0] && a[2] >= a[1]:
		return vec{1, 0, 0}, vec{0, -1, 0}
	case a[0] >= a[1]:
		return vec{0, math.Copysign(1, n[0]), 0}, vec{0, 0, -1}
	default:
		return vec{math.Copysign(1, -n[1]), 0, 0}, vec{0, 0, -1}
	}
}

// fit stretches the texture once over the rectangle from lo to hi.
func fit(points []point, lo, hi, n vec) {
	su, sv := textureAxes(n)
	for i := range points {
		for k, a := range []vec{su, sv} {
			x0, x1 := lo.dot(a), hi.dot(a)
			if x0 > x1 {
				x0, x1 = x1, x0
			}
			f := (points[i].at.dot(a) - x0) / (x1 - x0)
			if k == 0 {
				points[i].s = f
			} else {
				points[i].t = f
			}
		}
	}
}

// quad adds a free rectangle with the texture stretched over it: s along eu, t along ev. The front is eu × ev's back
// side, so that a picture is seen upright with eu to the right and ev down.
func (s *scene) quad(name string, at, eu, ev vec) *surf {
	n := ev.cross(eu).unit()
	l := s.looks[name]
	c := s.planarChart(at, eu, ev, n, l)
	f := s.polygon(name, []vec{at, at.add(eu), at.add(eu).add(ev), at.add(ev)}, n, c)
	su, sv := 1.0, 1.0
	if l.size > 0 {
		su, sv = eu.len()/l.size, ev.len()/l.size
	}
	for i := range f.points {
		d := f.points[i].at.sub(at)
		f.points[i].s, f.points[i].t = su*d.dot(eu)/eu.dot(eu), sv*d.dot(ev)/ev.dot(ev)
	}
	return f
}

// fixJunctions puts the corners of other faces into the edges that they lie on, as q3map2 does, so that no cracks show.
func (s *scene) fixJunctions() {
	var corners []vec
	seen := map[vec]bool{}
	for _, f := range s.surfs {
		for _, p := range f.points {
			if f.kind == ibsp.Polygon && !seen[p.at] {
				seen[p.at] = true
				corners = append(corners, p.at)
			}
		}
	}
	for _, f := range s.surfs {
		if f.kind != ibsp.Polygon || f.look.noLight && f.look.noShadow {
			continue
		}
		var out []point
		for i, a := range f.points {
			b := f.points[(i+1)%len(f.points)]
			out = append(out, a)
			d := b.at.sub(a.at)
			var on []float64
			for _, c := range corners {
				k := c.sub(a.at).dot(d) / d.dot(d)
				if k > 1e-6 && k < 1-1e-6 && c.sub(a.at.add(d.mul(k))).len() < 1e-3 {
					on = append(on, k)
				}
			}
			sort.Float64s(on)
			for _, k := range on {
				out = append(out, between(a, b, k))
			}
		}
		if len(out) == len(f.points) {
			continue
		}
		// With points inside edges a fan has flat triangles: q3map2 then adds the middle and draws a wheel.
		mid := point{}
		for _, p := range f.points {
			mid = sum(mid, p, 1/float64(len(f.points)))
		}
		n := len(out)
		f.points = append([]point{mid}, out...)
		f.tris = nil
		for i := range n {
			f.tris = append(f.tris, 0, 1+i, 1+(i+1)%n)
		}
	}
}

func between(a, b point, k float64) point { return sum(sum(point{}, a, 1-k), b, k) }

// sum returns a + k·b in every field.
func sum(a, b point, k float64) point {
	return point{a.at.add(b.at.mul(k)), a.normal.add(b.normal.mul(k)), a.s + k*b.s, a.t + k*b.t, a.lx + k*b.lx, a.ly + k*b.ly,
		a.color.add(b.color.mul(k)), a.alpha + k*b.alpha}
}

// hull returns all that is solid, with a wall of 16 units around the air, in as few boxes as a greedy search finds.
func (s *scene) hull() (boxes []box) {
	lo, hi := vec{math.Inf(1), math.Inf(1), math.Inf(1)}, vec{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for _, b := range s.boxes {
		for i := range 3 {
			lo[i], hi[i] = math.Min(lo[i], b.min[i]-16), math.Max(hi[i], b.max[i]+16)
		}
	}
	cx, cy, cz := s.cuts(0, lo[0], hi[0]), s.cuts(1, lo[1], hi[1]), s.cuts(2, lo[2], hi[2])
	nx, ny, nz := len(cx)-1, len(cy)-1, len(cz)-1
	full := make([]bool, nx*ny*nz)
	for k := range nz {
		for j := range ny {
			for i := range nx {
				full[(k*ny+j)*nx+i] = s.isSolid(vec{(cx[i] + cx[i+1]) / 2, (cy[j] + cy[j+1]) / 2, (cz[k] + cz[k+1]) / 2})
			}
		}
	}
	clear := func(i0, i1, j0, j1, k0, k1 int) bool {
		for k := k0; k < k1; k++ {
			for j := j0; j < j1; j++ {
				for i := i0; i < i1; i++ {
					if !full[(k*ny+j)*nx+i] {
						return false
					}
				}
			}
		}
		return true
	}
	for k := range nz {
		for j := range ny {
			for i := range nx {
				if !full[(k*ny+j)*nx+i] {
					continue
				}
				i1, j1, k1 := i+1, j+1, k+1
				for i1 < nx && clear(i1, i1+1, j, j1, k, k1) {
					i1++
				}
				for j1 < ny && clear(i, i1, j1, j1+1, k, k1) {
					j1++
				}
				for k1 < nz && clear(i, i1, j, j1, k1, k1+1) {
					k1++
				}
				for z := k; z < k1; z++ {
					for y := j; y < j1; y++ {
						for x := i; x < i1; x++ {
							full[(z*ny+y)*nx+x] = false
						}
					}
				}
				boxes = append(boxes, box{min: vec{cx[i], cy[j], cz[k]}, max: vec{cx[i1], cy[j1], cz[k1]}})
			}
		}
	}
	return boxes
}

// brush adds an axial brush to the world and returns its index.
func (s *scene) brush(name string, min, max vec) int32 {
	if len(s.m.Models) == 0 {
		s.m.Models = make([]ibsp.Model, 1)
	}
	w := &s.m.Models[0]
	w.Brushes = append(w.Brushes, s.m.Box(s.shader(name), min.f32(), max.f32()))
	return int32(len(w.Brushes) - 1)
}

// brushModel starts a brush model of one box, whose six faces have the shader unless it is hidden.
func (s *scene) brushModel(name string, min, max, origin vec) int {
	i := len(s.models)
	s.models = append(s.models, model{origin: origin, mins: min, maxs: max, shader: name})
	if s.looks[name].hidden {
		return i
	}
	s.block(name, min, max, i)
	return i
}

// block adds the six faces of a box, each with its own chart, to a model.
func (s *scene) block(name string, min, max vec, model int) {
	d := max.sub(min)
	x, y, z := vec{d[0]}, vec{0, d[1]}, vec{0, 0, d[2]}
	for _, q := range [6][3]vec{
		{min.add(y).add(z), y.mul(-1), z.mul(-1)}, // -x: seen from -x, right is -y
		{max.sub(y), y, z.mul(-1)},
		{min.add(z), x, z.mul(-1)},
		{max, x.mul(-1), z.mul(-1)},
		{min, x, y},
		{max.sub(x), x, y.mul(-1)},
	} {
		s.quad(name, q[0], q[1], q[2]).model = model
	}
}
