package classes

import (
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// entity returns an entity of a class, with more keys and values.
func entity(class string, more ...string) *world.Entity {
	e := &world.Entity{Pairs: []world.Pair{{Key: "classname", Value: class}}}
	for i := 0; i < len(more); i += 2 {
		e.Pairs = append(e.Pairs, world.Pair{Key: more[i], Value: more[i+1]})
	}
	return e
}

func TestBrushes(t *testing.T) {
	for _, c := range []struct {
		family Family
		e      *world.Entity
		want   world.Flags
	}{
		{all, entity("func_wall"), 0},
		{all, entity("trigger_once"), world.Trigger},
		{Source, entity("trigger_portal_cleanser"), 0},
		{GoldSrc, entity("trigger_portal_cleanser"), world.Trigger},
		{GoldSrc, entity("FUNC_LADDER"), world.Trigger},
		{Quake, entity("func_ladder"), 0},
		{GoldSrc, entity("func_op4mortarcontroller"), world.Trigger},
		{GoldSrc, entity("func_wall_toggle"), 0},
		{GoldSrc, entity("func_wall_toggle", "spawnflags", "1"), world.NoDraw},
		{GoldSrc, entity("func_wall_toggle", "spawnflags", "1e99"), 0},
		{GoldSrc, entity("func_wall_toggle", "spawnflags", "-1"), 0},
		{Source, entity("func_brush", "StartDisabled", "1"), world.NoDraw},
		{Source, entity("func_nav_blocker"), world.Trigger},
		{Quake2, entity("func_wall"), 0},
		{Quake2, entity("func_explosive", "spawnflags", "2"), 0},
		{Quake2, entity("func_explosive", "spawnflags", "1"), world.NoDraw},
		{Quake2, entity("func_object"), 0},
		{Quake2, entity("func_object", "spawnflags", "2"), world.NoDraw},
		{Quake2, entity("func_wall", "spawnflags", "1"), world.NoDraw},
		{Quake2, entity("func_wall", "spawnflags", "7"), 0},
		{Quake, entity("func_wall", "spawnflags", "1"), 0},
		{Raven, entity("func_usable", "spawnflags", "1"), world.NoDraw},
		{Quake3, entity("func_usable", "spawnflags", "1"), 0},
		{Quake3, entity("func_static", "gametype", "ctf, oneflag"), world.NoDraw},
		{Quake3, entity("func_static", "gametype", "ctf, ffa"), 0},
		{Quake3, entity("func_static", "!gametype", "ffa"), world.NoDraw},
		{DarkPlaces, entity("func_door", "notfree", "1"), world.NoDraw},
		{Quake3, entity("worldspawn", "gametype", "ctf"), 0},
		{Quake, entity("func_door", "spawnflags", "512"), world.NoDraw},
		{Quake2, entity("func_wall", "spawnflags", "512"), world.NoDraw},
		{Raven, entity("func_static", "gametype", "ctf"), 0},
		{GoldSrc, entity("func_wall", "spawnflags", "512"), 0},
	} {
		if got := Brushes(c.family, c.e); got != c.want {
			t.Errorf("%v of family %#x: %d, want %d", c.e.Pairs, c.family, got, c.want)
		}
	}
}

func TestModels(t *testing.T) {
	for _, c := range []struct {
		family Family
		e      *world.Entity
		want   bool
	}{
		{Source, entity("prop_dynamic"), true},
		{Quake3, entity("misc_anim", "gametype", "ctf"), false},
		{Source, entity("prop_dynamic_override", "StartDisabled", "1"), false},
		{Source, entity("prop_dynamic_ornament"), false},
		{Source, entity("info_node"), false},
		{Source, entity("npc_maker"), false},
		{Source, entity("npc_antlion_template_maker"), false},
		{Source, entity("npc_antlion"), true},
		{Source, entity("npc_antlion", "startburrowed", "1"), false},
		{Source, entity("npc_antlionguard", "startburrowed", "0", "spawnflags", "65536"), true},
		{Source, entity("npc_headcrab_fast", "spawnflags", "65536"), false},
		{Source, entity("npc_antlionguard", "spawnflags", "2048"), false}, // a template
		{Source, entity("npc_citizen", "spawnflags", "2048"), false},
		{Source, entity("generic_actor", "sleepstate", "3"), false}, // until an input
		{Source, entity("npc_citizen", "sleepstate", "2", "spawnflags", "516"), true},
		{Source, entity("env_shooter"), false},
		{Source, entity("env_headcrabcanister"), true},
		{GoldSrc, entity("env_sprite", "targetname", "x"), false},
		{GoldSrc, entity("env_sprite", "targetname", "x", "spawnflags", "1"), true},
		{GoldSrc, entity("env_sprite"), true},
		{GoldSrc, entity("env_glow", "targetname", "x"), true},
		{GoldSrc, entity("env_explosion"), false},
		{GoldSrc, entity("light_spot"), false},
		{Quake, entity("light_flame_large_yellow"), true},
		{Quake3, entity("misc_model"), false},
		{Quake3, entity("misc_gamemodel"), true},
		{Quake3, entity("dom_team"), false},
		{Quake3, entity("dom_controlpoint"), true},
		{all, entity("info_player_start"), false},
		{all, entity(""), true},
	} {
		if got := Model(c.family, c.e); got != c.want {
			t.Errorf("%v of family %#x: %v", c.e.Pairs, c.family, got)
		}
	}
}

// With two rules for one class in one family the second would never apply.
func TestRulesDoNotHideEachOther(t *testing.T) {
	seen := map[string]Family{}
	for i, r := range rules() {
		if r.families == 0 || r.volume && r.brushes == nil {
			t.Errorf("rule %d is of no family, or a volume that is drawn", i)
		}
		for name := range strings.FieldsSeq(r.classes) {
			if name != strings.ToLower(name) || strings.Contains(strings.TrimSuffix(name, "*"), "*") {
				t.Errorf("rule %d: %q", i, name)
			}
			if both := seen[name] & r.families; both != 0 {
				t.Errorf("rule %d: %q is in another rule of family %#x", i, name, both)
			}
			seen[name] |= r.families
		}
	}
}

func TestDropOf(t *testing.T) {
	for _, c := range []struct {
		family Family
		e      *world.Entity
		want   float32 // the rise, or -1 for none
	}{
		{Quake, entity("item_health"), 0},
		{Quake, entity("monster_army"), 24},
		{Quake, entity("monster_wizard"), -1},
		{Quake2, entity("ammo_shells", "spawnflags", "1"), 15},
		{Quake2, entity("monster_flyer"), -1},
		{Quake3, entity("item_health"), 15},
		{Quake3, entity("team_CTF_redflag"), 15},
		{Quake3, entity("weapon_railgun", "spawnflags", "1"), -1},
		{Quake3, entity("monster_army"), -1},
		{GoldSrc, entity("item_battery"), -1}, // has a model
	} {
		got := float32(-1)
		if d := DropOf(c.family, c.e); d != nil {
			got = d.Rise
		}
		if got != c.want {
			t.Errorf("%v of family %#x: %g, want %g", c.e.Pairs, c.family, got, c.want)
		}
	}
}

func TestFalls(t *testing.T) {
	for _, c := range []struct {
		family Family
		e      *world.Entity
		want   float32
	}{
		{GoldSrc, entity("item_battery"), 256},
		{GoldSrc, entity("Weapon_Shotgun", "spawnflags", "1"), 1 << 17},
		{GoldSrc, entity("monster_scientist_dead"), 1 << 17},
		{GoldSrc, entity("monster_scientist"), 256},
		{GoldSrc, entity("monster_barnacle"), 0},
		{GoldSrc, entity("monster_blkop_apache"), 0},
		{GoldSrc, entity("monster_pitworm_up"), 0},
		{GoldSrc, entity("cycler"), 0},
		{Source, entity("item_battery"), 256},
		{Source, entity("item_battery", "spawnflags", "1"), 0},
		{Source, entity("weapon_smg1", "parentname", "crate"), 0},
		{Source, entity("weapon_rifle_spawn"), 0},
		{Source, entity("npc_citizen", "spawnflags", "1"), 1 << 17},
		{Source, entity("generic_actor"), 1 << 17},
		{Source, entity("npc_furniture"), 0},
		{Source, entity("npc_combine_s", "waitingtorappel", "1"), 0},
		{Source, entity("npc_combine_s", "waitingtorappel", "0"), 1 << 17},
		{Source, entity("npc_cscanner"), 0},
		{Source, entity("npc_clawscanner"), 0},
		{Source, entity("npc_advisor"), 0},
		{Source, entity("prop_physics"), 0},
		{Quake3, entity("item_health"), 0},
	} {
		if got := Falls(c.family, c.e).Most; got != c.want {
			t.Errorf("%v of family %#x: %g, want %g", c.e.Pairs, c.family, got, c.want)
		}
	}
}

// The box that falls is the engine's for the class.
func TestBoxesThatFall(t *testing.T) {
	for class, want := range map[string][2]float32{
		"monster_sitting_scientist": {-14, 18},
		"monster_scientist":         {-16, 16}, "item_battery": {-16, 16}, "monster_gargantua": {-32, 32},
		"monster_scientist_dead": {}, "weapon_9mmAR": {},
	} {
		if got := Falls(GoldSrc, entity(class)).Sides; got != want {
			t.Errorf("%s: %v, want %v", class, got, want)
		}
	}
	if got := Falls(Source, entity("npc_citizen")).Sides; got != [2]float32{-13, 13} {
		t.Errorf("npc_citizen: %v", got)
	}
}
