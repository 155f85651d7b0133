package geometry_test

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/geometry"
)

// border returns the edges of a mesh that only one of its triangles has, by position.
func border(m geometry.Mesh) (edges [][2][3]float32) {
	has := map[[2][3]float32]int{}
	for i := range m.Indices {
		a, b := m.Indices[i], m.Indices[i/3*3+(i+1)%3]
		has[[2][3]float32{m.Vertices[a].Position, m.Vertices[b].Position}]++
	}
	for i := range m.Indices {
		a, b := m.Vertices[m.Indices[i]].Position, m.Vertices[m.Indices[i/3*3+(i+1)%3]].Position
		if has[[2][3]float32{b, a}] == 0 {
			edges = append(edges, [2][3]float32{a, b})
		}
	}
	return edges
}

// gaps counts the border points of all meshes, and those that are within a distance of another's border edge but away
// from its ends: there one border is finer than the other.
func gaps(meshes []geometry.Mesh, within float64) (points, cracks int) {
	type edge struct {
		a, b [3]float64
		mesh int
	}
	const size = 32.0
	var all []edge
	cells := map[[3]int][]int{}
	each := func(a, b [3]float64, f func(c [3]int)) {
		var low, high [3]int
		for i := range 3 {
			low[i] = int(math.Floor((math.Min(a[i], b[i]) - within) / size))
			high[i] = int(math.Floor((math.Max(a[i], b[i]) + within) / size))
		}
		for x := low[0]; x <= high[0]; x++ {
			for y := low[1]; y <= high[1]; y++ {
				for z := low[2]; z <= high[2]; z++ {
					f([3]int{x, y, z})
				}
			}
		}
	}
	owners := map[[3]float32]map[int]bool{}
	for i, m := range meshes {
		for _, e := range border(m) {
			all = append(all, edge{wide(e[0]), wide(e[1]), i})
			each(wide(e[0]), wide(e[1]), func(c [3]int) { cells[c] = append(cells[c], len(all)-1) })
			for _, p := range e {
				if owners[p] == nil {
					owners[p] = map[int]bool{}
				}
				owners[p][i] = true
			}
		}
	}
	for p, own := range owners {
		points++
		q := wide(p)
		cracked := false
		each(q, q, func(c [3]int) {
			for _, i := range cells[c] {
				e := all[i]
				if cracked || own[e.mesh] {
					continue
				}
				line := minus(e.b, e.a)
				along := dot(minus(q, e.a), line) / dot(line, line)
				foot := [3]float64{e.a[0] + line[0]*along, e.a[1] + line[1]*along, e.a[2] + line[2]*along}
				if along > 0 && along < 1 && distance(foot, q) <= within && distance(q, e.a) > within && distance(q, e.b) > within {
					cracked = true
				}
			}
		})
		if cracked {
			cracks++
		}
	}
	return points, cracks
}
