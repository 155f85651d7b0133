package stages

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// newRecipe makes the recipe of a shader's stages. find returns the file of an image, or "". Without detail, detail
// textures are left out.
func newRecipe(stages []q3shader.Stage, lighting world.Lighting, detail bool, find func(string) string) (r plan.Recipe, missing, cut []string) {
	lightmap := -1 // the stage whose image is the lightmap
	if lighting == world.Lightmap {
		lightmap = LightImage(stages)
	}
	r.Light = lightOf(stages, lighting, lightmap)
	if detail {
		r.Finer = 4 // otherwise a detail texture would be invisible
	}
	for i := range stages {
		st := &stages[i]
		l := plan.Layer{UV: pbr.Identity, Color: [3]float64{1, 1, 1}, Alpha: 1, Blend: st.Blend, Test: st.AlphaFunc, Clamp: st.Clamp}
		if _, ok := st.Param("surfacesprites"); ok {
			cut = append(cut, "surfaceSprites")
			continue
		}
		switch {
		case st.Kind == q3shader.Lightmap || i == lightmap:
			l.Lit = r.Light == plan.ByMap
		case st.Kind == q3shader.Image || st.Kind == q3shader.Anim:
			if len(st.Maps) > 1 {
				cut = append(cut, "animMap")
			}
			for k := 0; k < len(st.Maps) && (l.Image == "" || len(st.Maps) > 1); k++ {
				if file := find(st.Maps[k]); file != "" {
					l.Frames = append(l.Frames, file)
				}
				if l.Image == "" && len(l.Frames) > 0 {
					l.Image = l.Frames[0]
				}
			}
			l.FPS = float64(st.FPS)
			if l.Image == "" {
				missing = append(missing, st.Maps...)
				continue
			}
			cut = append(cut, locate(&l, st, lighting)...)
		case st.Kind == q3shader.Video || st.Kind == q3shader.Builtin:
			cut = append(cut, "videoMap")
			continue
		}
		cut = append(cut, generate(&l, st, r.Light)...)
		if !detail && i > 0 && l.IsDetail() {
			cut = append(cut, "detail texture")
			r.Details = append(r.Details, l)
			continue
		}
		r.Layers = append(r.Layers, l)
	}
	return r, missing, cut
}

// lightOf returns the source of light of a shader's stages. On a surface without a lightmap the engine draws a lightmap
// stage in white.
func lightOf(stages []q3shader.Stage, lighting world.Lighting, lightmap int) plan.Light {
	by := plan.Unlit
	for i := range stages {
		st := &stages[i]
		if lighting == world.Lightmap && st.Kind == q3shader.Lightmap || i == lightmap {
			return plan.ByMap
		}
		switch st.RGBGen.Kind {
		case q3shader.GenVertex, q3shader.GenExactVertex, q3shader.GenLightingDiffuse:
			by = plan.ByVertex
		}
	}
	return by
}

// locate resolves a stage's texture coordinates, at time 0.
func locate(l *plan.Layer, st *q3shader.Stage, lighting world.Lighting) (cut []string) {
	l.UV, l.Mods = st.Matrix(0), st.TCMods
	l.Gen, l.Vector = st.TCGen.Kind, [2][3]float32{st.TCGen.S, st.TCGen.T}
	if l.Gen == q3shader.TCLightmap && lighting != world.Lightmap {
		l.Gen = q3shader.TCEnvironment // there are no lightmap coordinates
		cut = append(cut, "tcGen lightmap")
	} else if l.Gen == q3shader.TCEnvironment {
		l.Eye = true
		cut = append(cut, "tcGen environment")
	}
	for _, m := range st.TCMods {
		switch m.Kind {
		case q3shader.TCTurb:
			cut = append(cut, "tcMod turb")
		case q3shader.TCScroll:
			cut = append(cut, "tcMod scroll")
		case q3shader.TCRotate:
			cut = append(cut, "tcMod rotate")
		case q3shader.TCStretch:
			cut = append(cut, "tcMod stretch")
		}
	}
	return cut
}

// generate resolves a stage's rgbGen and alphaGen. A wave is replaced by its mean. Entities of a map have no colour.
func generate(l *plan.Layer, st *q3shader.Stage, by plan.Light) (cut []string) {
	scale := func(v float64) {
		for k := range l.Color {
			l.Color[k] *= v
		}
	}
	switch g := st.RGBGen; g.Kind {
	case q3shader.GenVertex, q3shader.GenExactVertex, q3shader.GenLightingDiffuse:
		l.Lit = l.Lit || by == plan.ByVertex
		if !l.Lit && g.Kind != q3shader.GenLightingDiffuse {
			l.Tint = pbr.ByColor
		}
	case q3shader.GenConst:
		for k := range l.Color {
			l.Color[k] *= plan.Clamp01(float64(g.Const[k]))
		}
	case q3shader.GenWave:
		scale(WaveMean(g.Wave))
		if g.Wave.Freq != 0 {
			l.Wave = &g.Wave
		}
	case q3shader.GenOneMinusVertex:
		scale(1 - plan.TypicalLight)
		l.Tint = pbr.ByRestColor
		cut = append(cut, "rgbGen oneMinusVertex")
	case q3shader.GenEntity, q3shader.GenOneMinusEntity:
		cut = append(cut, "rgbGen "+g.Kind.String())
	}
	if !l.UsesAlpha() {
		return cut
	}
	switch g := st.AlphaGen; g.Kind {
	case q3shader.GenConst:
		l.Alpha = plan.Clamp01(float64(g.Const[0]))
	case q3shader.GenWave:
		l.Alpha = WaveMean(g.Wave)
	case q3shader.GenLightingSpecular:
		l.Alpha = typicalHighlight
	case q3shader.GenVertex, q3shader.GenOneMinusVertex:
		// rgbGen vertex implies alphaGen vertex; the alpha is 1 in most cases.
		if !fades(st) && st.RGBGen.Kind != q3shader.GenVertex {
			cut = append(cut, "alphaGen "+g.Kind.String())
		}
	case q3shader.GenEntity, q3shader.GenOneMinusEntity, q3shader.GenPortal:
		cut = append(cut, "alphaGen "+g.Kind.String()) // opaque, as a portal looks from afar
	}
	return cut
}

// typicalHighlight replaces alphaGen lightingSpecular, which depends on the viewer: cos⁴ over a half sphere.
const typicalHighlight = 0.1

// WaveMean returns the mean of a wave over its period, clamped as in the engine.
func WaveMean(w q3shader.Wave) float64 {
	const steps = 64
	if w.Freq == 0 {
		return plan.Clamp01(float64(w.At(0)))
	}
	sum := 0.0
	for i := range steps {
		sum += plan.Clamp01(float64(w.At(float64(i) / steps / float64(w.Freq))))
	}
	return sum / steps
}

// LightImage returns the index of the stage whose image is the lightmap, or -1. If the map's own lightmap is drawn too,
// that image is something else.
func LightImage(stages []q3shader.Stage) int {
	if slices.ContainsFunc(stages, func(st q3shader.Stage) bool { return st.Kind == q3shader.Lightmap }) {
		return -1
	}
	return slices.IndexFunc(stages, func(st q3shader.Stage) bool {
		return st.Kind == q3shader.Image && st.TCGen.Kind == q3shader.TCLightmap && len(st.TCMods) == 0
	})
}
