package assemble

import (
	"fmt"
	"sort"

	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// own is the index into Set.Baked, plus one, of the material that a surface has for itself, or 0.
func (a *assembler) own(model, surface int) int {
	list := a.set.Baked
	i := sort.Search(len(list), func(i int) bool {
		b := &list[i]
		return b.Model > model || b.Model == model && b.Surface >= surface
	})
	if i == len(list) || list[i].Model != model || list[i].Surface != surface {
		return 0
	}
	return i + 1
}

// onGrid is a displacement's mesh with places on its grid as coordinates: column and row from 0 to 1.
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

// weighed is a mesh whose vertices' alphas are the opacity of a layer: as they are where the weight is 0, else one of the
// weights of four layers. A displacement without those has its alpha for the first layer and nothing for the others.
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

// fade makes the material of a band of a layer: of its opacity, or of those texels that are seen from that opacity on.
func (a *assembler) fade(m *pbr.Material, band int) {
	m.Vertex.Alpha = false
	if m.Threshold {
		m.Alpha, m.Cutoff = pbr.Mask, 1-float32(band)/bands
	} else {
		m.BaseColor[3] *= float32(band) / bands
	}
	switch {
	case band == bands && (m.Threshold || m.Base.Image < 0 || !a.set.Images[m.Base.Image].Alpha):
		m.Alpha, m.Cutoff = pbr.Opaque, 0
	case band < bands:
		m.Name = fmt.Sprintf("%s %d%%", m.Name, 100*band/bands)
	}
}
