package assemble

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// display is how the light of a material is multiplied as displayed, or nil where light is linear in the game too.
func display(d *world.DisplayLight, m *materials.Material) *scene.Display {
	if d == nil {
		return nil
	}
	out := &scene.Display{Albedo: d.Albedo, Exponent: d.Exponent}
	if !m.Unlit && m.LightGain != 1 {
		out.Gain = m.LightGain
	}
	if m.Glow == [3]float32{} || m.Emission == [3]float32{} {
		return out
	}
	// What a reader decodes from the emission that was bent for linear viewers, back to what the engine adds.
	out.Emission = &[3]float64{1, 1, 1}
	for k, shown := range m.Glow {
		if e := gamma.Encode(float64(m.Emission[k]) * float64(m.Strength)); e > 0 {
			out.Emission[k] = math.Round(1e6*float64(shown)/e) / 1e6
		}
	}
	return out
}
