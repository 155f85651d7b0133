package movers

import "slices"

// quake3Train has the rules by which Quake III's trains run: by themselves, whatever their name.
var quake3Train = trainRules{corners: ofLeaving, waitsFirst: true, passesNegative: true, always: true}

// quake3 is Quake III and the games on its code. Quake III Arena, game, g_mover.c; Return to Castle Wolfenstein, game, g_mover.c; Jedi
// Academy, game, g_mover.c. Their movers' own angles are not shown, but for pendulums'. Movements take whole milliseconds, and the server,
// which by its default (sv_fps) has twenty frames in a second, sees at the next one that they have ended.
func quake3() *family {
	return &family{grown: 1, tick: 0.05, explicit: true, fold: true, turned: cleared, trigger: quakeTrigger,
		still: "script_mover func_tramcar", teams: byTeam, led: true,
		rows: slices.Concat(wolfenstein(), raven(), []row{
			{classes: "func_door", rule: slidingDoor, defaults: defaults{speed: 400, wait: 2, lip: 8}},
			{classes: "func_button", rule: slidingButton, defaults: defaults{speed: 40, wait: 1, lip: 4}},
			{classes: "func_plat", rule: lowPlat, defaults: defaults{speed: 200, wait: 1, lip: 8}},
			{classes: "func_train", rule: quake3Train.train, defaults: defaults{speed: 100}},
			{classes: "func_rotating", rule: rotatingAlways, defaults: defaults{speed: 100}},
			{classes: "func_bobbing", rule: bob, defaults: defaults{speed: 4, height: 32}},
			{classes: "func_pendulum", rule: pendulum, turned: kept, defaults: defaults{speed: 30}},
		})}
}
