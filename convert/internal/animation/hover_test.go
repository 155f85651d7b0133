package animation

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/nodes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// hovering returns the channels of the start of two nodes of the same pose and one that is turned by 90 degrees about Z.
func hovering(t *testing.T, motion pipeline.Motion) []scene.Channel {
	t.Helper()
	w, placed := &world.World{}, &nodes.Placed{}
	for i := range 3 {
		n := scene.NewNode("n", scene.None)
		n.Translation = [3]float64{0, 1, 0}
		if i == 2 {
			n.Rotation = [4]float64{0, 0, math.Sqrt2 / 2, math.Sqrt2 / 2}
		}
		placed.Nodes = append(placed.Nodes, n)
		w.Props = append(w.Props, world.Prop{Appearance: world.Appearance{Hover: &world.Hover{TurnPeriod: 2.04, Bob: 32, BobPeriod: 0.9,
			Ahead: 0.675}}})
		placed.Props = append(placed.Props, nodes.Prop{Hovers: i})
	}
	w.Props = append(w.Props, world.Prop{Appearance: world.Appearance{Hover: &world.Hover{TurnPeriod: 2}}}, world.Prop{})
	placed.Props = append(placed.Props, nodes.Prop{Hovers: scene.None}, nodes.Prop{Hovers: scene.None})
	out, err := Animations(t.Context(), Input{World: w, Placed: placed, Motion: motion, Axes: axes.Axes{Unit: 1.0 / 32}})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) == 0 {
		return nil
	}
	return out[0].Channels
}

// They turn once to the left in two seconds, and float up and down twice, by a metre, from the middle of their way up: 0.675 is three
// quarters of a beat. Nodes of the same pose share their keys.
func TestHoveringPropsMove(t *testing.T) {
	for motion, want := range map[pipeline.Motion]int{pipeline.MotionNone: 0, pipeline.MotionStart: 6, pipeline.MotionAll: 6} {
		if got := hovering(t, motion); len(got) != want {
			t.Errorf("%s: %d channels, want %d", motion, len(got), want)
		}
	}
	list := hovering(t, pipeline.MotionStart)
	turn, bob := list[0], list[1]
	if len(turn.Times) != 5 || turn.Times[1] != 0.5 || turn.Times[4] != 2 || len(bob.Times) != 25 || bob.Times[24] != 2 {
		t.Fatalf("times %v and %v", turn.Times, bob.Times)
	}
	wide := func(q [4]float32) [4]float64 {
		return [4]float64{float64(q[0]), float64(q[1]), float64(q[2]), float64(q[3])}
	}
	// A quarter of a turn to the left takes the map's +X, which is +X, to the map's +Y, which is -Z.
	if got := scenetest.Rotate(wide(turn.Rotations[1]), [3]float64{1, 0, 0}); !scenetest.Near(got, [3]float64{0, 0, -1}) {
		t.Errorf("+X is turned to %v", got)
	}
	for key, want := range map[int][3]float32{0: {0, 1, 0}, 3: {0, 2, 0}, 9: {0, 0, 0}, 12: {0, 1, 0}, 15: {0, 2, 0}} {
		if got := bob.Translations[key]; !near3(got, want) {
			t.Errorf("key %d: %v, want %v", key, got, want)
		}
	}
	if &list[2].Rotations[0] != &turn.Rotations[0] || &list[3].Translations[0] != &bob.Translations[0] || list[2].Node != 1 {
		t.Error("nodes of one pose have keys of their own")
	}
	// The node that is turned by 90 degrees, +X to +Y, turns and floats along its own up, which is -X of what carries it.
	if got := list[5].Translations[3]; math.Abs(float64(got[0])+1) > 1e-6 || math.Abs(float64(got[1])-1) > 1e-6 {
		t.Errorf("it floats to %v", got)
	}
}

func near3(a, b [3]float32) bool {
	for k := range a {
		if math.Abs(float64(a[k]-b[k])) > 1e-6 {
			return false
		}
	}
	return true
}
