package assemble

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// display is how the light of a material is multiplied as displayed, or nil where light is linear in the game too.
func display(d *world.DisplayLight, m *pbr.Material) *scene.Display {
	if d == nil {
		return nil
	}
	out := &scene.Display{Albedo: d.Albedo, Exponent: d.Exponent}
	if !m.Draw.Unlit && m.Draw.LightGain != 1 {
		out.Gain = m.Draw.LightGain
	}
	if m.Emission.Glow == [3]float32{} || m.Emission.Color == [3]float32{} {
		return out
	}
	// What a reader decodes from the emission that was bent for linear viewers, back to what the engine adds.
	out.Emission = &[3]float64{1, 1, 1}
	for k, shown := range m.Emission.Glow {
		if e := gamma.Encode(float64(m.Emission.Color[k]) * float64(m.Emission.Strength)); e > 0 {
			out.Emission[k] = math.Round(1e6*float64(shown)/e) / 1e6
		}
	}
	return out
}
