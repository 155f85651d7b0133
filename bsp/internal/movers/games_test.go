package movers

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// between returns where a movement is at a time.
func between(a *world.Movement, time float64) world.Place {
	for i := range a.Keys[1:] {
		from, to := &a.Keys[i], &a.Keys[i+1]
		if time <= to.Time {
			p, part := from.Place, float32((time-from.Time)/max(to.Time-from.Time, 1e-9))
			for k := range p.Origin {
				p.Origin[k] += (to.Place.Origin[k] - from.Place.Origin[k]) * part
				p.Angles[k] += (to.Place.Angles[k] - from.Place.Angles[k]) * part
			}
			return p
		}
	}
	return a.Keys[len(a.Keys)-1].Place
}

// Raven's doors slow down: after a share x of the time they have done sin(x · 90°) of the way. Trains do so too, but not after a pause.
func TestRavensMoversSlowDown(t *testing.T) {
	door := set(t, classes.Raven, entity("func_door", "speed", "500", "lip", "-934"))[0].Motion.Movements[0] // 66 + 934 = 1000 units in 2 s
	train := set(t, classes.Raven, entity("func_train", "target", "a", "speed", "500"),
		entity("path_corner", "targetname", "a", "target", "b", "origin", "0 0 0"),
		entity("path_corner", "targetname", "b", "target", "c", "origin", "1000 0 0", "wait", "1"),
		entity("path_corner", "targetname", "c", "origin", "2000 0 0"))
	ride := train[0].Motion.Movements[0]
	for time := 0.0; time < 2; time += 0.01 {
		want := 1000 * math.Sin(time/2*math.Pi/2)
		for name, movement := range map[string]*world.Movement{"door": &door, "train": &ride} {
			if got := between(movement, time).Origin[0]; math.Abs(float64(got)-want) > 0.26 {
				t.Fatalf("%s: at %g s it is %g, want %g", name, time, got, want)
			}
		}
		if got, want := between(&ride, 3+time).Origin[0], 1000+500*time; math.Abs(float64(got)-want) > 0.01 {
			t.Fatalf("train: at %g s it is %g, want %g", 3+time, got, want)
		}
	}
	if len(door.Keys) > 80 {
		t.Errorf("%d keys", len(door.Keys))
	}
}

// A train with a name stands where it was built until it is triggered, in Raven's games alone.
func TestNamedTrainsOfRavenStandWhereTheyWereBuilt(t *testing.T) {
	for f, want := range map[classes.Family]float32{classes.Raven: 7, classes.Quake3: 100} {
		e := set(t, f, entity("func_train", "target", "a", "targetname", "t", "origin", "7 0 0"),
			entity("path_corner", "targetname", "a", "target", "b", "origin", "100 0 0"),
			entity("path_corner", "targetname", "b", "origin", "0 0 0"))[0]
		if got := stands(&e).Origin[0]; got != want || e.Motion.Movements[0].Keys[0].Place.Origin[0] != 100 {
			t.Errorf("family %#x: at %g, want %g", f, got, want)
		}
	}
}

// Wolfenstein's trains turn by what a corner says, in its time.
func TestTurningTrains(t *testing.T) {
	e := set(t, classes.Wolfenstein, entity("func_train_rotating", "target", "a"),
		entity("path_corner", "targetname", "a", "target", "b", "origin", "0 0 0", "rotate", "90 10 30", "duration", "4"),
		entity("path_corner", "targetname", "b", "target", "a", "origin", "100 0 0", "rotate", "-90 0 0"))[0]
	if got, want := told(&e), "path starts loops 0:0,0,0,0 4:100,30,90,10 5:0,30,0,10"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Trains of Quake III look for the path_corner of a name that others may have too: what the corner triggers. Quake's take the first.
func TestCornersThatTriggerToo(t *testing.T) {
	for family, want := range map[classes.Family]string{
		classes.Quake3: "path starts loops 0:0 2:200 4:0", classes.Wolfenstein: "path starts loops 0:0 2:200 4:0",
		classes.Quake: "path starts 0:1 5:501",
	} {
		e := set(t, family, entity("func_train", "target", "a"),
			entity("path_corner", "targetname", "a", "target", "b", "origin", "0 0 0"),
			entity("target_speaker", "targetname", "b", "origin", "0 0 500"),
			entity("path_corner", "targetname", "b", "target", "a", "origin", "200 0 0"))[0]
		if got := told(&e); got != want && family != classes.Quake || !strings.HasPrefix(got, want) {
			t.Errorf("%v: %s, want %s", family, got, want)
		}
	}
}

// Source's targets of guns stand with their origin at a corner, and start by a flag.
func TestSourcesGunTargets(t *testing.T) {
	for flags, want := range map[string]string{"0": "path loops 0:0 1:0 2:100 3:0", "1": "path starts loops 0:0 1:0 2:100 3:0"} {
		e := set(t, classes.Source, entity("func_guntarget", "target", "a", "spawnflags", flags, "origin", "9 9 9"),
			entity("path_corner", "targetname", "a", "target", "b", "origin", "0 0 0", "wait", "1"),
			entity("path_corner", "targetname", "b", "target", "a", "origin", "100 0 0"))[0]
		if got := told(&e); got != want || stands(&e) != at(0, 0, 0) {
			t.Errorf("%s: %s, want %s; it stands at %v", flags, got, want, stands(&e))
		}
	}
}

// Keyframes are passed to the last and back, or in a circle; the shorter way round.
func TestKeyframes(t *testing.T) {
	for _, c := range []struct {
		name string
		keys [3][]string // beside their names
		want string
	}{
		{"there and back", [3][]string{{"MoveSpeed", "50", "NextKey", "b"}, {"MoveSpeed", "100", "NextKey", "c", "angles", "0 350 0"}, nil},
			"path starts loops 0:0,0,0 2:100,0,-10 3:100,100,0 4:100,0,-10 6:0,0,0"},
		{"a circle", [3][]string{{"MoveSpeed", "100", "NextKey", "b"}, {"MoveSpeed", "100", "NextKey", "c"},
			{"MoveSpeed", "50", "NextKey", "b"}},
			"path starts 0:0 1:100; cycle loops 0:0 1:100 3:0"},
		{"what leads to the first", [3][]string{{"MoveSpeed", "100", "NextKey", "b"}, nil, {"MoveSpeed", "50", "NextKey", "a"}},
			"path starts loops 0:0,0 1:100,0 2:0,0 4.828:100,100 7.657:0,0"},
		{"no keyframe", [3][]string{{"MoveSpeed", "100", "NextKey", "lamp"}, nil, nil}, ""},
		{"backwards", [3][]string{{"MoveSpeed", "-100", "NextKey", "b"}, nil, nil}, ""},
		{"no speed", [3][]string{{"NextKey", "b"}, nil, nil}, ""},
		{"a rope", [3][]string{{"MoveSpeed", "50", "NextKey", "b", "PositionInterpolator", "2"}, nil, nil}, ""},
		{"nothing follows", [3][]string{{"MoveSpeed", "50"}, nil, nil}, ""},
		{"itself", [3][]string{{"MoveSpeed", "50", "NextKey", "a"}, nil, nil}, ""},
	} {
		list := []world.Entity{entity("info_target", "targetname", "lamp")}
		for i, class := range []string{"move_keyframed", "keyframe_track", "keyframe_track"} {
			list = append(list, entity(class, append(c.keys[i], "targetname", "abc"[i:i+1], "origin",
				[]string{"0 0 0", "100 0 0", "100 100 0"}[i])...))
		}
		if got := told(&set(t, classes.Source, list...)[1]); got != c.want {
			t.Errorf("%s:\n     %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Keyframes that are too many make no movement, rather than a part of it there and back.
func TestTooManyKeyframes(t *testing.T) {
	for n, moves := range map[int]bool{maxCorners: true, maxCorners + 1: false} {
		list := []world.Entity{entity("info_target")}
		for i := range n {
			class := "keyframe_track"
			if i == 0 {
				class = "move_keyframed"
			}
			list = append(list, entity(class, "targetname", fmt.Sprint(i), "MoveSpeed", "100", "NextKey", fmt.Sprint(i+1),
				"origin", fmt.Sprint(i%2*100, " 0 0")))
		}
		if m := set(t, classes.Source, list...)[1].Motion; (m != nil && len(m.Movements) > 0) != moves {
			t.Errorf("%d keyframes: %v", n, m != nil)
		}
	}
}

// A spline passes its keyframes and bends between them.
func TestKeyframesOnASpline(t *testing.T) {
	e := set(t, classes.Source, entity("info_target"),
		entity("keyframe_track", "targetname", "b", "MoveSpeed", "100", "NextKey", "c", "origin", "100 0 0"),
		entity("keyframe_track", "targetname", "c", "origin", "100 100 0"),
		entity("move_keyframed", "MoveSpeed", "100", "NextKey", "b", "PositionInterpolator", "1"))[3]
	movement := &e.Motion.Movements[0]
	if end := movement.Keys[len(movement.Keys)-1].Time; math.Abs(end-4) > 1e-6 || !movement.Starts || !movement.Loops {
		t.Errorf("%+v", movement)
	}
	// Between p0 = p1 = 0,0 and p2 = 100,0 with p3 = 100,100: y is (f³ - f²) · 100 / 2 by the formula of Catmull and Rom.
	for time := 0.0; time < 1; time += 0.05 {
		want := (time*time*time - time*time) * 50
		if got := between(movement, time).Origin[1]; math.Abs(float64(got)-want) > 0.26 {
			t.Errorf("at %g s it is %g, want %g", time, got, want)
		}
	}
}

// Keyframes at one place turn in degrees a second, counted one way round: from yaw 90 to 0 are 90, from 0 to 90 are 270. Turns about
// several axes follow the shortest way.
func TestKeyframesThatTurn(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"0 90 0", "0 0 0", "path starts loops 0:90 1:0 2:90"},
		{"0 0 0", "0 90 0", "path starts loops 0:0 3:90 6:0"},
		{"0 0 0", "0 180 0", "path starts loops 0:0 2:180 4:0"},
		{"0 0 350", "0 0 10", "path starts loops 0:350 3.778:370 7.556:350"},
	} {
		e := set(t, classes.Source, entity("info_target"),
			entity("move_keyframed", "MoveSpeed", "90", "NextKey", "b", "angles", c.from),
			entity("keyframe_track", "targetname", "b", "angles", c.to))[1]
		if got := told(&e); got != c.want {
			t.Errorf("%s to %s: %s, want %s", c.from, c.to, got, c.want)
		}
	}
	// Half of the turn from 0 to a pitch and a yaw of 90 is one of 60 degrees about (-1, 1, 1): ahead is (2, 1, -2) / 3.
	e := set(t, classes.Source, entity("info_target"),
		entity("move_keyframed", "MoveSpeed", "100", "NextKey", "b"),
		entity("keyframe_track", "targetname", "b", "angles", "90 90 0", "origin", "100 0 0"))[1]
	half := between(&e.Motion.Movements[0], 0.5).Angles
	for k, want := range [3]float64{math.Asin(2.0/3) * 180 / math.Pi, math.Atan2(1, 2) * 180 / math.Pi, math.Atan2(-1, 2) * 180 / math.Pi} {
		if math.Abs(float64(half[k])-want) > 0.3 {
			t.Errorf("half way: %v, want %g for %d", half, want, k)
		}
	}
}

// The points by which a spline bends are set when it starts, from what is linked by then: what stands later in the map is not. In a circle
// they stay as they are.
func TestSplinesBendByWhatIsLinked(t *testing.T) {
	corner := func(name, next, origin string) world.Entity {
		return entity("keyframe_track", "targetname", name, "NextKey", next, "MoveSpeed", "100", "origin", origin)
	}
	first := entity("move_keyframed", "targetname", "a", "NextKey", "b", "MoveSpeed", "100", "PositionInterpolator", "1")
	b, c, d := corner("b", "c", "100 0 0"), corner("c", "d", "100 100 0"), corner("d", "a", "0 100 0")
	info := entity("info_target")
	// By the formula, half a way is at (9b + 9c - a - d) / 16 of the points before, at, to and behind.
	for _, k := range []struct {
		name string
		list []world.Entity
		at   int
		want [2]float32 // y half way from a to b, and x half way from b to c
	}{
		{"first in the map", []world.Entity{info, first, b, c, d}, 1, [2]float32{0, 106.25}},    // before a, behind b, which count also from b to c: (1800 - 0 - 100) / 16
		{"last in the map", []world.Entity{info, b, c, d, first}, 4, [2]float32{-12.5, 106.25}}, // before d, behind c: -(100 + 100) / 16; (1800 - 0 - 100) / 16
	} {
		e := set(t, classes.Source, k.list...)[k.at]
		m := &e.Motion.Movements[0]
		got := [2]float32{between(m, 0.5).Origin[1], between(m, 1.5).Origin[0]}
		if d := got[0] - k.want[0]; d > 0.3 || d < -0.3 {
			t.Errorf("%s: %v, want %v", k.name, got, k.want)
		}
		if d := got[1] - k.want[1]; d > 0.3 || d < -0.3 {
			t.Errorf("%s: %v, want %v", k.name, got, k.want)
		}
	}
}

// A func_fourier is a sum of waves.
func TestFourier(t *testing.T) {
	e := set(t, classes.DarkPlaces, entity("func_fourier", "origin", "1 2 3", "speed", "6", "height", "10", "phase", "0.1", "netname",
		"1 0 2 0 0 1.5 0.25 0 0 4 9 9"))[0]
	movement := &e.Motion.Movements[0]
	end := movement.Keys[len(movement.Keys)-1]
	if math.Abs(end.Time-12) > 1e-6 || far(end.Place, movement.Keys[0].Place) > 1e-3 || !movement.Starts || !movement.Loops ||
		far(stands(&e), movement.Keys[0].Place) != 0 {
		t.Errorf("it ends at %g s in %v and stands at %v", end.Time, end.Place, stands(&e))
	}
	for time := 0.0; time < 12; time += 0.1 {
		want := at(float32(1+20*math.Sin(2*math.Pi*(time/6+0.1))), 2, float32(3+40*math.Sin(2*math.Pi*(1.5*(time/6+0.1)+0.25))))
		if got := between(movement, time); far(got, want) > 0.26 {
			t.Fatalf("at %g s it is %v, want %v", time, got, want)
		}
	}
}

// A func_vectormamamam follows what it names, without what of the way is along its normal, or by that alone.
func TestFollowers(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want string
	}{
		{nil, "cycle 0:2 0.5:52 3.5:52 4:2"},
		{[]string{"targetfactor", "-2"}, "cycle 0:2 0.5:-98 3.5:-98 4:2"},
		{[]string{"targetnormal", "0 5 0"}, "cycle 0: 0.5: 3.5: 4:"},
		{[]string{"targetnormal", "3 4 0", "spawnflags", "1"}, "cycle 0:1,2 0.5:25,34 3.5:25,34 4:1,2"},
		{[]string{"target", "nobody", "target2", "d"}, "cycle 0:2 0.5:52 3.5:52 4:2"},
		{[]string{"target", "nobody"}, ""},
	} {
		door := entity("func_door", "targetname", "d", "angle", "90", "lip", "-42") // 8 + 42 = 50 units along Y
		door.Model = 1
		list := set(t, classes.DarkPlaces, entity("func_vectormamamam", append(c.keys, "origin", "1 2 3", "target", "d")...), door)
		if got := told(&list[0]); got != c.want {
			t.Errorf("%q:\n     %s\nwant %s", c.keys, got, c.want)
		}
		if c.want != "" && (len(list[1].Motion.Team) != 2 || len(list[0].Motion.Team) != 2) {
			t.Errorf("%q: the teams are %v and %v", c.keys, list[0].Motion.Team, list[1].Motion.Team)
		}
	}
}
