package meshes

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// onGrid returns the mesh of a displacement with positions on its grid as texture coordinates: column and row from 0 to 1.
func onGrid(m *geometry.Mesh, s *world.Surface) geometry.Mesh {
	d, ok := s.Shape.(*world.Displacement)
	if !ok {
		return *m
	}
	out := *m
	out.Vertices = make([]world.Vertex, len(m.Vertices))
	copy(out.Vertices, m.Vertices)
	n := 1<<d.Power + 1
	for i := range out.Vertices {
		point := i
		if m.Points != nil {
			point = int(m.Points[i])
		}
		out.Vertices[i].UV = [2]float32{float32(point%n) / float32(n-1), float32(point/n) / float32(n-1)}
	}
	return out
}

// weighed returns a mesh whose vertices' alphas are the opacity of a layer: the mesh itself for weight 0, otherwise one of the weights of
// four layers. A displacement without weights has its alphas for the first layer and 0 for the others.
func weighed(m *geometry.Mesh, weight int) geometry.Mesh {
	if weight == 0 || weight == 1 && m.Blends == nil {
		return *m
	}
	out := *m
	out.Vertices = make([]world.Vertex, len(m.Vertices))
	copy(out.Vertices, m.Vertices)
	for i := range out.Vertices {
		out.Vertices[i].Color[3] = 0
		if m.Blends != nil {
			out.Vertices[i].Color[3] = m.Blends[i][weight]
		}
	}
	return out
}

// layerBand returns the part of a mesh whose layer's opacity rounds to a band.
func layerBand(m *geometry.Mesh, band int, layer *pbr.Material) geometry.Mesh {
	low, high := (float32(band)-0.5)/drawkey.Bands, (float32(band)+0.5)/drawkey.Bands
	if layer.Vertex.Inverse {
		low, high = 1-high, 1-low
	}
	return geometry.Band(weighed(m, layer.Layer.Weight), low, high)
}

// wholeBand returns a mesh if its layer's opacity, that of its first vertex, rounds to a band, else an empty one. Models whose vertices
// move are drawn whole: their vertices have one opacity.
func wholeBand(m *geometry.Mesh, band int, layer *pbr.Material) geometry.Mesh {
	if len(m.Vertices) == 0 || layer.Layer.Weight > 1 {
		return geometry.Mesh{}
	}
	alpha := m.Vertices[0].Color[3]
	if layer.Vertex.Inverse {
		alpha = 1 - alpha
	}
	if int(alpha*drawkey.Bands+0.5) != band {
		return geometry.Mesh{}
	}
	return *m
}
