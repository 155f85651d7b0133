package drawkey

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Materials makes the scene's material for each draw key. The indices of their images are those of Images. Their names are not
// unique.
func Materials(keys []Key, from Sources, o Options) []scene.Material {
	out := make([]scene.Material, len(keys))
	for i, key := range keys {
		out[i] = material(key, &from, o.Carrier)
		if layout := from.layout(key); layout > 0 && o.Output.Names == pipeline.NamesStable {
			out[i].Material.Name += fmt.Sprintf(" page %d", layout)
		}
	}
	return out
}

// material makes the material of a draw key.
func material(key Key, from *Sources, carrier lightmap.Carrier) scene.Material {
	m := scene.Material{Material: *Base(from.Set, key), Lightmap: scene.None}
	switch {
	case key.Page != scene.None:
		m.Lightmap = len(from.Set.Images) + key.Page
		m.Intensity = float64(from.Atlas.Scale) * Gain(&m.Material)
		if m.Material.Draw.Unlit { // a prop's material, which is otherwise lit by vertex
			m.Material.Draw.Unlit, m.Vertex.Color = false, false
		}
	case key.VertexLit:
		m.Material.Draw.Unlit, m.Vertex.Color, m.Environment, m.Behind = true, true, nil, nil
	case m.Material.Draw.Unlit && key.Layer == 0 && carrier == lightmap.CarrierMOZ && glows(from, key.Material):
		// A viewer uses either KHR_materials_unlit or a lightmap, and an unlit material can't emit.
		m.Material.Draw.Unlit, m.Lightmap, m.Intensity = false, whiteImage(from.Set, from.Atlas), 1
	}
	if m.Material.Draw.Unlit {
		m.Emission.Color, m.Emission.Slot.Image = [3]float32{}, pbr.NoImage
	}
	m.Display = displayOf(key, &m, from)
	m.Directed = directedOf(key, from)
	if key.Layer == 0 && key.Painted == 0 {
		m.Mix = mixOf(&from.Set.Materials[key.Material])
	}
	if key.Layer > 0 && !m.Layer.Whole {
		fade(&m.Material, &from.Set.Materials[key.Material], key.Band, from.Set.Images)
	}
	return m
}

// directedOf returns the directions of the light on a draw key's page, where the engine shows light by them, or nil.
func directedOf(key Key, from *Sources) *scene.Directed {
	d := from.World.Baked.Display
	if d == nil || !d.Directed || key.Page == scene.None {
		return nil
	}
	layout := from.Atlas.Pages[key.Page].Layout
	i := slices.IndexFunc(from.Atlas.Pages, func(p lightmap.Page) bool { return p.Basis == world.Direction && p.Layout == layout })
	if i < 0 {
		return nil
	}
	return &scene.Directed{Image: len(from.Set.Images) + i, Ambient: d.Ambient}
}

// mixOf returns what fades over a material's base, for readers that mix it themselves, or nil.
func mixOf(m *pbr.Material) *pbr.Mix {
	if len(m.Layers) != 1 || m.Layers[0].Layer.Mask == nil || m.Layers[0].Base.Image == pbr.NoImage {
		return nil
	}
	return &pbr.Mix{Second: m.Layers[0].Base.Image, Mask: *m.Layers[0].Layer.Mask}
}

// Base returns the material of a draw key as it is without the light of a scene.
func Base(set *materials.Set, key Key) *pbr.Material {
	m := &set.Materials[key.Material]
	switch {
	case key.Layer == FogLayer:
		return fogMaterial(m)
	case key.Painted > 0:
		return &set.Baked[key.Painted-1].Material
	case key.Layer > 0:
		return &m.Layers[key.Layer-1]
	}
	return m
}

// glows reports whether a material emits and is lit by the vertices' colours. With lightmaps it gets a white one.
func glows(from *Sources, material int) bool {
	m := &from.Set.Materials[material]
	return from.World.Materials[material].Lighting == world.PerVertex && m.Draw.Unlit && m.Vertex.Color && m.Emission.Color != [3]float32{}
}

// Gain returns the linear factor on a material's light. LightGain is a factor on displayed values.
func Gain(m *pbr.Material) float64 { return math.Pow(m.Draw.LightGain, 2.2) }

// fade gives a layer's material the opacity of a band. If the opacity is a threshold, the material shows the texels that are visible
// up to it. Where a band has a picture of the layer on what is below, that is shown, with the normals and the reflection of the one that is
// seen more.
func fade(m, below *pbr.Material, band int, images []materials.Image) {
	m.Vertex.Alpha = false
	mixed := m.Layer.Bands != nil && m.Layer.Bands[band-1].Base != pbr.NoImage
	if m.Layer.Mask != nil {
		m.Extras = maps.Clone(m.Extras)
		m.Extras["band"] = float64(band) / Bands
	}
	switch {
	case mixed: // opaque: the cutoff only states the opacity
		b := m.Layer.Bands[band-1]
		m.Base.Image, m.Base.Clamp, m.Base.Span = b.Base, b.Clamp, b.Span
		m.Emission.Slot.UV = pbr.Spanned(b.Span)
		if m.Emission.Slot.Image, m.Emission.Slot.Clamp = b.Glow, b.Clamp; b.Glow == pbr.NoImage {
			m.Emission.Color, m.Emission.Strength = [3]float32{}, 1
		}
		if 2*band < Bands {
			m.Normal, m.Reflection = below.Normal, below.Reflection
		}
		m.Alpha, m.Cutoff = pbr.Mask, 1-float32(band)/Bands
	case m.Layer.Threshold:
		m.Alpha, m.Cutoff = pbr.Mask, 1-float32(band)/Bands
	default:
		m.BaseColor[3] *= float32(band) / Bands
	}
	switch {
	case band == Bands && (mixed || m.Layer.Threshold || m.Base.Image < 0 || !images[m.Base.Image].Alpha):
		m.Alpha, m.Cutoff = pbr.Opaque, 0
	case band < Bands:
		m.Name = fmt.Sprintf("%s %d%%", m.Name, 100*band/Bands)
	}
}

// fogMaterial returns the material of the layers that show a fog.
func fogMaterial(m *pbr.Material) *pbr.Material {
	c := m.Fog.Color
	out := pbr.New(m.Name + " fog")
	out.Draw.Unlit, out.Alpha, out.Draw.DoubleSided = true, pbr.Blend, m.Draw.DoubleSided
	out.BaseColor = [4]float32{c[0], c[1], c[2], 1}
	out.Extras = map[string]any{"material": m.Name, "bsp2gltf_fog": true}
	return &out
}
