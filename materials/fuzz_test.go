package materials

import (
	"errors"
	"image/color"
	"io/fs"
	"maps"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
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
	files := textures("a.jpg", "b.tga", "c.png", "rock.jpg", "water.tga", "chrome.jpg", "grate.tga", "x.jpg")
	files["small.tga"], files["wide.tga"] = tgaFile(filled(1, 1, color.NRGBA{9, 99, 199, 0})), tgaFile(noise(16))
	files["broken.tga"] = textures("broken.tga")["broken.tga"]
	files["broken.tga"].Data = files["broken.tga"].Data[:20]
	f.Add("x\n{\n{ map wide\ntcMod scale 1e9 1e-9\nalphaFunc LT128 }\n{ clampmap small\ntcMod transform 1 2 3 4 5 6\nblendFunc GL_ONE_MINUS_DST_COLOR GL_ONE_MINUS_SRC_COLOR }\n{ map broken }\n}\n")
	w := shown(world.Material{Name: "x"}, world.Material{Name: "x", Lighting: world.PerVertex}, world.Material{Name: "x", Lighting: world.Fullbright})
	f.Fuzz(func(t *testing.T, script string) {
		for _, combine := range []Combine{CombineNeeded, CombineAll, CombineNone} {
			o := plainOptions
			o.Combine = combine
			files := maps.Clone(files)
			set, err := loadError(limit.WithDefaults(t.Context()), files, script, o, w)
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
		"$basetexture t $color \"{255 0 0}\" $alpha .5 $bumpmap t $selfillum 1", "$basetexture t $additive 1", "$basetexture t $alphatest 1 $ssbump 1 $bumpmap t",
		"$basetexture t $basetexture2 t $basetexturetransform \"center .5 .5 scale 0 0 rotate 30 translate 1 1\"", "$translucent 1 $fogcolor \"[9 -1 .5]\"", "%compilenodraw",
		"$basetexture t $envmap e $envmaptint \"[9 -1 .5]\" $envmapmask t $surfaceprop metal $fresnelreflection -7", "$basetexture t $translucent 1 $surfaceprop glass",
		"$basetexture t $phong 1 $phongexponent -1 $phongexponenttexture t $phongboost 1e8 $phongfresnelranges \"[9 -9 1e8]\" $basemapalphaphongmask 1 $rimlight 1",
		"$basetexture t $blendtintbybasealpha 1 $color2 .5 $selfillum 1 $selfillumtint 9e8 $selfillumfresnel 1 $selfillumfresnelminmaxexp \"[1 9e8 -2]\" $mraotexture t",
	} {
		for _, shader := range []string{"LightmappedGeneric", "WorldVertexTransition", "DecalModulate", "Water", "VertexLitGeneric", "Refract", "PBR"} {
			f.Add(shader+"{"+s+"}", vtfFile(0, noise(4)).Data)
		}
	}
	w := shown(world.Material{Name: "x"}, world.Material{Name: "x", Lighting: world.PerVertex}, world.Material{Name: "y", Lighting: world.Fullbright},
		world.Material{Name: "x", Flags: world.Sky})
	w.Sky.Name, w.Decals, w.Baked.Charts = "x", []world.Decal{{}}, []world.Chart{{Layers: []world.Layer{{Basis: world.Bump1}}}}
	o := plainOptions
	o.Reflections, o.Transmission = true, true
	f.Fuzz(func(t *testing.T, text string, texture []byte) {
		files := fstest.MapFS{"materials/x.vmt": {Data: []byte(text)}, "materials/xrt.vmt": {Data: []byte(text)}, "materials/t.vtf": {Data: texture}, "materials/y.vtf": {Data: texture}}
		if len(texture) > 62 && int(texture[16])+int(texture[17])<<8 > 64 {
			return // no large pictures: they take the time
		}
		set, err := loadError(limit.WithDefaults(t.Context()), files, "", o, w)
		if err != nil {
			if errors.Is(err, limit.ErrLimit) {
				return
			}
			t.Fatal(err)
		}
		for i := range set.Materials {
			checkMaterial(t, set, &set.Materials[i])
		}
		if _, err := NormalMaps(limit.WithDefaults(t.Context()), files, w); err != nil && !errors.Is(err, limit.ErrLimit) {
			t.Fatal(err)
		}
		for _, x := range DecalSizes(limit.WithDefaults(t.Context()), files, w)[0] {
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
	if !(m.Draw.LightGain >= 1 && m.Draw.LightGain <= 1<<16) || m.Draw.Unlit && !m.Vertex.Color && m.Emission.Slot.Image != pbr.NoImage || m.Emission.Color == [3]float32{} && m.Emission.Slot.Image != pbr.NoImage {
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
