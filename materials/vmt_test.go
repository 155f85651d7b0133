package materials

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// vmtFiles is a file system of material files, by name, with the textures a (opaque), t (half transparent) and n.
func vmtFiles(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{
		"materials/a.vtf": vtfFile(0, filled(8, 8, grey(128)), filled(8, 8, grey(64))),
		"materials/t.vtf": vtfFile(0x2000, filled(8, 8, color.NRGBA{200, 100, 50, 128})),
		"materials/n.vtf": vtfFile(0x80, filled(8, 8, color.NRGBA{140, 100, 250, 128})),
	}
	for name, text := range files {
		out["materials/"+name+".vmt"] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func TestMaterialFiles(t *testing.T) {
	for _, c := range []struct {
		name, vmt string
		lighting  world.Lighting
		want      string
	}{
		{"a texture", "LightmappedGeneric { $basetexture a }", world.Lightmap, "base a"},
		{"in other words", `"lightmappedgeneric" { "$BaseTexture" "Materials\A.vtf" }`, world.Lightmap, "base a"},
		{"lit by its vertices", "VertexLitGeneric { $basetexture a }", world.PerVertex, "base a unlit vertex"},
		{"unlit", "UnlitGeneric { $basetexture a }", world.Lightmap, "base a unlit"},
		{"unlit on what has light", "UnlitGeneric { $basetexture a }", world.PerVertex, "base a unlit"},
		{"its alpha is of no account", "LightmappedGeneric { $basetexture t }", world.Lightmap, "base t"},
		{"translucent", "LightmappedGeneric { $basetexture t $translucent 1 }", world.Lightmap, "base t blend"},
		{"translucent without a hole", "LightmappedGeneric { $basetexture a $translucent 1 }", world.Lightmap, "base a"},
		{"half there", "LightmappedGeneric { $basetexture a $alpha .5 }", world.Lightmap, "base a color [1 1 1 0.5] blend"},
		{"masked", "LightmappedGeneric { $basetexture t $alphatest 1 }", world.Lightmap, "base t mask 0.7"},
		{"masked at", "LightmappedGeneric { $basetexture t $alphatest 1 $alphatestreference .3 }", world.Lightmap, "base t mask 0.3"},
		{"masked without a hole", "LightmappedGeneric { $basetexture a $alphatest 1 }", world.Lightmap, "base a"},
		{"added", "UnlitGeneric { $basetexture a $additive 1 }", world.Lightmap, "base a_add blend unlit"},
		{"modulated", "DecalModulate { $basetexture a }", world.Lightmap, "base a_modulate blend unlit offset"},
		{"faded by its vertices", "LightmappedGeneric { $basetexture a $vertexalpha 1 }", world.Lightmap, "base a blend fades"},
		{"coloured", "LightmappedGeneric { $basetexture a $color \"{255 188 0}\" $color2 .5 }", world.Lightmap, "base a color [1 0.503 0 1]"},
		{"coloured twice", "UnlitGeneric { $basetexture a $color \"[1 .5 0]\" $color2 .5 }", world.Lightmap, "base a color [0.214 0.0509 0 1] unlit"},
		{"from both sides", "LightmappedGeneric { $basetexture a $nocull 1 $decal 1 }", world.Lightmap, "base a double offset"},
		{"its second frame", "LightmappedGeneric { $basetexture a $frame 1 }", world.Lightmap, "base a_frame1"},
		{"turned", "LightmappedGeneric { $basetexture a $basetexturetransform \"center .5 .5 scale 2 2 rotate 0 translate 0 0\" }", world.Lightmap, "base a uv [2 0 -0.5 0 2 -0.5]"},
		{"bumpy", "LightmappedGeneric { $basetexture a $bumpmap n }", world.Lightmap, "base a normal n_normal"},
		{"bumpy and turned", "LightmappedGeneric { $basetexture a $bumpmap n $basetexturetransform \"scale 2\" }", world.Lightmap, "base a uv [2 0 0 0 2 0] normal n_normal uv [0.5 0 0 0 0.5 0]"},
		{"no bumps without a light to show them", "UnlitGeneric { $basetexture a $bumpmap n }", world.Lightmap, "base a unlit"},
		{"bumps that are not there", "LightmappedGeneric { $basetexture a $bumpmap nope }", world.Lightmap, "base a"},
		{"shining", "LightmappedGeneric { $basetexture t $selfillum 1 }", world.Lightmap, "base t emissive t_glow emission [1 1 1]"},
		{"shining by a mask", "LightmappedGeneric { $basetexture a $selfillum 1 $selfillummask t $selfillumtint \"[1 .5 0]\" }", world.Lightmap, "base a emissive a_glow emission [1 0.214 0]"},
		{"shining unlit", "UnlitGeneric { $basetexture t $selfillum 1 }", world.Lightmap, "base t unlit"},
		{"shining in the light of its vertices", "VertexLitGeneric { $basetexture t $selfillum 1 }", world.PerVertex, "base t emissive t_glow emission [1 1 1] unlit vertex"},
		{"shining unlit in the light of its vertices", "UnlitGeneric { $basetexture t $selfillum 1 }", world.PerVertex, "base t unlit"},
		{"shining black", "LightmappedGeneric { $basetexture t $selfillum 1 $selfillumtint 0 }", world.Lightmap, "base t"},
		{"two textures", "WorldVertexTransition { $basetexture a $basetexture2 t $bumpmap2 n }", world.Lightmap, "base a + base t normal n_normal blend fades"},
		{"of a mod, for a card", "SDK_WorldVertexTransition_DX9 { $basetexture a $basetexture2 t }", world.Lightmap, "base a + base t blend fades"},
		{"two of which one is not there", "WorldVertexTransition { $basetexture a $basetexture2 nope }", world.Lightmap, "base a"},
		{"more textures", "WorldVertexTransition { $basetexture a $basetexture2 t $blendmodulatetexture a }", world.Lightmap, "base a ($blendmodulatetexture) + base t_masked blend fades"},
		{"water", "Water { $normalmap n $fogcolor \"{0 255 188}\" $abovewater 1 }", world.Lightmap, "color [0 1 0.503 0.8] normal n_normal blend"},
		{"water from below", "Water { $normalmap n $abovewater 0 }", world.Lightmap, "hidden"},
		{"water of no colour", "Water { }", world.Lightmap, "color [0.25 0.5 1 0.8] blend"},
		{"glass", "Refract { $normalmap n $refracttint \"[1 .5 1]\" }", world.Lightmap, "color [1 0.214 1 0.15] normal n_normal blend"},
		{"no texture", "LightmappedGeneric { $surfaceprop x }", world.Lightmap, "color [0.25 0.5 1 1]"},
		{"a camera's texture", "UnlitGeneric { $basetexture _rt_camera }", world.Lightmap, "color [0.25 0.5 1 1] unlit"},
		{"a missing texture", "LightmappedGeneric { $basetexture nope $translucent 1 }", world.Lightmap, "color [0.25 0.5 1 1] placeholder"},
		{"a tool", "LightmappedGeneric { $basetexture a %compilenodraw 1 }", world.Lightmap, "hidden"},
		{"part of a model that is not drawn", "VertexLitGeneric { $basetexture a $no_draw 1 }", world.PerVertex, "hidden"},
		{"a tool in a word", "LightmappedGeneric {\n$basetexture a\n%compiletrigger\n}", world.Lightmap, "hidden"},
		{"a tool no more", "LightmappedGeneric { $basetexture a %compileclip 0 }", world.Lightmap, "base a"},
		{"a patch", "patch { include materials/base.vmt insert { $alpha .5 } }", world.Lightmap, "base a color [1 1 1 0.5] blend"},
		{"a patch of what is not there", "patch { include materials/gone.vmt insert { $alpha .5 } }", world.Lightmap, "color [0.25 0.5 1 1] placeholder"},
		{"broken", "nothing", world.Lightmap, "color [0.25 0.5 1 1] placeholder"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := shown(world.Material{Name: "x", Lighting: c.lighting, Width: 8, Height: 8, Color: [3]float32{0.25, 0.5, 1}})
			set := load(t, vmtFiles(map[string]string{"x": c.vmt, "base": "LightmappedGeneric { $basetexture a }"}), "", plainOptions, w)
			if got := text(set, &set.Materials[0]); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
			checkMaterial(t, set, &set.Materials[0])
			if hasMissing := len(set.Missing) > 0; hasMissing != strings.Contains(c.want, "placeholder") && c.name != "two of which one is not there" {
				t.Error(set.Missing)
			}
		})
	}
}

func TestParametersStayInTheExtras(t *testing.T) {
	files := vmtFiles(map[string]string{"x": `LightmappedGeneric { $basetexture a $SurfaceProp concrete $envmap env_cubemap placeholder 1 material y
		proxies { Sine { resultVar $alpha sinePeriod 2 } AnimatedTexture { } } }`})
	set := load(t, files, "", plainOptions, shown(world.Material{Name: "x"}))
	x := set.Materials[0].Extras
	for k, want := range map[string]any{
		"$surfaceprop": "concrete", "$envmap": "env_cubemap", "vmt_shader": "lightmappedgeneric", "vmt_file": "materials/x.vmt",
		"vmt_proxies": "sine resultvar=$alpha sineperiod=2; animatedtexture", "placeholder": nil, "material": "x",
	} {
		if x[k] != want {
			t.Errorf("%s: %v, want %v", k, x[k], want)
		}
	}
	checkExtras(t, x)
}

func TestFindsMaterialFiles(t *testing.T) {
	files := vmtFiles(map[string]string{
		"brick/wall":              "LightmappedGeneric { $basetexture a }",
		"maps/m/own_1_2_3":        "LightmappedGeneric { $basetexture t }",
		"own":                     "LightmappedGeneric { $basetexture a }",
		"blend":                   "WorldVertexTransition { $basetexture a $basetexture2 t }",
		"water":                   "Water { $fogcolor 0 }",
		"maps/m/gone_1_2_3":       "patch { include materials/nowhere.vmt }",
		"gone":                    "LightmappedGeneric { $basetexture a }",
		"maps/m/corrupt_-1_-2_-3": "}",
		"corrupt":                 "LightmappedGeneric { $basetexture a }",
	})
	files["materials/bare.vtf"] = files["materials/a.vtf"]
	files["materials/converted.png"] = pngFile(filled(8, 8, grey(9)))
	files["materials/conv2.vmt"] = &fstest.MapFile{Data: []byte("UnlitGeneric { $basetexture converted }")}
	for _, c := range []struct{ name, want string }{
		{"brick/wall", "base a"},
		{`Brick\Wall`, "base a"},
		{"brick/wall.vmt", "base a"},
		{"maps/m/brick/wall_-12_0_345", "base a"},
		{"maps/m/own_1_2_3", "base t"}, // its own first
		{"maps/m/own_4_5_6", "base a"},
		{"maps/m/own_4_5", "color [0.5 0.5 0.5 1] placeholder"},
		{"own_4_5_6", "color [0.5 0.5 0.5 1] placeholder"},
		{"blend", "base a + base t blend fades"},
		{"maps/m/blend_wvt_patch", "base a"},
		{"maps/m/blend_1_2_3", "base a + base t blend fades"},
		{"maps/m/blend_wvt_patch_1_2_3", "base a"},
		{"maps/m/maps/m/blend_wvt_patch_1_2_3", "base a"},
		{"maps/m/water_depth_64", "color [0 0 0 0.8] blend"},
		{"maps/m/gone_1_2_3", "base a"},
		{"maps/m/corrupt_-1_-2_-3", "base a"},
		{"bare", "base bare"},
		{"converted", "base converted"},
		{"conv2", "base converted unlit"},
		{"../x", "color [0.5 0.5 0.5 1] placeholder"},
		{"", "color [0.5 0.5 0.5 1] placeholder"},
	} {
		set := load(t, files, "", plainOptions, shown(world.Material{Name: c.name}))
		if got := text(set, &set.Materials[0]); got != c.want {
			t.Errorf("%q: %s, want %s", c.name, got, c.want)
		}
	}
}

// Consoles have other names for their textures. The one of a PC is taken before theirs, theirs before a picture.
func TestFindsTexturesOfConsoles(t *testing.T) {
	console := func(v vtf.Variant, light uint8) *fstest.MapFile {
		x := vtf.File{Variant: v, Width: 8, Height: 8, Flags: vtf.NoMip, Format: vtf.BGRA8888}
		x.Slice = func(_, _, _, _ int) []byte { return vtf.Encode(filled(8, 8, grey(light)), x.Format) }
		return &fstest.MapFile{Data: x.Write()}
	}
	files := fstest.MapFS{
		"materials/a.360.vtf": console(vtf.Xbox360, 10), "materials/b.ps3.vtf": console(vtf.PS3Portal2, 20), "materials/c.xtf": console(vtf.Xbox, 30),
		"materials/d.360.vtf": console(vtf.Xbox360, 40), "materials/d.vtf": vtfFile(0, filled(8, 8, grey(50))), "materials/c.png": pngFile(filled(8, 8, grey(60))),
	}
	for _, c := range []struct {
		name, file string
		Light      uint8
	}{{"a", "a.360.vtf", 10}, {"b", "b.ps3.vtf", 20}, {"c", "c.xtf", 30}, {"d", "d.vtf", 50}} {
		set := load(t, files, "", plainOptions, shown(world.Material{Name: c.name}))
		if len(set.Images) != 1 || !slices.Equal(set.Files, []string{"materials/" + c.file}) {
			t.Errorf("%s: %d images of %q", c.name, len(set.Images), set.Files)
			continue
		}
		im, _, err := picture.Decode(set.Images[0].Data, "", nil)
		if err != nil || im.NRGBAAt(3, 3) != grey(c.Light) {
			t.Errorf("%s: want %v, %v", c.name, grey(c.Light), err)
		}
		if width, height, err := lookup.New(files, limit.NewBudget(limit.Limits{})).VTFSize("materials/" + c.file); width != 8 || height != 8 || err != nil {
			t.Errorf("%s: %d x %d, %v", c.name, width, height, err)
		}
	}
}

func TestTellsWhatIsMissing(t *testing.T) {
	files := vmtFiles(map[string]string{"maps/m/p_1_2_3": "patch { include materials/parent.vmt }", "x": "LightmappedGeneric { $basetexture b/nope }", "n": "LightmappedGeneric { $basetexture a $bumpmap nope }"})
	w := shown(world.Material{Name: "maps/m/p_1_2_3", Width: 64}, world.Material{Name: "x", Width: 64}, world.Material{Name: "y"}, world.Material{Name: "n", Width: 8})
	set := load(t, files, "", plainOptions, w)
	var got []string
	for _, m := range set.Missing {
		got = append(got, m.Material+": "+strings.Join(m.Tried, " "))
	}
	want := []string{"maps/m/p_1_2_3: maps/m/p_1_2_3 materials/p.vmt materials/parent.vmt", "x: materials/b/nope.vtf", "y: materials/y.vmt y"}
	if !slices.Equal(got, want) || !strings.Contains(set.Missing[1].Hint, ".vmt") || !strings.Contains(set.Missing[2].Hint, ".vmt") {
		t.Errorf("%q, want %q", got, want)
	}
	if len(set.Issues) != 1 || set.Issues[0].Code != "normal-missing" {
		t.Error(set.Issues)
	}
	found, err := Find(limit.WithDefaults(t.Context()), files, ReadScripts(files), w)
	if err != nil {
		t.Fatal(err)
	}
	for i := range set.Missing {
		if i >= len(found) || !slices.Equal(found[i].Tried, set.Missing[i].Tried) {
			t.Errorf("%v, want %v", found, set.Missing)
		}
	}
}

// The sides: a half-height one, light as colours times alpha times 8, one without a material file, and no fourth.
func TestSkyOfMaterialFiles(t *testing.T) {
	files := vmtFiles(map[string]string{
		"skybox/srt": "sky { $basetexture a $basetexturetransform \"center 0 0 scale 1 2 rotate 0 translate 0 0\" }",
		"skybox/sbk": "sky { $hdrcompressedtexture t $hdrbasetexture a }",
		"skybox/sft": "sky { $hdrcompressedtexture t $basetexture a }",
		"skybox/sup": "sky { $basetexture nope $hdrbasetexture t }",
		"tools/sky":  "UnlitGeneric { $surfaceprop default }",
	})
	files["materials/skybox/slf.vtf"] = files["materials/a.vtf"]
	w := shown(world.Material{Name: "tools/sky", Flags: world.Sky}, world.Material{Name: "tools/sky2d", Flags: world.Sky})
	w.Sky.Name = "Skybox/S"
	set := load(t, files, "", plainOptions, w)
	for i := range set.Materials {
		var got []string
		for _, image := range set.Materials[i].Sky.Box {
			if image == pbr.NoImage {
				got = append(got, "-")
			} else {
				got = append(got, set.Images[image].Name)
			}
		}
		want := "a t_light skybox/slf a t_light -"
		if s := strings.Join(got, " "); s != want || !set.Materials[i].Draw.Unlit || set.Materials[i].Sky.UV[0] != [6]float64{1, 0, 0, 0, 2, 0} || set.Materials[i].Sky.UV[5] != pbr.Identity {
			t.Errorf("%s, want %s, %v", s, want, set.Materials[i].Sky)
		}
	}
	if len(set.Missing) != 1 || !slices.Equal(set.Missing[0].Tried, []string{"skybox/sdn"}) {
		t.Error(set.Missing)
	}
	// 200 * 128 * 8 / 255² is 3.15, which is to be white: the others are 1.575 / 3.15, a half, 188 in sRGB, and a quarter, 137.
	sky := set.Materials[0].Sky
	if c := decoded(t, set, sky.Box[1]).NRGBAAt(0, 0); c != (color.NRGBA{255, 188, 137, 255}) || sky.Scale < 0.3172 || sky.Scale > 0.3176 {
		t.Error(c, sky.Scale)
	}
}

func TestChangesPixels(t *testing.T) {
	for _, c := range []struct {
		Pixels   paint.Pixels
		in, want [4]uint8
	}{
		{paint.AsStored, [4]uint8{1, 2, 3, 4}, [4]uint8{1, 2, 3, 4}},
		{paint.Added, [4]uint8{100, 50, 0, 9}, [4]uint8{255, 128, 0, 100}}, // 50/100 of 255
		{paint.Added, [4]uint8{0, 0, 0, 255}, [4]uint8{}},
		{paint.AddedByAlpha, [4]uint8{200, 100, 0, 51}, [4]uint8{255, 128, 0, 40}}, // a fifth: 40 and 20
		{paint.Modulated, [4]uint8{0, 0, 0, 255}, [4]uint8{0, 0, 0, 255}},
		{paint.Modulated, [4]uint8{255, 255, 255, 255}, [4]uint8{255, 255, 255, 255}},
		// 64·2/255 is 0.502: a is 0.498. Red is the furthest and black; 96·2/255 is 0.753: (1 - 0.247/0.498)/2 = 0.252.
		{paint.Modulated, [4]uint8{64, 96, 64, 255}, [4]uint8{0, 64, 0, 127}},
		{paint.Multiplied, [4]uint8{255, 255, 255, 255}, [4]uint8{128, 128, 128, 0}},
		{paint.Multiplied, [4]uint8{0, 255, 0, 255}, [4]uint8{0, 128, 0, 255}},
	} {
		im := image.NewNRGBA(image.Rect(0, 0, 1, 1))
		copy(im.Pix, c.in[:])
		if paint.Change(c.Pixels, im); [4]uint8(im.Pix) != c.want {
			t.Errorf("%v %v: %v, want %v", c.Pixels, c.in, im.Pix, c.want)
		}
	}
}

func TestNormalMapsOfDirections(t *testing.T) {
	for _, c := range []struct {
		in   [4]uint8
		bump bool
		want [4]uint8
	}{
		{[4]uint8{140, 100, 250, 7}, false, [4]uint8{140, 155, 250, 255}}, // V turned up
		{[4]uint8{100, 100, 100, 7}, true, [4]uint8{128, 127, 255, 255}},  // flat; 127.5 is 128, and 255-128 is 127
		{[4]uint8{0, 0, 0, 7}, true, [4]uint8{128, 127, 255, 255}},
		{[4]uint8{255, 0, 0, 7}, true, [4]uint8{232, 127, 201, 255}}, // (√⅔ + 1)/2 is 0.908, (√⅓ + 1)/2 0.789
		{[4]uint8{0, 255, 0, 7}, true, [4]uint8{75, 37, 201, 255}},   // (-√⅙ + 1)/2 is 0.296, (√½ + 1)/2 0.854: 218 downwards
	} {
		im := image.NewNRGBA(image.Rect(0, 0, 1, 1))
		copy(im.Pix, c.in[:])
		if paint.ToNormals(im, c.bump, true); [4]uint8(im.Pix) != c.want {
			t.Errorf("%v %t: %v, want %v", c.in, c.bump, im.Pix, c.want)
		}
	}
}

// The base is 200 100 50 with half an alpha: 0.578 0.127 0.0319 in linear light; half of it is 148 71 34 in sRGB.
func TestGlowIsLinear(t *testing.T) {
	im := filled(1, 1, color.NRGBA{200, 100, 50, 128})
	paint.Shine(im, nil)
	for k, v := range []float64{200, 100, 50} {
		l := paint.Linear(v/255) * 128 / 255
		want := 255 * (1.055*math.Pow(l, 1/2.4) - 0.055)
		if got := float64(im.Pix[k]); math.Abs(got-want) > 0.51 {
			t.Errorf("%g: %g, want %g", v, got, want)
		}
	}
	im = filled(1, 1, color.NRGBA{200, 100, 50, 0})
	if paint.Shine(im, filled(1, 1, color.NRGBA{255, 0, 255, 0})); [4]uint8(im.Pix) != [4]uint8{200, 0, 50, 255} {
		t.Error(im.Pix)
	}
}

func TestTextureTakesTheMipThatFits(t *testing.T) {
	files := fstest.MapFS{"materials/x.vtf": vtfFile(0, filled(16, 8, grey(9)))}
	for _, c := range []struct{ most, cut, width int }{{0, 0, 16}, {16, 0, 16}, {15, 0, 8}, {8, 0, 8}, {1, 0, 1}, {0, 1, 8}, {8, 1, 8}} {
		o := plainOptions
		o.MaxSize = c.most
		data := files["materials/x.vtf"].Data
		set := load(t, fstest.MapFS{"materials/x.vtf": {Data: data[:len(data)-c.cut]}}, "", o, shown(world.Material{Name: "x"}))
		if len(set.Images) != 1 || set.Images[0].Width != c.width {
			t.Errorf("%+v: %+v", c, set.Images)
		}
		if told := len(set.Issues) == 1 && set.Issues[0].Code == "image-cut"; told != (c.cut > 0 && c.most == 0) {
			t.Errorf("%+v: %+v", c, set.Issues)
		}
	}
	clamped := fstest.MapFS{"materials/x.vmt": {Data: []byte("LightmappedGeneric { $basetexture c }")}, "materials/c.vtf": vtfFile(0xc, filled(4, 4, grey(9)))}
	set := load(t, clamped, "", plainOptions, shown(world.Material{Name: "x"}))
	if !set.Materials[0].Base.Clamp {
		t.Error("it repeats")
	}
	clamped["materials/c.vtf"].Data = clamped["materials/c.vtf"].Data[:70]
	set = load(t, clamped, "", plainOptions, shown(world.Material{Name: "x"}))
	if !set.Materials[0].Placeholder || len(set.Issues) != 1 || set.Issues[0].Code != "image-broken" {
		t.Error(set.Issues)
	}
}

func TestDecalSizes(t *testing.T) {
	files := vmtFiles(map[string]string{"d1": "DecalModulate { $basetexture a $decalscale .25 }", "d2": "X { $basetexture a }", "d3": "X { $basetexture nope }", "d4": "X { $basetexture a $decalscale -1 }"})
	w := &world.World{}
	for i, name := range []string{"d1", "d2", "d3", "d4", "a", "none"} {
		w.Materials = append(w.Materials, world.Material{Name: name})
		w.Decals = append(w.Decals, world.Decal{Material: i})
	}
	want := [][2]float64{{2, 2}, {8, 8}, {}, {8, 8}, {8, 8}, {}}
	if got := DecalSizes(limit.WithDefaults(t.Context()), files, w); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestNormalMaps(t *testing.T) {
	files := vmtFiles(map[string]string{"n1": "X { $bumpmap n }", "s": "X { $bumpmap big $ssbump 1 }", "none": "X { $basetexture a }", "broken": "X { $bumpmap b }", "flat": "X { $bumpmap n }", "png": "X { $bumpmap p }"})
	files["materials/big.vtf"] = vtfFile(0, filled(512, 256, color.NRGBA{255, 0, 0, 3}))
	files["materials/b.vtf"] = &fstest.MapFile{Data: []byte("VTF")}
	files["materials/p.png"] = pngFile(filled(300, 2, color.NRGBA{1, 2, 3, 255}))
	w := &world.World{}
	for i, name := range []string{"n1", "s", "none", "broken", "flat", "gone", "png"} {
		w.Materials = append(w.Materials, world.Material{Name: name})
		basis := world.Bump3
		if name == "flat" {
			basis = world.Flat
		}
		w.Baked.Charts = append(w.Baked.Charts, world.Chart{Material: i, Layers: []world.Layer{{}, {Basis: basis}}})
	}
	maps, err := NormalMaps(limit.WithDefaults(t.Context()), files, w)
	if err != nil || len(maps) != 3 || maps[0] == nil || maps[1] == nil || maps[6] == nil {
		t.Fatal(maps, err)
	}
	if c := maps[0].NRGBAAt(7, 7); maps[0].Rect.Dx() != 8 || c != (color.NRGBA{140, 100, 250, 255}) {
		t.Error(maps[0].Rect, c)
	}
	if c := maps[1].NRGBAAt(9, 9); maps[1].Rect.Dx() != 256 || maps[1].Rect.Dy() != 128 || c != (color.NRGBA{232, 128, 201, 255}) {
		t.Error(maps[1].Rect, c)
	}
	if maps[6].Rect.Dx() != 256 {
		t.Error(maps[6].Rect)
	}
}

func TestOptionsForMaterialFiles(t *testing.T) {
	files := vmtFiles(map[string]string{"x": "LightmappedGeneric { $basetexture t $bumpmap n $selfillum 1 }"})
	o := plainOptions
	o.Normals, o.Emissive, o.Images = false, false, "webp"
	set := load(t, files, "", o, shown(world.Material{Name: "x"}))
	if got := text(set, &set.Materials[0]); got != "base t" || len(set.Images) != 1 || set.Images[0].MIME != "image/webp" {
		t.Error(got)
	}
	im, _, err := picture.Decode(set.Images[0].Data, "", nil)
	if err != nil || !im.Opaque() {
		t.Error(err)
	}
}

// Directions that WebP blurs bend the light: normal maps stay without loss.
func TestNormalMapsAreNotBlurred(t *testing.T) {
	files := vmtFiles(map[string]string{"x": "LightmappedGeneric { $basetexture t $bumpmap n }"})
	o := plainOptions
	o.Normals, o.Images, o.Quality = true, "webp", 80
	set := load(t, files, "", o, shown(world.Material{Name: "x"}))
	want := map[string]string{"t": "image/webp", "n_normal": "image/png"}
	for _, im := range set.Images {
		if im.MIME != want[im.Name] {
			t.Errorf("%s is %s", im.Name, im.MIME)
		}
	}
	if len(set.Images) != len(want) {
		t.Error(len(set.Images))
	}
}
