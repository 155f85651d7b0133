package valve

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The iris of an eye is blended over its white; that of EyeRefract is all of the eye. Without a picture of it nothing is shown.
func TestIris(t *testing.T) {
	for _, c := range []struct{ name, vmt, want string }{
		{"over the white", "Eyes { $basetexture a $iris t }", "base t blend"},
		{"of another version", "Eyes_dx8 { $basetexture a $iris t }", "base t blend"},
		{"all of the eye", "EyeRefract { $iris t }", "base t uv [0.5 0 0.25 0 0.5 0.25]"},
		{"without a picture", "Eyes { $basetexture a }", "hidden"},
		{"a picture that is missing", "Eyes { $basetexture a $iris none }", "hidden"},
		{"of no eye", "VertexLitGeneric { $basetexture a $iris t }", "hidden"},
	} {
		w := plantest.Shown(world.Material{Name: "x", Iris: true}, world.Material{Name: "gone", Iris: true})
		pl := planned(t, files(map[string]string{"x": c.vmt}), needed, w)
		if got := plantest.Text(pl, 0); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if !pl.Materials[1].Draw.Hidden || pl.Materials[0].Name != "x iris" {
			t.Errorf("%s: %q, without a material file %+v", c.name, pl.Materials[0].Name, pl.Materials[1].Draw)
		}
	}
}
