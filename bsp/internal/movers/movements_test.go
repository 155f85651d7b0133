package movers

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// told returns what an entity can do as text: each movement's name, whether it starts and loops, and the time and the numbers that change
// of
// each key.
func told(e *world.Entity) string {
	if e.Motion == nil {
		return ""
	}
	var text []string
	for _, a := range e.Motion.Movements {
		line := a.Name
		if a.Starts {
			line += " starts"
		}
		if a.Loops {
			line += " loops"
		}
		for i := range a.Keys {
			k := &a.Keys[i]
			line += fmt.Sprintf(" %.4g:", k.Time)
			if k.Jump {
				line += "jump"
			}
			var numbers []string
			for n := range 6 {
				value := func(p world.Place) float32 { return append(p.Origin[:], p.Angles[:]...)[n] }
				for j := range a.Keys {
					if value(a.Keys[j].Place) != value(a.Keys[0].Place) {
						numbers = append(numbers, fmt.Sprintf("%.4g", value(k.Place)))
						break
					}
				}
			}
			line += strings.Join(numbers, ",")
		}
		text = append(text, line)
	}
	return strings.Join(text, "; ")
}

// A door of 64 x 8 x 96 units moves as its game moves it.
func TestActs(t *testing.T) {
	const q, q2, q3, dp, hl, src = classes.Quake, classes.Quake2, classes.Quake3, classes.DarkPlaces, classes.GoldSrc, classes.Source
	for _, c := range []struct {
		family classes.Family
		class  string
		pairs  []string
		want   string
	}{
		// Quake III's server sees in the frame of 0.15 s that the door is open, and 2.013 s later, in that of 2.2 s, that it has waited.
		{q3, "func_door", nil, "cycle 0:0 0.145:58 2.15:58 2.295:0"},
		{q3, "func_door", []string{"wait", "2.013"}, "cycle 0:0 0.145:58 2.2:58 2.345:0"},
		{q3, "func_door", []string{"speed", "57.98"}, "cycle 0:0 1:58 3:58 4:0"}, // 1.0003 s are 1,000 ms
		{q3, "func_door", []string{"wait", "-1", "speed", "58"}, "open 0:0 1:58; close 0:58 1:0"},
		{q, "func_door", []string{"spawnflags", "33", "speed", "58"}, "open 0:58 1:0; close 0:0 1:58"},
		{hl, "func_door", []string{"speed", "64"}, "cycle 0:0 1:64 2:0"},
		{hl, "func_door", []string{"speed", "64", "wait", "-1"}, "open 0:0 1:64"}, // nothing closes it
		{hl, "func_door", []string{"speed", "64", "wait", "-1", "spawnflags", "32"}, "open 0:0 1:64; close 0:64 1:0"},
		{q, "func_door", []string{"speed", "58", "wait", "-1"}, "open 0:0 1:58"},
		{q, "func_door", []string{"speed", "58", "spawnflags", "8"}, "open 0:0 1:58"}, // it needs a key
		{q, "func_door", []string{"speed", "58", "spawnflags", "16", "wait", "2"}, "open 0:0 1:58"},
		{classes.Hexen2, "func_door", []string{"speed", "58", "spawnflags", "8"}, "cycle 0:0 1:58 4:58 5:0"},
		{q2, "func_door", []string{"speed", "58", "wait", "-1"}, "open 0:0 1:58"},
		{q2, "func_door", []string{"speed", "58", "wait", "-1", "spawnflags", "32"}, "open 0:0 1:58; close 0:58 1:0"},
		{q2, "func_button", []string{"speed", "62", "wait", "-1"}, "open 0:0 1:62"},
		{dp, "func_door", []string{"speed", "56", "wait", "-1"}, "open 0:0 1:56"},
		{src, "func_door", []string{"speed", "64", "wait", "-1"}, "open 0:0 1:64; close 0:64 1:0"}, // by its inputs
		{src, "func_door", []string{"speed", "64", "wait", "2", "spawnpos", "1"}, "open 0:0 1:64; close 0:64 1:0"},
		{hl, "func_door_rotating", []string{"distance", "90", "speed", "45", "wait", "1"}, "cycle 0:0 2:90 3:90 5:0"},
		{classes.Wolfenstein, "func_door_rotating", []string{"spawnflags", "16"}, "cycle 0:0 1:-90 3:-90 4:0"},
		{classes.Wolfenstein, "func_door_rotating", []string{"degrees", "60", "angle", "45", "speed", "500"}, "cycle 0:0 0.5:60 2.5:60 3:0"},
		{classes.Wolfenstein, "func_door_rotating", []string{"spawnflags", "64"}, "open 0:0 1:90; close 0:90 1:0"},
		{classes.Wolfenstein, "func_door", []string{"speed", "58", "closespeed", "29"}, "cycle 0:0 1:58 3:58 5:0"},
		{classes.Wolfenstein, "func_door", []string{"speed", "58", "closespeed", "29", "spawnflags", "3"}, "open 0:58 2:0; close 0:0 1:58"},
		{classes.Wolfenstein, "func_rotating", nil, "cycle loops 0:0 3.6:360"},
		{classes.Wolfenstein, "func_rotating", []string{"spawnflags", "1"}, "cycle starts loops 0:0 3.6:360"},
		// 64 and 2 units less 8 ahead, then 8 and 2 less 8 to the left or to the right, in the same time.
		{classes.Wolfenstein, "func_secret", []string{"speed", "58"}, "cycle 0:0,0 1:58,0 2:58,0 3:58,2 5:58,2 6:58,0 7:58,0 8:0,0"},
		{classes.Wolfenstein, "func_secret", []string{"speed", "58", "spawnflags", "1", "wait", "-1"}, "open 0:0,0 1:58,0 2:58,0 3:58,-2"},
		{classes.Raven, "func_door", []string{"speed", "58", "linear", "1"}, "cycle 0:0 1:58 3:58 4:0"},
		{classes.Raven, "func_door", []string{"speed", "58", "linear", "1", "spawnflags", "8"}, "open 0:0 1:58; close 0:58 1:0"},
		{q3, "func_door", []string{"speed", "58", "spawnflags", "32"}, "cycle 0:0 1:58 3:58 4:0"},
		{q2, "func_water", []string{"speed", "66"}, "open 0:0 1:66; close 0:66 1:0"},
		{hl, "func_button", []string{"speed", "60"}, "cycle 0:0 1:60 2:60 3:0"},
		{hl, "func_button", []string{"spawnflags", "1"}, ""},
		{hl, "func_button", []string{"lip", "63.5"}, ""}, // it would move by half a unit
		{hl, "func_button", []string{"lip", "63", "speed", "1"}, "cycle 0:0 1:1 2:1 3:0"},
		{src, "func_button", []string{"lip", "64.5"}, ""},
		{q, "func_button", []string{"lip", "65.5", "speed", "1"}, "cycle 0:0 0.5:0.5 1.5:0.5 2:0"},
		{hl, "func_button", []string{"speed", "60", "wait", "-1", "spawnflags", "32"}, "open 0:0 1:60"},
		{hl, "func_button", []string{"speed", "9999999"}, "cycle 0:0 5.722e-05:60 1:60 1:0"},                             // as fast as can be, not the default
		{hl, "func_rot_button", []string{"distance", "90", "speed", "90", "spawnflags", "1"}, "cycle 0:0 1:90 2:90 3:0"}, // not solid
		{src, "func_rot_button", []string{"distance", "90", "speed", "90", "spawnflags", "1"}, "cycle 0:0 1:90 2:90 3:0"},
		{hl, "func_rot_button", []string{"distance", "90", "speed", "90", "spawnflags", "32"}, "open 0:0 1:90; close 0:90 1:0"},
		{hl, "func_wall", nil, ""},

		// A secret door: 8 and 2 units to the right, then 64 and 2 ahead.
		{q, "func_door_secret", nil, "cycle 0:0,0 0.2:0,-10 1.2:0,-10 2.52:66,-10 7.52:66,-10 8.84:0,-10 9.84:0,-10 10.04:0,0"},
		{q, "func_door_secret", []string{"spawnflags", "5", "t_width", "50", "t_length", "100"}, "open 0:0,0 1:0,-50 2:0,-50 4:100,-50"},

		{q, "func_door_secret", []string{"spawnflags", "2", "wait", "-1"}, "open 0:0,0 0.2:0,10 1.2:0,10 2.52:66,10"},
		{q, "func_door_secret", []string{"angle", "-1"}, // a yaw here: 66 sin 1° + 10 cos 1° to the right, 66 cos 1° - 10 sin 1° ahead
			"cycle 0:0,0 0.223:-0.1946,-11.15 1.223:-0.1946,-11.15 2.539:65.61,-12.3 7.539:65.61,-12.3 8.856:-0.1946,-11.15 " +
				"9.856:-0.1946,-11.15 10.08:0,0"},
		// Quake II: in tenths of a second, 98 down; its first flag is no other movement.
		{q2, "func_door_secret", []string{"spawnflags", "5"},
			"cycle 0:0,0 1.9:0,-95 2:0,-98 3:0,-98 4.3:65,-98 4.4:66,-98 9.4:66,-98 10.7:1,-98 10.8:0,-98 11.8:0,-98 13.7:0,-3 13.8:0,0"},
		{classes.Raven, "func_rotating", []string{"spinangles", "0 30 -45"}, "cycle starts loops 0:0,0 24:720,-1080"},
		{classes.Raven, "func_rotating", []string{"speed", "90"}, "cycle starts loops 0:0 4:360"},
		{src, "func_plat", []string{"height", "150", "targetname", "p"}, "close 0:0 1:-150; cycle 0:-150 1:0 4:0 5:-150"},

		{q3, "func_plat", []string{"height", "100"}, "cycle 0:-100 0.5:0 1.5:0 2:-100"},
		{hl, "func_plat", []string{"height", "150", "targetname", "p"}, "close 0:0 1:-150; cycle 0:-150 1:0 4:0 5:-150"},
		{hl, "func_plat", []string{"height", "150", "targetname", "p", "spawnflags", "1"}, "open 0:-150 1:0; close 0:0 1:-150"},
		{q, "func_plat", []string{"height", "150", "spawnflags", "1"}, "cycle 0:-150 1:0 4:0 5:-150"},
		{hl, "func_platrot", []string{"height", "150", "rotation", "90"}, "cycle 0:-150,0 1:0,90 4:0,90 5:-150,0"},
		{hl, "func_trackchange", []string{"rotation", "150", "spawnflags", "16"}, "open 0:0 1:150; close 0:150 1:0"},

		{q3, "func_rotating", []string{"speed", "90", "spawnflags", "4"}, "cycle starts loops 0:0 4:360"},
		{q2, "func_rotating", []string{"speed", "90", "spawnflags", "2"}, "cycle loops 0:0 4:-360"},
		{hl, "func_rotating", []string{"spawnflags", "1"}, ""},
		{hl, "func_rotating", []string{"spawnflags", "3", "speed", "180"}, "cycle starts loops 0:0 2:-360"},
		{src, "func_rotating", []string{"maxspeed", "180", "speed", "9"}, "cycle loops 0:0 2:360"},
		// A quarter of 400 degrees a second more in each tenth: 10, 20 and 30 degrees.
		{hl, "func_rotating", []string{"spawnflags", "17", "speed", "400", "fanfriction", "25"},
			"start starts 0:0 0.1:10 0.2:30 0.3:60; cycle loops 0:60 0.9:420"},
		{src, "func_rotating", []string{"spawnflags", "16", "maxspeed", "100"},
			"start 0:0 0.1:2 0.2:6 0.3:12 0.4:20; cycle loops 0:20 3.6:380"},
		{src, "func_movelinear", []string{"movedistance", "200", "startposition", "0.25"}, "open 0:0 1.5:150; close 0:0 0.5:-50"},
		{src, "momentary_rot_button", []string{"distance", "-200"}, "open 0:0 2:-200"},
		{src, "prop_door_rotating", []string{"returndelay", "2"}, "cycle 0:0 0.9:-90 2.9:-90 3.8:0"},
		{src, "prop_door_rotating", nil, "open 0:0 0.9:-90; close 0:-90 0.9:0"},
		{src, "prop_door_rotating", []string{"opendir", "2"}, "open 0:0 0.9:90; close 0:90 0.9:0"},
		{src, "prop_door_rotating", []string{"opendir", "1", "spawnpos", "1"}, "close 0:-90 0.9:0; open 0:0 0.9:-90"},
		{src, "prop_door_rotating", []string{"spawnpos", "2"}, "close 0:90 0.9:0; open 0:0 0.9:-90; close 0:-90 0.9:0"},
		{src, "prop_door_rotating", []string{"spawnpos", "2", "returndelay", "1"}, "close 0:90 0.9:0; cycle 0:0 0.9:-90 1.9:-90 2.8:0"},
		{src, "prop_door_rotating", []string{"spawnpos", "3", "ajarangles", "0 -60 0"},
			"open 0:-60 0.3:-90; close 0:-90 0.9:0; open 0:0 0.9:-90"},
		{src, "prop_door_rotating", []string{"spawnpos", "3", "ajarangles", "0 -60 0", "returndelay", "1"},
			"cycle 0:-60 0.3:-90 1.3:-90 2.2:0; cycle 0:0 0.9:-90 1.9:-90 2.8:0"},
	} {
		got := set(t, c.family, entity(c.class, c.pairs...))
		if text := told(&got[0]); text != c.want {
			t.Errorf("family %#x, %s %q:\n     %s\nwant %s", c.family, c.class, c.pairs, text, c.want)
		}
	}
}

// A path east, then north, each 100 units, and back to the second corner.
func TestActsOfTrains(t *testing.T) {
	const q, q2, q3, dp, hl = classes.Quake, classes.Quake2, classes.Quake3, classes.DarkPlaces, classes.GoldSrc
	for _, c := range []struct {
		family classes.Family
		train  []string
		end    []string // of the third corner
		want   string
	}{
		{q3, nil, nil, "path starts 0:0,0 1:100,0 2:100,100"},
		{q3, nil, []string{"target", "a"}, "path starts loops 0:0,0 1:100,0 2:100,100 3.414:0,0 3.45:0,0"}, // goes on in a frame
		{q3, nil, []string{"target", "b", "speed", "50", "wait", "1"}, "path starts 0:0 1:100; cycle loops 0:0 1:100 2:100 4:0"},
		{hl, []string{"targetname", "t"}, []string{"target", "b", "speed", "50"}, "path 0:-48 1:52; cycle loops 0:-4 1:96 3:-4"},
		{hl, nil, []string{"target", "a", "spawnflags", "2"}, "path starts loops 0:-48,-4 1:52,-4 1:jump52,96 2.414:-48,-4"},
		{hl, nil, []string{"target", "a", "wait", "-1"}, "path starts 0:-48,-4 1:52,-4 2:52,96; path 0:52,96 1.414:-48,-4 2.414:52,-4 3.414:52,96"}, // it goes on to the stop
		{q, nil, []string{"target", "a", "wait", "1"},
			"path starts loops 0:-15,1 1:85,1 1.1:85,1 2.1:85,101 3.1:85,101 4.514:-15,1 4.614:-15,1"},
		{q2, []string{"targetname", "t", "spawnflags", "1"}, nil, "path starts 0:-15,1 1:85,1 2:85,101"},
		{classes.Wolfenstein, []string{"spawnflags", "2"}, nil, "path 0:0,0 1:100,0 2:100,100"},
		{classes.Wolfenstein, nil, []string{"target", "a", "wait", "-1"},
			"path starts 0:0,0 1:100,0 2:100,100; path 0:100,100 1.414:0,0 1.45:0,0 2.45:100,0 3.45:100,100"},
		{classes.Raven, []string{"linear", "1", "targetname", "t", "spawnflags", "1"}, nil, "path starts 0:0,0 1:100,0 2:100,100"},
		{classes.Raven, []string{"linear", "1", "targetname", "t"}, nil, "path 0:0,0 1:100,0 2:100,100"},
		{dp, nil, []string{"speed", "50", "wait", "-1", "target", "b"}, "path starts 0:-16 1:84; cycle loops 0:0 0.1:0 2.1:100 3.1:0"},
	} {
		e := entity("func_train", append(c.train, "target", "a")...)
		if c.family == q3 {
			e.Pairs = append(e.Pairs, world.Pair{Key: "origin", Value: "7 7 7"})
		}
		got := set(t, c.family, e, entity("path_corner", "targetname", "a", "target", "b", "origin", "0 0 0"),
			entity("path_corner", "targetname", "b", "target", "c", "origin", "100 0 0"),
			entity("path_corner", append(c.end, "targetname", "c", "origin", "100 100 0")...))
		if text := told(&got[0]); text != c.want {
			t.Errorf("family %#x, %q, %q:\n     %s\nwant %s", c.family, c.train, c.end, text, c.want)
		}
	}
}

// A target of guns waits at its corners, the first too, at its own speed; by itself it starts only with its flag.
func TestActsOfGunTargets(t *testing.T) {
	for flags, want := range map[string]string{
		"0": "path loops 0:-48 1:-48 2:52 3:52 4:-48", "1": "path starts loops 0:-48 1:-48 2:52 3:52 4:-48",
	} {
		got := set(t, classes.GoldSrc, entity("func_guntarget", "target", "a", "spawnflags", flags),
			entity("path_corner", "targetname", "a", "target", "b", "origin", "0 0 0", "wait", "1", "speed", "9"),
			entity("path_corner", "targetname", "b", "target", "a", "origin", "100 0 0", "wait", "1", "spawnflags", "3"))
		if text := told(&got[0]); text != want {
			t.Errorf("flags %s: %q, want %q", flags, text, want)
		}
	}
}

// Between the keys of what swings, a straight line is near enough to the true movement.
func TestSwingsAreSampledFinely(t *testing.T) {
	sine := func(by, period, phase float64) func(float64) float64 {
		return func(t float64) float64 { return by * math.Sin(2*math.Pi*(t/period+phase)) }
	}
	for _, c := range []struct {
		family classes.Family
		class  string
		pairs  []string
		of     func(world.Place) float32
		want   func(t float64) float64
		period float64
	}{
		{classes.Quake3, "func_bobbing", []string{"height", "200", "speed", "5", "phase", "0.1"},
			func(p world.Place) float32 { return p.Origin[2] }, sine(200, 5, -0.1), 5},
		{classes.Quake3, "func_pendulum", []string{"speed", "45"},
			func(p world.Place) float32 { return p.Angles[2] }, sine(45, 1.088, 0), 1.088}, // 2π √(3 · 8 / 800) s in whole milliseconds
		// From the end it falls with 100² / (2 · 90) degrees per second squared, in √2 · 0.9 seconds to the middle.
		{classes.GoldSrc, "func_pendulum", []string{"distance", "90", "speed", "100", "spawnflags", "1"},
			func(p world.Place) float32 { return p.Angles[1] }, func(t float64) float64 {
				const pull, quarter = 100.0 * 100 / 180, math.Sqrt2 * 0.9
				if t > 2*quarter {
					t = 4*quarter - t
				}
				if t > quarter {
					return 90 - pull*(2*quarter-t)*(2*quarter-t)/2
				}
				return pull * t * t / 2
			}, 4 * math.Sqrt2 * 0.9},
	} {
		e := set(t, c.family, entity(c.class, c.pairs...))[0]
		movement := e.Motion.Movements[0]
		last := len(movement.Keys) - 1
		if !movement.Starts || !movement.Loops || math.Abs(movement.Keys[last].Time-c.period) > 1e-6 ||
			far(movement.Keys[0].Place, movement.Keys[last].Place) > 1e-3 {
			t.Errorf("%s: %+v in %g s", c.class, movement, movement.Keys[last].Time)
		}
		for i := range last {
			a, b := &movement.Keys[i], &movement.Keys[i+1]
			for part := 0.0; part < 1; part += 0.125 {
				at := a.Time + (b.Time-a.Time)*part
				got := float64(c.of(a.Place)) + float64(c.of(b.Place)-c.of(a.Place))*part
				if d := math.Abs(got - c.want(at)); d > 0.2501 {
					t.Fatalf("%s: at %g s it is %g, want %g", c.class, at, got, c.want(at))
				}
			}
		}
	}
}

// A track train runs at its speed from its first track, cuts corners and ends at the last track; on a circle it laps.
func TestActsOfTrackTrains(t *testing.T) {
	straight := []world.Entity{entity("path_track", "targetname", "a", "target", "b", "origin", "0 0 0"),
		entity("path_track", "targetname", "b", "target", "c", "origin", "1000 0 0"),
		entity("path_track", "targetname", "c", "origin", "2000 0 0")}
	class := "func_tracktrain"
	run := func(f classes.Family, tracks []world.Entity, pairs ...string) []world.Movement {
		e := entity(class, append(pairs, "target", "a", "wheels", "50", "height", "4")...)
		got := set(t, f, append([]world.Entity{e}, tracks...)...)
		if got[0].Motion == nil {
			return nil
		}
		return got[0].Motion.Movements
	}
	for _, c := range []struct {
		family classes.Family
		pairs  []string
		starts bool
		speed  float64
	}{
		{classes.GoldSrc, []string{"speed", "200"}, false, 200},
		{classes.GoldSrc, []string{"speed", "200", "startspeed", "50"}, true, 50},
		{classes.GoldSrc, nil, false, 100},
		{classes.Source, []string{"speed", "200", "startspeed", "50"}, true, 200},
		{classes.Source, []string{"startspeed", "50"}, false, 50},
	} {
		movements := run(c.family, straight, c.pairs...)
		if class = "func_tanktrain"; c.family == classes.Source && !reflect.DeepEqual(run(c.family, straight, c.pairs...), movements) {
			t.Errorf("%q: a %s runs otherwise", c.pairs, class)
		}
		class = "func_tracktrain"
		if len(movements) != 1 || movements[0].Name != "path" || movements[0].Starts != c.starts || movements[0].Loops {
			t.Fatalf("%+v", movements)
		}
		// Evenly up to a tenth of a second before the end, where it may be slower.
		for _, k := range movements[0].Keys {
			x := float64(k.Place.Origin[0])
			if x < 2000-0.1*c.speed && math.Abs(x-c.speed*k.Time) > 0.02*c.speed || k.Place.Origin[2] != 4 {
				t.Errorf("%q: at %g s it is at %v", c.pairs, k.Time, k.Place.Origin)
			}
		}
		if last := movements[0].Keys[len(movements[0].Keys)-1]; math.Abs(float64(last.Place.Origin[0])-2000) > 0.1 ||
			len(movements[0].Keys) > 40 {
			t.Errorf("%q: %d keys, it ends at %v", c.pairs, len(movements[0].Keys), last.Place.Origin)
		}
	}
	// A square of 1000 units: after a lap that begins with a turn it laps in 40 seconds, less what it cuts.
	square := []world.Entity{entity("path_track", "targetname", "a", "target", "b", "origin", "0 0 0"),
		entity("path_track", "targetname", "b", "target", "c", "origin", "1000 0 0"),
		entity("path_track", "targetname", "c", "target", "d", "origin", "1000 1000 0"),
		entity("path_track", "targetname", "d", "target", "a", "origin", "0 1000 0")}
	for _, f := range []classes.Family{classes.GoldSrc, classes.Source} {
		movements := run(f, square, "startspeed", "100", "bank", "10")
		if len(movements) != 2 || movements[0].Name != "path" || movements[1].Name != "cycle" || movements[0].Loops || !movements[1].Loops {
			t.Fatalf("%+v", movements)
		}
		keys := movements[1].Keys
		first, last := keys[0], keys[len(keys)-1]
		if last.Time < 39 || last.Time > 40.1 || far(world.Place{Origin: first.Place.Origin}, world.Place{Origin: last.Place.Origin}) > 3 {
			t.Errorf("family %#x: it laps in %g s, from %v to %v", f, last.Time, first.Place, last.Place)
		}
		if turned := last.Place.Angles[1] - first.Place.Angles[1]; math.Abs(float64(turned)-360) > 1 {
			t.Errorf("family %#x: it turns by %g degrees", f, turned)
		}
		leans := float32(0)
		for _, k := range keys {
			leans = max(leans, k.Place.Angles[2])
		}
		if leans < 1 || leans > 10 {
			t.Errorf("family %#x: it leans by %g degrees", f, leans)
		}
	}
	// A closed track is the end, and the speed of a track counts if players have no control.
	straight[2] = entity("path_track", "targetname", "c", "origin", "2000 0 0", "spawnflags", "1")
	straight[1] = entity("path_track", "targetname", "b", "target", "c", "origin", "1000 0 0", "speed", "10")
	keys := run(classes.GoldSrc, straight)[0].Keys
	if last := keys[len(keys)-1]; math.Abs(float64(last.Place.Origin[0])-1000) > 0.1 {
		t.Errorf("it ends at %v", last.Place.Origin)
	}
	straight[2] = entity("path_track", "targetname", "c", "origin", "2000 0 0")
	keys = run(classes.GoldSrc, straight, "spawnflags", "2")[0].Keys
	if last := keys[len(keys)-1]; math.Abs(last.Time-110) > 1 {
		t.Errorf("it ends after %g s", last.Time)
	}
}

// When a train of Source has reached the track before one to which trains jump, it is there at once, and looks along the way from there.
func TestTrackTrainsJumpFromTheTrackBefore(t *testing.T) {
	e := entity("func_tracktrain", "speed", "1000", "target", "a", "wheels", "50")
	got := set(t, classes.Source, e, entity("path_track", "targetname", "a", "target", "b", "origin", "0 0 0"),
		entity("path_track", "targetname", "b", "target", "c", "origin", "1000 0 0"),
		entity("path_track", "targetname", "c", "target", "d", "origin", "40000 0 0", "spawnflags", "16"),
		entity("path_track", "targetname", "d", "origin", "40000 1000 0"))
	keys := got[0].Motion.Movements[0].Keys
	jumps := 0
	for i := range keys {
		if k := &keys[i]; k.Jump {
			jumps++
			if k.Place.Origin != [3]float32{40000, 0, 0} || k.Place.Angles[1] != 90 || math.Abs(k.Time-0.92) > 0.05 {
				t.Errorf("it jumps at %g s to %+v", k.Time, k.Place)
			}
		}
	}
	if last := keys[len(keys)-1]; jumps != 1 || math.Abs(last.Time-2) > 0.2 || math.Abs(float64(last.Place.Origin[1])-1000) > 0.1 {
		t.Errorf("%d jumps; at %g s it is at %v", jumps, last.Time, last.Place.Origin)
	}
}

// Quake II moves in frames of a tenth of a second: whole ones at the speed, then the rest. Platforms gather speed and brake.
func TestActsInFrames(t *testing.T) {
	got := set(t, classes.Quake2, entity("func_door", "speed", "100", "wait", "1", "lip", "31")) // 35 units
	if text, want := told(&got[0]), "cycle 0:0 0.3:30 0.4:35 1.4:35 1.7:5 1.8:0"; text != want {
		t.Errorf("     %s\nwant %s", text, want)
	}
	// 200 units: 5, 10, 15 and 20 a frame to gather speed, then evenly, and the same way down.
	got = set(t, classes.Quake2, entity("func_plat", "height", "200"))
	keys := got[0].Motion.Movements[0].Keys
	for i, want := range []float32{-200, -200, -195, -185, -170, -150, -130, -110, -90, -70} {
		if z := keys[i].Place.Origin[2]; math.Abs(float64(z-want)) > 1e-3 || math.Abs(keys[i].Time-0.1*float64(i)) > 1e-9 {
			t.Errorf("key %d: %g s, %g, want %g", i, keys[i].Time, z, want)
		}
	}
	top := 0
	for i := range keys {
		if keys[top].Place.Origin[2] < 0 {
			top = i
		}
	}
	for i := 1; i <= top; i++ {
		if step := keys[i].Place.Origin[2] - keys[i-1].Place.Origin[2]; step < 0 || step > 20.001 || i > top-3 && step > 15.001 {
			t.Errorf("key %d of %d: a step of %g", i, top, step)
		}
	}
	if seconds := keys[top].Time; seconds < 1.4 || seconds > 1.7 {
		t.Errorf("it takes %g s", seconds)
	}
	// A short way never gets that fast.
	got = set(t, classes.Quake2, entity("func_plat", "height", "30"))
	keys = got[0].Motion.Movements[0].Keys
	for i := 1; i < len(keys)/2; i++ {
		if step := keys[i].Place.Origin[2] - keys[i-1].Place.Origin[2]; step < 0 || step > 12 {
			t.Errorf("key %d: a step of %g", i, step)
		}
	}
}

// A pendulum of Half-Life with damping swings less and less, and stops in the middle.
func TestPendulumWithDamping(t *testing.T) {
	e := set(t, classes.GoldSrc, entity("func_pendulum", "distance", "90", "speed", "100", "damp", "200", "spawnflags", "1"))[0]
	if e.Motion == nil || len(e.Motion.Movements) != 1 || e.Motion.Movements[0].Loops || !e.Motion.Movements[0].Starts {
		t.Fatalf("%+v", e.Motion)
	}
	keys := e.Motion.Movements[0].Keys
	// The greatest speed falls by a fiftieth in each tenth of a second: 100 · 0.98^60 is below 30.
	last := keys[len(keys)-1]
	if math.Abs(last.Time-6) > 1e-6 || last.Place.Angles[1] != 45 || !last.Jump {
		t.Errorf("it ends with %+v", last)
	}
	least, most := float32(0), float32(0)
	for _, k := range keys {
		least, most = min(least, k.Place.Angles[1]), max(most, k.Place.Angles[1])
	}
	if most < 70 || most > 100 || least < -10 {
		t.Errorf("it swings from %g to %g degrees", least, most)
	}
	for _, damp := range []string{"0", "0.001"} { // that would take days
		e := set(t, classes.GoldSrc, entity("func_pendulum", "distance", "90", "speed", "100", "damp", damp))[0]
		if !e.Motion.Movements[0].Loops {
			t.Errorf("damp %s: %+v", damp, e.Motion.Movements[0])
		}
	}
}
