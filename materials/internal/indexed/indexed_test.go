package indexed

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/wad"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// ramp is a palette; its colours don't matter to a plan.
var ramp = make([][3]uint8, 256)

// halfLifes returns a texture with a palette, quakes one without.
func halfLifes() *world.Texture { return &world.Texture{Width: 16, Height: 16, Palette: ramp} }

func quakes() *world.Texture { return &world.Texture{Width: 16, Height: 16} }

// games are files of all of Quake's engines.
func games() fstest.MapFS {
	files := fstest.MapFS{}
	for _, name := range []string{"wall.mip", "bright.mip", "{fence.mip", "+0lamp.mip", "+1lamp.mip", "+alamp.mip", "-0floor.mip",
		"-1floor.mip"} {
		files[name] = &fstest.MapFile{}
	}
	files["progs/ogre_00_00.lmp"], files["progs/dog_00_00.lmp"], files["progs/dog_00_00.png"] = &fstest.MapFile{}, &fstest.MapFile{}, &fstest.MapFile{}
	for name, next := range map[string]string{"e1/a": "e1/b", "e1/b": "e1/a", "e1/c": "e1/c"} {
		t := wad.Texture{Name: name, Next: next, Width: 16, Height: 16, Pixels: make([]byte, 256)}
		files["textures/"+name+".wal"] = &fstest.MapFile{Data: t.WAL()}
	}
	return files
}

// planned plans the materials of w that are pictures of indices.
func planned(t *testing.T, files fstest.MapFS, o plan.Options, w *world.World) *plan.Plan {
	t.Helper()
	pl, fl := plantest.New(files, w, false)
	ip := Planner{Files: fl, Into: pl, Facts: pl.Facts, Options: o}
	for i := range w.Materials {
		if !ip.Plan(i, &w.Materials[i], pl.Facts.Visible[i]) {
			plan.MakePlaceholder(&pl.Materials[i])
		}
	}
	return pl
}

// Readers that move textures get both layers of a sky: 8 and 16 of 128 texels a second.
func TestLayersOfSkiesMove(t *testing.T) {
	layers := &world.Texture{Width: 256, Height: 128, Pixels: make([]byte, 256*128)}
	w := &world.World{Materials: []world.Material{{Name: "sky1", Flags: world.Sky, Texture: layers}},
		Models: []world.Model{{Surfaces: []world.Surface{{}}}}}
	pl := planned(t, nil, plan.Options{Motion: true}, w)
	m := &pl.Materials[0]
	if len(m.Layers) != 1 || m.Layers[0].Alpha != pbr.Blend || m.Layers[0].Sky != m.Sky || m.Alpha != pbr.Opaque {
		t.Fatalf("%+v", m)
	}
	for speed, m := range map[float64]*pbr.Material{0.0625: m, 0.125: &m.Layers[0]} {
		if c := m.Motion.Base; len(c) != 1 || c[0].Kind != "scroll" || !slices.Equal(c[0].Numbers, []float64{speed, speed}) {
			t.Errorf("%g: %+v", speed, c)
		}
	}
	var parts []string
	for i := range pl.Images {
		x := pl.Images[i].Work.(images.Indexed)
		parts = append(parts, fmt.Sprint(pl.Images[i].Name, x.Clouds, pl.Images[i].Users[0].To.Layer, pl.Images[i].Users[0].Alpha))
	}
	if want := []string{"sky1_behind2 -1 false", "sky1_before3 0 true"}; !slices.Equal(parts, want) {
		t.Errorf("%q, want %q", parts, want)
	}
}

func TestPicturesOfIndices(t *testing.T) {
	for _, c := range []struct {
		name string
		m    world.Material
		want string
	}{
		{"a palette of its own", world.Material{Name: "a", Texture: halfLifes()}, "base a shining"},
		{"the game's palette", world.Material{Name: "a", Texture: quakes()}, "base a shining"},
		{"fullbright", world.Material{Name: "a", Texture: quakes(), Lighting: world.Fullbright}, "base a unlit"},
		{"on a model", world.Material{Name: "a", Texture: quakes(), Lighting: world.PerVertex, TwoSided: true},
			"base a double unlit vertex"},
		{"holes, by the name", world.Material{Name: "{a", Texture: halfLifes()}, "base {a shining mask 0.5"},
		{"holes, by the picture", world.Material{Name: "a", Texture: &world.Texture{Width: 16, Height: 16, Palette: ramp, Hole: true}},
			"base a_hole shining mask 0.5"},
		{"holes that are not shown", world.Material{Name: "{a", Texture: halfLifes(), Filled: true}, "base {a_filled shining"},
		{"half transparent", world.Material{Name: "a", Texture: halfLifes(), Blend: world.BlendAlpha, Opacity: 0.5,
			Tint: [3]float32{1, 0.5, 0}}, "base a shining color [1 0.5 0 0.5] blend"},
		{"half transparent with holes", world.Material{Name: "{a", Texture: halfLifes(), Blend: world.BlendAlpha, Opacity: 0.5},
			"base {a shining color [1 1 1 0.5] blend"},
		{"added", world.Material{Name: "a", Texture: halfLifes(), Blend: world.BlendAdd, Opacity: 0.5},
			"base a_add shining color [1 1 1 0.5] blend"},
		{"masked", world.Material{Name: "a", Texture: halfLifes(), Blend: world.BlendMask}, "base a shining mask 0.5"},
		{"in an archive", world.Material{Name: "Wall"}, "base wall shining"},
		{"a skin of the re-release", world.Material{Name: "progs/ogre_00_00"}, "base progs/ogre_00_00 shining"},
		{"a skin in true colours", world.Material{Name: "progs/dog_00_00"}, "color [0.5 0.5 0.5 1] placeholder"},
		{"in an archive, with holes", world.Material{Name: "{fence"}, "base {fence shining mask 0.5"},
		{"an animation", world.Material{Name: "+1lamp"}, "base +0lamp shining"},
		{"a switched button", world.Material{Name: "+alamp"}, "base +alamp shining"},
		{"an animation without a start", world.Material{Name: "+3a", Texture: halfLifes()}, "base +3a shining"},
		{"a plus alone", world.Material{Name: "+", Texture: halfLifes()}, "base + shining"},
		{"a minus alone", world.Material{Name: "-", Texture: halfLifes()}, "base - shining"},
		{"a random tile", world.Material{Name: "-1floor"}, "base -1floor shining"},
		{"Quake II's, of which nothing shines", world.Material{Name: "e1/a"}, "base textures/e1/a"},
		{"Quake II's glass", world.Material{Name: "e1/b", Blend: world.BlendAlpha, Opacity: 0.33},
			"base textures/e1/b color [1 1 1 0.33] blend"},
		{"no picture", world.Material{Name: "nope"}, "color [0.5 0.5 0.5 1] placeholder"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := plantest.Text(planned(t, games(), plan.Options{}, plantest.Shown(c.m)), 0); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestSkiesDecalsAndHiddenSurfaces(t *testing.T) {
	layers := &world.Texture{Width: 4, Height: 2}
	for _, c := range []struct {
		name  string
		m     world.Material
		decal bool
		want  string
	}{
		{"a sky of two layers", world.Material{Name: "sky1", Flags: world.Sky, Texture: layers}, false,
			"base sky1_clouds unlit sky (the two layers of the sky move)"},
		{"a sky of one layer", world.Material{Name: "sky", Flags: world.Sky, Texture: halfLifes()}, false, "unlit sky"},
		{"a sky in an archive", world.Material{Name: "wall", Flags: world.Sky}, false, "unlit sky"},
		{"a hidden sky", world.Material{Name: "sky1", Flags: world.Sky | world.NoDraw, Texture: layers}, false, "unlit sky"},
		{"a hidden surface", world.Material{Name: "a", Flags: world.NoDraw, Texture: halfLifes()}, false, "hidden"},
		{"a decal", world.Material{Name: "{fence"}, true, "base {fence shining blend offset"},
		{"a decal without a hole", world.Material{Name: "e1/a"}, true, "base textures/e1/a blend offset"},
	} {
		w := plantest.Shown(c.m)
		if c.decal {
			w.Decals = []world.Decal{{Material: 0}}
		}
		pl := planned(t, games(), plan.Options{}, w)
		if got := plantest.Text(pl, 0); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if m := pl.Materials[0]; m.Sky != nil && m.Sky.Flat != strings.Contains(c.want, "clouds") {
			t.Errorf("%s: the sky's clouds are flat: %t", c.name, m.Sky.Flat)
		}
	}
}

// The palette is the caller's, else that of the game's file; a .wal has Quake II's.
func TestPalettes(t *testing.T) {
	red, green := bytes.Repeat([]byte{255, 0, 0}, 256), bytes.Repeat([]byte{0, 255, 0}, 256)
	pcx := slices.Concat([]byte{10, 5, 1, 8}, make([]byte, 200), []byte{12}, green)
	quake, quake2 := world.Material{Name: "a", Texture: quakes()}, world.Material{Name: "e1/c"}
	for _, c := range []struct {
		name         string
		m            world.Material
		quake, pcx   []byte
		option, want string
		issue        string
	}{
		{"Quake's", quake, red, pcx, "", string(red), ""},
		{"Quake II's", quake2, red, pcx, "", string(green), ""},
		{"Quake II's as Quake's", quake2, red, nil, "", string(red), ""},
		{"the caller's", quake, red, nil, string(green), string(green), ""},
		{"none", quake, nil, nil, "", "", ""},
		{"a short one", quake, red[1:], nil, "", "", "image-broken " + images.QuakePalette},
	} {
		files := games()
		if c.quake != nil {
			files[images.QuakePalette] = &fstest.MapFile{Data: c.quake}
		}
		if c.pcx != nil {
			files[images.Quake2Palette] = &fstest.MapFile{Data: c.pcx}
		}
		again := c.m // an issue is told once
		again.Lighting = world.Fullbright
		pl := planned(t, files, plan.Options{Palette: c.option}, plantest.Shown(c.m, again))
		if x, ok := pl.Images[0].Work.(images.Indexed); !ok || x.Palette != c.want || x.WAL != (c.m.Name == "e1/c") {
			t.Errorf("%s: %+v", c.name, pl.Images[0].Work)
		}
		issues := ""
		for _, is := range pl.Issues {
			issues += is.Code + " " + is.Where
		}
		if issues != c.issue {
			t.Errorf("%s: issues %q", c.name, issues)
		}
	}
	for _, data := range [][]byte{nil, make([]byte, 767)} {
		if _, err := Palette(data); !errors.Is(err, limit.ErrCorrupt) {
			t.Error(err)
		}
	}
}

// A picture that several materials show is one image; the map's pictures come before those of archives.
func TestAPictureIsOneImage(t *testing.T) {
	x := quakes()
	w := plantest.Shown(world.Material{Name: "a", Texture: x}, world.Material{Name: "a", Texture: x, Lighting: world.Fullbright},
		world.Material{Name: "b", Texture: quakes()},
		world.Material{Name: "+1lamp", Texture: x}, world.Material{Name: "+0lamp", Texture: x})
	if got, want := plantest.Images(planned(t, games(), plan.Options{}, w)), []string{"a", "b"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
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
		w := plantest.Shown(world.Material{Name: c.name}, world.Material{Name: "+1OWN", Texture: halfLifes()})
		if strings.Contains(c.name, "scroll") || c.name == "+0own" {
			w.Materials[0].Texture = halfLifes()
		}
		pl := planned(t, games(), plan.Options{}, w)
		if got := pl.Materials[0].Extras[c.key]; got != c.want {
			t.Errorf("%s: %s is %v, want %v", c.name, c.key, got, c.want)
		}
	}
}

// A + begins the names of an animation. The texture of a liquid is warped by 8 texels.
func TestNamesThatMove(t *testing.T) {
	quakes := func() *world.Texture { return &world.Texture{Width: 64, Height: 64} }
	half := func() *world.Texture { return &world.Texture{Width: 64, Height: 64, Palette: ramp} }
	w := plantest.Shown(world.Material{Name: "+1lamp", Texture: half()}, world.Material{Name: "+0lamp", Texture: half()},
		world.Material{Name: "+alamp", Texture: half()},
		world.Material{Name: "!water", Texture: half(), Motion: world.MaterialMotion{Warp: 64}}, world.Material{Name: "*lava", Texture: quakes(), Motion: world.MaterialMotion{Warp: 128}},
		world.Material{Name: "!slime", Texture: half(), Motion: world.MaterialMotion{Warp: 64, AtCorners: true, Swell: 1.5}},
		world.Material{Name: "+0button", Texture: quakes()},
		world.Material{Name: "+1button", Texture: quakes()}, world.Material{Name: "wall", Texture: half()})
	o := plan.Options{}
	o.Frames = true
	pl := planned(t, fstest.MapFS{}, o, w)
	for i, want := range []string{
		`{"Frames":"+0lamp +1lamp","FPS":10}`, `{"Frames":"+0lamp +1lamp","FPS":10}`, "", `{"Base":["warp 0.125 8 1"]}`,
		`{"Base":["warp 0.0625 16 1"]}`, `{"Base":["ripple 0.0625 8 1"],"Deforms":[{"Kind":"swell","Wave":{"Func":"","Base":0,"Amp":0,"Phase":0,"Freq":0},"Spread":0,"Vector":[0,0,1.5]}]}`,
		`{"Frames":"+0button +1button","FPS":5}`, `{"Frames":"+0button +1button","FPS":5}`, "",
	} {
		if got := plantest.Motion(pl, i); got != want {
			t.Errorf("%s: %s, want %s", w.Materials[i].Name, got, want)
		}
	}
	if len(pl.Images) != len(w.Materials) {
		t.Errorf("%d images", len(pl.Images))
	}
}

// The same names move where the pictures are in archives, whose format says how fast; Quake II's pictures name the next one.
func TestPicturesInArchivesMove(t *testing.T) {
	files := fstest.MapFS{}
	for _, name := range []string{"+0lamp", "+1lamp", "!water", "water1", "scroll1"} {
		p := wad.Texture{Name: name, Width: 16, Height: 16, Pixels: make([]byte, 256), Palette: ramp}
		files[name+".mip"] = &fstest.MapFile{Data: p.Miptex()}
	}
	for _, name := range []string{"+0old", "+1old"} {
		p := wad.Texture{Name: name, Width: 16, Height: 16, Pixels: make([]byte, 256)}
		files[name+".mip"] = &fstest.MapFile{Data: p.Miptex()}
	}
	for name, next := range map[string]string{"a": "b", "b": "a", "lava": ""} {
		p := wad.Texture{Name: name, Next: next, Width: 64, Height: 64, Pixels: make([]byte, 64*64)}
		files["textures/"+name+".wal"] = &fstest.MapFile{Data: p.WAL()}
	}
	o := plan.Options{}
	o.Frames = true
	for _, c := range []struct {
		m    world.Material
		want string
	}{
		{world.Material{Name: "+1lamp"}, `{"Frames":"+0lamp +1lamp","FPS":10}`},
		{world.Material{Name: "+0old"}, `{"Frames":"+0old +1old","FPS":5}`},
		{world.Material{Name: "!water", Motion: world.MaterialMotion{Warp: 16}}, `{"Base":["warp 0.5 2 1"]}`},
		{world.Material{Name: "scroll1"}, ""},
		{world.Material{Name: "scroll1", Motion: world.MaterialMotion{Scroll: -2.5, Clock: 1}}, `{"Base":["scroll -2.5 0"],"Clock":1}`},
		{world.Material{Name: "a"}, `{"Frames":"textures/a textures/b","FPS":2}`},
		{world.Material{Name: "lava", Motion: world.MaterialMotion{Warp: 64, AtCorners: true, Scroll: -0.5}}, `{"Base":["ripple 0.0625 8 1","scroll -0.5 0"]}`},
	} {
		w := plantest.Shown(c.m)
		if got := plantest.Motion(planned(t, files, o, w), 0); got != c.want {
			t.Errorf("%s: %s, want %s", c.m.Name, got, c.want)
		}
	}
}

// Pictures beside a map of Quake or Quake II replace its textures, those for the map first; what glows is beside them.
func TestPicturesReplaceTextures(t *testing.T) {
	files := games()
	for _, name := range []string{"textures/m/wall.tga", "textures/wall.png", "textures/wall_glow.png", "textures/m/wall_luma.tga",
		"textures/#water.png", "textures/{grate.tga", "textures/+0lamp.tga", "textures/e1/a.tga", "textures/e1/a_glow.png",
		"textures/e1/only.png", "textures/e1/only_glow.png", "textures/e1/luma.png", "textures/e1/luma_luma.png",
		"dds/textures/packed.dds", "textures/packed_luma.png"} {
		files[name] = &fstest.MapFile{}
	}
	for _, c := range []struct {
		what  string
		masks bool
		m     world.Material
		want  string
	}{
		{"the map's first", false, world.Material{Name: "Wall", Texture: quakes()}, "base textures/m/wall emissive textures/m/wall_luma emission [1 1 1]"},
		{"a liquid that is seen through", false, world.Material{Name: "*water", Texture: quakes(), Blend: world.BlendAlpha, Opacity: 0.5,
			Lighting: world.Fullbright}, "base textures/#water solid color [1 1 1 0.5] blend unlit"},
		{"holes", false, world.Material{Name: "{grate", Texture: quakes()}, "base textures/{grate mask 0.5"},
		{"not in the map", false, world.Material{Name: "*water"}, "base textures/#water"},
		{"only one frame of an animation", false, world.Material{Name: "+1lamp"}, "base textures/+0lamp"},
		{"of Quake II, which glows by an alpha", true, world.Material{Name: "e1/a"}, "base textures/e1/a_lit glowing emission [1 1 1]"},
		{"of Quake II without a .wal", true, world.Material{Name: "e1/only"}, "base textures/e1/only_lit glowing emission [1 1 1]"},
		{"of Quake II, which knows no _luma", true, world.Material{Name: "e1/luma"}, "base textures/e1/luma"},
		{"of Quake, which adds the glow", false, world.Material{Name: "e1/only"},
			"base textures/e1/only emissive textures/e1/only_glow emission [1 1 1]"},
		{"packed, in Quake", false, world.Material{Name: "packed"},
			"base dds/textures/packed emissive textures/packed_luma emission [1 1 1]"},
		{"of Quake with a .wal beside it", false, world.Material{Name: "e1/a"}, "base textures/e1/a emissive textures/e1/a_glow emission [1 1 1]"},
		{"none", false, world.Material{Name: "bright"}, "base bright shining"},
	} {
		w := plantest.Shown(c.m)
		w.Files.Replacements, w.Files.GlowMasks = []string{"textures/m", "textures"}, c.masks
		if got := plantest.Line(planned(t, files, plan.Options{}, w), plan.Alone(0)); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
	w := plantest.Shown(world.Material{Name: "+1lamp"})
	w.Files.Replacements = []string{"textures"}
	pl := planned(t, files, plan.Options{Frames: true}, w)
	if got, want := fmt.Sprint(plantest.Images(pl)), "[textures/+0lamp +1lamp]"; got != want {
		t.Errorf("frames %s, want %s", got, want)
	}
}
