package stages

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
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
	if sp.Facts.Filtered && file != "" && wm.Lighting != world.Fullbright && besideImage(&image, sp.Files.Beside, lookup.GlowEndings...) != "" {
		sp.script(i, wm, &q3shader.Shader{Stages: []q3shader.Stage{image, {Kind: q3shader.Lightmap}}})
		return
	}
	p, alpha := sp.Facts.ApplyMapAppearance(m, wm, strings.HasPrefix(wm.Name, "{"))
	if file == "" {
		sp.Into.MarkMissing(wm, []string{wm.Name})
		if m.PlaceholderLook.Overlay {
			m.Alpha = pbr.Blend // nothing says that it hides the wall
		}
		plan.MakePlaceholder(m)
		return
	}
	sp.Into.UseTexture(file, images.Form{Pixels: p}, plan.User{To: plan.Alone(i), Alpha: alpha})
	sp.addNormalAndGloss(plan.Alone(i), &image)
}

// script makes the material of a shader's stages.
func (sp *Planner) script(i int, wm *world.Material, sh *q3shader.Shader) {
	stages := sh.Stages
	if sh.Implicit && wm.Lighting != world.Lightmap {
		stages = unlitImplicit(stages, wm.Lighting)
	}
	glows := false
	if sp.Facts.Filtered {
		stages, glows = darkPlaces(stages, wm.Lighting, sp.Files.Beside)
	}
	m := &sp.Into.Materials[i]
	base, over := splitLayers(stages)
	r, missing, cut := newRecipe(base, wm.Lighting, sp.Options.CombineAll, sp.Files.Find)
	if len(r.stages) == 0 || len(missing) > 0 && !r.pictures() {
		// The editor's image, then the image with the shader's name.
		file := sp.Files.Find(sh.Tools.EditorImage)
		if file == "" {
			file = sp.Files.Find(wm.Name)
		}
		sp.Into.MarkMissing(wm, missing)
		if len(missing) == 0 || file == "" {
			if file == "" && sh.Tools.EditorImage != "" {
				sp.Into.MarkMissing(wm, []string{sh.Tools.EditorImage})
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
	sp.Into.MarkMissing(wm, missing)
	var groups [][]q3shader.Stage
	if len(over) == 0 && len(missing) == 0 {
		if groups = sp.blendGroups(base, &r); groups != nil {
			base = groups[0]
			r, _, cut = newRecipe(base, wm.Lighting, sp.Options.CombineAll, sp.Files.Find)
		}
	}
	r.useTypicalLight()
	r.glows = glows
	r.emits = glows && r.light == paint.ByVertex && !sp.Options.Baked
	if len(sh.Deforms) > 0 {
		cut = append(cut, "deformVertexes")
	}
	cut = append(cut, unshown(sh)...)
	cut = append(cut, sp.surface(plan.Alone(i), &r)...)
	sp.addNormalAndGloss(plan.Alone(i), &base[0])
	if fades(&base[0]) { // it only fades over the background
		m.Alpha, m.Vertex.Alpha, m.Vertex.Inverse = pbr.Blend, true, inverse(&base[0])
	}
	for k := 1; k < len(groups); k++ {
		cut = append(cut, sp.addGroup(i, wm, groups[k])...)
	}
	for _, stages := range over {
		r, missing, more := newRecipe(stages, wm.Lighting, sp.Options.CombineAll, sp.Files.Find)
		sp.Into.MarkMissing(wm, missing)
		cut = append(cut, more...)
		if !r.pictures() {
			continue
		}
		l := pbr.New(wm.Name)
		l.Name = fmt.Sprintf("%s layer %d", wm.Name, len(m.Layers)+1)
		l.Draw.DoubleSided, l.Draw.Offset = m.Draw.DoubleSided, m.Draw.Offset
		setSort(&l, m.Draw.Sort)
		m.Layers = append(m.Layers, l)
		to := plan.Target{Material: i, Layer: len(m.Layers) - 1}
		cut = append(cut, sp.surface(to, &r)...)
		sp.addNormalAndGloss(to, &stages[0])
		lm := to.Of(sp.Into.Materials)
		lm.Alpha, lm.Vertex.Alpha, lm.Vertex.Inverse = pbr.Blend, true, inverse(&stages[0])
	}
	sp.Into.NotShown(i, cut)
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

// fades reports whether the vertices' alpha is a stage's opacity.
func fades(st *q3shader.Stage) bool {
	return (st.AlphaGen.Kind == q3shader.GenVertex || inverse(st)) && st.Blend != nil && *st.Blend == q3shader.BlendAlpha &&
		st.Kind == q3shader.Image
}

func inverse(st *q3shader.Stage) bool { return st.AlphaGen.Kind == q3shader.GenOneMinusVertex }

// splitLayers removes the stages that fade in over the previous ones, as terrain blends from one texture to
// another. Each becomes a layer on the same surfaces. With b and o the colours below and of such a stage, and f the
// effect of the stages after it, f(b·(1-a) + o·a) = f(b)·(1-a) + f(o)·a if f multiplies or adds, which it does.
func splitLayers(stages []q3shader.Stage) (base []q3shader.Stage, over [][]q3shader.Stage) {
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
