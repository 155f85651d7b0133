package models

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/floortest"
	"github.com/bsp2gltf/bsp2gltf/models/internal/sourcemdl"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/vhv"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// corner returns a model of two surfaces: a triangle whose corners look along +X, -Y and (0.6, 0, 0.8), of two strip groups, and one
// that is not lit.
func corner() *boundModel {
	surface := func(material int) world.Surface {
		return world.Surface{Material: material, Chart: world.NoChart, Shape: &world.Triangles{Indices: []uint32{0, 1, 2},
			Vertices: []world.Vertex{{Normal: [3]float32{1, 0, 0}}, {Normal: [3]float32{0, -1, 0}}, {Normal: [3]float32{0.6, 0, 0.8}}}}}
	}
	return &boundModel{
		model: world.Model{Name: "models/corner.mdl", Surfaces: []world.Surface{surface(0), surface(1)}}, index: world.NoModel,
		center: [3]float32{10, 0, 4},
		hardware: &hardware{checksum: 5, lod: 1, groups: [][]sourcemdl.Group{{{Mesh: 1, Vertices: 2}, {Mesh: 3, Vertices: 1}},
			{{Mesh: 2, Vertices: 3}}}},
	}
}

// streamed lights static props of that model with files beside the map.
func streamed(t *testing.T, w *world.World, files fstest.MapFS, props ...world.Prop) *world.World {
	t.Helper()
	return limited(t, w, files, limit.Limits{}, Options{}, props...)
}

func limited(t *testing.T, w *world.World, files fstest.MapFS, l limit.Limits, o Options, props ...world.Prop) *world.World {
	t.Helper()
	w.Materials = []world.Material{{Name: "a", Lighting: world.PerVertex}, {Name: "b", Lighting: world.Fullbright}}
	if len(w.Models) == 0 {
		w.Models = []world.Model{{}}
	}
	b := limit.NewBudget(l)
	v := corner()
	var list []placed
	for i := range props {
		p := &props[i]
		p.Kind, p.Model, p.Entity, p.Record = world.StaticProp, "models/corner.mdl", world.NoEntity, i
		if p.Scale == [3]float32{} {
			p.Scale = [3]float32{1, 1, 1}
		}
	}
	w.Props = props
	for i := range w.Props {
		list = append(list, placed{&w.Props[i], v})
	}
	if err := showProps(&library{ctx: t.Context(), files: files, budget: b}, w, list, o.Light != LightNone); err != nil {
		t.Fatal(err)
	}
	kept := int64(0)
	counted := map[*world.RGB]bool{}
	for _, p := range w.Props {
		if len(p.Light.Colors) > 0 && !counted[&p.Light.Colors[0][0]] {
			counted[&p.Light.Colors[0][0]] = true
			kept += colorSize * 3
		}
	}
	for _, c := range w.Baked.Charts {
		kept += colorSize * int64(len(c.Layers[0].Luxels))
	}
	if len(w.Models[0].Surfaces) == 0 && b.Reserved() != kept {
		t.Errorf("%d bytes are reserved for %d", b.Reserved(), kept)
	}
	return w
}

// colors returns the colours of each prop's first surface, in short.
func colors(w *world.World) (out []string) {
	for _, p := range w.Props {
		s := ""
		if p.Light.Colors != nil {
			for _, c := range p.Light.Colors[0] {
				f := c.Float32()
				s += fmt.Sprintf("%.3g ", f[:])
			}
		}
		out = append(out, strings.TrimSpace(s))
	}
	return out
}

func wantColors(t *testing.T, what string, w *world.World, want ...string) {
	t.Helper()
	if got := colors(w); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%s:\n%q, want\n%q", what, got, want)
	}
	for i, p := range w.Props {
		if p.Index != 1 || len(p.Light.Colors) > 1 && p.Light.Colors[1] != nil {
			t.Errorf("%s: prop %d shows model %d, colours of the surface without light %v", what, i, p.Index, p.Light.Colors)
		}
	}
}

// storedLight is red on the first strip group, green on the second.
func storedLight() *build.File {
	red, green := build.Even(1, 0, 0), build.Even(0, 1, 0)
	return &build.File{Checksum: 5, Meshes: []build.Mesh{
		{}, {LOD: 1, Colors: [][3][4]uint8{red, red}}, {LOD: 1, Colors: make([][3][4]uint8, 3)}, {LOD: 1, Colors: [][3][4]uint8{green}},
	}}
}

// 1 is stored as 128, which is 1.009 as a half.
func TestStoredLightIsByVertex(t *testing.T) {
	blue := storedLight()
	blue.Meshes[3].Colors[0] = build.Even(0, 0, 1)
	files := fstest.MapFS{"sp_0.vhv": {Data: storedLight().Write()}, "sp_1.vhv": {Data: storedLight().Write()},
		"sp_hdr_1.vhv": {Data: blue.Write()}}
	red, green := "[1.01 0 0] [1.01 0 0]", "[0 1.01 0]"
	wantColors(t, "low range", streamed(t, &world.World{}, files, make([]world.Prop, 3)...), red+" "+green, red+" "+green, "")
	wantColors(t, "high range", streamed(t, &world.World{Baked: world.BakedLight{HDR: true}}, files, make([]world.Prop, 2)...),
		red+" "+green, red+" [0 0 1.01]")
}

func TestStoredLightThatDoesNotFit(t *testing.T) {
	for what, change := range map[string]func(*build.File){
		"it is for a model with the checksum 00000006, but the model has 00000005": func(f *build.File) { f.Checksum = 6 },
		"it has 3 meshes, the model has a mesh 3":                                  func(f *build.File) { f.Meshes = f.Meshes[:3] },
		"mesh 1 has 2 vertices at detail 0, the model's has 2 at 1":                func(f *build.File) { f.Meshes[1].LOD = 0 },
		"mesh 3 has 0 vertices at detail 1, the model's has 1 at 1":                func(f *build.File) { f.Meshes[3].Colors = nil },
		"mesh 1 has 3 vertices at detail 1, the model's has 2 at 1":                func(f *build.File) { f.Meshes[1].Colors = make([][3][4]uint8, 3) },
		"vhv: header: at byte 0: 4 bytes wanted, 0 left":                           func(f *build.File) { *f = build.File{} },
	} {
		f := storedLight()
		change(f)
		data := f.Write()
		if f.Checksum == 0 {
			data = nil
		}
		w := streamed(t, &world.World{}, fstest.MapFS{"sp_0.vhv": {Data: data}, "sp_1.vhv": {Data: data}}, make([]world.Prop, 2)...)
		wantColors(t, what, w, "", "")
		want := world.Issue{Code: "prop-light", Where: "models/corner.mdl", Count: 2,
			Detail: "the light that the map stores for its props is left out: sp_0.vhv: " + what}
		if len(w.Issues) != 1 || w.Issues[0] != want {
			t.Errorf("%+v, want\n%+v", w.Issues, want)
		}
	}
}

func TestStoredTexelsAreCharts(t *testing.T) {
	texels := &build.Texels{Checksum: 5, Format: 2, Pictures: []build.Picture{
		{}, {LOD: 1, Width: 2, Height: 1, Data: []byte{255, 0, 0, 0, 255, 0}}, {LOD: 1, Width: 1, Height: 1, Data: []byte{1, 2, 3}},
	}}
	files := fstest.MapFS{"texelslighting_1.ppl": {Data: texels.Write()}, "sp_1.vhv": {Data: storedLight().Write()}}
	w := streamed(t, &world.World{}, files, make([]world.Prop, 2)...)
	wantColors(t, "texels", w, "", "")
	if p := w.Props[1]; w.Props[0].Light.Charts != nil || len(p.Light.Charts) != 2 || p.Light.Charts[0] != 0 ||
		p.Light.Charts[1] != world.NoChart || len(w.Baked.Charts) != 1 {
		t.Fatalf("%+v, %d charts", w.Props, len(w.Baked.Charts))
	}
	c := w.Baked.Charts[0]
	if c.Width != 2 || c.Height != 1 || len(c.Layers) != 1 || math.Abs(float64(c.Layers[0].Luxels[0].Float32()[0])-4.5948) > 0.002 ||
		c.Layers[0].Luxels[1][0] != 0 {
		t.Errorf("%+v", c)
	}
	texels.Pictures[1].LOD = 0
	files["texelslighting_1.ppl"] = &fstest.MapFile{Data: texels.Write()}
	w = streamed(t, &world.World{}, files, make([]world.Prop, 2)...)
	wantColors(t, "texels of another detail", w, "", "[1.01 0 0] [1.01 0 0] [0 1.01 0]")
	if len(w.Issues) != 2 || !strings.HasSuffix(w.Issues[0].Detail, ": texelslighting_1.ppl: it has no picture of mesh 1 at detail 1") {
		t.Errorf("%+v", w.Issues)
	}
}

// rooms returns a map of two rooms that meet at X 0. The one behind has a probe at -10, the one ahead two at 10 and 13; a third leaf,
// above 100, has none. A probe's light is red from +X, green from -Y and blue from +Z, 2, 3 and 4 for its first.
func rooms() *world.World {
	w := &world.World{Ambient: world.Ambient{Leafs: &world.Leafs{
		Nodes: []world.LeafNode{
			{Normal: [3]float32{0, 0, 1}, Distance: 100, Children: [2]int{-3, 1}}, {Normal: [3]float32{1, 0, 0}, Children: [2]int{-2, -1}},
		},
		Probes: [][2]int{{0, 1}, {1, 2}, {}},
	}}}
	for i, x := range []float32{-10, 10, 13} {
		f := float32(i + 1)
		w.Ambient.Probes = append(w.Ambient.Probes, world.Probe{Position: [3]float32{x, 0, 4}, Cube: [6]world.RGB{
			world.NewRGB(2*f, 0, 0), world.NewRGB(9, 9, 9), world.NewRGB(9, 9, 9), world.NewRGB(0, 3*f, 0), world.NewRGB(0, 0, 4*f),
			world.NewRGB(9, 9, 9)}})
	}
	return w
}

// A corner that looks along (0.6, 0, 0.8) has 0.36 of the light from +X and 0.64 of that from +Z. At 3 units the second probe
// of the room counts a tenth of the first: (10*2 + 3)/11 = 2.09 times the light of the first.
func TestPropsAreLitByTheProbesAroundThem(t *testing.T) {
	at := [3]float32{13, 0, 4}
	gray := world.NewRGB(0.5, 0.25, 1)
	w := streamed(t, rooms(), nil,
		world.Prop{Origin: [3]float32{-20, 0, 0}}, // its center is at -10
		world.Prop{}, // at 10
		world.Prop{Origin: [3]float32{-20, 0, 0}, Light: world.PropLight{At: &at}}, // at 13
		world.Prop{Origin: [3]float32{-30, 0, 0}, Scale: [3]float32{2, 2, 2}},      // at -10
		world.Prop{Origin: [3]float32{10, -10, 0}, Angles: [3]float32{0, 90, 0}},   // at 10, and its -Y looks along +X
		world.Prop{Origin: [3]float32{-20, 0, 200}},                                // where there is none: the nearest
		world.Prop{Light: world.PropLight{Even: &gray}},
	)
	first := "[2 0 0] [0 3 0] [0.72 0 2.56]"
	wantColors(t, "probes", w, first,
		"[4.18 0 0] [0 6.27 0] [1.51 0 5.35]", "[5.82 0 0] [0 8.73 0] [2.09 0 7.45]", first,
		"[9 9 9] [4.18 0 0] [3.24 3.24 8.59]", first, "[0.5 0.25 1] [0.5 0.25 1] [0.5 0.25 1]")
	if len(w.Issues) != 0 {
		t.Error(w.Issues)
	}
}

// Equal light is one list, counted once; the light of a prop that is turned, or in another place, is its own.
func TestPropsInEqualLightShareIt(t *testing.T) {
	left, files := world.Prop{Origin: [3]float32{-20, 0, 0}}, fstest.MapFS{}
	for _, i := range []int{4, 5} {
		files[fmt.Sprintf("sp_%d.vhv", i)] = &fstest.MapFile{Data: storedLight().Write()}
	}
	w := streamed(t, rooms(), files, left, left, world.Prop{}, world.Prop{Origin: [3]float32{-20, 0, 0}, Angles: [3]float32{0, 90, 0}},
		left, left)
	list := func(i int) *[]world.RGB { return &w.Props[i].Light.Colors[0] }
	if list(0) != list(1) || list(4) != list(5) || list(0) == list(2) || list(0) == list(3) || list(0) == list(4) {
		t.Error("equal light is in two lists, or other light in one")
	}
}

// Facing up a corner has the light of the floor, and 0.8 up, too; turned away by 90 degrees 0.701876 of it as displayed (see
// TestPropsAreLitByTheFloor): 0.125 is 0.38857, times that 0.27273, which is 0.0605; 0.5 is 0.73536, 0.51613, and 0.2293.
func TestSharedPropsAreLitByTheFloor(t *testing.T) {
	w := floortest.Lit()
	w.Ambient.Probes = nil
	w = streamed(t, w, nil, world.Prop{Origin: [3]float32{6, 16, 0}}, world.Prop{Origin: [3]float32{500, 0, 0}})
	wantColors(t, "floor", w, "[0.0605 0 0.229] [0.0605 0 0.229] [0.125 0 0.5]", "")
	if len(w.Issues) != 1 || w.Issues[0].Detail != "no light is known for 1 props; they are left white" {
		t.Error(w.Issues)
	}
	wantColors(t, "a map without light", streamed(t, &world.World{}, nil, world.Prop{}), "")
}

func TestNoLightIsNoColors(t *testing.T) {
	files := fstest.MapFS{"sp_0.vhv": {Data: storedLight().Write()}}
	wantColors(t, "none", limited(t, rooms(), files, limit.Limits{}, Options{Light: "none"}, world.Prop{}), "")
}

// Light may take 100 of 400 bytes: that of two props of 3 vertices at 14 bytes.
func TestLightThatIsTooMuchIsShared(t *testing.T) {
	w := limited(t, rooms(), nil, limit.Limits{MaxMemory: 400}, Options{}, world.Prop{Origin: [3]float32{-20, 0, 0}}, world.Prop{},
		world.Prop{Origin: [3]float32{-20, 0, 0}}, world.Prop{})
	second := "[4.18 0 0] [0 6.27 0] [1.51 0 5.35]"
	wantColors(t, "little memory", w, "[2 0 0] [0 3 0] [0.72 0 2.56]", second, second, second)
	want := "light on 2 props would take too much memory (MaxMemory) or time; they have that of another prop of their model"
	if len(w.Issues) != 1 || w.Issues[0].Detail != want || w.Issues[0].Where != "static prop 2" {
		t.Error(w.Issues)
	}
}

// BenchmarkPropLight lights 5000 props of 1000 vertices by probes.
func BenchmarkPropLight(b *testing.B) {
	w := rooms()
	w.Materials = []world.Material{{Name: "a", Lighting: world.PerVertex}}
	v := corner()
	v.model.Surfaces = v.model.Surfaces[:1]
	t := v.model.Surfaces[0].Shape.(*world.Triangles)
	for len(t.Vertices) < 1000 {
		t.Vertices = append(t.Vertices, t.Vertices[:3]...)
	}
	t.Vertices = t.Vertices[:1000]
	w.Props = make([]world.Prop, 5000)
	var list []placed
	for i := range w.Props {
		p := &w.Props[i]
		p.Scale, p.Origin = [3]float32{1, 1, 1}, [3]float32{float32(i%64) - 32, float32(i), 0}
		list = append(list, placed{p, v})
	}
	b.SetBytes(5000 * 1000 * colorSize)
	b.ReportAllocs()
	for b.Loop() {
		w.Models, v.index = []world.Model{{}}, world.NoModel
		l := &library{ctx: b.Context(), files: fstest.MapFS{}, budget: limit.NewBudget(limit.Limits{})}
		if err := showProps(l, w, list, true); err != nil {
			b.Fatal(err)
		}
	}
}
