package source_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A scripted_sequence holds its character as the map starts. Each line of want is a character's sequence, how it plays, its X and its yaw.
func TestScriptsHoldCharacters(t *testing.T) {
	type keys = vbsp.Entity
	who := func(more ...[2]string) keys {
		return append(keys{{"classname", "npc_citizen"}, {"model", "models/a.mdl"}, {"origin", "100 0 0"}, {"angles", "0 90 0"}}, more...)
	}
	script := func(more ...[2]string) keys { // the first of two keys of a name counts
		return append(more, keys{{"classname", "scripted_sequence"}, {"origin", "8 9 10"}, {"angles", "0 45 0"}, {"m_iszEntity", "Bob"}}...)
	}
	bob, idle, play, after := [2]string{"targetname", "bob"}, [2]string{"m_iszIdle", "Wait"}, [2]string{"m_iszPlay", "Go"},
		[2]string{"m_iszPostIdle", "Rest"}
	name, starts := [2]string{"targetname", "S"}, [2]string{"spawnflags", "16"}
	move := func(n string) [2]string { return [2]string{"m_fMoveTo", n} }
	auto := func(output string) keys { return keys{{"classname", "logic_auto"}, {"OnMapSpawn", output}} }
	const free = "[ACT_IDLE] 1 100 90" // plays again and again
	for what, test := range map[string]struct {
		entities []keys
		want     []string
	}{
		"waits in its idle":      {[]keys{who(bob), script(name, starts, idle, play)}, []string{"wait 2 100 90"}},
		"waits for the sequence": {[]keys{who(bob), script(name, starts, idle, [2]string{"m_iszPlay", "wait"})}, []string{"wait 0 100 90"}},
		"waits as it is":         {[]keys{who(bob), script(name, starts, play, move("4"))}, []string{"[ACT_IDLE] 1 8 45"}},
		"is not called":          {[]keys{who(bob), script(name, idle, play, move("4"))}, []string{free}},
		"plays at once":          {[]keys{who(bob), script(idle, play, after)}, []string{"go 2 100 90"}},
		"enters first":           {[]keys{who(bob), script(idle, play, [2]string{"m_iszEntry", "Come"})}, []string{"come 2 100 90"}},
		"rests at once":          {[]keys{who(bob), script(idle, after)}, []string{"rest 2 100 90"}},
		"is put there":           {[]keys{who(bob), script(play, move("4"))}, []string{"go 2 8 45"}},
		"turns":                  {[]keys{who(bob), script(play, move("5"))}, []string{"go 2 100 45"}},
		"walks there":            {[]keys{who(bob), script(play, move("1"))}, []string{free}},
		// It is √(22² + 9² + 10²) = 25.8 from the script.
		"walks a step":   {[]keys{who(bob), script(play, move("1"), [2]string{"origin", "78 9 10"})}, []string{"go 2 78 45"}},
		"is begun":       {[]keys{who(bob), script(name, idle, play), auto("s,BeginSequence,,0,-1")}, []string{"go 2 100 90"}},
		"is begun later": {[]keys{who(bob), script(name, idle, play), auto("s,BeginSequence,,5,-1")}, []string{free}},
		"is called": {[]keys{who(bob), script(name, idle, play), auto("s\x1bMoveToPosition\x1b\x1b0\x1b-1")},
			[]string{"wait 2 100 90"}},
		"what is begun comes first": {[]keys{script(after), who(bob), script(name, play), auto("S,BeginSequence,,0,-1")},
			[]string{"go 2 100 90"}},
		"one each":                 {[]keys{who(bob), who(bob), script(play), script(after)}, []string{"go 2 100 90", "rest 2 100 90"}},
		"by the start of its name": {[]keys{who(bob), script(play, [2]string{"m_iszEntity", "B*"})}, []string{"go 2 100 90"}},
		"by its class": {[]keys{who(), script(play, [2]string{"m_iszEntity", "npc_citizen"}, [2]string{"m_flRadius", "100"})},
			[]string{"go 2 100 90"}},
		// It is √(92² + 9² + 10²) = 92.98 from the script.
		"by its class, too far": {[]keys{who(), script(play, [2]string{"m_iszEntity", "npc_citizen"}, [2]string{"m_flRadius", "92.9"})},
			[]string{free}},
		"too far":               {[]keys{who(bob), script(play, [2]string{"m_flRadius", "92.9"})}, []string{free}},
		"props have no scripts": {[]keys{{{"classname", "prop_dynamic"}, {"model", "models/a.mdl"}, bob}, script(play)}, []string{"[] 0 0 0"}},
	} {
		m := row(1)
		m.Entities = append([]vbsp.Entity{{{"classname", "worldspawn"}}}, test.entities...)
		w := decode(t, m.Write(vbsp.Source2007))
		var got []string
		for i := range w.Props {
			p := &w.Props[i]
			shown := p.Appearance.Animation
			if shown == "" {
				shown = fmt.Sprint(p.Appearance.Activities)
			}
			got = append(got, fmt.Sprintf("%s %d %g %g", shown, p.Appearance.Plays, p.Origin[0], p.Angles[1]))
			start := w.Entities[p.Entity].Start
			if want := (world.Place{Origin: p.Origin, Angles: p.Angles}); p.Angles[1] == 45 && (start == nil || *start != want) {
				t.Errorf("%s: %+v", what, start)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", what, got, test.want)
		}
	}
}

// What a point_template takes out of the map, and people of whom a maker makes others, or who sleep until an input, are not there.
func TestTemplatesAreNotThere(t *testing.T) {
	type keys = vbsp.Entity
	barrel := keys{{"classname", "prop_physics"}, {"model", "models/a.mdl"}, {"targetname", "Barrel_1"}}
	template := func(more ...[2]string) keys {
		return append(keys{{"classname", "point_template"}, {"targetname", "T"}}, more...)
	}
	takes := [2]string{"Template02", "barrel_1"}
	person := func(more ...[2]string) keys {
		return append(keys{{"classname", "npc_citizen"}, {"model", "models/a.mdl"}}, more...)
	}
	for what, test := range map[string]struct {
		entities []keys
		want     int
	}{
		"without":           {[]keys{barrel, template([2]string{"Template01", "barrel"})}, 1},
		"taken":             {[]keys{barrel, template(takes)}, 0},
		"taken by a start":  {[]keys{template([2]string{"Template16", "barrel_*"}), barrel}, 0},
		"no such key":       {[]keys{barrel, template([2]string{"Template17", "barrel_1"})}, 1},
		"left there":        {[]keys{barrel, template(takes, [2]string{"spawnflags", "1"})}, 1},
		"made at the start": {[]keys{barrel, template(takes), {{"classname", "logic_auto"}, {"OnMapSpawn", "t,ForceSpawn,,0,-1"}}}, 1},
		"a template":        {[]keys{person([2]string{"spawnflags", "2048"})}, 0},
		"asleep":            {[]keys{person([2]string{"sleepstate", "3"})}, 0},
		"asleep until seen": {[]keys{person([2]string{"sleepstate", "2"}, [2]string{"spawnflags", "516"})}, 1},
	} {
		m := row(1)
		m.Entities = append([]vbsp.Entity{{{"classname", "worldspawn"}}}, test.entities...)
		if w := decode(t, m.Write(vbsp.Source2007)); len(w.Props) != test.want {
			t.Errorf("%s: %d props, want %d", what, len(w.Props), test.want)
		}
	}
}
