package quake3_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/quake3"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// foggy has two boxes as brushes, the second with planes that are not in order.
func foggy(fogs ...ibsp.Fog) *ibsp.Map {
	m := mapOf(triangle())
	for i := range fogs {
		s := triangle()
		s.Fog = int32(i)
		m.Models[0].Surfaces = append(m.Models[0].Surfaces, s)
	}
	m.Models[0].Brushes = []ibsp.Brush{m.Box(0, vec3{0, 0, 0}, vec3{8, 8, 8}), m.Box(0, vec3{-1, -2, -3}, vec3{4, 5, 6})}
	m.Fogs = fogs
	return m
}

func TestFogs(t *testing.T) {
	m := foggy(ibsp.Fog{Shader: "Textures/Fog", Brush: 1, Side: 5}, ibsp.Fog{Shader: "textures/all", Brush: -1, Side: -1},
		ibsp.Fog{Shader: "textures/fog", Side: -1})
	for _, v := range []ibsp.Variant{ibsp.Quake3, ibsp.Raven} {
		w := decode(t, m.Write(v))
		want := []world.Fog{
			{Material: 0, Mins: vec3{-1, -2, -3}, Maxs: vec3{4, 5, 6}, Normal: vec3{0, 0, 1}, Distance: 6}, // side 5 is +Z
			{Material: 1, Mins: vec3{-128, -128, -128}, Maxs: vec3{128, 128, 128}, Global: true},
			{Material: 0, Maxs: vec3{8, 8, 8}},
		}
		if !reflect.DeepEqual(w.Volumes.Fogs, want) {
			t.Errorf("%s: %+v", v.Ident, w.Volumes.Fogs)
		}
		if w.Materials[0] != (world.Material{Name: "textures/fog", Lighting: world.Fullbright}) || w.Materials[1].Name != "textures/all" {
			t.Errorf("%+v", w.Materials)
		}
		for i, s := range w.Models[0].Surfaces {
			if s.Fog != i-1 {
				t.Errorf("surface %d is in fog %d", i, s.Fog)
			}
		}
		wantIssues(t, w)
	}
}

// A fog without bounds keeps its index, so that the others keep theirs.
func TestBrokenFogs(t *testing.T) {
	const brush, side, plane = ibsp.LumpBrushes, ibsp.LumpBrushSides, ibsp.LumpPlanes
	for _, c := range []struct {
		name                string
		lump, size, at, set int32
	}{
		{"first side", brush, 12, 0, -1}, {"last first side", brush, 12, 0, math.MaxInt32}, {"few sides", brush, 12, 4, 5},
		{"sides end", brush, 12, 0, 7}, {"plane", side, 8, 0, -1}, {"plane outside", side, 8, 0, 99},
		{"far plane", side, 8, 0, math.MaxInt32},
		{"brush", ibsp.LumpFogs, 72, 64, 2}, {"far brush", ibsp.LumpFogs, 72, 64, math.MaxInt32},
	} {
		data := foggy(ibsp.Fog{Shader: "f", Brush: 0}, ibsp.Fog{Shader: "g", Brush: 1}).Write(ibsp.Quake3)
		brushmap.SetInt32(data, ibsp.Record(data, int(c.lump), int(c.size), 0)+int(c.at), c.set)
		w := decode(t, data)
		if len(w.Volumes.Fogs) != 2 || w.Volumes.Fogs[0].Mins != (vec3{}) || w.Volumes.Fogs[0].Maxs != (vec3{}) ||
			w.Volumes.Fogs[1].Maxs != (vec3{4, 5, 6}) || len(w.Issues) == 0 ||
			w.Issues[0].Code != "fog" || w.Issues[0].Where != "fog 0" {
			t.Errorf("%s: %+v %q", c.name, w.Volumes.Fogs, issues(w))
		}
	}
	for name, dist := range map[string]float32{"not a number": float32(math.NaN()), "inside out": 9, "far": 1e30} {
		data := foggy(ibsp.Fog{Shader: "f", Brush: 0}).Write(ibsp.Quake3)
		first := brushmap.Int32(data, ibsp.Record(data, side, 8, 0))
		brushmap.SetFloat32(data, ibsp.Record(data, plane, 16, int(first))+12, -dist)
		if w := decode(t, data); w.Volumes.Fogs[0] != (world.Fog{}) || len(w.Issues) != 1 {
			t.Errorf("%s: %+v %q", name, w.Volumes.Fogs, issues(w))
		}
	}
	m := foggy()
	m.Models[0].Surfaces[0].Fog = 3
	wantIssues(t, decode(t, m.Write(ibsp.Quake3)), "fog: face 0: fog 3 is outside the 0 of the map")
	data := foggy(ibsp.Fog{Shader: "f"}).Write(ibsp.Quake3)
	o, n := ibsp.Lump(data, ibsp.LumpFogs)
	ibsp.SetLump(data, ibsp.LumpFogs, o, n-1)
	wantIssues(t, decode(t, data), "fog: lump 12 (fogs): 71 bytes is not a multiple of the 72-byte record",
		"fog: face 1: fog 0 is outside the 0 of the map")
}

// lit returns a map with a light grid, whose samples number themselves.
func lit(mins, maxs vec3, samples int) *ibsp.Map {
	m := mapOf(triangle())
	m.Models[0].Mins, m.Models[0].Maxs = mins, maxs
	m.Grid = make([]ibsp.GridPoint, samples)
	for i := range m.Grid {
		m.Grid[i].Ambient[0], m.Grid[i].Directed[0] = [3]uint8{uint8(i), 0, 0}, [3]uint8{0, uint8(i), 0}
		m.Grid[i].Direction = [2]uint8{64, uint8(64 * (i % 4))}
	}
	return m
}

func TestGrid(t *testing.T) {
	// From ceil(-100/64) = -1 to floor(130/64) = 2: 4; from 0 to 1: 2; from ceil(-300/128) = -2 to floor(127/128) = 0: 3.
	m := lit(vec3{-100, 0, -300}, vec3{130, 127, 127}, 4*2*3)
	for _, v := range []ibsp.Variant{ibsp.Quake3, ibsp.Raven} {
		w := decode(t, m.Write(v))
		g := w.Ambient.Grid
		if g == nil || g.Size != [3]int{4, 2, 3} || g.Origin != (vec3{-64, 0, -256}) || g.Cell != (vec3{64, 64, 128}) ||
			len(g.Ambient) != 24 {
			t.Fatalf("%s: %+v %q", v.Ident, g, issues(w))
		}
		for i := range g.Ambient {
			ambient := [3]uint8{uint8(i), 0, 0}
			if i == 0 && v.Ident == ibsp.Raven.Ident {
				ambient = [3]uint8{1, 1, 1} // black, but in no wall
			}
			if a, d := g.Ambient[i], g.Directed[i]; a != ambient || d != [3]uint8{0, uint8(i), 0} {
				t.Errorf("%s: sample %d: %v %v", v.Ident, i, a, d)
			}
			if want := [][3]int8{{127, 0, 0}, {0, 127, 0}, {-127, 0, 0}, {0, -127, 0}}[i%4]; g.Toward[i] != want {
				t.Errorf("%s: sample %d points to %v, want %v", v.Ident, i, g.Toward[i], want)
			}
		}
		wantIssues(t, w)
	}
}

func TestGridSizeKey(t *testing.T) {
	for size, want := range map[string][3]int{
		"32 64 16": {5, 3, 9}, "0 64 128": {3, 3, 1}, "-64 64 128": {3, 3, 1}, "nan 64 64": {3, 3, 1}, "64 64": {3, 3, 1},
		"1e30 64 64": {3, 3, 1},
	} {
		m := lit(vec3{0, 0, 0}, vec3{128, 128, 127}, want[0]*want[1]*want[2])
		if size == "32 64 16" {
			want[2] = 8
			m.Grid = m.Grid[:5*3*8]
		}
		m.Entities[0] = append(m.Entities[0], [2]string{"gridsize", size})
		if w := decode(t, m.Write(ibsp.Quake3)); w.Ambient.Grid == nil || w.Ambient.Grid.Size != want {
			t.Errorf("%s: %+v %q", size, w.Ambient.Grid, issues(w))
		}
	}
}

// The engines take a grid only if it is exactly as large as the world's box asks for.
func TestGridThatDoesNotFit(t *testing.T) {
	const takes = " samples, the world's box takes 3 x 3 x 2"
	for _, c := range []struct {
		name    string
		samples int
		v       ibsp.Variant
		want    string
	}{
		{"short", 17, ibsp.Quake3, "17" + takes}, {"long", 19, ibsp.Quake3, "19" + takes},
		{"short array", 17, ibsp.Raven, "17" + takes}, {"long array", 19, ibsp.Raven, "19" + takes},
	} {
		w := decode(t, lit(vec3{0, 0, 0}, vec3{128, 128, 128}, c.samples).Write(c.v))
		if w.Ambient.Grid != nil {
			t.Errorf("%s: %+v", c.name, w.Ambient.Grid.Size)
		}
		wantIssues(t, w, "light-grid: lump 15 (light grid): "+c.want)
	}
	// A box between two samples.
	w := decode(t, lit(vec3{1, 1, 1}, vec3{63, 63, 63}, 1).Write(ibsp.Quake3))
	wantIssues(t, w, "light-grid: lump 15 (light grid): the world's box from [1 1 1] to [63 63 63] holds no grid")
	// Not a whole sample.
	data := lit(vec3{0, 0, 0}, vec3{128, 128, 128}, 18).Write(ibsp.Quake3)
	o, n := ibsp.Lump(data, ibsp.LumpGrid)
	ibsp.SetLump(data, ibsp.LumpGrid, o, n+4)
	wantIssues(t, decode(t, data), "light-grid: lump 15 (light grid): 18 samples and 4 bytes, the world's box takes 3 x 3 x 2")
}

func TestGridArrayOutOfRange(t *testing.T) {
	data := lit(vec3{0, 0, 0}, vec3{128, 128, 128}, 18).Write(ibsp.Raven)
	o, _ := ibsp.Lump(data, ibsp.LumpGridArray)
	data[o+3] = 0xff // the second
	w := decode(t, data)
	if g := w.Ambient.Grid; g == nil || g.Toward[1] != [3]int8{} || g.Ambient[1] != [3]uint8{} || g.Toward[2] == [3]int8{} {
		t.Fatalf("%+v", g)
	}
	wantIssues(t, w, "light-grid: lump 17 (light array): 1 samples are outside the 18 of lump 15 (light grid)")
}

func TestGridIsOverbright(t *testing.T) {
	m := lit(vec3{0, 0, 0}, vec3{63, 63, 63}, 1)
	m.Grid[0].Ambient[0], m.Grid[0].Directed[0] = [3]uint8{10, 20, 30}, [3]uint8{128, 64, 0}
	w := decodeOptions(t, m.Write(ibsp.Quake3), quake3.Options{Overbright: 2})
	// 40 80 120; 512 256 0 over 512.
	if a, d := w.Ambient.Grid.Ambient[0], w.Ambient.Grid.Directed[0]; a != [3]uint8{40, 80, 120} || d != [3]uint8{255, 127, 0} {
		t.Error(a, d)
	}
}

// Where light goes beyond white, the grid has the greatest as its scale.
func TestGridsKeepLightBeyondWhite(t *testing.T) {
	for class, want := range map[string]struct {
		scale   float64
		ambient [3]uint8
	}{
		// Doubled, 192 64 1 are 384 128 2 of 255. The scale is d(0.35·384/255) / d(0.35) = 0.239947 / 0.100482 = 2.38797.
		// 128: d(0.175686) / 0.100482 / 2.38797 = 0.108476, which is 0.36313 of 255, 92.6.
		// 2: 0.35·2/255/12.92 / 0.100482 / 2.38797 = 0.00088548, ·12.92·255 = 2.92.
		"weapon_vortex": {2.38797, [3]uint8{255, 93, 3}},
		// Shifted by two bits, 192 64 1 are 768 256 4, of which the greatest becomes 255: 255 85 1.
		// 85: d(0.116667) / 0.100482 = 0.127454, which is 0.39218 of 255, 100.0; 1: 0.00105725·12.92·255 = 3.5.
		"weapon_rocketlauncher": {1, [3]uint8{255, 100, 3}},
	} {
		m := lit(vec3{0, 0, 0}, vec3{63, 63, 63}, 1)
		m.Entities = append(m.Entities, ibsp.Entity{{"classname", class}})
		m.Grid[0].Ambient[0] = [3]uint8{192, 64, 1}
		g := decodeOptions(t, m.Write(ibsp.Quake3), quake3.Options{Overbright: -1, Albedo: 0.35}).Ambient.Grid
		if math.Abs(float64(g.Scale)-want.scale) > 1e-4 || g.Ambient[0] != want.ambient {
			t.Errorf("%s: scale %g, ambient %v, want %+v", class, g.Scale, g.Ambient[0], want)
		}
	}
}

// A global fog has no size where the world's box is invalid.
func TestGlobalFogOfNoBox(t *testing.T) {
	m := mapOf(triangle())
	m.Models[0].Mins, m.Models[0].Maxs = vec3{0, 1, 0}, vec3{1, 0, 1}
	m.Fogs = []ibsp.Fog{{Shader: "fog", Brush: -1, Side: -1}}
	w := decode(t, m.Write(ibsp.Quake3))
	wantIssues(t, w, "fog: fog 0: the world's box from [0 1 0] to [1 0 1] does not bound it")
	if f := w.Volumes.Fogs[0]; !f.Global || f.Mins != (vec3{}) || f.Maxs != (vec3{}) {
		t.Errorf("%+v", f)
	}
}
