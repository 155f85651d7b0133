package animation

import (
	"math"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/nodes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// nodder returns a model of two bones, of which the second nods for a second in a sequence that ends as it begins.
func nodder() world.Model {
	turn := [4]float64{0, 0, 0, 1}
	stay := world.Track{PositionFrames: []int{0}, Positions: [][3]float32{{0, 0, 8}}, RotationFrames: []int{0},
		Rotations: [][4]float32{{0, 0, 0, 1}}}
	nod := world.Track{
		PositionFrames: []int{0, 5, 10}, Positions: [][3]float32{{0, 0, 4}, {0, 0, 2}, {0, 0, 4}}, RotationFrames: []int{0},
		Rotations: [][4]float32{{0, 0, 0, 1}},
	}
	return world.Model{Skeleton: &world.Skeleton{
		Bones: []world.Bone{
			{Name: "root", Parent: -1, Joint: world.Joint{Position: [3]float64{0, 0, 8}, Rotation: turn}},
			{Name: "head", Parent: 0, Joint: world.Joint{Position: [3]float64{0, 0, 4}, Rotation: turn}},
		},
		Sequences: []world.Sequence{{Name: "nod", Frames: 11, FPS: 10, Loops: true, Tracks: []world.Track{stay, nod}}},
	}}
}

// Two props of a model play it below their own nodes, with the same keys.
func TestModelsPlayInMaps(t *testing.T) {
	props := []world.Prop{
		{Model: "models/a.mdl", Index: 1, Appearance: world.Appearance{Plays: world.Repeated}},
		{Model: "models/a.mdl", Index: 1, Appearance: world.Appearance{Plays: world.Repeated}},
	}
	w := &world.World{Models: []world.Model{{}, nodder()}, Props: props}
	placed := &nodes.Placed{
		Nodes: []scene.Node{scene.NewNode("root", scene.None), scene.NewNode("a", 0), scene.NewNode("a_skin", 0), scene.NewNode("b", 0),
			scene.NewNode("b_skin", 0)},
		Props: []nodes.Prop{{As: nodes.AsMesh, Node: 1, Skin: 2}, {As: nodes.AsMesh, Node: 3, Skin: 4}},
	}
	ctx := t.Context()
	got, err := Skeletons(ctx, w, placed, axes.Axes{Unit: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Animations) != 0 || len(got.Plays) != 2 || len(got.Nodes) != 4 || got.NodeSkins[2] != 0 || got.NodeSkins[4] != 1 {
		t.Fatalf("%+v", got)
	}
	if &got.Skins[0].Inverse[0] != &got.Skins[1].Inverse[0] || !slices.Equal(got.Skins[1].Joints, []int{7, 8}) {
		t.Errorf("the skins are %+v", got.Skins)
	}
	if got.Nodes[0].Parent != 1 || got.Nodes[1].Parent != 5 || got.Nodes[2].Parent != 3 || got.Nodes[3].Parent != 7 {
		t.Errorf("the joints are %+v", got.Nodes)
	}
	list, err := Animations(ctx, Input{World: w, Placed: placed, Plays: got.Plays})
	if err != nil || len(list) != 1 || list[0].Name != "map start" || list[0].Extras["loops"] != true {
		t.Fatalf("%+v, %v", list, err)
	}
	a, b := list[0].Channels[0], list[0].Channels[1]
	if len(list[0].Channels) != 2 || a.Node != 6 || b.Node != 8 || &a.Times[0] != &b.Times[0] || &a.Translations[0] != &b.Translations[0] {
		t.Errorf("the channels are %+v", list[0].Channels)
	}
	if !slices.Equal(a.Times, []float32{0, 0.5, 1}) || a.Translations[1] != [3]float32{0, 1, 0} {
		t.Errorf("%v: %v", a.Times, a.Translations)
	}
}

func TestClipsAreRepeated(t *testing.T) {
	up := func(heights ...float32) (out [][3]float32) {
		for _, h := range heights {
			out = append(out, [3]float32{0, h, 0})
		}
		return out
	}
	for _, test := range []struct {
		name   string
		clip   clip
		end    float64
		times  []float32
		height []float32
	}{
		{"one round", clip{channels: []scene.Channel{{Times: []float32{0, 1}, Translations: up(0, 4)}}, seconds: 1}, 1, []float32{0, 1},
			[]float32{0, 4}},
		{"it ends as it begins", clip{channels: []scene.Channel{{Times: []float32{0, 1, 2}, Translations: up(0, 4, 0)}}, seconds: 2}, 4,
			[]float32{0, 1, 2, 3, 4}, []float32{0, 4, 0, 4, 0}},
		{"it jumps back", clip{channels: []scene.Channel{{Times: []float32{0, 1}, Translations: up(0, 4)}}, seconds: 1}, 2,
			[]float32{0, 1, 1.001, 2}, []float32{0, 4, 0, 4}},
		{"it is slower to end with the others", clip{channels: []scene.Channel{{Times: []float32{0, 2, 4}, Translations: up(0, 4, 0)}}, seconds: 4},
			5, []float32{0, 2.5, 5}, []float32{0, 4, 0}},
		{"it plays once", clip{channels: []scene.Channel{{Times: []float32{0, 1}, Translations: up(0, 4)}}, seconds: 1, once: true},
			9, []float32{0, 1}, []float32{0, 4}},
		{"it stays", clip{channels: []scene.Channel{{Times: []float32{0}, Translations: up(3)}}, seconds: 1}, 9, []float32{0},
			[]float32{3}},
	} {
		got := test.clip.until(test.end)[0]
		same := len(got.Times) == len(test.times)
		for i := 0; same && i < len(got.Times); i++ {
			same = math.Abs(float64(got.Times[i]-test.times[i])) < 1e-6 && math.Abs(float64(got.Translations[i][1]-test.height[i])) < 1e-6
		}
		if !same {
			t.Errorf("%s: %v %v, want %v %v", test.name, got.Times, got.Translations, test.times, test.height)
		}
	}
	frames := clip{channels: []scene.Channel{{Times: []float32{0, 1, 2}, Targets: []int{scene.None, 0, 1}}}, seconds: 2}
	if got := frames.until(4)[0]; !slices.Equal(got.Targets, []int{scene.None, 0, 1, scene.None, 0, 1}) {
		t.Errorf("%v", got.Targets)
	}
}

// What shares its times before does so when it is slower.
func TestClipsAreSlowed(t *testing.T) {
	times := []float32{0, 1}
	c := clip{channels: []scene.Channel{{Times: times}, {Times: times}}}
	c.slow(0.5)
	if a, b := c.channels[0].Times, c.channels[1].Times; &a[0] != &b[0] || a[1] != 2 || times[1] != 1 {
		t.Errorf("%v %v %v", a, b, times)
	}
}
