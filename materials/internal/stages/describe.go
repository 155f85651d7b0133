package stages

import (
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// describe sets the properties of a script that need no image, and puts what glTF can't express into the extras, with the script's text
// unless bare is set. Numbers in scripts are finite, so the extras are too.
func describe(m *pbr.Material, sh *q3shader.Shader, bare bool) {
	setSort(m, sh.SortOrder())
	m.Draw.Offset = sh.PolygonOffset || m.Draw.Sort == 4
	m.Draw.DoubleSided = sh.Cull != q3shader.Front
	for i := range sh.Deforms {
		switch sh.Deforms[i].Kind {
		case q3shader.DeformAutosprite:
			m.Draw.Autosprite = pbr.FacesViewer
		case q3shader.DeformAutosprite2:
			m.Draw.Autosprite = pbr.TurnsToViewer
		}
	}
	deforms(m, sh.Deforms)
	if sh.Fog != nil {
		m.Fog = &pbr.Fog{Opaque: sh.Fog.Opaque}
		for k, c := range sh.Fog.Color {
			m.Fog.Color[k] = float32(gamma.Decode(paint.Clamp01(float64(c))))
		}
	}
	if len(sh.Deforms) > 0 {
		m.Extras["deformvertexes"] = float64(len(sh.Deforms))
	}
	if !bare {
		quote(m.Extras, sh)
	}
}

// setSort sets when a material is drawn, for thumbnails and for readers of the file. 3 is opaque, and not written.
func setSort(m *pbr.Material, order float32) {
	if m.Draw.Sort = order; order != 3 {
		m.Extras["sort"] = float64(order)
	}
}

// quote puts the words of a script into extras.
func quote(x map[string]any, sh *q3shader.Shader) {
	x["shader_file"] = fmt.Sprintf("%s:%d", sh.File, sh.Line)
	if len(sh.SurfaceParms) > 0 {
		x["surfaceparm"] = strings.Join(sh.SurfaceParms, " ")
	}
	if sh.Tools.SurfaceLight != 0 {
		x["q3map_surfacelight"] = float64(sh.Tools.SurfaceLight)
	}
	if sh.Tools.LightImage != "" {
		x["q3map_lightimage"] = sh.Tools.LightImage
	}
	if c := sh.Tools.LightRGB; c != nil {
		x["q3map_lightrgb"] = fmt.Sprintf("%g %g %g", c[0], c[1], c[2])
	}
	if s := sh.Tools.Sun; s != nil {
		x["q3map_sun"] = fmt.Sprintf("%g %g %g %g %g %g", s.Color[0], s.Color[1], s.Color[2], s.Intensity, s.Degrees, s.Elevation)
	}
	for i := range sh.Stages {
		x[fmt.Sprintf("stage_%d", i)] = stageText(&sh.Stages[i])
	}
	for _, p := range sh.Params {
		if _, taken := x[p.Key]; !taken && !plan.OwnExtras[p.Key] {
			x[p.Key] = strings.Join(p.Args, " ")
		}
	}
}

// stageText returns a stage in the script's own words, on one line.
func stageText(st *q3shader.Stage) string {
	words := []string{"map " + strings.Join(st.Maps, " ")}
	switch st.Kind {
	case q3shader.Anim:
		words[0] = fmt.Sprintf("animMap %g %s", st.FPS, strings.Join(st.Maps, " "))
	case q3shader.Video:
		words[0] = "videoMap " + strings.Join(st.Maps, " ")
	}
	if st.Clamp {
		words[0] = "clamp" + words[0]
	}
	if st.Blend != nil {
		words = append(words, fmt.Sprintf("blendFunc %s %s", st.Blend.Src, st.Blend.Dst))
	}
	if st.AlphaFunc != q3shader.AlphaAll {
		words = append(words, "alphaFunc "+st.AlphaFunc.String())
	}
	if g := st.RGBGen; g.Kind != q3shader.GenIdentity && g.Kind != q3shader.GenIdentityLighting {
		words = append(words, "rgbGen "+genText(g, 3))
	}
	if g := st.AlphaGen; g.Kind != q3shader.GenIdentity {
		words = append(words, "alphaGen "+genText(g, 1))
	}
	if st.TCGen.Kind != q3shader.TCBase && st.Kind != q3shader.Lightmap {
		words = append(words, "tcGen "+st.TCGen.Kind.String())
	}
	for _, t := range st.TCMods {
		words = append(words, "tcMod "+t.String())
	}
	return strings.Join(words, "; ")
}

// genText returns the text of an rgbGen of three numbers, or an alphaGen of one.
func genText(g q3shader.Gen, numbers int) string {
	switch g.Kind {
	case q3shader.GenConst:
		return "const " + strings.Trim(fmt.Sprint(g.Const[:numbers]), "[]")
	case q3shader.GenWave:
		return "wave " + g.Wave.String()
	}
	return g.Kind.String()
}
