package movers

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
)

// The families' tables. The first row that matches an entity's family and class is used.

// quake is Quake. QuakeWorld, progs, doors.qc, plats.qc, buttons.qc, misc.qc.
func quake() *family {
	return &family{grown: 1, doorToggleFlag: 32, neverReturns: true, diagonal: true, turned: cleared,
		trigger: quakeTriggers{namedButtons: true, shotFlag: 16, links: true}.of,
		teams:   byTouching, rows: []moverClass{
			{classes: "func_door", families: classes.Quake, rule: slidingDoor, keyFlags: 8 | 16, defaults: defaults{speed: 100, wait: 3, lip: 8}},
			{classes: "func_door", rule: slidingDoor, defaults: defaults{speed: 100, wait: 3, lip: 8}},
			{classes: "func_door_secret", rule: secretDoor, openOnceFlag: 1, defaults: defaults{speed: 50, wait: 5}},
			{classes: "func_button", rule: slidingButton, defaults: defaults{speed: 40, wait: 1, lip: 4}},
			{classes: "func_plat", rule: plat, fixedLip: true, defaults: defaults{speed: 150, wait: 3, lip: 8}},
			{classes: "func_train", rule: trainRules{hold: byMins, least: 0.1}.train, turned: kept, defaults: defaults{speed: 100}},
		}}
}

// quake2 is Quake II. game, g_func.c, g_misc.c.
func quake2() *family {
	return &family{grown: 1, doorToggleFlag: 32, neverReturns: true, whole: true, frames: true, fold: true, turned: cleared,
		trigger: quakeTriggers{shotFlag: 1, secretHealth: true}.of, unsupported: "func_object", teams: byTeam,
		rows: []moverClass{
			{classes: "func_door", rule: slidingDoor, defaults: defaults{speed: 100, wait: 3, lip: 8}},
			{classes: "func_water", rule: slidingDoor, returns: true, defaults: defaults{speed: 25, wait: stays}},
			{classes: "func_door_rotating", rule: turningDoor, defaults: defaults{speed: 100, wait: 3, distance: 90}},
			{classes: "func_door_secret", rule: secretDoor, defaults: defaults{speed: 50, wait: 5}},
			{classes: "func_button", rule: slidingButton, defaults: defaults{speed: 40, wait: 3, lip: 4}},
			{classes: "func_plat", rule: plat, defaults: defaults{speed: 200, wait: 3, lip: 8, accel: 50}},
			{classes: "func_train", rule: trainRules{hold: byMins, jumpFlag: 1, onFlag: 1}.train, defaults: defaults{speed: 100}},
			{classes: "func_rotating", rule: rotating, turned: kept, backwards: true, defaults: defaults{speed: 100}},
			{classes: "func_wall func_object func_explosive func_conveyor", turned: kept},
		}}
}

// quake3Train has the rules of Quake III's trains: they run by themselves, whatever their name.
var quake3Train = trainRules{corners: ofLeaving, pathCorners: true, waitsFirst: true, passesNegative: true, always: true}

// quake3 is Quake III and the games on its code. Quake III Arena, game, g_mover.c; Return to Castle Wolfenstein,
// game, g_mover.c; Jedi Academy, game, g_mover.c. Their movers' angles are not shown, except for pendulums. Movements
// take whole milliseconds; the server, with twenty frames per second by default (sv_fps), notices at its next frame
// that one has ended.
func quake3() *family {
	return &family{grown: 1, tick: 0.05, zeroCounts: true, fold: true, turned: cleared, trigger: quakeTriggers{namedButtons: true}.of,
		unsupported: "script_mover func_tramcar", teams: byTeam, leaderReturns: true,
		rows: slices.Concat(wolfenstein(), raven(), []moverClass{
			{classes: "func_door", rule: slidingDoor, defaults: defaults{speed: 400, wait: 2, lip: 8}},
			{classes: "func_button", rule: slidingButton, defaults: defaults{speed: 40, wait: 1, lip: 4}},
			{classes: "func_plat", rule: lowPlat, defaults: defaults{speed: 200, wait: 1, lip: 8}},
			{classes: "func_train", rule: quake3Train.train, defaults: defaults{speed: 100}},
			{classes: "func_rotating", rule: rotatingAlways, defaults: defaults{speed: 100}},
			{classes: "func_bobbing", rule: bob, defaults: defaults{speed: 4, height: 32}},
			{classes: "func_pendulum", rule: pendulum, turned: kept, defaults: defaults{speed: 30}},
		})}
}

// wolfenstein holds the classes that these games move differently from Quake III. Return to Castle Wolfenstein,
// SP/code/game, g_mover.c.
func wolfenstein() []moverClass {
	return []moverClass{
		{classes: "func_door", families: classes.Wolfenstein, rule: wolfDoor, trigger: wolfTrigger, doorToggleFlag: 2,
			defaults: defaults{speed: 400, wait: 2, lip: 8}},
		{classes: "func_door_rotating", families: classes.Wolfenstein, rule: timedDoor, trigger: wolfTrigger, doorToggleFlag: 2,
			defaults: defaults{speed: 1000, wait: 2, distance: 90}},
		{classes: "func_secret", families: classes.Wolfenstein, rule: secretWay, trigger: wolfTrigger,
			defaults: defaults{speed: 100, wait: 2, lip: 8}},
		{classes: "func_button", families: classes.Wolfenstein, rule: slidingButton, trigger: wolfTrigger,
			defaults: defaults{speed: 40, wait: 1, lip: 4}},
		{classes: "func_train", families: classes.Wolfenstein, rule: wolfTrain.train, defaults: defaults{speed: 100}},
		{classes: "func_train_rotating", families: classes.Wolfenstein, rule: wolfTurningTrain.train, defaults: defaults{speed: 100}},
		{classes: "func_rotating", families: classes.Wolfenstein, rule: rotating, defaults: defaults{speed: 100}},
	}
}

// ravenTrain has the rules of Jedi Academy's trains: one with a name stays where it was built until it is triggered.
var ravenTrain = trainRules{corners: ofLeaving, pathCorners: true, waitsFirst: true, passesNegative: true, onFlag: 1, standsBuilt: true}

// raven holds the classes that Jedi Outcast, Jedi Academy and Soldier of Fortune II move differently from Quake III:
// their movers slow down toward the end, unless their key linear is set. OpenJK, codemp, game, g_mover.c, bg_misc.c
// (TR_NONLINEAR_STOP).
func raven() []moverClass {
	return []moverClass{
		{classes: "func_door", families: classes.Raven, rule: slidingDoor, trigger: ravenDoorTrigger, eases: true, doorToggleFlag: 8,
			defaults: defaults{speed: 400, wait: 2, lip: 8}},
		{classes: "func_button", families: classes.Raven, rule: slidingButton, eases: true, defaults: defaults{speed: 40, wait: 1, lip: 4}},
		{classes: "func_plat", families: classes.Raven, rule: lowPlat, eases: true, defaults: defaults{speed: 200, wait: 1, lip: 8}},
		{classes: "func_train", families: classes.Raven, rule: ravenTrain.train, eases: true, defaults: defaults{speed: 100}},
		{classes: "func_rotating", families: classes.Raven, rule: spinning, defaults: defaults{speed: 100}},
		{classes: "func_static", families: classes.Raven, turned: kept},
	}
}

// darkPlaces is Nexuiz and Xonotic, with Quake's movers in Quake III's maps. Nexuiz, qcsrc, server, t_plats.qc;
// Xonotic, qcsrc, common/mapobjects/func. DarkPlaces, model_brush.c, does not enlarge these maps' models.
func darkPlaces() *family {
	return &family{doorToggleFlag: 32, neverReturns: true, diagonal: true, turned: cleared,
		trigger: quakeTriggers{namedButtons: true, shotFlag: 16}.of, teams: byTouching,
		rows: []moverClass{
			{classes: "func_door", rule: slidingDoor, defaults: defaults{speed: 100, wait: 3, lip: 8}},
			{classes: "func_door_rotating", rule: angledDoor, defaults: defaults{speed: 50, wait: 1, distance: 90}},
			{classes: "func_door_secret", rule: secretDoor, openOnceFlag: 1, defaults: defaults{speed: 50, wait: 5}},
			{classes: "func_button", rule: slidingButton, defaults: defaults{speed: 40, wait: 1, lip: 4}},
			{classes: "func_plat", rule: fixedPlat, defaults: defaults{speed: 150, wait: 3, lip: 8}},
			{classes: "func_train", rule: trainRules{hold: byMins, corners: ofArriving, least: 0.1, passesNegative: true, always: true}.train,
				turned: kept, defaults: defaults{speed: 100}},
			{classes: "func_rotating", rule: rotatingAlways, turned: kept, defaults: defaults{speed: 100}},
			{classes: "func_bobbing", rule: bob, advances: true, turned: kept, defaults: defaults{speed: 4, height: 32}},
			{classes: "func_pendulum", rule: pendulum, advances: true, turned: kept, defaults: defaults{speed: 30}},
			{classes: "func_fourier", rule: fourier, turned: kept, defaults: defaults{speed: 4, height: 32}},
			{classes: "func_vectormamamam", rule: still, follows: true, turned: kept},
		}}
}

// goldSrcTrain has the rules of trains in GoldSrc and Source.
var goldSrcTrain = trainRules{hold: byMiddle, corners: ofLeavingKept, stopFlag: 1, jumpFlag: 2}

// gunTarget has the rules of GoldSrc's func_guntarget. Half-Life SDK, plats.cpp, CGunTarget: it first goes to the
// corner where it already is, and so waits there too; flags and speeds of corners are ignored.
var gunTarget = trainRules{hold: byMiddle, waitsFirst: true, onFlag: 1, onByFlag: true}

// goldSrc is Half-Life and the games on its code. Half-Life SDK, dlls, doors.cpp, plats.cpp, bmodels.cpp, buttons.cpp, func_break.cpp,
// triggers.cpp.
func goldSrc() *family {
	return &family{grown: 1, doorToggleFlag: 32, neverReturns: true, trueSize: true, turned: kept, trigger: goldSrcTrigger,
		unsupported: "func_vehicle", attaches: "movewith", teams: byDoorName,
		rows: []moverClass{
			{classes: "func_door func_water", turned: cleared, rule: slidingDoor, defaults: defaults{speed: 100}},
			{classes: "func_door_rotating", rule: turningDoor, defaults: defaults{speed: 100}},
			{classes: "momentary_door", turned: cleared, rule: momentary, defaults: defaults{speed: 100}},
			{classes: "func_button", turned: cleared, rule: slidingButton, buttonToggleFlag: 32, dontMoveFlag: 1, shortest: 1,
				defaults: defaults{speed: 40, wait: 1, lip: 4}},
			{classes: "func_rot_button", rule: turningButton, buttonToggleFlag: 32, defaults: defaults{speed: 40, wait: 1}},
			{classes: "momentary_rot_button", rule: momentaryWheel, defaults: defaults{speed: 100}},
			{classes: "func_plat", turned: cleared, rule: plat, platToggles: true, defaults: defaults{speed: 150, wait: 3, lip: 8}},
			{classes: "func_platrot", turned: cleared, rule: turningPlat, platToggles: true, defaults: defaults{speed: 150, wait: 3, lip: 8}},
			{classes: "func_trackchange func_trackautochange", turned: cleared, rule: trackChange, defaults: defaults{speed: 150, lip: 8}},
			{classes: "func_train", rule: goldSrcTrain.train, defaults: defaults{speed: 100}},
			{classes: "func_guntarget", rule: gunTarget.train, defaults: defaults{speed: 100}},
			{classes: "func_tracktrain", rule: trackRules{west: true}.train, defaults: defaults{speed: 100}},
			{classes: "func_rotating", rule: rotatingMoved, backwards: true, defaults: defaults{spin: 1}},
			{classes: "func_pendulum", rule: dampedPendulum, defaults: defaults{speed: 100}},
			{classes: "func_wall func_wall_toggle func_illusionary func_conveyor func_monsterclip trigger_*", turned: cleared},
			{classes: "func_breakable", turned: pitched},
			{classes: "func_pushable", turned: pitchedIfBreaks},
		}}
}

// source is Valve's games on the Source engine. Source SDK 2013, game/server, doors.cpp, func_movelinear.cpp, buttons.cpp, trains.cpp,
// bmodels.cpp, func_break.cpp, props.cpp.
func source() *family {
	return &family{grown: 1, doorToggleFlag: 32, trueSize: true, fold: true, movedir: true, turned: kept, trigger: sourceTrigger,
		unsupported: "func_conveyor func_elevator", teams: byDoorName,
		rows: []moverClass{
			{classes: "func_door func_water", rule: placedSlidingDoor, defaults: defaults{speed: 100}},
			{classes: "func_door_rotating", rule: placedTurningDoor, defaults: defaults{speed: 100}},
			{classes: "prop_door_rotating prop_door_rotating_checkpoint", files: true, rule: hingedDoor,
				defaults: defaults{speed: 100, distance: 90}},
			{classes: "func_movelinear func_water_analog momentary_door", rule: linear, defaults: defaults{speed: 100}},
			{classes: "func_button", rule: slidingButton, buttonToggleFlag: 32, dontMoveFlag: 1, shortest: 1,
				defaults: defaults{speed: 40, wait: 1, lip: 4}},
			{classes: "func_rot_button", rule: turningButton, buttonToggleFlag: 32, defaults: defaults{speed: 40, wait: 1}},
			{classes: "momentary_rot_button", rule: placedWheel, defaults: defaults{speed: 100}},
			{classes: "func_plat", rule: upright(plat), platToggles: true, defaults: defaults{speed: 150, wait: 3, lip: 8}},
			{classes: "func_platrot", rule: upright(turningPlat), platToggles: true, defaults: defaults{speed: 150, wait: 3, lip: 8}},
			{classes: "func_trackchange func_trackautochange", rule: upright(trackChange), defaults: defaults{speed: 150, lip: 8}},
			{classes: "func_train", rule: goldSrcTrain.train, defaults: defaults{speed: 100}},
			{classes: "func_guntarget", rule: trainRules{waitsFirst: true, onFlag: 1, onByFlag: true}.train, defaults: defaults{speed: 100}},
			{classes: "func_tracktrain func_tanktrain", rule: trackRules{fixedOrientationFlag: 16}.train, defaults: defaults{speed: 100}},
			{classes: "move_keyframed", files: true, rule: keyframed},
			{classes: "func_rotating", rule: rotatingFan, backwards: true, defaults: defaults{speed: 100, spin: 0.2}},
			{classes: "func_wall func_wall_toggle func_illusionary func_vehicleclip func_conveyor func_breakable func_breakable_surf",
				rule: upright(still)},
			{classes: "func_pushable", rule: pushable},
		}}
}
