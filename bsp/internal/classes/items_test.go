package classes

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// item returns an item of entity i that hovers or not.
func item(i int, model string, hover *world.Hover, scale float32) Item {
	return Item{Entity: i, Model: model, Look: world.Appearance{Hover: hover}, Scale: scale}
}

func TestItemsHaveTheModelsOfTheirGame(t *testing.T) {
	entities := []world.Entity{
		*entity("worldspawn"),
		*entity("ITEM_Health"),
		*entity("weapon_rocketlauncher", "notteam", "1"),
		*entity("item_quad"), // comes later
		*entity("item_armor_body", "notfree", "1"),
		*entity("ammo_shells", "notq3a", "1"),
		*entity("ammo_slugs", "gametype", "ctf oneflag"),
		*entity("ammo_slugs", "gametype", "team, ffa"),
		*entity("ammo_bfg", "!gametype", "ffa"),
		*entity("weapon_bfg", "targetname", "later"),
		*entity("item_quad", "team", "a"), // hides the others of its team
		*entity("ammo_cells", "team", "a"),
		*entity("ammo_cells", "team", "b", "notfree", "1"),
		*entity("ammo_cells", "team", "b"),
		*entity("ammo_cells", "team", "b"),
		*entity("item_strength"),
		*entity("item_cells"),
	}
	for family, want := range map[Family][]Item{
		Quake3: {
			item(1, "models/powerups/health/medium_cross.md3", paced(turnFast, 72), 1),
			item(1, "models/powerups/health/medium_sphere.md3", paced(floats, 72), 1),
			item(2, "models/weapons2/rocketl/rocketl.md3", paced(weapon, 72), 1.5), // nobody knows ITEM_Health
			item(7, "models/powerups/ammo/railgunam.md3", paced(turns, 74), 1),     // after item_quad
			item(13, "models/powerups/ammo/plasmaam.md3", paced(turns, 78), 1),     // and 7, 9, 10, 11
		},
		DarkPlaces: {
			item(1, "models/items/g_h25.md3", turnFlat, 1), item(2, "models/weapons/g_rl.md3", turnFlat, 1),
			item(7, "models/items/a_cells.md3", nil, 1),
			item(9, "models/weapons/g_hagar.md3", turnFlat, 1), item(13, "models/items/a_cells.md3", nil, 1),
			item(16, "models/items/a_cells.md3", nil, 1),
		},
		Source: nil,
	} {
		if got := Items(family, entities); !reflect.DeepEqual(got, want) {
			t.Errorf("family %#x: %+v, want %+v", family, got, want)
		}
	}
}

// Each row has a class and its part, and the file's name a place for the part.
func TestWaresAreWhole(t *testing.T) {
	for class, list := range itemsByClass(^Family(0)) {
		for _, o := range list {
			if class == "" || o.part == "" || o.itemModel.file == "" || o.itemModel.families == 0 {
				t.Errorf("%s: %+v", class, o)
			}
		}
	}
}

// Quake's and Quake II's code looks at flags and at the world; the rest of an item's look is its row's.
func TestQuakesItems(t *testing.T) {
	base := *entity("worldspawn", "worldtype", "2")
	for _, c := range []struct {
		family Family
		e      *world.Entity
		want   string // file, skin, first frame, frames
	}{
		{Quake, entity("item_armorInv"), "progs/armor.mdl 2 0 0"},
		{Quake, entity("item_key2"), "progs/b_g_key.mdl 0 0 0"},
		{Quake, entity("item_sigil", "spawnflags", "4"), "progs/end3.mdl 0 0 0"},
		{Quake, entity("item_sigil", "spawnflags", "263"), "progs/end3.mdl 0 0 0"}, // the last of the flags
		{Quake, entity("monster_zombie", "spawnflags", "1"), "progs/zombie.mdl 0 192 6"},
		{Quake, entity("monster_zombie"), "progs/zombie.mdl 0 0 15"},
		{Quake, entity("monster_ogre", "spawnflags", "768"), ""}, // only at hard skill
		{Quake, entity("monster_ogre", "spawnflags", "256", "targetname", "x"), "progs/ogre.mdl 0 0 9"},
		{Quake2, entity("monster_soldier_ss"), "models/monsters/soldier/tris.md2 4 146 30"},
		{Quake2, entity("monster_gunner", "spawnflags", "2"), ""}, // waits for a trigger
		{Quake2, entity("item_health", "spawnflags", "1"), ""},
		{Quake2, entity("item_health", "spawnflags", "2"), "models/items/healing/medium/tris.md2 0 0 0"},
		{GoldSrc, entity("monster_zombie"), ""},
	} {
		got := ""
		for _, i := range Items(c.family, []world.Entity{base, *c.e}) {
			got += fmt.Sprintf("%s %d %d %d", i.Model, i.Look.Skin, i.Look.Frame, i.Look.Frames)
		}
		if got != c.want {
			t.Errorf("%v of family %#x: %q, want %q", c.e.Pairs, c.family, got, c.want)
		}
	}
	if d := DropOf(Quake, entity("item_key1")); d == nil || d.Rise != 24 {
		t.Errorf("a key: %+v", d)
	}
	if DropOf(Quake, entity("monster_zombie", "spawnflags", "1")) != nil || DropOf(Quake, entity("monster_zombie")) == nil {
		t.Error("a zombie on a cross falls, or another does not")
	}
}

// Imps hover with flag 2, and are gargoyles with 16; what is not at the second skill (0x2000) or for one player (0x20000) is not there.
func TestMonstersOfHexen2(t *testing.T) {
	entities := []world.Entity{*entity("worldspawn"), *entity("monster_imp_ice"), *entity("monster_imp_ice", "spawnflags", "2"),
		*entity("monster_imp_ice", "spawnflags", "16"), *entity("monster_spider_red_small"), *entity("monster_golem_iron"),
		*entity("monster_mummy_lord"), *entity("art_haste", "spawnflags", "8192"), *entity("art_haste", "spawnflags", "131072"),
		*entity("art_haste", "spawnflags", "512"), *entity("monster_army"), *entity("monster_fish")}
	want := []Item{
		{1, "models/imp.mdl", world.Appearance{Frame: 78, Frames: 24, Skin: 1, Plays: world.Repeated, Rate: 2}, 1},
		{2, "models/imp.mdl", world.Appearance{Frame: 35, Frames: 20, Skin: 1, Plays: world.Repeated, Rate: 2}, 1},
		{4, "models/spider.mdl", world.Appearance{Frame: 16, Frames: 25, Plays: world.Repeated, Rate: 2}, 0.8},
		{5, "models/golem_i.mdl", world.Appearance{Frames: 22, Plays: world.Repeated, Rate: 0.5}, 1},
		{6, "models/mummy.mdl", world.Appearance{Frame: 83, Skin: 1}, 1},
		item(9, "models/a_haste.mdl", nil, 1),
		item(11, "models/fish.mdl", nil, 1),
	}
	if got := Items(Hexen2, entities); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
