package classes

import (
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

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
			{1, "models/powerups/health/medium_cross.md3", turnFast, 1}, {1, "models/powerups/health/medium_sphere.md3", floats, 1},
			{2, "models/weapons2/rocketl/rocketl.md3", weapon, 1.5}, {7, "models/powerups/ammo/railgunam.md3", turns, 1},
			{13, "models/powerups/ammo/plasmaam.md3", turns, 1},
		},
		DarkPlaces: {
			{1, "models/items/g_h25.md3", turnFlat, 1}, {2, "models/weapons/g_rl.md3", turnFlat, 1}, {7, "models/items/a_cells.md3", nil, 1},
			{13, "models/items/a_cells.md3", nil, 1}, {16, "models/items/a_cells.md3", nil, 1},
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
	for class, list := range offers() {
		for _, o := range list {
			if class == "" || o.part == "" || o.ware.file == "" || o.ware.families == 0 {
				t.Errorf("%s: %+v", class, o)
			}
		}
	}
}
