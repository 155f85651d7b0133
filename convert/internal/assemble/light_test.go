package assemble

import (
	"math"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The scene's Y is the map's Z, and its Z the map's -Y.
func TestProbesTurnWithTheAxes(t *testing.T) {
	w := &world.World{Unit: 1.0 / 32, Ambient: world.Ambient{Probes: []world.Probe{{Position: [3]float32{32, 64, 96}}}}}
	for i := range w.Ambient.Probes[0].Cube { // from +X, -X, +Y, -Y, +Z, -Z of the map
		w.Ambient.Probes[0].Cube[i] = world.NewRGB(float32(i), 0, 0)
	}
	s, _ := literal(t, defaults(), w)
	p := s.Probes[0]
	var got []float32
	for _, c := range p.Light {
		got = append(got, c[0])
	}
	if p.Position != [3]float64{1, 3, -2} || !slices.Equal(got, []float32{0, 1, 4, 5, 3, 2}) {
		t.Errorf("%v: %v", p.Position, got)
	}
	if s, _ := literal(t, set(t, "lightmap.probes=false"), w); s.Probes != nil {
		t.Error("there are probes")
	}
}

func TestLightGridIsInTheScenesAxes(t *testing.T) {
	s, _ := literal(t, defaults(), &world.World{Unit: 0.5, Ambient: world.Ambient{Grid: &world.Grid{
		Origin: [3]float32{2, 4, 6}, Cell: [3]float32{64, 32, 128}, Size: [3]int{1, 1, 1},
		Ambient: [][3]uint8{{1, 2, 3}}, Directed: [][3]uint8{{4, 5, 6}}, Toward: [][3]int8{{1, 127, 2}},
	}}})
	// A step along the map's Y is a step along -Z, and one along its Z is a step along Y.
	want := [3][3]float64{{32, 0, 0}, {0, 0, -16}, {0, 64, 0}}
	g := s.Grid
	if g.Scale != 1 {
		t.Errorf("a grid that states none has the scale %g", g.Scale)
	}
	for k := range want {
		if !near(g.Steps[k], want[k]) {
			t.Errorf("steps %v, want %v", g.Steps, want)
		}
	}
	if g.Shown != nil {
		t.Errorf("a grid of an unknown game is shown as %+v", *g.Shown)
	}
	if g.Origin != [3]float64{1, 3, -2} || g.Toward[0] != [3]int8{1, 2, -127} || math.Signbit(g.Steps[0][1]) {
		t.Errorf("%+v", g)
	}
	known := &world.World{Baked: world.BakedLight{Display: &world.DisplayLight{Albedo: 0.35, Exponent: 1}},
		Ambient: world.Ambient{Grid: &world.Grid{Models: &world.GridShare{Share: 0.6, Least: 0.125}}}}
	if s, _ := literal(t, defaults(), known); *s.Grid.Shown != (scene.GridShown{Albedo: 0.35, Exponent: 1, Share: 0.6, Least: 0.125}) {
		t.Errorf("%+v", *s.Grid.Shown)
	}
	if s, _ := literal(t, set(t, "lightmap.grid=false"), &world.World{Ambient: world.Ambient{Grid: &world.Grid{}}}); s.Grid != nil {
		t.Error("there is a grid")
	}
}

func TestMaterialsOfBrightVerticesAreMarked(t *testing.T) {
	const white, half = 65535, 32768
	s := &scene.Scene{Materials: make([]scene.Material, 5), Meshes: []scene.Mesh{{Primitives: []scene.Primitive{
		{Material: 0, Colors: [][4]uint16{{white, 0, 0, white}}},
		{Material: 1, Colors: [][4]uint16{{white, 0, 0, white}, {white, 0, 0, half}}, Variants: []int{1, 4}},
		{Material: 2, Colors: [][4]uint16{{white, 0, 0, half}}},
		{Material: 3},
	}}}}
	s.Materials[2].Alpha = pbr.Blend
	markBright(s)
	for i, want := range []bool{false, true, false, false, true} {
		if s.Materials[i].Bright != want {
			t.Errorf("material %d: %v", i, s.Materials[i].Bright)
		}
	}
}

// Viewers must know whether a style's light changes evenly (Source) or at once. It matters only where there are pages of styles.
func TestScenesSayThatStylesAreSmooth(t *testing.T) {
	for _, c := range []struct {
		smooth bool
		style  uint8
		want   bool
	}{{true, 3, true}, {true, world.NightStyle | 3, true}, {true, world.NightStyle, false}, {true, 0, false}, {false, 3, false}} {
		w := &world.World{Baked: world.BakedLight{Smooth: c.smooth}}
		if _, ok := extras(w, 1, &lightmap.Atlas{Pages: []lightmap.Page{{Style: c.style}}}, nil)["bsp2gltf_smooth_styles"]; ok != c.want {
			t.Errorf("%+v: the key is there: %v", c, ok)
		}
	}
}
