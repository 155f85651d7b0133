package materials

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/q3shader"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// implicit makes the material that the engine makes of an image without a script: lit as its surface is, and opaque where
// neither the map nor a name that starts with "{" says otherwise. file may be "".
func (sp *stagePlanner) implicit(i int, wm *world.Material, file string) {
	m := &sp.plan.Materials[i]
	p, alpha := m.place(wm, strings.HasPrefix(wm.Name, "{"))
	if file == "" {
		sp.plan.missing(wm, []string{wm.Name})
		if m.stand.overlay {
			m.Alpha = Blend // nothing says that it hides the wall
		}
		m.placeholder()
		return
	}
	sp.plan.useTexture(file, form{pixels: p}, alpha, user{to: target{i, -1}})
}

// script makes the material of a shader's stages.
func (sp *stagePlanner) script(i int, wm *world.Material, sh *q3shader.Shader) {
	stages := sh.Stages
	if sh.Implicit && wm.Lighting != world.Lightmap {
		stages = unlitImplicit(stages, wm.Lighting)
	}
	m := &sp.plan.Materials[i]
	base, over := parted(stages)
	r, missing, cut := newRecipe(base, wm.Lighting, sp.o.Combine == "all", sp.files.find)
	if len(r.layers) == 0 || len(missing) > 0 && !r.pictures() {
		// What the editor shows, then an image of the shader's own name.
		file := sp.files.find(sh.EditorImage)
		if file == "" {
			file = sp.files.find(wm.Name)
		}
		sp.plan.missing(wm, missing)
		if len(missing) == 0 || file == "" {
			if file == "" && sh.EditorImage != "" {
				sp.plan.missing(wm, []string{sh.EditorImage})
			}
			sp.implicit(i, wm, file)
			sp.plan.notShown(i, cut)
			return
		}
		first := missing[0]
		r, missing, cut = newRecipe(base, wm.Lighting, sp.o.Combine == "all", func(name string) string {
			if name == first {
				return file
			}
			return sp.files.find(name)
		})
	}
	sp.plan.missing(wm, missing)
	if len(sh.Deforms) > 0 {
		cut = append(cut, "deformVertexes")
	}
	cut = append(cut, sp.surface(target{i, -1}, &r)...)
	if fades(&base[0]) { // alone over what is behind
		m.Alpha, m.VertexAlpha, m.InverseAlpha = Blend, true, inverse(&base[0])
	}
	for _, stages := range over {
		r, missing, more := newRecipe(stages, wm.Lighting, sp.o.Combine == "all", sp.files.find)
		sp.plan.missing(wm, missing)
		cut = append(cut, more...)
		if !r.pictures() {
			continue
		}
		l := plain(wm.Name)
		l.Name = fmt.Sprintf("%s layer %d", wm.Name, len(m.Layers)+1)
		l.DoubleSided, l.Offset, l.Sort = m.DoubleSided, m.Offset, m.Sort
		m.Layers = append(m.Layers, l)
		to := target{i, len(m.Layers) - 1}
		cut = append(cut, sp.surface(to, &r)...)
		layer := to.of(sp.plan.Materials)
		layer.Alpha, layer.VertexAlpha, layer.InverseAlpha = Blend, true, inverse(&stages[0])
	}
	sp.plan.notShown(i, cut)
}

// unlitImplicit are the stages that an implicit shader has on a surface without a lightmap: the image alone.
func unlitImplicit(stages []q3shader.Stage, lighting world.Lighting) []q3shader.Stage {
	stages = slices.DeleteFunc(slices.Clone(stages), func(st q3shader.Stage) bool { return st.Kind == q3shader.Lightmap })
	for k := range stages {
		st := &stages[k]
		if st.Blend != nil && *st.Blend == q3shader.BlendFilter {
			st.Blend = nil // of the lightmap that was
		}
		if lighting == world.PerVertex {
			st.RGBGen.Kind = q3shader.GenVertex
		}
	}
	return stages
}

// fades tells whether a stage's opacity is in the vertices' alpha.
func fades(st *q3shader.Stage) bool {
	return (st.AlphaGen.Kind == q3shader.GenVertex || inverse(st)) && st.Blend != nil && *st.Blend == q3shader.BlendAlpha && st.Kind == q3shader.Image
}

func inverse(st *q3shader.Stage) bool { return st.AlphaGen.Kind == q3shader.GenOneMinusVertex }

// parted takes out of the stages those that fade in over the ones before, as terrain goes over from one texture to
// another. Each becomes a layer on the same surfaces: with b and o what is drawn below and by it, and f what the
// stages after them do, f(b·(1-a) + o·a) = f(b)·(1-a) + f(o)·a where f multiplies or adds, as it does.
func parted(stages []q3shader.Stage) (base []q3shader.Stage, over [][]q3shader.Stage) {
	for k := range stages {
		if k == 0 || !fades(&stages[k]) {
			base = append(base, stages[k])
			continue
		}
		layer := []q3shader.Stage{stages[k]} // its blend stays, for the image may have alpha too
		for _, later := range stages[k+1:] {
			if !fades(&later) {
				layer = append(layer, later)
			}
		}
		over = append(over, layer)
	}
	return base, over
}

// surface gives a material the recipe's image or picture. It returns what is not shown of it.
func (sp *stagePlanner) surface(to target, r *recipe) (cut []string) {
	s, ok := simplify(r)
	if ok || sp.o.Combine == "none" {
		if !ok {
			s = principal(r)
			cut = append(cut, "stages")
		}
		sp.apply(to, r, &s)
		return cut
	}
	for i := range r.layers {
		if l := &r.layers[i]; l.mean() && l.gen != q3shader.TCEnvironment {
			cut = append(cut, "tcGen "+l.gen.String())
		}
	}
	m := to.of(sp.plan.Materials)
	m.VertexColor = r.light == byVertex
	m.Unlit = r.light != byMap
	r.detailed = sp.o.Combine == "all" && m.Sky == nil
	sp.plan.combine(to, r)
	return cut
}

// apply makes a material of the simple form of its recipe.
func (sp *stagePlanner) apply(to target, r *recipe, s *simple) {
	m := to.of(sp.plan.Materials)
	m.Unlit = s.unlit || r.light != byMap
	m.VertexColor = r.light == byVertex && !s.unlit
	m.Alpha, m.Cutoff = s.alpha, s.cutoff
	for k, c := range s.baseColor {
		m.BaseColor[k] = float32(srgbToLinear(clamp01(c)))
	}
	m.BaseColor[3] = float32(s.opacity)
	m.LightGain = s.gain
	if s.base >= 0 {
		l := &r.layers[s.base]
		m.Base.UV, m.Base.Clamp = l.uv, l.clamp
		switch l.gen {
		case q3shader.TCLightmap:
			m.Base.LightmapUV = true
		case q3shader.TCVector:
			m.Base.UV, m.Base.Project = identity, l.projection()
		}
		sp.plan.use(l.image, s.alpha != Opaque, user{to: to})
	}
	if !s.glows || m.Unlit || !sp.o.Emissive {
		return
	}
	m.glows(s.glowColor)
	if s.glow < 0 {
		return
	}
	l := &r.layers[s.glow]
	m.Emissive.Clamp, m.Emissive.UV = l.clamp, l.uv
	if inv, ok := invert(m.Base.UV); ok && s.base >= 0 {
		m.Emissive.UV = multiply(l.uv, inv)
	}
	sp.plan.use(l.image, false, user{to: to, role: asEmission})
}
