package images

import (
	"image/color"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// layer returns a layer with an image, or white without one.
func layer(image string, blend *q3shader.Blend) paint.Stage {
	return paint.Stage{Image: image, UV: pbr.Identity, Color: paint.White, Alpha: 1, Blend: blend}
}

// The pictures of a recipe are its base, its glow, its share of the surroundings and what is behind, as far as they are needed.
func TestPicturesOfRecipes(t *testing.T) {
	add, filter := &q3shader.BlendAdd, &q3shader.BlendFilter
	light := layer("", filter)
	light.Lit = true
	eye := layer("r.jpg", nil)
	eye.Gen, eye.Eye = q3shader.TCEnvironment, true
	brighten := layer("a.jpg", &q3shader.Blend{Src: q3shader.DstColor, Dst: q3shader.One})
	files := imagetest.Files("a.jpg", "b.jpg", "r.jpg", "m.tga")
	half := imagetest.Filled(8, 8, color.NRGBA{255, 255, 255, 255})
	clear(half.Pix[:len(half.Pix)/2])
	files["half.tga"] = imagetest.TGA(half)
	for _, c := range []struct {
		name string
		o    Options
		r    paint.Recipe
		want string // the names of the images
	}{
		{"a base", plain, paint.Recipe{Stages: []paint.Stage{layer("a.jpg", nil), layer("m.tga", &q3shader.BlendAlpha), light}}, "x"},
		{"a glow", plain, paint.Recipe{Stages: []paint.Stage{layer("a.jpg", nil), light, layer("b.jpg", add)}}, "x x_glow"},
		{"the surroundings", plain, paint.Recipe{Environment: true,
			Stages: []paint.Stage{eye, layer("half.tga", &q3shader.BlendAlpha), light}}, "x x_environment"},
		{"what is behind", plain, paint.Recipe{Behind: true, Stages: []paint.Stage{brighten, light}}, "x x_behind"},
	} {
		c.r.Light = paint.ByMap
		m := made(t, files, c.o, Task{Work: Combined{&c.r}, Name: "x"})[0]
		var names []string
		for i := range m.Images {
			names = append(names, m.Images[i].Name)
			if i > 0 && m.Images[i].Alpha {
				t.Errorf("%s: %s has alpha", c.name, m.Images[i].Name)
			}
		}
		if got := strings.Join(names, " "); got != c.want || m.Combined == nil {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A broken layer is left out; if it replaces all before it, it is grey.
func TestRecipesWithoutAnImage(t *testing.T) {
	files := imagetest.Files("m.tga")
	for _, c := range []struct {
		layers []paint.Stage
		want   uint8
	}{
		{[]paint.Stage{layer("m.tga", nil), layer("none.jpg", &q3shader.BlendAdd)}, 128},
		{[]paint.Stage{layer("none.jpg", nil), layer("m.tga", &q3shader.BlendAlpha)}, 128}, // 0.5 with half of 128
	} {
		m := made(t, files, plain, Task{Work: Combined{&paint.Recipe{Stages: c.layers}}, Name: "x"})[0]
		if got := decoded(t, &m.Images[0]).NRGBAAt(1, 1); got != imagetest.Grey(c.want) || len(m.Issues) != 1 {
			t.Errorf("%v, %v", got, m.Issues)
		}
	}
}
