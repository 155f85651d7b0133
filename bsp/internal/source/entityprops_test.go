package source_test

import (
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// If two keys state the same thing, the editor's counts. A value that is no number, below 0 or above the game's largest is left out.
func TestEntitiesPoseTheirModels(t *testing.T) {
	for _, test := range []struct {
		keys                 [][2]string
		skin, body, sequence int
		animation            string
	}{
		{nil, 0, 0, 0, ""},
		{[][2]string{{"Skin", "1"}, {"body", "2"}, {"sequence", "3"}}, 1, 2, 3, ""},
		{[][2]string{{"SetBodyGroup", "4"}, {"body", "2"}, {"DefaultAnim", "Idle_Open"}}, 0, 4, 0, "idle_open"},
		{[][2]string{{"hardware", "2"}}, 0, 2, 0, ""},
		{[][2]string{{"skin", "-1"}, {"body", "65536"}, {"sequence", "idle"}}, 0, 0, 0, ""},
	} {
		m := row(1)
		m.Entities = []vbsp.Entity{{{"classname", "worldspawn"}},
			append(vbsp.Entity{{"classname", "prop_dynamic"}, {"model", "models/a.mdl"}}, test.keys...)}
		w := decode(t, m.Write(vbsp.Source2007))
		if len(w.Props) != 1 {
			t.Fatalf("%d props", len(w.Props))
		}
		if p := w.Props[0]; p.Appearance.Skin != test.skin || p.Appearance.Body != test.body || p.Appearance.Sequence != test.sequence ||
			p.Appearance.Animation != test.animation {
			t.Errorf("%v: skin %d, body %d, sequence %d %q", test.keys, p.Appearance.Skin, p.Appearance.Body, p.Appearance.Sequence, p.Appearance.Animation)
		}
	}
}

// Characters idle, with what they hold, whatever the keys say; they play what they show.
func TestCharactersIdle(t *testing.T) {
	for _, test := range []struct {
		keys [][2]string
		want world.Appearance
	}{
		{[][2]string{{"classname", "npc_citizen"}, {"sequence", "3"}, {"DefaultAnim", "run"}},
			world.Appearance{Activities: []string{"ACT_IDLE"}, Plays: world.Repeated}},
		{[][2]string{{"classname", "NPC_combine_s"}, {"additionalequipment", "weapon_SMG1"}},
			world.Appearance{Activities: []string{"ACT_IDLE_SMG1", "ACT_IDLE"}, Plays: world.Repeated}},
		{[][2]string{{"classname", "npc_metropolice"}, {"additionalequipment", "weapon_stunstick"}},
			world.Appearance{Activities: []string{"ACT_IDLE"}, Plays: world.Repeated}},
		{[][2]string{{"classname", "npc_manhack"}}, world.Appearance{Activities: []string{"ACT_FLY", "ACT_IDLE"}, Plays: world.Repeated}},
		{[][2]string{{"classname", "npc_manhack"}, {"spawnflags", "65536"}},
			world.Appearance{Activities: []string{"ACT_IDLE"}, Plays: world.Repeated}},
		{[][2]string{{"classname", "npc_turret_floor"}},
			world.Appearance{Activities: []string{"ACT_FLOOR_TURRET_CLOSED_IDLE", "ACT_IDLE"}, Plays: world.Repeated}},
		{[][2]string{{"classname", "generic_actor"}, {"skin", "2"}},
			world.Appearance{Activities: []string{"ACT_IDLE"}, Skin: 2, Plays: world.Repeated}},
		{[][2]string{{"classname", "prop_ragdoll"}, {"sequence", "3"}}, world.Appearance{Sequence: 3}},
		// A prop plays its animation again and again, unless it holds its end.
		{[][2]string{{"classname", "prop_dynamic"}, {"DefaultAnim", "Spin"}}, world.Appearance{Animation: "spin", Plays: world.Repeated}},
		{[][2]string{{"classname", "prop_dynamic"}, {"DefaultAnim", "open"}, {"HoldAnimation", "1"}},
			world.Appearance{Animation: "open", Plays: world.Once}},
		{[][2]string{{"classname", "prop_dynamic"}, {"HoldAnimation", "1"}}, world.Appearance{}},
		{[][2]string{{"classname", "prop_dynamic"}, {"DefaultAnim", "open"}, {"RandomAnimation", "1"}}, world.Appearance{}},
		{[][2]string{{"classname", "monster_furniture"}, {"sequence", "3"}},
			world.Appearance{Activities: []string{"ACT_IDLE"}, Plays: world.Repeated}},
		{[][2]string{{"classname", "model_studio"}}, world.Appearance{Plays: world.Repeated}},
	} {
		m := row(1)
		m.Entities = []vbsp.Entity{{{"classname", "worldspawn"}}, append(vbsp.Entity{{"model", "models/a.mdl"}}, test.keys...)}
		w := decode(t, m.Write(vbsp.Source2007))
		if len(w.Props) != 1 || !reflect.DeepEqual(w.Props[0].Appearance, test.want) {
			t.Errorf("%v: %+v, want %+v", test.keys, w.Props, test.want)
		}
	}
}

// An entity that the game has to switch on first is left out if its class knows the key.
func TestEntitiesThatStartHidden(t *testing.T) {
	for _, test := range []struct {
		class, disabled string
		want            int
	}{
		{"prop_dynamic", "1", 0}, {"Prop_Dynamic_Override", "1", 0}, {"prop_dynamic", "0", 1}, {"prop_dynamic", "", 1},
		{"prop_physics", "1", 1},
		// These classes have a place and no body, whatever model was left on them.
		{"info_node", "", 0}, {"npc_maker", "", 0}, {"light_spot", "", 0}, {"point_template", "", 0}, {"env_shooter", "", 0},
		{"logic_relay", "", 0},
		{"Filter_Activator_Name", "", 0}, {"info_survivor_rescue", "", 0}, {"npc_antlion_template_maker", "", 0}, {"npc_citizen", "", 1},
		{"item_battery", "", 1},
	} {
		m := row(1)
		m.Entities = []vbsp.Entity{{{"classname", "worldspawn"}},
			{{"classname", test.class}, {"model", "models/a.mdl"}, {"StartDisabled", test.disabled}}}
		if w := decode(t, m.Write(vbsp.Source2007)); len(w.Props) != test.want {
			t.Errorf("%s %q: %d props", test.class, test.disabled, len(w.Props))
		}
	}
}

// A door of a file that starts open is turned, as is the entity that it is of.
func TestDoorsStartOpen(t *testing.T) {
	m := row(1)
	m.Entities = []vbsp.Entity{{{"classname", "worldspawn"}},
		{{"classname", "prop_door_rotating"}, {"model", "models/a.mdl"}, {"origin", "1 2 3"},
			{"angles", "0 90 0"}, {"spawnpos", "1"}}, {{"classname", "prop_door_rotating"}, {"model", "models/a.mdl"}}}
	w := decode(t, m.Write(vbsp.Source2007))
	want := world.Place{Origin: vec3{1, 2, 3}}
	if e := w.Entities[1]; e.Start == nil || *e.Start != want || w.Props[0].Angles != want.Angles || w.Props[0].Origin != want.Origin {
		t.Errorf("%+v, %+v", e.Start, w.Props[0])
	}
	if w.Entities[2].Start != nil {
		t.Errorf("a closed one: %+v", w.Entities[2].Start)
	}
}
