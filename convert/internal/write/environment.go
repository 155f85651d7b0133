package write

import (
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// environment returns the extra with a material's environment map (docs/internals/readers.md), or nil if it has none.
func (w *materialWriter) environment(m *scene.Material) map[string]any {
	e := m.Environment
	if e == nil || e.Image == pbr.NoImage {
		return nil
	}
	x := map[string]any{"texture": w.texture(e.Image, e.Clamp), "mean": rounded(e.Mean[:]...)}
	if e.UV != noTransform {
		x["transform"] = rounded(e.UV[:]...)
	}
	white := [3]float64{1, 1, 1}
	if e.Color != white {
		x["color"] = rounded(e.Color[:]...)
	}
	if e.Vertex != pbr.NoTint {
		x["vertex"] = true
	}
	if e.Factor != white {
		x["factor"] = rounded(e.Factor[:]...)
	}
	if e.FactorImage != pbr.NoImage {
		x["factor_texture"] = w.texture(e.FactorImage, e.FactorClamp)
	}
	if e.AddsEmission {
		x["emission"] = true
	}
	return x
}
