package materials

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// demoWorld returns a world with all shaders and textures of testdata/demo, each lit in two ways.
func demoWorld(t testing.TB) (*world.World, fs.FS) {
	t.Helper()
	files := os.DirFS("../testdata/demo")
	s := ReadScripts(files)
	names := s.shaders.Names()
	entries, err := fs.ReadDir(files, "textures/demo")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, "textures/demo/"+lookup.Stem(e.Name()))
	}
	var mats []world.Material
	for _, name := range names {
		mats = append(mats, world.Material{Name: name}, world.Material{Name: name, Lighting: world.PerVertex})
	}
	return plantest.Shown(mats...), files
}

func BenchmarkLoadDemo(b *testing.B) {
	w, files := demoWorld(b)
	s := ReadScripts(files)
	o := plainOptions
	o.PNG = "default"
	n := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		set, err := Load(context.Background(), Input{World: w, Files: files, Scripts: s}, o)
		if err != nil {
			b.Fatal(err)
		}
		n = 0
		for _, f := range set.Files {
			if i, err := fs.Stat(files, f); err == nil {
				n += i.Size()
			}
		}
	}
	b.SetBytes(n)
}

// 5000 materials of five kinds, with a texture each of 8 x 8 pixels that all of a kind share.
func BenchmarkLoadVMT(b *testing.B) {
	kinds := []string{
		"LightmappedGeneric { $basetexture a $surfaceprop brick }",
		"LightmappedGeneric { $basetexture a $bumpmap n $envmap env_cubemap $envmaptint \"[.3 .3 .3]\" $normalmapalphaenvmapmask 1 }",
		"VertexLitGeneric { $basetexture half $phong 1 $phongexponenttexture exp $phongboost 2 $basemapalphaphongmask 1 $rimlight 1 }",
		"patch { include materials/kind1.vmt insert { $envmap maps/m/c0_0_0 } }",
		"UnlitGeneric { $basetexture t $additive 1 proxies { AnimatedTexture { animatedtexturevar $basetexture } } }",
	}
	texts := map[string]string{"kind1": kinds[1]}
	var mats []world.Material
	size := int64(0)
	for i := range 5000 {
		name := fmt.Sprintf("m%d", i)
		texts[name] = kinds[i%len(kinds)]
		size += int64(len(texts[name]))
		mats = append(mats, world.Material{Name: name})
	}
	files, w := glossy(texts), plantest.Shown(mats...)
	s, o := ReadScripts(files), plainOptions
	o.Reflections = true
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(context.Background(), Input{World: w, Files: files, Scripts: s}, o); err != nil {
			b.Fatal(err)
		}
	}
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
			w := plantest.Shown(world.Material{Name: name,
				Texture: &world.Texture{Width: 256, Height: 256, Pixels: pixels, Palette: ramp()}})
			b.SetBytes(int64(len(pixels)))
			b.ReportAllocs()
			for b.Loop() {
				load(b, fstest.MapFS{}, "", plainOptions, w)
			}
		})
	}
}
