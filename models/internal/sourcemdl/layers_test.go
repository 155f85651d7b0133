package sourcemdl

import (
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/sourcemdl"
)

// run returns the data of an animation that turns bone 1 about Z by steps, one for each frame; flags are those of its record.
func run(flags uint8, steps ...int16) []byte {
	return build.Run(1, flags|build.MovedTurn, [3][]int16{nil, nil, steps})
}

// A step is 0.9 degrees. The sequence turns the arm by 9 degrees in each of five frames, the layer by 90.
func TestLayersOfSequences(t *testing.T) {
	const delta = build.Delta
	all := build.Layer{Sequence: 1}
	ramp := build.Layer{Sequence: 1, Peak: 0.5, Tail: 0.5, End: 1}
	with := func(l build.Layer, flags int32) build.Layer { l.Flags = flags; return l }
	for _, test := range []struct {
		name  string
		layer build.Layer
		flags int32 // of the layer's sequence
		edit  func(m *build.Model)
		want  []int
		issue string
	}{
		{"replaces", all, 0, nil, []int{90, 90, 90, 90, 90}, ""},
		{"adds", all, delta, nil, []int{99, 99, 99, 99, 99}, ""},
		// The weights are 0, 1/2, 1, 1/2, 0: from 9 to 90 degrees by that share.
		{"rises and falls", ramp, 0, nil, []int{9, 50, 90, 50, 9}, ""},
		{"rises and falls, added", ramp, delta, nil, []int{9, 54, 99, 54, 9}, ""},
		// 3/16 - 2/64 of a spline at 1/4 is 0.156: in the second frame 1/4 of the way to the peak.
		{"a spline", build.Layer{Sequence: 1, Flags: layerSpline, Peak: 1, Tail: 1, End: 1}, delta, nil, []int{9, 23, 54, 85, 99}, ""},
		{"at a part of the time", build.Layer{Sequence: 1, Start: 0.4, Peak: 0.4, Tail: 0.6, End: 0.6}, delta, nil,
			[]int{9, 9, 99, 9, 9}, ""},
		{"until the end", build.Layer{Sequence: 1, Start: 0.6, Peak: 0.6, Tail: 1, End: 1}, delta, nil, []int{9, 9, 9, 99, 99}, ""},
		// Its two frames are spread over the second half.
		{"has its own time", build.Layer{Sequence: 1, Start: 0.5, Peak: 0.5, Tail: 1, End: 1}, delta, func(m *build.Model) {
			m.Animations[1].Frames, m.Animations[1].Data = 2, run(build.Added, 0, 100)
		}, []int{9, 9, 9, 54, 99}, ""},
		{"of a part of the bones", all, 0, func(m *build.Model) { m.Sequences[1].Weights = []float32{1, 0} }, []int{9, 9, 9, 9, 9}, ""},
		{"of half of a bone", all, delta, func(m *build.Model) { m.Sequences[1].Weights = []float32{1, 0.5} },
			[]int{54, 54, 54, 54, 54}, ""},
		{"in the model's axes", all, flagWorld, nil, []int{90, 90, 90, 90, 90}, ""},
		{"local, of a sequence without such", with(all, layerLocal), 0, nil, []int{9, 9, 9, 9, 9}, ""},
		{"local", with(all, layerLocal), delta, func(m *build.Model) { m.Sequences[0].Flags |= flagLocal }, []int{99, 99, 99, 99, 99}, ""},
		// The parameter stands at 0: half of the way from -1 to 1.
		{"by a parameter", build.Layer{Sequence: 1, Flags: layerByPose, Start: -1, Peak: 1, Tail: 1, End: 1}, delta, func(m *build.Model) {
			m.Parameters = []build.Parameter{{Start: -1, End: 1}}
		}, []int{54, 54, 54, 54, 54}, ""},
		{"in layers", build.Layer{Sequence: 2}, delta, func(m *build.Model) {
			m.Sequences = append(m.Sequences, build.Sequence{Label: "between", Flags: delta, Animation: 2, Layers: []build.Layer{all}})
			m.Animations = append(m.Animations, build.Animation{Flags: delta, Data: run(build.Added, -10)})
		}, []int{90, 90, 90, 90, 90}, ""},
		{"in a circle", all, delta, func(m *build.Model) { m.Sequences[1].Layers = []build.Layer{{Sequence: 0}} },
			[]int{99, 99, 99, 99, 99}, "1 layers of 1 sequences (\"walk\" first) can't be read: they are left out"},
		{"of no sequence", build.Layer{Sequence: 7}, 0, nil, []int{9, 9, 9, 9, 9}, "can't be read: they are left out"},
		{"with a time of its own", all, delta | flagOwnTime, func(m *build.Model) {
			m.Animations[1].Frames, m.Animations[1].Data = 2, run(build.Added, 0, 100)
		}, []int{9, 9, 9, 9, 9}, "run in a time of their own: they are left out"},
		{"that holds a hand", all, delta, func(m *build.Model) { m.Sequences[1].Locks = 1 }, []int{9, 9, 9, 9, 9},
			"hold hands or feet by inverse kinematics: they are left out"},
	} {
		m := arm()
		record := uint8(0)
		if test.flags&delta != 0 {
			record = build.Added
		}
		m.Animations = []build.Animation{{Name: "a", Frames: 5, Data: run(0, 10, 10, 10, 10, 10)},
			{Name: "b", Flags: test.flags & delta, Data: run(record, 100)}}
		m.Sequences = []build.Sequence{{Label: "walk", Layers: []build.Layer{test.layer}}, {Label: "over", Animation: 1, Flags: test.flags}}
		if test.edit != nil {
			test.edit(m)
		}
		s, issues := skeletonOf(t, map[string]*build.Model{"a": m})
		got := anglesOf(s.Sequences[0].Tracks[1])
		for len(got) > 0 && len(got) < 5 {
			got = append(got, got[0]) // it stays
		}
		if !slices.Equal(got, test.want) || !strings.Contains(issues, test.issue) ||
			test.issue == "" && strings.Contains(issues, "layers") {
			t.Errorf("%s: %v, want %v; %s", test.name, got, test.want, issues)
		}
	}
}

// A pose in maps has the layers, too: the arm is turned by 90 degrees in the first frame.
func TestPosesHaveLayers(t *testing.T) {
	m := swinging()
	m.Sequences[0].Animation, m.Animations[0].Data = 0, run(0, 0)
	m.Sequences[0].Layers = []build.Layer{{Sequence: 1}}
	got := decode(t, m, Options{}, skeleton.Appearance{})
	near(t, "a layer", shapeOf(got, 0, 0).Vertices[1].Position, [3]float32{0, 5, 10})
}
