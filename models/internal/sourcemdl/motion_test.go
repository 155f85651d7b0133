package sourcemdl

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/sourcemdl"
)

// swing returns an animation that turns a bone about Z by steps of 1/200 of a half turn.
func swing(name string, bone uint8, steps int16) build.Animation {
	return build.Animation{Name: name, Data: build.Records(build.Record{Bone: bone, Flags: build.MovedTurn,
		Tracks: [][3]int16{{0, 0, steps}}})}
}

// mover is a model without meshes, of which a sequence turns the bone called arm by a quarter. Its bones are in another order than those
// of the model that includes it, and it has one more.
func mover() *build.Model {
	const step = math.Pi / 200
	bone := func(name string, parent int32) build.Bone {
		return build.Bone{Name: name, Parent: parent, AngleStep: [3]float32{step, step, step}}
	}
	m := &build.Model{
		Bones:      []build.Bone{bone("Tail", -1), bone("ROOT", -1), bone("Arm", 1)},
		Animations: []build.Animation{swing("@swing", 2, 100), swing("@back", 2, -100), swing("@tail", 0, 100)},
		Sequences: []build.Sequence{
			{Label: "swing", Activity: "ACT_IDLE", Weight: 1},
			{Label: "back", Activity: "ACT_WALK", Weight: 1, Animation: 1},
			{Label: "idle_tail", Activity: "ACT_FLY", Weight: 1, Animation: 2},
		},
	}
	m.Bones[2].Position = [3]float32{0, 0, 10}
	return m
}

// among decodes the model models/a.mdl, which includes others, and returns where its vertex is and what issues say.
func among(t *testing.T, all map[string]*build.Model, look skeleton.Appearance) (at [3]float32, issues string) {
	t.Helper()
	files := map[string][]byte{}
	for name, m := range all {
		for ext, data := range m.Files() {
			files["models/"+name+ext] = data
		}
	}
	got, err := Decode(t.Context(), "models/a.mdl", files["models/a.mdl"], []skeleton.Appearance{look}, opener(files),
		Options{}, budget())
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range got.Issues {
		issues += i.Detail + "\n"
	}
	return shapeOf(got, 0, 0).Vertices[1].Position, issues
}

// A model has the sequences of those that it includes, by label; the first file that has a label counts.
func TestIncludedModels(t *testing.T) {
	turned, back, stays := [3]float32{0, 5, 10}, [3]float32{0, -5, 10}, [3]float32{5, 0, 10}
	for _, test := range []struct {
		name  string
		edit  func(a, b, c *build.Model)
		look  skeleton.Appearance
		want  [3]float32
		issue string
	}{
		{"by the label", nil, skeleton.Appearance{Animation: "swing"}, turned, ""},
		{"by the number behind its own", nil, skeleton.Appearance{Sequence: 1}, turned, ""},
		{"its own number", nil, skeleton.Appearance{}, stays, ""},
		{"at the second level", func(a, b, c *build.Model) {
			a.Includes, c.Includes = []string{"models/c.mdl"}, []string{"/Models/B.mdl"}
			c.Sequences = nil
		}, skeleton.Appearance{Animation: "swing"}, turned, ""},
		{"in a circle", func(_, b, _ *build.Model) { b.Includes = []string{"models/b.mdl", "models/a.mdl"} }, skeleton.Appearance{Animation: "swing"},
			turned, ""},
		{"the first of two files", func(_, _, c *build.Model) { c.Sequences[0].Animation = 1 }, skeleton.Appearance{Animation: "swing"}, turned, ""},
		{"a reserved label", func(a, _, _ *build.Model) { a.Sequences[0] = build.Sequence{Label: "Swing", Flags: flagReserved} }, skeleton.Appearance{},
			turned, ""},
		{"its own label", func(a, _, _ *build.Model) { a.Sequences[0].Label = "swing" }, skeleton.Appearance{Animation: "swing"}, stays, ""},
		{"an animation of the same name", func(a, _, _ *build.Model) { a.Animations = append(a.Animations, swing("@SWING", 1, -100)) },
			skeleton.Appearance{Animation: "swing"}, back, ""},
		{"a bone that the model does not have", nil, skeleton.Appearance{Animation: "idle_tail"}, stays, ""},
		{"a bone that rests elsewhere", func(_, b, _ *build.Model) { b.Bones[2].Position = [3]float32{0, 0, 14} }, skeleton.Appearance{Animation: "swing"},
			[3]float32{0, 5, 14}, ""},
		{"a bone without weight rests where it does in the model", func(_, b, _ *build.Model) {
			b.Bones[2].Position, b.Sequences[0].Weights = [3]float32{0, 0, 14}, []float32{1, 1, 0}
		}, skeleton.Appearance{Animation: "swing"}, stays, ""},
		{"a label of none", nil, skeleton.Appearance{Animation: "run"}, stays, `it has no sequence "run": it shows "reference"`},
		{"one that is missing", func(a, _, _ *build.Model) { a.Includes = []string{"models/d.mdl", "models/b.mdl"} },
			skeleton.Appearance{Animation: "swing"}, turned,
			"the included model models/d.mdl: file does not exist: its sequences are missing"},
		{"one of another version", func(_, b, _ *build.Model) { b.Version = 9 }, skeleton.Appearance{Animation: "back"}, stays,
			"its sequences are missing"},
	} {
		a, b, c := arm(), mover(), mover()
		a.Animations, a.Sequences = []build.Animation{{Name: "@reference", Data: build.NoRecords()}}, []build.Sequence{{Label: "reference"}}
		a.Includes = []string{"models/b.mdl", "models/c.mdl"}
		if c.Sequences = c.Sequences[:1]; test.edit != nil {
			test.edit(a, b, c)
		}
		got, issue := among(t, map[string]*build.Model{"a": a, "b": b, "c": c}, test.look)
		near(t, test.name, got, test.want)
		if !strings.Contains(issue, test.issue) || test.issue == "" && issue != "" {
			t.Errorf("%s: %s", test.name, issue)
		}
	}
}

// Characters show the sequence of an activity that the game chooses most often.
func TestActivities(t *testing.T) {
	turned, back, stays := [3]float32{0, 5, 10}, [3]float32{0, -5, 10}, [3]float32{5, 0, 10}
	for _, test := range []struct {
		name       string
		edit       func(a, b *build.Model)
		activities []string
		want       [3]float32
		issue      string
	}{
		{"one", nil, []string{"ACT_IDLE"}, turned, ""},
		{"in another case", nil, []string{"act_Walk"}, back, ""},
		{"the first that the model has", nil, []string{"ACT_IDLE_SMG1", "ACT_WALK", "ACT_IDLE"}, back, ""},
		{"the greatest weight", func(_, b *build.Model) { b.Sequences[1].Activity, b.Sequences[1].Weight = "ACT_IDLE", 2 },
			[]string{"ACT_IDLE"}, back, ""},
		{"the first of equal weights", func(_, b *build.Model) { b.Sequences[1].Activity = "ACT_IDLE" }, []string{"ACT_IDLE"}, turned, ""},
		{"a negative weight", func(_, b *build.Model) { b.Sequences[1].Activity, b.Sequences[1].Weight = "ACT_IDLE", -2 },
			[]string{"ACT_IDLE"}, back, ""},
		{"none, but a label", func(_, b *build.Model) { b.Sequences[1].Label = "Idle01" }, []string{"ACT_NONE"}, back, ""},
		{"none", func(_, b *build.Model) { b.Sequences = b.Sequences[:2] }, []string{"ACT_NONE"}, stays,
			`none of its 3 sequences is for ACT_NONE: it shows "reference"`},
		{"a model with nothing but a pose", func(a, _ *build.Model) { a.Includes = nil }, []string{"ACT_IDLE"}, stays, ""},
	} {
		a, b := arm(), mover()
		a.Animations, a.Sequences = []build.Animation{{Name: "@reference", Data: build.NoRecords()}}, []build.Sequence{{Label: "reference"}}
		a.Includes = []string{"models/b.mdl"}
		if test.edit != nil {
			test.edit(a, b)
		}
		got, issue := among(t, map[string]*build.Model{"a": a, "b": b}, skeleton.Appearance{Activities: strings.Join(test.activities, " ")})
		near(t, test.name, got, test.want)
		if !strings.Contains(issue, test.issue) || test.issue == "" && issue != "" {
			t.Errorf("%s: %s", test.name, issue)
		}
	}
}

// Until its file of animations is read, the engine shows what the model itself stores of the first frame.
func TestSavedFrames(t *testing.T) {
	const quarter = math.Sqrt2 / 2
	place := []byte{0, 0, 0, 0, 0, 0x4a} // 12 as a half
	turn := binary.LittleEndian.AppendUint64(nil, 1048576|1048576<<21|(1048576+uint64(math.Round(1048576.5*quarter)))<<42)
	for _, test := range []struct {
		name  string
		flags int32
		saved []byte
		want  [3]float32
	}{
		{"none", 0, nil, [3]float32{5, 0, 10}},
		{"a place", savedPosition, place, [3]float32{5, 0, 12}},
		{"a turn", savedTurn, turn, [3]float32{0, 5, 10}},
		{"both", savedPosition | savedTurn, append(append([]byte{}, place...), turn...), [3]float32{0, 5, 12}},
		{"another layout", savedPosition | savedOther, place, [3]float32{5, 0, 10}},
	} {
		m := swinging()
		m.Bones[1].Flags = test.flags
		m.Animations[1].Block, m.Animations[1].Saved, m.File = 1, test.saved, "models/b.ani"
		near(t, test.name, shapeOf(decode(t, m, Options{}, skeleton.Appearance{Sequence: 1}), 0, 0).Vertices[1].Position, test.want)
	}
}

// A sequence mixes the animations of a grid where the parameters of the pose are 0: here of turns by 0, 30, 60 and 90 degrees.
func TestSequencesMix(t *testing.T) {
	at := func(degrees float64) [3]float32 {
		s, c := math.Sincos(degrees * math.Pi / 180)
		return [3]float32{float32(5 * c), float32(5 * s), 10}
	}
	parameters := []build.Parameter{{Start: -90, End: 90}, {Start: 10, End: 20}}
	for _, test := range []struct {
		name string
		grid build.Grid
		want [3]float32
	}{
		{"no parameter", build.Grid{Animations: []int16{3, 0}, Width: 2, Parameters: [2]int32{-1, -1}}, at(90)},
		{"the middle of three", build.Grid{Animations: []int16{0, 2, 1}, Width: 3, Parameters: [2]int32{0, -1}, Start: [2]float32{-90},
			End: [2]float32{90}}, at(60)},
		{"halfway between two", build.Grid{Animations: []int16{0, 2}, Width: 2, Parameters: [2]int32{0, -1}, Start: [2]float32{-90},
			End: [2]float32{90}}, at(30)},
		{"halfway between two rows", build.Grid{Animations: []int16{0, 2}, Width: 1, Parameters: [2]int32{-1, 0}, Start: [2]float32{0, -90},
			End: [2]float32{0, 90}},
			at(30)},
		{"a range that ends before 0", build.Grid{Animations: []int16{0, 3}, Width: 2, Parameters: [2]int32{0, -1}, Start: [2]float32{-90},
			End: [2]float32{-45}}, at(90)},
		{"a parameter that is never 0", build.Grid{Animations: []int16{0, 3}, Width: 2, Parameters: [2]int32{1, -1}, Start: [2]float32{10},
			End: [2]float32{20}}, at(0)},
		{"keys", build.Grid{Animations: []int16{0, 1, 3}, Width: 3, Parameters: [2]int32{0, -1}, Keys: []float32{-90, -45, 0}}, at(90)},
		{"the corners of a square", build.Grid{
			Animations: []int16{0, 0, 3, 3}, Width: 2, Parameters: [2]int32{0, 0}, Start: [2]float32{-90, -90}, End: [2]float32{90, 90},
		}, at(45)},
		{"no range", build.Grid{Animations: []int16{1, 0}, Width: 2, Parameters: [2]int32{0, -1}}, at(30)},
	} {
		m := arm()
		m.Parameters = parameters
		m.Animations = nil
		for i, v := range []float64{0, 30, 60, 90} {
			m.Animations = append(m.Animations, build.Animation{Name: fmt.Sprint("@", i), Data: degrees(v)})
		}
		m.Sequences = []build.Sequence{{Label: "idle", Grid: &test.grid}}
		got := decode(t, m, Options{}, skeleton.Appearance{})
		near(t, test.name, shapeOf(got, 0, 0).Vertices[1].Position, test.want)
		if len(got.Issues) > 0 {
			t.Error(test.name, got.Issues)
		}
	}
}

// degrees returns an animation of bone 1 turned about Z.
func degrees(v float64) []byte {
	turn := binary.LittleEndian.AppendUint64(nil, 1048576|1048576<<21|(1048576+uint64(math.Round(1048576.5*math.Sin(v*math.Pi/360))))<<42)
	return build.Records(build.Record{Bone: 1, Flags: build.RawTurn64, Raw: turn})
}
