package models

import (
	"math"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// slab returns a floor of 64 x 64 units from 0 0 with a chart of 2 x 2 luxels, whose first centre is at 16 16.
func slab(z float32, chart int) world.Surface {
	p := &world.Polygon{}
	for _, c := range [4][2]float32{{0, 0}, {64, 0}, {64, 64}, {0, 64}} {
		p.Corners = append(p.Corners, world.Vertex{Position: [3]float32{c[0], c[1], z}, Luxel: [2]float32{c[0] / 32, c[1] / 32}})
	}
	return world.Surface{Shape: p, Chart: chart, Fog: -1}
}

// chart has luxels of a red of 0.25 and 0.5 in its first row, and twice that in its second.
func chart(scale float32) world.Chart {
	var luxels []world.RGB
	for _, red := range []float32{0.25, 0.5, 0.5, 1} {
		luxels = append(luxels, world.NewRGB(red*scale, 0, scale))
	}
	return world.Chart{Width: 2, Height: 2, Layers: []world.Layer{{Luxels: luxels}}}
}

// lit returns a map with a floor at 0 and a brighter one at 100.
func lit() *world.World {
	return &world.World{
		Models: []world.Model{{Surfaces: []world.Surface{slab(0, 0), slab(100, 1)}}},
		Baked:  world.BakedLight{Charts: []world.Chart{chart(0.5), chart(1)}},
	}
}

func TestLightOfTheFloor(t *testing.T) {
	const none = "there is no lit surface below it"
	ceiling := lit()
	c := ceiling.Models[0].Surfaces[1].Shape.(*world.Polygon).Corners
	c[1], c[3] = c[3], c[1]
	sky := lit()
	sky.Models[0].Surfaces[1].Flags = world.Sky
	unlit := lit()
	unlit.Models[0].Surfaces[1].Chart = world.NoChart
	slope := lit()
	for i, v := range []float32{0, 64, 64, 0} {
		slope.Models[0].Surfaces[1].Shape.(*world.Polygon).Corners[i].Position[2] = 100 + v
	}
	mesh := lit()
	mesh.Models[0].Surfaces[1].Shape = &world.Triangles{
		Vertices: mesh.Models[0].Surfaces[1].Shape.(*world.Polygon).Corners, Indices: []uint32{0, 1, 2, 0, 2, 3},
	}
	for _, test := range []struct {
		name string
		w    *world.World
		at   [3]float32
		want [2]float32 // red and blue
		why  string
	}{
		{"on the lower floor", lit(), [3]float32{16, 16, 0}, [2]float32{0.125, 0.5}, ""},
		{"between the luxels", lit(), [3]float32{32, 32, 50}, [2]float32{0.28125, 0.5}, ""}, // (1 + 2 + 2 + 4) / 32
		{"in a corner", lit(), [3]float32{0, 0, 50}, [2]float32{0.125, 0.5}, ""},
		{"on the other edge", lit(), [3]float32{64, 64, 91}, [2]float32{0.5, 0.5}, ""},
		{"8 below the upper floor", lit(), [3]float32{16, 48, 92}, [2]float32{0.5, 1}, ""},
		{"far above it", lit(), [3]float32{48, 16, 1e6}, [2]float32{0.5, 1}, ""},
		{"beside it", lit(), [3]float32{65, 16, 10}, [2]float32{}, none},
		{"below it", lit(), [3]float32{16, 16, -9}, [2]float32{}, none},
		{"NaN", lit(), [3]float32{float32(math.NaN()), 16, 10}, [2]float32{}, none},
		{"over a ceiling", ceiling, [3]float32{16, 16, 200}, [2]float32{0.125, 0.5}, ""},
		{"over the sky", sky, [3]float32{16, 16, 200}, [2]float32{0.125, 0.5}, ""},
		{"over a surface without light", unlit, [3]float32{16, 16, 200}, [2]float32{0.125, 0.5}, ""},
		{"on a slope", slope, [3]float32{16, 48, 110}, [2]float32{0.5, 1}, ""},
		{"below a slope", slope, [3]float32{48, 16, 110}, [2]float32{0.25, 0.5}, ""},
		{"on a mesh", mesh, [3]float32{48, 16, 110}, [2]float32{0.5, 1}, ""},
	} {
		l, why := newFloor(test.w).light(test.at)
		want := light{wraps: true, directed: [3]float32{test.want[0], 0, test.want[1]}, toward: [3]float32{0, 0, 1}}
		if why != "" {
			want = light{}
		}
		if why != test.why || !near(l.directed, want.directed) || l.toward != want.toward || l.wraps != want.wraps {
			t.Errorf("%s: %v %q, want %v", test.name, l, why, want)
		}
	}
}

func TestMapsWithoutLightHaveNoFloor(t *testing.T) {
	dark := lit()
	dark.Baked.Charts[0].Layers, dark.Baked.Charts[1].Layers = nil, nil
	for _, w := range []*world.World{{}, {Models: []world.Model{{}}}, dark} {
		if f := newFloor(w); f != nil {
			t.Error(len(f.faces))
		}
	}
}

// Facing up there is all the light, to the side (1 - 0.3)^2 of it, facing down 0.1^2.
func TestLightThatWraps(t *testing.T) {
	l := light{wraps: true}
	for cosine, want := range map[float32]float64{1: 1, 0.5: 1, 0: 0.49, -0.5: 0.16, -1: 0.01} {
		if got := l.part(cosine); math.Abs(float64(got)-want) > 1e-6 {
			t.Errorf("%g: %g, want %g", cosine, got, want)
		}
	}
}

func TestPropsAreLitByTheFloor(t *testing.T) {
	w := newWorld(entity("model", "box.md3"), entity("model", "box.md3", "angles", "90 0 0"), entity("classname", "a", "model", "box.md3"))
	w.Models[0].Surfaces, w.Baked.Charts = []world.Surface{slab(0, 0)}, []world.Chart{chart(1)}
	for i, at := range [][3]float32{{16, 16, 4}, {48, 48, 4}, {100, 0, 4}} {
		w.Props[i].Origin = at
	}
	if err := Gather(t.Context(), fstest.MapFS{"box.md3": {Data: box()}}, w, Options{}); err != nil {
		t.Fatal(err)
	}
	// The triangle looks up; the second prop is pitched by 90 degrees, so that it looks ahead.
	for i, want := range [][3]float32{{0.25, 0, 1}, {0.49, 0, 0.49}, {1, 1, 1}} {
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

// BenchmarkFloor looks for the light of a place over 64 000 floors of which four are below it.
func BenchmarkFloor(b *testing.B) {
	w := &world.World{Models: []world.Model{{}}, Baked: world.BakedLight{Charts: []world.Chart{chart(1)}}}
	for i := range 64000 {
		s := slab(float32(i%4), 0)
		for k := range 4 {
			p := &s.Shape.(*world.Polygon).Corners[k].Position
			p[0], p[1] = p[0]+float32(i/4%128)*64, p[1]+float32(i/4/128)*64
		}
		w.Models[0].Surfaces = append(w.Models[0].Surfaces, s)
	}
	f := newFloor(w)
	b.ReportAllocs()
	for b.Loop() {
		if _, why := f.light([3]float32{3000, 3000, 100}); why != "" {
			b.Fatal(why)
		}
	}
}
