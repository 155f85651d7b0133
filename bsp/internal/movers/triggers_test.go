package movers

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
)

// Unnamed doors open who comes near, but not in Source, where flags say it.
func TestTriggers(t *testing.T) {
	const q, q3, hl, src = classes.Quake, classes.Quake3, classes.GoldSrc, classes.Source
	for _, c := range []struct {
		family classes.Family
		class  string
		pairs  []string
		want   string
	}{
		{q, "func_door", nil, "touch"},
		{q, "func_door", []string{"targetname", "a"}, "name"},
		{q, "func_door", []string{"spawnflags", "4"}, ""}, // not linked: it has no field
		{q, "func_door", []string{"spawnflags", "4", "health", "1"}, "damage"},
		{q, "func_door", []string{"spawnflags", "12"}, "touch"},                   // by who has the key
		{q, "func_door", []string{"spawnflags", "8", "targetname", "a"}, "touch"}, // by who has the key
		{q3, "func_door", []string{"spawnflags", "4"}, "touch"},
		{q3, "func_door", []string{"targetname", "a"}, "name"},
		// Buttons with a name: they are also touched, but in Quake II.
		{q, "func_button", []string{"targetname", "a"}, "touch"},
		{classes.Hexen2, "func_button", []string{"targetname", "a"}, "touch"},
		{classes.DarkPlaces, "func_button", []string{"targetname", "a"}, "touch"},
		{q3, "func_button", []string{"targetname", "a"}, "touch"},
		{classes.Raven, "func_button", []string{"targetname", "a"}, "touch"},
		{classes.Quake2, "func_button", []string{"targetname", "a"}, "name"},
		{classes.Quake2, "func_button", nil, "touch"},
		{classes.Wolfenstein, "func_button", []string{"targetname", "a"}, "use"},
		{classes.Wolfenstein, "func_button", []string{"spawnflags", "8"}, "touch"},
		{classes.Wolfenstein, "func_door", nil, "use"},
		{classes.Wolfenstein, "func_door", []string{"targetname", "a"}, "name"},
		{classes.Wolfenstein, "func_door", []string{"spawnflags", "8"}, "touch"},
		{classes.Wolfenstein, "func_door_rotating", []string{"spawnflags", "8"}, "use"},
		{classes.Raven, "func_door", []string{"spawnflags", "64", "targetname", "a"}, "use"},
		{classes.Raven, "func_door", []string{"spawnflags", "80", "targetname", "a"}, "name"}, // it is locked until then
		{q, "func_door_secret", []string{"targetname", "a", "health", "1"}, "name"},
		{q, "func_door_secret", []string{"targetname", "a", "spawnflags", "16"}, "damage"},
		{classes.Quake2, "func_door_secret", []string{"targetname", "a", "spawnflags", "1"}, "damage"},
		{classes.Quake2, "func_door_secret", []string{"targetname", "a", "health", "1"}, "damage"},
		{classes.Quake2, "func_door_secret", []string{"targetname", "a", "spawnflags", "16"}, "name"},
		{q, "func_door_secret", nil, "damage"},
		{q3, "func_button", []string{"health", "1"}, "damage"},
		{q3, "func_plat", nil, "touch"},
		{classes.Quake2, "func_rotating", []string{"speed", "90"}, "name"},
		{hl, "func_door", nil, "touch"},
		{hl, "func_door", []string{"spawnflags", "256"}, "use"},
		{hl, "func_door", []string{"targetname", "a"}, "name"},
		{hl, "func_button", []string{"targetname", "a"}, "use"},
		{hl, "func_button", []string{"spawnflags", "256"}, "touch"},
		{hl, "func_trackchange", []string{"height", "8"}, "name"},
		{src, "func_door", nil, "name"},
		{src, "func_door", []string{"spawnflags", "1024"}, "touch"},
		{src, "func_button", []string{"spawnflags", "1024"}, "use"},
		{src, "func_button", []string{"spawnflags", "512"}, "damage"},
		{src, "func_rot_button", []string{"spawnflags", "512", "distance", "90"}, "name"}, // it takes no damage without health
		{src, "momentary_rot_button", []string{"distance", "90"}, "name"},
		{src, "momentary_rot_button", []string{"distance", "90", "spawnflags", "1024"}, "use"},
	} {
		e := &set(t, c.family, entity(c.class, append([]string{"model", "*1"}, c.pairs...)...))[0]
		if e.Motion == nil || e.Motion.Trigger != c.want {
			t.Errorf("%v %s %v: %+v, want %s", c.family, c.class, c.pairs, e.Motion, c.want)
		}
	}
}

// A platform with a name is lowered by it; from then on its own field sets it off.
func TestNamedPlatsAreTouched(t *testing.T) {
	m := set(t, classes.Quake, entity("func_plat", "model", "*1", "targetname", "a"))[0].Motion
	if m.Trigger != byName || len(m.Movements) != 2 || m.Movements[0].Trigger != "" || m.Movements[1].Trigger != byTouch {
		t.Errorf("%+v", m)
	}
}
