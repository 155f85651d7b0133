package joints

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// aboutZ returns the rotation about Z by an angle in degrees.
func aboutZ(degrees float64) [4]float64 {
	s, c := math.Sincos(degrees * math.Pi / 360)
	return [4]float64{0, 0, s, c}
}

// same reports whether two rotations are the same.
func same(p, q [4]float64) bool { return math.Abs(space.DotQuaternion(p, q)) > 1-1e-9 }

// An added rotation turns about the axes of the bone that it changes, or about those of its parent: the arm is turned by a quarter about Z,
// then by a quarter about X, which is its own X or the parent's.
func TestAddedRotations(t *testing.T) {
	q := math.Sqrt2 / 2
	for inner, want := range map[bool][4]float64{true: {0.5, 0.5, 0.5, 0.5}, false: {0.5, -0.5, 0.5, 0.5}} {
		frame := []world.Joint{{Rotation: aboutZ(90), Position: [3]float64{1, 2, 3}}}
		Add(frame, []world.Joint{{Rotation: [4]float64{q, 0, 0, q}, Position: [3]float64{0, 1, 0}}}, []float64{1}, inner)
		if !same(frame[0].Rotation, want) || frame[0].Position != [3]float64{1, 3, 3} {
			t.Errorf("in its own axes %v: %v, want %v", inner, frame[0], want)
		}
	}
}

// A share of a rotation is about the same axis; one by more than a half turn stays on its side.
func TestSharesOfAddedRotations(t *testing.T) {
	for _, test := range []struct{ degrees, share, want float64 }{{90, 0.5, 45}, {-90, 0.5, -45}, {300, 0.5, 330}, {0, 0.5, 0}} {
		frame := []world.Joint{{Rotation: aboutZ(0)}}
		Add(frame, []world.Joint{{Rotation: aboutZ(test.degrees)}}, []float64{test.share}, false)
		if !same(frame[0].Rotation, aboutZ(test.want)) {
			t.Errorf("%g of %g degrees: %v, want %g", test.share, test.degrees, frame[0].Rotation, test.want)
		}
	}
}

// In the model's axes a hand keeps its direction although the arm below it turns, where the layer has the hand alone.
func TestRotationsInTheModelsAxes(t *testing.T) {
	frame := []world.Joint{{Rotation: aboutZ(60)}, {Rotation: aboutZ(0)}}
	TowardInModel([]int{-1, 0}, frame, []world.Joint{{Rotation: aboutZ(0)}, {Rotation: aboutZ(20)}}, []float64{0, 0.5})
	// In the model's axes the hand is between 60 and 20 degrees: 40, which is -20 from the arm.
	if !same(frame[1].Rotation, aboutZ(-20)) || !same(frame[0].Rotation, aboutZ(60)) {
		t.Error(frame)
	}
}

// A bone hangs on another one, or on the model, whatever its parent is.
func TestBonesHangOnOthers(t *testing.T) {
	parents := []int{-1, 0, 1}
	at := world.Joint{Position: [3]float64{3, 0, 0}, Rotation: aboutZ(0)}
	for other, want := range map[int][3]float64{-1: {0, -2, 0}, 0: {0, -3, 0}} {
		frame := []world.Joint{{Position: [3]float64{1, 0, 0}, Rotation: aboutZ(0)}, {Rotation: aboutZ(90)}, {Rotation: aboutZ(0)}}
		Hang(parents, frame, 2, other, at, 1)
		for k, x := range want {
			if math.Abs(frame[2].Position[k]-x) > 1e-9 {
				t.Errorf("on %d: at %v, want %v", other, frame[2].Position, want)
				break
			}
		}
	}
}

// A ramp of a bone that hangs on another one may go over the end of the animation.
func TestRampsOverTheEnd(t *testing.T) {
	r := Ramp{Start: 0.8, Peak: 0.9, Tail: 1.1, End: 1.2}
	for time, want := range map[float64]float64{0.5: 0, 0.85: 0.5, 1: 1, 0.05: 1, 0.15: 0.5, 0.3: 0, math.NaN(): 0} {
		if got := r.Hanging(time); math.Abs(got-want) > 1e-9 {
			t.Errorf("at %g: %g, want %g", time, got, want)
		}
	}
}

// In four frames the model goes 8 units along X, slowing down, and in four more 10 along Y, evenly, while it turns by 90 degrees.
func TestJourneys(t *testing.T) {
	j := RootMotion{Movements: []RootMovement{
		{End: 4, First: 16, Last: 0, Vector: [3]float64{1, 0, 0}, Position: [3]float64{8, 0, 0}},
		{End: 8, First: 10, Last: 10, Vector: [3]float64{0, 1, 0}, Position: [3]float64{8, 10, 0}, Angle: 90},
	}}
	for _, test := range []struct{ frame, x, y, angle float64 }{
		// Half of the first part: 16/2 - 16/2/4 = 6.
		{0, 0, 0, 0}, {2, 6, 0, 0}, {4, 8, 0, 0}, {5, 8, 2.5, 22.5}, {8, 8, 10, 90}, {9, 8, 10, 90},
	} {
		at, angle := j.At(test.frame)
		if math.Abs(at[0]-test.x)+math.Abs(at[1]-test.y)+math.Abs(angle-test.angle) > 1e-9 {
			t.Errorf("frame %g: at %v by %g, want %+v", test.frame, at, angle, test)
		}
	}
	frame := []world.Joint{{Position: [3]float64{1, 0, 5}, Rotation: aboutZ(10)}, {Position: [3]float64{7, 7, 7}, Rotation: aboutZ(0)}}
	ApplyRootMotion([]int{-1, 0}, frame, [3]float64{8, 10, 0}, 90)
	if p := frame[0].Position; math.Abs(p[0]-8)+math.Abs(p[1]-11)+math.Abs(p[2]-5) > 1e-9 || !same(frame[0].Rotation, aboutZ(100)) ||
		frame[1].Position != [3]float64{7, 7, 7} {
		t.Error(frame)
	}
}

// A bone that aims at its own place, or whose axes are the same, stays finite.
func TestAimsWithoutADirection(t *testing.T) {
	here := space.NewMatrix([3]float64{1, 2, 3}, [4]float64{0, 0, 0, 1})
	for _, a := range []Aim{{Bone: 1, Place: here, Axis: [3]float64{1, 0, 0}, Up: [3]float64{0, 0, 1}, Position: [3]float64{1, 2, 3}},
		{Bone: 1, Place: here, Axis: [3]float64{1, 0, 0}, Up: [3]float64{1, 0, 0}},
		{Bone: 1, Place: here}} {
		f := &placedBones{parents: []int{-1, 0}, local: make([]world.Joint, 2),
			global: []space.Matrix{space.NewMatrix([3]float64{}, [4]float64{0, 0, 0, 1})}}
		if got := a.follow(f); !finite(got.Rotation[:]) || !finite(got.Position[:]) {
			t.Errorf("%+v: %+v", a, got)
		}
	}
}

func finite(v []float64) bool {
	for _, x := range v {
		if !(math.Abs(x) < 1e9) {
			return false
		}
	}
	return true
}
