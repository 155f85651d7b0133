package goldsrcmdl

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/goldsrcmdl"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// rigged decodes a model with its skeleton and all sequences.
func rigged(t *testing.T, data []byte) (*world.Model, string) {
	t.Helper()
	return riggedAs(t, data, skeleton.Options{Bones: true, Sequences: []string{"*"}, EveryFrame: true})
}

// riggedAs decodes it as a rig wants it.
func riggedAs(t *testing.T, data []byte, rig skeleton.Options) (*world.Model, string) {
	t.Helper()
	list, _, issues, err := Decode(t.Context(), "models/a.mdl", data, []skeleton.Appearance{{Moves: true}}, rig, alone, budget())
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, i := range issues {
		all += i.Detail + "\n"
	}
	return list[0], all
}

// waving is a model whose first bone moves along X by half units and whose second one turns about Z by quarters.
func waving() *build.Model {
	f := arm()
	move, turns := make([][6][]int16, 2), []int16{0, 1, 2}
	move[0][0], move[1][5] = []int16{0, 2, 4}, turns
	f.Sequences = []build.Sequence{
		{Label: "Wave", Activity: 3, Frames: 3, Tracks: move},
		{Label: "walk", Frames: 3, Tracks: move, Motion: 1, MotionBone: 0},
		{Label: "elsewhere", Frames: 3, Group: 1},
	}
	return f
}

// The vertices are where they are in the bones' rest position, whatever the first sequence shows, and hang on one bone each.
func TestVerticesOfASkeletonAreAtRest(t *testing.T) {
	f := waving()
	f.Sequences[0].Tracks[0][0] = []int16{100, 2, 4}
	m, _ := rigged(t, f.Bytes())
	s := m.Surfaces[0].Shape.(*world.Triangles)
	for i, want := range [][3]float32{{5, 0, 10}, {3, 0, 10}, {5, 1, 10}} { // as in TestDecodesTriangle
		for k, x := range s.Vertices[i].Position {
			if math.Abs(float64(x-want[k])) > 1e-5 {
				t.Errorf("vertex %d is at %v, want %v", i, s.Vertices[i].Position, want)
			}
		}
		if want := (world.Binding{Bones: [4]uint8{1}, Weights: [4]float32{1}}); s.Bindings[i] != want {
			t.Errorf("vertex %d hangs on %v", i, s.Bindings[i])
		}
	}
	// The bones stand as in the first sequence's first frame: 100 steps of half a unit.
	if got := m.Skeleton.Bones[0].Position; got != [3]float64{50, 0, 10} {
		t.Errorf("the first bone stands at %v", got)
	}
	// The second bone's X is the model's +Y at 5 0 10: its inverse takes 5 1 10 to 1 0 0.
	inverse := space.Matrix(m.Skeleton.Bones[1].Inverse)
	if at := inverse.Point([3]float32{5, 1, 10}); math.Abs(at[0]-1)+math.Abs(at[1])+math.Abs(at[2]) > 1e-5 {
		t.Errorf("the inverse takes it to %v", at)
	}
}

func TestSequencesHaveAllFrames(t *testing.T) {
	m, issues := rigged(t, waving().Bytes())
	if len(m.Skeleton.Sequences) != 2 || !strings.Contains(issues, "1 of its 3 sequences") {
		t.Fatalf("%d sequences: %s", len(m.Skeleton.Sequences), issues)
	}
	wave, walk := m.Skeleton.Sequences[0], m.Skeleton.Sequences[1]
	if wave.Name != "Wave" || wave.Activity != "ACT_WALK" || wave.Frames != 3 || wave.Loops {
		t.Errorf("%q %q, %d frames, loops %v", wave.Name, wave.Activity, wave.Frames, wave.Loops)
	}
	if want := [][3]float32{{0, 0, 10}, {1, 0, 10}, {2, 0, 10}}; !slices.Equal(wave.Tracks[0].Positions, want) {
		t.Errorf("it moves along %v", wave.Tracks[0].Positions)
	}
	// The bone rests at 90 degrees; each step adds 90.
	var degrees []float64
	for _, q := range wave.Tracks[1].Rotations {
		degrees = append(degrees, math.Round(360/math.Pi*math.Atan2(float64(q[2]), float64(q[3]))))
	}
	if !slices.Equal(degrees, []float64{90, 180, 270}) {
		t.Errorf("it turns by %v", degrees)
	}
	// A movement of the whole model is not in the bone.
	if want := [][3]float32{{0, 0, 10}}; !slices.Equal(walk.Tracks[0].Positions, want) {
		t.Errorf("it walks along %v", walk.Tracks[0].Positions)
	}
}

// What moves the whole model is in the motion bone if the rig wants that: both what the game leaves out of the bone as it shows the
// sequence, and what the compiler has taken out of it.
func TestRootMotion(t *testing.T) {
	f := waving()
	f.Sequences[1].Movement = [3]float32{0, 8, 0}
	m, _ := riggedAs(t, f.Bytes(), skeleton.Options{Bones: true, Sequences: []string{"*"}, EveryFrame: true, RootMotion: true})
	got, want := m.Skeleton.Sequences[1].Tracks[0].Positions, [][3]float32{{0, 0, 10}, {1, 4, 10}, {2, 8, 10}}
	if !slices.Equal(got, want) {
		t.Errorf("it walks along %v, want %v", got, want)
	}
}

// Each animation of a sequence that mixes several is a sequence of its own if the rig wants that. At rest it is the first, of nine the
// middle one.
func TestBlendsAsSequences(t *testing.T) {
	for _, test := range []struct {
		blends int32
		rest   int
		want   []string
	}{
		{1, 0, nil},
		{2, 0, []string{"XR -45", "XR 45"}},
		{3, 0, nil}, // of no game
		{4, 0, []string{"XR -45 blend 0", "XR 45 blend 0", "XR -45 blend 1", "XR 45 blend 1"}},
		{9, 4, []string{"XR -45 blend 0", "XR 0 blend 0", "XR 45 blend 0", "XR -45 blend 1", "XR 0 blend 1", "XR 45 blend 1",
			"XR -45 blend 2", "XR 0 blend 2", "XR 45 blend 2"}},
	} {
		f := arm()
		s := build.Sequence{Label: "aim", Frames: 1, Blends: test.blends, Axes: [2]int32{8, 0}, Start: [2]float32{-45, 0}, End: [2]float32{45, 1}}
		for i := range test.blends {
			s.Tracks = append(s.Tracks, [6][]int16{{int16(2 * i)}}, [6][]int16{}) // a step is half a unit along X
		}
		f.Sequences = []build.Sequence{s}
		m, issues := riggedAs(t, f.Bytes(), skeleton.Options{Bones: true, Sequences: []string{"*"}, Blends: true})
		var names []string
		for i, q := range m.Skeleton.Sequences {
			at := test.rest
			if i > 0 {
				names = append(names, q.Blend)
				at = i - 1
			}
			if x := q.Tracks[0].Positions[0][0]; x != float32(at) || i > 0 && q.Name != "aim ["+q.Blend+"]" {
				t.Errorf("%d blends: %q is at %g, want %d", test.blends, q.Name, x, at)
			}
		}
		if !slices.Equal(names, test.want) {
			t.Errorf("%d blends: %q, want %q; %s", test.blends, names, test.want, issues)
		}
	}
}

// A run that covers fewer frames than it stores begins anew, and so does the next one: compilers wrote such runs after the 510th frame.
func TestBrokenRuns(t *testing.T) {
	data := []byte{12, 0, 11: 0, // one track, at 12
		2, 2, 10, 0, 11, 0, // frames 0 and 1
		3, 1, 20, 0, 21, 0, 22, 0, // stores more than it covers: shows its first value in one frame, whichever that is
		2, 0, 30, 0, 31, 0, // covers none
		1, 3, 40, 0}
	for _, frames := range [][]int{{0, 1, 2, 3, 4}, {4}, {3, 0}, {1, 3}} {
		a := animation{data: data, steps: 1000, marks: map[int]mark{}}
		for _, frame := range frames {
			got, err := a.step(0, 0, frame)
			if want := []int16{10, 11, 20, 20, 20}[frame]; got != want || err != nil {
				t.Errorf("frame %d of %v: %d, want %d; %v", frame, frames, got, want, err)
			}
		}
	}
	data[18], data[19], data[20] = 2, 0, 30 // now the second run covers none: the last one follows, at its start
	data = append(data[:18], data[26:]...)
	a := animation{data: data, steps: 1000, marks: map[int]mark{}}
	if got, err := a.step(0, 0, 4); got != 40 || err != nil {
		t.Errorf("after a run of no frames: %d, want 40; %v", got, err)
	}
}

// A file can't claim more frames than can be made.
func TestSequencesThatAreTooLong(t *testing.T) {
	f := waving()
	f.Sequences[0].Frames = 1 << 30
	m, issues := rigged(t, f.Bytes())
	if len(m.Skeleton.Sequences) != 1 || !strings.Contains(issues, "longer") {
		t.Errorf("%d sequences: %s", len(m.Skeleton.Sequences), issues)
	}
}

// A bone that is nowhere is no joint: the model has no skeleton, which is an issue.
func TestBonesThatAreNowhere(t *testing.T) {
	f := waving()
	f.Bones = append(f.Bones, f.Bones[1])
	data := f.Bytes()
	at := int(binary.LittleEndian.Uint32(data[144:])) + 2*boneSize + 64
	binary.LittleEndian.PutUint32(data[at:], math.Float32bits(float32(math.Inf(1))))
	if m, issues := rigged(t, data); m.Skeleton != nil || m.Surfaces[0].Shape.(*world.Triangles).Bindings != nil ||
		!strings.Contains(issues, "bone 2 is at") {
		t.Errorf("%+v: %s", m.Skeleton, issues)
	}
}

// Attachments hang on bones; one of a bone that is missing is left out, and a table outside the file is an issue.
func TestAttachments(t *testing.T) {
	m := waving()
	for _, bone := range []int32{1, 9} {
		m.Attachments = append(m.Attachments, build.Attachment{Name: "muzzle", Bone: bone, Position: [3]float32{1, 2, 3}})
	}
	data := m.Bytes()
	decode := func() ([]world.Attachment, []world.Issue) {
		list, _, issues, err := Decode(t.Context(), "a.mdl", data, []skeleton.Appearance{{Moves: true}},
			skeleton.Options{Bones: true, Attachments: true}, alone, budget())
		if err != nil {
			t.Fatal(err)
		}
		return list[0].Skeleton.Attachments, issues
	}
	want := world.Attachment{Name: "muzzle", Bone: 1, Joint: world.Joint{Position: [3]float64{1, 2, 3}, Rotation: [4]float64{0, 0, 0, 1}}}
	if got, issues := decode(); len(got) != 1 || got[0] != want || len(issues) > 0 {
		t.Errorf("%+v %v", got, issues)
	}
	data = data[:len(data)-1]
	if got, issues := decode(); len(got) > 0 || len(issues) != 1 || issues[0].Code != "model-skeleton" {
		t.Errorf("%+v %v", got, issues)
	}
}

// Hit boxes hang on bones; those of a bone that is missing and those without volume are left out. Traits are those of the file.
func TestHitBoxesAndTraits(t *testing.T) {
	data := described()
	list, _, issues, err := Decode(t.Context(), "a.mdl", data, []skeleton.Appearance{{Moves: true}},
		skeleton.Options{Bones: true, HitBoxes: true, Info: true}, alone, budget())
	if err != nil {
		t.Fatal(err)
	}
	want := world.HitBox{Bone: 1, Group: 3, Mins: [3]float64{-1, -2, -3}, Maxs: [3]float64{1, 2, 4}}
	if got := list[0].Skeleton.HitBoxes; len(got) != 1 || got[0] != want || len(issues) > 0 {
		t.Errorf("%+v %v", got, issues)
	}
	if x := list[0].Info; x == nil || x.Flags != 5 || len(x.Parts) == 0 || len(x.Parts[0].Variants) == 0 {
		t.Errorf("%+v", x)
	}
}

// described is a model with flags and three hit boxes. One box is of a missing bone, and one has no volume.
func described() []byte {
	data := waving().Bytes()
	at := len(data)
	for _, x := range []struct {
		bone uint32
		high float32
	}{{1, 4}, {9, 4}, {1, -3}} {
		data = binary.LittleEndian.AppendUint32(data, x.bone)
		data = binary.LittleEndian.AppendUint32(data, 3)
		for _, v := range []float32{-1, -2, -3, 1, 2, x.high} {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
	}
	binary.LittleEndian.PutUint32(data[136:], 5)
	binary.LittleEndian.PutUint32(data[156:], 3)
	binary.LittleEndian.PutUint32(data[160:], uint32(at))
	return data
}

// Of models in maps only those have a skeleton that play a sequence in which a bone moves; poses of the same sequence share it.
func TestPosesThatPlay(t *testing.T) {
	f := waving()
	f.Sequences[1].Tracks = make([][6][]int16, 2)
	poses := []skeleton.Appearance{{}, {Moves: true}, {Moves: true, Skin: 1}, {Sequence: 1, Moves: true}, {Sequence: 2, Moves: true}}
	list, _, issues, err := Decode(t.Context(), "models/a.mdl", f.Bytes(), poses, skeleton.Options{Bones: true, Shown: true},
		alone, budget())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{false, true, true, false, false} {
		bound := list[i].Surfaces[0].Shape.(*world.Triangles).Bindings != nil
		if (list[i].Skeleton != nil) != want || bound != want {
			t.Errorf("pose %d has a skeleton %+v, its vertices are bound: %t", i, list[i].Skeleton, bound)
		}
	}
	if s := list[1].Skeleton; s != list[2].Skeleton || len(s.Sequences) != 1 || s.Shown != 0 || s.Sequences[0].Name != "Wave" {
		t.Errorf("%+v", s)
	}
	for _, i := range issues {
		if i.Code == "model-sequence" {
			t.Errorf("an issue of a model that stands: %v", i)
		}
	}
}

// Numbers that turn bones are those of the file; the game puts them at 0, or at what is nearest to that.
func TestControllersOfBones(t *testing.T) {
	record := func(bone, kind int32, start, end float32, number int32) (out []byte) {
		out = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, uint32(bone)), uint32(kind))
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(start))
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(end))
		return binary.LittleEndian.AppendUint32(append(out, 0, 0, 0, 0), uint32(number))
	}
	data := arm().Bytes()
	at := len(data)
	data = append(data, slices.Concat(record(1, 8, -60, 60, 0), record(0, 0x8020, 10, 90, 4), record(9, 8, -1, 1, 1),
		record(0, 0x40, -1, 1, 2))...)
	for _, test := range []struct {
		n     uint32
		want  []string
		issue string
	}{
		{4, []string{"0 XR -60 60 0 false", "4 ZR 10 90 10 true"}, ""},
		{0, nil, ""},
		{5, nil, "its bone controllers are left out"},
		{1 << 31, nil, "its bone controllers are left out"},
	} {
		binary.LittleEndian.PutUint32(data[148:], test.n)
		binary.LittleEndian.PutUint32(data[152:], uint32(at))
		m, issues := riggedAs(t, data, skeleton.Options{Bones: true, Info: true})
		var got []string
		for _, d := range m.Info.BoneControllers {
			got = append(got, fmt.Sprintf("%d %s %g %g %g %v", d.Number, d.Axis, d.Start, d.End, d.Rest, d.Wraps))
		}
		if !slices.Equal(got, test.want) || !strings.Contains(issues, test.issue) || test.issue == "" && issues != "" {
			t.Errorf("%d: %q, want %q; %s", test.n, got, test.want, issues)
		}
	}
}
