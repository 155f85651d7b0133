package materials

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A sprite is blended as the map says where its shader is a sprite's, else as its material says.
func TestSprites(t *testing.T) {
	for _, c := range []struct {
		vmt   string
		blend world.Blend
		image string
		alpha pbr.Alpha
	}{
		{"Sprite { $basetexture t }", world.BlendAdd, "t_add_alpha", pbr.Blend},
		{"Sprite_DX6 { $basetexture t $additive 1 }", world.BlendAlpha, "t", pbr.Blend},
		{"Sprite { $basetexture t }", world.BlendMask, "t", pbr.Mask},
		{"UnlitGeneric { $basetexture t }", world.BlendAdd, "t_add", pbr.Blend},
		{"UnlitGeneric { $basetexture t $translucent 1 }", world.BlendAdd, "t", pbr.Blend},
		{"UnlitGeneric { $basetexture t $additive 1 }", world.BlendAlpha, "t_add", pbr.Blend},
		{"UnlitGeneric { $basetexture t $additive 1 $translucent 1 }", world.BlendAlpha, "t_add_alpha", pbr.Blend},
		{"UnlitGeneric { $basetexture nope }", world.BlendAdd, "", pbr.Blend},
	} {
		w := shown(world.Material{Name: "x", Lighting: world.PerVertex, Blend: c.blend, Opacity: 1, TwoSided: true, Colored: true})
		set := load(t, vmtFiles(map[string]string{"x": c.vmt}), "", plainOptions, w)
		m := &set.Materials[0]
		got := ""
		if m.Base.Image != pbr.NoImage {
			got = set.Images[m.Base.Image].Name
		}
		if got != c.image || m.Alpha != c.alpha || !m.Draw.Unlit || !m.Draw.DoubleSided || !m.Vertex.Color || m.Vertex.Alpha == (c.alpha == pbr.Mask) || m.Placeholder != (got == "") {
			t.Errorf("%s as %d: %s %+v", c.vmt, c.blend, got, m)
		}
	}
}

// What the map says of a material comes on top of what its file says.
func TestPlacedMaterials(t *testing.T) {
	files := vmtFiles(map[string]string{"x": "UnlitGeneric { $basetexture a $color2 \"[1 0 1]\" }", "y": "VertexLitGeneric { $basetexture a $alpha .5 }"})
	w := shown(
		world.Material{Name: "x", Lighting: world.PerVertex, TwoSided: true, Colored: true, Tint: [3]float32{0.5, 1, 1}},
		world.Material{Name: "y", Lighting: world.PerVertex, Blend: world.BlendAlpha, Opacity: 0.5})
	set := load(t, files, "", plainOptions, w)
	if m := &set.Materials[0]; !m.Draw.DoubleSided || !m.Vertex.Color || m.BaseColor != [4]float32{0.5, 0, 1, 1} || m.Alpha != pbr.Opaque {
		t.Errorf("%+v", m)
	}
	if m := &set.Materials[1]; m.Draw.DoubleSided || m.BaseColor[3] != 0.25 || m.Alpha != pbr.Blend {
		t.Errorf("%+v", m)
	}
}

// The colour of a place in the map is where $color2 is, and nowhere where a material takes none.
func TestPlacedTints(t *testing.T) {
	tint := [3]float32{0.5, 1, 1}
	for _, c := range []struct {
		vmt, image string
		factor     float32
	}{
		{"VertexLitGeneric { $basetexture a }", "a", 0.5},
		{"VertexLitGeneric { $basetexture a $blendtintbybasealpha 1 }", "a_tint", 1},
		{"VertexLitGeneric { $basetexture a $notint 1 }", "a", 1},
		{"VertexLitGeneric { $basetexture a $allowdiffusemodulation 0 }", "a", 1},
		{"VertexLitGeneric { $basetexture a $allowdiffusemodulation 1 }", "a", 0.5},
	} {
		set := load(t, vmtFiles(map[string]string{"x": c.vmt}), "", plainOptions, shown(world.Material{Name: "x", Lighting: world.PerVertex, Tint: tint}))
		m := &set.Materials[0]
		if got := set.Images[m.Base.Image].Name; got != c.image || m.BaseColor != [4]float32{c.factor, 1, 1, 1} {
			t.Errorf("%s: %s, %v", c.vmt, got, m.BaseColor)
		}
	}
}

func TestPictureSizes(t *testing.T) {
	files := vmtFiles(map[string]string{"x": "Sprite { $basetexture t }", "gone": "Sprite { $basetexture nope }"})
	files["materials/p.png"] = pngFile(filled(3, 5, grey(9)))
	w := shown(world.Material{Name: "x"}, world.Material{Name: "gone"}, world.Material{Name: "p"}, world.Material{Name: "a"}, world.Material{Name: "t"}, world.Material{Name: "none"})
	for _, m := range []int{0, 1, 2, 3, 5} {
		w.Props = append(w.Props, world.Prop{Sprite: &world.Sprite{Material: m}})
	}
	w.Ropes = []world.Rope{{Material: 3}}
	want := [][2]float64{{8, 8}, {}, {3, 5}, {8, 8}, {}, {}}
	if got := PictureSizes(limit.WithDefaults(t.Context()), files, w); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
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
	w := shown(world.Material{Name: "tools/sky", Flags: world.Sky})
	w.Sky.Name = "skybox/s"
	in := Input{World: w, SkyLight: true}
	set := loadInput(t, files, "", plainOptions, in)
	sky := set.Materials[0].Sky
	if sky.Light != [6]string{"sky_rt.exr", "sky_bk.exr"} || sky.Scale != 0.25 || len(set.Sidecars) != 2 || len(set.Sidecars[1].Data) < 200 {
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
	if sky := set.Materials[0].Sky; sky.Light[1] != "" || sky.Box[1] != pbr.NoImage || sky.Light[0] == "" || len(set.Issues) != 1 || set.Issues[0].Code != "image-broken" {
		t.Errorf("%+v, %v", sky, set.Issues)
	}
}

// Of a thousand pixels five may be brighter than what becomes white.
func TestBrightness(t *testing.T) {
	var light []byte
	for i := range 1000 {
		c := world.NewHalf(2)
		if i < 4 {
			c = world.NewHalf(1000)
		}
		light = append(light, byte(c), byte(c>>8), 0, 0, 0, 0)
	}
	if got := paint.Brightness([][]byte{light[:3000], light[3000:]}); got != 2 {
		t.Error(got)
	}
	if got := paint.Brightness(nil); got != 0 {
		t.Error(got)
	}
}

func TestCubemaps(t *testing.T) {
	file := func(format vtf.Format, faces int, pixel func(face int) []byte) *fstest.MapFile {
		f := vtf.File{Minor: 5, Width: 2, Height: 2, Faces: faces, Mips: 1, Flags: vtf.EnvMap, Format: format,
			Slice: func(_, _, face, _ int) []byte { return slices.Repeat(pixel(face), 4) }}
		return &fstest.MapFile{Data: f.Write()}
	}
	flat := func(face int) []byte { return []byte{0, 0, byte(face)} }
	files := fstest.MapFS{
		"materials/maps/q/c0_0_0.vtf":     file(vtf.BGR888, 6, flat),
		"materials/maps/q/c0_0_0.hdr.vtf": file(vtf.RGBA16161616F, 6, func(int) []byte { return make([]byte, 8) }),
		"materials/maps/q/c1_0_0.vtf":     file(vtf.BGR888, 6, flat),
		"materials/maps/q/c2_0_0.vtf":     vtfFile(0, filled(2, 2, grey(1))),
	}
	w := &world.World{Cubemaps: []world.Cubemap{
		{Files: "materials/maps/q/c0_0_0"}, {Files: "materials/maps/q/c1_0_0"}, {Files: "materials/maps/q/c2_0_0"}, {Files: "materials/maps/q/c3_0_0"},
		{Files: "materials/maps/q/c1_0_0"},
	}}
	o := plainOptions
	if set := load(t, files, "", o, w); set.Cubemaps != nil || set.Sidecars != nil {
		t.Error("nobody asked for cubemaps")
	}
	o.Cubemaps = "faces"
	w.Baked.HDR = true
	set := load(t, files, "", o, w)
	if len(set.Sidecars) != 12 || set.Cubemaps[1] != set.Cubemaps[4] || set.Cubemaps[2] != [6]string{} || set.Cubemaps[3] != [6]string{} {
		t.Fatalf("%d files, %v", len(set.Sidecars), set.Cubemaps)
	}
	if set.Cubemaps[0][2] != "cubemaps/c0_0_0_lf.exr" || set.Cubemaps[1][1] != "cubemaps/c1_0_0_bk.png" || set.Cubemaps[1][5] != "cubemaps/c1_0_0_dn.png" {
		t.Error(set.Cubemaps)
	}
	var codes []string
	for _, is := range set.Issues {
		codes = append(codes, is.Code)
	}
	if !slices.Equal(codes, []string{"image-broken", "cubemap-missing"}) || set.Issues[1].Count != 1 {
		t.Error(set.Issues)
	}
	w.Baked.HDR = false
	if set := load(t, files, "", o, w); set.Cubemaps[0][0] != "cubemaps/c0_0_0_rt.png" {
		t.Error(set.Cubemaps[0])
	}
}

// Of 50 cubemaps of noise the faces take 6 · 192 bytes each at least, 57,600 together.
func TestCubemapsKeepToTheBudget(t *testing.T) {
	src := noise(8)
	f := vtf.File{Minor: 5, Width: 8, Height: 8, Faces: 6, Mips: 1, Flags: vtf.EnvMap, Format: vtf.BGR888,
		Slice: func(int, int, int, int) []byte { return vtf.Encode(src, vtf.BGR888) }}
	files, w := fstest.MapFS{}, &world.World{}
	for i := range 50 {
		name := fmt.Sprintf("materials/maps/q/c%d_0_0", i)
		files[name+".vtf"] = &fstest.MapFile{Data: f.Write()}
		w.Cubemaps = append(w.Cubemaps, world.Cubemap{Files: name})
	}
	o := plainOptions
	o.Cubemaps = "faces"
	b := limit.NewBudget(limit.Limits{MaxMemory: 40_000})
	if _, err := loadError(limit.With(t.Context(), b), files, "", o, w); !errors.Is(err, limit.ErrLimit) {
		t.Error(err)
	}
	for i := range w.Cubemaps {
		w.Cubemaps[i].Files = "materials/maps/q/c0_0_0" // all at one place
	}
	if set, err := loadError(limit.With(t.Context(), limit.NewBudget(limit.Limits{MaxMemory: 40_000})), files, "", o, w); err != nil || len(set.Sidecars) != 6 {
		t.Error(err)
	}
}

// Any files of sprites, skies and cubemaps give materials in glTF's terms.
func FuzzPlaced(f *testing.F) {
	cube := vtf.File{Minor: 4, Width: 2, Height: 2, Faces: 7, Mips: 2, Flags: vtf.EnvMap, Format: vtf.RGBA16161616F,
		Slice: func(mip, _, _, _ int) []byte { return make([]byte, 32>>(2*mip)) }}
	for _, text := range []string{"Sprite { $basetexture t }", "UnlitGeneric { $basetexture t $additive 1 $color \"[9 -1 1]\" $alpha 7 }",
		"sky { $hdrcompressedtexture t }", "sky { $hdrbasetexture t $basetexturetransform \"scale 0\" }"} {
		f.Add(text, vtfFile(0x2000, noise(4)).Data)
		f.Add(text, cube.Write())
	}
	mats := []world.Material{{Name: "x", Flags: world.Sky}}
	for b := world.BlendNone; b <= world.BlendAdd; b++ {
		mats = append(mats, world.Material{Name: "x", Lighting: world.PerVertex, Blend: b, Opacity: 0.5, Tint: [3]float32{0.5, 1, 0.1}, Colored: b%2 == 1})
	}
	w := shown(mats...)
	w.Sky.Name, w.Cubemaps, w.Baked.HDR = "x", []world.Cubemap{{Files: "materials/t"}}, true
	w.Props = []world.Prop{{Sprite: &world.Sprite{Material: 1}}}
	o := plainOptions
	o.Cubemaps = CubemapsFaces
	f.Fuzz(func(t *testing.T, text string, texture []byte) {
		files := fstest.MapFS{"materials/x.vmt": {Data: []byte(text)}, "materials/xrt.vmt": {Data: []byte(text)}, "materials/t.vtf": {Data: texture}}
		if len(texture) > 62 && int(texture[16])+int(texture[17])<<8 > 64 {
			return // no large pictures: they take the time
		}
		set, err := loadInputError(limit.WithDefaults(t.Context()), files, "", o, Input{World: w, SkyLight: true})
		if err != nil {
			if errors.Is(err, limit.ErrLimit) {
				return
			}
			t.Fatal(err)
		}
		for i := range set.Materials {
			checkMaterial(t, set, &set.Materials[i])
			if sky := set.Materials[i].Sky; sky != nil && !(sky.Scale >= 0 && sky.Scale <= 1) {
				t.Errorf("%+v", sky)
			}
		}
		for _, x := range PictureSizes(limit.WithDefaults(t.Context()), files, w)[1] {
			if !(x >= 0) || math.IsInf(x, 0) {
				t.Error(x)
			}
		}
	})
}
