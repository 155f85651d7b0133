package valve

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// load plans the material of a Valve material file.
func (vp *Planner) load(i int, wm *world.Material, visible bool) (known, clouds bool) {
	m := &vp.Into.Materials[i]
	if wm.Flags&world.Sky != 0 && vp.Facts.Sky != "" {
		return true, vp.sky(i, wm, visible)
	}
	e := vp.Files.VMT(wm.Name)
	if e.Material == nil {
		return false, false
	}
	v := e.Material
	describe(m, e)
	s, known := shaderOf(v.Shader)
	water, set := v.Get("$abovewater")
	switch {
	case wm.Flags&world.Sky != 0:
		m.Sky, m.Draw.Unlit = pbr.NewSky(), true
	case !visible || s.nothing || slices.ContainsFunc(hints, v.Bool):
		m.Draw.Hidden = true
	case s.water && set && water != "" && !v.Bool("$abovewater"):
		m.Draw.Hidden = true // the same surface seen from below
	default:
		reportUnknown(vp, v, known)
		vp.surface(plan.Alone(i), wm, v, &s, firstParameters)
		vp.Into.NotShown(i, append(vp.over(i, wm, e, &s), notShown(v, &s)...))
	}
	return true, false
}

// surface sets a material, or a layer of one, from a shader's parameters.
func (vp *Planner) surface(to plan.Target, wm *world.Material, v *vmt.Material, s *shader, n parameters) {
	m := to.Of(vp.Into.Materials)
	m.Draw.Unlit = wm.Lighting != world.Lightmap || s.unlit
	if wm.Lighting == world.Fullbright && vp.Options.Transmission && (s.water || s.glass) {
		m.Draw.Unlit = false // it has no lightmap because it shows the light of others
	}
	m.Vertex.Color = wm.Lighting == world.PerVertex && !s.unlit || v.Bool("$vertexcolor")
	m.Draw.DoubleSided = v.Bool("$nocull")
	tint(m, v, s)
	f := images.Form{Frame: v.Int(n.frame), Pixels: blend(m, v, s)}
	m.Draw.Offset = (v.Bool("$decal") || s.blend == paint.Modulated || s.blend == paint.Multiplied) && !vp.Facts.Shapes[to.Material].ModelsAlone
	if matrix, ok := v.Matrix(n.transform); ok {
		m.Base.UV = matrix
	}
	vp.normal(to, v, n)
	name := v.Texture(n.base)
	if name == "" && n == firstParameters && s.base != "" {
		name = v.Texture(s.base)
	}
	if name == "" {
		vp.bare(m, wm, v, s)
		vp.reflect(to, v, s, n, "")
		return
	}
	file := vp.Files.Texture(name)
	if file == "" {
		vp.Into.Miss(wm, []string{name + ".vtf"})
		plan.MakePlaceholder(m)
		return
	}
	if f.Pixels == paint.AsStored {
		partTint(vp, &f, m, wm, v, s)
	}
	alpha := m.Alpha != pbr.Opaque && (f.Pixels != paint.AsStored || !alphaTaken(v, m.Alpha))
	if alpha && vp.transmit(to, v, file, &f) {
		alpha = false
	}
	vp.Into.UseTexture(file, f, plan.User{To: to, Role: plan.AsTexture, Alpha: alpha})
	vp.glow(to, wm, v, s, file, n)
	vp.reflect(to, v, s, n, file)
}

// tint gives a material the colour that multiplies its texture.
func tint(m *pbr.Material, v *vmt.Material, s *shader) {
	tint := v.Color("$color", paint.White)
	if (m.Draw.Unlit || s.vertex) && !v.Bool("$blendtintbybasealpha") { // shaders with a lightmap ignore it
		for k, c := range v.Color("$color2", paint.White) {
			tint[k] *= c
		}
	}
	for k, c := range tint {
		m.BaseColor[k] = float32(paint.Linear(paint.Clamp01(c)))
		if s.black {
			m.BaseColor[k] = 0
		}
	}
}

// blend sets how a material is blended with the background, and returns the conversion that its pixels need.
func blend(m *pbr.Material, v *vmt.Material, s *shader) (p paint.Pixels) {
	opacity := paint.Clamp01(v.Float("$alpha", 1))
	m.BaseColor[3] = float32(opacity)
	switch {
	case s.blend != paint.AsStored:
		m.Alpha, p = pbr.Blend, s.blend
	case v.Bool("$additive"):
		m.Alpha, p = pbr.Blend, paint.Added
		if v.Bool("$translucent") && !alphaTaken(v, pbr.Blend) {
			p = paint.AddedByAlpha
		}
	case v.Bool("$distancealpha"):
		m.Alpha, m.Cutoff = pbr.Mask, 0.5 // the alpha is the distance to an edge, which is at 0.5
	case v.Bool("$alphatest"):
		// 0.7 is the default state of the engine's Direct3D layer; a shader changes it only if the material gives a
		// value above 0.
		m.Alpha, m.Cutoff = pbr.Mask, 0.7
		if ref := paint.Clamp01(v.Float("$alphatestreference", 0)); ref > 0 {
			m.Cutoff = float32(ref)
		}
	case s.clear || v.Bool("$translucent") || v.Bool("$vertexalpha") || opacity < 1:
		m.Alpha = pbr.Blend
	}
	if p != paint.AsStored {
		m.Extras["vmt_blend"] = p.String()
	}
	m.Vertex.Alpha = m.Alpha == pbr.Blend && v.Bool("$vertexalpha")
	return p
}

// alphaTaken reports whether the alpha of a blended material's texture has another meaning: where it glows, reflects or
// is tinted.
func alphaTaken(v *vmt.Material, a pbr.Alpha) bool {
	return a == pbr.Blend && (v.Bool("$selfillum") || v.Bool("$basealphaenvmapmask") || v.Bool("$blendtintbybasealpha") ||
		v.Bool("$phong") && v.Bool("$basemapalphaphongmask"))
}

// partTint applies a material's $color2, and the tint of its place in the map, where its texture's alpha says so: it
// multiplies the texture's colour, or replaces it by the share $blendtintcoloroverbase.
func partTint(vp *Planner, f *images.Form, m *pbr.Material, wm *world.Material, v *vmt.Material, s *shader) {
	if !v.Bool("$blendtintbybasealpha") || !vp.Options.Combine || !m.Draw.Unlit && !s.vertex {
		return
	}
	f.Pixels, f.Over = paint.Tinted, float32(paint.Clamp01(v.Float("$blendtintcoloroverbase", 0)))
	placed := placedTint(wm, v)
	for k, x := range v.Color("$color2", paint.White) {
		f.Tint[k] = float32(paint.Linear(paint.Clamp01(x))) * placed[k]
	}
}
