package materials

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/vmt"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The engine bends what is behind water and glass; we let it through.
const (
	waterOpacity = 0.8
	glassOpacity = 0.15
	waterIOR     = 1.33
)

// bareVMT is the look of a material without a texture.
func (vp *valvePlanner) bareVMT(m *Material, wm *world.Material, v *vmt.Material, l *look) {
	switch {
	case l.water:
		m.Alpha, m.Cutoff, m.Offset = Blend, 0, false
		color := [3]float32{0.05, 0.1, 0.1}
		if wm.Color != [3]float32{} {
			color = wm.Color
		}
		if v.Vector("$fogcolor") != nil {
			for k, c := range v.Color("$fogcolor", [3]float64{}) {
				color[k] = float32(srgbToLinear(clamp01(c)))
			}
		}
		copy(m.BaseColor[:], color[:])
		m.BaseColor[3] = waterOpacity
		if vp.o.Transmission && !m.Unlit {
			clearWater(m)
		}
	case l.glass:
		m.Alpha, m.Cutoff = Blend, 0
		for k, c := range v.Color("$refracttint", white) {
			m.BaseColor[k] = float32(srgbToLinear(clamp01(c)))
		}
		m.BaseColor[3] = glassOpacity
		if vp.o.Transmission && !m.Unlit {
			m.Alpha, m.BaseColor[3] = Opaque, 1
			m.Transmission = &Transmission{Factor: 1, Slot: Slot{Image: NoImage, UV: identity}}
			m.Reflection = smooth(0)
		}
	case l.black || wm.Color == [3]float32{}:
	default:
		copy(m.BaseColor[:], wm.Color[:])
	}
	for k, c := range m.BaseColor {
		m.BaseColor[k] = float32(clamp01(float64(c)))
	}
}

// clearWater lets light through water in place of blending it. Over a floor that reflects 0.4 it is as bright as blended
// water is.
func clearWater(m *Material) {
	const floor = 0.4
	for k := range 3 {
		blended := float32(m.BaseColor[k]*waterOpacity) + floor*(1-waterOpacity)
		m.BaseColor[k] = blended / (floor * waterOpacity)
	}
	m.Alpha, m.BaseColor[3] = Opaque, 1
	m.Transmission = &Transmission{Factor: waterOpacity, Slot: Slot{Image: NoImage, UV: identity}}
	m.Reflection = smooth(waterIOR)
}

// transmitVMT lets light through a pane of glass, by the alpha of its texture, in place of blending it. What goes through
// takes the base's colour, so that is white where all does.
func (vp *valvePlanner) transmitVMT(to target, v *vmt.Material, file string, f *form) bool {
	m := to.of(vp.plan.Materials)
	prop, _ := v.Get("$surfaceprop")
	if !vp.o.Transmission || !vp.shaded(to) || m.Alpha != Blend || m.VertexAlpha || f.pixels != asStored || !strings.Contains(strings.ToLower(prop), "glass") {
		return false
	}
	f.pixels, f.over = pane, m.BaseColor[3]
	m.Alpha, m.BaseColor[3] = Opaque, 1
	m.Transmission = &Transmission{Factor: 1, Slot: Slot{Image: NoImage, UV: identity}}
	m.Reflection = smooth(0)
	vp.plan.useTexture(file, form{frame: f.frame, pixels: passed, over: f.over}, false, user{to: to, role: asTransmission})
	return true
}
