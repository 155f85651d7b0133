package valve

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Brighter than white goes to the strength. 2 is 4.95 in linear light. By angle the mean of cos² over a ball is a half: from
// 0.5 to 1.5 that is 1. What flows over the surface shines by its own texture.
func TestGlows(t *testing.T) {
	for _, c := range []struct{ name, vmt, want string }{
		{"beyond white", `VertexLitGeneric { $basetexture t $selfillum 1 $selfillumtint "[2 2 0]" }`, "base t emissive t_glow emission [1 1 0] strength 4.95"},
		{"as bright as can be", `VertexLitGeneric { $basetexture t $selfillum 1 $selfillumtint 99 }`, "base t emissive t_glow emission [1 1 1] strength 16"},
		{"by angle", `VertexLitGeneric { $basetexture t $selfillum 1 $selfillumfresnel 1 $selfillumfresnelminmaxexp "[.5 1.5 2]" }`, "base t emissive t_glow emission [1 1 1]"},
		{"by angle, as it is by itself", `VertexLitGeneric { $basetexture t $selfillum 1 $selfillumfresnel 1 }`, "base t emissive t_glow emission [0.667 0.667 0.667]"},
		{"that flows", `VertexLitGeneric { $basetexture a $EmissiveBlendEnabled 1 $EmissiveBlendBaseTexture t $EmissiveBlendStrength .5 $EmissiveBlendTint "[1 0 0]" }`, "base a emissive t emission [0.5 0 0]"},
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
