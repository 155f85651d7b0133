package materials

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/materials/q3shader"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// newRecipe makes the recipe of a shader's stages. find returns the file of an image, or "".
// Without detail, detail textures are left out.
func newRecipe(stages []q3shader.Stage, lighting world.Lighting, detail bool, find func(string) string) (r recipe, missing, cut []string) {
	lightmap := -1 // the stage whose image is the lightmap
	if lighting == world.Lightmap {
		lightmap = lightImage(stages)
	}
	r.light = lightOf(stages, lighting, lightmap)
	if detail {
		r.finer = 4 // else nothing of a detail texture would be seen
	}
	for i := range stages {
		st := &stages[i]
		l := layer{uv: identity, color: [3]float64{1, 1, 1}, alpha: 1, blend: st.Blend, test: st.AlphaFunc, clamp: st.Clamp}
		if _, ok := st.Param("surfacesprites"); ok {
			cut = append(cut, "surfaceSprites")
			continue
		}
		switch {
		case st.Kind == q3shader.Lightmap || i == lightmap:
			l.lit = r.light == byMap
		case st.Kind == q3shader.Image || st.Kind == q3shader.Anim:
			if len(st.Maps) > 1 {
				cut = append(cut, "animMap")
			}
			for k := 0; l.image == "" && k < len(st.Maps); k++ {
				l.image = find(st.Maps[k])
			}
			if l.image == "" {
				missing = append(missing, st.Maps...)
				continue
			}
			cut = append(cut, locate(&l, st, lighting)...)
		case st.Kind == q3shader.Video || st.Kind == q3shader.Builtin:
			cut = append(cut, "videoMap")
			continue
		}
		cut = append(cut, generate(&l, st, r.light)...)
		if !detail && i > 0 && l.isDetail() {
			cut = append(cut, "detail texture")
			continue
		}
		r.layers = append(r.layers, l)
	}
	return r, missing, cut
}

// lightOf tells what lights a shader's stages. A lightmap stage on a surface without one is white in the engine.
func lightOf(stages []q3shader.Stage, lighting world.Lighting, lightmap int) light {
	by := unlit
	for i := range stages {
		st := &stages[i]
		if lighting == world.Lightmap && st.Kind == q3shader.Lightmap || i == lightmap {
			return byMap
		}
		switch st.RGBGen.Kind {
		case q3shader.GenVertex, q3shader.GenExactVertex, q3shader.GenLightingDiffuse:
			by = byVertex
		}
	}
	return by
}

// place resolves a stage's texture coordinates, at time 0.
func locate(l *layer, st *q3shader.Stage, lighting world.Lighting) (cut []string) {
	l.uv = st.Matrix(0)
	l.gen, l.vector = st.TCGen.Kind, [2][3]float32{st.TCGen.S, st.TCGen.T}
	if l.gen == q3shader.TCLightmap && lighting != world.Lightmap {
		l.gen = q3shader.TCEnvironment // there are no such coordinates
		cut = append(cut, "tcGen lightmap")
	} else if l.gen == q3shader.TCEnvironment {
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

// generate resolves a stage's rgbGen and alphaGen. A wave is at its mean. The entity of a map has no colour.
func generate(l *layer, st *q3shader.Stage, by light) (cut []string) {
	scale := func(v float64) {
		for k := range l.color {
			l.color[k] *= v
		}
	}
	switch g := st.RGBGen; g.Kind {
	case q3shader.GenVertex, q3shader.GenExactVertex, q3shader.GenLightingDiffuse:
		l.lit = l.lit || by == byVertex
	case q3shader.GenConst:
		for k := range l.color {
			l.color[k] *= clamp01(float64(g.Const[k]))
		}
	case q3shader.GenWave:
		scale(waveMean(g.Wave))
	case q3shader.GenOneMinusVertex:
		scale(1 - typicalLight)
		cut = append(cut, "rgbGen oneMinusVertex")
	case q3shader.GenEntity, q3shader.GenOneMinusEntity:
		cut = append(cut, "rgbGen "+g.Kind.String())
	}
	if !l.usesAlpha() {
		return cut
	}
	switch g := st.AlphaGen; g.Kind {
	case q3shader.GenConst:
		l.alpha = clamp01(float64(g.Const[0]))
	case q3shader.GenWave:
		l.alpha = waveMean(g.Wave)
	case q3shader.GenLightingSpecular:
		l.alpha = typicalHighlight
	case q3shader.GenVertex, q3shader.GenOneMinusVertex:
		// rgbGen vertex implies alphaGen vertex, and then it is 1 most often.
		if !fades(st) && st.RGBGen.Kind != q3shader.GenVertex {
			cut = append(cut, "alphaGen "+g.Kind.String())
		}
	case q3shader.GenEntity, q3shader.GenOneMinusEntity, q3shader.GenPortal:
		cut = append(cut, "alphaGen "+g.Kind.String()) // opaque, as a portal is from afar
	}
	return cut
}

// typicalHighlight stands for alphaGen lightingSpecular, which depends on the eye: cos⁴ over a half sphere.
const typicalHighlight = 0.1

// waveMean is the mean of a wave over its period, clamped as the engine does.
func waveMean(w q3shader.Wave) float64 {
	const steps = 64
	if w.Freq == 0 {
		return clamp01(float64(w.At(0)))
	}
	sum := 0.0
	for i := range steps {
		sum += clamp01(float64(w.At(float64(i) / steps / float64(w.Freq))))
	}
	return sum / steps
}

// lightImage is the stage whose image is the lightmap, or -1. Where the map's own is drawn too it is something else.
func lightImage(stages []q3shader.Stage) int {
	if slices.ContainsFunc(stages, func(st q3shader.Stage) bool { return st.Kind == q3shader.Lightmap }) {
		return -1
	}
	return slices.IndexFunc(stages, func(st q3shader.Stage) bool {
		return st.Kind == q3shader.Image && st.TCGen.Kind == q3shader.TCLightmap && len(st.TCMods) == 0
	})
}
