package materials

import (
	"errors"
	"image/color"
	"io/fs"
	"maps"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Any script gives materials that the stages after this one can rely on.
func FuzzLoad(f *testing.F) {
	for _, dir := range []string{"demo", "features"} {
		names, _ := fs.Glob(os.DirFS("../testdata/"+dir), "scripts/*.shader")
		for _, name := range names {
			text, err := os.ReadFile("../testdata/" + dir + "/" + name)
			if err != nil {
				f.Fatal(err)
			}
			// Each block by itself, as the shader x.
			for _, block := range strings.Split(string(text), "\ntextures/") {
				if _, body, ok := strings.Cut(block, "\n{"); ok {
					f.Add("x\n{" + strings.NewReplacer("textures/demo/", "", ".tga", "", ".jpg", "", ".png", "").Replace(body))
				}
			}
		}
	}
	files := imagetest.Files("a.jpg", "b.tga", "c.png", "rock.jpg", "water.tga", "chrome.jpg", "grate.tga", "x.jpg")
	files["small.tga"], files["wide.tga"] = imagetest.TGA(imagetest.Filled(1, 1, color.NRGBA{9, 99, 199, 0})),
		imagetest.TGA(imagetest.Noise(16))
	files["broken.tga"] = imagetest.Files("broken.tga")["broken.tga"]
	files["broken.tga"].Data = files["broken.tga"].Data[:20]
	f.Add("x\n{\n{ map wide\ntcMod scale 1e9 1e-9\nalphaFunc LT128 }\n{ clampmap small\ntcMod transform 1 2 3 4 5 6\nblendFunc GL_ONE_MINUS_DST_COLOR GL_ONE_MINUS_SRC_COLOR }\n{ map broken }\n}\n")
	w := plantest.Shown(world.Material{Name: "x"}, world.Material{Name: "x", Lighting: world.PerVertex},
		world.Material{Name: "x", Lighting: world.Fullbright})
	f.Fuzz(func(t *testing.T, script string) {
		for _, combine := range []Combine{CombineNeeded, CombineAll, CombineNone} {
			o := plainOptions
			o.Combine = combine
			files := maps.Clone(files)
			set, err := loadError(t.Context(), files, script, o, w)
			if err != nil {
				t.Fatal(err)
			}
			for i := range set.Materials {
				checkMaterial(t, set, &set.Materials[i])
			}
		}
	})
}

// Any material file does too, and so does any texture.
func FuzzLoadVMT(f *testing.F) {
	for _, s := range []string{
		"$basetexture t $color \"{255 0 0}\" $alpha .5 $bumpmap t $selfillum 1", "$basetexture t $additive 1",
		"$basetexture t $alphatest 1 $ssbump 1 $bumpmap t",
		"$basetexture t $basetexture2 t $basetexturetransform \"center .5 .5 scale 0 0 rotate 30 translate 1 1\"",
		"$translucent 1 $fogcolor \"[9 -1 .5]\"", "%compilenodraw",
		"$basetexture t $envmap e $envmaptint \"[9 -1 .5]\" $envmapmask t $surfaceprop metal $fresnelreflection -7",
		"$basetexture t $translucent 1 $surfaceprop glass",
		"$basetexture t $phong 1 $phongexponent -1 $phongexponenttexture t $phongboost 1e8 $phongfresnelranges \"[9 -9 1e8]\" $basemapalphaphongmask 1 $rimlight 1",
		"$basetexture t $blendtintbybasealpha 1 $color2 .5 $selfillum 1 $selfillumtint 9e8 $selfillumfresnel 1 $selfillumfresnelminmaxexp \"[1 9e8 -2]\" $mraotexture t",
	} {
		for _, shader := range []string{"LightmappedGeneric", "WorldVertexTransition", "DecalModulate", "Water", "VertexLitGeneric",
			"Refract", "PBR"} {
			f.Add(shader+"{"+s+"}", imagetest.VTF(0, imagetest.Noise(4)).Data)
		}
	}
	w := plantest.Shown(world.Material{Name: "x"}, world.Material{Name: "x", Lighting: world.PerVertex},
		world.Material{Name: "y", Lighting: world.Fullbright},
		world.Material{Name: "x", Flags: world.Sky})
	w.Sky.Name, w.Decals, w.Baked.Charts = "x", []world.Decal{{}}, []world.Chart{{Layers: []world.Layer{{Basis: world.Bump1}}}}
	o := plainOptions
	o.Reflections, o.Transmission = true, true
	f.Fuzz(func(t *testing.T, text string, texture []byte) {
		files := fstest.MapFS{"materials/x.vmt": {Data: []byte(text)}, "materials/xrt.vmt": {Data: []byte(text)},
			"materials/t.vtf": {Data: texture}, "materials/y.vtf": {Data: texture}}
		if len(texture) > 62 && int(texture[16])+int(texture[17])<<8 > 64 {
			return // no large pictures: they take the time
		}
		set, err := loadError(t.Context(), files, "", o, w)
		if err != nil {
			if errors.Is(err, limit.ErrLimit) {
				return
			}
			t.Fatal(err)
		}
		for i := range set.Materials {
			checkMaterial(t, set, &set.Materials[i])
		}
		if _, err := NormalMaps(t.Context(), files, w); err != nil && !errors.Is(err, limit.ErrLimit) {
			t.Fatal(err)
		}
		for _, x := range DecalSizes(t.Context(), files, w)[0] {
			if !(x >= 0 && x < 1e15) {
				t.Error(x)
			}
		}
	})
}

// checkMaterial checks what the stages after this one rely on.
func checkMaterial(t *testing.T, set *Set, m *pbr.Material) {
	t.Helper()
	checkExtras(t, m.Extras)
	numbers := append([]float32{m.Emission.Strength, m.Cutoff, m.Draw.Sort}, append(m.BaseColor[:], m.Emission.Color[:]...)...)
	for _, s := range []*pbr.Slot{&m.Base, &m.Emission.Slot, &m.Normal} {
		if s.Image < pbr.NoImage || s.Image >= len(set.Images) {
			t.Errorf("image %d of %d", s.Image, len(set.Images))
		}
		for _, x := range s.UV {
			numbers = append(numbers, float32(x/1e15))
		}
	}
	for _, x := range numbers {
		if x-x != 0 {
			t.Errorf("%+v", m)
		}
	}
	for _, c := range append(m.BaseColor[:], m.Emission.Color[:]...) {
		if c < 0 || c > 1 {
			t.Errorf("color %v, emission %v", m.BaseColor, m.Emission.Color)
		}
	}
	if !(m.Draw.LightGain >= 1 && m.Draw.LightGain <= 1<<16) || m.Draw.Unlit && !m.Vertex.Color && m.Emission.Slot.Image != pbr.NoImage ||
		m.Emission.Color == [3]float32{} && m.Emission.Slot.Image != pbr.NoImage {
		t.Errorf("%+v", m)
	}
	if m.Draw.Unlit && m.Normal.Image != pbr.NoImage {
		t.Errorf("%+v", m)
	}
	checkReflection(t, set, m)
	for i := range m.Layers {
		checkMaterial(t, set, &m.Layers[i])
	}
}

// Any files of sprites, skies and cubemaps give materials in glTF's terms.
func FuzzPlaced(f *testing.F) {
	testkit.Unminimized(f)
	cube := vtf.File{Minor: 4, Width: 2, Height: 2, Faces: 7, Mips: 2, Flags: vtf.EnvMap, Format: vtf.RGBA16161616F,
		Slice: func(mip, _, _, _ int) []byte { return make([]byte, 32>>(2*mip)) }}
	for _, text := range []string{"Sprite { $basetexture t }", "UnlitGeneric { $basetexture t $additive 1 $color \"[9 -1 1]\" $alpha 7 }",
		"sky { $hdrcompressedtexture t }", "sky { $hdrbasetexture t $basetexturetransform \"scale 0\" }"} {
		f.Add(text, imagetest.VTF(0x2000, imagetest.Noise(4)).Data)
		f.Add(text, cube.Write())
	}
	mats := []world.Material{{Name: "x", Flags: world.Sky}}
	for b := world.BlendNone; b <= world.BlendAdd; b++ {
		mats = append(mats, world.Material{Name: "x", Lighting: world.PerVertex, Blend: b, Opacity: 0.5, Tint: [3]float32{0.5, 1, 0.1},
			Colored: b%2 == 1})
	}
	w := plantest.Shown(mats...)
	w.Sky.Name, w.Cubemaps, w.Baked.HDR = "x", []world.Cubemap{{Files: "materials/t"}}, true
	w.Props = []world.Prop{{Sprite: &world.Sprite{Material: 1}}}
	o := plainOptions
	o.Cubemaps = CubemapsFaces
	f.Fuzz(func(t *testing.T, text string, texture []byte) {
		files := fstest.MapFS{"materials/x.vmt": {Data: []byte(text)}, "materials/xrt.vmt": {Data: []byte(text)},
			"materials/t.vtf": {Data: texture}}
		if len(texture) > 62 && int(texture[16])+int(texture[17])<<8 > 64 {
			return // no large pictures: they take the time
		}
		set, err := loadInputError(t.Context(), files, "", o, Input{World: w, SkyLight: true})
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
		for _, x := range PictureSizes(t.Context(), files, w)[1] {
			if !(x >= 0) || math.IsInf(x, 0) {
				t.Error(x)
			}
		}
	})
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
		w := plantest.Shown(m, world.Material{Name: "x"})
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

func FuzzBakesMaterialFiles(f *testing.F) {
	f.Add("WorldVertexTransition { $basetexture r $basetexture2 b $blendmodulatetexture a $bumpmap n $detail t }", float32(1), float32(0.5))
	f.Add("Lightmapped_4WayBlend { $basetexture r $basetexture2 b $basetexture3 a $texture3_uvscale 1e8 $texture3_lumstart .5 }",
		float32(1e7), float32(1))
	f.Add("WorldVertexTransition { $basetexture r $basetexture2 b $basetexturetransform \"center 1e8 0 scale 1e8 0 rotate 9 translate 1e8 0\" }", float32(-1e30), float32(-9))
	f.Fuzz(func(t *testing.T, vmt string, u, alpha float32) {
		o := bakedOptions
		o.Combine = "all"
		o.MaxSize = 32
		d := sheet(0, u, func(float32, float32) float32 { return alpha })
		set, err := loadError(t.Context(), colours(vmt), "", o, bentWorld(d))
		if err != nil && !errors.Is(err, limit.ErrLimit) {
			t.Fatal(err)
		}
		if err == nil {
			for i := range set.Materials {
				checkMaterial(t, set, &set.Materials[i])
			}
			for i := range set.Baked {
				checkMaterial(t, set, &set.Baked[i].Material)
			}
		}
	})
}

// checkReflection checks what the writers rely on.
func checkReflection(t *testing.T, set *Set, m *pbr.Material) {
	t.Helper()
	image := func(i int) {
		if i < pbr.NoImage || i >= len(set.Images) {
			t.Errorf("image %d of %d", i, len(set.Images))
		}
	}
	unit := func(what string, v, most float32) {
		if !(v >= 0 && v <= most) {
			t.Errorf("%s is %g", what, v)
		}
	}
	if r := m.Reflection; r != nil {
		image(r.Image)
		unit("roughness", r.Roughness, 1)
		unit("metal", r.Metal, 1)
		unit("specular", r.Specular, 1)
		for _, c := range r.Color {
			unit("color", c, 25.001)
		}
		if m.Draw.Unlit || r.Masked && !set.Images[r.Image].Alpha {
			t.Errorf("%+v", r)
		}
	}
	if x := m.Transmission; x != nil {
		image(x.Image)
		unit("transmission", x.Factor, 1)
		if m.Draw.Unlit || m.Alpha != pbr.Opaque {
			t.Errorf("%+v", m)
		}
	}
}
