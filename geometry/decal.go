package geometry

import (
	"fmt"
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

const (
	// decalReach is the distance in map units within which a decal finds the surface that it lies on: the engine
	// traces 5 units to either side along each axis (CDecal::StaticDecal).
	decalReach = 8
	// decalDistance is how far in map units the middle of a decal may be from the planes of the other surfaces that it
	// lies on (DECAL_DISTANCE).
	decalDistance = 4
	// behind is the distance in map units that a decal may be behind a surface before surfaces that it is in front of
	// are preferred.
	behind = 1
	// samePlane is the least cosine of the angle between surfaces that share a decal.
	samePlane = 0.9
	// onFloor is the least Z component of a floor's or ceiling's normal (SIN_45_DEGREES).
	onFloor = 0.70710678
	// maxHosts is the most surfaces that one decal lies on, as for overlays in the engine.
	maxHosts = 64
	// maxLooks limits how often decals are tested against surfaces or pieces of them, and maxThrown the overlays
	// they become, to protect against hostile maps.
	maxLooks  = 100_000_000
	maxThrown = 1 << 18
	// decalOrder is the Order of the first decal: they are drawn after overlays. Decals that follow each other are at
	// different heights.
	decalOrder, decalOrders = 240, 16
)

// undecalled are the flags of surfaces that no decal lies on.
const undecalled = world.Sky | world.NoDraw | world.Trigger | world.Hint | world.Clip | world.Liquid

// Decals appends an Overlay to the models for each surface that a decal lies on, and returns the issues. The size of
// w.Decals[i] is sizes[i], width and height in map units; one without a size above 0 is skipped. Decals lie on the
// world, on the models of entities in their places, and on the 3D skybox.
//
// A decal lies in the plane of the surface that is nearest to its point, upright on walls and along the world's axes on
// floors and ceilings, and on the surfaces around that face nearly the same way (R_DecalSurface of gl_rsurf projects on
// each surface separately, so in the engine decals go around corners).
func Decals(w *world.World, sizes [][2]float64) []world.Issue {
	decals := w.Decals[:min(len(w.Decals), len(sizes))]
	if len(decals) == 0 {
		return nil
	}
	var issues []world.Issue
	d := newDecalWall(w)
	for i, decal := range decals {
		size := sizes[i]
		if !(size[0] > 0) || !(size[1] > 0) || size[0] > farthest || size[1] > farthest {
			continue
		}
		where := fmt.Sprintf("entity %d", decal.Entity)
		if d.looks > maxLooks || len(d.added) > maxThrown {
			issues = append(issues, world.Issue{Code: "decal-limit", Where: where,
				Detail: fmt.Sprintf("the decals before it were tested on %d surfaces and lie on %d", d.looks, len(d.added))})
			continue
		}
		point := toVec(decal.Position)
		base, ok := d.base(point)
		if !ok {
			issues = append(issues, world.Issue{Code: "decal-nowhere", Where: where,
				Detail: fmt.Sprintf("no surface is within %d units of %g %g %g", decalReach, point[0], point[1], point[2])})
			continue
		}
		d.throw(w, i, newDecalQuad(point, base, size))
	}
	for _, a := range d.added {
		m := &w.Models[a.model]
		m.Surfaces = append(m.Surfaces, a.surface)
	}
	return issues
}

// decalTargets holds the surfaces that decals can lie on.
type decalTargets struct {
	candidates []candidate
	added      []addedDecal
	corners    []vec // of the current facet
	looks      int
}

// candidate is a surface that decals can lie on.
type candidate struct {
	model, surface int
	shape          world.Shape
	origin         vec // of the model
	low, high      vec // bounds of the surface in the map
}

// addedDecal is a surface to add to a model. Surfaces are added at the end, because candidates refer to the shapes.
type addedDecal struct {
	model   int
	surface world.Surface
}

// newDecalWall collects the surfaces of the world, of the 3D skybox and of the models of entities. If entities share a
// model the first counts; one that rotates its model is left out.
func newDecalWall(w *world.World) *decalTargets {
	d := &decalTargets{}
	known := make([]bool, len(w.Models))
	add := func(model int, origin vec) {
		if model < 0 || model >= len(w.Models) || known[model] {
			return
		}
		known[model] = true
		for i := range w.Models[model].Surfaces {
			s := &w.Models[model].Surfaces[i]
			if s.Flags&undecalled != 0 {
				continue
			}
			c := candidate{model: model, surface: i, shape: s.Shape, origin: origin}
			if d.bound(&c) {
				d.candidates = append(d.candidates, c)
			}
		}
	}
	add(0, vec{})
	if w.Sky.Skybox3D != nil {
		add(w.Sky.Skybox3D.Model, vec{})
	}
	for i := range w.Entities {
		e := &w.Entities[i]
		if e.Model <= 0 || e.ModelAngles != [3]float32{} {
			continue
		}
		origin, _ := e.Vector("origin")
		add(e.Model, toVec(origin))
	}
	return d
}

// bound sets the box of a candidate. It reports false for a surface without facets.
func (d *decalTargets) bound(c *candidate) bool {
	inf := math.Inf(1)
	c.low, c.high = vec{inf, inf, inf}, vec{-inf, -inf, -inf}
	d.facets(c, func(corners []vec, _ vec) {
		for _, p := range corners {
			for k := range p {
				c.low[k], c.high[k] = min(c.low[k], p[k]), max(c.high[k], p[k])
			}
		}
	})
	return c.low[0] <= c.high[0]
}

// facets calls f with the flat pieces of a surface in the map, and their normals.
func (d *decalTargets) facets(c *candidate, f func(corners []vec, normal vec)) {
	call := func() {
		d.looks++
		var sum vec
		for i := 2; i < len(d.corners); i++ {
			sum = sum.add(d.corners[i-1].sub(d.corners[0]).cross(d.corners[i].sub(d.corners[0])))
		}
		if n, ok := sum.unit(); ok {
			f(d.corners, n)
		}
	}
	switch s := c.shape.(type) {
	case *world.Polygon:
		d.corners = d.corners[:0]
		for i := range s.Corners {
			d.corners = append(d.corners, toVec(s.Corners[i].Position).add(c.origin))
		}
		call()
	case *world.Triangles:
		for i := 0; i+2 < len(s.Indices); i += 3 {
			d.corners = d.corners[:0]
			for _, v := range s.Indices[i : i+3] {
				if int64(v) < int64(len(s.Vertices)) {
					d.corners = append(d.corners, toVec(s.Vertices[v].Position).add(c.origin))
				}
			}
			call()
		}
	case *world.Displacement:
		if checkDisplacement(s) != nil {
			return
		}
		grid := displacement{shape: s, n: 1<<s.Power + 1}
		grid.grid()
		for i, t := 0, grids()[s.Power]; i < len(t); i += 3 {
			if s.Removed != nil && s.Removed[i/3] {
				continue
			}
			d.corners = d.corners[:0]
			for _, v := range t[i : i+3] {
				d.corners = append(d.corners, toVec(grid.vertices[v].Position).add(c.origin))
			}
			call()
		}
	}
}

// near reports whether a point is within a distance of the box of a candidate.
func (c *candidate) near(p vec, distance float64) bool {
	for k := range p {
		if !(p[k] >= c.low[k]-distance && p[k] <= c.high[k]+distance) {
			return false
		}
	}
	return true
}

// base returns the plane that a decal at p lies in: that of the nearest surface in reach, preferring those that p
// is in front of.
func (d *decalTargets) base(p vec) (base plane, ok bool) {
	best, front := math.Inf(1), false
	d.looks += 2 * len(d.candidates) // including those of throw
	for i := range d.candidates {
		c := &d.candidates[i]
		if !c.near(p, decalReach) {
			continue
		}
		d.facets(c, func(corners []vec, normal vec) {
			off := distanceToFacet(p, corners, normal)
			inFront := p.sub(corners[0]).dot(normal) >= -behind
			if off <= decalReach && (inFront && !front || inFront == front && off < best) {
				best, front, ok = off, inFront, true
				base = plane{normal, normal.dot(corners[0])}
			}
		})
	}
	return base, ok
}

// distanceToFacet returns how far p is from a convex polygon.
func distanceToFacet(p vec, corners []vec, normal vec) float64 {
	best, inside := math.Inf(1), true
	for i, a := range corners {
		line := corners[(i+1)%len(corners)].sub(a)
		d := p.sub(a)
		if normal.cross(line).dot(d) < 0 {
			inside = false
		}
		t := 0.0
		if l := line.dot(line); l > 0 {
			t = max(0, min(d.dot(line)/l, 1))
		}
		off := d.sub(line.scale(t))
		best = min(best, off.dot(off))
	}
	if inside {
		return math.Abs(p.sub(corners[0]).dot(normal))
	}
	return math.Sqrt(best)
}

// decalQuad is the rectangle of a decal.
type decalQuad struct {
	middle       vec
	normal, x, y vec // x to the right and y up, seen from the front
	width        float64
	height       float64
}

// newDecalQuad places a decal as R_DecalComputeBasis does.
func newDecalQuad(p vec, base plane, size [2]float64) decalQuad {
	q := decalQuad{normal: base.normal, width: size[0], height: size[1]}
	q.middle = p.sub(base.normal.scale(p.dot(base.normal) - base.distance))
	if math.Abs(base.normal[2]) > onFloor {
		q.y, _ = base.normal.cross(vec{1, 0, 0}).unit()
		q.x = q.y.cross(base.normal)
	} else {
		q.x, _ = vec{0, 0, 1}.cross(base.normal).unit()
		q.y = base.normal.cross(q.x)
	}
	return q
}

// throw projects a decal on the surfaces that it lies on.
func (d *decalTargets) throw(w *world.World, index int, q decalQuad) {
	decal := &w.Decals[index]
	radius := math.Hypot(q.width, q.height)/2 + decalDistance
	hosts := 0
	for i := range d.candidates {
		c := &d.candidates[i]
		if hosts == maxHosts {
			return
		}
		if !c.near(q.middle, radius) || !d.touches(c, &q) {
			continue
		}
		hosts++
		host := &w.Models[c.model].Surfaces[c.surface]
		o := &world.Overlay{Normal: q.normal.float32(), Host: c.surface, Order: decalOrder + index%decalOrders}
		for k, at := range [4][2]float64{{0, 1}, {1, 1}, {1, 0}, {0, 0}} { // of the texture
			p := q.middle.add(q.x.scale((at[0] - 0.5) * q.width)).add(q.y.scale((0.5 - at[1]) * q.height)).sub(c.origin)
			o.Corners[k] = world.Corner{Position: p.float32(), UV: [2]float32{float32(at[0]), float32(at[1])}}
		}
		d.added = append(d.added, addedDecal{c.model, world.Surface{
			Shape: o, Material: decal.Material, Chart: host.Chart, Fog: host.Fog, Record: index,
		}})
	}
}

// touches reports whether a facet of a candidate faces nearly as a decal does, in a plane near its middle, and overlaps its
// rectangle.
func (d *decalTargets) touches(c *candidate, q *decalQuad) (found bool) {
	d.facets(c, func(corners []vec, normal vec) {
		if found || normal.dot(q.normal) < samePlane {
			return
		}
		if off := q.middle.sub(corners[0]).dot(normal); math.Abs(off) > decalDistance {
			return
		}
		inf := math.Inf(1)
		low, high := [2]float64{inf, inf}, [2]float64{-inf, -inf}
		for _, p := range corners {
			at := p.sub(q.middle)
			for k, v := range [2]float64{at.dot(q.x), at.dot(q.y)} {
				low[k], high[k] = min(low[k], v), max(high[k], v)
			}
		}
		found = low[0] < q.width/2 && high[0] > -q.width/2 && low[1] < q.height/2 && high[1] > -q.height/2
	})
	return found
}
