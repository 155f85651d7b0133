package assemble

import (
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// fogLayer is the layer of a look that is fog over a surface.
const fogLayer = 1 << 16

// fogPath is how far one typically looks through fog, of the depth below the side where it begins.
const fogPath = 2

// fog is the mesh of a surface in fog, with how much of the fog's way to opacity lies before each vertex in its alpha:
// 0 at the side where the fog begins, 1 and more where nothing is seen through it. ok is false where there is no fog to
// show: glTF has none, so it is drawn as a layer on what is opaque in it, as the engine draws it over the surfaces
// (Quake III Arena, tr_shade.c, RB_FogPass). The engine's depends on the eye; ours is of one that is outside of the fog
// and looks down at a slant.
func (a *assembler) fog(s *world.Surface, m *geometry.Mesh) (l look, out geometry.Mesh, ok bool) {
	if s.Fog < 0 || !a.p.Sky.Fog || a.set.Materials[s.Material].Alpha != pbr.Opaque {
		return look{}, geometry.Mesh{}, false
	}
	f := &a.w.Volumes.Fogs[s.Fog]
	fog := a.set.Materials[f.Material].Fog
	if fog == nil || f.Normal == [3]float32{} || !(fog.Opaque > 0) {
		return look{}, geometry.Mesh{}, false
	}
	out = geometry.Mesh{Vertices: make([]world.Vertex, len(m.Vertices)), Indices: m.Indices}
	copy(out.Vertices, m.Vertices)
	for i := range out.Vertices {
		v := &out.Vertices[i]
		depth := f.Distance - (float32(f.Normal[0]*v.Position[0]) + float32(f.Normal[1]*v.Position[1]) + float32(f.Normal[2]*v.Position[2]))
		v.Color[3] = fogPath * depth / max(fog.Opaque, 1) // thicker fog would leave the range of numbers
	}
	return look{material: f.Material, layer: fogLayer, page: scene.None}, out, true
}

// fogBand is the part of a fog's mesh whose opacity rounds to a band. The opacity is the root of the way
// (tr_image.c, R_InitFogTable).
func fogBand(m *geometry.Mesh, band int) geometry.Mesh {
	low, high := (float32(band)-0.5)/bands, (float32(band)+0.5)/bands
	return geometry.Band(*m, low*low, high*high)
}

// fogMaterial is what a fog's layers are made of.
func (a *assembler) fogMaterial(material int) *pbr.Material {
	m := a.set.Materials[material]
	c := m.Fog.Color
	out := bareMaterial(m.Name + " fog")
	out.Draw.Unlit, out.Alpha, out.Draw.DoubleSided = true, pbr.Blend, m.Draw.DoubleSided
	out.BaseColor = [4]float32{c[0], c[1], c[2], 1}
	out.Extras = map[string]any{"material": m.Name, "bsp2gltf_fog": true}
	return &out
}
