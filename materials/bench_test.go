package materials

import (
	"context"
	"image"
	"image/color"
	"io/fs"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/q3shader"
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
		names = append(names, "textures/demo/"+stem(e.Name()))
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
		set, err := Load(context.Background(), files, s, w, o)
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
	r := recipe{light: byMap}
	for i := range pictures {
		r.layers = append(r.layers, layer{image: "x", uv: identity, color: [3]float64{1, 1, 1}, alpha: 1, lit: i == 2})
	}
	r.layers[2].image = ""
	r.layers[1].blend, r.layers[2].blend = &q3shader.BlendAlpha, &q3shader.BlendFilter
	for _, name := range []string{"tiled", "turned", "glowing"} {
		b.Run(name, func(b *testing.B) {
			r.layers[1].uv[0] = 1
			switch name {
			case "turned":
				r.layers[1].uv[0] = -1
			case "glowing": // the second after the light
				r.layers[1].blend, r.layers[1].lit, r.layers[2].blend = &q3shader.BlendFilter, true, &q3shader.BlendAdd
				r.layers[2].lit = false
				r.layers[2].color = [3]float64{0.3, 0.2, 0.1}
			}
			b.SetBytes(4 * size * size)
			b.ReportAllocs()
			for b.Loop() {
				if err := r.draw(context.Background(), r.plan(pictures)); err != nil {
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
