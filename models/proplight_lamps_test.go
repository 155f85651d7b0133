package models

import (
	"fmt"
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// lampLight returns the light of a lamp at a place and the way to it, in short.
func lampLight(l world.Light, at [3]float32) string {
	lamp, ok := newLamp(&l)
	if !ok {
		return "none"
	}
	light, toward := lamp.at(at)
	return fmt.Sprintf("%.4g %.3g", light, toward)
}

func TestLightOfLamps(t *testing.T) {
	down := [3]float32{0, 0, -1}
	spot := world.Light{Kind: world.SpotLight, Direction: down, Intensity: 100, Inner: math.Acos(0.8), Outer: math.Acos(0.6)}
	for _, c := range []struct {
		what string
		l    world.Light
		at   [3]float32
		want string
	}{
		{"a point", world.Light{Intensity: 100, Origin: [3]float32{3, 0, 4}}, [3]float32{}, "4 [0.6 0 0.8]"}, // 100/5²
		{"within the lamp", world.Light{Intensity: 100}, [3]float32{}, "100 [0 0 0]"},
		// 5 + 2·5 + 0.4·25 = 25.
		{"falling otherwise", world.Light{Intensity: 100, Origin: [3]float32{5, 0, 0}, Falloff: [3]float64{5, 2, 0.4}}, [3]float32{},
			"4 [1 0 0]"},
		{"a sun", world.Light{Kind: world.SunLight, Intensity: 2, Direction: down}, [3]float32{9, 9, 9}, "2 [-0 -0 1]"},
		{"below a spot", spot, [3]float32{0, 0, -5}, "4 [0 0 1]"},
		{"at the edge of a spot", spot, [3]float32{3, 0, -4}, "4 [-0.6 0 0.8]"},
		{"half off a spot", spot, [3]float32{0.714143, 0, -0.7}, "50 [-0.714 0 0.7]"}, // at length 1: (0.7 - 0.6)/(0.8 - 0.6)
		{"beside a spot", spot, [3]float32{4, 0, -3}, "0 [-0.8 0 0.6]"},
		// 20·0.8.
		{"an area, which has the cosine", world.Light{Kind: world.AreaLight, Direction: down, Intensity: 2000, Outer: math.Pi / 2},
			[3]float32{6, 0, -8}, "16 [-0.6 0 0.8]"},
		{"an area that is in the probes", world.Light{Kind: world.AreaLight, Direction: down, Intensity: 1310, Outer: math.Pi / 2},
			[3]float32{}, "none"}, // 0.005·512² is 1310.7
		{"the sky", world.Light{Kind: world.AmbientLight, Intensity: 1}, [3]float32{}, "none"},
		{"a switched lamp", world.Light{Intensity: 1, Style: 32}, [3]float32{}, "none"},
		{"a dark lamp", world.Light{}, [3]float32{}, "none"},
	} {
		if got := lampLight(c.l, c.at); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

// white returns a lamp of an intensity.
func white(x, y, z float32, intensity float64) world.Light {
	return world.Light{Origin: [3]float32{x, y, z}, Color: [3]float32{1, 1, 1}, Intensity: intensity}
}

// bare returns a map of a solid below X -50 and a leaf that is free, with a probe that is dark.
func bare(lights ...world.Light) *world.World {
	return &world.World{
		Ambient: world.Ambient{Leafs: &world.Leafs{Nodes: []world.LeafNode{{Normal: [3]float32{1, 0, 0}, Distance: -50,
			Children: [2]int{-1, -2}}}, Probes: [][2]int{{0, 1}, {}}, Solid: []bool{false, true}},
			Probes: []world.Probe{{}}}, Lights: lights,
	}
}

// The corner's light is of its centre, (10, 0, 4), but each vertex has its own way to the lamp; all are at (0, 0, 0). A lamp at
// (3, 0, 4) is 5 away: of 25 the first, along +X, has 0.6, the second, along -Y, none, the third, along (0.6, 0, 0.8), all.
func TestLampsLightPropsByTheirVertices(t *testing.T) {
	for _, c := range []struct {
		what string
		l    world.Light
		want string
	}{
		{"a lamp", white(3, 0, 4, 25), "[0.6 0.6 0.6] [0 0 0] [1 1 1]"},
		{"out of reach", world.Light{Origin: [3]float32{3, 0, 4}, Color: [3]float32{1, 1, 1}, Intensity: 25, Range: 6.9},
			"[0 0 0] [0 0 0] [0 0 0]"},
		{"within reach", world.Light{Origin: [3]float32{3, 0, 4}, Color: [3]float32{1, 1, 1}, Intensity: 25, Range: 7},
			"[0.6 0.6 0.6] [0 0 0] [1 1 1]"},
		{"too weak", white(10, 0, 104, 1.99), "[0 0 0] [0 0 0] [0 0 0]"}, // 0.000199 at 100
	} {
		wantColors(t, c.what, streamed(t, bare(c.l), nil, world.Prop{}), c.want)
	}
	// Turned by 180 degrees, the first looks along -X, and has 50.5/√(50.5² + 4²) of the light of a lamp that is half a unit in the wall.
	back := world.Prop{Angles: [3]float32{0, 180, 0}}
	wantColors(t, "at a wall", streamed(t, bare(white(-50.5, 0, 4, 2566.25)), nil, back), "[0.997 0.997 0.997] [0 0 0] [0.661 0.661 0.661]")
	wantColors(t, "in a wall", streamed(t, bare(white(-51.5, 0, 4, 1e6)), nil, back), "[0 0 0] [0 0 0] [0 0 0]")
	// Turned by 90 degrees: its -Y looks along +X, its +X along +Y.
	turned := world.Prop{Angles: [3]float32{0, 90, 0}, Light: world.PropLight{At: &[3]float32{1, 1, 1}}}
	wantColors(t, "turned", streamed(t, bare(white(3, 0, 4, 25)), nil, turned), "[0 0 0] [0.6 0.6 0.6] [0.64 0.64 0.64]")
}

// Six lamps are around (10, 0, 4): of 9, 8, 7 and 6 at one unit, of 0.25 above it, and of 0.1 along (-0.6, 0.8, 0).
func TestLampsBeyondFourGoIntoTheCube(t *testing.T) {
	lights := []world.Light{white(10, 0, 14, 25), white(10, 0, 5, 9), white(11, 0, 4, 8), white(10, 1, 4, 7), white(4, 8, 4, 10),
		white(10, -1, 4, 6)}
	w := bare(lights...)
	l := mustLamps(t, w, 1)
	var c cube
	at := [3]float32{10, 0, 4}
	var got []float64
	for _, lamp := range l.near(at, &c) {
		light, _ := lamp.at(at)
		got = append(got, light)
	}
	if fmt.Sprint(got) != "[9 8 7 6]" {
		t.Error(got)
	}
	if got, want := fmt.Sprintf("%.3g", [6]float32{c[0][0], c[1][0], c[2][0], c[3][0], c[4][0], c[5][0]}),
		"[0 0.06 0.08 0 0.25 0]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func mustLamps(t testing.TB, w *world.World, props int) *lamps {
	t.Helper()
	if len(w.Models) == 0 {
		w.Models = []world.Model{{}}
	}
	l, err := newLamps(limit.NewBudget(limit.Limits{}), w, props)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The sun shines along +X, so that the way to it ends in the wall at -50, where the sky is up to a height of 10. The stronger of
// the two suns counts.
func TestTheSunShinesThroughTheSky(t *testing.T) {
	sun := world.Light{Kind: world.SunLight, Direction: [3]float32{1, 0, 0}, Color: [3]float32{1, 1, 1}, Intensity: 0.5}
	weak := sun
	weak.Intensity = 0.25
	sky := world.Surface{Flags: world.Sky, Shape: &world.Polygon{Corners: []world.Vertex{
		{Position: [3]float32{-50, -99, -99}}, {Position: [3]float32{-50, 99, -99}}, {Position: [3]float32{-50, 99, 10}},
		{Position: [3]float32{-50, -99, 10}}}}}
	list := world.Surface{Flags: world.Sky, Shape: &world.Triangles{Vertices: sky.Shape.(*world.Polygon).Corners,
		Indices: []uint32{0, 1, 2, 0, 2, 3}}}
	wall := sky
	wall.Flags = 0
	for _, c := range []struct {
		what    string
		surface world.Surface
		at      [3]float32
		want    int
	}{
		{"sky", sky, [3]float32{0, 0, 9}, 1}, {"sky of triangles", list, [3]float32{0, 0, 9}, 1},
		{"above it", sky, [3]float32{0, 0, 11}, 0},
		{"a wall", wall, [3]float32{0, 0, 9}, 0},
	} {
		w := bare(weak, sun)
		w.Models = []world.Model{{Surfaces: []world.Surface{c.surface}}}
		got := mustLamps(t, w, 1).near(c.at, &cube{})
		if len(got) != c.want || c.want > 0 && got[0].strength != 0.5 {
			t.Errorf("%s: %d suns", c.what, len(got))
		}
	}
	// The 3D skybox has a sky of its own.
	box := bare(sun)
	box.Models, box.Sky.Skybox3D = []world.Model{{}, {Surfaces: []world.Surface{sky}}}, &world.Skybox3D{Model: 1}
	if got := mustLamps(t, box, 1).near([3]float32{0, 0, 9}, &cube{}); len(got) != 1 {
		t.Error(got)
	}
	// Behind a wall there is no sky.
	w := bare(sun)
	w.Models = []world.Model{{Surfaces: []world.Surface{sky}}}
	w.Ambient.Leafs.Nodes = append(w.Ambient.Leafs.Nodes,
		world.LeafNode{Normal: [3]float32{-1, 0, 0}, Distance: 20, Children: [2]int{-1, -2}})
	w.Ambient.Leafs.Nodes[0].Children[0] = 1
	if got := mustLamps(t, w, 1).near([3]float32{0, 0, 9}, &cube{}); len(got) != 0 {
		t.Error(got)
	}
}

// A million lamps for 65,536 props are looked at as far as there are steps.
func TestLampsAreBounded(t *testing.T) {
	w := bare(make([]world.Light, 1<<20)...)
	for i := range w.Lights {
		w.Lights[i] = white(0, 0, 100, 1e4)
	}
	l := mustLamps(t, w, 1<<16)
	if l.steps != 1<<11 {
		t.Error(l.steps)
	}
	var c cube
	// All are as strong as each other, so that those of the first boxes count, and no more than are traced.
	if n := len(l.near([3]float32{}, &c)); n != 4 || c[4][0] != maxTraced-4 {
		t.Errorf("%d lamps, %g in the cube", n, c[4][0])
	}
	// A lamp, a node and a leaf are three steps; the last has but one.
	l.steps, c = 200, cube{}
	if n := len(l.near([3]float32{}, &c)); n != 4 || c[4][0] != 200/3-4 {
		t.Errorf("%d lamps, %g in the cube", n, c[4][0])
	}
	if _, err := newLamps(limit.NewBudget(limit.Limits{MaxMemory: 1 << 20}), w, 1); err == nil {
		t.Error("a megabyte is enough for a million lamps")
	}
}

// BenchmarkLamps finds the lamps of 5000 props among 500, of which ten are within reach of each, in a tree of 1024 leafs.
func BenchmarkLamps(b *testing.B) {
	w := bare()
	w.Ambient.Leafs.Nodes = w.Ambient.Leafs.Nodes[:0]
	var split func(from, to int) int
	split = func(from, to int) int {
		if to-from == 1 {
			return -1
		}
		at, middle := len(w.Ambient.Leafs.Nodes), (from+to)/2
		w.Ambient.Leafs.Nodes = append(w.Ambient.Leafs.Nodes, world.LeafNode{Normal: [3]float32{1, 0, 0}, Distance: float32(middle * 16)})
		w.Ambient.Leafs.Nodes[at].Children[1] = split(from, middle)
		w.Ambient.Leafs.Nodes[at].Children[0] = split(middle, to)
		return at
	}
	split(0, 1024)
	for i := range 500 {
		l := white(float32(i*32), 0, 100, 1e4)
		l.Range = 190
		w.Lights = append(w.Lights, l)
	}
	l := mustLamps(b, w, 5000)
	b.ReportAllocs()
	b.SetBytes(5000 * 500) // lamps looked at
	for b.Loop() {
		for i := range 5000 {
			l.near([3]float32{float32(i*3 + 500), 0, 0}, &cube{})
		}
	}
}

// Beyond the distance at which a lamp fades it gives less than what counts, and just within it more.
func TestLampsFade(t *testing.T) {
	for _, falls := range [][3]float64{{}, {0, 0, 1}, {1, 2, 0.5}, {0, 100, 1}, {5, 0, 3}} {
		l, ok := newLamp(&world.Light{Kind: world.PointLight, Intensity: 300, Falloff: falls, Color: [3]float32{1, 1, 1}})
		if !ok {
			t.Fatal("no lamp")
		}
		at := func(x float64) float64 { light, _ := l.at([3]float32{float32(x), 0, 0}); return light }
		if in, out := at(l.reach*0.999), at(l.reach*1.001); in < leastLamp || out > leastLamp {
			t.Errorf("%v: at %g units %g and %g", falls, l.reach, in, out)
		}
	}
	for name, l := range map[string]world.Light{"a sun": {Kind: world.SunLight, Intensity: 1},
		"one that never fades": {Intensity: 9, Falloff: [3]float64{1, 0, 0}}} {
		if l, _ := newLamp(&l); !math.IsInf(l.reach, 1) {
			t.Errorf("%s ends at %g", name, l.reach)
		}
	}
	if l, _ := newLamp(&world.Light{Intensity: 1e-6}); l.reach > 1 {
		t.Errorf("a weak one reaches %g", l.reach)
	}
}
