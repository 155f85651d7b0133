package animation

import (
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/meshes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/nodes"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// key returns a key: a time, then three coordinates and three angles or none.
func key(time float64, n ...float32) world.Key {
	k := world.Key{Time: time}
	copy(k.Place.Origin[:], n)
	if len(n) > 3 {
		copy(k.Place.Angles[:], n[3:])
	}
	return k
}

// mover returns an entity at 32 0 0 with movements.
func mover(name string, movements ...world.Movement) world.Entity {
	e := world.Entity{Model: world.NoModel, Pairs: []world.Pair{
		{Key: "classname", Value: name}, {Key: "targetname", Value: name}, {Key: "origin", Value: "32 0 0"},
	}}
	if movements != nil {
		e.Motion = &world.Motion{Movements: movements}
	}
	return e
}

// animate returns the animations of entities behind worldspawn, and the scene's nodes. A map unit is 1/32 metre.
func animate(t *testing.T, motion pipeline.Motion, entities ...world.Entity) ([]scene.Animation, []scene.Node) {
	t.Helper()
	worldspawn := world.Entity{Pairs: []world.Pair{{Key: "classname", Value: "worldspawn"}}}
	w := &world.World{Models: []world.Model{{}}, Entities: append([]world.Entity{worldspawn}, entities...)}
	to := axes.Axes{Unit: 1.0 / 32}
	placed, err := nodes.Nodes(t.Context(), nodes.Input{World: w, Options: nodesOptions(pipeline.Default()), Axes: to,
		Meshes: meshes.Meshes{Models: []meshes.Model{{Mesh: scene.None, Hidden: scene.None}}}, Set: &materials.Set{}})
	if err != nil {
		t.Fatal(err)
	}
	out, err := Animations(t.Context(), Input{World: w, Placed: placed, Motion: motion, Axes: to})
	if err != nil {
		t.Fatal(err)
	}
	return out, placed.Nodes
}

func namesOf(list []scene.Animation) (out []string) {
	for i := range list {
		out = append(out, list[i].Name)
	}
	return out
}

// An animation for each movement, named after its node; what starts by itself is also in the first one.
func TestAnimationsOfActs(t *testing.T) {
	open, close := []world.Key{key(0, 32, 0, 0), key(2, 32, 0, 64)}, []world.Key{key(0, 32, 0, 64), key(2, 32, 0, 0)}
	turn := []world.Key{key(0, 32, 0, 0), key(4, 32, 0, 0, 0, 360)}
	entities := []world.Entity{
		mover("door", world.Movement{Name: "open", Keys: open}, world.Movement{Name: "close", Keys: close}),
		mover("fan", world.Movement{Name: "cycle", Starts: true, Loops: true, Keys: turn}),
		mover("still", world.Movement{Name: "open", Keys: []world.Key{key(0, 1), key(1, 1)}}),
		mover("none"),
	}
	for motion, want := range map[pipeline.Motion][]string{
		pipeline.MotionNone: nil, pipeline.MotionStart: {"map start"},
		pipeline.MotionAll: {"map start", "door_door open", "door_door close", "fan_fan cycle"},
	} {
		if got, _ := animate(t, motion, entities...); !reflect.DeepEqual(namesOf(got), want) {
			t.Errorf("%s: %q, want %q", motion, namesOf(got), want)
		}
	}
	got, nodes := animate(t, pipeline.MotionAll, entities...)
	want := scene.Animation{Name: "door_door open", Channels: []scene.Channel{{
		Node: 2, Times: []float32{0, 2}, Translations: [][3]float32{{1, 0, 0}, {1, 2, 0}},
	}}, Extras: map[string]any{"node": "door_door", "act": "open", "starts": false, "loops": false}}
	if !reflect.DeepEqual(got[1], want) || nodes[2].Name != "door_door" {
		t.Errorf("%+v, want %+v", got[1], want)
	}
	if x := got[0].Extras; x["starts"] != true || x["loops"] != true {
		t.Errorf("%v", x)
	}
}

// A movement's extras list what triggers its entity: by a key target, by an output, or by a multi_manager's keys.
func TestWhatTriggersAnAct(t *testing.T) {
	door := mover("door", world.Movement{Name: "open", Keys: []world.Key{key(0), key(1, 32)}})
	with := func(e world.Entity, pairs ...world.Pair) world.Entity {
		e.Pairs = append(e.Pairs, pairs...)
		return e
	}
	got, _ := animate(t, pipeline.MotionAll, door,
		with(mover("button"), world.Pair{Key: "target", Value: "DOOR"}),
		with(mover("relay"), world.Pair{Key: "OnTrigger", Value: "door,Open,,0,-1"},
			world.Pair{Key: "OnTrigger", Value: "other,Open,,0,-1"}),
		with(mover("func_train"), world.Pair{Key: "target", Value: "door"}),
		with(mover("multi_manager"), world.Pair{Key: "door#1", Value: "2.5"}, world.Pair{Key: "door#2", Value: "later"}))
	if by := got[0].Extras["triggered_by"]; by != "button_button; relay_relay OnTrigger Open; multi_manager_multi_manager" {
		t.Errorf("%q", by)
	}
	if got, _ := animate(t, pipeline.MotionAll, door); got[0].Extras["triggered_by"] != nil {
		t.Errorf("%v", got[0].Extras)
	}
}

// A whole turn is three or more turns of less than 180 degrees, to the same side, at the times of an even speed.
func TestTurnsAreSplit(t *testing.T) {
	turn := []world.Key{key(0, 0, 0, 0), key(4, 0, 0, 0, 0, -360)}
	got, _ := animate(t, pipeline.MotionAll, mover("fan", world.Movement{Name: "cycle", Keys: turn}))
	c := got[0].Channels[0]
	if len(c.Times) < 4 || c.Times[0] != 0 || c.Times[len(c.Times)-1] != 4 || c.Translations != nil {
		t.Fatalf("%+v", c)
	}
	for i, q := range c.Rotations {
		// The map's yaw turns about the scene's Y; of -90 degrees a second, half is in the quaternion.
		half := -float64(c.Times[i]) * math.Pi / 4
		sign := 1.0
		if float64(q[3])*math.Cos(half)+float64(q[1])*math.Sin(half) < 0 {
			sign = -1
		}
		if math.Abs(float64(q[1])*sign-math.Sin(half)) > 1e-6 || math.Abs(float64(q[3])*sign-math.Cos(half)) > 1e-6 || q[0] != 0 ||
			q[2] != 0 {
			t.Errorf("at %g s: %v", c.Times[i], q)
		}
		if i > 0 && (c.Times[i] <= c.Times[i-1] || q[1]*c.Rotations[i-1][1]+q[3]*c.Rotations[i-1][3] < 0) {
			t.Errorf("from %v to %v the shortest way is the other one", c.Rotations[i-1], q)
		}
	}
}

// Where all angles change, the shortest turns between the keys stay within a quarter of a degree of the movement.
func TestTurnsAboutSeveralAxesAreSampled(t *testing.T) {
	a, b := key(0, 0, 0, 0, 0, 0, 0), key(1, 0, 0, 0, 80, 90, 100)
	got, _ := animate(t, pipeline.MotionAll, mover("x", world.Movement{Name: "open", Keys: []world.Key{a, b}}))
	c := got[0].Channels[0]
	for i := range c.Times[1:] {
		for _, part := range []float64{0.25, 0.5, 0.75} {
			time := float64(c.Times[i]) + part*float64(c.Times[i+1]-c.Times[i])
			want := axes.Quaternion(middle(&a, &b, time).Place.Angles)
			var q [4]float64
			length := 0.0
			for k := range q { // so near to each other, a mix is the shortest turn
				q[k] = float64(c.Rotations[i][k])*(1-part) + float64(c.Rotations[i+1][k])*part
				length += q[k] * q[k]
			}
			if d := 2 * math.Acos(min(math.Abs(space.DotQuaternion(q, want))/math.Sqrt(length), 1)) * 180 / math.Pi; d > 0.3 {
				t.Errorf("at %g s: %g degrees", time, d)
			}
		}
	}
}

// A jump takes an instant, and no two keys have the same time.
func TestJumps(t *testing.T) {
	jump := key(1, 64, 0, 0)
	jump.Jump = true
	path := []world.Key{key(0), key(0.5, 32), jump, key(1, 96)}
	got, _ := animate(t, pipeline.MotionAll, mover("train", world.Movement{Name: "path", Keys: path}))
	c := got[0].Channels[0]
	wantTimes, wantX := []float32{0, 0.5, 0.999, 1, 1.001}, []float32{0, 1, 1, 2, 3}
	for i := range c.Times {
		if math.Abs(float64(c.Times[i]-wantTimes[i])) > 1e-6 || c.Translations[i][0] != wantX[i] {
			t.Errorf("key %d: %g s, %v", i, c.Times[i], c.Translations[i])
		}
	}
}

// A child that moves does so relative to its parent as the parent was built.
func TestChildrenMoveInTheirParent(t *testing.T) {
	parent := mover("parent")
	parent.Pairs = append(parent.Pairs, world.Pair{Key: "angles", Value: "0 90 0"})
	parent.Start = &world.Place{Origin: [3]float32{320, 0, 0}}
	child := mover("child", world.Movement{Name: "open", Keys: []world.Key{key(0, 64, 0, 0), key(1, 64, 32, 0)}})
	child.Pairs = append(child.Pairs, world.Pair{Key: "parentname", Value: "parent"})
	got, nodes := animate(t, pipeline.MotionAll, parent, child)
	// It goes north by 1 m, which is ahead for its parent, that was built looking north.
	c := got[0].Channels[0]
	from, to := c.Translations[0], c.Translations[1]
	if nodes[c.Node].Name != "child_child" || math.Abs(float64(to[0]-from[0]-1)) > 1e-6 || math.Abs(float64(to[2]-from[2])) > 1e-6 {
		t.Errorf("%v to %v", from, to)
	}
}

// Loops of 2 and 3 seconds end together after 6; one that begins later is cut off.
func TestTheStartLastsUntilAllLoopsEnd(t *testing.T) {
	loop := func(name string, seconds float64) world.Entity {
		return mover(name, world.Movement{Name: "cycle", Starts: true, Loops: true, Keys: []world.Key{key(0), key(seconds/2, 32), key(seconds)}})
	}
	train := mover("train", world.Movement{Name: "path", Starts: true, Keys: []world.Key{key(0), key(1, 32)}},
		world.Movement{Name: "cycle", Loops: true, Keys: []world.Key{key(0, 32), key(1, 64), key(2, 32)}})
	fan := mover("fan", world.Movement{Name: "cycle", Starts: true, Loops: true, Keys: []world.Key{key(0), key(3, 0, 0, 0, 0, 360)}})
	door := mover("door", world.Movement{Name: "open", Keys: []world.Key{key(0), key(9, 1)}})
	got, _ := animate(t, pipeline.MotionStart, loop("a", 2), loop("b", 3), train, fan, door)
	var counts []int
	for _, c := range got[0].Channels {
		counts = append(counts, len(c.Times))
		if last := c.Times[len(c.Times)-1]; last != 6 {
			t.Errorf("node %d ends at %g s", c.Node, last)
		}
	}
	if !reflect.DeepEqual(counts[:3], []int{7, 5, 7}) {
		t.Errorf("%v keys", counts)
	}
	// The fan turns on: after 4.5 seconds by 540 degrees.
	list := startMover{loop: []world.Key{key(0), key(3, 0, 0, 0, 0, 360)}}
	if keys := list.keys(6); len(keys) != 3 || keys[2].Place.Angles[1] != 720 {
		t.Errorf("%+v", keys)
	}
}

// Loops that never end together are a little faster or slower: 3 turns of 3.1 s are 9.3 s, 4 of 2.33 s 9.32 s, 0.2 % more. What begins
// after a while does not matter. Beside one of 7.23 s, 29 loops of half a second are 0.28 % slower in 14.46 s, and 14 would be
// 3.3 % slower in 7.23 s.
func TestLoopsThatNeverEndTogether(t *testing.T) {
	for _, test := range []struct {
		list []duration
		want float64
	}{
		{[]duration{{loop: 7.77}, {loop: 59.9}}, 179.7},
		{[]duration{{loop: 0.5}, {loop: 7.23}}, 14.46},
		{[]duration{{loop: 3.1}, {loop: 2.33}}, 9.3},
		{[]duration{{loop: 3.1}, {loop: 2.33}, {once: 30}}, 37.2},
		{[]duration{{loop: 1e-9}, {once: 3}}, 3},
		{[]duration{{loop: 1.5}, {loop: 2}}, 6},
	} {
		if got := roundOf(test.list); math.Abs(got-test.want) > 1e-6 {
			t.Errorf("%v: %g s, want %g", test.list, got, test.want)
		}
	}
	a := startMover{loop: []world.Key{key(0), key(7.77, 1)}}
	if keys := a.keys(10); len(keys) != 2 || keys[1].Time != 10 || keys[1].Place.Origin[0] != 1 {
		t.Errorf("%+v", keys)
	}
	b := startMover{once: []world.Key{key(0), key(1)}, loop: []world.Key{key(0), key(8, 1)}}
	if keys := b.keys(11); len(keys) != 5 || keys[4].Time != 11 || keys[4].Place.Origin[0] != 0.25 {
		t.Errorf("%+v", keys)
	}
}

// What other entities start begins when they do so, and goes on from there.
func TestWhatIsTriggeredAtTheStart(t *testing.T) {
	door := mover("door", world.Movement{Name: "open", Starts: true, Keys: []world.Key{key(0), key(1, 32)}},
		world.Movement{Name: "close", Starts: true, Keys: []world.Key{key(0, 32), key(1)}})
	door.Motion.Begins = []world.Begin{{After: 2}, {Movement: 1, After: 5}}
	fan := mover("fan", world.Movement{Name: "start", Starts: true, Keys: []world.Key{key(0), key(1, 0, 0, 0, 0, 90)}},
		world.Movement{Name: "cycle", Loops: true, Keys: []world.Key{key(0, 0, 0, 0, 0, 90), key(4, 0, 0, 0, 0, 450)}})
	fan.Motion.Begins = []world.Begin{{}}
	got, _ := animate(t, pipeline.MotionStart, door, fan)
	c := got[0].Channels[0]
	if x := c.Translations; !reflect.DeepEqual(c.Times, []float32{0, 2, 3, 5, 6}) || x[1][0] != 0 || x[3][0] != 1 || x[4][0] != 0 {
		t.Errorf("%+v", c)
	}
	if c := got[0].Channels[1]; c.Times[len(c.Times)-1] != 9 || got[0].Extras["loops"] != true {
		t.Errorf("the fan: %+v", c)
	}
}

// A movement names the nodes that have it too and move at once.
func TestTeamOfAnAct(t *testing.T) {
	open := world.Movement{Name: "open", Keys: []world.Key{key(0), key(1, 32)}}
	team := []int{0, 1, 2}
	list := []world.Entity{mover("left", open), mover("right", open), mover("bolt", world.Movement{Name: "close", Keys: open.Keys})}
	for i := range list {
		list[i].Motion.Team = team
	}
	got, _ := animate(t, pipeline.MotionAll, list...)
	for i, want := range []any{"left_left; right_right", "left_left; right_right", nil} {
		if got[i].Extras["team"] != want {
			t.Errorf("%s: %v, want %v", got[i].Name, got[i].Extras["team"], want)
		}
	}
}

func nodesOptions(p pipeline.Pipeline) nodes.Options {
	return nodes.Options{Geometry: p.Geometry, Entities: p.Entities, Sky: p.Sky, Output: p.Output}
}

// The members of a team share one list of it: 64,000 of one team take no more than 64,000 steps.
func TestTeamsAreListedOnce(t *testing.T) {
	w, team := &world.World{}, []int{0, 1, 2, 3}
	in := &Input{World: w, Placed: &nodes.Placed{}}
	for i := range team {
		w.Entities = append(w.Entities, world.Entity{Motion: &world.Motion{Team: team, Movements: []world.Movement{{Name: "open"}}}})
		in.Placed.Entities = append(in.Placed.Entities, i)
		in.Placed.Nodes = append(in.Placed.Nodes, scene.Node{Name: string(rune('a' + i))})
	}
	known := teams{}
	for i := range w.Entities {
		if got := known.of(in, w.Entities[i].Motion, "open"); got != "a; b; c; d" || len(known) != 1 {
			t.Errorf("%q, %d lists", got, len(known))
		}
	}
}
