package models

import (
	"math"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/floortest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Nothing of the directed light is lost until 60 degrees off, where the cosine is 0.4953; then it falls evenly to 0 at 180:
// 1 - 0.4953/1.4953 is left beside it.
func TestLightThatWraps(t *testing.T) {
	curve := gamma.New(1, 1)
	l := light{wraps: true, shown: &curve}
	for cosine, want := range map[float32]float64{1: 1, 0.4953241: 1, 0: 0.668751, -1: 0} {
		if got := l.part(cosine); math.Abs(float64(got)-want) > 1e-6 {
			t.Errorf("%g: %g, want %g", cosine, got, want)
		}
	}
	// Chrome is 0.1 + 0.8 * 0.9 = 0.82 of the light on all sides, displayed.
	l.ambient, l.directed = [3]float32{0.1, 0.1, 0.1}, [3]float32{0.9, 0.9, 0.9}
	for _, normal := range [][3]float32{{0, 0, 1}, {0, 0, -1}} {
		if got := l.on(normal, [3]float32{0, 0, 1}, world.EvenLight)[0]; math.Abs(float64(got)-gamma.Decode(0.82)) > 1e-6 {
			t.Errorf("%v: %g, want %g", normal, got, gamma.Decode(0.82))
		}
	}
}

func TestPropsAreLitByTheFloor(t *testing.T) {
	w := newWorld(entity("model", "box.md3"), entity("model", "box.md3", "angles", "90 0 0"), entity("classname", "a", "model", "box.md3"))
	w.Models[0].Surfaces, w.Baked.Charts = []world.Surface{floortest.Slab(0, 0)}, []world.Chart{floortest.Chart(1)}
	for i, at := range [][3]float32{{16, 16, 4}, {48, 48, 4}, {100, 0, 4}} {
		w.Props[i].Origin = at
	}
	if err := Gather(t.Context(), fstest.MapFS{"box.md3": {Data: box()}}, w, Options{}); err != nil {
		t.Fatal(err)
	}
	// The triangle looks up; the second prop is pitched by 90 degrees, so that it looks ahead: 0.1 + 0.9 * 0.668751 = 0.701876 of the
	// light is displayed there, which is 0.45066 in linear light.
	for i, want := range [][3]float32{{0.25, 0, 1}, {0.45066, 0, 0.45066}, {1, 1, 1}} {
		c := w.Models[w.Props[i].Index].Surfaces[0].Shape.(*world.Triangles).Vertices[0].Color
		if !near([3]float32(c[:3]), want) {
			t.Errorf("prop %d: %v, want %v", i, c, want)
		}
	}
	if len(w.Issues) != 1 || w.Issues[0] != (world.Issue{Code: "prop-light", Where: "entity 3 (a)",
		Detail: "there is no lit surface below it: it is left white"}) {
		t.Error(w.Issues)
	}
}

// GoldSrc's light on models ends at 1 as displayed, which is decode(0.35^0.8) / decode(0.35) = 0.15623 / 0.10048 in the file's light.
func TestPropsInTheBrightestLightOfGoldSrc(t *testing.T) {
	w := newWorld(entity("model", "box.md3"))
	w.Models[0].Surfaces, w.Baked.Charts = []world.Surface{floortest.Slab(0, 0)}, []world.Chart{floortest.Chart(4)}
	w.Baked.Display, w.Ambient.Floor = &world.DisplayLight{Albedo: 0.35, Exponent: 0.8, Most: 1.4}, &world.FloorLight{Gain: 1}
	w.Props[0].Origin = [3]float32{48, 48, 4}
	if err := Gather(t.Context(), fstest.MapFS{"box.md3": {Data: box()}}, w, Options{}); err != nil {
		t.Fatal(err)
	}
	c := w.Models[w.Props[0].Index].Surfaces[0].Shape.(*world.Triangles).Vertices[0].Color
	if math.Abs(float64(c[0])-1.5548) > 1e-3 || c[1] != 0 || math.Abs(float64(c[2])-1.5548) > 1e-3 {
		t.Error(c)
	}
}

// Of a grid's light of 0.5 as displayed, both ways, the engine shows 0.6 * 0.5 + 0.125 = 0.425 on a side that faces away, and 0.925 on one
// that faces the light.
func TestLightOfAGridOnModels(t *testing.T) {
	curve := gamma.New(0.35, 1)
	stored := uint8(math.Round(255 * gamma.Encode(float64(curve.Linear(0.5)))))
	g := &world.Grid{
		Cell: [3]float32{1, 1, 1}, Size: [3]int{1, 1, 1}, Ambient: [][3]uint8{{stored, stored, stored}},
		Directed: [][3]uint8{{stored, stored, stored}}, Toward: [][3]int8{{0, 0, 127}}, Models: &world.GridShare{Share: 0.6, Least: 0.125},
	}
	l, ok := sample(g, &curve, [3]float32{})
	if !ok {
		t.Fatal("no light")
	}
	for z, want := range map[float32]float32{-1: 0.425, 1: 0.925} {
		got := curve.Shown(l.on([3]float32{0, 0, z}, l.toward, 0)[0])
		if math.Abs(float64(got-want)) > 0.005 { // of 8 bits
			t.Errorf("%g: %g, want %g", z, got, want)
		}
	}
}

// Each of 100,000 surfaces is looked at five times for a prop: 2^27 / 500,000 is 268 props.
func TestLooksAtTheFloorAreBounded(t *testing.T) {
	w := floortest.Lit()
	w.Ambient.Floor = &world.FloorLight{Gain: 1, Spread: 16}
	for len(w.Models[0].Surfaces) < 100_000 {
		w.Models[0].Surfaces = append(w.Models[0].Surfaces, w.Models[0].Surfaces[0])
	}
	p := placed{&world.Prop{Origin: [3]float32{1e4, 0, 0}}, &boundModel{}}
	lamp, n := lampOf(limit.NewBudget(limit.Limits{}), w, []placed{p}), 0
	why := ""
	for ; why == "" && n < 1000; n++ {
		_, why = lamp(p.prop)
	}
	if n != 269 || why != "there are too many props and surfaces to look through" {
		t.Errorf("prop %d: %s", n, why)
	}
}
