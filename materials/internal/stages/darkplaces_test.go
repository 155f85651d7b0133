package stages

import (
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// DarkPlaces shows one texture of a script, in the surface's light, and the picture beside it that glows; Quake III draws every stage.
func TestStagesOfDarkPlaces(t *testing.T) {
	const light, filter = "{ map $lightmap }\n", "{ map $lightmap\nblendFunc filter }\n"
	for _, c := range []struct {
		name, stages     string
		lighting         world.Lighting
		quake3, ofEngine string
	}{
		{"a lightmap without blendFunc multiplies", "{ map a }\n" + light, world.Lightmap, "", "base a"},
		{"a lightmap that blends multiplies", "{ map a\nblendFunc blend }\n{ map $lightmap\nblendFunc blend }\n", world.Lightmap,
			"base x_combined", "base a blend"},
		{"stages after the lightmap are not drawn", light + "{ map a\nblendFunc filter }\n{ map b\nblendFunc add }\n", world.Lightmap,
			"base a emissive b emission [1 1 1] strength 1.3", "base a"},
		{"stages before it are not drawn", "{ map b }\n{ map a\nblendFunc add }\n" + filter, world.Lightmap, "base x_combined", "base a"},
		{"a picture beside the texture glows", "{ map g }\n" + filter, world.Lightmap, "base g", "base g emissive g_glow emission [1 1 1] strength 1.3"},
		{"and the texture of a blended surface", "{ map g\nblendFunc blend }\n" + filter, world.Lightmap, "base g blend",
			"base g emissive g_glow emission [1 1 1] strength 1.3 blend"},
		{"without light the first stage is full bright", "{ map a }\n{ map b\nblendFunc add }\n", world.Lightmap,
			"base x_combined unlit", "base a unlit"},
		{"it moves", "{ map a\ntcMod scroll 1 0 }\n" + filter, world.Lightmap, "base a (tcMod scroll)", "base a (tcMod scroll)"},
		{"a surface that multiplies is full bright", "{ map a\nblendFunc filter }\n" + filter, world.Lightmap,
			"base x_combined", "base x_combined unlit"},
		{"light of vertices", "{ map a\nrgbGen vertex }\n{ map b\nblendFunc add }\n", world.PerVertex,
			"base x_combined unlit vertex", "base a unlit vertex"},
		{"terrain keeps both", "{ map a }\n{ map b\nblendFunc blend\nalphaGen vertex }\n" + filter, world.Lightmap,
			"base a + base b blend fades", "base a + base b blend fades"},
	} {
		for _, engine := range []bool{false, true} {
			w, want := plantest.Shown(world.Material{Name: "x", Lighting: c.lighting}), c.quake3
			if w.Baked.Filtered = engine; engine {
				want = c.ofEngine
			}
			pl := planned(t, empty("a.tga", "b.tga", "g.tga", "g_glow.jpg"), "x\n{\n"+c.stages+"}\n", needed, w)
			if got := plantest.Text(pl, 0); got != want {
				t.Errorf("%s, DarkPlaces %t: %q, want %q", c.name, engine, got, want)
			}
		}
	}
}

// A texture without a script glows by the picture beside it, too, unless its surface is full bright.
func TestGlowBesideATexture(t *testing.T) {
	for _, c := range []struct {
		lighting world.Lighting
		files    string
		want     string
	}{
		{world.Lightmap, "wall.tga wall_glow.jpg wall_luma.tga", "base wall emissive wall_glow emission [1 1 1] strength 1.3"},
		{world.Lightmap, "wall.tga wall_luma.tga", "base wall emissive wall_luma emission [1 1 1] strength 1.3"},
		{world.PerVertex, "wall.tga wall_glow.jpg", "base wall emissive wall_glow emission [1 1 1] strength 1.3 unlit vertex"},
		{world.PerVertex, "wall.tga", "base wall unlit vertex"},
		{world.Lightmap, "dds/wall.dds wall_glow.jpg", "base dds/wall emissive wall_glow emission [1 1 1] strength 1.3"},
		{world.Lightmap, "dds/wall.dds dds/wall_glow.dds", "base dds/wall emissive dds/wall_glow emission [1 1 1] strength 1.3"},
		{world.Lightmap, "wall.tga wall.blend.tga wall_blend.tga wall_luma.tga",
			"base wall emissive wall.blend emission [1 1 1] strength 1.3"},
		{world.Lightmap, "wall.tga wall_blend.tga wall_luma.tga", "base wall emissive wall_blend emission [1 1 1] strength 1.3"},
		{world.Lightmap, "wall.tga wall_blend.tga wall_glow.tga", "base wall emissive wall_glow emission [1 1 1] strength 1.3"},
		{world.Fullbright, "wall.tga wall_glow.jpg", "base wall unlit"},
		{world.Lightmap, "wall.tga", "base wall"},
		{world.Lightmap, "_glow.tga", "color [0.5 0.5 0.5 1] placeholder"},
	} {
		w := plantest.Shown(world.Material{Name: "wall", Lighting: c.lighting})
		w.Baked.Filtered = true
		pl := planned(t, empty(strings.Fields(c.files)...), "", needed, w)
		if got := plantest.Text(pl, 0); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// Where light has directions, a texture has a normal map, or one of heights, and the colours of highlights. Unlit surfaces need none.
func TestReliefBesideATexture(t *testing.T) {
	const script = "x\n{\n{ map wall.tga }\n{ map $lightmap }\n}\n"
	for _, c := range []struct {
		name, script, files string
		directed, normals   bool
		normal, highlight   string
	}{
		{"all", script, "wall_norm.tga wall_bump.tga wall_gloss.tga", true, true, "wall_norm", "wall_gloss"},
		{"heights", script, "wall_bump.jpg", true, true, "wall_bump_slopes", ""},
		{"no directions", script, "wall_norm.tga wall_gloss.tga", false, true, "", ""},
		{"directions are not written", script, "wall_norm.tga wall_gloss.tga", true, true, "", ""},
		{"no normal maps wanted", script, "wall_norm.tga wall_gloss.tga", true, false, "", "wall_gloss"},
		{"full bright", "x\n{\n{ map wall.tga }\n}\n", "wall_norm.tga wall_gloss.tga", true, true, "", ""},
		{"no script", "", "x.tga x_norm.tga x_gloss.jpg", true, true, "x_norm", "x_gloss"},
		{"a packed texture", "", "dds/x.dds x_norm.tga x_gloss.jpg", true, true, "x_norm", "x_gloss"},
		{"heights of a packed texture", "", "dds/x.dds x_bump.tga dds/x_gloss.dds", true, true, "x_bump_slopes", "dds/x_gloss"},
	} {
		w := plantest.Shown(world.Material{Name: "x", Lighting: world.Lightmap})
		w.Baked.Filtered, w.Baked.Display = true, &world.DisplayLight{Directed: c.directed}
		o := needed
		o.Normals, o.Reflections, o.Directions = c.normals, true, c.name != "directions are not written"
		pl := planned(t, empty(append(strings.Fields(c.files), "wall.tga")...), c.script, o, w)
		for role, want := range map[plan.Role]string{plan.AsNormal: c.normal, plan.AsHighlight: c.highlight} {
			if got, _ := plantest.Of(pl, plan.Alone(0), func(r plan.Role) bool { return r == role }); got != want {
				t.Errorf("%s: role %d is %q, want %q", c.name, role, got, want)
			}
		}
	}
}
