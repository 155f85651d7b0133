package movers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// begun returns what begins when the map starts as text: the movement's name, its start, and the last number of its last key.
func begun(e *world.Entity) string {
	if e.Motion == nil {
		return ""
	}
	var text []string
	for _, b := range e.Motion.Begins {
		m := &e.Motion.Movements[b.Movement]
		last := m.Keys[len(m.Keys)-1]
		text = append(text, fmt.Sprintf("%s after %.4g for %.4g, starts %t", m.Name, b.After, last.Time, m.Starts))
	}
	return strings.Join(text, "; ")
}

// What a map's first triggers start, directly and by relays.
func TestWhatTriggersStartMoversAtTheMapsStart(t *testing.T) {
	door := func(class string, pairs ...string) world.Entity {
		return entity(class, append([]string{"model", "*1", "targetname", "door", "speed", "64"}, pairs...)...)
	}
	auto := func(pairs ...string) world.Entity { return entity("logic_auto", pairs...) }
	first := func(class string, pairs ...string) world.Entity { // a mover that triggers the door
		e := entity(class, append(pairs, "targetname", "first")...)
		e.Model = 1
		return e
	}
	for _, c := range []struct {
		name   string
		family classes.Family
		list   []world.Entity
		want   string
	}{
		{"at once", classes.Source, []world.Entity{door("func_door", "wait", "-1"), auto("OnMapSpawn", "door,Open,,0,-1")},
			"open after 0 for 1, starts true"},
		{"by a new game, later, parted by escapes", classes.Source,
			[]world.Entity{door("func_door", "wait", "4"), auto("OnNewGame", "DOOR\x1bOpen\x1b\x1b2.5\x1b-1")},
			"cycle after 2.5 for 6, starts true"},
		{"open and shut again", classes.Source, []world.Entity{door("func_door", "wait", "-1"),
			auto("OnMapSpawn", "door,Toggle,,1,-1", "OnMapSpawn", "door,Toggle,,5,-1", "OnMapSpawn", "door,Open,,1.5,-1")},
			"open after 1 for 1, starts true; close after 5 for 1, starts true"},
		{"a transition, if there is no new game", classes.Source,
			[]world.Entity{door("func_door", "wait", "-1"), auto("OnMapTransition", "do*,Open,,0,-1")}, "open after 0 for 1, starts true"},
		{"a transition beside a new game", classes.Source, []world.Entity{door("func_door", "wait", "-1"),
			auto("OnMapTransition", "door,Open,,0,-1", "OnNewGame", "other,Open,,0,-1")}, ""},
		{"a saved game", classes.Source, []world.Entity{door("func_door", "wait", "-1"), auto("OnLoadGame", "door,Open,,0,-1")}, ""},
		{"in a state of the game", classes.Source,
			[]world.Entity{door("func_door", "wait", "-1"), auto("OnMapSpawn", "door,Open,,0,-1", "globalstate", "gordon_precriminal")}, ""},
		{"by a relay", classes.Source, []world.Entity{door("func_door", "wait", "-1"),
			entity("logic_relay", "targetname", "relay", "OnTrigger", "door,Open,,1,-1"), auto("OnMapSpawn", "relay,Trigger,,2,-1")},
			"open after 3 for 1, starts true"},
		{"by a relay that is off", classes.Source, []world.Entity{door("func_door", "wait", "-1"),
			entity("logic_relay", "targetname", "relay", "OnTrigger", "door,Open,,1,-1", "StartDisabled", "1"),
			auto("OnMapSpawn", "relay,Trigger,,2,-1")}, ""},
		{"relays in a circle", classes.Source, []world.Entity{door("func_door", "wait", "-1"),
			entity("logic_relay", "targetname", "relay", "OnTrigger", "relay,Trigger,,0,-1"), auto("OnMapSpawn", "relay,Trigger,,2,-1")}, ""},
		{"locked", classes.Source,
			[]world.Entity{door("func_door", "wait", "-1", "spawnflags", "2048"), auto("OnMapSpawn", "door,Open,,0,-1")}, ""},
		{"unlocked first", classes.Source, []world.Entity{door("func_door", "wait", "-1", "spawnflags", "2048"),
			auto("OnMapSpawn", "door,Open,,1,-1", "OnMapSpawn", "door,Unlock,,0,-1")}, "open after 1 for 1, starts true"},
		{"a fan", classes.Source, []world.Entity{door("func_rotating", "maxspeed", "90"), auto("OnMapSpawn", "door,Start,,0,-1")},
			"cycle after 0 for 4, starts true"},
		{"a fan at half its speed", classes.Source, []world.Entity{door("func_rotating", "maxspeed", "90"), auto("OnMapSpawn", "door,SetSpeed,0.5,0,-1")},
			"cycle after 0 for 8, starts true"},
		{"a part of the way", classes.Source, []world.Entity{door("func_movelinear", "movedistance", "64"),
			auto("OnMapSpawn", "door,SetPosition,0.25,0,-1")}, "open after 0 for 0.25, starts true"},
		{"Half-Life, by a manager", classes.GoldSrc, []world.Entity{door("func_door", "wait", "-1"),
			entity("multi_manager", "targetname", "manager", "door#1", "1.5"), entity("trigger_auto", "target", "manager", "delay", "1")},
			"open after 2.5 for 1, starts true"},
		{"Quake II", classes.Quake2, []world.Entity{door("func_door", "wait", "-1", "lip", "2"),
			entity("trigger_relay", "targetname", "relay", "target", "door", "delay", "2"), entity("trigger_always", "target", "relay")},
			"open after 2 for 1, starts true"},
		{"Quake III", classes.Quake3, []world.Entity{door("func_door", "wait", "-1", "lip", "2"),
			entity("target_delay", "targetname", "relay", "target", "door"), entity("trigger_always", "target", "relay", "delay", "9")},
			"open after 1 for 1, starts true"},
		{"Quake II, by a button, when it is in", classes.Quake2, []world.Entity{door("func_door", "wait", "-1", "lip", "2"),
			first("func_button", "target", "door", "speed", "62", "delay", "2"), entity("trigger_always", "target", "first")},
			"open after 3 for 1, starts true"},
		{"Quake II, by a door, when it begins", classes.Quake2, []world.Entity{door("func_door", "wait", "-1", "lip", "2"),
			first("func_door", "target", "door", "wait", "9"), entity("trigger_always", "target", "first", "delay", "1")},
			"open after 1 for 1, starts true"},
		{"Quake III, by a button", classes.Quake3, []world.Entity{door("func_door", "wait", "-1", "lip", "2"),
			first("func_button", "target", "door", "speed", "62"), entity("trigger_always", "target", "first")},
			"open after 1 for 1, starts true"},
		{"Jedi Academy, by a door that is open", classes.Raven, []world.Entity{door("func_door", "wait", "-1", "lip", "2", "linear", "1"),
			first("func_door", "opentarget", "door", "speed", "29", "linear", "1"), entity("trigger_always", "target", "first")},
			"open after 2 for 1, starts true"},
		{"Half-Life, by a button", classes.GoldSrc, []world.Entity{door("func_door", "wait", "-1"),
			first("func_button", "target", "door", "speed", "60"), entity("trigger_auto", "target", "first", "triggerstate", "1")},
			"open after 1 for 1, starts true"},
		{"Half-Life, by a door that is open and by the same that is shut", classes.GoldSrc,
			[]world.Entity{door("func_door", "wait", "-1", "spawnflags", "32"),
				first("func_door", "target", "door", "speed", "32", "wait", "1"), entity("trigger_auto", "target", "first", "triggerstate", "1")},
			"open after 2 for 1, starts true; close after 5 for 1, starts true"},
		{"Half-Life, by a door's other target", classes.GoldSrc, []world.Entity{door("func_door", "wait", "-1"),
			first("func_door", "netname", "door", "speed", "32", "wait", "1"), entity("trigger_auto", "target", "first", "triggerstate", "1")},
			"open after 5 for 1, starts true"},
		{"by a timer with chance", classes.Quake3, []world.Entity{door("func_door"),
			entity("func_timer", "target", "door", "wait", "5", "spawnflags", "1")}, ""},
	} {
		got := set(t, c.family, c.list...)
		if text := begun(&got[0]); text != c.want {
			t.Errorf("%s: %q, want %q (%s)", c.name, text, c.want, told(&got[0]))
		}
	}
	lift := set(t, classes.Source, entity("func_movelinear", "model", "*1", "targetname", "lift", "speed", "32", "movedistance", "64", "OnFullyOpen",
		"lift,Close,,3,-1", "OnFullyClosed", "lift,Open,,5,-1"), entity("logic_relay", "OnSpawn", "lift,Open,,1,-1"))
	if text := begun(&lift[0]); text != "open after 1 for 2, starts true; close after 6 for 2, starts true" || lift[0].Motion.Period != 12 {
		t.Errorf("a lift that goes on by its own outputs: %q, every %g s", text, lift[0].Motion.Period)
	}
	timer := set(t, classes.Quake2, door("func_door", "wait", "1", "lip", "2"),
		entity("func_timer", "target", "door", "wait", "5", "pausetime", "2", "spawnflags", "1"))
	if text := begun(&timer[0]); text != "cycle after 8 for 3, starts true" || timer[0].Motion.Period != 5 {
		t.Errorf("a timer: %q, every %g s", text, timer[0].Motion.Period)
	}
	back := set(t, classes.Source, door("func_rotating", "maxspeed", "90"), auto("OnMapSpawn", "door,StartBackward,,0,-1"))
	if text := told(&back[0]); text != "cycle loops 0:0 4:360; cycle starts loops 0:0 4:-360" {
		t.Errorf("backwards: %q", text)
	}
}

// Relays that trigger each other, all at once, end: 2000 relays of one name, each with 50 outputs to all of them, would fire 10^10 times
// in five rounds.
func TestTriggersOfAHostileMapEnd(t *testing.T) {
	list := []world.Entity{entity("func_door", "model", "*1", "targetname", "a", "wait", "-1")}
	for range 2000 {
		var pairs []string
		for range 50 {
			pairs = append(pairs, "OnTrigger", "a*,Trigger,,0,-1", "OnNewGame", "a,Trigger,,0,-1")
		}
		list = append(list, entity("logic_relay", append(pairs, "targetname", "a")...), entity("logic_auto", pairs...))
	}
	got := set(t, classes.Source, list...)
	if got[0].Motion == nil || got[0].Motion.Begins != nil {
		t.Errorf("%+v", got[0].Motion)
	}
}

// A relay with very many outputs that triggers itself is not looked through thousands of times.
func TestRelaysWithManyOutputs(t *testing.T) {
	var pairs []string
	for range 50_000 {
		pairs = append(pairs, "OnTrigger", "a,Trigger,,0,-1")
	}
	w := &world.World{Entities: []world.Entity{entity("logic_relay", append(pairs, "targetname", "a")...)}}
	s := mapStart{w: w, off: map[int]bool{}}
	for n := 0; s.steps < maxRelaySteps; n++ {
		if n > maxRelaySteps/50_000+1 {
			t.Fatalf("%d triggers took %d steps", n, s.steps)
		}
		if err := s.receive(0, &firing{"a", "Trigger", "", 0}, nil); err != nil {
			t.Fatal(err)
		}
	}
}
