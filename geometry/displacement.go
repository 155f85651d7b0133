package geometry

import (
	"context"
	"fmt"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// displacement is a world.Displacement while its mesh is made.
type displacement struct {
	surface  int // index in builder.surfaces
	shape    *world.Displacement
	n        int            // points per row, and rows
	vertices []world.Vertex // of the grid, row by row
	dropped  [4]uint32      // by side: a bit for each point that is not drawn
}

// Side k of a displacement runs from corner k to the next: up along the first column, right, down and back left.

// side returns the first point of a side and the step to the next.
func (d *displacement) side(k int) (first, step int) {
	n := d.n
	switch k {
	case 0:
		return 0, n
	case 1:
		return n * (n - 1), 1
	case 2:
		return n*n - 1, -n
	}
	return n - 1, -1
}

// The powers of displacements.
const (
	leastPower = 2
	maxPower   = 4
)

// farthest is the bound of coordinates in map units, as in package world.
const farthest = 1 << 24

// checkDisplacement returns why a displacement can't be drawn, or nil.
func checkDisplacement(d *world.Displacement) *fault {
	if d.Power < leastPower || d.Power > maxPower {
		return faultf("face-displacement", "its power %d is outside %d to %d", d.Power, leastPower, maxPower)
	}
	steps := 1 << d.Power
	points, triangles := (steps+1)*(steps+1), 2*steps*steps
	switch {
	case len(d.Offsets) != points || len(d.Alpha) != points || d.Blends != nil && len(d.Blends) != points:
		return faultf("face-displacement", "%d offsets, %d alphas and %d blends for %d points",
			len(d.Offsets), len(d.Alpha), len(d.Blends), points)
	case d.Removed != nil && len(d.Removed) != triangles:
		return faultf("face-displacement", "%d marks for %d triangles", len(d.Removed), triangles)
	}
	finite, _ := check(d.Corners[:])
	var sum float32 // of zeros, as in check
	for i := range d.Alpha {
		sum += d.Alpha[i] * 0
	}
	for _, b := range d.Blends {
		sum += b[0]*0 + b[1]*0 + b[2]*0 + b[3]*0
	}
	far := false
	for i := range d.Corners {
		far = far || isFar(d.Corners[i].Position)
	}
	for _, o := range d.Offsets {
		far = far || isFar(o)
	}
	if !finite || sum != 0 || far {
		return faultf("face-number", "a point has a coordinate that is too large or not a number")
	}
	return nil
}

func isFar(p [3]float32) bool {
	inside := p[0] > -farthest && p[0] < farthest && p[1] > -farthest && p[1] < farthest && p[2] > -farthest && p[2] < farthest
	return !inside // also for NaN
}

// bend finds the valid displacements, computes their grids and joins their seams.
func (b *builder) bend(ctx context.Context) error {
	for i, s := range b.surfaces {
		shape, ok := s.Shape.(*world.Displacement)
		if !ok {
			continue
		}
		if bad := checkDisplacement(shape); bad != nil {
			b.meshes[i] = bad.mesh(s)
			continue
		}
		n := 1<<shape.Power + 1
		if err := b.budget.Vertices(int64(n * n)); err != nil {
			return fmt.Errorf("face %d: %w", s.Record, err)
		}
		// Its grid, and the vertices and indices of an incomplete mesh.
		if err := b.budget.Reserve(limit.Bytes[world.Vertex](n*n) + limit.Bytes[uint32](6*(n-1)*(n-1)) +
			limit.Bytes[displacement](2)); err != nil {
			return fmt.Errorf("face %d: %w", s.Record, err)
		}
		b.displacements = append(b.displacements, displacement{surface: i, shape: shape, n: n})
	}
	const some = 8 // a displacement costs as much as many polygons
	err := par.Each(ctx, (len(b.displacements)+some-1)/some, func(i int) error {
		var squares []vec
		for j := i * some; j < min((i+1)*some, len(b.displacements)); j++ {
			b.displacements[j].grid()
			b.displacements[j].normals(&squares)
		}
		return nil
	})
	if err != nil || len(b.displacements) < 2 {
		return err
	}
	return sew(ctx, b.displacements, b.budget)
}

// grid sets the vertices, except their normals.
func (d *displacement) grid() {
	n := d.n
	d.vertices = make([]world.Vertex, n*n)
	var c [4]numbers
	for i := range c {
		c[i] = toNumbers(&d.shape.Corners[i])
	}
	var first, last, at numbers
	for row := range n {
		ty := float64(row) / float64(n-1)
		first.mix(&c[0], &c[1], ty)
		last.mix(&c[3], &c[2], ty)
		for col := range n {
			at.mix(&first, &last, float64(col)/float64(n-1))
			i := row*n + col
			for k, o := range d.shape.Offsets[i] {
				at[k] += float64(o)
			}
			at[len(at)-1] = float64(d.shape.Alpha[i])
			at.to(&d.vertices[i])
		}
	}
}

// mix sets n to the numbers at t between a and b, the same from either end.
func (n *numbers) mix(a, b *numbers, t float64) {
	for i := range n {
		n[i] = float64(a[i]*(1-t)) + float64(b[i]*t)
	}
}

// normals sets the vertices' normals: the mean of the normals of the up to eight triangles in the squares around each.
// These are not the triangles that are drawn: all squares are halved from the upper left to the lower right (as in
// CCoreDispInfo::CalcNormalFromEdges of builddisp.cpp, which the light was calculated with). Removed triangles count.
func (d *displacement) normals(scratch *[]vec) {
	n := d.n
	squares := grow(scratch, (n-1)*(n-1))
	for row := range n - 1 {
		for col := range n - 1 {
			i := row*n + col
			ll, lr, ul, ur := &d.vertices[i], &d.vertices[i+1], &d.vertices[i+n], &d.vertices[i+n+1]
			var sum vec
			if u, ok := area(ll, lr, ul).unit(); ok {
				sum = u
			}
			if u, ok := area(lr, ur, ul).unit(); ok {
				sum = sum.add(u)
			}
			squares[row*(n-1)+col] = sum
		}
	}
	for row := range n {
		for col := range n {
			var sum vec
			for y := max(row-1, 0); y <= min(row, n-2); y++ {
				for x := max(col-1, 0); x <= min(col, n-2); x++ {
					sum = sum.add(squares[y*(n-1)+x])
				}
			}
			u, ok := vec{}, sum.dot(sum) > 1e-6 // otherwise a fold: they cancel out
			if ok {
				u, ok = sum.unit()
			}
			if !ok {
				u = d.flatNormal()
			}
			d.vertices[row*n+col].Normal = u.float32()
		}
	}
}

// flatNormal returns the normal of the polygon of the corners, or up.
func (d *displacement) flatNormal() vec {
	c := &d.shape.Corners
	diagonal, other := toVec(c[2].Position).sub(toVec(c[0].Position)), toVec(c[1].Position).sub(toVec(c[3].Position))
	if u, ok := diagonal.cross(other).unit(); ok {
		return u
	}
	return toVec(up)
}

// grids holds the triangles of complete grids, by power: square by square, row by row.
var grids = sync.OnceValue(func() (out [maxPower + 1][]uint32) {
	for power := leastPower; power <= maxPower; power++ {
		n := uint32(1<<power + 1)
		for row := range n - 1 {
			for col := range n - 1 {
				ll := row*n + col
				lr, ul, ur := ll+1, ll+n, ll+n+1
				if ll%2 == 1 {
					out[power] = append(out[power], ll, lr, ul, lr, ur, ul)
				} else {
					out[power] = append(out[power], ll, ur, ul, ll, lr, ur)
				}
			}
		}
	}
	return out
})

// mesh returns the triangles of the grid. A point that is not drawn is moved to the nearest drawn point of its
// side.
func (d *displacement) mesh() (Mesh, *fault) {
	triangles := grids()[d.shape.Power]
	if d.isWhole(triangles) {
		return Mesh{Vertices: d.vertices, Blends: d.shape.Blends, Indices: triangles[:len(triangles):len(triangles)]}, nil
	}
	var onto, at [(1<<maxPower + 1) * (1<<maxPower + 1)]uint32 // the point drawn in place of each; its vertex plus one
	for i := range d.vertices {
		onto[i] = uint32(i)
	}
	for k, dropped := range d.dropped {
		d.ontoDrawn(k, dropped, onto[:])
	}
	m := Mesh{Indices: make([]uint32, 0, len(triangles))}
	for i := 0; i < len(triangles); i += 3 {
		if d.shape.Removed != nil && d.shape.Removed[i/3] {
			continue
		}
		a, b, c := onto[triangles[i]], onto[triangles[i+1]], onto[triangles[i+2]]
		if a == b || b == c || c == a || flat(&d.vertices[a], &d.vertices[b], &d.vertices[c]) {
			continue
		}
		for _, p := range [3]uint32{a, b, c} {
			if at[p] == 0 {
				m.Vertices = append(m.Vertices, d.vertices[p])
				m.Points = append(m.Points, p)
				if d.shape.Blends != nil {
					m.Blends = append(m.Blends, d.shape.Blends[p])
				}
				at[p] = uint32(len(m.Vertices))
			}
			m.Indices = append(m.Indices, at[p]-1)
		}
	}
	if len(m.Indices) == 0 {
		return Mesh{}, faultf("face-degenerate", "all %d triangles of a displacement are removed or have no area", len(triangles)/3)
	}
	return m, nil
}

// isWhole reports whether all points and triangles are drawn.
func (d *displacement) isWhole(triangles []uint32) bool {
	if d.dropped != [4]uint32{} {
		return false
	}
	for _, removed := range d.shape.Removed {
		if removed {
			return false
		}
	}
	for i := 0; i < len(triangles); i += 3 {
		if flat(&d.vertices[triangles[i]], &d.vertices[triangles[i+1]], &d.vertices[triangles[i+2]]) {
			return false
		}
	}
	return true
}

// ontoDrawn maps the dropped points of a side to the nearest drawn ones, the earlier of two. The ends of a side are
// always drawn.
func (d *displacement) ontoDrawn(k int, dropped uint32, onto []uint32) {
	first, step := d.side(k)
	for i := range d.n {
		if dropped>>i&1 == 0 {
			continue
		}
		low, high := i, i
		for dropped>>low&1 == 1 {
			low--
		}
		for dropped>>high&1 == 1 {
			high++
		}
		if high-i < i-low {
			low = high
		}
		onto[first+i*step] = uint32(first + low*step)
	}
}
