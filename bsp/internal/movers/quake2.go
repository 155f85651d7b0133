package movers

// quake2 is Quake II. game, g_func.c, g_misc.c.
func quake2() *family {
	return &family{grown: 1, toggle: 32, whole: true, frames: true, fold: true, turned: cleared, trigger: quakeTrigger,
		teams: byTeam,
		rows: []row{
			{classes: "func_door", rule: slidingDoor, defaults: defaults{speed: 100, wait: 3, lip: 8}},
			{classes: "func_water", rule: slidingDoor, defaults: defaults{speed: 25, wait: stays}},
			{classes: "func_door_rotating", rule: turningDoor, defaults: defaults{speed: 100, wait: 3, distance: 90}},
			{classes: "func_door_secret", rule: secretDoor, defaults: defaults{speed: 50, wait: 5}},
			{classes: "func_button", rule: slidingButton, defaults: defaults{speed: 40, wait: 3, lip: 4}},
			{classes: "func_plat", rule: plat, defaults: defaults{speed: 200, wait: 3, lip: 8, accel: 50}},
			{classes: "func_train", rule: trainRules{hold: byMins, jumpFlag: 1, onFlag: 1}.train, defaults: defaults{speed: 100}},
			{classes: "func_rotating", rule: rotating, turned: kept, backwards: true, defaults: defaults{speed: 100}},
			{classes: "func_wall func_object func_explosive func_conveyor", turned: kept},
		}}
}
