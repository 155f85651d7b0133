package sourcemdl

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/sourcemdl"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// skeletonOf returns the skeleton of models/a.mdl with all keys, and what issues say.
func skeletonOf(t *testing.T, all map[string]*build.Model) (*world.Skeleton, string) {
	t.Helper()
	return riggedAs(t, all, skeleton.Options{Bones: true, Sequences: []string{"*"}, EveryFrame: true})
}

// riggedAs returns the same as a rig wants it.
func riggedAs(t *testing.T, all map[string]*build.Model, rig skeleton.Options) (*world.Skeleton, string) {
	t.Helper()
	files := map[string][]byte{}
	for name, m := range all {
		for ext, data := range m.Files() {
			files["models/"+name+ext] = data
		}
	}
	o := Options{Rig: rig}
	b := budget()
	got, err := Decode(t.Context(), "models/a.mdl", files["models/a.mdl"], []skeleton.Appearance{{Moves: true}}, opener(files), o, b)
	if err != nil {
		t.Fatal(err)
	}
	issues := ""
	for _, i := range got.Issues {
		issues += i.Detail + "\n"
	}
	return got.Shown[0].Model.Skeleton, issues
}

// anglesOf returns by how many degrees a bone is turned about Z in each key of a track.
func anglesOf(t world.Track) (out []int) {
	for _, q := range t.Rotations {
		out = append(out, int(math.Round(360/math.Pi*math.Atan2(float64(q[2]), float64(q[3])))))
	}
	return out
}

// A step is 0.9 degrees: frames of 10, 20 and 30 steps are turned by 9, 18 and 27.
func TestSequencesHaveAllFrames(t *testing.T) {
	run := func(steps ...int16) []byte { return build.Run(1, build.MovedTurn, [3][]int16{nil, nil, steps}) }
	for _, test := range []struct {
		name      string
		animation build.Animation
		want      []int
	}{
		{"a frame each", build.Animation{Frames: 3, Data: run(10, 20, 30)}, []int{9, 18, 27}},
		{"the last value holds", build.Animation{Frames: 4, Data: func() []byte {
			data := run(10, 20)
			data[11] = 4 // two values for four frames
			return data
		}()}, []int{9, 18, 18, 18}},
		{"the last frame is alone in the last section", build.Animation{
			Frames: 5, SectionSize: 2, Sections: [][]byte{run(10, 20), run(30, 40), run(50), run(60)},
		}, []int{9, 18, 27, 36, 54}},
		{"a bone that stays", build.Animation{Frames: 3, Data: run(10, 10, 10)}, []int{9}},
	} {
		m := swinging()
		m.Animations[1] = test.animation
		s, issues := skeletonOf(t, map[string]*build.Model{"a": m})
		if s == nil || len(s.Sequences) == 0 {
			t.Fatalf("%s: no sequences: %s", test.name, issues)
		}
		last := s.Sequences[len(s.Sequences)-1]
		if got := anglesOf(last.Tracks[1]); last.Name != "Swing" || !slices.Equal(got, test.want) {
			t.Errorf("%s: %q: %v, want %v; %s", test.name, last.Name, got, test.want, issues)
		}
	}
}

// The model's bones move by sequences of the models that it includes; what is added to others, or has no data, is left out.
func TestSequencesOfIncludedModels(t *testing.T) {
	a, b := arm(), mover()
	a.Animations, a.Sequences = []build.Animation{{Name: "@reference", Data: build.NoRecords()}}, []build.Sequence{{Label: "reference"}}
	a.Includes = []string{"models/b.mdl"}
	b.Sequences[1].Flags |= flagDelta
	s, issues := skeletonOf(t, map[string]*build.Model{"a": a, "b": b})
	if len(s.Bones) != 2 || s.Bones[1].Parent != 0 || s.Bones[1].Name == "" {
		t.Fatalf("%+v", s.Bones)
	}
	var names []string
	for _, q := range s.Sequences {
		names = append(names, q.Name+" "+q.Activity)
	}
	if got := strings.Join(names, ", "); got != "swing ACT_IDLE, idle_tail ACT_FLY" {
		t.Errorf("%s: %s", got, issues)
	}
	if got := anglesOf(s.Sequences[0].Tracks[1]); !slices.Equal(got, []int{90}) {
		t.Errorf("the arm is turned by %v", got)
	}
	if !strings.Contains(issues, "1 of its 4 sequences are added to others") ||
		!strings.Contains(issues, "1 of its 4 sequences have no data") {
		t.Error(issues)
	}
}

// Two animations of different lengths are mixed in time with the longer one.
func TestMixedAnimationsTakeTheSameTime(t *testing.T) {
	run := func(steps ...int16) []byte { return build.Run(1, build.MovedTurn, [3][]int16{nil, nil, steps}) }
	m := swinging()
	m.Animations = []build.Animation{{Name: "a", Frames: 3, Data: run(0, 20, 40)}, {Name: "b", Frames: 2, Data: run(0, 100)}}
	m.Parameters = []build.Parameter{{Start: -1, End: 1}}
	m.Sequences = []build.Sequence{{Label: "both", Grid: &build.Grid{
		Animations: []int16{0, 1}, Width: 2, Parameters: [2]int32{0, -1}, Start: [2]float32{-1, 0}, End: [2]float32{1, 0},
	}}}
	s, issues := skeletonOf(t, map[string]*build.Model{"a": m})
	// At half of the parameter: the means of 0 and 0, of 18 and 45, of 36 and 90 degrees; the engine mixes quaternions, not angles.
	if got := anglesOf(s.Sequences[0].Tracks[1]); len(got) != 3 || got[0] != 0 || got[1] < 31 || got[1] > 32 || got[2] != 63 {
		t.Errorf("%v %s", got, issues)
	}
	// 2/30 s and 1/30 s: 0.05 s for two steps.
	if fps := s.Sequences[0].FPS; math.Abs(fps-40) > 1e-3 {
		t.Errorf("%g frames per second", fps)
	}
}

// Each animation of a grid is a sequence of its own if the rig wants that, named by the parameters that show it. Layers are at the same
// parameters.
func TestBlendsAsSequences(t *testing.T) {
	grid := func(animations ...int16) *build.Grid {
		return &build.Grid{Animations: animations, Width: 2, Parameters: [2]int32{0, 1}, Start: [2]float32{-90, 0}, End: [2]float32{90, 5}}
	}
	m := swinging()
	m.Parameters = []build.Parameter{{Name: "Move_Yaw", Start: -90, End: 90}, {Name: "lean", Start: -5, End: 5}}
	m.Animations = nil
	for _, steps := range []int16{0, 20, 40, 60} {
		m.Animations = append(m.Animations, build.Animation{Name: string(rune('a' + steps)), Data: run(0, steps)})
	}
	m.Animations = append(m.Animations, build.Animation{Name: "more", Flags: build.Delta, Data: run(build.Added, 10)},
		build.Animation{Name: "none", Flags: build.Delta, Data: run(build.Added, 0)})
	m.Sequences = []build.Sequence{{Label: "run", Grid: grid(0, 1, 2, 3), Layers: []build.Layer{{Sequence: 1}}},
		{Label: "over", Flags: build.Delta, Grid: grid(5, 4)}, {Label: "alone"}}
	s, issues := riggedAs(t, map[string]*build.Model{"a": m}, skeleton.Options{Bones: true, Sequences: []string{"*"}, EveryFrame: true, Blends: true})
	got := map[string][]int{}
	for i := range s.Sequences {
		got[s.Sequences[i].Name] = anglesOf(s.Sequences[i].Tracks[1])
	}
	// A step is 0.9 degrees; the layer adds 9 at the right. Between two columns, it is the mean of 0 and 18, and half of the layer.
	want := map[string][]int{"run": {14}, "run [move_yaw -90 lean 0]": {0}, "run [move_yaw 90 lean 0]": {27},
		"run [move_yaw -90 lean 5]": {36}, "run [move_yaw 90 lean 5]": {63}, "alone": {0}}
	if diff := cmp.Diff(want, got); diff != "" || s.Sequences[1].Blend != "move_yaw -90 lean 0" {
		t.Errorf("%s\n%q: %s", diff, s.Sequences[1].Blend, issues)
	}
}

// The movement of the whole model is in its root bone if the rig wants that: 10 units along X in two frames, of a mixture with one that
// stays half of that.
func TestRootMotion(t *testing.T) {
	m := swinging()
	m.Parameters = []build.Parameter{{Start: -1, End: 1}}
	m.Animations = []build.Animation{{Name: "walk", Frames: 3, Data: run(0, 0), Movements: []build.Movement{
		{End: 2, First: 10, Last: 10, Vector: [3]float32{1, 0, 0}, Position: [3]float32{10, 0, 0}, Angle: 90}}},
		{Name: "stand", Frames: 3, Data: run(0, 0)}}
	m.Sequences = []build.Sequence{{Label: "walk"}, {Label: "half", Grid: &build.Grid{
		Animations: []int16{0, 1}, Width: 2, Parameters: [2]int32{0, -1}, Start: [2]float32{-1, 0}, End: [2]float32{1, 0}}}}
	for _, test := range []struct {
		travels bool
		x       [2][]float32
		angles  [2][]int
	}{
		{false, [2][]float32{{0}, {0}}, [2][]int{{0}, {0}}},
		{true, [2][]float32{{0, 5, 10}, {0, 2.5, 5}}, [2][]int{{0, 45, 90}, {0, 23, 45}}},
	} {
		rig := skeleton.Options{Bones: true, Sequences: []string{"*"}, EveryFrame: true, RootMotion: test.travels}
		s, issues := riggedAs(t, map[string]*build.Model{"a": m}, rig)
		for i := range s.Sequences {
			root := s.Sequences[i].Tracks[0]
			var x []float32
			for _, p := range root.Positions {
				x = append(x, float32(math.Round(1000*float64(p[0]))/1000))
			}
			if !slices.Equal(x, test.x[i]) || !slices.Equal(anglesOf(root), test.angles[i]) {
				t.Errorf("travels %v, %q: along %v by %v; %s", test.travels, s.Sequences[i].Name, x, anglesOf(root), issues)
			}
		}
	}
}

// A grid of more animations than the engine takes is written at rest alone.
func TestGridsThatAreTooLarge(t *testing.T) {
	m := swinging()
	m.Parameters = []build.Parameter{{Name: "x", Start: -1, End: 1}}
	m.Sequences = []build.Sequence{{Label: "wide", Grid: &build.Grid{Animations: make([]int16, maxBlends+1), Width: maxBlends + 1,
		Parameters: [2]int32{0, -1}, Start: [2]float32{-1, 0}, End: [2]float32{1, 0}}}}
	m.Animations[0].Data = run(0, 0)
	s, issues := riggedAs(t, map[string]*build.Model{"a": m}, skeleton.Options{Bones: true, Sequences: []string{"*"}, Blends: true})
	if len(s.Sequences) != 1 || !strings.Contains(issues, "more than 32 in a row") {
		t.Errorf("%d sequences: %s", len(s.Sequences), issues)
	}
}

// A file can't claim more frames than can be made.
func TestSequencesThatAreTooLong(t *testing.T) {
	m := swinging()
	m.Animations[1].Frames = 1 << 30
	s, issues := skeletonOf(t, map[string]*build.Model{"a": m})
	if len(s.Sequences) > 1 || !strings.Contains(issues, "are longer than can be made") {
		t.Errorf("%d sequences: %s", len(s.Sequences), issues)
	}
}

// A model that does not move has no skeleton.
func TestStaticPropsHaveNoSkeleton(t *testing.T) {
	m := swinging()
	m.Flags = build.StaticProp
	if s, _ := skeletonOf(t, map[string]*build.Model{"a": m}); s != nil {
		t.Error(s)
	}
}

// Attachments hang on bones, and are turned; one of a bone that is missing is left out.
func TestAttachments(t *testing.T) {
	files := filesOf(swinging())
	data := files["models/a.mdl"]
	at := len(data)
	for _, bone := range []uint32{1, 9} {
		record := make([]byte, attachmentSize)
		binary.LittleEndian.PutUint32(record[8:], bone)
		for i, x := range []float32{0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 3} { // a quarter about Z
			binary.LittleEndian.PutUint32(record[12+4*i:], math.Float32bits(x))
		}
		data = append(data, record...)
	}
	binary.LittleEndian.PutUint32(data[attachments:], 2)
	binary.LittleEndian.PutUint32(data[attachments+4:], uint32(at))
	o := Options{Rig: skeleton.Options{Bones: true, Attachments: true}}
	got, err := Decode(t.Context(), "models/a.mdl", data, []skeleton.Appearance{{Moves: true}}, opener(files), o, budget())
	if err != nil {
		t.Fatal(err)
	}
	list := got.Shown[0].Model.Skeleton.Attachments
	if len(list) != 1 || list[0].Bone != 1 || list[0].Position != [3]float64{1, 2, 3} || math.Abs(list[0].Rotation[2]-math.Sqrt2/2) > 1e-9 {
		t.Errorf("%+v %v", list, got.Issues)
	}
}

// An eyeball looks in its direction, and 8 degrees away from the nose: twice the angle in the file. Eyeballs of a bone that is missing and
// those that another variant has, too, are left out. A table outside the file is an issue.
func TestEyeballs(t *testing.T) {
	files := filesOf(swinging())
	data := bytes.Clone(files["models/a.mdl"])
	put := func(at int, v uint32) { binary.LittleEndian.PutUint32(data[at:], v) }
	part := int(binary.LittleEndian.Uint32(data[bodyParts+4:]))
	variant := part + int(binary.LittleEndian.Uint32(data[part+12:]))
	at := len(data)
	for _, bone := range []uint32{1, 9, 1} {
		record := make([]byte, eyeballSize)
		binary.LittleEndian.PutUint32(record[4:], bone)
		// The eye is at (1, 2, 3) and looks along -Y, up is X: its right is Z.
		for i, x := range []float32{1, 2, 3, float32(math.Tan(4 * math.Pi / 180)), 0.5, 1, 0, 0, 0, -1, 0} {
			binary.LittleEndian.PutUint32(record[8+4*i:], math.Float32bits(x))
		}
		binary.LittleEndian.PutUint32(record[60:], math.Float32bits(2))
		data = append(data, record...)
	}
	put(variant+eyeballTable, 3)
	put(variant+eyeballTable+4, uint32(at-variant))
	decode := func(attached bool) (*Model, []world.Eyeball) {
		t.Helper()
		got, err := Decode(t.Context(), "models/a.mdl", data, []skeleton.Appearance{{Moves: true}}, opener(files),
			Options{Rig: skeleton.Options{Bones: true, Attachments: attached}}, budget())
		if err != nil {
			t.Fatal(err)
		}
		return got, got.Shown[0].Model.Skeleton.Eyeballs
	}
	got, list := decode(true)
	if len(list) != 1 || list[0].Bone != 1 || list[0].Position != [3]float64{1, 2, 3} || list[0].Radius != 0.5 || list[0].Iris != 0.5 {
		t.Fatalf("%+v, %v", list, got.Issues)
	}
	m := space.NewMatrix([3]float64{}, list[0].Rotation)
	aside := 2 * math.Tan(4*math.Pi/180)
	for k, want := range [3]float64{0, -1, aside} {
		if math.Abs(m[k][0]*math.Hypot(1, aside)-want) > 1e-6 {
			t.Errorf("it looks along %v, %v, %v", m[0][0], m[1][0], m[2][0])
		}
	}
	if math.Abs(m[0][2]-1) > 1e-6 {
		t.Errorf("up is %v, %v, %v", m[0][2], m[1][2], m[2][2])
	}
	if _, list := decode(false); len(list) > 0 {
		t.Error("eyeballs without attachments")
	}
	put(variant+eyeballTable, 1<<20)
	if got, list := decode(true); len(list) > 0 || len(got.Issues) != 1 || got.Issues[0].Code != "model-skeleton" {
		t.Errorf("%+v, %v", list, got.Issues)
	}
}

// Hit boxes hang on bones, in sets; those of a bone that is missing and those without volume are left out. Traits are those of the file. A
// table outside the file is an issue.
func TestHitBoxesAndTraits(t *testing.T) {
	files := filesOf(swinging())
	data := described(files["models/a.mdl"])
	put := func(at int, v uint32) { binary.LittleEndian.PutUint32(data[at:], v) }
	decode := func() (*Model, *world.Model) {
		got, err := Decode(t.Context(), "models/a.mdl", data, []skeleton.Appearance{{Moves: true}}, opener(files),
			Options{Rig: skeleton.Options{Bones: true, HitBoxes: true, Info: true}}, budget())
		if err != nil {
			t.Fatal(err)
		}
		return got, got.Shown[0].Model
	}
	got, m := decode()
	want := world.HitBox{Name: "chest", Set: "default", Bone: 1, Group: 2, Mins: [3]float64{-1, -2, -3}, Maxs: [3]float64{1, 2, 4}}
	if len(m.Skeleton.HitBoxes) != 1 || m.Skeleton.HitBoxes[0] != want || len(got.Issues) > 0 {
		t.Errorf("%+v %v", m.Skeleton.HitBoxes, got.Issues)
	}
	if x := m.Info; x == nil || x.Mass != 12.5 || x.KeyValues != "mdl { }\n" || len(x.Parts) != 1 || len(x.Parts[0].Variants) != 1 {
		t.Errorf("%+v", x)
	}
	put(hitBoxSets, 1<<30)
	put(keyValues+4, 1<<20)
	if got, m = decode(); len(m.Skeleton.HitBoxes) > 0 || m.Info.KeyValues != "" || len(got.Issues) != 2 {
		t.Errorf("%+v %v", m.Skeleton.HitBoxes, got.Issues)
	}
}

// described adds three hit boxes, key-values and a mass to a model. One box is of a missing bone, and one has no volume.
func described(data []byte) []byte {
	data = bytes.Clone(data)
	word := func(v ...uint32) {
		for _, x := range v {
			data = binary.LittleEndian.AppendUint32(data, x)
		}
	}
	put := func(at int, v uint32) { binary.LittleEndian.PutUint32(data[at:], v) }
	float := math.Float32bits
	put(hitBoxSets, 1)
	put(hitBoxSets+4, uint32(len(data)))
	const boxes = 3
	word(hitBoxSetSize+boxes*hitBoxSize, boxes, hitBoxSetSize) // the set's name is behind its boxes
	for i := range boxes {
		bone, high := uint32(1), float(4)
		if i == 1 {
			bone = 9
		}
		if i == 2 {
			high = float(-3)
		}
		word(bone, 2, float(-1), float(-2), float(-3), float(1), float(2), high, uint32((boxes-i)*hitBoxSize+8), 0, 0, 0, 0, 0, 0, 0, 0)
	}
	data = append(data, "default\x00chest\x00"...)
	put(keyValues, uint32(len(data)))
	put(keyValues+4, 9)
	data = append(data, "mdl { }\n\x00"...)
	put(mass, float(12.5))
	return data
}

// filesOf returns the files of a model by name.
func filesOf(m *build.Model) map[string][]byte {
	files := map[string][]byte{}
	for ext, data := range m.Files() {
		files["models/a"+ext] = data
	}
	return files
}

// Of models in maps only those have a skeleton that play a sequence in which a bone moves; looks of the same sequence share it.
func TestLooksThatPlay(t *testing.T) {
	m := swinging()
	m.Animations[1] = build.Animation{Frames: 3, Data: build.Run(1, build.MovedTurn, [3][]int16{nil, nil, {10, 20, 30}})}
	files := map[string][]byte{}
	for ext, data := range m.Files() {
		files["models/a"+ext] = data
	}
	looks := []skeleton.Appearance{{Sequence: 1}, {Sequence: 1, Moves: true}, {Animation: "swing", Skin: 1, Moves: true}, {Moves: true}}
	got, err := Decode(t.Context(), "models/a.mdl", files["models/a.mdl"], looks, opener(files),
		Options{Rig: skeleton.Options{Bones: true, Shown: true}}, budget())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{false, true, true, false} {
		m := got.Shown[i].Model
		if bound := shapeOf(got, i, 0).Bindings != nil; (m.Skeleton != nil) != want || bound != want ||
			got.Shown[i].Posed == want && i < 2 {
			t.Errorf("look %d has a skeleton %+v, its vertices are bound: %t, posed: %t", i, m.Skeleton, bound, got.Shown[i].Posed)
		}
	}
	s := got.Shown[1].Model.Skeleton
	if s != got.Shown[2].Model.Skeleton || len(s.Sequences) != 1 || s.Shown != 0 ||
		!slices.Equal(anglesOf(s.Sequences[0].Tracks[1]), []int{9, 27}) {
		t.Errorf("%+v", s)
	}
}
