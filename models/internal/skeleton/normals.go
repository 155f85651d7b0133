package skeleton

import "github.com/bsp2gltf/bsp2gltf/internal/space"

// Normals returns the normal of each vertex: the area-weighted mean of the normals of its triangles, or zero for a
// vertex without area. The n triangles are counter-clockwise seen from the front.
func Normals(at [][3]float32, n int, triangle func(i int) [3]int) [][3]float32 {
	sums := make([][3]float64, len(at))
	for i := range n {
		t := triangle(i)
		a, b, c := space.Vector64(at[t[0]]), space.Vector64(at[t[1]]), space.Vector64(at[t[2]])
		area := space.Cross(space.Difference(b, a), space.Difference(c, a))
		for _, corner := range t {
			for k := range area {
				sums[corner][k] += area[k]
			}
		}
	}
	out := make([][3]float32, len(at))
	for i, n := range sums {
		if u, l := space.Direction(n); l > 0 {
			out[i] = space.Vector32(u)
		}
	}
	return out
}
