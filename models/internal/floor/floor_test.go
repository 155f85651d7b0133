package floor

import (
	"math"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/models/internal/floortest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestLightOfTheFloor(t *testing.T) {
	ceiling := floortest.Lit()
	c := ceiling.Models[0].Surfaces[1].Shape.(*world.Polygon).Corners
	c[1], c[3] = c[3], c[1]
	sky := floortest.Lit()
	sky.Models[0].Surfaces[1].Flags = world.Sky
	unlit := floortest.Lit()
	unlit.Models[0].Surfaces[1].Chart = world.NoChart
	slope := floortest.Lit()
	for i, v := range []float32{0, 64, 64, 0} {
		slope.Models[0].Surfaces[1].Shape.(*world.Polygon).Corners[i].Position[2] = 100 + v
	}
	mesh := floortest.Lit()
	mesh.Models[0].Surfaces[1].Shape = &world.Triangles{
		Vertices: mesh.Models[0].Surfaces[1].Shape.(*world.Polygon).Corners, Indices: []uint32{0, 1, 2, 0, 2, 3},
	}
	for _, test := range []struct {
		name string
		w    *world.World
		at   [3]float32
		want [2]float32 // red and blue
		ok   bool
	}{
		{"on the lower floor", floortest.Lit(), [3]float32{16, 16, 0}, [2]float32{0.125, 0.5}, true},
		{"between the luxels", floortest.Lit(), [3]float32{32, 32, 50}, [2]float32{0.28125, 0.5}, true}, // (1 + 2 + 2 + 4) / 32
		{"in a corner", floortest.Lit(), [3]float32{0, 0, 50}, [2]float32{0.125, 0.5}, true},
		{"on the other edge", floortest.Lit(), [3]float32{64, 64, 91}, [2]float32{0.5, 0.5}, true},
		{"8 below the upper floor", floortest.Lit(), [3]float32{16, 48, 92}, [2]float32{0.5, 1}, true},
		{"far above it", floortest.Lit(), [3]float32{48, 16, 1e6}, [2]float32{0.5, 1}, true},
		{"beside it", floortest.Lit(), [3]float32{65, 16, 10}, [2]float32{}, false},
		{"below it", floortest.Lit(), [3]float32{16, 16, -9}, [2]float32{}, false},
		{"NaN", floortest.Lit(), [3]float32{float32(math.NaN()), 16, 10}, [2]float32{}, false},
		{"over a ceiling", ceiling, [3]float32{16, 16, 200}, [2]float32{0.125, 0.5}, true},
		{"over the sky", sky, [3]float32{16, 16, 200}, [2]float32{0.125, 0.5}, true},
		{"over a surface without light", unlit, [3]float32{16, 16, 200}, [2]float32{0.125, 0.5}, true},
		{"on a slope", slope, [3]float32{16, 48, 110}, [2]float32{0.5, 1}, true},
		{"below a slope", slope, [3]float32{48, 16, 110}, [2]float32{0.25, 0.5}, true},
		{"on a mesh", mesh, [3]float32{48, 16, 110}, [2]float32{0.5, 1}, true},
	} {
		f := New(test.w)
		l, ok := f.Light(test.at, false)
		want := [3]float32{test.want[0], 0, test.want[1]}
		var got [3]float32
		for k := range got { // a tenth of what is displayed is ambient
			if math.Abs(float64(l.Directed[k]-9*l.Ambient[k])) > 1e-6 {
				t.Errorf("%s: %v", test.name, l)
			}
			got[k] = f.Curve.Linear(l.Ambient[k] + l.Directed[k])
		}
		if ok != test.ok || !near(got, want) || ok && l.Toward != [3]float32{0, 0, 1} {
			t.Errorf("%s: %v %v, want %v", test.name, got, ok, want)
		}
	}
}

func TestMapsWithoutLightHaveNoFloor(t *testing.T) {
	dark := floortest.Lit()
	dark.Baked.Charts[0].Layers, dark.Baked.Charts[1].Layers = nil, nil
	for _, w := range []*world.World{{}, {Models: []world.Model{{}}}, dark} {
		if f := New(w); f != nil {
			t.Error(len(f.lit))
		}
	}
}

// A floor of 64 units whose luxels get brighter along X, as GoldSrc lights models by it.
func goldSrc(law world.FloorLight) *world.World {
	w := floortest.Lit()
	w.Models[0].Surfaces = w.Models[0].Surfaces[:1]
	w.Baked.Display = &world.DisplayLight{Albedo: 0.35, Exponent: 0.8}
	curve := gamma.New(0.35, 0.8)
	c := &w.Baked.Charts[0]
	for i, shown := range []float32{0.4, 0.8, 0.4, 0.8} {
		x := curve.Linear(shown)
		c.Layers[0].Luxels[i] = world.NewRGB(x, x, 0)
	}
	w.Ambient.Floor = &law
	return w
}

func TestLightOfGoldSrc(t *testing.T) {
	styled := goldSrc(world.FloorLight{Gain: 0.75})
	c := &styled.Baked.Charts[0]
	for _, style := range []uint8{32, 33, 34} {
		c.Layers = append(c.Layers, world.Layer{Style: style, Luxels: c.Layers[0].Luxels})
	}
	styled.Baked.Styles = world.Levels{32: {}, 33: {0.5, 0.5, 0.5}}
	sun := goldSrc(world.FloorLight{Gain: 0.75, Spread: 16, Sun: &world.Sun{Color: [3]float32{2, 1, 0}, Direction: [3]float32{0, 0, -1}}})
	dim := gamma.New(0.35, 0.8).Linear(0.2)
	lake := goldSrc(world.FloorLight{Gain: 0.75, Hidden: []world.Lit{{Shape: floortest.Slab(20, world.NoChart).Shape.(*world.Polygon),
		Chart: world.Chart{Width: 1, Height: 1, Layers: []world.Layer{{Luxels: []world.RGB{world.NewRGB(dim, 0, 0)}}}}}}})
	sky := floortest.Slab(500, world.NoChart)
	sky.Flags = world.Sky
	sun.Models[0].Surfaces = append(sun.Models[0].Surfaces, sky)
	roof := goldSrc(*sun.Ambient.Floor)
	roof.Models[0].Surfaces = append(slices.Clone(sun.Models[0].Surfaces), floortest.Slab(400, world.NoChart))
	ceiling := goldSrc(world.FloorLight{Gain: 0.75})
	corners := ceiling.Models[0].Surfaces[0].Shape.(*world.Polygon).Corners
	corners[1], corners[3] = corners[3], corners[1]
	for _, test := range []struct {
		name   string
		w      *world.World
		at     [3]float32
		above  bool
		shown  float32 // of red
		toward [3]float32
	}{
		// 0.75 of the nearest luxel, not of the mean between two.
		{"dark", goldSrc(world.FloorLight{Gain: 0.75}), [3]float32{31, 32, 0}, false, 0.3, [3]float32{0, 0, 1}},
		{"bright", goldSrc(world.FloorLight{Gain: 0.75}), [3]float32{33, 32, 0}, false, 0.6, [3]float32{0, 0, 1}},
		// A liquid at 20 has less, for what is above it.
		{"above a liquid", lake, [3]float32{33, 32, 30}, false, 0.15, [3]float32{0, 0, 1}},
		{"in a liquid", lake, [3]float32{33, 32, 10}, false, 0.6, [3]float32{0, 0, 1}},
		// Styles off, at half and on: 0.3 * 2.5.
		{"styles", styled, [3]float32{1, 1, 0}, false, 0.75, [3]float32{0, 0, 1}},
		{"styles beyond white", styled, [3]float32{63, 1, 0}, false, 1, [3]float32{0, 0, 1}},
		// The light of red and green is 0.3 twice to the left, 0.6 to the right: the means of three channels are 0.2 and 0.4, so it comes
		// from 0.4 along X for 1 along Z.
		{"between", goldSrc(world.FloorLight{Gain: 0.75, Spread: 16}), [3]float32{33, 32, 0}, false, 0.6, [3]float32{0.371391, 0, 0.928477}},
		{"the sun", sun, [3]float32{33, 32, 0}, false, 1, [3]float32{0, 0, 1}},
		{"below a roof", roof, [3]float32{33, 32, 0}, false, 0.6, [3]float32{0.371391, 0, 0.928477}},
		{"below a ceiling", ceiling, [3]float32{1, 1, -50}, true, 0.3, [3]float32{0, 0, -1}},
	} {
		l, ok := New(test.w).Light(test.at, test.above)
		if got := l.Ambient[0] + l.Directed[0]; !ok || math.Abs(float64(got-test.shown)) > 1e-3 || !near(l.Toward, test.toward) {
			t.Errorf("%s: %v, want %g from %v", test.name, l, test.shown, test.toward)
		}
	}
	// A colour of 2 is a tenth ambient, 0.2, and the rest up to white.
	l, _ := New(sun).Light([3]float32{33, 32, 0}, false)
	if !near(l.Ambient, [3]float32{0.2, 0.1, 0}) || !near(l.Directed, [3]float32{0.8, 0.4, 0}) {
		t.Error(l)
	}
	if l, ok := New(ceiling).Light([3]float32{1, 1, -50}, false); !ok || l.Ambient != [3]float32{} || l.Directed != [3]float32{} {
		t.Error("a ceiling is no floor: there it is dark")
	}
}

// A lift at 10 10 30 is lit as the floor in its model, at 0: 0.3. Where the world has light, it is the world's.
func TestLightOfBrushModels(t *testing.T) {
	w := goldSrc(world.FloorLight{Gain: 0.75})
	w.Models = append(w.Models, world.Model{Surfaces: []world.Surface{floortest.Slab(0, 0)}})
	w.Models[0].Surfaces[0] = floortest.Slab(0, 1) // beside, and dark
	for i := range w.Models[0].Surfaces[0].Shape.(*world.Polygon).Corners {
		w.Models[0].Surfaces[0].Shape.(*world.Polygon).Corners[i].Position[0] += 500
	}
	lift := world.Entity{Model: 1, Pairs: []world.Pair{{Key: "classname", Value: "func_door"}, {Key: "origin", Value: "10 10 30"}}}
	for _, test := range []struct {
		what  string
		class string
		turn  [3]float32
		at    [3]float32
		shown float32
	}{
		{"on it", "func_door", [3]float32{}, [3]float32{12, 12, 40}, 0.3},
		{"below it", "func_door", [3]float32{}, [3]float32{12, 12, 20}, 0},
		{"beside it", "func_door", [3]float32{}, [3]float32{9, 12, 40}, 0},
		{"no body", "func_illusionary", [3]float32{}, [3]float32{12, 12, 40}, 0},
		{"turned", "func_door", [3]float32{0, 90, 0}, [3]float32{12, 12, 40}, 0},
	} {
		e := lift
		e.Pairs = slices.Clone(e.Pairs)
		e.Pairs[0].Value, e.ModelAngles = test.class, test.turn
		w.Entities = []world.Entity{{}, e}
		l, ok := New(w).Light(test.at, false)
		if got := l.Ambient[0] + l.Directed[0]; !ok || math.Abs(float64(got-test.shown)) > 1e-3 {
			t.Errorf("%s: %v, want %g", test.what, l, test.shown)
		}
	}
}

func near(a, b [3]float32) bool {
	for k := range a {
		if math.Abs(float64(a[k]-b[k])) > 1e-3 {
			return false
		}
	}
	return true
}

// BenchmarkFloor looks for the light of a place over 64 000 floors of which four are below it.
func BenchmarkFloor(b *testing.B) {
	w := &world.World{Models: []world.Model{{}}, Baked: world.BakedLight{Charts: []world.Chart{floortest.Chart(1)}}}
	for i := range 64000 {
		s := floortest.Slab(float32(i%4), 0)
		for k := range 4 {
			p := &s.Shape.(*world.Polygon).Corners[k].Position
			p[0], p[1] = p[0]+float32(i/4%128)*64, p[1]+float32(i/4/128)*64
		}
		w.Models[0].Surfaces = append(w.Models[0].Surfaces, s)
	}
	f := New(w)
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := f.Light([3]float32{3000, 3000, 100}, false); !ok {
			b.Fatal()
		}
	}
}

// A file can name a model in any number of entities: its surfaces count once.
func TestBrushModelsCountOnce(t *testing.T) {
	w := goldSrc(world.FloorLight{Gain: 0.75})
	w.Models = append(w.Models, world.Model{Surfaces: []world.Surface{floortest.Slab(0, 0)}})
	for range 3 {
		w.Entities = append(w.Entities, world.Entity{Model: 1, Pairs: []world.Pair{{Key: "classname", Value: "func_wall"}}})
	}
	if f := New(w); len(f.moved) != 1 || f.Steps != 2 {
		t.Errorf("%d surfaces, %d steps", len(f.moved), f.Steps)
	}
}
