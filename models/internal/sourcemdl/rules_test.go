package sourcemdl

import (
	"math"
	"slices"
	"testing"

	build "github.com/bsp2gltf/bsp2gltf/testdata/build/sourcemdl"
)

// aboutZ returns the rotation about Z by an angle in degrees.
func aboutZ(degrees float64) [4]float32 {
	s, c := math.Sincos(degrees * math.Pi / 360)
	return [4]float32{0, 0, float32(s), float32(c)}
}

// led returns a model of which bone 2 follows the arm, which turns about Z by 0, 45, 90 degrees and back to -90.
func led(rule int32, data []byte) *build.Model {
	m := arm()
	m.Bones = append(m.Bones, build.Bone{Name: "pad", Parent: 0, Flags: flagFollows, Rule: rule, RuleData: data})
	m.Animations = []build.Animation{{Frames: 4, Data: run(0, 0, 50, 100, -100)}}
	m.Sequences = []build.Sequence{{Label: "bend"}}
	return m
}

// A bone that follows the rotation of another one is mixed of the places of the triggers that are near.
func TestBonesThatFollowRotations(t *testing.T) {
	trigger := func(when, place float64) build.Trigger {
		return build.Trigger{Nearness: 2 / math.Pi, When: aboutZ(when), Position: [3]float32{float32(place), 0, 0}, Turn: aboutZ(place)}
	}
	s, issues := skeletonOf(t, map[string]*build.Model{"a": led(byTurn, build.ByTurn(1, trigger(0, 10), trigger(90, 50)))})
	got := s.Sequences[0].Tracks[2]
	// At 45 degrees both count the same; at -90 none does, and the first holds.
	if want := []int{10, 30, 50, 10}; !slices.Equal(anglesOf(got), want) {
		t.Errorf("%v, want %v; %s", anglesOf(got), want, issues)
	}
	for i, want := range []float32{10, 30, 50, 10} {
		if x := got.Positions[i][0]; math.Abs(float64(x-want)) > 0.01 {
			t.Errorf("frame %d: at %g, want %g", i, x, want)
		}
	}
	// It stands so, too, and its pose in a map is the same.
	if math.Abs(float64(s.Bones[2].Position[0]-10)) > 0.01 {
		t.Errorf("it stands at %v", s.Bones[2].Position)
	}
}

// A bone that follows an axis of another one has a place for each of its six directions, and is between those of the nearest three.
func TestBonesThatFollowAnAxis(t *testing.T) {
	var at [6][3]float32
	var turns [6][4]float32
	for k := range at {
		at[k], turns[k] = [3]float32{float32(10 * k), 0, 0}, aboutZ(10*float64(k))
	}
	s, issues := skeletonOf(t, map[string]*build.Model{"a": led(byAxis, build.ByAxis(1, 0, at, turns))})
	got := s.Sequences[0].Tracks[2]
	// The arm's X points along X, between X and Y, along Y, along -Y: the places 0, half of 0 and 2, 2, and 3.
	if want := []int{0, 10, 20, 30}; !slices.Equal(anglesOf(got), want) {
		t.Errorf("%v, want %v; %s", anglesOf(got), want, issues)
	}
}

// A bone that aims at another one turns about its own place.
func TestBonesThatAim(t *testing.T) {
	m := led(aimsAtBone, build.Aims(0, 2, [3]float32{1, 0, 0}, [3]float32{0, 0, 1}, [3]float32{0, 0, 0}))
	m.Bones[2].Flags, m.Bones[2].Rule, m.Bones[2].Parent, m.Bones[2].Position = 0, 0, 1, [3]float32{5, 0, -10}
	eye := led(aimsAtBone, build.Aims(0, 2, [3]float32{1, 0, 0}, [3]float32{0, 0, 1}, [3]float32{0, 0, 0})).Bones[2]
	m.Bones = append(m.Bones, eye)
	s, issues := skeletonOf(t, map[string]*build.Model{"a": m})
	if got, want := anglesOf(s.Sequences[0].Tracks[3]), []int{0, 45, 90, 270}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v; %s", got, want, issues)
	}
}

// A rule that can't be read is an issue, and its bone stays as it is animated.
func TestRulesThatCantBeRead(t *testing.T) {
	for name, m := range map[string]*build.Model{
		"of no bone":       led(byTurn, build.ByTurn(9, build.Trigger{})),
		"without triggers": led(byTurn, build.ByTurn(1)),
		"of no axis":       led(byAxis, build.ByAxis(1, 3, [6][3]float32{}, [6][4]float32{})),
		"at no bone":       led(aimsAtBone, build.Aims(0, -1, [3]float32{}, [3]float32{}, [3]float32{})),
		"at no attachment": led(aimsAtPlace, build.Aims(0, 0, [3]float32{}, [3]float32{}, [3]float32{})),
	} {
		s, issues := skeletonOf(t, map[string]*build.Model{"a": m})
		if len(s.Sequences) != 1 || len(s.Sequences[0].Tracks[2].Rotations) != 1 || issues == "" {
			t.Errorf("%s: %+v; %s", name, s.Sequences, issues)
		}
	}
	// One that jiggles is moved by forces in the engine.
	if s, issues := skeletonOf(t, map[string]*build.Model{"a": led(5, nil)}); len(s.Sequences) != 1 || issues != "" {
		t.Error(issues)
	}
}
