package materials

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"io/fs"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// demoWorld is a world with all shaders and textures of testdata/demo, each lit in two ways.
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
	return shown(mats...), files
}

func BenchmarkLoadDemo(b *testing.B) {
	w, files := demoWorld(b)
	s := ReadScripts(files)
	o := plainOptions
	o.PNG = "default"
	n := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		set, err := Load(limit.WithDefaults(context.Background()), Input{World: w, Files: files, Scripts: s}, o)
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

// Three stages of 512 x 512: a texture, another over it by its alpha, the lightmap.
func BenchmarkCombine(b *testing.B) {
	const size = 512
	pictures := []*image.NRGBA{noise(size), noise(size), nil}
	r := paint.Recipe{Light: paint.ByMap}
	for i := range pictures {
		r.Layers = append(r.Layers, paint.Layer{Image: "x", UV: pbr.Identity, Color: [3]float64{1, 1, 1}, Alpha: 1, Lit: i == 2})
	}
	r.Layers[2].Image = ""
	r.Layers[1].Blend, r.Layers[2].Blend = &q3shader.BlendAlpha, &q3shader.BlendFilter
	for _, name := range []string{"tiled", "turned", "glowing"} {
		b.Run(name, func(b *testing.B) {
			r.Layers[1].UV[0] = 1
			switch name {
			case "turned":
				r.Layers[1].UV[0] = -1
			case "glowing": // the second after the light
				r.Layers[1].Blend, r.Layers[1].Lit, r.Layers[2].Blend = &q3shader.BlendFilter, true, &q3shader.BlendAdd
				r.Layers[2].Lit = false
				r.Layers[2].Color = [3]float64{0.3, 0.2, 0.1}
			}
			b.SetBytes(4 * size * size)
			b.ReportAllocs()
			for b.Loop() {
				if err := paint.LayOut(&r, pictures).Draw(limit.WithDefaults(context.Background()), &r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func noise(size int) *image.NRGBA {
	rnd := rand.New(rand.NewPCG(1, 2))
	im := filled(size, size, color.NRGBA{})
	for i := range im.Pix {
		im.Pix[i] = byte(rnd.Uint32())
	}
	return im
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
	files, w := glossy(texts), shown(mats...)
	s, o := ReadScripts(files), plainOptions
	o.Reflections = true
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(limit.WithDefaults(context.Background()), Input{World: w, Files: files, Scripts: s}, o); err != nil {
			b.Fatal(err)
		}
	}
}

// Two masks and an exponent of 512 x 512.
func BenchmarkGloss(b *testing.B) {
	const size = 512
	a, other := noise(size), noise(size)
	g := paint.Gloss{Masks: []paint.GlossMask{{Picture: a}, {Picture: other, Color: true}}, Exponent: a, Scale: valve.ExponentScale}
	b.SetBytes(4 * size * size)
	b.ReportAllocs()
	for b.Loop() {
		g.Draw(size, size)
	}
}
