package assemble

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// carrying assembles a square with a grey texture under a light, with the vertex carrier. beside is the material of a second
// square that shows the same image.
func carrying(t *testing.T, grey uint8, light float32, display *world.DisplayLight, beside *pbr.Material) *scene.Scene {
	t.Helper()
	w, set := wall(t, grey, page(2, func(int) float32 { return light }))
	w.Baked.Display = display
	if beside != nil {
		w.Materials = append(w.Materials, world.Material{Name: beside.Name})
		w.Models[0].Surfaces = append(w.Models[0].Surfaces, square(1, world.NoChart, 2))
		set.Materials = append(set.Materials, *beside)
	}
	return carry(t, w, set)
}

// page returns a square chart with light that depends on the column.
func page(size int, light func(x int) float32) world.Chart {
	c := world.Chart{Width: size, Height: size, Layers: []world.Layer{{Luxels: make([]world.RGB, size*size)}}}
	for i := range c.Layers[0].Luxels {
		v := light(i % size)
		c.Layers[0].Luxels[i] = world.NewRGB(v, v, v)
	}
	return c
}

// wall returns a world of one square with a grey texture and a chart.
func wall(t *testing.T, grey uint8, light world.Chart) (*world.World, *materials.Set) {
	t.Helper()
	im := image.NewNRGBA(image.Rect(0, 0, 4, 4))
	for i := range 16 {
		im.SetNRGBA(i%4, i/4, color.NRGBA{grey, grey, grey, 255})
	}
	data, err := picture.EncodePNG(im, false, picture.Fast)
	if err != nil {
		t.Fatal(err)
	}
	lit := plainMaterial("wall")
	lit.Base.Image = 0
	w := &world.World{
		Unit: 1, Materials: []world.Material{{Name: "wall"}}, Baked: world.BakedLight{Charts: []world.Chart{light}},
		Models: []world.Model{{Name: "*0", Surfaces: []world.Surface{square(0, 0, 2)}}},
	}
	image := materials.Image{Name: "wall", MIME: "image/png", Data: data, Width: 4, Height: 4}
	return w, &materials.Set{Materials: []pbr.Material{lit}, Images: []materials.Image{image}}
}

// carry assembles a world with the vertex carrier.
func carry(t *testing.T, w *world.World, set *materials.Set) *scene.Scene {
	t.Helper()
	p := defaults()
	p.Lightmap.Carrier = "vertex"
	s, _ := assembled(t, p, w, set, &lightmap.Atlas{Scale: 1})
	return s
}

// texel returns the linear texel of the first image.
func texel(t *testing.T, s *scene.Scene) float64 {
	t.Helper()
	im, _, err := picture.Decode(s.Images[0].Data, "wall", nil)
	if err != nil {
		t.Fatal(err)
	}
	return gamma.Decode(float64(im.Pix[0]) / 255)
}

// A plain viewer shows texture times colour. A reader that follows docs/internals/light.md shows the engine's product, also for light
// beyond white.
func TestVerticesCarryLightBeyondWhite(t *testing.T) {
	const grey = 102 // 0.4 as displayed, 0.133 linear: white is 7.5 times as bright
	bent := &world.DisplayLight{Albedo: 0.35, Exponent: 1}
	for _, c := range []struct {
		light   float32 // linear
		display *world.DisplayLight
		boost   float64
	}{{0.5, nil, 1}, {3, nil, 4}, {0.5, bent, 1}, {3, bent, 4}} {
		s := carrying(t, grey, c.light, c.display, nil)
		base, vertex := texel(t, s), float64(s.Meshes[0].Primitives[0].Colors[0][0])/65535
		boost := base / gamma.Decode(0.4)
		if boost < c.boost*0.7 || boost > c.boost*1.01 || c.boost == 1 && boost != 1 {
			t.Errorf("light %g: the texture is %.2f times as bright, want about %g", c.light, boost, c.boost)
		}
		d := s.Materials[0].Display
		if c.display == nil {
			if want := gamma.Decode(0.4) * float64(c.light); math.Abs(base*vertex-want) > 0.01*want {
				t.Errorf("light %g: a viewer shows %g, want %g", c.light, base*vertex, want)
			}
			continue
		}
		l := float64(gamma.New(0.35, 1).Shown(c.light)) // what the engine multiplies by
		factor := max(d.Texture, 1)
		if got := gamma.Encode(base/factor) * gamma.Encode(vertex*factor*gamma.Decode(d.Albedo)) / d.Albedo; math.Abs(got-0.4*l) > 0.005 {
			t.Errorf("light %g: a reader shows %g, want %g", c.light, got, 0.4*l)
		}
		if got := gamma.Encode(base * vertex); math.Abs(got-0.4*l) > 0.01 { // 0.4 is the mean of the texture: exact in linear light too
			t.Errorf("light %g: a plain viewer shows %g, want %g", c.light, got, 0.4*l)
		}
	}
}

// A texture that is also shown without vertex light is not brightened.
func TestSharedTexturesAreNotBrightened(t *testing.T) {
	beside := plainMaterial("sign")
	beside.Base.Image, beside.Draw.Unlit = 0, true
	s := carrying(t, 102, 3, nil, &beside)
	if got := texel(t, s); math.Abs(got-gamma.Decode(0.4)) > 1e-9 {
		t.Errorf("the texel became %g", got)
	}
	if c := s.Meshes[0].Primitives[0].Colors[0][0]; c != 65535 {
		t.Errorf("the light is %d, want white", c)
	}
}

// Surfaces that share a page are judged by their own part of it.
func TestTexturesAreJudgedByTheirSurfacesLight(t *testing.T) {
	const size = 32
	for _, c := range []struct {
		from, to   float32 // of the surface, in luxels
		brightened bool
	}{{1, 15, false}, {17, 31, true}} {
		w, set := wall(t, 102, page(size, func(x int) float32 {
			if x < size/2 {
				return 0.5
			}
			return 4
		}))
		corners := w.Models[0].Surfaces[0].Shape.(*world.Polygon).Corners
		for i := range corners {
			corners[i].Luxel = [2]float32{c.from + corners[i].UV[0]*(c.to-c.from), 1 + 30*corners[i].UV[1]}
		}
		s := carry(t, w, set)
		if got := texel(t, s) > 1.1*gamma.Decode(0.4); got != c.brightened {
			t.Errorf("luxels %g to %g: brightened %v, want %v", c.from, c.to, got, c.brightened)
		}
	}
}
