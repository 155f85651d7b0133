package geometry

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// vec is a position or direction in map units, in float64. The conversions in its products keep compilers from fusing
// them with sums, which some architectures do: all must give the same bits.
type vec [3]float64

func toVec(f [3]float32) vec { return vec{float64(f[0]), float64(f[1]), float64(f[2])} }
func (a vec) sub(b vec) vec  { return space.Difference(a, b) }
func (a vec) add(b vec) vec  { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) scale(f float64) vec {
	return vec{float64(a[0] * f), float64(a[1] * f), float64(a[2] * f)}
}
func (a vec) dot(b vec) float64      { return space.Dot(a, b) }
func (a vec) mid(b vec) vec          { return vec{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2} }
func (a vec) distance(b vec) float64 { return space.Distance(a, b) }
func (a vec) cross(b vec) vec        { return space.Cross(a, b) }

// float32 rounds a. It returns no -0, which would make the two sides of a border differ.
func (a vec) float32() [3]float32 {
	return [3]float32{float32(a[0]) + 0, float32(a[1]) + 0, float32(a[2]) + 0}
}

// unit returns a scaled to length 1; ok is false if a has no direction.
func (a vec) unit() (u vec, ok bool) {
	l := space.Norm(a)
	if !(l > 1e-30) || math.IsInf(l, 0) {
		return vec{}, false
	}
	return a.scale(1 / l), true
}

// up is the normal used if there is none.
var up = [3]float32{0, 0, 1}

// area returns twice the area of a triangle as a vector along its front.
func area(a, b, c *world.Vertex) vec {
	p := toVec(a.Position)
	return toVec(b.Position).sub(p).cross(toVec(c.Position).sub(p))
}

// flat reports whether a triangle has no area.
func flat(a, b, c *world.Vertex) bool { return area(a, b, c) == vec{} }

// check reports whether all numbers of the vertices are finite, and whether all normals are unit.
func check(vertices []world.Vertex) (finite, unit bool) {
	unit = true
	var sum float32 // of zeros: f*0 is NaN if f is not finite
	for i := range vertices {
		v := &vertices[i]
		n := &v.Normal
		sum += v.Position[0]*0 + v.Position[1]*0 + v.Position[2]*0 + n[0]*0 + n[1]*0 + n[2]*0
		sum += v.UV[0]*0 + v.UV[1]*0 + v.Luxel[0]*0 + v.Luxel[1]*0
		sum += v.Color[0]*0 + v.Color[1]*0 + v.Color[2]*0 + v.Color[3]*0
		l := float32(n[0]*n[0]) + float32(n[1]*n[1]) + float32(n[2]*n[2])
		unit = unit && l > 0.999 && l < 1.001
	}
	return sum == 0, unit
}

// withNormals returns a copy of the vertices with unit normals. A vertex without a normal gets the mean of its
// triangles' normals, weighted by area.
func withNormals(vertices []world.Vertex, indices []uint32) []world.Vertex {
	sums := make([]vec, len(vertices))
	for i := 0; i+2 < len(indices); i += 3 {
		a, b, c := indices[i], indices[i+1], indices[i+2]
		n := area(&vertices[a], &vertices[b], &vertices[c])
		sums[a], sums[b], sums[c] = sums[a].add(n), sums[b].add(n), sums[c].add(n)
	}
	out := make([]world.Vertex, len(vertices))
	copy(out, vertices)
	for i := range out {
		if n, ok := toVec(out[i].Normal).unit(); ok {
			out[i].Normal = n.float32()
		} else if n, ok := sums[i].unit(); ok {
			out[i].Normal = n.float32()
		} else {
			out[i].Normal = up
		}
	}
	return out
}

// around lists the steps to the eight neighbours in a grid, counter-clockwise.
var around = [8][2]int{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}

// gridNormal returns the mean of the normals between the neighbours of a grid's vertex. A neighbour at the same
// position is skipped for the next one, up to three steps away; a closed grid continues at its other side
// (tr_curve.c, MakeMeshNormals).
func gridNormal(grid []world.Vertex, width, height, x, y int, closedX, closedY bool) (vec, bool) {
	var to [8]vec
	var good [8]bool
	base := toVec(grid[y*width+x].Position)
	for k, d := range around {
		for far := 1; far <= 3 && !good[k]; far++ {
			nx, okX := wrap(x+d[0]*far, width, closedX)
			ny, okY := wrap(y+d[1]*far, height, closedY)
			if !okX || !okY {
				break
			}
			to[k], good[k] = toVec(grid[ny*width+nx].Position).sub(base).unit()
		}
	}
	var sum vec
	for k := range around {
		if l := (k + 1) % 8; good[k] && good[l] {
			if n, ok := to[k].cross(to[l]).unit(); ok {
				sum = sum.add(n)
			}
		}
	}
	return sum.unit()
}

// wrap returns the index i of n along a grid; the first and last of a closed one are the same place.
func wrap(i, n int, closed bool) (int, bool) {
	switch {
	case i >= 0 && i < n:
		return i, true
	case !closed:
		return 0, false
	case i < 0:
		i += n - 1
	default:
		i -= n - 1
	}
	return i, i >= 0 && i < n
}
