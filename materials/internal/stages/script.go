package stages

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// implicit makes the material that the engine uses for an image without a script: lit as its surface is, and opaque
// unless the map or a name that starts with "{" says otherwise. file may be "".
func (sp *Planner) implicit(i int, wm *world.Material, file string) {
	m := &sp.Into.Materials[i]
	if file == "" && wm.Clear {
		m.Draw.Hidden = true
		return
	}
	image := q3shader.Stage{Kind: q3shader.Image, Maps: []string{file}}
	if sp.Facts.Filtered && file != "" && wm.Lighting != world.Fullbright && besideImage(&image, sp.beside, glowEndings...) != "" {
		sp.script(i, wm, &q3shader.Shader{Stages: []q3shader.Stage{image, {Kind: q3shader.Lightmap}}})
		return
	}
	p, alpha := sp.Facts.Dress(m, wm, strings.HasPrefix(wm.Name, "{"))
	if file == "" {
		sp.Into.Miss(wm, []string{wm.Name})
		if m.Stand.Overlay {
			m.Alpha = pbr.Blend // nothing says that it hides the wall
		}
		plan.MakePlaceholder(m)
		return
	}
	sp.Into.UseTexture(file, images.Form{Pixels: p}, plan.User{To: plan.Alone(i), Alpha: alpha})
	sp.relief(plan.Alone(i), &image)
}

// script makes the material of a shader's stages.
func (sp *Planner) script(i int, wm *world.Material, sh *q3shader.Shader) {
	stages := sh.Stages
	if sh.Implicit && wm.Lighting != world.Lightmap {
		stages = unlitImplicit(stages, wm.Lighting)
	}
	glows := false
	if sp.Facts.Filtered {
		stages, glows = darkPlaces(stages, wm.Lighting, sp.beside)
	}
	m := &sp.Into.Materials[i]
	base, over := parted(stages)
	r, missing, cut := newRecipe(base, wm.Lighting, sp.Options.CombineAll, sp.Files.Find)
	if len(r.stages) == 0 || len(missing) > 0 && !r.pictures() {
		// The image that the editor shows, then the image with the shader's name.
		file := sp.Files.Find(sh.Tools.EditorImage)
		if file == "" {
			file = sp.Files.Find(wm.Name)
		}
		sp.Into.Miss(wm, missing)
		if len(missing) == 0 || file == "" {
			if file == "" && sh.Tools.EditorImage != "" {
				sp.Into.Miss(wm, []string{sh.Tools.EditorImage})
			}
			sp.implicit(i, wm, file)
			sp.Into.NotShown(i, cut)
			return
		}
		first := missing[0]
		r, missing, cut = newRecipe(base, wm.Lighting, sp.Options.CombineAll, func(name string) string {
			if name == first {
				return file
			}
			return sp.Files.Find(name)
		})
	}
	sp.Into.Miss(wm, missing)
	r.glows = glows
	r.emits = glows && r.light == paint.ByVertex && !sp.Options.Baked
	if len(sh.Deforms) > 0 {
		cut = append(cut, "deformVertexes")
	}
	cut = append(cut, sp.surface(plan.Alone(i), &r)...)
	sp.relief(plan.Alone(i), &base[0])
	if fades(&base[0]) { // it only fades over the background
		m.Alpha, m.Vertex.Alpha, m.Vertex.Inverse = pbr.Blend, true, inverse(&base[0])
	}
	for _, stages := range over {
		r, missing, more := newRecipe(stages, wm.Lighting, sp.Options.CombineAll, sp.Files.Find)
		sp.Into.Miss(wm, missing)
		cut = append(cut, more...)
		if !r.pictures() {
			continue
		}
		l := pbr.New(wm.Name)
		l.Name = fmt.Sprintf("%s layer %d", wm.Name, len(m.Layers)+1)
		l.Draw.DoubleSided, l.Draw.Offset, l.Draw.Sort = m.Draw.DoubleSided, m.Draw.Offset, m.Draw.Sort
		m.Layers = append(m.Layers, l)
		to := plan.Target{Material: i, Layer: len(m.Layers) - 1}
		cut = append(cut, sp.surface(to, &r)...)
		sp.relief(to, &stages[0])
		lm := to.Of(sp.Into.Materials)
		lm.Alpha, lm.Vertex.Alpha, lm.Vertex.Inverse = pbr.Blend, true, inverse(&stages[0])
	}
	sp.Into.NotShown(i, cut)
}

// beside returns the file of an image that may lie beside a texture, or "" if there is none or emission is not wanted.
func (sp *Planner) beside(name string) string {
	if !sp.Options.Emissive {
		return ""
	}
	return sp.Files.Find(name)
}

// unlitImplicit returns the stages of an implicit shader on a surface without a lightmap: the image alone.
func unlitImplicit(stages []q3shader.Stage, lighting world.Lighting) []q3shader.Stage {
	stages = slices.DeleteFunc(slices.Clone(stages), func(st q3shader.Stage) bool { return st.Kind == q3shader.Lightmap })
	for k := range stages {
		st := &stages[k]
		if st.Blend != nil && *st.Blend == q3shader.BlendFilter {
			st.Blend = nil // it blended with the lightmap, which is gone
		}
		if lighting == world.PerVertex {
			st.RGBGen.Kind = q3shader.GenVertex
		}
	}
	return stages
}

// fades reports whether a stage's opacity is in the vertices' alpha.
func fades(st *q3shader.Stage) bool {
	return (st.AlphaGen.Kind == q3shader.GenVertex || inverse(st)) && st.Blend != nil && *st.Blend == q3shader.BlendAlpha &&
		st.Kind == q3shader.Image
}

func inverse(st *q3shader.Stage) bool { return st.AlphaGen.Kind == q3shader.GenOneMinusVertex }

// parted removes from the stages those that fade in over the ones before, as terrain blends from one texture to
// another. Each becomes a layer on the same surfaces. With b and o the colours below and of such a stage, and f the
// effect of the stages after it, f(b·(1-a) + o·a) = f(b)·(1-a) + f(o)·a if f multiplies or adds, which it does.
func parted(stages []q3shader.Stage) (base []q3shader.Stage, over [][]q3shader.Stage) {
	for k := range stages {
		if k == 0 || !fades(&stages[k]) {
			base = append(base, stages[k])
			continue
		}
		list := []q3shader.Stage{stages[k]} // its blend is kept, because the image may have alpha too
		for _, later := range stages[k+1:] {
			if !fades(&later) {
				list = append(list, later)
			}
		}
		over = append(over, list)
	}
	return base, over
}

// surface gives a material the recipe's image or picture. It returns which parts are not shown.
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
	behind := first != nil && sp.Options.Environment && (to.Layer < 0 || m.Sky != nil)
	if behind && m.Sky == nil && first.Src == q3shader.DstColor {
		part(r)
	}
	p := r.painted()
	p.Detailed, p.Environment, p.Behind = sp.Options.CombineAll && m.Sky == nil, mirrors, behind
	p.Apart = behind && m.Sky == nil && p.MultipliesAndAdds()
	sp.Into.Use(images.Combined{Recipe: p}, m.Name+"_combined", plan.User{To: to, Role: plan.AsPicture})
	return cut
}

// partedAt is the time in seconds at which water is drawn that multiplies the background by stages that move differently: at time 0
// patterns coincide that never do again, in a few very bright lines.
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

// mirror requests the picture of the surroundings, for readers that support it. It returns false if the recipe shows none, or not in
// a way that they can show.
func (sp *Planner) mirror(to plan.Target, r *recipe) bool {
	m := to.Of(sp.Into.Materials)
	if !sp.Options.Environment || m.Sky != nil || to.Layer >= 0 {
		return false
	}
	k := r.painted().Reflection()
	if k < 0 {
		return false
	}
	l := &r.stages[k]
	if l.UsesAlpha() && !opaqueImage(l.Image) {
		return false // what it shows is not linear in its colour
	}
	m.Environment = &pbr.Environment{Slot: pbr.Slot{Image: pbr.NoImage, Clamp: l.Clamp, UV: l.UV}, Color: l.Color, Vertex: l.tint,
		FactorImage: pbr.NoImage}
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
		m.BaseColor[k] = float32(paint.Linear(paint.Clamp01(c)))
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
	if !s.glows || m.Draw.Unlit && !r.emits || !sp.Options.Emissive {
		return
	}
	plan.Shine(m, s.glowColor)
	if s.glow < 0 {
		return
	}
	l := &r.stages[s.glow]
	m.Emission.Slot.Clamp, m.Emission.Slot.UV = l.Clamp, l.UV
	if inv, ok := paint.Invert(m.Base.UV); ok && s.base >= 0 {
		m.Emission.Slot.UV = paint.Multiply(l.UV, inv)
	}
	sp.Into.UseFile(l.Image, plan.User{To: to, Role: plan.AsEmission})
}
