package drawkey

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// displayOf returns how the engine multiplies the light of a draw key's material, or nil if that is linear or there is no light.
// Where textures have a curve of their own, a material without light has it, too.
func displayOf(key Key, m *scene.Material, from *Sources) *scene.Display {
	d := from.World.Baked.Display
	if d == nil {
		return nil
	}
	var out *scene.Display
	if key.VertexLit {
		out = vertexLitDisplay(from.Light.Of[key.Texture()], d)
	} else if key.Page != scene.None || m.Material.Draw.Unlit && m.Vertex.Color {
		out = display(d, &m.Material)
	} else if m.Lightmap != scene.None { // white, as the vertices have the light with its gain: only the emission is added as displayed
		out = display(d, &m.Material)
		out.Albedo, out.Gain = 1, 0
	}
	if out == nil && d.Exponent != 1 && m.Material.Draw.Unlit && m.Material.Sky == nil {
		return &scene.Display{Albedo: 1, Exponent: d.Exponent}
	}
	return out
}

// display returns how the engine multiplies the light of a material.
func display(d *world.DisplayLight, m *pbr.Material) *scene.Display {
	out := &scene.Display{Albedo: d.Albedo, Exponent: d.Exponent}
	if !m.Draw.Unlit && m.Draw.LightGain != 1 {
		out.Gain = m.Draw.LightGain
	}
	if m.Emission.Glow == [3]float32{} || m.Emission.Color == [3]float32{} {
		return out
	}
	// The emission was adjusted for viewers that add linear light. This undoes the adjustment.
	out.Emission = &[3]float64{1, 1, 1}
	for k, shown := range m.Emission.Glow {
		if e := gamma.Encode(float64(m.Emission.Color[k]) * float64(m.Emission.Strength)); e > 0 {
			out.Emission[k] = math.Round(1e6*float64(shown)/e) / 1e6
		}
	}
	return out
}

// vertexLitDisplay returns how the engine multiplies light that vertices carry, or nil if that is linear.
func vertexLitDisplay(c VertexLightScale, d *world.DisplayLight) *scene.Display {
	if c.Albedo == 0 {
		return nil
	}
	out := &scene.Display{Albedo: c.Albedo, Exponent: d.Exponent}
	if c.Boost > 1 {
		out.Texture = float64(c.Boost)
	}
	return out
}
