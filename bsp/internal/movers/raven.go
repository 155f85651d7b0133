package movers

import "github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"

// ravenTrain has the rules by which Jedi Academy's trains run: one with a name stands where it was built until it is triggered.
var ravenTrain = trainRules{corners: ofLeaving, waitsFirst: true, passesNegative: true, onFlag: 1, standsBuilt: true}

// raven holds what Jedi Outcast, Jedi Academy and Soldier of Fortune II move otherwise than Quake III: their movers slow down to the end,
// unless their key linear is set. OpenJK, codemp, game, g_mover.c, bg_misc.c (TR_NONLINEAR_STOP).
func raven() []row {
	return []row{
		{classes: "func_door", families: classes.Raven, rule: slidingDoor, eases: true, toggle: 8,
			defaults: defaults{speed: 400, wait: 2, lip: 8}},
		{classes: "func_button", families: classes.Raven, rule: slidingButton, eases: true, defaults: defaults{speed: 40, wait: 1, lip: 4}},
		{classes: "func_plat", families: classes.Raven, rule: lowPlat, eases: true, defaults: defaults{speed: 200, wait: 1, lip: 8}},
		{classes: "func_train", families: classes.Raven, rule: ravenTrain.train, eases: true, defaults: defaults{speed: 100}},
		{classes: "func_static", families: classes.Raven, turned: kept},
	}
}
