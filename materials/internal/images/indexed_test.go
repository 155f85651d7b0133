package images

import (
	"bytes"
	"errors"
	"image/color"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/wad"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// ramp returns a palette in which index i is (i, 255-i, i/2), and the last colour blue.
func ramp() [][3]uint8 {
	p := make([][3]uint8, 256)
	for i := range p {
		p[i] = [3]uint8{uint8(i), uint8(255 - i), uint8(i / 2)}
	}
	p[255] = Blue
	return p
}

// rampText is ramp as the bytes of a file.
func rampText() string {
	var b []byte
	for _, c := range ramp() {
		b = append(b, c[:]...)
	}
	return string(b)
}

// indices returns 16 x 16 pixels of index 10, except some.
func indices(some map[int]byte) []byte {
	p := bytes.Repeat([]byte{10}, 16*16)
	for i, v := range some {
		p[i] = v
	}
	return p
}

// Index 10 is (10, 245, 5), 230 is (230, 25, 115), 255 blue.
func TestIndicesBecomeTheColoursOfThePalette(t *testing.T) {
	base, bright, blue, black := color.NRGBA{10, 245, 5, 255}, color.NRGBA{230, 25, 115, 255}, color.NRGBA{0, 0, 255, 255},
		imagetest.Grey(0)
	pixels := indices(map[int]byte{1: 230, 16: 255})
	quakes := &world.Texture{Width: 16, Height: 16, Pixels: pixels}
	halfLifes := &world.Texture{Width: 16, Height: 16, Pixels: pixels, Palette: ramp()}
	grades := ramp()
	grades[255] = [3]uint8{90, 80, 70}
	graded := &world.Texture{Width: 16, Height: 16, Pixels: pixels, Palette: grades}
	for _, c := range []struct {
		name  string
		x     Indexed
		image int
		want  [3]color.NRGBA // at 0,0, at 1,0 and at 0,1
	}{
		{"whole", Indexed{Texture: quakes}, 0, [3]color.NRGBA{base, bright, blue}},
		{"its glow", Indexed{Texture: quakes}, 1, [3]color.NRGBA{black, bright, blue}},
		// The hole is between seven pixels of index 10 and one of 230: (7·10 + 230)/8 = 37.5, (7·245 + 25)/8 = 217.5,
		// (7·5 + 115)/8 = 18.75.
		{"with a hole", Indexed{Texture: quakes, Hole: true}, 0, [3]color.NRGBA{base, bright, {38, 218, 19, 0}}},
		{"a hole that is not shown", Indexed{Texture: halfLifes, Filled: true}, 0, [3]color.NRGBA{base, bright, {38, 218, 19, 255}}},
		{"a hole does not glow", Indexed{Texture: quakes, Hole: true}, 1, [3]color.NRGBA{black, bright, black}},
		{"alpha", Indexed{Texture: &world.Texture{Width: 16, Height: 16, Pixels: pixels, Palette: ramp(), AlphaIndex: true}}, 0,
			[3]color.NRGBA{{0, 0, 255, 10}, {0, 0, 255, 230}, {0, 0, 255, 255}}},
		{"few colours", Indexed{Texture: &world.Texture{Width: 16, Height: 16, Pixels: pixels, Palette: ramp()[:11]}}, 0,
			[3]color.NRGBA{base, black, black}},
		{"a decal with a hole", Indexed{Texture: halfLifes, Decal: true}, 0, [3]color.NRGBA{base, bright, {38, 218, 19, 0}}},
		{"a decal of a gradient", Indexed{Texture: graded, Decal: true},
			0, [3]color.NRGBA{{90, 80, 70, 10}, {90, 80, 70, 230}, {90, 80, 70, 255}}},
		{"added", Indexed{Texture: quakes, Pixels: paint.Added},
			0, [3]color.NRGBA{{10, 255, 5, 245}, {255, 28, 128, 230}, {0, 0, 255, 255}}},
	} {
		c.x.Palette = rampText()
		m := made(t, nil, plain, Task{Work: c.x, Name: "a", Alpha: Shown, Glow: true})[0]
		if c.image >= len(m.Images) {
			t.Errorf("%s: %d images", c.name, len(m.Images))
			continue
		}
		im := decoded(t, &m.Images[c.image])
		if got := [3]color.NRGBA{im.NRGBAAt(0, 0), im.NRGBAAt(1, 0), im.NRGBAAt(0, 1)}; got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Only Quake's palette has colours that glow, and only a material that needs them gets their image.
func TestGlowOfIndices(t *testing.T) {
	bright := indices(map[int]byte{3: 230})
	for _, c := range []struct {
		name   string
		x      Indexed
		glow   bool
		images int
	}{
		{"Quake's", Indexed{Texture: &world.Texture{Width: 16, Height: 16, Pixels: bright}}, true, 2},
		{"without a material that needs it", Indexed{Texture: &world.Texture{Width: 16, Height: 16, Pixels: bright}}, false, 1},
		{"without a bright texel", Indexed{Texture: &world.Texture{Width: 16, Height: 16, Pixels: indices(nil)}}, true, 1},
		{"Half-Life's", Indexed{Texture: &world.Texture{Width: 16, Height: 16, Pixels: bright, Palette: ramp()}}, true, 1},
		{"a hole", Indexed{Texture: &world.Texture{Width: 16, Height: 16, Pixels: indices(map[int]byte{3: 255})}, Hole: true}, true, 1},
	} {
		c.x.Palette = rampText()
		if m := made(t, nil, plain, Task{Work: c.x, Name: "a", Glow: c.glow})[0]; len(m.Images) != c.images {
			t.Errorf("%s: %d images", c.name, len(m.Images))
		}
	}
}

// Where light does not affect a texel it has its colour in the glow alone, unless some material shows the picture without it.
func TestWhatGlowsIsNotLit(t *testing.T) {
	x := Indexed{Texture: &world.Texture{Width: 16, Height: 16, Pixels: indices(map[int]byte{3: 230})}, Palette: rampText()}
	for apart, want := range map[bool]color.NRGBA{true: imagetest.Grey(0), false: {230, 25, 115, 255}} {
		m := made(t, nil, plain, Task{Work: x, Name: "a", Glow: true, Apart: apart})[0]
		im, glow := decoded(t, &m.Images[0]), decoded(t, &m.Images[1])
		plain, bright := color.NRGBA{10, 245, 5, 255}, color.NRGBA{230, 25, 115, 255}
		if im.NRGBAAt(3, 0) != want || im.NRGBAAt(0, 0) != plain || glow.NRGBAAt(3, 0) != bright {
			t.Errorf("%t: %v, %v, glow %v", apart, im.NRGBAAt(3, 0), im.NRGBAAt(0, 0), glow.NRGBAAt(3, 0))
		}
	}
}

// A picture without a palette has colours like the game's if that has none, and an issue names the game's file.
func TestIndicesOfFiles(t *testing.T) {
	x := wad.Texture{Name: "x", Width: 16, Height: 16, Pixels: indices(nil)}
	own := wad.Texture{Name: "y", Width: 16, Height: 16, Pixels: indices(nil), Palette: ramp()}
	empty := wad.Texture{Name: "z", Width: 16, Height: 16}
	files := fstest.MapFS{"x.mip": {Data: x.Miptex()}, "x.wal": {Data: x.WAL()}, "y.mip": {Data: own.Miptex()},
		"z.mip": {Data: empty.Named()}}
	for _, c := range []struct {
		x     Indexed
		want  color.NRGBA
		issue string
	}{
		{Indexed{File: "x.mip"}, imagetest.Grey(156), "palette-missing gfx/palette.lmp"},
		{Indexed{File: "x.wal", WAL: true}, imagetest.Grey(156), "palette-missing pics/colormap.pcx"},
		{Indexed{File: "x.mip", Palette: rampText()}, color.NRGBA{10, 245, 5, 255}, ""},
		{Indexed{File: "x.wal", WAL: true, Palette: rampText()}, color.NRGBA{10, 245, 5, 255}, ""},
		{Indexed{File: "y.mip"}, color.NRGBA{10, 245, 5, 255}, ""},
		{Indexed{File: "z.mip"}, color.NRGBA{}, "image-broken z"}, // it names a picture of an archive
	} {
		m := made(t, files, plain, Task{Work: c.x})[0]
		issue := ""
		for _, is := range m.Issues {
			issue += is.Code + " " + is.Where
		}
		var got color.NRGBA
		if len(m.Images) > 0 {
			got = decoded(t, &m.Images[0]).NRGBAAt(0, 0)
		}
		if got != c.want || issue != c.issue {
			t.Errorf("%+v: %v, %q", c.x, got, issue)
		}
	}
}

// 4 x 2: the left half has a cloud at 0,0 and nothing else; the right half is 20, 21, 22, 23.
func TestCloudsAreOverTheSky(t *testing.T) {
	sky := &world.Texture{Width: 4, Height: 2, Pixels: []byte{9, 0, 20, 21, 0, 0, 22, 23}}
	x := Indexed{Texture: sky, Clouds: paint.AllClouds, Palette: rampText()}
	im := decoded(t, &made(t, nil, plain, Task{Work: x, Name: "sky"})[0].Images[0])
	if got := [4]uint8{im.Pix[0], im.Pix[4], im.Pix[8], im.Pix[12]}; im.Rect.Dx() != 2 || got != [4]uint8{9, 21, 22, 23} {
		t.Error(im.Rect, got)
	}
}

// 256 pixels: 4 bytes each of the image and 17 to fill its holes.
func TestIndicesObeyLimits(t *testing.T) {
	x := Indexed{Texture: &world.Texture{Width: 16, Height: 16, Pixels: indices(map[int]byte{0: 255}), Palette: ramp()}, Hole: true}
	for _, l := range []limit.Limits{{MaxTextureTotal: 255}, {MaxMemory: 21*256 - 1}} {
		b := limit.NewBudget(l)
		if _, err := New(nil, plain, b).All(t.Context(), []Task{{Work: x, Name: "a"}}); !errors.Is(err, limit.ErrLimit) ||
			b.Reserved() != 0 {
			t.Errorf("%+v: %v, %d bytes stay reserved", l, err, b.Reserved())
		}
	}
}
