package sourcemdl

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/sourcemdl"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// up returns by how much a flex moves a vertex: up by a number of the file, and its normal against X by another.
func up(vertex uint16, side uint8, by, normal uint16) build.FlexVertex {
	return build.FlexVertex{Vertex: vertex, Speed: 255, Side: side, By: [3]uint16{2: by}, Normal: [3]uint16{normal}}
}

// The half floats 1, 2 and -0.5.
const halfOne, halfTwo, halfMinus = 0x3c00, 0x4000, 0xb800

// smiling returns an arm of which a smile moves the first two vertices by 1 and 2 units, the second in the left half, and a lid moves the
// third in two steps.
func smiling() *build.Model {
	m := arm()
	ramp := [4]float32{0, 1, 10, 11}
	m.Face = &build.Face{
		Names:       []string{"lid", "smileR", "smileL"},
		Controllers: []build.Controller{{Kind: "mouth", Name: "smile", Most: 1}, {Kind: "eyelid", Name: "blink", Least: -1, Most: 2}},
		Rules: []build.Rule{{Name: 1, Terms: [][2]uint32{{2, 0}, {1, 0x3f000000}, {6, 0}}},
			{Name: 0, Terms: [][2]uint32{{3, 1}, {8, 0}, {15, 1}, {18, 2}}}},
	}
	m.Parts[0].Variants[0].Meshes[0].Flexes = []build.Flex{
		{Name: 1, Ramp: ramp, Pair: 2, Vertices: []build.FlexVertex{
			up(0, 0, halfOne, halfMinus), up(1, 255, halfTwo, 0), up(2, 51, halfOne, 0)}},
		{Name: 0, Ramp: [4]float32{-11, -10, 0, 0.5}, Wrinkles: true, Vertices: []build.FlexVertex{
			up(2, 0, halfOne, 0), up(0, 0, halfTwo, 0)}},
		{Name: 0, Ramp: [4]float32{0, 0.5, 10, 11}, Vertices: []build.FlexVertex{up(2, 0, halfTwo, 0)}},
	}
	return m
}

// Both halves of a flex with a pair are a shape; a vertex at a fifth to the left has four fifths of its change in the right one.
func TestFlexesAreShifts(t *testing.T) {
	got := decode(t, smiling(), Options{Flexes: true}, skeleton.Appearance{})
	m := got.Shown[0].Model
	want := &world.MorphTargets{Frames: 5, Names: []string{"smileR", "smileL", "lid", "lid_2"}}
	if diff := cmp.Diff(want, m.MorphTargets); diff != "" || len(got.Issues) > 0 {
		t.Fatal(diff, got.Issues)
	}
	type p3 = [3]float32
	shift := func(list []uint32, positions, normals []p3) world.MorphTarget {
		return world.MorphTarget{Vertices: list, Positions: positions, Normals: normals}
	}
	rounded := m.Surfaces[0].Shape.(*world.Triangles).MorphTargets
	for i := range rounded {
		for k := range rounded[i].Positions {
			rounded[i].Positions[k][2] = float32(int(rounded[i].Positions[k][2]*1000+0.5)) / 1000
		}
	}
	if diff := cmp.Diff([]world.MorphTarget{
		shift([]uint32{0, 2}, []p3{{0, 0, 1}, {0, 0, 0.8}}, []p3{{-0.5}, {}}),
		shift([]uint32{1, 2}, []p3{{0, 0, 2}, {0, 0, 0.2}}, []p3{{}, {}}),
		shift([]uint32{0, 2}, []p3{{0, 0, 2}, {0, 0, 1}}, []p3{{}, {}}),
		shift([]uint32{2}, []p3{{0, 0, 2}}, []p3{{}}),
	}, rounded); diff != "" {
		t.Error(diff)
	}
	if without := decode(t, smiling(), Options{}, skeleton.Appearance{}).Shown[0].Model; without.MorphTargets != nil || shapeOf(got, 0,
		0).MorphTargets == nil {
		t.Errorf("%+v", without.MorphTargets)
	}
}

func TestFaceIsDescribed(t *testing.T) {
	o := Options{Flexes: true}
	o.Rig.Info = true
	got := decode(t, smiling(), o, skeleton.Appearance{}).Shown[0].Model.Info.Face
	if diff := cmp.Diff(&world.Face{
		Controllers: []world.FlexController{{Name: "smile", Kind: "mouth", Most: 1}, {Name: "blink", Kind: "eyelid", Least: -1, Most: 2}},
		Rules: []world.FlexRule{{Name: "smileR", Terms: []string{"smile", "0.5", "*"}},
			{Name: "lid", Terms: []string{"smileR", "neg", "2way_0:blink", "combo:2"}}},
		Ramps: []world.FlexRamp{{Shape: "lid", Name: "lid", At: [4]float32{-11, -10, 0, 0.5}},
			{Shape: "lid_2", Name: "lid", At: [4]float32{0, 0.5, 10, 11}}},
	}, got); diff != "" {
		t.Error(diff)
	}
}

// Files that a game has converted count steps of 1/4096 unit, or of a size that they state.
func TestFlexesInFixedPoint(t *testing.T) {
	for _, test := range []struct {
		flags int32
		want  float32
	}{{build.FixedFlexes, 2}, {build.FixedFlexes | build.ScaledFlexes, 1024}} {
		m := smiling()
		m.Flags, m.Face.Scale = test.flags, 0.125
		m.Parts[0].Variants[0].Meshes[0].Flexes[2].Vertices[0].By[2] = 8192
		got := shapeOf(decode(t, m, Options{Flexes: true}, skeleton.Appearance{}), 0, 0).MorphTargets[3].Positions[0][2]
		if got != test.want {
			t.Errorf("flags %x: %g, want %g", test.flags, got, test.want)
		}
	}
}

// A vertex that two strip groups have moves in both.
func TestFlexesMoveAllCopies(t *testing.T) {
	m := smiling()
	m.Parts[0].Variants[0].Meshes[0].Levels = [][]build.Group{{list(3, 0, 2, 1), {Vertices: []uint16{2, 1, 0},
		Strips: []build.Strip{{Indices: []uint16{0, 1, 2}}}}}}
	if got := shapeOf(decode(t, m, Options{Flexes: true}, skeleton.Appearance{}), 0, 0).MorphTargets[3].Vertices; !slices.Equal(got,
		[]uint32{2, 3}) {
		t.Error(got)
	}
}

// What is broken in a face leaves the model without it, which is an issue.
func TestOddFlexes(t *testing.T) {
	whole := smiling().Files()[".mdl"]
	number := func(at int) int { return int(binary.LittleEndian.Uint32(whole[at:])) }
	part := number(build.PartTable + 4)
	variant := part + number(part+12)
	mesh := variant + number(variant+76)
	flex, rules := mesh+number(mesh+20), number(build.FlexRules+4)
	for _, test := range []struct {
		name   string
		at     int
		value  int32
		issue  string
		shapes int
	}{
		{"names outside", build.FlexNames, 1 << 20, "names of flexes", 0},
		{"flexes outside", mesh + 16, 1 << 20, "of flexes at", 0},
		{"vertices outside", flex + 20, 1 << 20, "vertices of a flex", 0},
		{"a name too many", flex, 3, "flex 3 of 3", 0},
		{"a pair too many", flex + 28, -1, "flex -1 of 3", 0},
		{"a ramp that is no number", flex + 4, 0x7fc00000, "for weights of [NaN", 0},
		{"controllers outside", build.FlexControls, 1 << 20, "flex controllers", 4},
		{"rules outside", build.FlexRules, 1 << 20, "flex rules", 4},
		{"terms outside", rules + 4, 1 << 20, "terms of a flex rule", 4},
		{"a rule of nothing", rules, 9, "flex 9 of 3", 4},
		{"no names", build.FlexNames, 0, "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := slices.Clone(whole)
			binary.LittleEndian.PutUint32(data[test.at:], uint32(test.value))
			got, err := Decode(t.Context(), "models/a.mdl", data, []skeleton.Appearance{{}}, files(smiling()), Options{Flexes: true}, budget())
			if err != nil {
				t.Fatal(err)
			}
			shapes, issues := 0, ""
			if s := got.Shown[0].Model.MorphTargets; s != nil {
				shapes = len(s.Names)
			}
			for _, i := range got.Issues {
				issues += i.Code + " " + i.Detail
			}
			if shapes != test.shapes || !strings.Contains(issues, test.issue) || (issues == "") != (test.issue == "") {
				t.Errorf("%d shapes, issues %q", shapes, issues)
			}
		})
	}
}

func TestTooManyFlexes(t *testing.T) {
	m := smiling()
	mesh := &m.Parts[0].Variants[0].Meshes[0]
	for i := range maxShapes {
		mesh.Flexes = append(mesh.Flexes, build.Flex{Name: 1, Ramp: [4]float32{0, float32(i), 10, 11}})
	}
	got := decode(t, m, Options{Flexes: true}, skeleton.Appearance{})
	if n := len(got.Shown[0].Model.MorphTargets.Names); n != maxShapes || len(got.Issues) != 1 || got.Issues[0].Code != "model-flexes" {
		t.Errorf("%d shapes, %v", n, got.Issues)
	}
	m.Face.Names = make([]string, maxShapes+1)
	if got = decode(t, m, Options{Flexes: true}, skeleton.Appearance{}); got.Shown[0].Model.MorphTargets != nil || len(got.Issues) != 1 {
		t.Error(got.Issues)
	}
}
