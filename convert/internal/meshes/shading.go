package meshes

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// shading holds the attributes that the vertices of a group show.
type shading struct {
	key     drawkey.Key
	m       *pbr.Material // of the key
	axes    axes.Axes
	atlas   *lightmap.Atlas
	charts  []world.Chart
	display *world.DisplayLight
	carried carrier
	step    float64 // luxels between the vertices that carry light
	divided bool    // light beyond white is divided, see Groups.divided
}

// shadingOf returns the shading of a draw key.
func (in *Input) shadingOf(key drawkey.Key, light drawkey.VertexLight) shading {
	m, baked := drawkey.Base(in.Set, key), &in.World.Baked
	return shading{
		key: key, m: m, axes: in.Axes, atlas: in.Atlas, charts: baked.Charts, display: baked.Display,
		carried: newCarrier(m, light.Of[key.Texture()], baked.Display), step: in.Light.VertexStep,
	}
}

// chart returns a chart, or nil for world.NoChart.
func (sh *shading) chart(i int) *world.Chart {
	if i == world.NoChart {
		return nil
	}
	return &sh.charts[i]
}

// texcoord returns the coordinates of a vertex on a texture, transforms applied. chart is the surface's, or nil.
func texcoord(s *pbr.Slot, v *world.Vertex, chart *world.Chart) [2]float32 {
	if s.Project != nil {
		var uv [2]float32
		x, y, z := float64(v.Position[0]), float64(v.Position[1]), float64(v.Position[2])
		for k, row := range s.Project {
			uv[k] = float32(axes.Bounded(space.Sum(row[0]*x, row[1]*y, row[2]*z, row[3])))
		}
		return uv
	}
	uv := v.UV
	if s.LightmapUV && chart != nil && chart.Width > 0 && chart.Height > 0 { // the engine's page is our chart
		uv = [2]float32{v.Luxel[0] / float32(chart.Width), v.Luxel[1] / float32(chart.Height)}
	}
	return TransformUV(s.UV, uv)
}

// TransformUV applies a transform of texture coordinates.
func TransformUV(t [6]float64, uv [2]float32) [2]float32 {
	if t == pbr.Identity || t == [6]float64{} {
		return uv
	}
	u, v := float64(uv[0]), float64(uv[1])
	return [2]float32{float32(axes.Bounded(space.Sum(t[0]*u, t[1]*v, t[2], 0))), float32(axes.Bounded(space.Sum(t[3]*u, t[4]*v, t[5], 0)))}
}

// color returns the factor on the base colour at a vertex.
func color(sh *shading, v *world.Vertex, chart *world.Chart) [4]uint16 {
	c := [4]float32{1, 1, 1, 1}
	use := sh.m.Vertex
	if use.Color {
		copy(c[:3], v.Color[:3])
	}
	if use.Alpha && sh.key.Layer == 0 {
		c[3] = v.Color[3]
		if use.Inverse {
			c[3] = 1 - c[3]
		}
	}
	if sh.key.VertexLit {
		for k, x := range sh.carried.light(lightmap.Sample(chart, v.Luxel)) {
			c[k] *= x
		}
	}
	most := float32(1)
	if use.Color && sh.divided {
		most = max(c[0], c[1], c[2], 1)
	}
	var out [4]uint16
	for k, x := range c {
		out[k] = to16(x / most)
	}
	if most > 1 {
		out[3] = dividedBy(most)
	}
	return out
}

// mirror returns the factor on the picture of the surroundings at a vertex, in display values.
func mirror(tint pbr.VertexTint, d *world.DisplayLight, v *world.Vertex) [4]uint16 {
	albedo := 1.0
	if d != nil {
		albedo = d.Albedo
	}
	out := [4]uint16{3: 65535}
	for k := range 3 {
		shown := gamma.Encode(float64(v.Color[k])*gamma.Decode(albedo)) / albedo // undoes what docs/internals/light.md describes
		if shown = min(max(shown, 0), 1); tint == pbr.ByRestColor {
			shown = 1 - shown
		}
		out[k] = to16(float32(shown))
	}
	return out
}

// to16 converts a number from 0 to 1 to 16 bits, where 65535 is 1.
func to16(x float32) uint16 { return uint16(float32(min(max(x, 0), 1)*65535) + 0.5) }

// dividedBy returns the alpha that states the divisor of light. It is at most 64, of which a byte has a few steps.
func dividedBy(most float32) uint16 { return to16(1 / min(most, 64)) }

// carrier turns the light of luxels into what vertices carry.
type carrier struct {
	gain, boost float32      // linear factor, and what the result is divided by
	least       [3]float32   // of the result times boost
	bent        *gamma.Table // what light becomes first if it is not linear in the game; else nil
}

// newCarrier returns the carrier for a material.
func newCarrier(m *pbr.Material, c drawkey.VertexLightScale, d *world.DisplayLight) carrier {
	out := carrier{gain: float32(drawkey.Gain(m)), boost: max(c.Boost, 1), least: leastLight(m)}
	if c.Albedo > 0 {
		stored, own, gain := gamma.New(d.Albedo, d.Exponent), gamma.New(c.Albedo, d.Exponent), float32(m.Draw.LightGain)
		out.bent, out.gain = gamma.NewTable(func(light float32) float32 { return own.Linear(stored.Shown(light) * gain) }), 1
	}
	return out
}

// light returns what a vertex carries for the light of a luxel.
func (c *carrier) light(light [3]float32) [3]float32 {
	for k := range light {
		x := light[k]
		if c.bent != nil {
			x = c.bent.At(x)
		}
		light[k] = max(x*c.gain, c.least[k]) / c.boost
	}
	return light
}

// glowLight is the least light on emissive surfaces with the vertex carrier: an unlit material can't emit.
const glowLight = 0.5

// leastLight returns the least light on a material with the vertex carrier.
func leastLight(m *pbr.Material) (least [3]float32) {
	for k, e := range m.Emission.Color {
		if e > 0 {
			least[k] = glowLight
		}
	}
	return least
}
