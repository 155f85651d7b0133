package meshes

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The second of two displacements has a painted image of 4 x 4 pixels. The centres of the outermost pixels are on its border. Its vertices
// are not the whole grid: the second is missing.
func TestCoordinatesOnTheGridOfADisplacement(t *testing.T) {
	s := bent(0)
	m := geometry.Mesh{Vertices: make([]world.Vertex, 4), Points: []uint32{0, 2, 20, 24}}
	got := onGrid(&m, &s)
	for i, want := range [][2]float32{{0, 0}, {0.5, 0}, {0, 1}, {1, 1}} {
		if got.Vertices[i].UV != want {
			t.Errorf("point %d is at %v, want %v", m.Points[i], got.Vertices[i].UV, want)
		}
	}
	flat := square(0, world.NoChart, 1)
	if got := onGrid(scenetest.Mesh(&flat), &flat); got.Vertices[2].UV != [2]float32{1, 1} {
		t.Errorf("a square's coordinates are %v", got.Vertices)
	}
}

// A layer is opaque where the vertices' alphas are 1, or 0 if they are inverse. The first and the last band are half as wide.
func TestBandsOfALayer(t *testing.T) {
	s := square(0, world.NoChart, 1)
	m := scenetest.Mesh(&s)
	for i := range m.Vertices {
		m.Vertices[i].Color[3] = m.Vertices[i].UV[0]
	}
	for _, c := range []struct {
		inverse     bool
		band        int
		left, right float32 // of 64 units
	}{{false, 1, 4, 12}, {false, 8, 60, 64}, {true, 1, 52, 60}, {true, 8, 0, 4}} {
		left, right := float32(64), float32(0)
		for _, v := range layerBand(m, c.band, &pbr.Material{Vertex: pbr.VertexUse{Inverse: c.inverse}}).Vertices {
			left, right = min(left, v.Position[0]), max(right, v.Position[0])
		}
		if left != c.left || right != c.right {
			t.Errorf("%+v: from %g to %g", c, left, right)
		}
	}
}

// Layers with weights are blended by those, a layer without weights by the alpha.
func TestWeightsOfLayers(t *testing.T) {
	s := bent(0)
	d := s.Shape.(*world.Displacement)
	weights := make([][4]float32, 25)
	for i := range weights {
		weights[i] = [4]float32{0, 0, float32(i%5) / 4, 1}
	}
	mesh := geometry.Mesh{Vertices: make([]world.Vertex, 25), Blends: weights}
	for i := range mesh.Vertices {
		mesh.Vertices[i].Color[3] = d.Alpha[i]
	}
	for _, c := range []struct {
		weight int
		blends [][4]float32
		want   float32 // at row 1, column 3
	}{{0, weights, 0.25}, {0, nil, 0.25}, {1, weights, 0}, {2, weights, 0.75}, {3, weights, 1}, {1, nil, 0.25}, {2, nil, 0}} {
		mesh.Blends = c.blends
		if got := weighed(&mesh, c.weight).Vertices[8].Color[3]; got != c.want {
			t.Errorf("weight %d: %v, want %v", c.weight, got, c.want)
		}
	}
	if mesh.Vertices[8].Color[3] != 0.25 {
		t.Error("the mesh itself has changed")
	}
}
