package animation

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/nodes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A bone 10 units up and one 4 units to the left (+Y) of it, turned by a quarter about Z; it carries something one unit ahead.
func TestSkeletonsAreJoints(t *testing.T) {
	half := math.Sqrt2 / 2
	still := world.Track{PositionFrames: []int{0}, Positions: [][3]float32{{0, 0, 10}}, RotationFrames: []int{0},
		Rotations: [][4]float32{{0, 0, 0, 1}}}
	moved := world.Track{
		PositionFrames: []int{0, 3}, Positions: [][3]float32{{0, 4, 0}, {0, 8, 0}}, RotationFrames: []int{0},
		Rotations: [][4]float32{{0, 0, float32(half), float32(half)}},
	}
	w := &world.World{
		Models: []world.Model{{}, {Skeleton: &world.Skeleton{
			Bones: []world.Bone{
				{Name: "Bip01 Spine", Parent: -1, Joint: world.Joint{Position: [3]float64{0, 0, 10}, Rotation: [4]float64{0, 0, 0, 1}}},
				{Name: "arm.L", Parent: 0, Joint: world.Joint{Position: [3]float64{0, 4, 0}, Rotation: [4]float64{0, 0, half, half}},
					Inverse: [3][4]float64{{1, 0, 0, -1}, {0, 1, 0, -2}, {0, 0, 1, -3}}},
			},
			Sequences: []world.Sequence{{Name: "wave", Activity: "ACT_WAVE", Frames: 4, FPS: 30, Loops: true,
				Tracks: []world.Track{still, moved},
				Events: []world.Event{{Frame: 2, Number: 1004, Options: "step.wav"}}}},
			Attachments: []world.Attachment{{Name: "hand", Bone: 1,
				Joint: world.Joint{Position: [3]float64{1, 0, 0}, Rotation: [4]float64{0, 0, 0, 1}}}},
		}}},
		Props: []world.Prop{{Index: 1, Kind: world.FileProp}},
	}
	placed := &nodes.Placed{
		Nodes: []scene.Node{scene.NewNode("root", scene.None), scene.NewNode("model", 0)},
		Props: []nodes.Prop{{As: nodes.AsMesh, Node: 1, Skin: 1}},
	}
	got, err := Skeletons(t.Context(), w, placed, axes.Axes{Unit: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Nodes) != 3 || len(got.Skins) != 1 || got.NodeSkins[1] != 0 || len(got.Animations) != 1 {
		t.Fatalf("%+v", got)
	}
	spine, arm, hand := got.Nodes[0], got.Nodes[1], got.Nodes[2]
	if spine.Parent != 0 || arm.Parent != 2 || hand.Parent != 3 || arm.Name != "arm_L" || arm.Extras["bone"] != "arm.L" {
		t.Errorf("%+v", got.Nodes)
	}
	// Up is +Y, the map's +Y is -Z, a turn about the map's Z is one about Y.
	if spine.Translation != [3]float64{0, 5, 0} || arm.Translation != [3]float64{0, 0, -2} ||
		arm.Rotation != [4]float64{0, half, 0, half} || hand.Translation != [3]float64{0.5, 0, 0} {
		t.Errorf("%v, %v %v, %v", spine.Translation, arm.Translation, arm.Rotation, hand.Translation)
	}
	if want := [4][4]float32{{1, 0, 0, -0.5}, {0, 1, 0, -1.5}, {0, 0, 1, 1}, {0, 0, 0, 1}}; got.Skins[0].Inverse[1] != want {
		t.Errorf("the inverse is %v, want %v", got.Skins[0].Inverse[1], want)
	}
	// Only the arm's position changes: the others stand so already.
	a := got.Animations[0]
	if len(a.Channels) != 1 || a.Channels[0].Node != 3 || a.Channels[0].Translations[1] != [3]float32{0, 0, -4} ||
		a.Channels[0].Times[1] != 0.1 {
		t.Errorf("%+v", a.Channels)
	}
	if a.Extras["activity"] != "ACT_WAVE" || a.Extras["loops"] != true || a.Extras["events"] != "2 1004 step.wav" {
		t.Errorf("%v", a.Extras)
	}
}

// Sequences that move a bone alike have one list of keys, which is written once.
func TestSequencesShareEqualKeys(t *testing.T) {
	track := func() []world.Track {
		return []world.Track{{PositionFrames: []int{0, 3}, Positions: [][3]float32{{}, {0, 8, 0}}, RotationFrames: []int{0, 3},
			Rotations: [][4]float32{{0, 0, 0, 1}, {0, 0, 1, 0}}}}
	}
	s := &world.Skeleton{Bones: []world.Bone{{Name: "root", Parent: -1}},
		Sequences: []world.Sequence{{Name: "walk", FPS: 10, Tracks: track()}, {Name: "run", FPS: 30, Tracks: track()}}}
	list, err := sequences(t.Context(), s, newSequenceBuilder(s, axes.Axes{Unit: 1}))
	if err != nil || len(list) != 2 || len(list[1].Channels) != 2 {
		t.Fatalf("%v %+v", err, list)
	}
	walk, run := list[0].Channels, list[1].Channels
	if &walk[0].Translations[0] != &run[0].Translations[0] || &walk[1].Rotations[0] != &run[1].Rotations[0] {
		t.Error("equal keys are kept twice")
	}
	if walk[0].Times[1] != 0.3 || run[0].Times[1] != 0.1 {
		t.Errorf("%v %v", walk[0].Times, run[0].Times)
	}
}

// A sequence that moves no bone keeps its name, and lasts as long as its file says.
func TestStillSequencesLastAsLongAsTheySay(t *testing.T) {
	still := []world.Track{{PositionFrames: []int{0}, Positions: [][3]float32{{0, 8, 0}}, RotationFrames: []int{0},
		Rotations: [][4]float32{{0, 0, 0, 1}}}}
	moved := []world.Track{{PositionFrames: []int{0, 3}, Positions: [][3]float32{{0, 8, 0}, {0, 9, 0}}, RotationFrames: []int{0},
		Rotations: [][4]float32{{0, 0, 0, 1}}}}
	s := &world.Skeleton{Bones: []world.Bone{{Name: "root", Parent: -1, Joint: world.Joint{Position: [3]float64{0, 8, 0}, Rotation: [4]float64{0, 0, 0, 1}}}},
		Sequences: []world.Sequence{
			{Name: "idle", Activity: "ACT_IDLE", Frames: 1, FPS: 30, Tracks: still, Events: []world.Event{{Number: 5004}}},
			{Name: "wait", Frames: 31, FPS: 10, Tracks: still},
		}}
	list, err := sequences(t.Context(), s, newSequenceBuilder(s, axes.Axes{Unit: 1}))
	if err != nil || len(list) != 2 || list[0].Extras["activity"] != "ACT_IDLE" || list[0].Extras["events"] != "0 5004" {
		t.Fatalf("%v %+v", err, list)
	}
	if c := list[0].Channels; len(c) != 1 || !slices.Equal(c[0].Times, []float32{0}) || c[0].Translations[0] != [3]float32{0, 0, -8} {
		t.Errorf("one frame: %+v", c)
	}
	if c := list[1].Channels; len(c) != 1 || !slices.Equal(c[0].Times, []float32{0, 3}) || c[0].Translations[1] != c[0].Translations[0] {
		t.Errorf("31 frames: %+v", c)
	}
	// Beside one that moves the bone, it has the bone's channel as before, and a key at its end.
	s.Sequences = append(s.Sequences, world.Sequence{Name: "walk", Frames: 4, FPS: 10, Tracks: moved})
	list, err = sequences(t.Context(), s, newSequenceBuilder(s, axes.Axes{Unit: 1}))
	if err != nil || len(list) != 3 || !slices.Equal(list[1].Channels[0].Times, []float32{0, 3}) ||
		!slices.Equal(list[0].Channels[0].Times, []float32{0}) {
		t.Errorf("%v %+v", err, list)
	}
}

// The frames of a coarser level of detail play in the animations of the finest. A sequence that the finest lacks is one of its own.
func TestFramesOfLevelsPlayTogether(t *testing.T) {
	sequence := func(name string) world.MorphSequence {
		return world.MorphSequence{Name: name, Frames: []int{0, 1}, FPS: 10}
	}
	w := &world.World{
		Models: []world.Model{
			{MorphTargets: &world.MorphTargets{Frames: 2, Sequences: []world.MorphSequence{sequence("run"), sequence("stand")}}},
			{MorphTargets: &world.MorphTargets{Frames: 2, Sequences: []world.MorphSequence{sequence("stand"), sequence("sit")}}},
		},
		Props: []world.Prop{{Kind: world.FileProp}, {Kind: world.FileProp, Index: 1, Level: 1}},
	}
	placed := &nodes.Placed{Props: []nodes.Prop{{As: nodes.AsMesh, Node: 1}, {As: nodes.AsMesh, Node: 2}}}
	list, _, err := Shapes(t.Context(), w, placed)
	var got []string
	for _, a := range list {
		nodes := ""
		for _, c := range a.Channels {
			nodes += fmt.Sprint(" ", c.Node)
		}
		got = append(got, a.Name+nodes)
	}
	if want := []string{"run 1", "stand 1 2", "sit 2"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}
