package movers

// goldSrcTrain has the rules by which trains of GoldSrc and Source run.
var goldSrcTrain = trainRules{hold: byMiddle, corners: ofLeavingKept, stopFlag: 1, jumpFlag: 2}

// goldSrc is Half-Life and the games on its code. Half-Life SDK, dlls, doors.cpp, plats.cpp, bmodels.cpp, buttons.cpp, func_break.cpp,
// triggers.cpp.
func goldSrc() *family {
	return &family{grown: 1, toggle: 32, shrinks: true, turned: kept, trigger: goldSrcTrigger,
		still: "func_vehicle", attaches: "movewith", teams: byDoorName,
		rows: []row{
			{classes: "func_door func_water", turned: cleared, rule: slidingDoor, defaults: defaults{speed: 100}},
			{classes: "func_door_rotating", rule: turningDoor, defaults: defaults{speed: 100}},
			{classes: "momentary_door", turned: cleared, rule: momentary, defaults: defaults{speed: 100}},
			{classes: "func_button", turned: cleared, rule: slidingButton, defaults: defaults{speed: 40, wait: 1, lip: 4}},
			{classes: "func_rot_button", rule: turningButton, defaults: defaults{speed: 40, wait: 1}},
			{classes: "momentary_rot_button", rule: momentaryWheel, defaults: defaults{speed: 100}},
			{classes: "func_plat", turned: cleared, rule: plat, toggles: true, defaults: defaults{speed: 150, wait: 3, lip: 8}},
			{classes: "func_platrot", turned: cleared, rule: turningPlat, toggles: true, defaults: defaults{speed: 150, wait: 3, lip: 8}},
			{classes: "func_trackchange func_trackautochange", turned: cleared, rule: trackChange, defaults: defaults{speed: 150, lip: 8}},
			{classes: "func_train func_guntarget", rule: goldSrcTrain.train, defaults: defaults{speed: 100}},
			{classes: "func_tracktrain", rule: trackRules{west: true}.train, defaults: defaults{speed: 100}},
			{classes: "func_rotating", rule: rotatingMoved, backwards: true, defaults: defaults{spin: 1}},
			{classes: "func_pendulum", rule: dampedPendulum, defaults: defaults{speed: 100}},
			{classes: "func_wall func_wall_toggle func_illusionary func_conveyor func_monsterclip trigger_*", turned: cleared},
			{classes: "func_breakable", turned: pitched},
		}}
}
