package valve

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A sprite is blended as the map says where its shader is a sprite's, else as its material says.
func TestSprites(t *testing.T) {
	for _, c := range []struct {
		vmt   string
		blend world.Blend
		image string
		alpha pbr.Alpha
	}{
		{"Sprite { $basetexture t }", world.BlendAdd, "t_add_alpha", pbr.Blend},
		{"Sprite_DX6 { $basetexture t $additive 1 }", world.BlendAlpha, "t", pbr.Blend},
		{"Sprite { $basetexture t }", world.BlendMask, "t", pbr.Blend},
		{"Sprite { $basetexture t }", world.BlendAlpha, "t", pbr.Blend},
		{"Sprite { $basetexture t $translucent 1 $additive 1 }", world.BlendNone, "t", pbr.Opaque},
		{"UnlitGeneric { $basetexture t }", world.BlendAdd, "t_add", pbr.Blend},
		{"UnlitGeneric { $basetexture t $translucent 1 }", world.BlendAdd, "t", pbr.Blend},
		{"UnlitGeneric { $basetexture t $additive 1 }", world.BlendAlpha, "t_add", pbr.Blend},
		{"UnlitGeneric { $basetexture t $additive 1 $translucent 1 }", world.BlendAlpha, "t_add_alpha", pbr.Blend},
		{"UnlitGeneric { $basetexture nope }", world.BlendAdd, "", pbr.Blend},
	} {
		w := plantest.Shown(world.Material{Name: "x", Lighting: world.PerVertex, Blend: c.blend, Opacity: 1, TwoSided: true, Colored: true})
		pl := planned(t, files(map[string]string{"x": c.vmt}), needed, w)
		m := &pl.Materials[0]
		got, _ := plantest.Of(pl, plan.Alone(0), plan.Role.IsBase)
		if got != c.image || m.Alpha != c.alpha || !m.Draw.Unlit || !m.Draw.DoubleSided ||
			m.Vertex.Color == (c.alpha == pbr.Opaque) || m.Vertex.Alpha == (c.alpha == pbr.Opaque) || m.Placeholder != (got == "") {
			t.Errorf("%s as %d: %s %+v", c.vmt, c.blend, got, m)
		}
	}
}

// The map's properties of a material are added to those of its file.
func TestPlacedMaterials(t *testing.T) {
	files := files(map[string]string{"x": "UnlitGeneric { $basetexture a $color2 \"[1 0 1]\" }",
		"y": "VertexLitGeneric { $basetexture a $alpha .5 }"})
	w := plantest.Shown(
		world.Material{Name: "x", Lighting: world.PerVertex, TwoSided: true, Colored: true, Tint: [3]float32{0.5, 1, 1}},
		world.Material{Name: "y", Lighting: world.PerVertex, Blend: world.BlendAlpha, Opacity: 0.5})
	pl := planned(t, files, needed, w)
	if m := &pl.Materials[0]; !m.Draw.DoubleSided || !m.Vertex.Color || m.BaseColor != [4]float32{0.5, 0, 1, 1} || m.Alpha != pbr.Opaque {
		t.Errorf("%+v", m)
	}
	if m := &pl.Materials[1]; m.Draw.DoubleSided || m.BaseColor[3] != 0.25 || m.Alpha != pbr.Blend {
		t.Errorf("%+v", m)
	}
}

// The colour of a place in the map is where $color2 is, and nowhere where a material takes none. 0.5 is 0.7353 as displayed, which shaders
// with a lightmap take as linear light.
func TestPlacedTints(t *testing.T) {
	tint := [3]float32{0.5, 1, 1}
	for _, c := range []struct {
		vmt, image string
		factor     float32
	}{
		{"VertexLitGeneric { $basetexture a }", "a", 0.5},
		{"VertexLitGeneric { $basetexture a $blendtintbybasealpha 1 }", "a_tint", 1},
		{"VertexLitGeneric { $basetexture a $notint 1 }", "a", 1},
		{"VertexLitGeneric { $basetexture a $allowdiffusemodulation 0 }", "a", 1},
		{"VertexLitGeneric { $basetexture a $allowdiffusemodulation 1 }", "a", 0.5},
		{"UnlitGeneric { $basetexture a }", "a", 0.5},
		{"LightmappedGeneric { $basetexture a }", "a", 0.735357},
		{"WorldVertexTransition { $basetexture a }", "a", 0.735357},
	} {
		pl := planned(t, files(map[string]string{"x": c.vmt}), needed,
			plantest.Shown(world.Material{Name: "x", Lighting: world.PerVertex, Tint: tint}))
		m := &pl.Materials[0]
		if got, _ := plantest.Of(pl, plan.Alone(0), plan.Role.IsBase); got != c.image || m.BaseColor != [4]float32{c.factor, 1, 1, 1} {
			t.Errorf("%s: %s, %v", c.vmt, got, m.BaseColor)
		}
	}
}

// A material for flat surfaces is moved off them; a model has no surface below.
func TestModulateMovesNoModel(t *testing.T) {
	w := plantest.Shown(world.Material{Name: "a"}, world.Material{Name: "a", Lighting: world.PerVertex})
	w.Models[0].Surfaces[0].Shape = &world.Polygon{}
	w.Models[0].Surfaces[1].Shape = &world.Triangles{}
	pl := planned(t, files(map[string]string{"a": "Modulate { $basetexture a }"}), needed, w)
	if !pl.Materials[0].Draw.Offset || pl.Materials[1].Draw.Offset {
		t.Errorf("brush %t, model %t", pl.Materials[0].Draw.Offset, pl.Materials[1].Draw.Offset)
	}
}
