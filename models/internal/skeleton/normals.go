package skeleton

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// Normals returns the normal of each vertex: the mean of the normals of its triangles, weighted by area; zero for a vertex without an
// area. The n triangles are counter-clockwise seen from the front.
func Normals(at [][3]float32, n int, triangle func(i int) [3]int) [][3]float32 {
	sums := make([][3]float64, len(at))
	for i := range n {
		t := triangle(i)
		a, b, c := space.Vector64(at[t[0]]), space.Vector64(at[t[1]]), space.Vector64(at[t[2]])
		var u, v [3]float64
		for k := range u {
			u[k], v[k] = b[k]-a[k], c[k]-a[k]
		}
		area := space.Cross(u, v)
		for _, corner := range t {
			for k := range area {
				sums[corner][k] += area[k]
			}
		}
	}
	out := make([][3]float32, len(at))
	for i, n := range sums {
		if l := math.Sqrt(float64(n[0]*n[0]) + float64(n[1]*n[1]) + float64(n[2]*n[2])); l > 0 {
			out[i] = [3]float32{float32(n[0] / l), float32(n[1] / l), float32(n[2] / l)}
		}
	}
	return out
}
