package skeleton

import (
	"math"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// about returns the rotation about Z by an angle in degrees.
func about(degrees float64) [4]float64 {
	s, c := math.Sincos(degrees * math.Pi / 360)
	return [4]float64{0, 0, s, c}
}

func TestTracksLeaveOutKeysBetweenOthers(t *testing.T) {
	for _, test := range []struct {
		name             string
		at               func(i int) (x, degrees float64)
		exact            bool
		positions, turns []int
	}{
		{"a bone that stays", func(int) (float64, float64) { return 3, 20 }, false, []int{0}, []int{0}},
		{"a bone that trembles", func(i int) (float64, float64) { return 0.04 * float64(i%2), 0.08 * float64(i%2) }, false,
			[]int{0}, []int{0}},
		{"an even movement", func(i int) (float64, float64) { return float64(i), 10 * float64(i) }, false, []int{0, 8}, []int{0, 8}},
		{"a corner", func(i int) (float64, float64) { return float64(max(i, 4)), 10 * float64(min(i, 3)) }, false, []int{0, 4, 8},
			[]int{0, 3, 8}},
		{"a corner, all keys", func(i int) (float64, float64) { return float64(max(i, 4)), 20 }, true,
			[]int{0, 1, 2, 3, 4, 5, 6, 7, 8}, []int{0}},
		{"a jump", func(i int) (float64, float64) { return float64(i / 5), 0 }, false, []int{0, 4, 5, 8}, []int{0}},
	} {
		frames := make([]world.Joint, 9)
		for i := range frames {
			x, degrees := test.at(i)
			frames[i] = world.Joint{Position: [3]float64{x}, Rotation: about(degrees)}
		}
		part := 1.0
		if test.exact {
			part = 0
		}
		got := Track(frames, part)
		if !slices.Equal(got.PositionFrames, test.positions) || !slices.Equal(got.RotationFrames, test.turns) {
			t.Errorf("%s: keys %v and %v, want %v and %v", test.name, got.PositionFrames, got.RotationFrames, test.positions, test.turns)
		}
		if len(got.Positions) != len(test.positions) || len(got.Rotations) != len(test.turns) {
			t.Errorf("%s: %d positions, %d turns", test.name, len(got.Positions), len(got.Rotations))
		}
	}
}

// Between its keys a curve is near the frames.
func TestTracksStayNearTheFrames(t *testing.T) {
	frames := make([]world.Joint, 200)
	for i := range frames {
		frames[i] = world.Joint{Position: [3]float64{20 * math.Sin(float64(i)/15)}, Rotation: about(170 * math.Sin(float64(i)/20))}
	}
	got := Track(slices.Clone(frames), 1)
	if n := len(got.Positions); n < 5 || n > 100 {
		t.Errorf("%d of 200 positions", n)
	}
	k := 0
	for i := range frames {
		for k+2 < len(got.PositionFrames) && got.PositionFrames[k+1] <= i {
			k++
		}
		a, b := got.PositionFrames[k], got.PositionFrames[k+1]
		x := space.Lerp(frames[a].Position, frames[b].Position, float64(i-a)/float64(b-a))[0]
		if math.Abs(x-frames[i].Position[0]) > 0.0501 {
			t.Errorf("frame %d is %g, not %g", i, x, frames[i].Position[0])
		}
	}
}

// A rotation and its negative are the same: the way between two keys is the short one.
func TestTracksTurnTheShortWay(t *testing.T) {
	frames := []world.Joint{{Rotation: about(0)}, {Rotation: about(10)}, {Rotation: about(50)}}
	for k := range frames[1].Rotation {
		frames[1].Rotation[k] = -frames[1].Rotation[k]
	}
	got := Track(frames, 1)
	if len(got.Rotations) != 3 || got.Rotations[1][3] < 0 || got.Rotations[2][3] < 0 {
		t.Error(got.Rotations)
	}
}

func TestWeightsOfABinding(t *testing.T) {
	for _, test := range []struct {
		name  string
		bones []uint8
		by    []float64
		want  world.Binding
	}{
		{"sorted", []uint8{3, 5}, []float64{1, 3}, world.Binding{Bones: [4]uint8{5, 3}, Weights: [4]float32{0.75, 0.25}}},
		{"the same bone twice", []uint8{3, 5, 3}, []float64{0.5, 0.25, 0.25},
			world.Binding{Bones: [4]uint8{3, 5}, Weights: [4]float32{0.75, 0.25}}},
		{"none", nil, nil, world.Binding{Weights: [4]float32{1}}},
		{"not above 0", []uint8{3, 5, 7}, []float64{0, -1, 2}, world.Binding{Bones: [4]uint8{7}, Weights: [4]float32{1}}},
		{"too small for a number", []uint8{3, 5}, []float64{1, 1e-60}, world.Binding{Bones: [4]uint8{3}, Weights: [4]float32{1}}},
	} {
		var w Weights
		for i := range test.bones {
			w.Add(test.bones[i], test.by[i])
		}
		if got := w.Binding(); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestPatternsOfSequences(t *testing.T) {
	r := Options{Sequences: []string{"idle", "Walk*"}}
	for name, want := range map[string]bool{"IDLE": true, "idle2": false, "walk_all": true, "run": false, "": false} {
		if r.Wants(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
	if all := (Options{Sequences: []string{"*"}}); !all.Wants("a/b") || !all.Wants("") {
		t.Error("* does not match all")
	}
}

// A place becomes a matrix and back again, whichever component of its rotation is the greatest.
func TestJointsOfMatrices(t *testing.T) {
	for _, q := range [][4]float64{{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0.5, -0.5, 0.5, 0.5}, {0.1, 0.7, -0.1, 0.7},
		{0.8, 0, 0.6, 0}} {
		q = space.UnitQuaternion(q)
		x, y, z, w := q[0], q[1], q[2], q[3]
		m := space.Matrix{
			{1 - 2*(y*y+z*z), 2 * (x*y - w*z), 2 * (x*z + w*y), 3},
			{2 * (x*y + w*z), 1 - 2*(x*x+z*z), 2 * (y*z - w*x), 4},
			{2 * (x*z - w*y), 2 * (y*z + w*x), 1 - 2*(x*x+y*y), 5},
		}
		got := JointOf(&m)
		if math.Abs(space.DotQuaternion(got.Rotation, q)) < 1-1e-12 || got.Position != [3]float64{3, 4, 5} {
			t.Errorf("%v became %v", q, got)
		}
	}
}

// The end of a chain of bones is where it is in the frames: the errors of the bones do not add up.
func TestErrorsDoNotAddUpAlongAChain(t *testing.T) {
	const bones, frames = 12, 60
	parents, all := make([]int, bones), make([][]world.Joint, frames)
	for i := range parents {
		parents[i] = i - 1
	}
	for f := range all { // each trembles by less than what is near, all to one side
		for range bones {
			turn := about(3*math.Sin(float64(f)/9) + 0.09*float64(f%2))
			all[f] = append(all[f], world.Joint{Position: [3]float64{10, 0.04 * float64(f%2)}, Rotation: turn})
		}
	}
	k := &Baker{Memory: &modelfile.Reservation{Budget: limit.NewBudget(limit.Limits{})}}
	k.Begin()
	tracks, err := k.Tracks(parents, frames, func(f int) ([]world.Joint, error) { return all[f], nil })
	if err != nil {
		t.Fatal(err)
	}
	at := func(f, i int) world.Joint {
		p, q := tracks[i].PositionFrames, tracks[i].RotationFrames
		a, b := max(sort.SearchInts(p, f+1)-1, 0), max(sort.SearchInts(q, f+1)-1, 0)
		var j world.Joint
		j.Position = space.Vector64(tracks[i].Positions[a])
		j.Rotation = space.Quaternion64(tracks[i].Rotations[b])
		if n := a + 1; n < len(p) {
			j.Position = space.Lerp(j.Position, space.Vector64(tracks[i].Positions[n]), float64(f-p[a])/float64(p[n]-p[a]))
		}
		if n := b + 1; n < len(q) {
			j.Rotation = space.Slerp(j.Rotation, space.Quaternion64(tracks[i].Rotations[n]), float64(f-q[b])/float64(q[n]-q[b]))
		}
		return j
	}
	end := func(joint func(i int) world.Joint) space.Matrix {
		list := Chain(bones, func(i int) int { return i - 1 }, func(i int) space.Matrix {
			j := joint(i)
			return space.NewMatrix(j.Position, j.Rotation)
		})
		return list[bones-1]
	}
	for f := range frames {
		want, got := end(func(i int) world.Joint { return all[f][i] }), end(func(i int) world.Joint { return at(f, i) })
		a, b := JointOf(&want), JointOf(&got)
		turn := 2 * math.Acos(min(math.Abs(space.DotQuaternion(a.Rotation, b.Rotation)), 1)) * 180 / math.Pi
		if d := space.Distance(a.Position, b.Position); d > 0.0501 || turn > 0.101 {
			t.Errorf("frame %d: the end is %.3f units and %.3f degrees off", f, d, turn)
		}
	}
}

// Sequences of the same frames share their keys, and those that no file accounts for are left out.
func TestKeysAreInProportionToTheFile(t *testing.T) {
	b := limit.NewBudget(limit.Limits{})
	bake := func(k *Baker, shift float64) ([]world.Track, error) {
		return k.Tracks([]int{-1}, 1000, func(f int) ([]world.Joint, error) {
			return []world.Joint{{Position: [3]float64{shift + float64(f%2)}, Rotation: [4]float64{0, 0, 0, 1}}}, nil
		})
	}
	k := &Baker{Memory: &modelfile.Reservation{Budget: b}}
	k.Begin()
	first, err := bake(k, 0)
	if err != nil {
		t.Fatal(err)
	}
	before := b.Reserved()
	for range 100 {
		if again, err := bake(k, 0); err != nil || &again[0].Positions[0] != &first[0].Positions[0] {
			t.Fatal("equal tracks are kept twice", err)
		}
	}
	if grown := b.Reserved() - before; grown > 100*200 {
		t.Errorf("equal tracks took %d bytes", grown)
	}
	k.Begin()
	made := 0
	for ; err == nil; made++ {
		if !k.Fits(1000, 1000, 100_000) {
			t.Fatalf("%d samples do not fit", 1000*made)
		}
		_, err = bake(k, float64(made))
	}
	// Each has 1001 keys of 28 bytes, of 4 MiB + 32 * 100,000.
	if made != 264 || limit.Fatal(err) || !strings.Contains(err.Error(), "a file of 100000 bytes") {
		t.Errorf("sequence %d: %v", made, err)
	}
	k.Begin()
	if k.Fits(1000, 74_000, 1000) || k.Fits(maxFrames+1, 1, 1<<30) || !k.Fits(1000, 73_000, 1000) || k.Fits(1, 1000, 1000) {
		t.Error("a file of 1000 bytes accounts for 65,536 + 8 * 1000 samples, and for no sequence of more than 32,768 frames")
	}
}
