package materials

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// An animation of which a picture is broken stands still.
func TestBrokenFrame(t *testing.T) {
	files := imagetest.Files("a.jpg", "b.jpg")
	files["b.jpg"].Data = []byte("no picture")
	o := plainOptions
	o.Frames = true
	set := load(t, files, "x\n{\n{ animMap 4 a b }\n}\n", o, plantest.Shown(world.Material{Name: "x", Lighting: world.Fullbright}))
	if !set.Materials[0].Motion.Still() || set.Materials[0].Base.Image < 0 {
		t.Errorf("%+v", set.Materials[0])
	}
}

func vmtWith(file string) fstest.MapFS {
	return fstest.MapFS{
		"materials/a.vmt": &fstest.MapFile{Data: []byte(file)},
		"materials/a.vtf": imagetest.VTF(0, imagetest.Filled(8, 8, imagetest.Grey(128))),
	}
}

// An added surface stays added, whatever its alpha says: the engine then adds it without looking at the alpha.
func TestAdditiveAlwaysAdds(t *testing.T) {
	for _, file := range []string{
		"LightmappedGeneric { $basetexture a $additive 1 }",
		"LightmappedGeneric { $basetexture a $additive 1 $selfillum 1 }",
		"LightmappedGeneric { $basetexture a $additive 1 $basealphaenvmapmask 1 $envmap env_cubemap }",
		"VertexLitGeneric { $basetexture a $additive 1 $translucent 1 $selfillum 1 }",
		"UnlitGeneric { $basetexture a $additive 1 $blendtintbybasealpha 1 $color2 {255 255 255} }",
	} {
		o := plainOptions
		o.Reflections = true
		set := load(t, vmtWith(file), "", o, plantest.Shown(world.Material{Name: "a"}))
		m := &set.Materials[0]
		if m.Alpha != pbr.Blend || m.Base.Image == pbr.NoImage {
			t.Errorf("%s: %s", file, text(set, m))
			continue
		}
		// A grey of 128 that is added covers a half, and is white.
		if c := decoded(t, set, m.Base.Image).NRGBAAt(0, 0); c.A != 128 || c.R != 255 {
			t.Errorf("%s: %v", file, c)
		}
	}
}

func TestAPlaceholderKeepsTheOpacityThatTheMapKnows(t *testing.T) {
	w := plantest.Shown(
		world.Material{Name: "none", Blend: world.BlendAlpha, Opacity: 0.25},
		world.Material{Name: "bare", Blend: world.BlendAlpha, Opacity: 0.5},
		world.Material{Name: "lost", Blend: world.BlendAdd, Opacity: 0.75},
		world.Material{Name: "broken", Blend: world.BlendAlpha, Opacity: 0.25},
		world.Material{Name: "wall"},
	)
	files := fstest.MapFS{
		"materials/bare.vmt": &fstest.MapFile{Data: []byte("LightmappedGeneric { $basetexture gone }")},
		"broken.jpg":         &fstest.MapFile{Data: []byte("\xff\xd8\xff\xe0 and no more")},
		"scripts/x.shader":   &fstest.MapFile{Data: []byte("lost\n{\n{ map gone\n}\n}\n")},
	}
	set := load(t, files, "", plainOptions, w)
	for i, want := range []float32{0.25, 0.5, 0.75, 0.25, 1} {
		m := &set.Materials[i]
		if !m.Placeholder || m.BaseColor[3] != want || (m.Alpha == pbr.Blend) != (want < 1) {
			t.Errorf("%s: %s", m.Name, text(set, m))
		}
	}
}

// An iris whose picture is broken is not a patch over its eye, nor is one in a file without images.
func TestABrokenIrisIsHidden(t *testing.T) {
	files := fstest.MapFS{
		"materials/eye.vmt":  &fstest.MapFile{Data: []byte("Eyes { $basetexture white $iris iris }")},
		"materials/iris.vtf": &fstest.MapFile{Data: []byte("VTF and no more")},
	}
	for _, images := range []Images{plainOptions.Images, ImagesNone} {
		o := plainOptions
		o.Images = images
		if set := load(t, files, "", o, plantest.Shown(world.Material{Name: "eye", Iris: true})); !set.Materials[0].Draw.Hidden {
			t.Errorf("%s: %s", images, text(set, &set.Materials[0]))
		}
	}
}

// A texture of holes alone needs no file: where it is missing nothing is drawn, and nothing is reported.
func TestAMissingTextureOfHolesHidesItsSurface(t *testing.T) {
	w := plantest.Shown(
		world.Material{Name: "{blue", Clear: true, Blend: world.BlendMask, Opacity: 1},
		world.Material{Name: "{grate", Blend: world.BlendMask, Opacity: 1},
		world.Material{Name: "{new", Clear: true, Blend: world.BlendMask, Opacity: 1},
		world.Material{Name: "{fence", Clear: true, Blend: world.BlendMask, Opacity: 1},
	)
	set := load(t, games(), "", plainOptions, w)
	for i, hidden := range []bool{true, false, false, false} {
		if m := &set.Materials[i]; m.Draw.Hidden != hidden {
			t.Errorf("%s: %s", m.Name, text(set, m))
		}
	}
	if len(set.Missing) != 1 || set.Missing[0].Material != "{grate" {
		t.Errorf("missing: %+v", set.Missing)
	}
}

// A sticker whose picture is not there must not hide the wall below it.
func TestAnOverlayWithoutItsTextureIsNearlyClear(t *testing.T) {
	w := plantest.Shown(world.Material{Name: "wall"}, world.Material{Name: "stain"}, world.Material{Name: "panel"},
		world.Material{Name: "both"})
	s := w.Models[0].Surfaces
	for i := range s {
		s[i].Shape = &world.Polygon{}
	}
	for i := 1; i < 4; i++ {
		s[i].Shape = &world.Overlay{Host: 0}
	}
	w.Models[0].Surfaces = append(s, world.Surface{Material: 3, Shape: &world.Polygon{}})
	files := fstest.MapFS{"materials/panel.vmt": &fstest.MapFile{Data: []byte("LightmappedGeneric { $basetexture gone }")}}
	set := load(t, files, "", plainOptions, w)
	for i, want := range []float32{1, 0.25, 1, 1} { // a panel's material says that it is opaque
		m := &set.Materials[i]
		if !m.Placeholder || m.BaseColor[3] != want || (m.Alpha == pbr.Blend) != (want < 1) {
			t.Errorf("%s: %s", m.Name, text(set, m))
		}
	}
}

func TestAnOversizedTextureCostsTheTexture(t *testing.T) {
	script := block("s", "big.tga") + "c\n{\n{ map big.tga }\n{ map small.jpg\nblendFunc filter\ntcMod scale 2 2 }\n}\n"
	files := imagetest.Files("small.jpg")
	files["big.jpg"], files["big.tga"], files["i.png"] = imagetest.JPEG(paint.Opaque(imagetest.Noise(64))),
		imagetest.TGA(paint.Opaque(imagetest.Noise(64))), imagetest.PNG(paint.Opaque(imagetest.Noise(64)))
	files["materials/v.vmt"] = &fstest.MapFile{Data: []byte(`LightmappedGeneric { $basetexture v }`)}
	files["materials/v.vtf"] = imagetest.VTF(0, paint.Opaque(imagetest.Noise(64)))
	big := &world.Texture{Width: 64, Height: 64, Pixels: make([]byte, 64*64)}
	ctx := limit.With(t.Context(), limit.NewBudget(limit.Limits{MaxPixels: 1000}))
	w := plantest.Shown(world.Material{Name: "s"}, world.Material{Name: "c"}, world.Material{Name: "i"}, world.Material{Name: "v"},
		world.Material{Name: "m", Texture: big}, world.Material{Name: "small"})
	set, err := loadError(ctx, files, script, plainOptions, w)
	if err != nil {
		t.Fatal(err)
	}
	for i := range set.Materials {
		if m := &set.Materials[i]; m.Placeholder != (m.Name != "small" && m.Name != "c") {
			t.Errorf("%s: %s", m.Name, text(set, m))
		}
	}
	places := map[string]bool{}
	for _, is := range set.Issues {
		if is.Code == "image-oversized" {
			places[is.Where] = true
		}
	}
	for _, where := range []string{"big.tga", "i.png", "materials/v.vtf", "m"} {
		if !places[where] {
			t.Errorf("no issue of %s in %v", where, set.Issues)
		}
	}
}

// A texture's alpha has another meaning in each of these materials: it says where the material glows, reflects or is tinted, or
// nothing. Another material that is blended by the alpha of the same texture must not change them, nor they it.
func TestAlphaDoesNotLeakBetweenMaterials(t *testing.T) {
	o := plainOptions
	o.Reflections = true
	for _, c := range []struct {
		name  string
		vmt   string
		place world.Material // how the map shows it
	}{
		{"glow", "LightmappedGeneric { $basetexture t $translucent 1 $selfillum 1 }", world.Material{}},
		{"reflection", "LightmappedGeneric { $basetexture t $translucent 1 $basealphaenvmapmask 1 $envmap env_cubemap }", world.Material{}},
		{"highlight", "VertexLitGeneric { $basetexture t $translucent 1 $phong 1 $basemapalphaphongmask 1 }", world.Material{}},
		{"half transparent glow", "LightmappedGeneric { $basetexture t $alpha .5 $selfillum 1 }", world.Material{}},
		{"layer", "WorldVertexTransition { $basetexture a $basetexture2 t }", world.Material{}},
		{"masked layer", "WorldVertexTransition { $basetexture a $basetexture2 t $blendmodulatetexture a }", world.Material{}},
		{"second of two textures", "UnlitTwoTexture { $basetexture t $texture2 a $translucent 1 $selfillum 1 }", world.Material{}},
		{"opacity of the entity", "VertexLitGeneric { $basetexture t }", world.Material{Blend: world.BlendAlpha, Opacity: 0.5}},
		{"picture that passes through", "LightmappedGeneric { $basetexture p $translucent 1 $selfillum 1 }", world.Material{}},
	} {
		x, y := c.place, world.Material{Name: "y"}
		x.Name = "x"
		texture := "t"
		if strings.Contains(c.vmt, "$basetexture p ") {
			texture = "p"
		}
		loaded := func(list ...world.Material) (set *Set, x, y *pbr.Material) {
			files := vmtFiles(map[string]string{"x": c.vmt, "y": "LightmappedGeneric { $translucent 1 $basetexture " + texture + " }"})
			files["materials/p.png"] = imagetest.PNG(imagetest.Filled(8, 8, color.NRGBA{200, 100, 50, 128}))
			set = load(t, files, "", o, plantest.Shown(list...))
			for i := range set.Materials {
				if m := &set.Materials[i]; m.Name == "x" {
					x = m
				} else {
					y = m
				}
			}
			return set, x, y
		}
		alone, m, _ := loaded(x)
		want := text(alone, m)
		for _, list := range [][]world.Material{{x}, {x, y}, {y, x}} {
			set, mx, my := loaded(list...)
			if got := strings.ReplaceAll(text(set, mx), "_opaque", ""); got != want {
				t.Errorf("%s, %d materials: %s, alone %s", c.name, len(list), got, want)
			}
			for _, m := range append([]pbr.Material{*mx}, mx.Layers...) {
				if m.Alpha != pbr.Opaque && m.Base.Image != pbr.NoImage && set.Images[m.Base.Image].Alpha {
					t.Errorf("%s, %d materials: the image of %s has alpha", c.name, len(list), m.Name)
				}
			}
			if my != nil && (my.Alpha != pbr.Blend || !set.Images[my.Base.Image].Alpha) {
				t.Errorf("%s: the blended material beside it: %s", c.name, text(set, my))
			}
		}
	}
}

func TestBrokenMasksReflectNothing(t *testing.T) {
	files := glossy(map[string]string{"x": "LightmappedGeneric { $basetexture a $envmap env_cubemap $envmapmask b }"})
	files["materials/b.vtf"] = &fstest.MapFile{Data: []byte("VTF")}
	set := load(t, files, "", mirrorOptions(), plantest.Shown(world.Material{Name: "x"}))
	if m := &set.Materials[0]; m.Reflection != nil || m.Placeholder || len(set.Issues) != 1 {
		t.Error(mirrors(set, m), set.Issues)
	}
}

// The light of a sky goes beside the output with both kinds of textures, and where there is a plain one too that is shown.
func TestSkyLight(t *testing.T) {
	files := vmtFiles(map[string]string{
		"skybox/srt": "sky { $basetexture a $hdrcompressedtexture t }",
		"skybox/sbk": "sky { $hdrbasetexture half }",
		"skybox/slf": "sky { $basetexture a }",
	})
	half := vtf.File{Minor: 2, Width: 4, Height: 4, Mips: 1, Format: vtf.RGBA16161616F, Slice: func(_, _, _, _ int) []byte {
		return slices.Repeat([]byte{0, 0x44, 0, 0x3c, 0, 0, 0, 0x3c}, 16) // 4, 1, 0
	}}
	files["materials/half.vtf"] = &fstest.MapFile{Data: half.Write()}
	w := plantest.Shown(world.Material{Name: "tools/sky", Flags: world.Sky})
	w.Sky.Name = "skybox/s"
	in := Input{World: w, SkyLight: true}
	set := loadInput(t, files, "", plainOptions, in)
	sky := set.Materials[0].Sky
	if sky.Light != [6]string{"sky_rt.exr", "sky_bk.exr"} || sky.Scale != 0.25 || len(set.Sidecars) != 2 ||
		len(set.Sidecars[1].Data) < 200 {
		t.Errorf("%+v, %d files", sky, len(set.Sidecars))
	}
	if name := set.Images[sky.Box[0]].Name; name != "a" {
		t.Error(name)
	}
	// A quarter of 4, 1 and 0: 1, 0.25 and 0.
	if c := decoded(t, set, sky.Box[1]).NRGBAAt(3, 3); c != (color.NRGBA{255, 137, 0, 255}) {
		t.Error(c)
	}
	// A side that is broken is an issue, and the others are there.
	files["materials/half.vtf"].Data = files["materials/half.vtf"].Data[:90]
	set = loadInput(t, files, "", plainOptions, in)
	if sky := set.Materials[0].Sky; sky.Light[1] != "" || sky.Box[1] != pbr.NoImage || sky.Light[0] == "" || len(set.Issues) != 1 ||
		set.Issues[0].Code != "image-broken" {
		t.Errorf("%+v, %v", sky, set.Issues)
	}
}

// A surface that the map makes shine does so in the colours of its texture.
func TestTexturesThatShine(t *testing.T) {
	x := &world.Texture{Width: 8, Height: 8, Pixels: make([]byte, 64), Palette: make([][3]uint8, 256)}
	w := plantest.Shown(world.Material{Name: "lamp", Texture: x, Glow: [3]float32{1, 0.5, 0}},
		world.Material{Name: "none", Glow: [3]float32{1, 1, 1}})
	set := load(t, games(), "", plainOptions, w)
	m := &set.Materials[0]
	if m.Emission.Color != [3]float32{1, 0.5, 0} || m.Emission.Slot.Image != m.Base.Image || m.Base.Image == pbr.NoImage {
		t.Errorf("%+v", m)
	}
	if m := &set.Materials[1]; m.Emission.Color != [3]float32{} {
		t.Errorf("a placeholder shines: %+v", m)
	}
}

func TestDecalsOfAGradientAreItsLastColour(t *testing.T) {
	grades := ramp()
	grades[255] = [3]uint8{90, 80, 70}
	files := games()
	files["{shot.mip"] = miptexFile("{shot", grades, indices(map[int]byte{0: 200}))
	w := plantest.Shown(world.Material{Name: "{shot"}, world.Material{Name: "{fence"})
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
	if diff := cmp.Diff([][2]float64{{16, 16}, {16, 16}, {16, 16}}, DecalSizes(t.Context(), files, w)); diff != "" {
		t.Error(diff)
	}
}

func TestOnePictureIsMadeOnce(t *testing.T) {
	x := quakes(indices(map[int]byte{3: 230}))
	w := plantest.Shown(world.Material{Name: "a", Texture: x}, world.Material{Name: "a", Texture: x, Lighting: world.Fullbright},
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
	w2 := plantest.Shown(world.Material{Name: "+1lamp", Texture: x}, world.Material{Name: "+0lamp", Texture: x})
	if set := load(t, games(), "", plainOptions, w2); len(set.Files) > 0 || len(set.Images) != 2 || set.Images[0].Name != "+0lamp" {
		t.Errorf("%q, %d images", set.Files, len(set.Images))
	}
}

func TestQuakesSkyIsItsTwoLayers(t *testing.T) {
	// 4 x 2: the left half has a cloud at 0,0 and nothing else; the right half is 20, 21, 22, 23.
	sky := &world.Texture{Width: 4, Height: 2, Pixels: []byte{9, 0, 20, 21, 0, 0, 22, 23}}
	w := plantest.Shown(world.Material{Name: "sky1", Flags: world.Sky, Lighting: world.Fullbright, Texture: sky})
	set := load(t, games(), "", plainOptions, w)
	m := &set.Materials[0]
	if got, want := text(set, m), "base sky1_clouds unlit sky (the two layers of the sky move)"; got != want ||
		!m.Sky.Flat {
		t.Errorf("%s, flat %t, want %s", got, m.Sky.Flat, want)
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
	w = plantest.Shown(world.Material{Name: "sky", Flags: world.Sky, Texture: halfLifes(indices(nil))})
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
	want := []Missing{{"gfx/env/desert",
		[]string{"gfx/env/desertdn", "gfx/env/desertft", "gfx/env/desertlf", "gfx/env/desertup"}, plan.SkyHint}}
	if diff := cmp.Diff(want, set.Missing); diff != "" {
		t.Error(diff)
	}
	// A map of Quake may name six images too, for engines that know them.
	w = plantest.Shown(world.Material{Name: "sky1", Flags: world.Sky, Texture: sky})
	w.Sky.Name = "gfx/env/none_"
	set = load(t, games(), "", plainOptions, w)
	if m := &set.Materials[0]; !m.Sky.Flat || m.Base.Image != 0 || len(set.Missing) > 0 || set.Issues[0].Code != "sky-box" {
		t.Errorf("%s, %v, %v", text(set, m), set.Missing, set.Issues)
	}
	w = plantest.Shown(world.Material{Name: "nope"})
	w.Files.Wads = []string{"a.wad"}
	if set = load(t, games(), "", plainOptions, w); set.Missing[0].Hint != plan.WadHint {
		t.Error(set.Missing)
	}
}

func TestBrokenImages(t *testing.T) {
	files := imagetest.Files("a.jpg", "b.jpg", "m.tga")
	files["broken.png"] = &fstest.MapFile{Data: []byte("\x89PNG\r\n\x1a\nbut no")}
	script := block("texture", "broken") +
		"glow\n{\n" + fmt.Sprintf(lit, "a") + "{ map broken\nblendFunc add }\n}\n" +
		"mask\n{\n{ map broken\nalphaFunc GE128 }\n{ map $lightmap\nblendFunc filter }\n}\n" +
		"fade\n{\n{ map broken\nblendFunc blend\nalphaGen vertex }\n}\n" +
		"layer\n{\n{ map a }\n{ map broken\nblendFunc blend\nalphaGen vertex }\n{ map b\nblendFunc blend\nalphaGen vertex }\n}\n" +
		"added\n{\n{ map a }\n{ map broken\nblendFunc GL_DST_COLOR GL_ONE }\n{ map m\nblendFunc blend }\n}\n" +
		"first\n{\n{ map broken }\n{ map m\nblendFunc blend }\n}\n" +
		"all\n{\n{ map broken\nblendFunc add }\n}\n" +
		"sky\n{\nskyParms box - -\n{ map broken }\n}\n"
	files["box_rt.tga"], files["box_up.png"] = files["m.tga"], files["broken.png"]
	var w world.World
	names := []string{"texture", "glow", "mask", "fade", "layer", "added", "first", "all", "sky", "broken"}
	for _, name := range names {
		w.Materials = append(w.Materials, world.Material{Name: name})
	}
	set := load(t, files, script, plainOptions, plantest.Shown(w.Materials...))
	for i, want := range []string{
		"base placeholder_grid color [0.5 0.5 0.5 1] placeholder", "base a", "base placeholder_grid color [0.5 0.5 0.5 1] placeholder",
		"base placeholder_grid color [0.5 0.5 0.5 1] blend unlit fades placeholder",
		"base a unlit + base b blend unlit fades", "base added_combined unlit",
		"base first_combined unlit", "base placeholder_grid color [0.5 0.5 0.5 1] unlit placeholder", "unlit sky",
		"base placeholder_grid color [0.5 0.5 0.5 1] placeholder",
	} {
		if got := text(set, &set.Materials[i]); got != want {
			t.Errorf("%s: %s\nwant %s", names[i], got, want)
		}
	}
	// added is grey 128 with half of grey 128; first is the placeholder's grey with it.
	for i, want := range map[int]uint8{5: 128, 6: 128} {
		if c := decoded(t, set, set.Materials[i].Base.Image).NRGBAAt(0, 0); c != imagetest.Grey(want) {
			t.Errorf("%s: %v, want %d", names[i], c, want)
		}
	}
	if box := set.Materials[8].Sky.Box; box[4] != pbr.NoImage || box[0] == pbr.NoImage {
		t.Error(box)
	}
	where := map[string]int{}
	for _, is := range set.Issues {
		if is.Code == "image-broken" {
			where[is.Where]++
		}
	}
	if !reflect.DeepEqual(where, map[string]int{"broken.png": 1, "box_up.png": 1}) || len(set.Missing) != 1 { // 4 sides
		t.Error(set.Issues, set.Missing)
	}
	if slices.Contains(set.Files, "broken.png") {
		t.Error(set.Files)
	}
}

func TestWithoutAScriptThereIsTheImage(t *testing.T) {
	w := plantest.Shown(world.Material{Name: "a"}, world.Material{Name: "a", Lighting: world.PerVertex},
		world.Material{Name: "a", Lighting: world.Fullbright})
	set := load(t, imagetest.Files("a.tga"), "", plainOptions, w)
	for i, want := range []string{"base a", "base a unlit vertex", "base a unlit"} {
		if got := text(set, &set.Materials[i]); got != want {
			t.Errorf("%v: %s, want %s", w.Materials[i].Lighting, got, want)
		}
	}
	// Its alpha is of no account.
	if len(set.Images) != 1 || set.Images[0].Alpha || set.Images[0].MIME != "image/png" || !slices.Equal(set.Files, []string{"a.tga"}) {
		t.Errorf("%+v", set)
	}
	if c := decoded(t, set, 0).NRGBAAt(3, 3); c != imagetest.Grey(128) {
		t.Error(c)
	}
}

// The images, once read, decide the rest: whether there is alpha, what glows, where the picture repeats. The images are a.jpg, b.jpg,
// c.png without alpha and m.tga with it.
func TestScriptsWithTheirImages(t *testing.T) {
	const multiply = "{ map $lightmap\nblendFunc filter }\n"
	for _, c := range []struct{ name, script, want string }{
		{"mask of a PNG without alpha", "{ map c\nalphaFunc GE128 }\n" + multiply, "base c"},
		{"blend of a PNG without alpha", "{ map c\nblendFunc blend }\n", "base c unlit"},
		{"blend of an image with alpha", "{ map m\nblendFunc blend }\n" + multiply, "base m blend"},
		{"the inverse mask", "{ map m\nalphaFunc LT128 }\n" + multiply, "base x_combined mask 0.5"},
		{"additive alone", "{ map a\nblendFunc add }", "base x_combined blend unlit"},
		{"glow by the image's alpha", "{ map a }\n" + multiply + "{ map m\nblendFunc GL_SRC_ALPHA GL_ONE }",
			"base x_combined emissive x_combined_glow emission [1 1 1] strength 1.3"},
		{"a lit and an unlit one", "{ map a }\n" + multiply + "{ map m\nblendFunc blend }",
			"base x_combined emissive x_combined_glow emission [1 1 1] strength 1.3"},
		{"all clamped", "{ clampmap a }\n{ clampmap m\nblendFunc blend }\n" + multiply, "base x_combined clamp"},
		{"two periods", "{ map a }\n{ map b\nblendFunc GL_DST_COLOR GL_SRC_COLOR\ntcMod scale 1.5 1 }\n" + multiply,
			"base x_combined uv [0.5 0 0 0 0.5 0]"},
		{"doubled light", "{ map a }\n{ map m\nblendFunc blend }\n{ map $lightmap\nblendFunc GL_DST_COLOR GL_SRC_COLOR }",
			"base x_combined gain 2"},
		{"without a period", "{ map a }\n{ map b\nblendFunc add\ntcMod scale 2.3 3.3 }\n" + multiply, "base x_combined"},
	} {
		set := load(t, imagetest.Files("a.jpg", "b.jpg", "c.png", "m.tga"), "x\n{\n"+c.script+"\n}\n", plainOptions,
			plantest.Shown(world.Material{Name: "x"}))
		m := &set.Materials[0]
		if got := text(set, m); got != c.want || (m.Extras["not_periodic"] == true) != (c.name == "without a period") {
			t.Errorf("%s: %s, want %s; %v", c.name, got, c.want, m.Extras["not_periodic"])
		}
		checkMaterial(t, set, m)
	}
}

// a is an opaque texture, t is half transparent, m is a mask that shows its layer from an alpha of 51 and of 204 on.
func TestMaterialFilesWithTheirImages(t *testing.T) {
	mask := imagetest.Filled(2, 1, color.NRGBA{0, 51, 0, 255})
	mask.Pix[5] = 204
	for _, c := range []struct{ name, vmt, want string }{
		{"translucent without a hole", "LightmappedGeneric { $basetexture a $translucent 1 }", "base a"},
		{"masked without a hole", "LightmappedGeneric { $basetexture a $alphatest 1 }", "base a"},
		{"alpha that says where it reflects", "LightmappedGeneric { $basetexture t $translucent 1 $basealphaenvmapmask 1 }", "base t"},
		{"a layer that is missing", "WorldVertexTransition { $basetexture a $basetexture2 nope }", "base a"},
		{"a mask", "WorldVertexTransition { $basetexture a $basetexture2 a $blendmodulatetexture m }", "base a + base a blend fades"},
		{"a mask on holes", "WorldVertexTransition { $basetexture t $basetexture2 a $blendmodulatetexture m $alphatest 1 }",
			"base t mask 0.7 + base a_masked blend fades threshold"},
		{"a soft mask on holes",
			"WorldVertexTransition { $basetexture t $basetexture2 t $blendmodulatetexture a $basetexture3 a $alphatest 1 }",
			"base t mask 0.7 ($basetexture3, $blendmodulatetexture) + base t_masked blend fades"},
		{"every slot", "LightmappedGeneric { $basetexture t $bumpmap n $selfillum 1 $surfaceprop glass }",
			"base t_lit emissive t_lit_glow emission [1 1 1] normal n_normal"},
	} {
		files := vmtFiles(map[string]string{"x": c.vmt})
		files["materials/m.vtf"] = imagetest.VTF(0, mask)
		set := load(t, files, "", plainOptions, plantest.Shown(world.Material{Name: "x"}))
		if got := text(set, &set.Materials[0]); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		checkMaterial(t, set, &set.Materials[0])
	}
}

// The bands of a layer have a picture each; the last, without a mask, has the layer's own.
func TestBandsHaveTheirPictures(t *testing.T) {
	files := vmtFiles(map[string]string{"x": "WorldVertexTransition { $basetexture a $basetexture2 t }"})
	set := load(t, files, "", plainOptions, plantest.Shown(world.Material{Name: "x"}))
	bands := set.Materials[0].Layers[0].Layer.Bands
	if len(bands) != pbr.Bands {
		t.Fatal(len(bands))
	}
	for k, b := range bands {
		if last := k == pbr.Bands-1; last && b.Base != pbr.NoImage || !last && set.Images[b.Base].Name != fmt.Sprintf("a_band%d", k+1) ||
			b.Glow != pbr.NoImage {
			t.Errorf("band %d: %+v", k, b)
		}
	}
}

// A gloss that is the same everywhere becomes numbers. An alpha of 128 lets 0.502 through, and one minus it 0.498.
func TestReflectionsWithTheirImages(t *testing.T) {
	const env = "$envmap env_cubemap "
	for _, c := range []struct{ name, vmt, want string }{
		{"by a mask", "LightmappedGeneric { $basetexture a " + env + "$envmapmask half }",
			"rough 1 specular 1 [25 25 25] masked by half_gloss"},
		{"by a mask of one grey", "LightmappedGeneric { $basetexture a " + env + "$envmapmask dim $surfaceprop metal }",
			"rough 0.251 metal 0.1 specular 0.2 [25 25 25]"},
		{"by an alpha of 1, which the flags do not know", "LightmappedGeneric { $basetexture a " + env + "$basealphaenvmapmask 1 }",
			"rough 0.25 specular 1 [25 25 25]"},
		{"by the base's alpha, inverted", "LightmappedGeneric { $basetexture t " + env + "$basealphaenvmapmask 1 }",
			"rough 0.251 specular 0.498 [25 25 25]"},
		{"by the normals' alpha alone", "LightmappedGeneric { $basetexture a " + env +
			"$bumpmap n $normalmapalphaenvmapmask 1 $envmapmask dim }", "rough 0.251 specular 0.502 [25 25 25]"},
		{"lamps alone", "VertexLitGeneric { $basetexture a $phong 1 $phongexponenttexture exp }", "rough 1 specular 0 [1 1 1]"},
		{"packed", "PBR { $basetexture a $mraotexture exp }", "rough 1 metal 1 specular 1 [1 1 1] by exp_orm"},
		{"a pane", "LightmappedGeneric { $basetexture t $translucent 1 $surfaceprop glass }",
			"rough 0.05 specular 1 [1 1 1] through 1 by t_clear"},
	} {
		o := mirrorOptions()
		o.Transmission = true
		set := load(t, glossy(map[string]string{"x": c.vmt}), "", o, plantest.Shown(world.Material{Name: "x"}))
		if got := mirrors(set, &set.Materials[0]); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		checkMaterial(t, set, &set.Materials[0])
	}
}

// Pictures of indices glow if they have bright texels of Quake's palette; broken ones leave a placeholder.
func TestPicturesOfIndicesWithTheirPixels(t *testing.T) {
	for _, c := range []struct {
		name string
		m    world.Material
		want string
	}{
		{"a bright texel", world.Material{Name: "a", Texture: quakes(indices(map[int]byte{3: 230}))},
			"base a emissive a_glow emission [1 1 1]"},
		{"a name that promises holes", world.Material{Name: "{a", Texture: halfLifes(indices(nil))}, "base {a"},
		{"an opacity of 1", world.Material{Name: "a", Texture: halfLifes(indices(nil)), Blend: world.BlendAlpha, Opacity: 1}, "base a"},
		{"an opacity of 0", world.Material{Name: "a", Texture: halfLifes(indices(nil)), Blend: world.BlendAlpha},
			"base a color [1 1 1 0] blend"},
		{"too few pixels", world.Material{Name: "a", Texture: &world.Texture{Width: 1 << 32, Height: 1 << 32, Pixels: indices(nil)}},
			"base placeholder_grid color [0.5 0.5 0.5 1] placeholder"},
		{"a broken file", world.Material{Name: "short"}, "base placeholder_grid color [0.5 0.5 0.5 1] placeholder"},
		{"a name in place of a picture", world.Material{Name: "empty"}, "base placeholder_grid color [0.5 0.5 0.5 1] placeholder"},
		{"an image in its place", world.Material{Name: "new", Blend: world.BlendAlpha, Opacity: 0.5, TwoSided: true},
			"base textures/new color [1 1 1 0.5] blend double"},
		{"an image with holes", world.Material{Name: "{new"}, "base textures/{new mask 0.5"},
		{"an image that is added", world.Material{Name: "models/a/skin", Blend: world.BlendAdd, Opacity: 1},
			"base models/a/skin_add blend"},
	} {
		set := load(t, games(), "", plainOptions, plantest.Shown(c.m))
		if got := text(set, &set.Materials[0]); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		checkMaterial(t, set, &set.Materials[0])
	}
}

// m.tga lets the surroundings through where it is clear. Without the option nothing of that is written.
func TestEnvironmentWithItsImages(t *testing.T) {
	files := imagetest.Files("r.png", "m.png")
	half := imagetest.Filled(8, 8, color.NRGBA{255, 255, 255, 255})
	clear(half.Pix[:len(half.Pix)/2])
	files["m.tga"], files["broken.jpg"] = imagetest.TGA(half), &fstest.MapFile{Data: []byte("no picture")}
	const byLight = "{ map $lightmap\nblendFunc filter }\n"
	for _, c := range []struct {
		name, stages string
		shown        bool
		share        string // the image of the factor
		emission     bool
	}{
		{"everywhere alike", "{ map r\ntcGen environment }\n" + byLight, true, "", false},
		{"through a picture with holes", "{ map r\ntcGen environment }\n{ map m.tga\nblendFunc blend }\n" + byLight, true,
			"x_combined_environment", false},
		{"after the light", "{ map m.png }\n" + byLight + "{ map r\ntcGen environment\nblendFunc add }\n", true, "", true},
		{"by a broken image", "{ map broken\ntcGen environment }\n{ map m.tga\nblendFunc blend }\n" + byLight, false, "", false},
		{"covered", "{ map r\ntcGen environment }\n{ map m.png }\n{ map m.tga\nblendFunc blend }\n", false, "", false},
	} {
		o := plainOptions
		o.Environment = true
		set := load(t, files, "x\n{\n"+c.stages+"}\n", o, plantest.Shown(world.Material{Name: "x"}))
		e := set.Materials[0].Environment
		if (e != nil) != c.shown {
			t.Errorf("%s: %+v", c.name, e)
			continue
		}
		if e != nil && (set.Images[e.Image].Name != "r" || e.AddsEmission != c.emission ||
			(e.FactorImage != pbr.NoImage) != (c.share != "") ||
			c.share != "" && set.Images[e.FactorImage].Name != c.share || e.Factor[0] < 0.9) {
			t.Errorf("%s: %+v", c.name, e)
		}
		if m := load(t, files, "x\n{\n"+c.stages+"}\n", plainOptions,
			plantest.Shown(world.Material{Name: "x"})).Materials[0]; m.Environment != nil {
			t.Errorf("%s, without the option: %+v", c.name, m.Environment)
		}
	}
}

func TestBackgroundWithItsImages(t *testing.T) {
	const brighten = "{ map m\nblendFunc GL_DST_COLOR GL_ONE }\n"
	for _, c := range []struct {
		name, stages, blend string
		behind              bool
	}{
		{"multiplied", brighten, "multiply", false},
		{"multiplied in the light", brighten + "{ map $lightmap\nblendFunc filter }\n", "multiply", true},
		{"added", "{ map m\nblendFunc add }\n", "add", false},
		{"multiplied, and added to", brighten + "{ map m\nblendFunc add }\n", "", true},
		{"opaque", "{ map m }\n" + brighten, "", false},
	} {
		o := plainOptions
		o.Environment = true
		set := load(t, imagetest.Files("m.png"), "x\n{\n"+c.stages+"}\n", o, plantest.Shown(world.Material{Name: "x"}))
		m := set.Materials[0]
		got, _ := m.Extras["blend"].(string)
		if got != c.blend || (m.Behind != nil) != c.behind || m.Behind != nil && set.Images[m.Behind.Image].Name != "x_combined_behind" {
			t.Errorf("%s: %q, %+v", c.name, got, m.Behind)
		}
	}
}

// Each choice of images, with what comes beside them.
func TestImagesAndSidecars(t *testing.T) {
	files := imagetest.Files("a.jpg", "b.png", "m.tga")
	files["scripts/x.shader"] = &fstest.MapFile{Data: []byte("x\n{\n{ map a }\n{ map $lightmap\nblendFunc filter }\n" +
		"{ map b\nblendFunc GL_DST_COLOR GL_SRC_COLOR\ntcMod scale 8 8 }\n}\n")}
	cube := vtf.File{Minor: 5, Width: 2, Height: 2, Faces: 6, Mips: 1, Flags: vtf.EnvMap, Format: vtf.BGR888,
		Slice: func(_, _, _, _ int) []byte { return make([]byte, 12) }}
	files["materials/maps/q/c0_0_0.vtf"] = &fstest.MapFile{Data: cube.Write()}
	for _, c := range []struct {
		images   Images
		want     string // the types of the detail texture b.png and of a.jpg
		sidecars int
	}{
		{ImagesKeep, "image/png image/jpeg", 6}, {ImagesPNG, "image/png image/png", 6}, {ImagesJPEG, "image/jpeg image/jpeg", 6},
		{ImagesWebP, "image/webp image/webp", 6}, {ImagesNone, "", 0},
	} {
		o := plainOptions
		o.Images, o.Details, o.Cubemaps = c.images, true, CubemapsFaces
		w := plantest.Shown(world.Material{Name: "x"})
		w.Cubemaps = []world.Cubemap{{Files: "materials/maps/q/c0_0_0"}}
		set := load(t, files, "", o, w)
		var types []string
		for _, im := range set.Images {
			types = append(types, im.MIME)
		}
		m := &set.Materials[0]
		if got := strings.Join(types, " "); got != c.want || len(set.Sidecars) != c.sidecars ||
			(len(m.Details) > 0 && m.Details[0].Image == 0) != (c.want != "") {
			t.Errorf("%s: %s, %d files, %+v", c.images, got, len(set.Sidecars), m.Details)
		}
	}
}

// Texels stay squares if the texture's flag or the material says so, also where a second texture is drawn over the first.
func TestTexelsThatStaySquares(t *testing.T) {
	files := vmtFiles(map[string]string{
		"flag": "LightmappedGeneric { $basetexture s }", "parameter": "UnlitGeneric { $basetexture a $pointsamplemagfilter 1 }",
		"detail": "LightmappedGeneric { $basetexture s $detail a $detailscale 1 }", "neither": "LightmappedGeneric { $basetexture a }",
	})
	files["materials/s.vtf"] = imagetest.VTF(0x1, imagetest.Filled(8, 8, imagetest.Grey(9)))
	set := load(t, files, "", plainOptions, plantest.Shown(world.Material{Name: "flag"}, world.Material{Name: "parameter"},
		world.Material{Name: "detail"}, world.Material{Name: "neither"}))
	for i := range set.Materials {
		if m := &set.Materials[i]; m.Draw.Nearest != (m.Name != "neither") {
			t.Errorf("%s: %s", m.Name, text(set, m))
		}
	}
}
