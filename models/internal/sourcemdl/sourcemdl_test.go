package sourcemdl

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/sourcemdl"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func budget() *limit.Budget { return limit.NewBudget(limit.Limits{}) }

// on returns a vertex that one bone moves.
func on(bone uint8, x, y, z float32) build.Vertex {
	return build.Vertex{Weights: [3]float32{1}, Bones: [3]uint8{bone}, Count: 1, Position: [3]float32{x, y, z}, Normal: [3]float32{0, 0, 1}}
}

// list returns a strip group of a list of triangles of the first n vertices.
func list(n int, indices ...uint16) build.Group {
	g := build.Group{Strips: []build.Strip{{Indices: indices}}}
	for i := range n {
		g.Vertices = append(g.Vertices, uint16(i))
	}
	return g
}

// arm returns a triangle from 0 0 10 to 5 0 10 and 0 1 10, seen from above, of which the second vertex hangs on a bone that
// is 10 units above the first one. A step of the second bone's angles is 1/200 of a half turn, of its place 1/4.
func arm() *build.Model {
	const turn = math.Pi / 200
	return &build.Model{
		Checksum: 0x1234, Center: [3]float32{1, 2, 3},
		Bones: []build.Bone{
			{Name: "root", Parent: -1, PositionStep: [3]float32{1, 1, 1}, AngleStep: [3]float32{turn, turn, turn}},
			{Name: "arm", Position: [3]float32{0, 0, 10}, PositionStep: [3]float32{0.25, 0.25, 0.25},
				AngleStep: [3]float32{turn, turn, turn}},
		},
		Textures: []string{"skin"}, Folders: []string{`Models\Ours\`}, Skins: [][]int16{{0}},
		Parts: []build.Part{{Base: 1, Variants: []build.Variant{{Meshes: []build.Mesh{{
			Vertices: []build.Vertex{on(0, 0, 0, 10), on(1, 5, 0, 10), on(0, 0, 1, 10)},
			Levels:   [][]build.Group{{list(3, 0, 2, 1)}},
		}}}}}},
	}
}

// files opens those of a model that is called models/a.mdl.
func files(m *build.Model) func(string) ([]byte, error) {
	all := map[string][]byte{}
	for ext, data := range m.Files() {
		all["models/a"+ext] = data
	}
	return opener(all)
}

// decode returns a model in looks.
func decode(t *testing.T, m *build.Model, o Options, looks ...skeleton.Appearance) *Model {
	t.Helper()
	got, err := Decode(t.Context(), "models/a.mdl", m.Files()[".mdl"], looks, files(m), o, budget())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func shapeOf(m *Model, look, surface int) *world.Triangles {
	return m.Shown[look].Model.Surfaces[surface].Shape.(*world.Triangles)
}

// The triangle is stored clockwise, seen from above, where its normals point to.
func TestDecodesTriangle(t *testing.T) {
	m := arm()
	m.Flags = build.StaticProp
	m.Parts[0].Variants[0].Meshes[0].Vertices[1].UV = [2]float32{0.25, 0.75}
	up, white := [3]float32{0, 0, 1}, [4]float32{1, 1, 1, 1}
	want := &Model{
		Checksum: 0x1234, Center: [3]float32{1, 2, 3}, Irises: []bool{false}, Materials: [][]string{{"models/ours/skin", "skin"}},
		Shown: []Shown{{
			Model: &world.Model{
				Name: "models/a.mdl", Mins: [3]float32{0, 0, 10}, Maxs: [3]float32{5, 1, 10},
				Surfaces: []world.Surface{{
					Chart: world.NoChart, Fog: -1,
					Shape: &world.Triangles{
						Vertices: []world.Vertex{
							{Position: [3]float32{0, 0, 10}, Normal: up, Color: white},
							{Position: [3]float32{5, 0, 10}, Normal: up, UV: [2]float32{0.25, 0.75}, Color: white},
							{Position: [3]float32{0, 1, 10}, Normal: up, Color: white},
						},
						Indices: []uint32{0, 1, 2},
					},
				}},
			},
			Groups: [][]Group{{{0, 3}}},
		}},
	}
	if diff := cmp.Diff(want, decode(t, m, Options{}, skeleton.Appearance{})); diff != "" {
		t.Error(diff)
	}
}

// The arm is turned by a quarter about Z, so that its vertex goes from 5 0 10 to 0 5 10; or its bone goes from 0 0 10 to
// 0 0 12, so that it goes to 5 0 12.
func TestPoses(t *testing.T) {
	const quarter = math.Sqrt2 / 2
	turned, moved, stays := [3]float32{0, 5, 10}, [3]float32{5, 0, 12}, [3]float32{5, 0, 10}
	words := func(v ...uint16) (b []byte) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint16(b, x)
		}
		return b
	}
	// Z is the third of 15 bits, W its positive rest.
	turn48 := words(32768, 32768, 16384+uint16(math.Round(16384*quarter)))
	turn64 := binary.LittleEndian.AppendUint64(nil, 1048576|1048576<<21|(1048576+uint64(math.Round(1048576.5*quarter)))<<42)
	// The first of the three is W (3), then X and Y; Z is left out. In 23168ths W is 16382.
	turn48S := words(1<<15|16384+16382, 1<<15|16384, 16384)
	place := words(0, 0, 0x4a00) // 12 as a half: 1.5 * 8
	floats := binary.LittleEndian.AppendUint32(make([]byte, 8), math.Float32bits(12))
	record := func(r build.Record) []byte { return build.Records(r) }
	for _, test := range []struct {
		name string
		a    build.Animation
		want [3]float32
	}{
		{"no data", build.Animation{Data: build.NoRecords()}, stays},
		{"at no offset", build.Animation{}, stays},
		{"tracks of angles", build.Animation{Data: record(build.Record{Bone: 1, Flags: build.MovedTurn, Tracks: [][3]int16{{0, 0, 100}}})},
			turned},
		{"tracks of places",
			build.Animation{Data: record(build.Record{Bone: 1, Flags: build.MovedPosition, Tracks: [][3]int16{{0, 0, 8}}})}, moved},
		{"both", build.Animation{Data: record(build.Record{Bone: 1, Flags: build.MovedTurn | build.MovedPosition,
			Tracks: [][3]int16{{0, 0, 100}, {0, 0, 8}}})},
			[3]float32{0, 5, 12}},
		{"the second of two records", build.Animation{Data: build.Records(build.Record{Bone: 0, Flags: build.RawPosition,
			Raw: words(0, 0, 0)},
			build.Record{Bone: 1, Flags: build.RawTurn48, Raw: turn48})}, turned},
		{"48 bits", build.Animation{Data: record(build.Record{Bone: 1, Flags: build.RawTurn48, Raw: turn48})}, turned},
		{"64 bits", build.Animation{Data: record(build.Record{Bone: 1, Flags: build.RawTurn64, Raw: turn64})}, turned},
		{"halves", build.Animation{Data: record(build.Record{Bone: 1, Flags: build.RawPosition, Raw: place})}, moved},
		{"a record that is added", build.Animation{Data: record(build.Record{Bone: 1, Flags: build.MovedTurn | build.Added,
			Tracks: [][3]int16{{0, 0, 100}}})}, stays},
		{"an animation that is added", build.Animation{Flags: build.Delta,
			Data: record(build.Record{Bone: 1, Flags: build.RawTurn48, Raw: turn48})}, stays},
		{"in a section", build.Animation{Section: true, Data: record(build.Record{Bone: 1, Flags: build.RawTurn48, Raw: turn48})}, turned},
		{"in a block", build.Animation{Block: 1, Data: record(build.Record{Bone: 1, Flags: build.RawTurn48, Raw: turn48})}, turned},
		{"in a section in a block", build.Animation{Section: true, Block: 2,
			Data: record(build.Record{Bone: 1, Flags: build.RawTurn48, Raw: turn48})}, turned},
		{"in block -1", build.Animation{Block: -1, Data: record(build.Record{Bone: 1, Flags: build.RawTurn48, Raw: turn48})}, stays},
		{"frames, turned for all", build.Animation{Flags: build.ByFrames, Data: build.Frames([]uint8{0, 0x02}, turn48, nil)}, turned},
		{"frames, turned for all, the greatest left out",
			build.Animation{Flags: build.ByFrames, Data: build.Frames([]uint8{0, 0x40}, turn48S, nil)}, turned},
		{"frames, halves for all", build.Animation{Flags: build.ByFrames, Data: build.Frames([]uint8{0, 0x01}, place, nil)}, moved},
		{"frames, floats for all", build.Animation{Flags: build.ByFrames, Data: build.Frames([]uint8{0, 0x20}, floats, nil)}, moved},
		{"frames, turned in each", build.Animation{Flags: build.ByFrames, Data: build.Frames([]uint8{0, 0x08}, nil, turn48)}, turned},
		{"frames, turned in each, the greatest left out",
			build.Animation{Flags: build.ByFrames, Data: build.Frames([]uint8{0, 0x80}, nil, turn48S)}, turned},
		{"frames, halves in each", build.Animation{Flags: build.ByFrames, Data: build.Frames([]uint8{0, 0x04}, nil, place)}, moved},
		{"frames, floats in each", build.Animation{Flags: build.ByFrames, Data: build.Frames([]uint8{0, 0x10}, nil, floats)}, moved},
		{"frames, turned for all and moved in each",
			build.Animation{Flags: build.ByFrames, Data: build.Frames([]uint8{0, 0x02 | 0x10}, turn48, floats)},
			[3]float32{0, 5, 12}},
		{"frames of nothing", build.Animation{Flags: build.ByFrames, Data: build.Frames([]uint8{0, 0}, nil, nil)}, stays},
	} {
		m := arm()
		m.Animations, m.Sequences, m.File = []build.Animation{test.a}, []build.Sequence{{Label: "idle"}}, "models/a.ani"
		got := decode(t, m, Options{}, skeleton.Appearance{})
		near(t, test.name, shapeOf(got, 0, 0).Vertices[1].Position, test.want)
		if len(got.Issues) > 0 {
			t.Error(test.name, got.Issues)
		}
	}
}

// near compares a place with 1/1000 to spare, which is what the angles' bits leave.
func near(t *testing.T, name string, got, want [3]float32) {
	t.Helper()
	for k := range got {
		if math.Abs(float64(got[k]-want[k])) > 1e-3 {
			t.Errorf("%s: %v, want %v", name, got, want)
			return
		}
	}
}

// swinging returns an arm with a sequence that stays and one that turns by a quarter.
func swinging() *build.Model {
	m := arm()
	m.Animations = []build.Animation{{Data: build.NoRecords()},
		{Data: build.Records(build.Record{Bone: 1, Flags: build.MovedTurn, Tracks: [][3]int16{{0, 0, 100}}})}}
	m.Sequences = []build.Sequence{{Label: "idle"}, {Label: "Swing", Animation: 1}}
	return m
}

func TestSequences(t *testing.T) {
	turned, stays := [3]float32{0, 5, 10}, [3]float32{5, 0, 10}
	for _, test := range []struct {
		name  string
		edit  func(*build.Model)
		look  skeleton.Appearance
		want  [3]float32
		issue string
	}{
		{"the first", nil, skeleton.Appearance{}, stays, ""},
		{"by its number", nil, skeleton.Appearance{Sequence: 1}, turned, ""},
		{"by its name", nil, skeleton.Appearance{Animation: "swing"}, turned, ""},
		{"a name goes before a number", nil, skeleton.Appearance{Sequence: 1, Animation: "idle"}, stays, ""},
		{"a name that is not there", nil, skeleton.Appearance{Sequence: 1, Animation: "run"}, stays,
			`model-animation: models/a.mdl: it has no sequence "run": it shows "idle"`},
		{"a number that is not there", nil, skeleton.Appearance{Sequence: 2}, stays, ""},
		{"a negative one", nil, skeleton.Appearance{Sequence: -1}, stays, ""},
		{"of a model that does not move", func(m *build.Model) { m.Flags = build.StaticProp }, skeleton.Appearance{Sequence: 1}, stays, ""},
		{"one that is added", func(m *build.Model) { m.Sequences[1].Flags = build.Delta }, skeleton.Appearance{Sequence: 1}, stays, ""},
		{"one that leaves the bone alone", func(m *build.Model) { m.Sequences[1].Weights = []float32{1, 0} }, skeleton.Appearance{Sequence: 1}, stays, ""},
		{"one that leaves the other bone alone", func(m *build.Model) { m.Sequences[1].Weights = []float32{0, 1} }, skeleton.Appearance{Sequence: 1},
			turned, ""},
		{"in another model", func(m *build.Model) { m.Includes = []string{"models/b.mdl"} }, skeleton.Appearance{Animation: "run"}, stays,
			`model-animation: models/a.mdl: the included model models/b.mdl: file does not exist: its sequences are missing`},
		{"an animation of another model", func(m *build.Model) { m.Sequences[1].Animation = 2 }, skeleton.Appearance{Sequence: 1}, stays,
			"model-animation: models/a.mdl: sequence 1 shows an animation that does not exist: its bones stay where they are"},
		{"a file of animations that is not there", func(m *build.Model) { m.Animations[1].Block, m.File = 1, "models/b.ani" },
			skeleton.Appearance{Sequence: 1}, stays,
			"model-animation: models/a.mdl: its animations models/b.ani: file does not exist: its bones stay where they are"},
		{"a file of animations without a name", func(m *build.Model) { m.Animations[1].Block = 1 }, skeleton.Appearance{Sequence: 1}, stays, ""},
		{"a bone that is not there", func(m *build.Model) { m.Animations[1].Data[0] = 2 }, skeleton.Appearance{Sequence: 1}, stays,
			"model-animation: models/a.mdl: sequence 1: the model: an animation of bone 2 of 2: its bones stay where they are"},
		{"a bone far away", func(m *build.Model) {
			m.Animations[1] = build.Animation{Flags: build.ByFrames,
				Data: build.Frames([]uint8{0, 0x10}, nil, []byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f})}
		}, skeleton.Appearance{Sequence: 1}, stays, "model-animation: models/a.mdl: bone 1 is at"},
		{"sections of a version that has them otherwise", func(m *build.Model) { m.Version, m.Animations[1].Section = 45, true },
			skeleton.Appearance{Sequence: 1}, stays, ""},
	} {
		m := swinging()
		if test.edit != nil {
			test.edit(m)
		}
		got := decode(t, m, Options{}, test.look)
		near(t, test.name, shapeOf(got, 0, 0).Vertices[1].Position, test.want)
		issue := ""
		for _, i := range got.Issues {
			issue += i.Code + ": " + i.Detail
		}
		if !strings.HasPrefix(issue, test.issue) || test.issue == "" && issue != "" {
			t.Errorf("%s: %s", test.name, issue)
		}
	}
}

// A vertex at 5 0 10 hangs on a bone that stays and on one that takes it to 0 5 10: with a quarter of the second it is
// at 3.75 1.25 10. Weights count by their sum, and of a bone that does not move vertices not at all.
func TestVerticesHangOnThreeBones(t *testing.T) {
	for _, test := range []struct {
		name    string
		weights [3]float32
		count   uint8
		want    [3]float32
	}{
		{"two", [3]float32{0.75, 0.25}, 2, [3]float32{3.75, 1.25, 10}},
		{"a sum of 2", [3]float32{1, 0.5, 0.5}, 3, [3]float32{3.75, 1.25, 10}},
		{"the first alone", [3]float32{0.75, 0.25}, 1, [3]float32{5, 0, 10}},
		{"none", [3]float32{0.75, 0.25}, 0, [3]float32{5, 0, 10}},
		{"no weights", [3]float32{}, 2, [3]float32{5, 0, 10}},
	} {
		m := swinging()
		v := &m.Parts[0].Variants[0].Meshes[0].Vertices[1]
		v.Weights, v.Bones, v.Count = test.weights, [3]uint8{0, 1, 0}, test.count
		near(t, test.name, shapeOf(decode(t, m, Options{}, skeleton.Appearance{Sequence: 1}), 0, 0).Vertices[1].Position, test.want)
	}
}

// Normals turn with their vertices: +X goes to +Y.
func TestNormalsTurn(t *testing.T) {
	m := swinging()
	m.Parts[0].Variants[0].Meshes[0].Vertices[1].Normal = [3]float32{2, 0, 0}
	near(t, "normal", shapeOf(decode(t, m, Options{}, skeleton.Appearance{Sequence: 1}), 0, 0).Vertices[1].Normal, [3]float32{0, 1, 0})
}

// An animation of where the bones are anyway gives the vertices that the file has, with any turn of the bones.
func TestBindPoseLeavesVertices(t *testing.T) {
	m := arm()
	m.Bones[0].Position, m.Bones[0].Angles = [3]float32{1, -2, 3}, [3]float32{0.3, -0.7, 2}
	m.Bones[1].Angles = [3]float32{-1, 0.5, 0.25}
	m.Animations = []build.Animation{{Data: build.Records(build.Record{Bone: 0, Flags: build.MovedTurn | build.MovedPosition,
		Tracks: [][3]int16{{}, {}}},
		build.Record{Bone: 1, Flags: build.MovedTurn | build.MovedPosition, Tracks: [][3]int16{{}, {}}})}}
	m.Sequences = []build.Sequence{{Label: "idle"}}
	got := decode(t, m, Options{}, skeleton.Appearance{})
	if !got.Shown[0].Posed {
		t.Error("no bone has moved it")
	}
	for i, want := range [][3]float32{{0, 0, 10}, {5, 0, 10}, {0, 1, 10}} {
		near(t, "vertex", shapeOf(got, 0, 0).Vertices[i].Position, want)
	}
}

func TestPackedNumbers(t *testing.T) {
	for v, want := range map[uint16]float64{0: 0, 0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 1: 1.0 / (1 << 24), 0x7c00: 65504, 0xfc00: -65504,
		0x3555: 0.333251953125} {
		if got := half(binary.LittleEndian.AppendUint16(nil, v)); got != want {
			t.Errorf("half %#x: %g, want %g", v, got, want)
		}
	}
	// The top bits of the second and the first number say which part comes first; the one left out is the rest to 1, and
	// negative by the top bit of the third. 11584 of 23168 is a half.
	const a, b, c = 16384 + 11584, 16384 - 11584, 16384 + 11584
	for first, want := range [][4]float64{{0.5, -0.5, 0.5, -0.5}, {-0.5, 0.5, -0.5, 0.5}, {0.5, -0.5, 0.5, -0.5}, {-0.5, 0.5, -0.5, 0.5}} {
		packed := binary.LittleEndian.AppendUint16(nil, a|uint16(first>>1)<<15)
		packed = binary.LittleEndian.AppendUint16(packed, b|uint16(first&1)<<15)
		packed = binary.LittleEndian.AppendUint16(packed, c|1<<15)
		if diff := cmp.Diff(want, quaternion48S(packed)); diff != "" {
			t.Error(first, diff)
		}
	}
	if got := space.NewMatrix([3]float64{1, 2, 3}, [4]float64{}); got != (space.Matrix{{1, 0, 0, 1}, {0, 1, 0, 2}, {0, 0, 1, 3}}) {
		t.Error("no quaternion turns:", got)
	}
}

// A bone is turned about X, then Y, then Z: with all three at 90 degrees, Y goes to Z, to X, to Y; X to X, -Z, -Z.
func TestAnglesTurnInOrder(t *testing.T) {
	m := space.NewMatrix([3]float64{}, space.FromAngles([3]float64{math.Pi / 2, math.Pi / 2, math.Pi / 2}))
	for _, test := range []struct {
		in   [3]float32
		want [3]float64
	}{{[3]float32{1, 0, 0}, [3]float64{0, 0, -1}}, {[3]float32{0, 1, 0}, [3]float64{0, 1, 0}}} {
		got := m.Direction(test.in)
		for k := range got {
			if math.Abs(got[k]-test.want[k]) > 1e-12 {
				t.Errorf("%v is at %v, want %v", test.in, got, test.want)
				break
			}
		}
	}
}

func TestStrips(t *testing.T) {
	for _, test := range []struct {
		name   string
		strips []build.Strip
		want   []uint32
	}{
		{"a list", []build.Strip{{Indices: []uint16{0, 1, 2, 2, 1, 3}}}, []uint32{0, 2, 1, 2, 3, 1}},
		{"joined", []build.Strip{{Joined: true, Indices: []uint16{0, 1, 2, 3, 4}}}, []uint32{0, 2, 1, 1, 2, 3, 2, 4, 3}},
		{"both", []build.Strip{{Indices: []uint16{0, 1, 2}}, {Joined: true, Indices: []uint16{2, 1, 3}}}, []uint32{0, 2, 1, 2, 3, 1}},
		{"joined, and turned by a corner twice", []build.Strip{{Joined: true, Indices: []uint16{0, 1, 2, 2, 3}}}, []uint32{0, 2, 1}},
		{"a corner too many", []build.Strip{{Indices: []uint16{0, 1, 2, 3}}}, []uint32{0, 2, 1}},
		{"without area", []build.Strip{{Indices: []uint16{0, 1, 1, 0, 1, 2}}}, []uint32{0, 2, 1}},
		{"nothing", nil, nil},
	} {
		m := arm()
		mesh := &m.Parts[0].Variants[0].Meshes[0]
		mesh.Vertices = []build.Vertex{on(0, 0, 0, 0), on(0, 0, 1, 0), on(0, 1, 0, 0), on(0, 1, 1, 0), on(0, 2, 0, 0)}
		mesh.Levels = [][]build.Group{{{Vertices: []uint16{0, 1, 2, 3, 4}, Strips: test.strips}}}
		got := decode(t, m, Options{}, skeleton.Appearance{})
		if test.want == nil {
			if len(got.Shown[0].Model.Surfaces) != 0 {
				t.Error(test.name, got.Shown[0].Model.Surfaces)
			}
			continue
		}
		if diff := cmp.Diff(test.want, shapeOf(got, 0, 0).Indices); diff != "" {
			t.Error(test.name, diff)
		}
	}
}

// The vertices of a mesh are those of its strip groups, one after the other, whatever the size of a group's record.
func TestStripGroups(t *testing.T) {
	for _, wide := range []bool{false, true} {
		m := arm()
		m.Wide = wide
		meshes := &m.Parts[0].Variants[0].Meshes
		first := (*meshes)[0]
		first.Levels = [][]build.Group{{
			{Vertices: []uint16{2, 0, 1}, Strips: []build.Strip{{Indices: []uint16{0, 1, 2}}}},
			{Vertices: []uint16{1, 2, 0}, Strips: []build.Strip{{Indices: []uint16{2, 1, 0}}}},
		}}
		*meshes = append([]build.Mesh{first}, *meshes...)
		got := decode(t, m, Options{}, skeleton.Appearance{})
		if diff := cmp.Diff([][]Group{{{0, 3}, {1, 3}}, {{2, 3}}}, got.Shown[0].Groups); diff != "" {
			t.Error(wide, diff)
		}
		shape := shapeOf(got, 0, 0)
		var xs []float32
		for _, v := range shape.Vertices {
			xs = append(xs, v.Position[0])
		}
		if diff := cmp.Diff([]float32{0, 0, 5, 5, 0, 0}, xs); diff != "" {
			t.Error(wide, diff)
		}
		if diff := cmp.Diff([]uint32{0, 2, 1, 5, 3, 4}, shape.Indices); diff != "" {
			t.Error(wide, diff)
		}
	}
}

// levelled returns a square of two triangles that has one in its second level of detail, and a shadow without a material. The
// second mesh has nothing in the second level.
func levelled() *build.Model {
	m := arm()
	m.Levels, m.Flags, m.Fixups = 3, build.StaticProp|build.ShadowLOD, true
	square := build.Mesh{
		Vertices: []build.Vertex{on(0, 0, 0, 0), on(0, 0, 1, 0), on(0, 1, 0, 0), on(0, 1, 1, 0)},
		Levels: [][]build.Group{{list(4, 0, 1, 2, 2, 1, 3)},
			{{Vertices: []uint16{1, 3, 2}, Strips: []build.Strip{{Indices: []uint16{0, 1, 2}}}}}, {list(3, 0, 1, 2)}},
	}
	m.Parts[0].Variants[0].Meshes = append([]build.Mesh{square}, m.Parts[0].Variants[0].Meshes...)
	m.Replaced = map[int][]build.Other{1: {{Texture: 0, Name: "far"}}, 2: {{Texture: 0, Name: "shadow"}}}
	return m
}

func TestLevelsOfDetail(t *testing.T) {
	for _, fixups := range []bool{false, true} {
		m := levelled()
		m.Fixups = fixups
		for want, test := range []struct {
			lods      []int
			surfaces  int
			positions [][3]float32 // of the first surface
			groups    []Group
			material  string
		}{
			{[]int{-1, 0}, 2, [][3]float32{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}}, []Group{{0, 4}}, "models/ours/skin"},
			{[]int{1, 2, 3, 7}, 1, [][3]float32{{0, 1, 0}, {1, 1, 0}, {1, 0, 0}}, []Group{{2, 3}}, "models/ours/far"},
		} {
			for _, lod := range test.lods {
				got := decode(t, m, Options{LOD: lod}, skeleton.Appearance{})
				surfaces := got.Shown[0].Model.Surfaces
				if got.LOD != want || len(surfaces) != test.surfaces || got.Materials[surfaces[0].Material][0] != test.material {
					t.Errorf("LOD %d: %d, %d surfaces, %q", lod, got.LOD, len(surfaces), got.Materials)
				}
				var positions [][3]float32
				for _, v := range shapeOf(got, 0, 0).Vertices {
					positions = append(positions, v.Position)
				}
				if diff := cmp.Diff(test.positions, positions); diff != "" {
					t.Errorf("LOD %d: %s", lod, diff)
				}
				if diff := cmp.Diff(test.groups, got.Shown[0].Groups[0]); diff != "" {
					t.Errorf("LOD %d: %s", lod, diff)
				}
			}
		}
	}
}

// Body has the parts' choices as digits: body%2, and body/2%3. A look that comes to the same is the same model.
func TestBodies(t *testing.T) {
	m := arm()
	one := m.Parts[0].Variants[0]
	m.Parts = []build.Part{{Base: 1, Variants: []build.Variant{one, {}}}, {Base: 2, Variants: []build.Variant{{}, one, one}}, {Base: 0}}
	var looks []skeleton.Appearance
	for body := range 8 {
		looks = append(looks, skeleton.Appearance{Body: body})
	}
	got := decode(t, m, Options{}, append(looks, skeleton.Appearance{Body: -3})...)
	var surfaces []int
	for _, s := range got.Shown {
		surfaces = append(surfaces, len(s.Model.Surfaces))
	}
	if diff := cmp.Diff([]int{1, 0, 2, 1, 2, 1, 1, 0, 1}, surfaces); diff != "" {
		t.Error(diff)
	}
	if got.Shown[0].Model != got.Shown[6].Model || got.Shown[0].Model == got.Shown[1].Model {
		t.Error("models are not shared")
	}
	if shapeOf(got, 0, 0) != shapeOf(got, 2, 0) {
		t.Error("shapes are not shared")
	}
}

func TestSkins(t *testing.T) {
	m := arm()
	m.Textures, m.Skins = []string{"a", "b", "c"}, [][]int16{{0, 1}, {2, 1}, {9, -1}}
	second := m.Parts[0].Variants[0].Meshes[0]
	second.Skin = 1
	outside := second
	outside.Skin = 2
	meshes := &m.Parts[0].Variants[0].Meshes
	*meshes = append(*meshes, second, outside)
	names := func(got *Model, look int) (out []string) {
		for _, f := range got.Shown[look].Model.Surfaces {
			out = append(out, fmt.Sprint(got.Materials[f.Material]))
		}
		return out
	}
	got := decode(t, m, Options{}, skeleton.Appearance{}, skeleton.Appearance{Skin: 1}, skeleton.Appearance{Skin: 2},
		skeleton.Appearance{Skin: 3}, skeleton.Appearance{Skin: -1})
	for look, want := range [][]string{
		{"[models/ours/a a]", "[models/ours/b b]", "[]"},
		{"[models/ours/c c]", "[models/ours/b b]", "[]"},
		{"[]", "[]", "[]"},
		{"[models/ours/a a]", "[models/ours/b b]", "[]"},
		{"[models/ours/a a]", "[models/ours/b b]", "[]"},
	} {
		if diff := cmp.Diff(want, names(got, look)); diff != "" {
			t.Error(look, diff)
		}
	}
	if diff := cmp.Diff([]world.Issue{{Code: "model-skin", Detail: "models/a.mdl: it has no skin 3: the first is used"}},
		got.Issues); diff != "" {
		t.Error(diff)
	}
	all := decode(t, m, Options{Skins: true}, skeleton.Appearance{Skin: 1})
	s := all.Shown[0].Model.Surfaces
	if len(s[0].Skins) != 3 || s[0].Skins[1] != s[0].Material || all.Materials[s[0].Skins[0]][0] != "models/ours/a" ||
		all.Materials[s[0].Skins[2]] != nil {
		t.Error(s[0].Skins, all.Materials)
	}
	m.Skins = nil // a reference is a texture
	if got := decode(t, m, Options{Skins: true}, skeleton.Appearance{}); got.Shown[0].Model.Surfaces[2].Skins != nil ||
		got.Materials[2][0] != "models/ours/c" {
		t.Error(got.Materials)
	}
}

func TestNamesOfMaterials(t *testing.T) {
	for _, test := range []struct {
		texture string
		folders []string
		want    []string
	}{
		{"Barrel01", []string{`models\props\`}, []string{"models/props/barrel01", "barrel01"}},
		{"barrel", []string{"/models/a/", `\models\b`}, []string{"models/a/barrel", "models/b/barrel", "barrel"}},
		{`models\v_gun\gun.vmt`, []string{""}, []string{"models/v_gun/gun"}},
		{"/gun", nil, []string{"gun"}},
		{"a//b", []string{"c/./"}, []string{"c/a/b", "a/b"}},
		{"../../a", []string{"models/"}, []string{"../a", "../../a"}},
		{"caf\xe9", nil, []string{"café"}},
		{"", []string{"models/"}, nil},
	} {
		m := arm()
		m.Textures, m.Folders = []string{test.texture}, test.folders
		if diff := cmp.Diff([][]string{test.want}, decode(t, m, Options{}, skeleton.Appearance{}).Materials); diff != "" {
			t.Error(test.texture, diff)
		}
	}
}

func TestFilesBeside(t *testing.T) {
	m := arm()
	data := m.Files()[".mdl"]
	for _, test := range []struct {
		name  string
		files []string // of .vvd, and of the triangles
		fail  error
		want  error
		text  string
		asked string
	}{
		{"all", []string{".vvd", ".dx90.vtx"}, nil, nil, "", ".vvd .dx90.vtx"},
		{"for older hardware", []string{".vvd", ".sw.vtx"}, nil, nil, "", ".vvd .dx90.vtx .dx80.vtx .sw.vtx"},
		{"for any", []string{".vvd", ".vtx"}, nil, nil, "", ".vvd .dx90.vtx .dx80.vtx .sw.vtx .vtx"},
		{"no vertices", []string{".vtx"}, nil, fs.ErrNotExist, "mdl: its vertices, models/a.vvd: file does not exist", ".vvd"},
		{"no triangles", []string{".vvd"}, nil, fs.ErrNotExist, "mdl: its triangles, models/a.dx90.vtx: file does not exist",
			".vvd .dx90.vtx .dx80.vtx .sw.vtx .vtx"},
		{"a limit", nil, limit.ErrLimit, limit.ErrLimit, "mdl: its vertices, models/a.vvd: limit exceeded", ".vvd"},
	} {
		var asked []string
		open := func(name string) ([]byte, error) {
			ext := strings.TrimPrefix(name, "models/a")
			asked = append(asked, ext)
			for i, have := range test.files {
				if have == ext {
					return m.Files()[[]string{".vvd", ".dx90.vtx"}[i]], nil
				}
			}
			if test.fail != nil {
				return nil, test.fail
			}
			return nil, fs.ErrNotExist
		}
		_, err := Decode(t.Context(), "models/a.mdl", data, []skeleton.Appearance{{}}, open, Options{}, budget())
		if !errors.Is(err, test.want) || err != nil && err.Error() != test.text {
			t.Errorf("%s: %v", test.name, err)
		}
		if got := strings.Join(asked, " "); got != test.asked {
			t.Errorf("%s: asked for %s", test.name, got)
		}
	}
}

func TestModelWithoutMeshesHasNoOtherFiles(t *testing.T) {
	m := arm()
	m.Parts = nil
	none := func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	got, err := Decode(t.Context(), "a.mdl", m.Files()[".mdl"], []skeleton.Appearance{{}}, none, Options{}, budget())
	if err != nil || len(got.Shown[0].Model.Surfaces) != 0 {
		t.Error(got, err)
	}
}

// Files that belong to another model may still fit.
func TestChecksumThatDiffersIsAnIssue(t *testing.T) {
	m := arm()
	data := m.Files()[".mdl"]
	m.Checksum++
	got, err := Decode(t.Context(), "models/a.mdl", data, []skeleton.Appearance{{}}, files(m), Options{}, budget())
	if err != nil {
		t.Fatal(err)
	}
	want := []world.Issue{{Code: "model-checksum", Detail: "models/a.mdl: its vertices: the checksum is 00001235, not 00001234"}}
	if diff := cmp.Diff(want, got.Issues); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeStopsWithItsContext(t *testing.T) {
	m := arm()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Decode(ctx, "models/a.mdl", m.Files()[".mdl"], []skeleton.Appearance{{}}, files(m), Options{}, budget()); !errors.Is(err,
		context.Canceled) {
		t.Error(err)
	}
}

// A model that fails gives back its reservation, and one that succeeds gives back what it does not keep.
func TestBudgetIsGivenBack(t *testing.T) {
	m := levelled()
	b := budget()
	if _, err := Decode(t.Context(), "models/a.mdl", m.Files()[".mdl"], []skeleton.Appearance{{}}, files(m), Options{},
		b); err != nil {
		t.Fatal(err)
	}
	// Four and three vertices, three triangles, two strips and surfaces, of one group each.
	if want := int64(7*56 + 3*12 + 2 + 2*(surfaceCost+16)); b.Reserved() != want {
		t.Errorf("%d bytes, want %d", b.Reserved(), want)
	}
	for most := range int64(64) {
		b := limit.NewBudget(limit.Limits{MaxMemory: 32*most + 1})
		_, err := Decode(t.Context(), "models/a.mdl", m.Files()[".mdl"], []skeleton.Appearance{{}}, files(m), Options{}, b)
		if err != nil && (!errors.Is(err, limit.ErrLimit) || b.Reserved() != 0) {
			t.Errorf("%d bytes: %v, %d are kept", 32*most+1, err, b.Reserved())
		}
	}
}
