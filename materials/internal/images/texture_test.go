package images

import (
	"image/color"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
)

func TestTextureTakesTheMipThatFits(t *testing.T) {
	data := imagetest.VTF(0, imagetest.Filled(16, 8, imagetest.Grey(9))).Data
	for _, c := range []struct{ most, cut, width int }{{0, 0, 16}, {16, 0, 16}, {15, 0, 8}, {8, 0, 8}, {1, 0, 1}, {0, 1, 8}, {8, 1, 8}} {
		o := plain
		o.Output.MaxSize = c.most
		m := made(t, fstest.MapFS{"x.vtf": {Data: data[:len(data)-c.cut]}}, o, Task{Work: Texture{File: "x.vtf"}})[0]
		if len(m.Images) != 1 || m.Images[0].Width != c.width {
			t.Errorf("%+v: %+v", c, m.Images)
		}
		if told := len(m.Issues) == 1 && m.Issues[0].Code == "image-cut"; told != (c.cut > 0 && c.most == 0) {
			t.Errorf("%+v: %+v", c, m.Issues)
		}
	}
}

// Each form of a texture of 200 100 50 with an alpha of 128, in 8 bits.
func TestForms(t *testing.T) {
	files := fstest.MapFS{
		"t.vtf": imagetest.VTF(0, imagetest.Filled(8, 8, color.NRGBA{200, 100, 50, 128}),
			imagetest.Filled(8, 8, color.NRGBA{1, 2, 3, 255})),
		"m.vtf": imagetest.VTF(0, imagetest.Filled(4, 4, color.NRGBA{255, 0, 255, 255})),
		"c.vtf": imagetest.VTF(0xc, imagetest.Filled(8, 8, imagetest.Grey(9))),
		"b.vtf": imagetest.VTF(0x8000000, imagetest.Filled(8, 8, color.NRGBA{255, 0, 0, 255})),
	}
	for _, c := range []struct {
		file  string
		form  Form
		alpha Alpha
		want  color.NRGBA
	}{
		{"t.vtf", Form{}, Ignored, color.NRGBA{200, 100, 50, 255}},
		{"t.vtf", Form{}, Removed, color.NRGBA{200, 100, 50, 255}},
		{"t.vtf", Form{}, Shown, color.NRGBA{200, 100, 50, 128}},
		{"t.vtf", Form{Frame: 1}, Shown, color.NRGBA{1, 2, 3, 255}},
		{"t.vtf", Form{Frame: 9}, Ignored, color.NRGBA{200, 100, 50, 255}}, // there is no such frame
		{"t.vtf", Form{Pixels: paint.Normal}, Ignored, color.NRGBA{200, 155, 50, 255}},
		{"t.vtf", Form{Pixels: paint.Pane, Over: 0}, Ignored, color.NRGBA{255, 255, 255, 255}},
		{"t.vtf", Form{Pixels: paint.Passed, Over: 1}, Ignored, color.NRGBA{127, 0, 0, 255}},
		{"t.vtf", Form{Pixels: paint.Packed}, Ignored, color.NRGBA{50, 100, 200, 255}},
		{"m.vtf", Form{Pixels: paint.Doubling, Tint: [3]float32{0, 1, 1}, Over: 1}, Shown, color.NRGBA{0, 0, 255, 255}},
		{"b.vtf", Form{Pixels: paint.Normal}, Ignored, color.NRGBA{232, 127, 201, 255}}, // the file says that it is of directions
	} {
		m := made(t, files, plain, Task{Work: Texture{File: c.file, Form: c.form}, Alpha: c.alpha})[0]
		if got := decoded(t, &m.Images[0]).NRGBAAt(3, 3); got != c.want || m.Clamp {
			t.Errorf("%s %+v, alpha %d: %v, want %v", c.file, c.form, c.alpha, got, c.want)
		}
	}
	if !made(t, files, plain, Task{Work: Texture{File: "c.vtf"}})[0].Clamp {
		t.Error("a clamped texture repeats")
	}
}

// Directions that WebP blurs bend the light: numbers are encoded without loss.
func TestNumbersAreNotBlurred(t *testing.T) {
	files := fstest.MapFS{"t.vtf": imagetest.VTF(0, imagetest.Noise(64)), "p.png": imagetest.PNG(paint.Opaque(imagetest.Noise(64)))}
	for _, c := range []struct {
		w       Work
		numbers bool
		want    string
	}{{Texture{File: "t.vtf"}, false, "image/webp"}, {Texture{File: "t.vtf"}, true, "image/png"}, {File("p.png"), false, "image/webp"},
		{File("p.png"), true, "image/png"}} {
		if m := made(t, files, encodedAs(picture.WebP, 80), Task{Work: c.w, Numbers: c.numbers})[0]; m.Images[0].MIME != c.want {
			t.Errorf("%v, numbers %t: %s", c.w, c.numbers, m.Images[0].MIME)
		}
	}
}

func TestNamesOfTextures(t *testing.T) {
	for _, c := range []struct {
		file string
		form Form
		want string
	}{
		{"materials/a/b.vtf", Form{}, "a/b"}, {"a.png", Form{Frame: 2}, "a_frame2"},
		{"n_normal.vtf", Form{Pixels: paint.Normal}, "n_normal"},
		{"n.vtf", Form{Pixels: paint.Normal, Frame: 1}, "n_frame1_normal"}, {"t.vtf", Form{Pixels: paint.Passed}, "t_clear"},
	} {
		if got := NameOf(c.file, c.form); got != c.want {
			t.Errorf("%s %+v: %s", c.file, c.form, got)
		}
	}
	if TextureOf("a.png", Form{}) != Work(File("a.png")) || TextureOf("a.vtf", Form{}) != Work(Texture{File: "a.vtf"}) ||
		TextureOf("a.png", Form{Frame: 1}) == Work(File("a.png")) {
		t.Error("a picture that is not changed is a file")
	}
}
