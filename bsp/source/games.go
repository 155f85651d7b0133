package source

import (
	"context"
	"fmt"
	"strings"
)

// classMarks are classes of entities by which a game is known, from versions of the map to versions; a * at the end
// stands for any letters. Of the rows that a map has the first tells. What is of one game alone comes first: mods
// place the characters of Half-Life 2, too.
var classMarks = []struct {
	from, to int
	class    string
	game     string
}{
	{20, 20, "tf_*", "Team Fortress 2"}, {20, 20, "info_player_teamspawn", "Team Fortress 2"},
	{20, 20, "func_respawnroom", "Team Fortress 2"}, {20, 20, "item_teamflag", "Team Fortress 2"},
	{20, 20, "dod_*", "Day of Defeat: Source"}, {19, 20, "info_player_allies", "Day of Defeat: Source"},
	{19, 20, "info_player_axis", "Day of Defeat: Source"},
	{20, 20, "info_survivor_position", "Left 4 Dead"}, {20, 20, "info_director", "Left 4 Dead"},
	{21, 21, "info_survivor_position", "Left 4 Dead 2"}, {21, 21, "info_director", "Left 4 Dead 2"},
	{21, 21, "asw_*", "Alien Swarm"}, {21, 21, "info_player_start_asw", "Alien Swarm"},
	{20, 20, "prop_portal", "Portal"}, {20, 20, "weapon_portalgun", "Portal"}, {20, 20, "func_portal_bumper", "Portal"},
	{20, 20, "func_noportal_volume", "Portal"}, {20, 20, "trigger_portal_cleanser", "Portal"}, {20, 20, "npc_portal_*", "Portal"},
	{21, 21, "prop_portal", "Portal 2"}, {21, 21, "weapon_portalgun", "Portal 2"}, {21, 21, "func_portal_bumper", "Portal 2"},
	{21, 21, "func_noportal_volume", "Portal 2"}, {21, 21, "trigger_portal_cleanser", "Portal 2"}, {21, 21, "trigger_catapult", "Portal 2"},
	{21, 21, "prop_button", "Portal 2"}, {21, 21, "prop_floor_button", "Portal 2"}, {21, 21, "prop_weighted_cube", "Portal 2"},
	{21, 21, "prop_testchamber_door", "Portal 2"}, {21, 21, "npc_personality_core", "Portal 2"}, {21, 21, "npc_portal_*", "Portal 2"},
	{19, 20, "info_player_terrorist", "Counter-Strike: Source"}, {19, 20, "info_player_counterterrorist", "Counter-Strike: Source"},
	{21, 21, "info_player_terrorist", "Counter-Strike: Global Offensive"},
	{21, 21, "info_player_counterterrorist", "Counter-Strike: Global Offensive"},
	{19, 20, "info_player_combine", "Half-Life 2: Deathmatch"}, {19, 20, "info_player_rebel", "Half-Life 2: Deathmatch"},
	{20, 20, "npc_hunter", "Half-Life 2: Episode Two"}, {20, 20, "prop_vehicle_jalopy", "Half-Life 2: Episode Two"},
	{20, 20, "npc_advisor", "Half-Life 2: Episode Two"}, {19, 19, "npc_*", "Half-Life 2"}, {19, 19, "item_suit", "Half-Life 2"},
	{20, 20, "npc_*", "Half-Life 2, its episodes, or a mod of them"}, {20, 20, "item_suit", "Half-Life 2, its episodes, or a mod of them"},
}

// propMarks are the static props by which a game is known, where the classes say nothing: the version of their lump, and
// the game of their records' layout, or "" where the version is enough.
var propMarks = []struct {
	version, lump int
	layout, game  string
}{
	{20, 7, "Left 4 Dead", "Left 4 Dead"}, {20, 8, "Left 4 Dead", "Left 4 Dead"}, {20, 11, "Black Mesa", "Black Mesa"},
	{20, 11, "Counter-Strike: Global Offensive", garrysModOrJabroni},
	{20, 7, "Zeno Clash", "Zeno Clash"}, {20, 7, "Fairy Tale Busters", "Fairy Tale Busters"}, {20, 5, "The Ship", "The Ship"},
	{20, 6, "Bloody Good Time", "Bloody Good Time"}, {21, 9, "Dear Esther", "Dear Esther"},
	{20, 10, "", "Team Fortress 2, Counter-Strike: Source or another game of Source SDK 2013 Multiplayer"},
	{21, 10, "", "Counter-Strike: Global Offensive"},
	{21, 11, "Counter-Strike: Global Offensive", "Counter-Strike: Global Offensive"}, {21, 11, "Black Mesa", "Black Mesa"},
}

// nameGame names the game more closely than the directory can, by what the map holds. Nothing is read differently for it.
func (d *decoder) nameGame(context.Context) error {
	f := &d.w.Format
	if d.hidden { // as only its maps are
		f.Game = tacticalIntervention
		return nil
	}
	if !d.variant.many {
		return nil
	}
	best := len(classMarks)
	for i := range d.w.Entities {
		class := strings.ToLower(d.w.Entities[i].Class())
		for k := range classMarks[:best] {
			if m := &classMarks[k]; m.from <= d.version && d.version <= m.to && marked(class, m.class) {
				best = k
				break
			}
		}
	}
	if best < len(classMarks) {
		f.Game = classMarks[best].game
		f.Why += fmt.Sprintf(", and has entities of the class %s", classMarks[best].class)
		return nil
	}
	for _, m := range propMarks {
		if m.version == d.version && m.lump == d.props.version && (m.layout == "" || m.layout == d.props.layout) {
			f.Game = m.game
			f.Why += ", and has " + d.props.String()
			return nil
		}
	}
	return nil
}

// marked tells whether a class is the one of a mark.
func marked(class, mark string) bool {
	if start, ok := strings.CutSuffix(mark, "*"); ok {
		return strings.HasPrefix(class, start)
	}
	return class == mark
}
