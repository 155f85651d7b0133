package source

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/wildcard"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// classMarks lists entity classes that identify a game, for a range of map versions; a * at the end matches any
// letters. The first matching row counts. Classes of a single game come first, because mods also place the
// characters of Half-Life 2.
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

const vietnam = "Military Conflict: Vietnam"

// propMarks lists static props that identify a game if no class does: the version of their lump, and the game of their
// records' layout, or "" if the version suffices.
var propMarks = []struct {
	version, lump int
	layout, game  string
}{
	{20, 7, "Left 4 Dead", "Left 4 Dead"}, {20, 8, "Left 4 Dead", "Left 4 Dead"}, {20, 11, "Black Mesa", "Black Mesa"},
	{20, 11, "Counter-Strike: Global Offensive", garrysModOrJabroni},
	{20, 12, vietnam, vietnam}, {21, 12, vietnam, vietnam},
	{20, 7, "Zeno Clash", "Zeno Clash"}, {20, 7, "Fairy Tale Busters", "Fairy Tale Busters"}, {20, 5, "The Ship", "The Ship"},
	{20, 6, "Bloody Good Time", "Bloody Good Time"}, {21, 9, "Dear Esther", "Dear Esther"},
	{20, 10, "", "Team Fortress 2, Counter-Strike: Source or another game of Source SDK 2013 Multiplayer"},
	{21, 10, "", "Counter-Strike: Global Offensive"},
	{21, 11, "Counter-Strike: Global Offensive", "Counter-Strike: Global Offensive"}, {21, 11, "Black Mesa", "Black Mesa"},
}

// propsFound is the version of the lump of static props, and the game of their records' layout; 0 and "" if there are
// none.
type propsFound struct {
	version int
	layout  string
}

// String describes the evidence for the game.
func (p propsFound) String() string {
	s := fmt.Sprintf("static props of version %d", p.version)
	if p.layout != "" {
		s += fmt.Sprintf(" as %s has them", p.layout)
	}
	return s
}

// nameGame names the game more precisely than the directory can, by the map's contents. The name does not affect
// decoding.
func nameGame(f *world.Format, m *file, v *variant, entities []world.Entity, props propsFound) {
	if m.encrypted { // only its maps are encrypted
		f.Game = tacticalIntervention
		return
	}
	if !v.many {
		return
	}
	best := len(classMarks)
	for i := range entities {
		class := strings.ToLower(entities[i].Class())
		for k := range classMarks[:best] {
			if c := &classMarks[k]; c.from <= m.version && m.version <= c.to && wildcard.Match(c.class, class) {
				best = k
				break
			}
		}
	}
	if best < len(classMarks) {
		f.Game = classMarks[best].game
		f.Why += fmt.Sprintf(", and has entities of the class %s", classMarks[best].class)
		return
	}
	for _, p := range propMarks {
		if p.version == m.version && p.lump == props.version && (p.layout == "" || p.layout == props.layout) {
			f.Game = p.game
			f.Why += ", and has " + props.String()
			return
		}
	}
}

// Numbers of games on Steam. https://developer.valvesoftware.com/wiki/Steam_Application_IDs
const (
	appHalfLifeSource  = 280
	appHalfLife2       = 220
	appStrikeSource    = 240
	appDayOfDefeat     = 300
	appDeathmatch      = 320
	appEpisodeOne      = 380
	appPortal          = 400
	appEpisodeTwo      = 420
	appTeamFortress2   = 440
	appLeft4Dead       = 500
	appLeft4Dead2      = 550
	appPortal2         = 620
	appAlienSwarm      = 630
	appStrikeGlobal    = 730
	appGarrysMod       = 4000
	appBaseMultiplayer = 243750
	appBlackMesa       = 362890
	appBloodlines      = 2600
	appDarkMessiah     = 2100
	appInfra           = 251110
	appContagion       = 238430
)

// Names of the game of a map that may be of several.
const (
	garrysModOrJabroni   = "Garry's Mod or Jabroni Brawl: Episode 3"
	halfLifeOrMod        = "Half-Life 2, its episodes, or a mod of them"
	multiplayer2013Games = "Team Fortress 2, Counter-Strike: Source or another game of Source SDK 2013 Multiplayer"
)

// apps maps the names that the decoder gives a game (variants, classMarks and propMarks) to Steam games, the likeliest first;
// textures and models are searched in this order. A game that is not on Steam is not in the table. Half-Life 2's episodes
// mount the older games by themselves, and all games mount their shared files.
var apps = map[string][]int{
	games19: {appHalfLife2, appStrikeSource},
	games20: {appEpisodeTwo, appEpisodeOne, appHalfLife2, appStrikeSource, appTeamFortress2, appPortal, appLeft4Dead, appGarrysMod},
	games21: {appPortal2, appStrikeGlobal, appAlienSwarm},

	"Half-Life: Source":                              {appHalfLifeSource},
	"Half-Life 2 for Xbox":                           {appHalfLife2},
	"Dark Messiah of Might and Magic":                {appDarkMessiah},
	"Vampire: The Masquerade – Bloodlines":           {appBloodlines},
	"Dark Messiah of Might and Magic, single player": {appDarkMessiah},
	"INFRA":                            {appInfra},
	"Contagion":                        {appContagion},
	"Team Fortress 2":                  {appTeamFortress2},
	"Day of Defeat: Source":            {appDayOfDefeat},
	"Left 4 Dead":                      {appLeft4Dead, appLeft4Dead2},
	"Left 4 Dead 2":                    {appLeft4Dead2},
	"Alien Swarm":                      {appAlienSwarm},
	"Portal":                           {appPortal},
	"Portal 2":                         {appPortal2},
	"Counter-Strike: Source":           {appStrikeSource},
	"Counter-Strike: Global Offensive": {appStrikeGlobal},
	"Half-Life 2: Deathmatch":          {appDeathmatch},
	"Half-Life 2":                      {appHalfLife2},
	"Half-Life 2: Episode Two":         {appEpisodeTwo},
	"Black Mesa":                       {appBlackMesa},
	garrysModOrJabroni:                 {appGarrysMod},
	halfLifeOrMod:                      {appEpisodeTwo, appEpisodeOne, appHalfLife2},
	multiplayer2013Games:               {appTeamFortress2, appStrikeSource, appDeathmatch, appBaseMultiplayer},
}

// Games returns the names of games that select something here: a layout, or Steam's folders.
func Games() []string {
	var all []string
	for _, v := range variants() {
		all = append(all, v.game)
	}
	for name := range apps {
		all = append(all, name)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// appsOf returns the Steam games of a game's name, in any case.
func appsOf(game string) []int {
	for name, numbers := range apps {
		if strings.EqualFold(name, game) {
			return numbers
		}
	}
	return nil
}
