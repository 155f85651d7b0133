package geometry

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// ramp returns a square of two triangles whose alpha is its x, from 0 to 1.
func ramp() Mesh {
	var m Mesh
	for _, c := range [][2]float32{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		m.Vertices = append(m.Vertices, world.Vertex{
			Position: [3]float32{c[0], c[1], 0}, Normal: [3]float32{0, 0, 1}, UV: c, Color: [4]float32{1, 1, 1, c[0]},
		})
	}
	m.Indices = []uint32{0, 1, 2, 0, 2, 3}
	return m
}

func TestBandsPartAMesh(t *testing.T) {
	total := float32(0)
	for i := range 5 {
		low, high := float32(i)/5, float32(i+1)/5
		m := Band(ramp(), low, high)
		area := float32(0)
		for k := 0; k < len(m.Indices); k += 3 {
			p, q, r := m.Vertices[m.Indices[k]].Position, m.Vertices[m.Indices[k+1]].Position, m.Vertices[m.Indices[k+2]].Position
			twice := (q[0]-p[0])*(r[1]-p[1]) - (q[1]-p[1])*(r[0]-p[0])
			if twice < 0 {
				t.Errorf("band %d: triangle %d is turned over", i, k/3)
			}
			area += twice / 2
		}
		for _, v := range m.Vertices {
			if v.Color[3] < low-1e-6 || v.Color[3] > high+1e-6 || v.UV[0]-v.Position[0] > 1e-6 || v.Position[0]-v.UV[0] > 1e-6 {
				t.Errorf("band %d from %g to %g: %+v", i, low, high, v)
			}
		}
		if area < 0.199 || area > 0.201 { // a fifth of the square
			t.Errorf("band %d has an area of %g", i, area)
		}
		total += area
	}
	if total < 0.999 || total > 1.001 {
		t.Errorf("the bands have an area of %g", total)
	}
}

func TestBandKeepsWholeTriangles(t *testing.T) {
	m := ramp()
	if got := Band(m, -1, 2); len(got.Vertices) != 4 || len(got.Indices) != 6 {
		t.Errorf("all: %d vertices, %d indices", len(got.Vertices), len(got.Indices))
	}
	if got := Band(m, 1.5, 3); len(got.Indices) != 0 {
		t.Errorf("beyond: %d indices", len(got.Indices))
	}
}
