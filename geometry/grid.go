package geometry

import (
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// maxPieces is the most pieces into which a polygon is cut; the grid of a larger one is coarser.
const maxPieces = 1 << 14

// nearGrid is how many map units a plane of the grid is from the ends of a piece at least, to cut it.
const nearGrid = 8

// gridded cuts the mesh of a convex polygon along the planes whose coordinate on one of the map's axes is a multiple of grid, as the
// engines do: the plane nearest to the middle first, along the axes in turn. What is within 8 units of the end of a piece is not cut off,
// so neighbours may have different corners on a common edge. Quake II, ref_gl, gl_warp.c, SubdividePolygon.
func gridded(m Mesh, grid float64) Mesh {
	for pieces(m.Vertices, grid) > maxPieces {
		grid *= 2
	}
	g := gridCutter{grid: grid, known: map[[3]float32]uint32{}}
	if _, _, cuts := g.plane(m.Vertices); !cuts {
		return m
	}
	piece := slices.Clone(m.Vertices)
	slices.Reverse(piece[1:]) // the engines' corners are clockwise, and a piece is a fan of its first corner
	g.cut(piece)
	return g.mesh
}

// pieces estimates from above how many a polygon is cut into: the squares that a box around the corners touches on its largest side.
func pieces(corners []world.Vertex, grid float64) float64 {
	var n [3]float64
	for axis := range n {
		low, high := along(corners, axis)
		n[axis] = (high-low)/grid + 2
	}
	return max(n[0]*n[1], n[1]*n[2], n[2]*n[0])
}

// along returns the least and the greatest coordinate of corners on an axis.
func along(corners []world.Vertex, axis int) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for i := range corners {
		x := float64(corners[i].Position[axis])
		low, high = min(low, x), max(high, x)
	}
	return low, high
}

// gridCutter collects the pieces of a polygon.
type gridCutter struct {
	grid  float64
	mesh  Mesh
	known map[[3]float32]uint32 // the vertices of the mesh by position
}

// cut adds the pieces of a polygon, whose corners are clockwise, to the mesh.
func (g *gridCutter) cut(piece []world.Vertex) {
	if axis, at, ok := g.plane(piece); ok {
		front, back := halves(piece, axis, at)
		g.cut(front)
		g.cut(back)
		return
	}
	slices.Reverse(piece[1:])
	m, _ := polygon(&world.Polygon{Corners: piece})
	for _, i := range m.Indices {
		v := &piece[i]
		index, ok := g.known[v.Position]
		if !ok {
			index = uint32(len(g.mesh.Vertices))
			g.known[v.Position] = index
			g.mesh.Vertices = append(g.mesh.Vertices, *v)
		}
		g.mesh.Indices = append(g.mesh.Indices, index)
	}
}

// plane returns the plane that cuts a piece next: its axis and its coordinate there.
func (g *gridCutter) plane(piece []world.Vertex) (axis int, at float64, ok bool) {
	for axis := range 3 {
		low, high := along(piece, axis)
		at := g.grid * math.Floor((low+high)/2/g.grid+0.5)
		if high-at >= nearGrid && at-low >= nearGrid {
			return axis, at, true
		}
	}
	return 0, 0, false
}

// halves returns the parts of a convex polygon above and below a coordinate on an axis, which cuts it.
func halves(piece []world.Vertex, axis int, at float64) (front, back []world.Vertex) {
	for i := range piece {
		v, next := &piece[i], &piece[(i+1)%len(piece)]
		d, e := float64(v.Position[axis])-at, float64(next.Position[axis])-at
		if d >= 0 {
			front = append(front, *v)
		}
		if d <= 0 {
			back = append(back, *v)
		}
		if d != 0 && e != 0 && (d > 0) != (e > 0) {
			c := crossing(v, next, axis, at)
			front, back = append(front, c), append(back, c)
		}
	}
	return front, back
}

// crossing returns the vertex of an edge at a coordinate on an axis, the same to the bit from both of its ends.
func crossing(a, b *world.Vertex, axis int, at float64) world.Vertex {
	if slices.Compare(a.Position[:], b.Position[:]) > 0 {
		a, b = b, a
	}
	from := float64(a.Position[axis])
	by := (at - from) / (float64(b.Position[axis]) - from)
	out := *a
	mix := func(to, p, q []float32) {
		for i := range to {
			to[i] = float32(float64(p[i]) + float64(by*(float64(q[i])-float64(p[i]))))
		}
	}
	mix(out.Position[:], a.Position[:], b.Position[:])
	mix(out.UV[:], a.UV[:], b.UV[:])
	mix(out.Luxel[:], a.Luxel[:], b.Luxel[:])
	mix(out.Color[:], a.Color[:], b.Color[:])
	out.Position[axis] = float32(at)
	return out
}
