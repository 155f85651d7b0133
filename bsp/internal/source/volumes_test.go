package source_test

import (
	"encoding/binary"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/source"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// room returns a map of a room of 256 x 256 x 128 units, which is one leaf.
func room() *vbsp.Map {
	m := &vbsp.Map{Entities: []vbsp.Entity{{{"classname", "worldspawn"}}}}
	m.Hollow(1, vec3{0, 0, 0}, vec3{256, 256, 128}, bricks)
	return m
}

// cube is light that differs on each side: 1, 2, 4 to 32 times an amount.
func cube(exp int8) (c [6]vbsp.RGBE) {
	for k := range c {
		c[k] = vbsp.RGBE{R: 255, G: 0, B: 51, Exp: exp + int8(k)}
	}
	return c
}

// decoded is the light of cube as the world stores it: an exponent of 0 leaves numbers unchanged.
func decoded(light float32) (c [6]world.RGB) {
	for k := range c {
		c[k] = world.NewRGB(255*light, 0, 51*light)
		light *= 2
	}
	return c
}

// A sample lies at 255ths of its leaf's box: 0.2 of 256 is 51.2. The older forms have one cube a leaf, at its middle.
func TestProbes(t *testing.T) {
	m := room()
	m.Probes = []vbsp.Probe{{At: vec3{51.2, 102.4, 128 * 0.6}, Cube: cube(0)}, {At: vec3{128, 128, 1}},
		{At: vec3{0.1, 0.1, 0.1}, Cube: cube(-1)}}
	m.ProbesHDR = []vbsp.Probe{{At: vec3{51.2, 102.4, 128 * 0.6}, Cube: cube(3)}}
	middle := []world.Probe{{Position: vec3{128, 128, 64}, Cube: decoded(1)}}
	old := *m
	old.OldProbes = true
	for _, c := range []struct {
		what  string
		m     *vbsp.Map
		v     vbsp.Variant
		light string
		want  []world.Probe
	}{
		{"samples; a black one is left out", m, vbsp.Source2007, "ldr", []world.Probe{
			{Position: vec3{51.2, 102.4, 76.8}, Cube: decoded(1)}, {Position: vec3{0, 0, 0}, Cube: decoded(0.5)}}},
		{"samples of high range", m, vbsp.Source2007, "hdr", []world.Probe{{Position: vec3{51.2, 102.4, 76.8}, Cube: decoded(8)}}},
		{"a lump of cubes", &old, vbsp.Source2007, "ldr", middle},
		{"cubes in leafs", m, vbsp.Source2004, "ldr", middle},
	} {
		c.m.Lighting, c.m.LightingHDR = nil, nil
		c.m.Light(0, []uint8{0}, even(0.5))
		if c.light == "hdr" {
			c.m.LightHDR(0, []uint8{0}, even(0.5))
		}
		w := decodeOptions(t, c.m.Write(c.v), source.Options{LDR: c.light == "ldr"})
		wantIssues(t, w)
		if !near2(w.Ambient.Probes, c.want) {
			t.Errorf("%s:\n%+v, want\n%+v", c.what, w.Ambient.Probes, c.want)
		}
	}
}

// near2 reports whether probes are equal apart from rounding of their positions.
func near2(a, b []world.Probe) bool {
	for i := range a {
		if i >= len(b) || a[i].Cube != b[i].Cube || !near(a[i].Position, b[i].Position, 0.001) {
			return false
		}
	}
	return len(a) == len(b)
}

// index returns the content of the lump that assigns samples to leafs: counts and firsts.
func index(pairs ...[2]int) (b []byte) {
	for _, p := range pairs {
		b = binary.LittleEndian.AppendUint16(b, uint16(p[0]))
		b = binary.LittleEndian.AppendUint16(b, uint16(p[1]))
	}
	return b
}

// cubes are n samples with light.
func cubes(n int) []byte {
	b := make([]byte, 28*n)
	for i := range n {
		b[28*i] = 255
	}
	return b
}

// openLeafs are that many leafs of air.
func openLeafs(n int) []byte { return make([]byte, 32*n) }

func TestBrokenProbes(t *testing.T) {
	data := floor(bricks).Write(vbsp.Source2007)
	build := func(leafs int, samples []byte, pairs ...[2]int) []byte {
		b := vbsp.Replace(data, vbsp.LumpLeaves, openLeafs(leafs))
		b = vbsp.Replace(b, vbsp.LumpNodes, nil)
		return vbsp.Replace(vbsp.Replace(b, vbsp.LumpAmbient, samples), vbsp.LumpAmbientIndex, index(pairs...))
	}
	for _, c := range []struct {
		what  string
		data  []byte
		want  int
		issue string
	}{
		{"whole", build(3, cubes(4), [2]int{1, 0}, [2]int{0, 9}, [2]int{3, 1}), 4, ""},
		{"more leafs than the index has", build(5, cubes(4), [2]int{1, 0}, [2]int{3, 1}), 4, ""},
		{"fewer leafs than the index has", build(1, cubes(4), [2]int{1, 0}, [2]int{3, 1}), 1, ""},
		{"too few samples", build(3, cubes(4), [2]int{1, 0}, [2]int{1, 1}, [2]int{3, 2}), 2,
			"ambient: lump 52 (ambient index): leaf 2 has 3 samples from 2 of 4"},
		{"samples taken again", build(3, cubes(4), [2]int{4, 0}, [2]int{4, 0}), 4,
			"ambient: lump 52 (ambient index): leaf 1 has 4 samples from 0 of 4"},
		{"no whole samples", build(1, cubes(4)[1:], [2]int{1, 0}), 0, "lump-broken: lump 56 (ambient lighting): is left out: 111 bytes"},
		{"no whole index", vbsp.Replace(build(1, cubes(1)), vbsp.LumpAmbientIndex, make([]byte, 5)),
			0, "lump-broken: lump 52 (ambient index): is left out"},
		{"no index, and no cube for each leaf", build(3, make([]byte, 24)), 0,
			"lump-broken: lump 56 (ambient lighting): is left out: 24 bytes are not 24 for each of 3 leafs"},
		{"no leafs", build(0, cubes(4), [2]int{4, 0}), 0, ""},
	} {
		w := decode(t, c.data)
		if len(w.Ambient.Probes) != c.want {
			t.Errorf("%s: %d probes", c.what, len(w.Ambient.Probes))
		}
		if got := issues(w); (c.issue != "") != (len(got) == 1) || c.issue != "" && !strings.HasPrefix(got[0], c.issue) {
			t.Errorf("%s: %q", c.what, got)
		}
	}
	// The index of the first sample has 16 bits. With more samples, the next one that matches is taken.
	const n = 70_000
	pairs := make([][2]int, n)
	for i := range pairs {
		pairs[i] = [2]int{1, i & 0xffff}
	}
	w := decode(t, build(n, cubes(n), pairs...))
	wantIssues(t, w)
	if len(w.Ambient.Probes) != n {
		t.Errorf("%d probes of %d", len(w.Ambient.Probes), n)
	}
	// In solids there is no light.
	solid := openLeafs(2)
	solid[0] = 1
	w = decode(t, vbsp.Replace(build(2, cubes(2), [2]int{1, 0}, [2]int{1, 1}), vbsp.LumpLeaves, solid))
	if len(w.Ambient.Probes) != 1 {
		t.Errorf("%d probes, one of them in a solid", len(w.Ambient.Probes))
	}
}

// A place finds the samples of its leaf, in a solid those of the leaf that the index names.
func TestLeafsAreForProbes(t *testing.T) {
	m := room()
	m.Probes = []vbsp.Probe{{At: vec3{10, 10, 10}, Cube: cube(0)}, {At: vec3{200, 10, 10}, Cube: cube(1)}}
	data := m.Write(vbsp.Source2007)
	w := decode(t, data)
	if first, n := w.Ambient.Leafs.At([3]float32{100, 100, 50}); first != 0 || n != 2 {
		t.Errorf("%d probes from %d", n, first)
	}
	if _, n := w.Ambient.Leafs.At([3]float32{-100, 100, 50}); n != 0 {
		t.Errorf("%d probes in a wall", n)
	}
	leafs := len(w.Ambient.Leafs.Probes)
	pairs := make([][2]int, leafs)
	for i, p := range w.Ambient.Leafs.Probes {
		if pairs[i] = [2]int{p[1], 0}; p[1] == 0 {
			for k, other := range w.Ambient.Leafs.Probes {
				if other[1] > 0 {
					pairs[i][1] = k
				}
			}
		}
	}
	w = decode(t, vbsp.Replace(data, vbsp.LumpAmbientIndex, index(pairs...)))
	if first, n := w.Ambient.Leafs.At([3]float32{-100, 100, 50}); first != 0 || n != 2 {
		t.Errorf("%d probes from %d in a wall", n, first)
	}
	wantIssues(t, w)
	// A tree that goes in circles has each node once, and one without a plane has no leafs.
	nodes := func(list ...int32) (b []byte) {
		for i := 0; i < len(list); i += 3 {
			for _, x := range list[i : i+3] {
				b = binary.LittleEndian.AppendUint32(b, uint32(x))
			}
			b = append(b, make([]byte, 20)...)
		}
		return b
	}
	w = decode(t, vbsp.Replace(data, vbsp.LumpNodes, nodes(0, 1, 0, 0, 0, 1, 1<<20, 0, 0)))
	if n := len(w.Ambient.Leafs.Nodes); n != 2 {
		t.Errorf("%d nodes", n)
	}
	for _, x := range []float32{-1e6, 0, 1e6} {
		w.Ambient.Leafs.At([3]float32{x, x, x})
	}
}

func TestCubemaps(t *testing.T) {
	m := floor(bricks)
	m.Cubemaps = []vbsp.Cubemap{{Origin: [3]int32{1, -2, 3}}, {Origin: [3]int32{64, 0, 0}, Size: 8}, {Size: 14},
		{Origin: [3]int32{math.MaxInt32, 0, 0}}}
	m.TexData = append(m.TexData, vbsp.TexData{Name: "maps/"})
	for _, c := range []struct{ name, material, folder string }{
		{"DE_Test", "", "de_test"},
		{"renamed", "maps/Before/glass/window_1_-2_3", "before"}, // the compiler's own materials say it
	} {
		if c.material != "" {
			m.TexData = append(m.TexData, vbsp.TexData{Name: c.material})
		}
		w := decodeOptions(t, m.Write(vbsp.Source2007), source.Options{Name: c.name})
		want := []world.Cubemap{
			{Origin: vec3{1, -2, 3}, Size: 32, Files: "materials/maps/" + c.folder + "/c1_-2_3"},
			{Origin: vec3{64, 0, 0}, Size: 128, Files: "materials/maps/" + c.folder + "/c64_0_0"},
		}
		if !reflect.DeepEqual(w.Cubemaps, want) {
			t.Errorf("%+v, want\n%+v", w.Cubemaps, want)
		}
		wantIssues(t, w, "cubemap: cubemap 2: it is at [0 0 0] with size 14", "cubemap: cubemap 3: it is at [2147483647 0 0] with size 0")
	}
}

// A body of water has the material of its drawn surface, else a separate one.
func TestWaters(t *testing.T) {
	m := row(2)
	m.Light(1, []uint8{0}, even(0.5))
	water := vbsp.Material{Name: "nature/water", Width: 64, Height: 64, Flags: vbsp.Warp}
	nan := float32(math.NaN())
	m.LeafWater = []vbsp.LeafWater{
		{Surface: 64, Bottom: -16, TexInfo: m.Faces[0].TexInfo}, {Surface: 32, TexInfo: int16(m.Project(water, vec3{0, 0, 1}))},
		{Surface: 0, TexInfo: -1}, {Surface: 0, TexInfo: 99}, {Surface: nan},
	}
	m.Overlays = []vbsp.Overlay{sign(m, 0)} // comes before
	w := decode(t, m.Write(vbsp.Source2007))
	wantIssues(t, w, "water: water 4: it is from NaN to 0")
	first := w.Models[0].Surfaces[0].Material
	if len(w.Volumes.Waters) != 4 || !reflect.DeepEqual(w.Volumes.Waters[0], world.Water{Surface: 64, Bottom: -16, Material: first}) ||
		w.Volumes.Waters[2].Material != -1 || w.Volumes.Waters[3].Material != -1 {
		t.Errorf("%+v", w.Volumes.Waters)
	}
	if m := w.Materials[w.Volumes.Waters[1].Material]; m.Name != "nature/water" || m.Flags != world.Liquid {
		t.Errorf("%+v", m)
	}
}

func TestBrushes(t *testing.T) {
	for _, v := range []vbsp.Variant{vbsp.Source2007, vbsp.Source2010} {
		m := room()
		m.StartModel()
		m.Box(vbsp.Solid|vbsp.Detail|vbsp.PlayerClip, vec3{16, 16, 16}, vec3{32, 48, 64}, bricks)
		b := &m.Brushes[len(m.Brushes)-1]
		b.Sides = append(b.Sides, vbsp.BrushSide{Plane: m.Plane(vec3{1, 0, 0}, 99), Bevel: true})
		b.Sides[0].Thin = true
		w := decode(t, m.Write(v))
		wantIssues(t, w)
		if len(w.Volumes.Brushes) != 7 {
			t.Fatalf("%d brushes", len(w.Volumes.Brushes))
		}
		for i, b := range w.Volumes.Brushes[:6] {
			if b.Model != 0 || b.Names != "solid" || b.Contents != 1 || b.Record != i || len(b.Planes) != 6 {
				t.Errorf("%+v", b)
			}
		}
		want := world.Brush{Model: 1, Contents: 0x8010001, Names: "solid playerclip detail", Record: 6, Planes: [][4]float32{
			{-1, 0, 0, -16}, {1, 0, 0, 32}, {0, -1, 0, -16}, {0, 1, 0, 48}, {0, 0, -1, -16}, {0, 0, 1, 64},
		}}
		if got := w.Volumes.Brushes[6]; !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want\n%+v", got, want)
		}
	}
}

func TestBrokenBrushes(t *testing.T) {
	for _, c := range []struct {
		what  string
		field int
		value int32
		issue string
	}{
		{"sides before the first", 0, -1, "brush: brush 0: 6 sides from -1 of 36"},
		{"sides behind the last", 0, 31, "brush: brush 0: 6 sides from 31 of 36"},
		{"as many as can be", 4, math.MaxInt32, "brush: brush 0: 2147483647 sides from 0 of 36"},
		{"less than none", 4, -1, "brush: brush 0: -1 sides from 0 of 36"},
		{"none", 4, 0, "brush: brush 0: it is not closed: 0 of its 0 sides are planes"},
		{"the sides of all", 4, 36, "brush: brush 1: the brushes have more than the 36 sides of the map"},
	} {
		data := room().Write(vbsp.Source2007)
		brushmap.SetInt32(data, vbsp.Record(data, vbsp.LumpBrushes, 12, 0)+c.field, c.value)
		w := decode(t, data)
		want := 5
		if strings.HasPrefix(c.issue, "brush: brush 1") {
			want = 1
		}
		if got := issues(w); len(w.Volumes.Brushes) != want || len(got) != 1 || !strings.HasPrefix(got[0], c.issue) {
			t.Errorf("%s: %d brushes, %q", c.what, len(w.Volumes.Brushes), got)
		}
	}
	data := room().Write(vbsp.Source2007)
	brushmap.SetInt16(data, vbsp.Record(data, vbsp.LumpBrushSides, 8, 0), -1)
	w := decode(t, data)
	wantIssues(t, w)
	if len(w.Volumes.Brushes[0].Planes) != 5 {
		t.Errorf("%d planes", len(w.Volumes.Brushes[0].Planes))
	}
	// A tree that is a circle, and leafs that all have the same brushes.
	data = room().Write(vbsp.Source2007)
	brushmap.SetInt32(data, vbsp.Record(data, vbsp.LumpNodes, 32, 0)+4, 0)
	if w := decode(t, data); len(w.Volumes.Brushes) != 5 { // one is in no leaf that the tree leads to
		t.Errorf("a circle: %d brushes, %q", len(w.Volumes.Brushes), issues(w))
	}
	data = room().Write(vbsp.Source2007)
	brushes := len(stored(data, vbsp.LumpLeafBrushes)) / 2
	leafs := len(stored(data, vbsp.LumpLeaves)) / 32
	for i := range leafs {
		at := vbsp.Record(data, vbsp.LumpLeaves, 32, i)
		brushmap.SetInt16(data, at+24, 0)
		brushmap.SetInt16(data, at+26, int16(brushes))
	}
	w = decode(t, data)
	if got := issues(w); len(got) == 0 || !strings.HasPrefix(got[0], "brush: leaf ") || len(w.Volumes.Brushes) != 6 {
		t.Errorf("the same brushes: %d brushes, %q", len(w.Volumes.Brushes), got)
	}
}

func BenchmarkProbes(b *testing.B) {
	m := floor(bricks)
	data := vbsp.Replace(m.Write(vbsp.Source2007), vbsp.LumpLeaves, openLeafs(4096))
	pairs := make([][2]int, 4096)
	for i := range pairs {
		pairs[i] = [2]int{8, 8 * i}
	}
	data = vbsp.Replace(vbsp.Replace(data, vbsp.LumpAmbientIndex, index(pairs...)), vbsp.LumpAmbient, cubes(8*4096))
	benchmark(b, data, vbsp.LumpAmbient)
}

func BenchmarkBrushes(b *testing.B) {
	m := room()
	for i := range 2048 {
		x, y := float32(i%64*4), float32(i/64*4)
		m.Box(vbsp.Solid, vec3{x, y, 0}, vec3{x + 2, y + 2, 2})
	}
	benchmark(b, m.Write(vbsp.Source2007), vbsp.LumpBrushSides)
}
