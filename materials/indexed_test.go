package materials

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/indexed"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/wad"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// ramp is a palette in which index i is (i, 255-i, i/2), and the last colour blue.
func ramp() [][3]uint8 {
	p := make([][3]uint8, 256)
	for i := range p {
		p[i] = [3]uint8{uint8(i), uint8(255 - i), uint8(i / 2)}
	}
	p[255] = images.Blue
	return p
}

// lump is a palette as a file.
func lump(p [][3]uint8) *fstest.MapFile {
	var b []byte
	for _, c := range p {
		b = append(b, c[:]...)
	}
	return &fstest.MapFile{Data: b}
}

// indices is a picture of 16 x 16 pixels of index 10, but for some.
func indices(some map[int]byte) []byte {
	p := bytes.Repeat([]byte{10}, 16*16)
	for i, v := range some {
		p[i] = v
	}
	return p
}

// own is a texture with a palette, quakes is one without.
func own(pixels []byte) *world.Texture {
	return &world.Texture{Width: 16, Height: len(pixels) / 16, Pixels: pixels, Palette: ramp()}
}

func quakes(pixels []byte) *world.Texture {
	return &world.Texture{Width: 16, Height: len(pixels) / 16, Pixels: pixels}
}

func miptexFile(name string, palette [][3]uint8, pixels []byte) *fstest.MapFile {
	t := wad.Texture{Name: name, Width: 16, Height: 16, Pixels: pixels, Palette: palette}
	return &fstest.MapFile{Data: t.Miptex()}
}

func walFile(name, next string, pixels []byte) *fstest.MapFile {
	t := wad.Texture{Name: name, Next: next, Width: 16, Height: 16, Pixels: pixels}
	return &fstest.MapFile{Data: t.WAL()}
}

// games are files of all of Quake's engines.
func games() fstest.MapFS {
	return fstest.MapFS{
		"gfx/palette.lmp":      lump(ramp()),
		"wall.mip":             miptexFile("wall", ramp(), indices(nil)),
		"bright.mip":           miptexFile("bright", nil, indices(map[int]byte{3: 230})),
		"{fence.mip":           miptexFile("{fence", ramp(), indices(map[int]byte{0: 255})),
		"+0lamp.mip":           miptexFile("+0lamp", ramp(), indices(nil)),
		"+1lamp.mip":           miptexFile("+1lamp", ramp(), indices(nil)),
		"+alamp.mip":           miptexFile("+alamp", ramp(), indices(nil)),
		"-0floor.mip":          miptexFile("-0floor", ramp(), indices(nil)),
		"-1floor.mip":          miptexFile("-1floor", ramp(), indices(nil)),
		"empty.mip":            {Data: (&wad.Texture{Name: "empty", Width: 16, Height: 16}).Named()},
		"short.mip":            {Data: []byte("short")},
		"textures/e1/a.wal":    walFile("e1/a", "e1/b", indices(map[int]byte{3: 230})),
		"textures/e1/b.wal":    walFile("e1/b", "e1/a", indices(nil)),
		"textures/e1/c.wal":    walFile("e1/c", "e1/c", indices(nil)),
		"textures/new.png":     pngFile(filled(4, 4, color.NRGBA{200, 100, 50, 128})),
		"textures/{new.png":    pngFile(filled(4, 4, color.NRGBA{200, 100, 50, 128})),
		"models/a/skin.png":    pngFile(filled(4, 4, color.NRGBA{200, 100, 50, 255})),
		"gfx/env/desertrt.tga": tgaFile(filled(4, 4, grey(1))), "gfx/env/desertbk.bmp": textures("a.jpg")["a.jpg"],
	}
}

func TestPicturesOfIndices(t *testing.T) {
	bright := indices(map[int]byte{3: 230})
	fence := indices(map[int]byte{0: 255})
	for _, c := range []struct {
		name string
		m    world.Material
		want string
	}{
		{"its own colours", world.Material{Name: "a", Texture: own(indices(nil))}, "base a"},
		{"the game's", world.Material{Name: "a", Texture: quakes(indices(nil))}, "base a"},
		{"the game's, some of which shine", world.Material{Name: "a", Texture: quakes(bright)}, "base a emissive a_glow emission [1 1 1]"},
		{"its own never shine", world.Material{Name: "a", Texture: own(bright)}, "base a"},
		{"what has no light is bright already", world.Material{Name: "a", Texture: quakes(bright), Lighting: world.Fullbright}, "base a unlit"},
		{"on a model", world.Material{Name: "a", Texture: quakes(bright), Lighting: world.PerVertex, TwoSided: true}, "base a double unlit vertex"},
		{"index 255 is a colour", world.Material{Name: "a", Texture: own(fence)}, "base a"},
		{"or nothing, as the name says", world.Material{Name: "{a", Texture: own(fence)}, "base {a mask 0.5"},
		{"or nothing, as the picture says", world.Material{Name: "a", Texture: &world.Texture{Width: 16, Height: 16, Pixels: fence, Palette: ramp(), Hole: true}}, "base a_hole mask 0.5"},
		{"a name that promises holes", world.Material{Name: "{a", Texture: own(indices(nil))}, "base {a"},
		{"half there", world.Material{Name: "a", Texture: own(indices(nil)), Blend: world.BlendAlpha, Opacity: 0.5, Tint: [3]float32{1, 0.5, 0}}, "base a color [1 0.5 0 0.5] blend"},
		{"wholly there", world.Material{Name: "a", Texture: own(indices(nil)), Blend: world.BlendAlpha, Opacity: 1}, "base a"},
		{"not there", world.Material{Name: "a", Texture: own(indices(nil)), Blend: world.BlendAlpha}, "base a color [1 1 1 0] blend"},
		{"half there with holes", world.Material{Name: "{a", Texture: own(fence), Blend: world.BlendAlpha, Opacity: 0.5}, "base {a color [1 1 1 0.5] blend"},
		{"added", world.Material{Name: "a", Texture: own(indices(nil)), Blend: world.BlendAdd, Opacity: 0.5}, "base a_add color [1 1 1 0.5] blend"},
		{"masked without a hole", world.Material{Name: "a", Texture: own(indices(nil)), Blend: world.BlendMask}, "base a"},
		{"its indices are alpha", world.Material{Name: "a", Blend: world.BlendAlpha, Opacity: 1, Texture: &world.Texture{Width: 16, Height: 16, Pixels: indices(nil), Palette: ramp(), AlphaIndex: true}}, "base a blend"},
		{"in an archive", world.Material{Name: "Wall"}, "base wall"},
		{"in an archive, of Quake", world.Material{Name: "bright"}, "base bright emissive bright_glow emission [1 1 1]"},
		{"in an archive, with holes", world.Material{Name: "{fence"}, "base {fence mask 0.5"},
		{"an animation", world.Material{Name: "+1lamp"}, "base +0lamp"},
		{"what a switched button shows", world.Material{Name: "+alamp"}, "base +alamp"},
		{"an animation without a start", world.Material{Name: "+3a", Texture: own(indices(nil))}, "base +3a"},
		{"a plus alone", world.Material{Name: "+", Texture: own(indices(nil))}, "base +"},
		{"a minus alone", world.Material{Name: "-", Texture: own(indices(nil))}, "base -"},
		{"a random tile", world.Material{Name: "-1floor"}, "base -1floor"},
		{"Quake II's, where nothing shines", world.Material{Name: "e1/a"}, "base textures/e1/a"},
		{"Quake II's glass", world.Material{Name: "e1/b", Blend: world.BlendAlpha, Opacity: 0.33}, "base textures/e1/b color [1 1 1 0.33] blend"},
		{"an image in its place", world.Material{Name: "new"}, "base textures/new"},
		{"an image with holes", world.Material{Name: "{new"}, "base textures/{new mask 0.5"},
		{"an image half there", world.Material{Name: "new", Blend: world.BlendAlpha, Opacity: 0.5, TwoSided: true}, "base textures/new color [1 1 1 0.5] blend double"},
		{"an image added", world.Material{Name: "models/a/skin", Blend: world.BlendAdd, Opacity: 1}, "base models/a/skin_add blend"},
		{"the name of a picture", world.Material{Name: "empty"}, "color [0.5 0.5 0.5 1] placeholder"},
		{"a broken file", world.Material{Name: "short"}, "color [0.5 0.5 0.5 1] placeholder"},
		{"too few pixels", world.Material{Name: "a", Texture: &world.Texture{Width: 1 << 32, Height: 1 << 32, Pixels: indices(nil)}}, "color [0.5 0.5 0.5 1] placeholder"},
		{"no pixels", world.Material{Name: "a", Texture: &world.Texture{}}, "color [0.5 0.5 0.5 1] placeholder"},
		{"nothing", world.Material{Name: "nope"}, "color [0.5 0.5 0.5 1] placeholder"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := load(t, games(), "", plainOptions, shown(c.m))
			if got := text(set, &set.Materials[0]); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
			checkMaterial(t, set, &set.Materials[0])
			if broken := len(set.Issues) > 0; broken != (strings.Contains(c.want, "placeholder") && c.name != "nothing") {
				t.Error(set.Issues)
			}
		})
	}
}

func TestIndicesBecomeTheColoursOfThePalette(t *testing.T) {
	// Index 10 is (10, 245, 5), 230 is (230, 25, 115), 255 blue.
	base, bright := color.NRGBA{10, 245, 5, 255}, color.NRGBA{230, 25, 115, 255}
	pixels := indices(map[int]byte{1: 230, 16: 255})
	black := color.NRGBA{0, 0, 0, 255}
	for _, c := range []struct {
		name  string
		m     world.Material
		image int
		want  [3]color.NRGBA // at 0,0, at 1,0 and at 0,1
	}{
		{"whole", world.Material{Name: "a", Texture: quakes(pixels)}, 0, [3]color.NRGBA{base, bright, {0, 0, 255, 255}}},
		{"what shines", world.Material{Name: "a", Texture: quakes(pixels)}, 1, [3]color.NRGBA{black, bright, {0, 0, 255, 255}}},
		// The hole is between seven pixels of index 10 and one of 230: (7·10 + 230)/8 = 37.5, (7·245 + 25)/8 = 217.5,
		// (7·5 + 115)/8 = 18.75.
		{"with a hole", world.Material{Name: "{a", Texture: quakes(pixels)}, 0, [3]color.NRGBA{base, bright, {38, 218, 19, 0}}},
		{"a hole does not shine", world.Material{Name: "{a", Texture: quakes(pixels)}, 1, [3]color.NRGBA{black, bright, black}},
		// 10 of 255 of blue.
		{"alpha", world.Material{Name: "a", Blend: world.BlendAlpha, Opacity: 1, Texture: &world.Texture{Width: 16, Height: 16, Pixels: pixels, Palette: ramp(), AlphaIndex: true}}, 0,
			[3]color.NRGBA{{0, 0, 255, 10}, {0, 0, 255, 230}, {0, 0, 255, 255}}},
		{"few colours", world.Material{Name: "a", Texture: &world.Texture{Width: 16, Height: 16, Pixels: pixels, Palette: ramp()[:11]}}, 0, [3]color.NRGBA{base, black, black}},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := load(t, games(), "", plainOptions, shown(c.m))
			im := decoded(t, set, c.image)
			got := [3]color.NRGBA{im.NRGBAAt(0, 0), im.NRGBAAt(1, 0), im.NRGBAAt(0, 1)}
			if got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestPalettes(t *testing.T) {
	red, green := bytes.Repeat([]byte{255, 0, 0}, 256), bytes.Repeat([]byte{0, 255, 0}, 256)
	pcx := slices.Concat([]byte{10, 5, 1, 8}, make([]byte, 200), []byte{12}, green)
	quake, quake2 := world.Material{Name: "a", Texture: quakes(indices(nil))}, world.Material{Name: "e1/c"}
	for _, c := range []struct {
		name   string
		m      world.Material
		files  map[string][]byte
		option string
		want   color.NRGBA
		issue  string
	}{
		{"Quake's", quake, map[string][]byte{images.QuakePalette: red, images.Quake2Palette: pcx}, "", color.NRGBA{255, 0, 0, 255}, ""},
		{"Quake II's", quake2, map[string][]byte{images.QuakePalette: red, images.Quake2Palette: pcx}, "", color.NRGBA{0, 255, 0, 255}, ""},
		{"Quake II's as Quake's", quake2, map[string][]byte{images.QuakePalette: red}, "", color.NRGBA{255, 0, 0, 255}, ""},
		{"the caller's", quake, map[string][]byte{images.QuakePalette: red}, strings.Repeat("\x00\x00\xff", 256), color.NRGBA{0, 0, 255, 255}, ""},
		{"none", quake, nil, "", color.NRGBA{10, 10, 10, 255}, "palette-missing gfx/palette.lmp"},
		{"none for Quake II", quake2, nil, "", color.NRGBA{10, 10, 10, 255}, "palette-missing pics/colormap.pcx"},
		{"a short one", quake, map[string][]byte{images.QuakePalette: red[1:]}, "", color.NRGBA{10, 10, 10, 255}, "image-broken gfx/palette.lmp"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := games()
			delete(files, images.QuakePalette)
			for name, data := range c.files {
				files[name] = &fstest.MapFile{Data: data}
			}
			other := c.m // the issue is told once
			other.Lighting = world.Fullbright
			w := shown(c.m, other, world.Material{Name: "own", Texture: own(indices(nil))})
			set := loadInput(t, files, "", plainOptions, Input{World: w, Palette: c.option})
			if got := decoded(t, set, set.Materials[0].Base.Image).NRGBAAt(0, 0); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
			var issues []string
			for _, is := range set.Issues {
				issues = append(issues, is.Code+" "+is.Where)
			}
			if c.issue == "" && len(issues) > 0 || c.issue != "" && issues[0] != c.issue {
				t.Error(issues)
			}
			if len(set.Images) != 2 {
				t.Errorf("%d images", len(set.Images))
			}
		})
	}
	for _, data := range [][]byte{nil, make([]byte, 767)} {
		if _, err := indexed.Palette(data); !errors.Is(err, limit.ErrCorrupt) {
			t.Error(err)
		}
	}
}

func TestNamesOfAnimationsAreInTheExtras(t *testing.T) {
	for _, c := range []struct {
		name, key string
		want      any
	}{
		{"+1lamp", "frames", "+1lamp +alamp"},
		{"+alamp", "frames", "+0lamp +1lamp"},
		{"-1floor", "tiles", "-0floor"},
		{"e1/a", "frames", "e1/b"},
		{"e1/c", "frames", nil},
		{"scroll1", "scroll", true},
		{"{scroll1", "scroll", true},
		{"wall", "scroll", nil},
		{"+0own", "frames", "+1own"},
	} {
		w := shown(world.Material{Name: c.name}, world.Material{Name: "+1OWN", Texture: own(indices(nil))})
		if strings.Contains(c.name, "scroll") || c.name == "+0own" {
			w.Materials[0].Texture = own(indices(nil))
		}
		set := load(t, games(), "", plainOptions, w)
		if got := set.Materials[0].Extras[c.key]; got != c.want {
			t.Errorf("%s: %s is %v, want %v", c.name, c.key, got, c.want)
		}
	}
}

func TestQuakesSkyIsItsTwoLayers(t *testing.T) {
	// 4 x 2: the left half has a cloud at 0,0 and nothing else; the right half is 20, 21, 22, 23.
	sky := &world.Texture{Width: 4, Height: 2, Pixels: []byte{9, 0, 20, 21, 0, 0, 22, 23}}
	w := shown(world.Material{Name: "sky1", Flags: world.Sky, Lighting: world.Fullbright, Texture: sky})
	set := load(t, games(), "", plainOptions, w)
	m := &set.Materials[0]
	if got, want := text(set, m), "base sky1_clouds uv [-4.26 0 0 0 -4.26 0] unlit sky (the two layers of the sky move)"; got != want || m.Sky.Height != 1230 {
		t.Errorf("%s at %g, want %s", got, m.Sky.Height, want)
	}
	im := decoded(t, set, m.Base.Image)
	var red []byte
	for i := 0; i < len(im.Pix); i += 4 {
		red = append(red, im.Pix[i])
	}
	if im.Rect != image.Rect(0, 0, 2, 2) || !bytes.Equal(red, []byte{9, 21, 22, 23}) {
		t.Errorf("%v %v", im.Rect, red)
	}
	// Half-Life's is one layer, and the map names the six images.
	w = shown(world.Material{Name: "sky", Flags: world.Sky, Texture: own(indices(nil))})
	set = load(t, games(), "", plainOptions, w)
	if got := text(set, &set.Materials[0]); got != "unlit sky" || len(set.Images) > 0 {
		t.Error(got)
	}
	w.Sky.Name, w.Files.Wads = "gfx/env/Desert", []string{"a.wad"}
	set = load(t, games(), "", plainOptions, w)
	m = &set.Materials[0]
	if diff := cmp.Diff([6]int{0, 1, pbr.NoImage, pbr.NoImage, pbr.NoImage, pbr.NoImage}, m.Sky.Box); diff != "" {
		t.Error(diff)
	}
	want := []Missing{{"sky", []string{"gfx/env/desertdn", "gfx/env/desertft", "gfx/env/desertlf", "gfx/env/desertup"}, plan.ImageHint}}
	if diff := cmp.Diff(want, set.Missing); diff != "" {
		t.Error(diff)
	}
	// A map of Quake may name six images too, for engines that know them.
	w = shown(world.Material{Name: "sky1", Flags: world.Sky, Texture: sky})
	w.Sky.Name = "gfx/env/none_"
	set = load(t, games(), "", plainOptions, w)
	if m := &set.Materials[0]; m.Sky.Height != 1230 || m.Base.Image != 0 || len(set.Missing) > 0 || set.Issues[0].Code != "sky-box" {
		t.Errorf("%s, %v, %v", text(set, m), set.Missing, set.Issues)
	}
	w = shown(world.Material{Name: "nope"})
	w.Files.Wads = []string{"a.wad"}
	if set = load(t, games(), "", plainOptions, w); set.Missing[0].Hint != plan.WadHint {
		t.Error(set.Missing)
	}
}

func TestDecalsOfAGradientAreItsLastColour(t *testing.T) {
	grades := ramp()
	grades[255] = [3]uint8{90, 80, 70}
	files := games()
	files["{shot.mip"] = miptexFile("{shot", grades, indices(map[int]byte{0: 200}))
	w := shown(world.Material{Name: "{shot"}, world.Material{Name: "{fence"})
	w.Decals = []world.Decal{{Material: 0}, {Material: 1}, {Material: 2}}
	w.Materials = append(w.Materials, world.Material{Name: "e1/a"})
	set := load(t, files, "", plainOptions, w)
	for i, want := range []string{"base {shot blend offset", "base {fence blend offset"} {
		if got := text(set, &set.Materials[i]); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got, want := decoded(t, set, 0).NRGBAAt(0, 0), (color.NRGBA{90, 80, 70, 200}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := decoded(t, set, 1).NRGBAAt(0, 0), (color.NRGBA{10, 245, 5, 0}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if diff := cmp.Diff([][2]float64{{16, 16}, {16, 16}, {16, 16}}, DecalSizes(limit.WithDefaults(t.Context()), files, w)); diff != "" {
		t.Error(diff)
	}
}

func TestOnePictureIsMadeOnce(t *testing.T) {
	x := quakes(indices(map[int]byte{3: 230}))
	w := shown(world.Material{Name: "a", Texture: x}, world.Material{Name: "a", Texture: x, Lighting: world.Fullbright},
		world.Material{Name: "bright"}, world.Material{Name: "bright", Lighting: world.Fullbright})
	set := load(t, games(), "", plainOptions, w)
	var names []string
	for _, im := range set.Images {
		names = append(names, im.Name)
	}
	if diff := cmp.Diff([]string{"a", "a_glow", "bright", "bright_glow"}, names); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"bright.mip"}, set.Files); diff != "" {
		t.Error(diff)
	}
	// The map's own pictures come before those of its archives.
	w2 := shown(world.Material{Name: "+1lamp", Texture: x}, world.Material{Name: "+0lamp", Texture: x})
	if set := load(t, games(), "", plainOptions, w2); len(set.Files) > 0 || len(set.Images) != 2 || set.Images[0].Name != "+0lamp" {
		t.Errorf("%q, %d images", set.Files, len(set.Images))
	}
	o := plainOptions
	o.Emissive = false
	if set := load(t, games(), "", o, w); len(set.Images) != 2 {
		t.Errorf("%d images", len(set.Images))
	}
}

func TestIndicesObeyLimits(t *testing.T) {
	w := shown(world.Material{Name: "{a", Texture: own(indices(map[int]byte{0: 255}))})
	// 256 pixels: 4 bytes each of the image and 17 to fill its holes.
	for _, l := range []limit.Limits{{MaxTextureTotal: 255}, {MaxMemory: 21*256 - 1}} {
		b := limit.NewBudget(l)
		if _, err := loadError(limit.With(t.Context(), b), games(), "", plainOptions, w); !errors.Is(err, limit.ErrLimit) || b.Reserved() != 0 {
			t.Errorf("%+v: %v, %d bytes stay reserved", l, err, b.Reserved())
		}
	}
}

func TestFillHoles(t *testing.T) {
	// One red pixel in an image of 5 x 3: it is on the last row, and the rows repeat, so all is a ring or two away.
	im := image.NewNRGBA(image.Rect(0, 0, 5, 3))
	im.SetNRGBA(2, 2, color.NRGBA{200, 0, 0, 255})
	paint.FillHoles(im)
	for i := 0; i < len(im.Pix); i += 4 {
		want := byte(0)
		if i/4 == 2*5+2 {
			want = 255
		}
		if im.Pix[i] != 200 || im.Pix[i+3] != want {
			t.Errorf("pixel %d is %v", i/4, im.Pix[i:i+4])
		}
	}
	// Without any pixel, and without holes, nothing changes.
	for _, c := range []color.NRGBA{{}, {1, 2, 3, 255}} {
		im := filled(3, 1, c)
		paint.FillHoles(im)
		if im.NRGBAAt(1, 0) != c {
			t.Error(im.Pix)
		}
	}
}

func FuzzIndexed(f *testing.F) {
	f.Add("{a", []byte{1, 2, 255, 4}, 2, 2, byte(7))
	f.Add("sky", []byte{1, 2, 255, 4, 0, 0, 0, 0}, 4, 2, byte(1))
	f.Add("+9", []byte{}, -1, 1<<40, byte(40))
	f.Fuzz(func(t *testing.T, name string, pixels []byte, width, height int, bits byte) {
		x := &world.Texture{Width: width, Height: height, Pixels: pixels, Hole: bits&1 != 0, AlphaIndex: bits&2 != 0}
		if bits&4 != 0 {
			x.Palette = ramp()[:int(bits)]
		}
		m := world.Material{Name: name, Texture: x, Blend: world.Blend(bits >> 3 % 4), Opacity: 0.5}
		if strings.HasPrefix(name, "sky") {
			m.Flags = world.Sky
		}
		files := games()
		files["textures/x.wal"] = &fstest.MapFile{Data: pixels}
		files["x.mip"] = &fstest.MapFile{Data: pixels}
		w := shown(m, world.Material{Name: "x"})
		if bits&32 != 0 {
			w.Decals = []world.Decal{{Material: 1}}
		}
		ctx := limit.With(t.Context(), limit.NewBudget(limit.Limits{MaxPixels: 1 << 16}))
		set, err := loadError(ctx, files, "", plainOptions, w)
		if err != nil {
			if !errors.Is(err, limit.ErrLimit) {
				t.Fatal(err)
			}
			return
		}
		for i := range set.Materials {
			checkMaterial(t, set, &set.Materials[i])
		}
	})
}

func BenchmarkIndexed(b *testing.B) {
	pixels := make([]byte, 256*256)
	for i := range pixels {
		if pixels[i] = byte(i * i >> 7); i>>4%2 == 0 {
			pixels[i] = 255
		}
	}
	for _, name := range []string{"a", "{a"} {
		b.Run(name, func(b *testing.B) {
			w := shown(world.Material{Name: name, Texture: &world.Texture{Width: 256, Height: 256, Pixels: pixels, Palette: ramp()}})
			b.SetBytes(int64(len(pixels)))
			b.ReportAllocs()
			for b.Loop() {
				load(b, fstest.MapFS{}, "", plainOptions, w)
			}
		})
	}
}

// What the map says to shine does so in the colours of its texture.
func TestTexturesThatShine(t *testing.T) {
	x := &world.Texture{Width: 8, Height: 8, Pixels: make([]byte, 64), Palette: make([][3]uint8, 256)}
	w := shown(world.Material{Name: "lamp", Texture: x, Glow: [3]float32{1, 0.5, 0}}, world.Material{Name: "none", Glow: [3]float32{1, 1, 1}})
	set := load(t, games(), "", plainOptions, w)
	m := &set.Materials[0]
	if m.Emission.Color != [3]float32{1, 0.5, 0} || m.Emission.Slot.Image != m.Base.Image || m.Base.Image == pbr.NoImage {
		t.Errorf("%+v", m)
	}
	if m := &set.Materials[1]; m.Emission.Color != [3]float32{} {
		t.Errorf("a placeholder shines: %+v", m)
	}
	o := plainOptions
	o.Emissive = false
	if set := load(t, games(), "", o, w); set.Materials[0].Emission.Color != [3]float32{} {
		t.Errorf("%+v", set.Materials[0])
	}
}
