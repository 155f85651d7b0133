package valve

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The engine refracts the background of water and glass; transmission approximates that.
const (
	waterOpacity = 0.8 // of water whose depth or fog is unknown
	glassOpacity = 0.15
)

// steepness is the length of the line of sight through water, in multiples of the water's depth, for a camera that looks 30 degrees down.
const steepness = 2

// describeTextureless sets the appearance of a material without a texture.
func (vp *Planner) describeTextureless(m *pbr.Material, wm *world.Material, v *vmt.Material, s *shader) {
	switch {
	case s.water:
		m.Alpha, m.Cutoff, m.Draw.Offset = pbr.Blend, 0, false
		color := [3]float32{0.05, 0.1, 0.1}
		if wm.Color != [3]float32{} {
			color = wm.Color
		}
		if v.Vector("$fogcolor") != nil {
			for k, c := range v.Color("$fogcolor", [3]float64{}) {
				color[k] = float32(gamma.Decode(paint.Clamp01(c)))
			}
		}
		copy(m.BaseColor[:], color[:])
		m.BaseColor[3] = waterFog(v, float64(vp.Facts.Depths[wm.Name]))
		if v.Bool("$forcecheap") { // it is opaque. Source SDK 2013, water.cpp, DrawCheapWater
			m.Alpha, m.BaseColor[3] = pbr.Opaque, 1
		} else if vp.Options.Transmission && !m.Draw.Unlit {
			clearWater(m)
		}
	case s.glass:
		m.Alpha, m.Cutoff = pbr.Blend, 0
		tint := v.Color("$refracttint", paint.White)
		m.BaseColor = tintedGlass(tint)
		if vp.Options.Transmission && !m.Draw.Unlit {
			m.Alpha, m.BaseColor[3] = pbr.Opaque, 1
			for k, c := range tint {
				m.BaseColor[k] = float32(gamma.Decode(paint.Clamp01(c)))
			}
			m.Transmission = &pbr.Transmission{Factor: 1, Slot: pbr.Slot{Image: pbr.NoImage, UV: pbr.Identity}}
			m.Reflection = smooth(0)
		}
	case s.black || wm.Color == [3]float32{}:
	default:
		copy(m.BaseColor[:], wm.Color[:])
	}
	for k, c := range m.BaseColor {
		m.BaseColor[k] = float32(paint.Clamp01(float64(c)))
	}
}

// waterFog returns the opacity of the surface of water of a depth, seen from above. The game mixes $fogcolor over the refracted image
// by the distance through water, divided by $fogend less $fogstart, less 0.05, and at most 1. Source SDK 2013, common_ps_fxc.h
// (CalcWaterFogAlpha), water_ps2x_helper.h. Clear water is as opaque as glass, so that it is visible without reflections.
func waterFog(v *vmt.Material, depth float64) float32 {
	reach := v.Float("$fogend", 0) - v.Float("$fogstart", 0)
	if depth <= 0 || !v.Bool("$fogenable") || !(reach > 0) {
		return waterOpacity
	}
	return float32(min(max(steepness*depth/reach-0.05, glassOpacity), 1))
}

// underwater returns the fog for a camera in water, or nil: that of $bottommaterial, or without one that of the water itself.
func underwater(files *lookup.Files, v *vmt.Material) *pbr.Fog {
	if name := v.Texture("$bottommaterial"); name != "" {
		if e := files.VMT(strings.TrimPrefix(name, "materials/")); e.Material != nil {
			v = e.Material
		}
	}
	start, end := v.Float("$fogstart", 0), v.Float("$fogend", 0)
	if !v.Bool("$fogenable") || v.Vector("$fogcolor") == nil || !(end > start) {
		return nil
	}
	out := &pbr.Fog{Start: float32(start), End: float32(end)}
	for k, c := range v.Color("$fogcolor", [3]float64{}) {
		out.Color[k] = float32(gamma.Decode(paint.Clamp01(c)))
	}
	return out
}

// tintedGlass returns the linear colour and the opacity of a pane that approximates a multiplication of the background by a tint, in
// display space. It is exact over a displayed value of one half. The opacity is never 0, so that the pane is visible even with a white
// tint.
func tintedGlass(tint [3]float64) (c [4]float32) {
	opacity := max(glassOpacity, 1-(paint.Clamp01(tint[0])+paint.Clamp01(tint[1])+paint.Clamp01(tint[2]))/3)
	for k, t := range tint {
		c[k] = float32(gamma.Decode(paint.Clamp01((t - (1 - opacity)) / (2 * opacity))))
	}
	c[3] = float32(opacity)
	return c
}

// clearWater replaces the blending of water by transmission. Over a floor that reflects 0.4 it is as bright as blended
// water.
func clearWater(m *pbr.Material) {
	const floor = 0.4
	opacity := m.BaseColor[3]
	for k := range 3 {
		blended := float32(m.BaseColor[k]*opacity) + float32(floor*(1-opacity))
		m.BaseColor[k] = blended / (floor * waterOpacity)
	}
	m.Alpha, m.BaseColor[3] = pbr.Opaque, 1
	m.Transmission = &pbr.Transmission{Factor: waterOpacity, Slot: pbr.Slot{Image: pbr.NoImage, UV: pbr.Identity}}
	m.Reflection = smooth(waterIOR)
}

// transmit replaces the blending of glass by transmission, by the alpha of its texture. Transmitted light takes the
// base colour, so that becomes white where all light passes.
func (vp *Planner) transmit(to plan.Target, v *vmt.Material, file string, f *images.Form) bool {
	m := to.Of(vp.Into.Materials)
	prop, _ := v.Get("$surfaceprop")
	if !vp.Options.Transmission || !vp.shaded(to) || m.Alpha != pbr.Blend || m.Vertex.Alpha || f.Pixels != paint.AsStored ||
		!strings.Contains(strings.ToLower(prop), "glass") {
		return false
	}
	f.Pixels, f.Over = paint.Pane, m.BaseColor[3]
	m.Alpha, m.BaseColor[3] = pbr.Opaque, 1
	m.Transmission = &pbr.Transmission{Factor: 1, Slot: pbr.Slot{Image: pbr.NoImage, UV: pbr.Identity}}
	m.Reflection = smooth(0)
	vp.Into.UseTexture(file, images.Form{Frame: f.Frame, Pixels: paint.Passed, Over: f.Over}, plan.User{To: to, Role: plan.AsTransmission})
	return true
}
