package assemble

import (
	"fmt"
	"sort"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// paintedFor returns the index into Set.Baked, plus one, of the material that was painted for a surface alone, or 0.
func (a *looks) paintedFor(model, surface int) int {
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
func (a *looks) fade(m *pbr.Material, band int) {
	m.Vertex.Alpha = false
	if m.Layer.Threshold {
		m.Alpha, m.Cutoff = pbr.Mask, 1-float32(band)/bands
	} else {
		m.BaseColor[3] *= float32(band) / bands
	}
	switch {
	case band == bands && (m.Layer.Threshold || m.Base.Image < 0 || !a.set.Images[m.Base.Image].Alpha):
		m.Alpha, m.Cutoff = pbr.Opaque, 0
	case band < bands:
		m.Name = fmt.Sprintf("%s %d%%", m.Name, 100*band/bands)
	}
}

// fogLayer is the layer of a draw key that is fog over a surface.
const fogLayer = 1 << 16

// fogPath is how far one typically looks through fog, of the depth below the side where it begins.
const fogPath = 2

// fog is the mesh of a surface in fog, with how much of the fog's way to opacity lies before each vertex in its alpha:
// 0 at the side where the fog begins, 1 and more where nothing is seen through it. ok is false where there is no fog to
// show: glTF has none, so it is drawn as a layer on what is opaque in it, as the engine draws it over the surfaces
// (Quake III Arena, tr_shade.c, RB_FogPass). The engine's depends on the eye; ours is of one that is outside of the fog
// and looks down at a slant.
func (a *looks) fog(s *world.Surface, m *geometry.Mesh) (l drawKey, out geometry.Mesh, ok bool) {
	if s.Fog < 0 || !a.p.Sky.Fog || a.set.Materials[s.Material].Alpha != pbr.Opaque {
		return drawKey{}, geometry.Mesh{}, false
	}
	f := &a.w.Volumes.Fogs[s.Fog]
	fog := a.set.Materials[f.Material].Fog
	if fog == nil || f.Normal == [3]float32{} || !(fog.Opaque > 0) {
		return drawKey{}, geometry.Mesh{}, false
	}
	out = geometry.Mesh{Vertices: make([]world.Vertex, len(m.Vertices)), Indices: m.Indices}
	copy(out.Vertices, m.Vertices)
	for i := range out.Vertices {
		v := &out.Vertices[i]
		depth := f.Distance - (float32(f.Normal[0]*v.Position[0]) + float32(f.Normal[1]*v.Position[1]) + float32(f.Normal[2]*v.Position[2]))
		v.Color[3] = fogPath * depth / max(fog.Opaque, 1) // thicker fog would leave the range of numbers
	}
	return drawKey{material: f.Material, layer: fogLayer, page: scene.None}, out, true
}

// fogBand is the part of a fog's mesh whose opacity rounds to a band. The opacity is the root of the way
// (tr_image.c, R_InitFogTable).
func fogBand(m *geometry.Mesh, band int) geometry.Mesh {
	low, high := (float32(band)-0.5)/bands, (float32(band)+0.5)/bands
	return geometry.Band(*m, low*low, high*high)
}

// fogMaterial is what a fog's layers are made of.
func (a *looks) fogMaterial(material int) *pbr.Material {
	m := a.set.Materials[material]
	c := m.Fog.Color
	out := bareMaterial(m.Name + " fog")
	out.Draw.Unlit, out.Alpha, out.Draw.DoubleSided = true, pbr.Blend, m.Draw.DoubleSided
	out.BaseColor = [4]float32{c[0], c[1], c[2], 1}
	out.Extras = map[string]any{"material": m.Name, "bsp2gltf_fog": true}
	return &out
}
