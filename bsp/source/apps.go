package source

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

// apps are the games on Steam that a map may be of, by the name that the decoder gives its game (variants, classMarks
// and propMarks): the likeliest first, where its textures and models are looked for first. A game that Steam does not have is
// not in the table. Half-Life 2's episodes mount what is older than they are by themselves, and so do all games with their
// shared files.
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
