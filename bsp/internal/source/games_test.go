package source_test

import (
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
)

// The game is named by the mark that comes first in the table, not by the entity that comes first in the map.
func TestGameIsNamedByClasses(t *testing.T) {
	for _, c := range []struct {
		v       vbsp.Variant
		classes string
		game    string
		why     string // end of it
	}{
		{vbsp.Source2007, "TF_Logic_Arena", "Team Fortress 2", "class tf_*"},
		{vbsp.Source2007, "info_player_counterterrorist", "Counter-Strike: Source", "class info_player_counterterrorist"},
		{vbsp.Source2010, "info_player_counterterrorist", "Counter-Strike: Global Offensive", "class info_player_counterterrorist"},
		{vbsp.Source2004, "npc_zombie", "Half-Life 2", "class npc_*"},
		{vbsp.Source2007, "npc_zombie weapon_portalgun", "Portal", "class weapon_portalgun"},
		{vbsp.Source2010, "prop_button", "Portal 2", "class prop_button"},
		{vbsp.Source2010, "asw_spawner", "Alien Swarm", "class asw_*"},
		{vbsp.Source2007, "info_survivor_position", "Left 4 Dead", "class info_survivor_position"},
		{vbsp.Left4Dead2, "npc_zombie", "Left 4 Dead 2", "versions first in the directory"},
		{vbsp.Source2010, "npc_zombie", "Portal 2, Counter-Strike: Global Offensive or Alien Swarm", "offsets first in the directory"},
	} {
		m := floor(bricks)
		for _, class := range strings.Fields(c.classes) {
			m.Entities = append(m.Entities, vbsp.Entity{{"classname", class}})
		}
		f := decode(t, m.Write(c.v)).Format
		if f.Game != c.game || !strings.HasSuffix(f.Why, c.why) {
			t.Errorf("%s in version %d: %q, because %q; want %q, because …%q", c.classes, f.Version, f.Game, f.Why, c.game, c.why)
		}
	}
}

func TestGameIsNamedByStaticProps(t *testing.T) {
	for _, c := range []struct {
		v             vbsp.Variant
		version, size int
		game          string
		why           string // end of it
	}{
		{vbsp.Source2007, 10, 72, "Team Fortress 2, Counter-Strike: Source or another game of Source SDK 2013 Multiplayer",
			"version 10 as Source SDK 2013 has them"},
		{vbsp.Source2007, 8, 68, "Left 4 Dead", "version 8 as Left 4 Dead has them"},
		{vbsp.Source2007, 11, 80 | vbsp.BlackMesa, "Black Mesa", "version 11 as Black Mesa has them"},
		{vbsp.Source2007, 11, 80, garrysMod, "version 11 as Counter-Strike: Global Offensive has them"},
		{vbsp.Source2007, 7, 68 | vbsp.ZenoClash, "Zeno Clash", "version 7 as Zeno Clash has them"},
		{vbsp.Source2010, 11, 80, "Counter-Strike: Global Offensive", "version 11 as Counter-Strike: Global Offensive has them"},
		{vbsp.Left4Dead2, 9, 72, "Left 4 Dead 2", "versions first in the directory"},
	} {
		if f := decode(t, barrels(c.version, c.size, barrel()).Write(c.v)).Format; f.Game != c.game || !strings.HasSuffix(f.Why, c.why) {
			t.Errorf("static props of version %d with %d bytes in version %d: %q, because %q; want %q", c.version, c.size, f.Version,
				f.Game, f.Why, c.game)
		}
	}
}
