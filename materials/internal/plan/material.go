package plan

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// overlayOpacity is the opacity of an overlay whose image is missing: enough to see both the overlay and the wall
// behind it.
const overlayOpacity = 0.25

// StartMaterial starts the plan of a material with the map's facts about it.
func (pl *Plan) StartMaterial(i int, wm *world.Material) {
	m := &pl.Materials[i]
	*m = pbr.New(wm.Name)
	if wm.Surface != 0 {
		m.Extras["surface_flags"] = float64(wm.Surface)
	}
	if wm.Contents != 0 {
		m.Extras["contents"] = float64(wm.Contents)
	}
	m.PlaceholderLook = pbr.PlaceholderLook{Color: wm.Color, Opacity: 1, Overlay: pl.Facts.Shapes[i].OverlaysAlone}
	if wm.Blend == world.BlendAlpha || wm.Blend == world.BlendAdd {
		m.PlaceholderLook.Opacity = float32(paint.Clamp01(float64(wm.Opacity)))
	}
}

// MakePlaceholder gives a material the plain colour that replaces a missing image.
func MakePlaceholder(m *pbr.Material) {
	m.Placeholder = true
	s := &m.PlaceholderLook
	m.BaseColor = [4]float32{0.5, 0.5, 0.5, s.Opacity}
	if s.Color != [3]float32{} {
		for k, c := range s.Color {
			m.BaseColor[k] = float32(paint.Clamp01(float64(c)))
		}
	}
	m.Emission.Color = [3]float32{}
	if s.Overlay && m.Alpha != pbr.Opaque {
		m.BaseColor[3] *= overlayOpacity
	}
	m.Alpha, m.Cutoff = pbr.Opaque, 0
	if m.Vertex.Alpha || m.BaseColor[3] < 1 {
		m.Alpha = pbr.Blend
	}
	m.Extras["placeholder"] = true
}

// ApplyMapAppearance sets how the surfaces of a material are lit, tinted and blended with the background. It returns the conversion
// that its pixels need, and whether their alpha is used. hole means that the picture has holes.
func (f *Facts) ApplyMapAppearance(m *pbr.Material, wm *world.Material, hole bool) (p paint.Pixels, alpha bool) {
	m.Draw.Unlit = wm.Lighting != world.Lightmap
	m.Vertex.Color = wm.Lighting == world.PerVertex
	m.Draw.DoubleSided = wm.TwoSided
	if wm.Tint != [3]float32{} {
		for k, c := range wm.Tint {
			m.BaseColor[k] = float32(paint.Clamp01(float64(c)))
		}
	}
	switch {
	case wm.Blend == world.BlendAdd:
		m.Alpha, p = pbr.Blend, paint.Added
		m.Extras["blend"] = "add"
	case wm.Blend == world.BlendAlpha:
		m.Alpha = pbr.Blend
	case wm.Blend == world.BlendMask || hole:
		m.Alpha, m.Cutoff = pbr.Mask, 0.5
	}
	if m.Alpha == pbr.Blend {
		m.BaseColor[3] = float32(paint.Clamp01(float64(wm.Opacity)))
	}
	if f.Doubled && p == paint.AsStored {
		p = paint.Brightened
		if wm.Lighting == world.Fullbright && (m.Alpha == pbr.Blend || wm.Flags&world.Liquid != 0) {
			p = paint.Dimmed
		}
	}
	return p, m.Alpha != pbr.Opaque
}

// OwnExtras are the names of our extras; a directive or parameter of the same name must not overwrite them.
var OwnExtras = map[string]bool{"placeholder": true, "not_shown": true, "not_periodic": true, "surface_flags": true, "contents": true,
	"vmt_blend": true, "vmt_proxies": true,
	"blend": true, "behind": true, "details": true, "environment": true, "motion": true, "mix": true, "band": true}
