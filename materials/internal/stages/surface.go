package stages

import (
	"reflect"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// surface sets a material's image from a recipe. It returns the parts that are not shown.
func (sp *Planner) surface(to plan.Target, r *recipe) (cut []string) {
	sp.detail(to, r)
	s, ok := simplify(r)
	if ok || !sp.Options.Combine {
		if !ok {
			s = principal(r)
			cut = append(cut, "stages")
		}
		sp.apply(to, r, &s)
		return cut
	}
	for i := range r.stages {
		if l := &r.stages[i]; l.Mean() && l.Gen != q3shader.TCEnvironment {
			cut = append(cut, "tcGen "+l.Gen.String())
		}
	}
	m := to.Of(sp.Into.Materials)
	m.Vertex.Color = r.light == paint.ByVertex
	m.Draw.Unlit = r.light != paint.ByMap
	movePicture(m, r)
	mirrors := sp.mirror(to, r)
	first := r.stages[0].Blend
	behind := first != nil && (to.Layer < 0 || m.Sky != nil || m.Layer.Whole)
	pictured := behind && sp.Options.Environment
	if pictured && m.Sky == nil && first.Src == q3shader.DstColor {
		part(r)
	}
	p := r.painted()
	p.Detailed, p.Environment, p.Behind, p.WordOnly = sp.Options.CombineAll && m.Sky == nil, mirrors, behind, behind && !pictured
	p.Apart = pictured && m.Sky == nil && p.MultipliesAndAdds()
	sp.Into.Use(images.Combined{Recipe: p}, m.Name+"_combined", plan.User{To: to, Role: plan.AsPicture})
	return cut
}

// partedAt is the time in seconds for drawing water that multiplies the background by stages that move differently. At time 0 their
// patterns coincide, as they never do again, in a few very bright lines.
const partedAt = 8

// part moves the stages of a still picture to a typical moment.
func part(r *recipe) {
	for i := range r.stages {
		if l := &r.stages[i]; l.Image != "" && !l.Mean() && !reflect.DeepEqual(l.mods, r.stages[0].mods) {
			for k := range r.stages {
				at := q3shader.Stage{TCMods: r.stages[k].mods}
				r.stages[k].UV = at.Matrix(partedAt)
			}
			return
		}
	}
}

// mirror requests the environment image, for readers that support it. It returns false if the recipe has none, or not in
// a way that they can show.
func (sp *Planner) mirror(to plan.Target, r *recipe) bool {
	m := to.Of(sp.Into.Materials)
	if !sp.Options.Environment || m.Sky != nil || to.Layer >= 0 && !m.Layer.Whole {
		return false
	}
	k := r.painted().Reflection()
	if k < 0 {
		return false
	}
	l := &r.stages[k]
	if to.Layer >= 0 && l.tint != pbr.NoTint {
		return false // what it shows is not linear in its colour; so where the picture's alpha counts, which is known when it is drawn
	}
	m.Environment = &pbr.Environment{Slot: pbr.Slot{Image: pbr.NoImage, Clamp: l.Clamp, UV: l.UV}, Color: l.Color, Vertex: l.tint,
		FactorImage: pbr.NoImage}
	if list := changes(l.mods); list != nil {
		m.Move().Mirror = list
	}
	if l.tint == pbr.ByRestColor {
		for c := range l.Color {
			m.Environment.Color[c] /= 1 - paint.TypicalLight // the vertices have the exact values
		}
	}
	sp.Into.UseFile(l.Image, plan.User{To: to, Role: plan.AsEnvironment})
	return true
}

// detail requests the detail textures of a surface, for readers that support them.
func (sp *Planner) detail(to plan.Target, r *recipe) {
	m := to.Of(sp.Into.Materials)
	for i := range r.details {
		l := &r.details[i]
		if l.Gen != q3shader.TCBase || !sp.Options.Details {
			continue
		}
		m.Details = append(m.Details, pbr.Slot{Image: pbr.NoImage, Clamp: l.Clamp, UV: l.UV})
		sp.Into.UseFile(l.Image, plan.User{To: to, Role: plan.AsPattern, Side: len(m.Details) - 1})
	}
}

// apply sets a material from the simple form of its recipe.
func (sp *Planner) apply(to plan.Target, r *recipe, s *simple) {
	m := to.Of(sp.Into.Materials)
	m.Draw.Unlit = s.unlit || r.light != paint.ByMap
	m.Vertex.Color = r.light == paint.ByVertex && !s.unlit
	m.Alpha, m.Cutoff = s.alpha, s.cutoff
	for k, c := range s.baseColor {
		m.BaseColor[k] = float32(gamma.Decode(paint.Clamp01(c)))
	}
	m.BaseColor[3] = float32(s.opacity)
	m.Draw.LightGain = s.gain
	if s.base >= 0 {
		l := &r.stages[s.base]
		m.Base.UV, m.Base.Clamp = l.UV, l.Clamp
		switch l.Gen {
		case q3shader.TCLightmap:
			m.Base.LightmapUV = true
		case q3shader.TCVector:
			m.Base.UV, m.Base.Project = pbr.Identity, l.projection()
		}
		sp.Into.UseFile(l.Image, plan.User{To: to, Alpha: s.alpha != pbr.Opaque})
	}
	sp.moveSimple(to, r, s)
	if !s.glows || m.Draw.Unlit && !r.emits {
		return
	}
	plan.SetEmission(m, s.glowColor)
	if s.glow < 0 {
		return
	}
	l := &r.stages[s.glow]
	m.Emission.Slot.Clamp, m.Emission.Slot.UV = l.Clamp, l.UV
	if inv, ok := space.InvertTexture(m.Base.UV); ok && s.base >= 0 {
		m.Emission.Slot.UV = space.MultiplyTexture(l.UV, inv)
	}
	sp.Into.UseFile(l.Image, plan.User{To: to, Role: plan.AsEmission})
}
