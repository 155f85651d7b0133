package convert

import (
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/qmuntal/gltf"
)

func (w *gltfWriter) material(m *Material) {
	out := &gltf.Material{
		Name: m.Name, DoubleSided: m.DoubleSided, Extensions: gltf.Extensions{},
		PBRMetallicRoughness: &gltf.PBRMetallicRoughness{MetallicFactor: gltf.Float(0), RoughnessFactor: gltf.Float(1)},
	}
	pbr := out.PBRMetallicRoughness
	if c := m.BaseColor; c != [4]float32{1, 1, 1, 1} {
		pbr.BaseColorFactor = &[4]float64{unitRange(c[0]), unitRange(c[1]), unitRange(c[2]), unitRange(c[3])}
	}
	if m.Base.Image >= 0 {
		pbr.BaseColorTexture = &gltf.TextureInfo{Index: w.texture(m.Base.Image, m.Base.Clamp || w.scene.Images[m.Base.Image].Clamp)}
	}
	unlit := m.Unlit || m.Material.Unlit
	if m.Normal.Image >= 0 && !unlit {
		out.NormalTexture = &gltf.NormalTexture{Index: gltf.Index(w.texture(m.Normal.Image, m.Normal.Clamp))}
		out.NormalTexture.Extensions = w.transform(m.Normal.UV)
	}
	switch m.Alpha {
	case materials.Mask:
		out.AlphaMode = gltf.AlphaMask
		out.AlphaCutoff = gltf.Float(float64(m.Cutoff))
	case materials.Blend:
		out.AlphaMode = gltf.AlphaBlend
	}
	if e := m.Emission; e != [3]float32{} && !unlit {
		out.EmissiveFactor = [3]float64{unitRange(e[0]), unitRange(e[1]), unitRange(e[2])}
		if m.Emissive.Image >= 0 {
			out.EmissiveTexture = &gltf.TextureInfo{Index: w.texture(m.Emissive.Image, m.Emissive.Clamp)}
			out.EmissiveTexture.Extensions = w.transform(m.Emissive.UV)
		}
		if m.Strength > 1 {
			out.Extensions["KHR_materials_emissive_strength"] = map[string]any{"emissiveStrength": m.Strength}
			w.use("KHR_materials_emissive_strength", false)
		}
	}
	if m.Lightmap != None {
		out.Extensions["MOZ_lightmap"] = map[string]any{"index": w.texture(m.Lightmap, true), "texCoord": 1, "intensity": m.Intensity}
		w.use("MOZ_lightmap", false)
	}
	if unlit {
		out.Extensions["KHR_materials_unlit"] = map[string]any{}
		w.use("KHR_materials_unlit", false)
	}
	if len(out.Extensions) == 0 {
		out.Extensions = nil
	}
	if len(m.Extras) > 0 {
		out.Extras = m.Extras
	}
	w.doc.Materials = append(w.doc.Materials, out)
}

// transform is KHR_texture_transform where a slot scales or moves the base texture's coordinates.
func (w *gltfWriter) transform(uv [6]float64) gltf.Extensions {
	if uv == identity || uv == [6]float64{} {
		return nil
	}
	w.use("KHR_texture_transform", false)
	return gltf.Extensions{"KHR_texture_transform": map[string]any{
		"scale": [2]float64{uv[0], uv[4]}, "offset": [2]float64{uv[2], uv[5]},
	}}
}

func unitRange(v float32) float64 { return float64(min(max(v, 0), 1)) }
