package stages

import (
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// recipe describes how the stages of a shader produce the colour of a surface.
type recipe struct {
	stages  []stage
	details []stage // detail textures that are not drawn into a picture
	light   paint.Light
	finer   float64 // see paint.Recipe
	glows   bool    // the last stage is added to the surface before that is blended with what is behind
	emits   bool    // the surface is lit by its vertices, and what is added to it is emission: it gets a white lightmap
}

// stage is a stage with its movements.
type stage struct {
	paint.Stage                  // the stage at rest; Image is an existing file, or "" for white
	frames      []string         // of an animMap: the files of its pictures that exist
	fps         float64          // frames per second, of frames
	mods        []q3shader.TCMod // what UV is computed from
	wave        *q3shader.Wave   // of Color
	rest        float64          // what Color holds of wave
	vector      [2][3]float32    // of TCVector
	tint        pbr.VertexTint   // of the stage's colour, where Color holds a typical value
}

// pictures reports whether a recipe uses an image.
func (r *recipe) pictures() bool {
	return slices.ContainsFunc(r.stages, func(l stage) bool { return l.Image != "" })
}

// painted returns the recipe of an image of the stages at rest.
func (r *recipe) painted() *paint.Recipe {
	out := &paint.Recipe{Light: r.light, Finer: r.finer}
	for i := range r.stages {
		out.Stages = append(out.Stages, r.stages[i].Stage)
	}
	return out
}

// isDetail reports whether a stage is a detail texture: one that repeats many times within the main image and makes it
// lighter and darker around its middle grey, so that leaving it out does not change the mean colour.
func (l *stage) isDetail() bool {
	return l.Image != "" && !l.Lit && l.Doubles() && l.Color == [3]float64{1, 1, 1} &&
		math.Abs(l.UV[0]*l.UV[4]-l.UV[1]*l.UV[3]) >= 4
}

// projection returns the planes that turn a position into texture coordinates, for TCVector.
func (l *stage) projection() *[2][4]float64 {
	var p [2][4]float64
	for k := range p {
		a, b := l.UV[3*k], l.UV[3*k+1]
		for x := range 3 {
			p[k][x] = float64(a*float64(l.vector[0][x])) + float64(b*float64(l.vector[1][x]))
		}
		p[k][3] = l.UV[3*k+2]
	}
	return &p
}

// newRecipe makes the recipe of a shader's stages. find returns the file of an image, or "". Without detail, detail
// textures are left out.
func newRecipe(stages []q3shader.Stage, lighting world.Lighting, detail bool, find func(string) string) (r recipe, missing, cut []string) {
	lightmap := -1 // the stage whose image is the lightmap
	if lighting == world.Lightmap {
		lightmap = LightImage(stages)
	}
	r.light = lightOf(stages, lighting, lightmap)
	lamps := false // light the stages that the light grid lights
	if r.light == paint.Unlit && lighting == world.Lightmap && diffuse(stages) {
		r.light, lamps = paint.ByMap, true
	}
	pulses := 0
	for i := range stages {
		if stages[i].RGBGen.Kind == q3shader.GenWave || stages[i].AlphaGen.Kind == q3shader.GenWave {
			pulses++
		}
	}
	if detail {
		r.finer = 4 // otherwise a detail texture would be invisible
	}
	for i := range stages {
		st := &stages[i]
		l := stage{Stage: paint.Stage{UV: pbr.Identity, Color: [3]float64{1, 1, 1}, Alpha: 1, Blend: st.Blend, Test: st.AlphaFunc,
			Clamp: st.Clamp}}
		if _, ok := st.Param("surfacesprites"); ok {
			cut = append(cut, "surfaceSprites")
			continue
		}
		switch {
		case st.Kind == q3shader.Lightmap || i == lightmap:
			l.Lit = r.light == paint.ByMap
		case st.Kind == q3shader.Image || st.Kind == q3shader.Anim:
			if len(st.Maps) > 1 {
				cut = append(cut, "animMap")
			}
			for k := 0; k < len(st.Maps) && (l.Image == "" || len(st.Maps) > 1); k++ {
				if file := find(st.Maps[k]); file != "" {
					l.frames = append(l.frames, file)
				}
				if l.Image == "" && len(l.frames) > 0 {
					l.Image = l.frames[0]
				}
			}
			l.fps = float64(st.FPS)
			if l.Image == "" {
				missing = append(missing, st.Maps...)
				continue
			}
			cut = append(cut, locate(&l, st, lighting)...)
		case st.Kind == q3shader.Video || st.Kind == q3shader.Builtin:
			cut = append(cut, "videoMap")
			continue
		}
		l.Lit = l.Lit || lamps && st.RGBGen.Kind == q3shader.GenLightingDiffuse
		cut = append(cut, generate(&l, st, r.light, pulses == 1)...)
		if !detail && i > 0 && l.isDetail() {
			cut = append(cut, "detail texture")
			r.details = append(r.details, l)
			continue
		}
		r.stages = append(r.stages, l)
	}
	return r, missing, cut
}

// lightOf returns the source of light of a shader's stages. On a surface without a lightmap the engine draws a lightmap
// stage in white.
func lightOf(stages []q3shader.Stage, lighting world.Lighting, lightmap int) paint.Light {
	by := paint.Unlit
	for i := range stages {
		st := &stages[i]
		if lighting == world.Lightmap && st.Kind == q3shader.Lightmap || i == lightmap {
			return paint.ByMap
		}
		switch st.RGBGen.Kind {
		case q3shader.GenVertex, q3shader.GenExactVertex:
			by = paint.ByVertex
		case q3shader.GenLightingDiffuse:
			if lighting != world.Lightmap {
				by = paint.ByVertex
			}
		}
	}
	return by
}

// diffuse reports whether the light grid lights a stage. A model by itself has no light: a viewer's lamps light it in its place.
func diffuse(stages []q3shader.Stage) bool {
	return slices.ContainsFunc(stages, func(st q3shader.Stage) bool { return st.RGBGen.Kind == q3shader.GenLightingDiffuse })
}

// locate resolves a stage's texture coordinates, at time 0.
func locate(l *stage, st *q3shader.Stage, lighting world.Lighting) (cut []string) {
	l.UV, l.mods = st.Matrix(0), st.TCMods
	l.Gen, l.vector = st.TCGen.Kind, [2][3]float32{st.TCGen.S, st.TCGen.T}
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

// generate resolves a stage's rgbGen and alphaGen, at time 0. alone means that no other stage has a wave. Entities of a map have no
// colour.
func generate(l *stage, st *q3shader.Stage, by paint.Light, alone bool) (cut []string) {
	scale := func(v float64) {
		for k := range l.Color {
			l.Color[k] *= v
		}
	}
	switch g := st.RGBGen; g.Kind {
	case q3shader.GenVertex, q3shader.GenExactVertex, q3shader.GenLightingDiffuse:
		l.Lit = l.Lit || by == paint.ByVertex
		if !l.Lit && g.Kind != q3shader.GenLightingDiffuse {
			l.tint = pbr.ByColor
		}
	case q3shader.GenConst:
		for k := range l.Color {
			l.Color[k] *= paint.Clamp01(float64(g.Const[k]))
		}
	case q3shader.GenWave:
		l.rest = waveAtRest(g.Wave, alone)
		scale(l.rest)
		if g.Wave.Freq != 0 && l.rest > 0 {
			l.wave = &g.Wave
		}
	case q3shader.GenOneMinusVertex:
		scale(1 - paint.TypicalLight)
		l.tint = pbr.ByRestColor
		cut = append(cut, "rgbGen oneMinusVertex")
	case q3shader.GenEntity, q3shader.GenOneMinusEntity:
		cut = append(cut, "rgbGen "+g.Kind.String())
	}
	if !l.UsesAlpha() {
		return cut
	}
	switch g := st.AlphaGen; g.Kind {
	case q3shader.GenConst:
		l.Alpha = paint.Clamp01(float64(g.Const[0]))
	case q3shader.GenWave:
		l.Alpha = waveAtRest(g.Wave, alone)
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

// waveAtRest returns the value of a wave at time 0, clamped as in the engine, so that of stages whose waves take turns, like the frames
// of a flame, one is shown. For a single wave that starts dark it is the mean, because otherwise nothing would be visible.
func waveAtRest(w q3shader.Wave, alone bool) float64 {
	if v := paint.Clamp01(float64(w.At(0))); v >= 1.0/255 || !alone {
		return v
	}
	return waveMean(w)
}

// waveMean returns the mean of a wave over its period, clamped as in the engine.
func waveMean(w q3shader.Wave) float64 {
	const steps = 64
	if w.Freq == 0 {
		return paint.Clamp01(float64(w.At(0)))
	}
	sum := 0.0
	for i := range steps {
		sum += paint.Clamp01(float64(w.At(float64(i) / steps / float64(w.Freq))))
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
