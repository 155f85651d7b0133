package valve

import (
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
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
	if wm.Iris {
		iris(vp, i, wm, e.Material)
		return true, false
	}
	if e.Material == nil {
		return false, false
	}
	v := e.Material
	describe(m, e, vp.Options.Bare)
	s, known := shaderOf(v.Shader)
	water, set := v.Get("$abovewater")
	if s.water {
		m.Fog = underwater(vp.Files, v)
	}
	switch {
	case wm.Flags&world.Sky != 0:
		m.Sky, m.Draw.Unlit = pbr.NewSky(), true
	case !visible || s.nothing || slices.ContainsFunc(undrawn, v.Bool):
		m.Draw.Hidden = true
	case s.water && set && water != "" && !v.Bool("$abovewater"):
		m.Draw.Hidden = true // the same surface seen from below
	default:
		reportUnknown(vp, v, known)
		reportUnread(vp, v)
		cut := vp.surface(plan.Alone(i), wm, v, &s, firstParameters)
		cut = append(cut, vp.over(i, wm, e, &s)...)
		vp.Into.NotShown(i, append(cut, notShown(v, &s)...))
	}
	return true, false
}

// surface sets a material, or a layer of one, from a shader's parameters, and returns which parts are not shown.
func (vp *Planner) surface(to plan.Target, wm *world.Material, v *vmt.Material, s *shader, n parameters) (cut []string) {
	m := to.Of(vp.Into.Materials)
	m.Draw.Unlit = wm.Lighting != world.Lightmap || s.unlit
	if wm.Lighting == world.Fullbright && vp.Options.Transmission && (s.water || s.glass) {
		m.Draw.Unlit = false // it has no lightmap because the surface below has the light
	}
	m.Vertex.Color = wm.Lighting == world.PerVertex && !s.unlit || v.Bool("$vertexcolor")
	m.Draw.DoubleSided, m.Draw.Nearest = v.Bool("$nocull"), v.Bool("$pointsamplemagfilter")
	name := v.Texture(n.base)
	if name == "" && n == firstParameters && s.base != "" {
		name = v.Texture(s.base)
	}
	file := vp.Files.Texture(name)
	var wave *pbr.Wave
	if n == firstParameters && s.generic() { // others multiply in linear light, which a wave does not
		v, wave = atRest(v)
	}
	u := useOf(v, s, vp.Files, file, vp.Files.Texture(v.Texture("$detail")))
	l := colors{parameterUse: u, tint: tintOf(v, s)}
	l.blend(m, v, s)
	m.Draw.Offset = (v.Bool("$decal") || s.product() || s.decal) && !vp.Facts.Shapes[to.Material].ModelsAlone
	if matrix, ok := v.Matrix(n.transform); ok {
		m.Base.UV = matrix
	}
	vp.part(m, v, file)
	if n == firstParameters {
		scroll(m, v)
		transformed(m, v)
	}
	vp.normal(to, v, n)
	switch {
	case name == "":
		l.color(m)
		vp.describeTextureless(m, wm, v, s)
		vp.reflect(to, v, s, &u, n, "")
		cut = unused(v, "$detail")
	case file == "":
		vp.Into.MarkMissing(wm, []string{name + ".vtf"})
		plan.MakePlaceholder(m)
	default:
		cut = vp.picture(to, wm, v, s, n, &l, file)
		vp.reflect(to, v, s, &u, n, file)
	}
	if wave != nil && (name == "" || file != "") {
		m.Move().Color, m.Motion.ColorRest = wave, wave.Base+float64(wave.Amp*math.Sin(2*math.Pi*wave.Phase))
	}
	return cut
}

// part limits a material to the part of its texture that it shows, before its own transform, as the engine computes the coordinates of a
// decal.
func (vp *Planner) part(m *pbr.Material, v *vmt.Material, file string) {
	if v.Part == nil || !lookup.IsVTF(file) {
		return
	}
	width, height, err := vp.Files.VTFSize(file)
	if err != nil || width < 1 || height < 1 {
		return
	}
	t, w, h := m.Base.UV, float64(width), float64(height)
	scale, offset := [2]float64{v.Part.Width / w, v.Part.Height / h}, [2]float64{v.Part.Left / w, v.Part.Top / h}
	for _, k := range []int{0, 3} {
		m.Base.UV[k], m.Base.UV[k+1] = t[k]*scale[0], t[k+1]*scale[1]
		m.Base.UV[k+2] = float64(t[k]*offset[0]) + float64(t[k+1]*offset[1]) + t[k+2]
	}
}

// colors states how a material's colour is shown.
type colors struct {
	parameterUse
	tint   [3]float64 // linear, not limited to 1
	pixels paint.Pixels
}

// picture plans the pictures of a material's base colour and emission, and returns which parts are not shown.
func (vp *Planner) picture(to plan.Target, wm *world.Material, v *vmt.Material, s *shader, n parameters, l *colors,
	file string) (cut []string) {
	m := to.Of(vp.Into.Materials)
	f := images.Form{Frame: v.Int(n.frame), Pixels: l.pixels}
	if s.product() {
		multiplies(m, v, &f)
		vp.Into.UseTexture(file, f, plan.User{To: to, Role: plan.AsTexture, Alpha: true})
		return nil
	}
	alpha := m.Alpha != pbr.Opaque && (l.Opacity || l.pixels != paint.AsStored) && n == firstParameters
	p := images.Surface{Base: images.Source{File: file, Frame: f.Frame}, Paint: paint.Surface{
		Tint: ones, Light: ones, Pixels: l.pixels, Opacity: 1, Shown: l.Opacity && alpha,
	}}
	l.paintTint(&p.Paint, vp, m, wm, v)
	vp.glow(to, wm, v, s, n, l, &p)
	if n == firstParameters || v.Texture("$blendmodulatetexture") == "" || m.Layer.Bands != nil {
		cut = vp.drawDetail(to, wm, v, s, l, &p)
	} else { // the mask is part of the image
		cut = unused(v, "$detail")
	}
	if l.pixels == paint.AddedByAlpha {
		p.Paint.Opacity, m.BaseColor[3] = m.BaseColor[3], 1
	}
	role := plan.AsTexture
	if p.Paint.Glow > 0 {
		role = plan.AsSurface
	}
	if tinted(&p.Paint) || p.Over.File != "" || role == plan.AsSurface || l.pixels == paint.AddedByAlpha {
		vp.Into.Use(p, surfaceName(&p), plan.User{To: to, Role: role, Alpha: alpha})
		vp.turn(to, animatedRate(v, n), file, alpha, func(frame int) (images.Work, string) {
			q := p
			q.Base.Frame = frame
			return q, surfaceName(&q)
		})
		if m.Motion != nil && role == plan.AsSurface {
			m.Motion.Glow = m.Motion.Base
		}
		return cut
	}
	if alpha && vp.transmit(to, v, file, &f) {
		alpha = false
	}
	vp.Into.UseTexture(file, f, plan.User{To: to, Role: role, Alpha: alpha})
	vp.turn(to, animatedRate(v, n), file, alpha, func(frame int) (images.Work, string) {
		g := f
		g.Frame = frame
		return images.TextureOf(file, g), images.NameOf(file, g)
	})
	return cut
}

// multiplies sets how a material's texture multiplies the background.
func multiplies(m *pbr.Material, v *vmt.Material, f *images.Form) {
	second := v.Color("$color2", paint.White)
	for k, c := range v.Color("$color", paint.White) {
		f.Tint[k] = float32(paint.Clamp01(c * second[k]))
	}
	f.Over, m.BaseColor[3] = float32(paint.Clamp01(v.Float("$alpha", 1))), 1
}

// tintOf returns the linear colour that multiplies a material's texture. Shaders with a lightmap take $color as it is, the others decode
// it, except above 1. Source SDK 2013, BaseVSShader.cpp, SetModulationPixelShaderDynamicState_LinearColorSpace.
func tintOf(v *vmt.Material, s *shader) (tint [3]float64) {
	tint = v.Color("$color", paint.White)
	for k, c := range v.Color("$color2", paint.White) {
		tint[k] = max(tint[k]*c, 0)
		if s.generic() && tint[k] <= 1 {
			tint[k] = gamma.Decode(tint[k])
		}
		if s.plain {
			tint[k] = 1
		}
		if s.bright { // Source SDK 2013, spritecard_ps2x.fxc
			bright := max(v.Float("$overbrightfactor", 1), 0)
			tint[k] *= bright * (1 + bright*max(v.Float("$addself", 0), 0))
		}
		if s.black {
			tint[k] = 0
		}
	}
	return tint
}

// color sets a material's tint as the factor of its base colour, as far as the factor can hold it.
func (l *colors) color(m *pbr.Material) {
	for k, c := range l.tint {
		m.BaseColor[k] = float32(paint.Clamp01(c))
	}
}

// paintTint sets a material's tint as the factor of its base colour or, if the factor can't hold it, in the image. A factor can't hold a
// tint above 1, or one whose amount is the texture's alpha. The latter consists of $color2 and the tint of the material's place in the map.
func (l *colors) paintTint(p *paint.Surface, vp *Planner, m *pbr.Material, wm *world.Material, v *vmt.Material) {
	bright := max(l.tint[0], l.tint[1], l.tint[2]) > 1
	if !vp.Options.Combine || !l.Tint && !bright {
		if !l.Tint { // the amount of the tint would need an image of its own
			l.color(m)
		}
		return
	}
	placed := [3]float32{1, 1, 1}
	if l.Tint {
		p.Places, p.Over = true, float32(paint.Clamp01(v.Float("$blendtintcoloroverbase", 0)))
		placed = placedTint(wm, v)
	}
	for k, c := range l.tint {
		p.Tint[k] = float32(min(c, brightest)) * placed[k]
	}
}

// intoPicture moves the tint from the factor of a material's base colour into its picture.
func (l *colors) intoPicture(p *paint.Surface, m *pbr.Material) {
	if p.Tint != ones || p.Places {
		return
	}
	for k := range p.Tint {
		p.Tint[k], m.BaseColor[k] = m.BaseColor[k], 1
	}
}

// blend sets how a material is blended with the background, and the conversion that its pixels need.
func (l *colors) blend(m *pbr.Material, v *vmt.Material, s *shader) {
	opacity := paint.Clamp01(v.Float("$alpha", 1))
	if !s.generic() && !s.decal { // as the colour of the vertices, and again as a constant
		opacity *= opacity
		if more := v.Float("$alpha2", 0); more > 0 {
			opacity = paint.Clamp01(opacity * more)
		}
	}
	if s.solid {
		opacity = 1
	}
	m.BaseColor[3] = float32(opacity)
	switch {
	case s.blend != paint.AsStored:
		m.Alpha, l.pixels = pbr.Blend, s.blend
		if s.blend == paint.Multiplied && v.Bool("$mod2x") {
			l.pixels = paint.Doubling
		}
	case v.Bool("$additive"):
		m.Alpha, l.pixels = pbr.Blend, paint.Added
		if l.Blend || s.bright {
			l.pixels = paint.AddedByAlpha
		} else {
			m.BaseColor[3] = 1
		}
	case v.Bool("$distancealpha") && (s.generic() || v.Bool("$softedges") || v.Bool("$outline")):
		m.Alpha, m.Cutoff = pbr.Mask, 0.5 // the alpha is the distance to an edge, which is at 0.5
	case l.Test && l.Opacity:
		// 0.7 is the default state of the engine's Direct3D layer; a shader changes it only if the material gives a
		// value above 0.
		m.Alpha, m.Cutoff = pbr.Mask, 0.7
		if ref := paint.Clamp01(v.Float("$alphatestreference", 0)); ref > 0 {
			m.Cutoff = float32(ref)
		}
	}
	if m.Alpha == pbr.Mask && l.Blend && l.Test || m.Alpha == pbr.Opaque && (l.Blend || s.clear) {
		m.Alpha, m.Cutoff = pbr.Blend, 0
	}
	if l.pixels != paint.AsStored {
		m.Extras["vmt_blend"] = l.pixels.String()
	}
	if s.product() { // the pixels stand for a product: readers that can multiply get it back from them
		m.Extras["blend"] = "multiply"
	}
	m.Vertex.Alpha = m.Alpha == pbr.Blend && v.Bool("$vertexalpha")
}
