package stages

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// darkPlaces returns the stages that DarkPlaces shows of a script: one texture in the surface's light, blended like the first stage, and
// over it the image beside the texture that glows, if there is one; glows reports whether it does. Terrain also keeps the texture that
// it fades from. Lightmap stages, other stages and the colours of stages are not shown. DarkPlaces, model_shared.c,
// Mod_LoadTextureFromQ3Shader; gl_rmain.c, R_GetCurrentTexture, R_SkinFrame_LoadExternal.
func darkPlaces(stages []q3shader.Stage, lighting world.Lighting, beside func(name, ending string) string) (
	out []q3shader.Stage, glows bool) {
	if len(stages) == 0 {
		return nil, false
	}
	first := stages[0]
	main := mainStage(stages)
	shown := stages[main]
	terrain := main == 1 && fades(&shown) && first.Blend == nil && first.Kind == q3shader.Image
	lit := slices.ContainsFunc(stages, func(st q3shader.Stage) bool {
		return st.Kind == q3shader.Lightmap || st.RGBGen.Kind == q3shader.GenVertex || st.RGBGen.Kind == q3shader.GenLightingDiffuse
	})
	if !terrain {
		shown.Blend, shown.BlendGiven, shown.DepthWrite, shown.AlphaGen = first.Blend, first.BlendGiven, first.DepthWrite, q3shader.Gen{}
		if shown.AlphaFunc = q3shader.AlphaAll; first.AlphaFunc != q3shader.AlphaAll {
			shown.AlphaFunc = q3shader.GE128
		}
		if first.AlphaGen.Kind == q3shader.GenVertex {
			shown.AlphaGen = first.AlphaGen
		}
		lit = lit && knownBlend(shown.Blend)
	}
	out = []q3shader.Stage{shown}
	if terrain {
		out = []q3shader.Stage{first, shown}
	}
	for k := range out {
		if out[k].RGBGen = (q3shader.Gen{}); lit && lighting == world.PerVertex {
			out[k].RGBGen.Kind = q3shader.GenVertex
		}
	}
	if lit && lighting == world.Lightmap {
		filter := q3shader.BlendFilter
		out = append(out, q3shader.Stage{Kind: q3shader.Lightmap, Blend: &filter, TCGen: q3shader.TCGen{Kind: q3shader.TCLightmap}})
	}
	if glow := besideImage(&shown, beside, lookup.GlowEndings...); glow != "" && !terrain {
		add := q3shader.BlendAdd
		out, glows = append(out, q3shader.Stage{Kind: q3shader.Image, Maps: []string{glow}, Blend: &add, Clamp: shown.Clamp,
			TCGen: shown.TCGen, TCMods: shown.TCMods}), true
	}
	return out, glows
}

// addNormalAndGloss requests the images beside a stage's texture that affect directed light: a normal map, NAME_norm, or else heights,
// NAME_bump; and the colours of highlights, NAME_gloss. DarkPlaces, gl_rmain.c, R_SkinFrame_LoadExternal.
func (sp *Planner) addNormalAndGloss(to plan.Target, st *q3shader.Stage) {
	baked := to.Material < len(sp.Facts.Baked) && sp.Facts.Baked[to.Material]
	if !sp.Facts.Directed || !sp.Options.Directions || baked || to.Of(sp.Into.Materials).Draw.Unlit {
		return
	}
	if sp.Options.Normals {
		if file := besideImage(st, sp.Files.Beside, "_norm"); file != "" {
			sp.Into.UseFile(file, plan.User{To: to, Role: plan.AsNormal})
		} else if file := besideImage(st, sp.Files.Beside, "_bump"); file != "" {
			sp.Into.UseTexture(file, images.Form{Pixels: paint.Slopes}, plan.User{To: to, Role: plan.AsNormal})
		}
	}
	if file := besideImage(st, sp.Files.Beside, "_gloss"); file != "" && sp.Options.Reflections {
		sp.Into.UseFile(file, plan.User{To: to, Role: plan.AsHighlight, Alpha: true})
	}
}

// mainStage returns the index of the stage whose texture DarkPlaces shows: a stage of terrain that fades in, else the stage next to the
// last lightmap, else the last stage lit by vertices or by the grid, else the first.
func mainStage(stages []q3shader.Stage) int {
	last := func(is func(st *q3shader.Stage) bool) int {
		for k := len(stages) - 1; k >= 0; k-- {
			if is(&stages[k]) {
				return k
			}
		}
		return -1
	}
	lightmap := last(func(st *q3shader.Stage) bool { return st.Kind == q3shader.Lightmap })
	switch {
	case len(stages) > 1 && stages[1].AlphaGen.Kind == q3shader.GenVertex && stages[0].Blend == nil &&
		stages[0].AlphaFunc == q3shader.AlphaAll && blendsOver(&stages[1]):
		return 1
	case lightmap == 0:
		return min(1, len(stages)-1)
	case lightmap > 0:
		return lightmap - 1
	}
	for _, kind := range []q3shader.GenKind{q3shader.GenVertex, q3shader.GenLightingDiffuse} {
		if k := last(func(st *q3shader.Stage) bool { return st.RGBGen.Kind == kind }); k >= 0 {
			return k
		}
	}
	return 0
}

// blendsOver reports whether a stage is blended over the previous one by its alpha.
func blendsOver(st *q3shader.Stage) bool {
	if st.Blend == nil {
		return st.AlphaFunc != q3shader.AlphaAll
	}
	return *st.Blend == q3shader.BlendAlpha
}

// knownBlend reports whether DarkPlaces lights surfaces with this blending; others are full bright.
func knownBlend(b *q3shader.Blend) bool {
	return b == nil || *b == q3shader.BlendAdd || *b == q3shader.BlendAlpha ||
		*b == q3shader.Blend{Src: q3shader.SrcAlpha, Dst: q3shader.One}
}

// besideImage returns the file of a picture that lies beside a stage's, whose name has one of the endings more, or "".
func besideImage(st *q3shader.Stage, beside func(name, ending string) string, endings ...string) string {
	if st.Kind != q3shader.Image || len(st.Maps) == 0 {
		return ""
	}
	for _, ending := range endings {
		if file := beside(st.Maps[0], ending); file != "" {
			return file
		}
	}
	return ""
}
