package geometry

import (
	"context"
	"fmt"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// An overlay lies this many map units above its host, plus a step for each lower order that occurs in the map, so
// that surfaces don't flicker through each other.
const (
	overlayOffset = 0.1
	overlayStep   = 0.02
)

// edgeOn is the cosine between the normals of an overlay and a triangle of its host below which the triangle is
// edge-on.
const edgeOn = 0.01

// leastPiece is the area in square map units below which a piece of an overlay is left out.
const leastPiece = 0.01

// maxTests limits the triangles that all overlays of a map are tested on, to protect against hostile maps. 512
// overlays (the engine's most) of 64 faces that are all displacements come to 17 million.
const maxTests = 100_000_000

// overlay is a world.Overlay while its mesh is made.
type overlay struct {
	surface, host int // indices in builder.surfaces
	shape         *world.Overlay
}

// cutOverlays cuts the overlays out of the meshes of their hosts.
func (b *builder) cutOverlays(ctx context.Context, w *world.World) error {
	var overlays []overlay
	var orders [256]bool // orders that occur
	tests, start := 0, 0
	for _, m := range w.Models {
		for i := range m.Surfaces {
			s := &m.Surfaces[i]
			shape, ok := s.Shape.(*world.Overlay)
			if !ok {
				continue
			}
			if bad := checkOverlay(shape, m.Surfaces); bad != nil {
				b.meshes[start+i] = bad.mesh(s)
				continue
			}
			host := start + shape.Host
			tests += len(b.meshes[host].Indices) / 3
			if tests > maxTests {
				b.meshes[start+i] = faultf("overlay-limit", "overlays lie on more than %d triangles", maxTests).mesh(s)
				continue
			}
			overlays = append(overlays, overlay{surface: start + i, host: host, shape: shape})
			orders[order(shape)] = true
		}
		start += len(m.Surfaces)
	}
	var heights [256]float64
	next := overlayOffset
	for i, there := range orders {
		heights[i] = next
		if there {
			next += overlayStep
		}
	}
	const some = 32
	err := par.Each(ctx, (len(overlays)+some-1)/some, func(i int) error {
		var c overlayCutter
		for _, o := range overlays[i*some : min((i+1)*some, len(overlays))] {
			if err := ctx.Err(); err != nil {
				return err
			}
			m := c.mesh(o.shape, &b.meshes[o.host], heights[order(o.shape)])
			if err := b.budget.Vertices(int64(len(m.Vertices))); err != nil {
				return fmt.Errorf("overlay %d: %w", b.surfaces[o.surface].Record, err)
			}
			b.meshes[o.surface] = m
		}
		return nil
	})
	return err
}

func order(o *world.Overlay) int { return max(0, min(o.Order, 255)) }

// checkOverlay returns why an overlay can't be drawn, or nil.
func checkOverlay(o *world.Overlay, surfaces []world.Surface) *fault {
	if o.Host < 0 || o.Host >= len(surfaces) {
		return faultf("overlay-host", "its host %d is not one of the model's %d surfaces", o.Host, len(surfaces))
	}
	if _, ok := surfaces[o.Host].Shape.(*world.Overlay); ok {
		return faultf("overlay-host", "its host %d is an overlay", o.Host)
	}
	var sum float32 // of zeros, as in check
	far := isFar(o.Normal)
	for _, c := range o.Corners {
		far = far || isFar(c.Position)
		sum += c.UV[0]*0 + c.UV[1]*0
	}
	if far || sum != 0 {
		return faultf("overlay-number", "a corner has a coordinate that is too large or not a number")
	}
	return nil
}

// overlayCutter cuts overlays, one at a time, reusing its memory.
type overlayCutter struct {
	quad       quad
	poly, next []world.Vertex
	known      map[world.Vertex]uint32
}

// mesh returns the part of a host's mesh that the overlay covers, raised by above map units. It may be empty.
func (c *overlayCutter) mesh(o *world.Overlay, host *Mesh, above float64) (m Mesh) {
	normal, ok := toVec(o.Normal).unit()
	if !ok || !c.quad.set(o, normal) {
		return Mesh{}
	}
	clear(c.known)
	if c.known == nil {
		c.known = map[world.Vertex]uint32{}
	}
	for i := 0; i+2 < len(host.Indices); i += 3 {
		v0, v1, v2 := &host.Vertices[host.Indices[i]], &host.Vertices[host.Indices[i+1]], &host.Vertices[host.Indices[i+2]]
		if c.quad.misses(v0, v1, v2) {
			continue
		}
		if n, ok := area(v0, v1, v2).unit(); !ok || n.dot(normal) <= edgeOn {
			continue
		}
		c.poly = append(c.poly[:0], *v0, *v1, *v2)
		for k := range c.quad.sides {
			c.poly, c.next = c.quad.sides[k].keep(c.next[:0], c.poly), c.poly
		}
		c.add(&m, above)
	}
	return m
}

// add appends a piece, raised by above map units.
func (c *overlayCutter) add(m *Mesh, above float64) {
	if len(c.poly) < 3 {
		return
	}
	var sum vec
	for i := 2; i < len(c.poly); i++ {
		sum = sum.add(area(&c.poly[0], &c.poly[i-1], &c.poly[i]))
	}
	if sum.dot(sum) < 4*leastPiece*leastPiece {
		return
	}
	for i := range c.poly {
		v := &c.poly[i]
		v.UV = c.quad.uv(toVec(v.Position))
		v.Position = toVec(v.Position).add(toVec(v.Normal).scale(above)).float32()
		v.Color = [4]float32{1, 1, 1, 1}
	}
	indices := fans[:3*(len(c.poly)-2)] // of at most 3+4 corners
	if hasFlat(c.poly) {
		indices = clip(c.poly)
	}
	for _, i := range indices {
		v := &c.poly[i]
		at, ok := c.known[*v]
		if !ok {
			at = uint32(len(m.Vertices))
			c.known[*v] = at
			m.Vertices = append(m.Vertices, *v)
		}
		m.Indices = append(m.Indices, at)
	}
}

// quad is the quadrilateral of an overlay.
type quad struct {
	sides   [4]halfSpace
	x, y    vec           // axes of its plane
	origin  vec           // corner 0
	corners [4][2]float64 // from there, along the axes
	uvs     [4][2]float64
}

// halfSpace holds the points p whose normal·p is at least distance.
type halfSpace struct {
	normal   vec
	distance float64
}

// set returns false for a quadrilateral without area.
func (q *quad) set(o *world.Overlay, normal vec) bool {
	q.origin = toVec(o.Corners[0].Position)
	var ok bool
	if q.x, ok = toVec(o.Corners[2].Position).sub(q.origin).cross(normal).unit(); !ok {
		return false
	}
	q.y = normal.cross(q.x)
	for i := range o.Corners {
		p := toVec(o.Corners[i].Position)
		d := p.sub(q.origin)
		q.corners[i] = [2]float64{d.dot(q.x), d.dot(q.y)}
		q.uvs[i] = [2]float64{float64(o.Corners[i].UV[0]), float64(o.Corners[i].UV[1])}
		inward, ok := normal.cross(toVec(o.Corners[(i+1)%4].Position).sub(p)).unit()
		if !ok { // a triangle: this side has no length
			q.sides[i] = halfSpace{distance: -1}
			continue
		}
		q.sides[i] = halfSpace{inward, inward.dot(p)}
	}
	return true
}

// misses reports whether a triangle is beyond one of the sides.
func (q *quad) misses(a, b, c *world.Vertex) bool {
	pa, pb, pc := toVec(a.Position), toVec(b.Position), toVec(c.Position)
	for i := range q.sides {
		s := &q.sides[i]
		if s.normal.dot(pa) <= s.distance && s.normal.dot(pb) <= s.distance && s.normal.dot(pc) <= s.distance {
			return true
		}
	}
	return false
}

// keep appends the part of a polygon in the half space. Polygons that share an edge get the same points on it.
func (h *halfSpace) keep(to, polygon []world.Vertex) []world.Vertex {
	for i := range polygon {
		a, b := &polygon[i], &polygon[(i+1)%len(polygon)]
		da, db := h.normal.dot(toVec(a.Position))-h.distance, h.normal.dot(toVec(b.Position))-h.distance
		if da >= 0 {
			to = append(to, *a)
		}
		if da < 0 && db > 0 || da > 0 && db < 0 {
			if !before(a, b) {
				a, b, da, db = b, a, db, da
			}
			to = append(to, lerp(a, b, da/(da-db)))
		}
	}
	return to
}

// uv returns the texture coordinates at a point: those of the corners, interpolated bilinearly by the point's
// fractions s along side 0 to 1 and t along side 0 to 3.
func (q *quad) uv(p vec) (uv [2]float32) {
	d := p.sub(q.origin)
	s, t := bilinear(&q.corners, [2]float64{d.dot(q.x), d.dot(q.y)})
	for i := range uv {
		low := float64(q.uvs[0][i]*(1-s)) + float64(q.uvs[1][i]*s)
		high := float64(q.uvs[3][i]*(1-s)) + float64(q.uvs[2][i]*s)
		uv[i] = float32(float64(low*(1-t)) + float64(high*t))
	}
	return uv
}

// bilinear returns the position of a point in a convex, counter-clockwise quadrilateral: s from 0 at side 3 to 1 at
// side 1, t from 0 at side 0 to 1 at side 2.
//
// With e = c1-c0, f = c3-c0, g = c0-c1+c2-c3 and h = p-c0, the point is h = e·s + f·t + g·s·t. Eliminating s leaves
// (g×f)·t² + (e×f + h×g)·t + h×e = 0.
func bilinear(c *[4][2]float64, p [2]float64) (s, t float64) {
	var e, f, g, h [2]float64
	for i := range 2 {
		e[i], f[i] = c[1][i]-c[0][i], c[3][i]-c[0][i]
		g[i] = c[2][i] - c[3][i] - e[i]
		h[i] = p[i] - c[0][i]
	}
	t = rootNear(cross2(g, f), cross2(e, f)+cross2(h, g), cross2(h, e))
	k := 0
	along := [2]float64{e[0] + float64(g[0]*t), e[1] + float64(g[1]*t)}
	if math.Abs(along[1]) > math.Abs(along[0]) {
		k = 1
	}
	if along[k] != 0 {
		s = (h[k] - float64(f[k]*t)) / along[k]
	}
	return max(0, min(s, 1)), t
}

func cross2(a, b [2]float64) float64 { return float64(a[0]*b[1]) - float64(a[1]*b[0]) }

// rootNear returns the root of a·t² + b·t + c nearest to the interval 0 to 1, clamped to it; 0 if there is none.
func rootNear(a, b, c float64) float64 {
	// q/a and c/q are the roots; the second stays accurate as a goes to 0 (Numerical Recipes, 5.6).
	q := -(b + math.Copysign(math.Sqrt(max(0, float64(b*b)-float64(4*a*c))), b)) / 2
	best, off := 0.0, math.Inf(1)
	for _, t := range [2]float64{c / q, q / a} {
		inside := max(0, min(t, 1))
		if d := math.Abs(t - inside); d < off { // false if t is NaN
			best, off = inside, d
		}
	}
	return best
}
