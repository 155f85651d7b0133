package write

import (
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// details returns the detail textures of a material (docs/internals/readers.md), or nil if it has none. Their
// transforms apply to a mesh's coordinates, which already include the transform of the base texture.
func (w *materialWriter) details(m *scene.Material) []map[string]any {
	if f := m.Fine; f != nil && f.Base.Image != pbr.NoImage && f.Over.Image != pbr.NoImage {
		return []map[string]any{w.fine(f)}
	}
	base := m.Base.UV
	if base == ([6]float64{}) {
		base = noTransform
	}
	det := base[0]*base[4] - base[1]*base[3]
	if det == 0 || m.Base.LightmapUV || m.Base.Project != nil {
		return nil
	}
	var out []map[string]any
	for _, d := range m.Details {
		if d.Image == pbr.NoImage {
			continue
		}
		// d.UV · base⁻¹
		a, b := (d.UV[0]*base[4]-d.UV[1]*base[3])/det, (d.UV[1]*base[0]-d.UV[0]*base[1])/det
		c, e := (d.UV[3]*base[4]-d.UV[4]*base[3])/det, (d.UV[4]*base[0]-d.UV[3]*base[1])/det
		transform := rounded(a, b, d.UV[2]-a*base[2]-b*base[5], c, e, d.UV[5]-c*base[2]-e*base[5])
		out = append(out, map[string]any{"texture": w.texture(d.Image, d.Clamp), "transform": transform})
	}
	return out
}

// fine returns a detail texture that is combined with its base per pixel.
func (w *materialWriter) fine(f *pbr.Fine) map[string]any {
	out := map[string]any{
		"texture": w.texture(f.Over.Image, f.Over.Clamp), "transform": rounded(f.Over.UV[:]...), "base": w.texture(f.Base.Image, f.Base.Clamp),
		"mode": f.Mode, "factor": rounded(f.Factor)[0], "tint": rounded(f.Tint[:]...),
	}
	if f.SRGB {
		out["srgb"] = true
	}
	return out
}

// mix returns the texture that is blended over a material's base (docs/internals/readers.md), or nil.
func (w *materialWriter) mix(m *scene.Material) map[string]any {
	if m.Mix == nil {
		return nil
	}
	out := map[string]any{"texture": w.texture(m.Mix.Second, m.Base.Clamp)}
	if k := &m.Mix.Mask; k.Image != pbr.NoImage {
		out["mask"], out["transform"] = w.texture(k.Image, k.Clamp), rounded(k.UV[:]...)
	}
	return out
}

// directed returns the directions of a material's lightmap light (docs/internals/readers.md), or nil if they are
// unknown.
func (w *materialWriter) directed(m *scene.Material) map[string]any {
	if m.Directed == nil || m.Lightmap == scene.None {
		return nil
	}
	out := map[string]any{"texture": w.texture(m.Directed.Image, true)}
	if m.Directed.Ambient != 0 {
		out["ambient"] = rounded(m.Directed.Ambient)[0]
	}
	if h := m.Highlight; h != nil {
		out["gloss"] = w.texture(h.Image, h.Clamp)
	}
	return out
}
