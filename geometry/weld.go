package geometry

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// cell is a cube of space.
type cell [3]int32

// cells calls f for the cubes of a size that touch the box of points within r of the segment from a to b.
// Coordinates beyond 2^30 sizes fall into the outermost cubes.
func cells(a, b vec, r, size float64, f func(cell)) {
	var low, high cell
	for i := range 3 {
		// Cubes are offset from the round numbers where control points are, so that most points are well inside a
		// cube.
		l := math.Floor((min(a[i], b[i]) - r - 2.37) / size)
		h := math.Floor((max(a[i], b[i]) + r - 2.37) / size)
		low[i] = int32(max(-1<<30, min(l, 1<<30)))
		high[i] = int32(max(-1<<30, min(h, 1<<30)))
	}
	for x := low[0]; x <= high[0]; x++ {
		for y := low[1]; y <= high[1]; y++ {
			for z := low[2]; z <= high[2]; z++ {
				f(cell{x, y, z})
			}
		}
	}
}

// weldPoint is the common position of border control points within a tolerance of it.
type weldPoint struct {
	position [3]float32
	patch    int        // the last patch with a control point here,
	own      [3]float32 // and the control point's original position
	next     int32      // weldPoint in the same cell, or -1
}

// weld merges border control points of different patches that nearly coincide, and numbers them. The first patch's
// position is kept. Changed control points are copied.
func weld(patches []patch) {
	total := 0
	for i := range patches {
		total += len(patches[i].control)
	}
	numbered := make([]int32, total)
	points := make([]weldPoint, 0, total/2)
	heads := make(map[cell]int32, total/2)
	const size = 8
	find := func(patch int, p [3]float32) int32 {
		found := int32(-1)
		at := toVec(p)
		cells(at, at, within, size, func(c cell) {
			if head, ok := heads[c]; ok && found < 0 {
				for i := head; i >= 0; i = points[i].next {
					w := &points[i]
					// Points of the same patch are not merged: its details may be finer than the tolerance.
					if w.position == p || at.distance(toVec(w.position)) <= within && (w.patch != patch || w.own == p) {
						found = i
						return
					}
				}
			}
		})
		if found < 0 {
			found = int32(len(points))
			next := int32(-1)
			var home cell
			cells(at, at, 0, size, func(c cell) { home = c })
			if head, ok := heads[home]; ok {
				next = head
			}
			heads[home] = found
			points = append(points, weldPoint{position: p, next: next})
		}
		points[found].patch, points[found].own = patch, p
		return found
	}
	for i := range patches {
		p := &patches[i]
		p.corners, numbered = numbered[:len(p.control):len(p.control)], numbered[len(p.control):]
		copied := false
		for side := range p.extra {
			first, step, n, _ := p.side(side)
			for j := range n {
				k := first + j*step
				if (side == left || side == right) && (j == 0 || j == n-1) {
					continue // in the rows already
				}
				own := p.control[k].Position
				p.corners[k] = find(i, own)
				if to := points[p.corners[k]].position; to != own {
					if !copied {
						p.control = append([]world.Vertex(nil), p.control...)
						copied = true
					}
					p.control[k].Position = to
				}
			}
		}
	}
}
