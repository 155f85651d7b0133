package main

import (
	"math"
	"sort"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
)

// triangle is a part of a surface that stops light.
type triangle struct {
	a, e1, e2 vec
	front     vec // not a unit
	surf      *surf
	lx, ly    [3]float64
	min, max  vec
}

// tracer is a tree of boxes around the triangles.
type tracer struct {
	tris  []triangle
	nodes []traceNode
}

type traceNode struct {
	min, max    vec
	first, n    int // of a leaf
	left, right int
	axis        int // left is before right on it
}

// newTracer gathers what stops light: patches are cut into a grid first.
func newTracer(surfs []*surf) *tracer {
	t := &tracer{}
	for _, f := range surfs {
		if f.look.noShadow || f.look.sky {
			continue
		}
		points, tris := f.points, f.tris
		switch {
		case f.kind == ibsp.Patch:
			points, tris = f.tessellate(4)
		case f.kind == ibsp.Polygon && tris == nil:
			for i := 2; i < len(points); i++ {
				tris = append(tris, 0, i-1, i)
			}
		}
		for k := 0; k+2 < len(tris); k += 3 {
			a, b, c := points[tris[k]], points[tris[k+1]], points[tris[k+2]]
			r := triangle{a: a.at, e1: b.at.sub(a.at), e2: c.at.sub(a.at), surf: f,
				lx: [3]float64{a.lx, b.lx, c.lx}, ly: [3]float64{a.ly, b.ly, c.ly}}
			r.front = r.e2.cross(r.e1)
			for i := range 3 {
				r.min[i] = math.Min(a.at[i], math.Min(b.at[i], c.at[i]))
				r.max[i] = math.Max(a.at[i], math.Max(b.at[i], c.at[i]))
			}
			r.min, r.max = r.min.sub(vec{0.01, 0.01, 0.01}), r.max.add(vec{0.01, 0.01, 0.01})
			t.tris = append(t.tris, r)
		}
	}
	t.split(0, len(t.tris))
	return t
}

// tessellate cuts a patch into steps × steps cells per 3×3 part.
func (f *surf) tessellate(steps int) (points []point, tris []int) {
	nx, ny := (f.w-1)/2*steps, (f.h-1)/2*steps
	for j := range ny + 1 {
		for i := range nx + 1 {
			points = append(points, f.curve(float64(i)/float64(nx), float64(j)/float64(ny)))
			if i < nx && j < ny {
				b := j*(nx+1) + i
				tris = append(tris, b, b+nx+1, b+1, b+1, b+nx+1, b+nx+2)
			}
		}
	}
	return points, tris
}

func (t *tracer) split(first, n int) int {
	nd := traceNode{min: vec{math.Inf(1), math.Inf(1), math.Inf(1)}, max: vec{math.Inf(-1), math.Inf(-1), math.Inf(-1)}, first: first, n: n}
	part := t.tris[first : first+n]
	for _, r := range part {
		for i := range 3 {
			nd.min[i], nd.max[i] = math.Min(nd.min[i], r.min[i]), math.Max(nd.max[i], r.max[i])
		}
	}
	at := len(t.nodes)
	t.nodes = append(t.nodes, nd)
	if n <= 4 {
		return at
	}
	// The axis and the place where the two halves' areas, each times its triangles, are smallest.
	best, axis, cut := math.Inf(1), 0, n/2
	right := make([]float64, n)
	for i := range 3 {
		sortAlong(part, i)
		lo, hi := part[n-1].min, part[n-1].max
		for k := n - 1; k > 0; k-- {
			lo, hi = around(lo, hi, part[k])
			right[k] = area(hi.sub(lo)) * float64(n-k)
		}
		lo, hi = part[0].min, part[0].max
		for k := 1; k < n; k++ {
			lo, hi = around(lo, hi, part[k-1])
			if cost := area(hi.sub(lo))*float64(k) + right[k]; cost < best {
				best, axis, cut = cost, i, k
			}
		}
	}
	sortAlong(part, axis)
	l := t.split(first, cut)
	r := t.split(first+cut, n-cut)
	t.nodes[at].n, t.nodes[at].left, t.nodes[at].right, t.nodes[at].axis = 0, l, r, axis
	return at
}

func sortAlong(part []triangle, axis int) {
	sort.SliceStable(part, func(i, j int) bool { return part[i].min[axis]+part[i].max[axis] < part[j].min[axis]+part[j].max[axis] })
}

func around(lo, hi vec, r triangle) (vec, vec) {
	for i := range 3 {
		lo[i], hi[i] = math.Min(lo[i], r.min[i]), math.Max(hi[i], r.max[i])
	}
	return lo, hi
}

func area(d vec) float64 { return d[0]*d[1] + d[1]*d[2] + d[2]*d[0] }

// hit returns the nearest triangle along from + k·dir with 0 < k < far, and where on it; or -1. It is written out in
// single numbers because it takes nearly all of the time.
func (t *tracer) hit(from, dir vec, far float64, anyHit bool) (tri int, u, v float64) {
	tri = -1
	ox, oy, oz := from[0], from[1], from[2]
	dx, dy, dz := dir[0], dir[1], dir[2]
	ix, iy, iz := 1/dx, 1/dy, 1/dz
	var stack [64]int
	top := 1
	for top > 0 {
		top--
		nd := &t.nodes[stack[top]]
		a, b := (nd.min[0]-ox)*ix, (nd.max[0]-ox)*ix
		lo, hi := min(a, b), max(a, b)
		a, b = (nd.min[1]-oy)*iy, (nd.max[1]-oy)*iy
		lo, hi = max(lo, min(a, b)), min(hi, max(a, b))
		a, b = (nd.min[2]-oz)*iz, (nd.max[2]-oz)*iz
		lo, hi = max(lo, min(a, b)), min(hi, max(a, b))
		if !(lo <= hi && hi >= 0 && lo <= far) {
			continue
		}
		if nd.n == 0 {
			if stack[top], stack[top+1] = nd.left, nd.right; dir[nd.axis] > 0 {
				stack[top], stack[top+1] = nd.right, nd.left
			}
			top += 2
			continue
		}
		for i := nd.first; i < nd.first+nd.n; i++ {
			r := &t.tris[i]
			e1x, e1y, e1z, e2x, e2y, e2z := r.e1[0], r.e1[1], r.e1[2], r.e2[0], r.e2[1], r.e2[2]
			px, py, pz := dy*e2z-dz*e2y, dz*e2x-dx*e2z, dx*e2y-dy*e2x
			det := e1x*px + e1y*py + e1z*pz
			if det > -1e-9 && det < 1e-9 {
				continue
			}
			det = 1 / det
			sx, sy, sz := ox-r.a[0], oy-r.a[1], oz-r.a[2]
			a := (sx*px + sy*py + sz*pz) * det
			if a < 0 || a > 1 {
				continue
			}
			qx, qy, qz := sy*e1z-sz*e1y, sz*e1x-sx*e1z, sx*e1y-sy*e1x
			b := (dx*qx + dy*qy + dz*qz) * det
			if b < 0 || a+b > 1 {
				continue
			}
			if k := (e2x*qx + e2y*qy + e2z*qz) * det; k > 1e-3 && k < far {
				tri, u, v, far = i, a, b, k
				if anyHit {
					return tri, u, v
				}
			}
		}
	}
	return tri, u, v
}
