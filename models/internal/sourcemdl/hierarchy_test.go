package sourcemdl

import (
	"math"
	"slices"
	"testing"

	build "github.com/bsp2gltf/bsp2gltf/testdata/build/sourcemdl"
)

// carried returns a model whose arm turns by 0, 90 and 90 degrees, and whose third bone hangs on it as h says.
func carried(h build.Hierarchy) *build.Model {
	m := arm()
	m.Bones = append(m.Bones, build.Bone{Name: "box", Parent: 0, Position: [3]float32{9, 0, 0}})
	m.Animations = []build.Animation{{Frames: 3, Data: run(0, 0, 100, 100), Hierarchies: []build.Hierarchy{h}}}
	m.Sequences = []build.Sequence{{Label: "carry"}}
	return m
}

// A bone hangs on another one while its weight is not 0: three units along the arm's X, 10 units above the root.
func TestBonesThatHangOnOthers(t *testing.T) {
	steps, tracks := [6]float32{1, 1, 1, 0.1, 0.1, 0.1}, [6][]int16{{3, 3, 4}, nil, nil, nil, nil, nil}
	for _, test := range []struct {
		name  string
		h     build.Hierarchy
		at    [][3]float32
		turns []int
	}{
		{"all the time", build.Hierarchy{Parent: 1, Tail: 1, End: 1}, [][3]float32{{3, 0, 10}, {0, 3, 10}, {0, 4, 10}}, []int{0, 90, 90}},
		{"on nothing", build.Hierarchy{Parent: -1, Tail: 1, End: 1}, [][3]float32{{3, 0, 0}, {3, 0, 0}, {4, 0, 0}}, []int{0}},
		{"in the middle", build.Hierarchy{Parent: 1, Start: 0.4, Peak: 0.4, Tail: 0.6, End: 0.6},
			[][3]float32{{9, 0, 0}, {0, 3, 10}, {9, 0, 0}}, []int{0, 90, 0}},
		{"from a later frame on", build.Hierarchy{Parent: 1, Tail: 1, End: 1, First: 1}, [][3]float32{{3, 0, 10}, {0, 3, 10}, {0, 3, 10}},
			[]int{0, 90, 90}},
		// Half of its weight: half of the rotation, and the middle of both places.
		{"while it begins", build.Hierarchy{Parent: 1, Peak: 1, Tail: 1.5, End: 2}, [][3]float32{{9, 0, 0}, {4.5, 1.5, 5}, {0, 4, 10}},
			[]int{0, 45, 90}},
	} {
		h := test.h
		h.Bone, h.Steps, h.Tracks = 2, steps, tracks
		s, issues := skeletonOf(t, map[string]*build.Model{"a": carried(h)})
		got := s.Sequences[0].Tracks[2]
		if !slices.Equal(anglesOf(got), test.turns) {
			t.Errorf("%s: turned by %v, want %v; %s", test.name, anglesOf(got), test.turns, issues)
		}
		for i, want := range test.at {
			for k, x := range want {
				if math.Abs(float64(got.Positions[i][k]-x)) > 1e-3 {
					t.Errorf("%s: frame %d at %v, want %v", test.name, i, got.Positions[i], want)
				}
			}
		}
	}
}

// Broken records of bones that hang on others leave out the sequence; those of bones that the model lacks do not count.
func TestHierarchiesThatCantBeRead(t *testing.T) {
	for name, test := range map[string]struct {
		h    build.Hierarchy
		want int
	}{
		"of a missing bone":  {build.Hierarchy{Bone: 9, Parent: 1, Tail: 1, End: 1}, 1},
		"of no bone":         {build.Hierarchy{Bone: -1, Parent: 1, Tail: 1, End: 1}, 1},
		"on none":            {build.Hierarchy{Bone: 2, Parent: -2, Tail: 1, End: 1}, 1},
		"on a missing bone":  {build.Hierarchy{Bone: 2, Parent: 9, Tail: 1, End: 1}, 1},
		"outside of a float": {build.Hierarchy{Bone: 2, Parent: 1, Tail: 1, End: 1, Steps: [6]float32{1e38}, Tracks: [6][]int16{{9}}}, 0},
	} {
		s, issues := skeletonOf(t, map[string]*build.Model{"a": carried(test.h)})
		if len(s.Sequences) != test.want || (test.want == 0) != (issues != "") {
			t.Errorf("%s: %d sequences, %s", name, len(s.Sequences), issues)
		}
	}
	for _, block := range []int32{-1, -892443904 / 8, 7} {
		m := carried(build.Hierarchy{Bone: 2, Parent: 1, Tail: 1, End: 1})
		m.File, m.Animations[0].Block = "models/a.ani", block
		if s, issues := skeletonOf(t, map[string]*build.Model{"a": m}); len(s.Sequences) != 0 || issues == "" {
			t.Errorf("in block %d: %d sequences, %s", block, len(s.Sequences), issues)
		}
	}
}
