package valve

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The tint is linear; brighter than white goes to the strength. A texture that flows over the surface shines by itself.
func TestGlows(t *testing.T) {
	for _, c := range []struct{ name, vmt, want string }{
		{"beyond white", `VertexLitGeneric { $basetexture t $selfillum 1 $selfillumtint "[2 2 0]" }`,
			"base t_lit glowing emission [1 1 0] strength 2"},
		{"as bright as can be", `VertexLitGeneric { $basetexture t $selfillum 1 $selfillumtint 99 }`,
			"base t_lit glowing emission [1 1 1] strength 16"},
		{"by angle",
			`VertexLitGeneric { $basetexture t $bumpmap n $selfillum 1 $selfillumfresnel 1 $selfillumfresnelminmaxexp "[.5 1.5 2]" }`,
			"base t_lit glowing emission [1 1 1] strength 1.5 normal n_normal"},
		{"by angle, as it is by itself", `VertexLitGeneric { $basetexture t $phong 1 $selfillum 1 $selfillumfresnel 1 }`,
			"base t_lit glowing emission [1 1 1]"},
		{"by angle, for a shader that does not know angles",
			`VertexLitGeneric { $basetexture t $selfillum 1 $selfillumfresnel 1 $selfillumfresnelminmaxexp "[.5 1.5 2]" }`,
			"base t_lit glowing emission [1 1 1]"},
		{"in its colour", `VertexLitGeneric { $basetexture t $color2 "[1 .5 0]" $selfillum 1 }`,
			"base t_lit glowing color [1 0.214 0 1] emission [1 0.214 0]"},
		{"of a wall, in its own colour", `LightmappedGeneric { $basetexture t $color2 "[1 .5 0]" $selfillum 1 $selfillumtint .5 }`,
			"base t_lit glowing color [1 0.5 0 1] emission [0.5 0.5 0.5]"},
		{"by a mask that the shader of bumps does not read",
			`VertexLitGeneric { $basetexture t $bumpmap n $selfillum 1 $selfillummask nope }`,
			"base t_lit glowing emission [1 1 1] normal n_normal"},
		{"that flows",
			`VertexLitGeneric { $basetexture a $EmissiveBlendEnabled 1 $EmissiveBlendBaseTexture t $EmissiveBlendStrength .5 $EmissiveBlendTint "[1 0 0]" }`, "base a emissive t emission [0.5 0 0]"},
		{"that flows no more", `VertexLitGeneric { $basetexture a $EmissiveBlendEnabled 0 $EmissiveBlendBaseTexture t }`, "base a"},
		{"that is not there", `VertexLitGeneric { $basetexture a $EmissiveBlendEnabled 1 $EmissiveBlendBaseTexture nope }`, "base a"},
		{"by a mask that is missing", `VertexLitGeneric { $basetexture t $selfillum 1 $selfillummask nope }`, "base t"},
	} {
		pl := planned(t, files(map[string]string{"x": c.vmt}), needed, plantest.Shown(world.Material{Name: "x"}))
		if got := plantest.Text(pl, 0); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// The mean of cos² over a ball is a half: from 1/3 to 1 that is 2/3. The mean of cos is 2/3.
func TestGlowsByTheMeanOfAllAngles(t *testing.T) {
	for vmt, want := range map[string]float32{
		`VertexLitGeneric { $basetexture t $bumpmap n $selfillum 1 $selfillumfresnel 1 $selfillumfresnelminmaxexp "[.5 1.5 2]" }`: 2.0 / 3,
		`VertexLitGeneric { $basetexture t $phong 1 $selfillum 1 $selfillumfresnel 1 }`:                                           2.0 / 3,
		`VertexLitGeneric { $basetexture t $bumpmap n $selfillum 1 $selfillumfresnel 1 $selfillumfresnelminmaxexp "[0 0 0]" }`:    1,
		`VertexLitGeneric { $basetexture t $selfillum 1 $selfillumfresnel 1 }`:                                                    1,
	} {
		pl := planned(t, files(map[string]string{"x": vmt}), needed, plantest.Shown(world.Material{Name: "x"}))
		found := false
		for _, j := range pl.Images {
			if s, ok := j.Work.(images.Surface); ok {
				found = true
				if s.Paint.Glow < want-1e-5 || s.Paint.Glow > want+1e-5 {
					t.Errorf("%s: %g, want %g", vmt, s.Paint.Glow, want)
				}
			}
		}
		if !found {
			t.Errorf("%s: no surface", vmt)
		}
	}
}

// A colour brighter than white is in the picture, and what glows is divided by it: 1/2, 1 and nothing to divide.
func TestAWallGlowsWithoutItsColour(t *testing.T) {
	vmt := `LightmappedGeneric { $basetexture t $color "[2 1 0]" $selfillum 1 }`
	pl := planned(t, files(map[string]string{"x": vmt}), needed, plantest.Shown(world.Material{Name: "x"}))
	for _, j := range pl.Images {
		if s, ok := j.Work.(images.Surface); ok && len(j.Users) > 0 {
			if s.Paint.Tint != [3]float32{2, 1, 0} || s.Paint.Light != [3]float32{0.5, 1, 1} {
				t.Errorf("%+v", s.Paint)
			}
			return
		}
	}
	t.Error("no picture")
}
