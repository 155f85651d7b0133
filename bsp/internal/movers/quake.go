package movers

// quake is Quake. QuakeWorld, progs, doors.qc, plats.qc, buttons.qc, misc.qc.
func quake() *family {
	return &family{grown: 1, toggle: 32, diagonal: true, turned: cleared, trigger: quakeTrigger, teams: byTouching, rows: []row{
		{classes: "func_door", rule: slidingDoor, defaults: defaults{speed: 100, wait: 3, lip: 8}},
		{classes: "func_door_secret", rule: secretDoor, once: 1, defaults: defaults{speed: 50, wait: 5}},
		{classes: "func_button", rule: slidingButton, defaults: defaults{speed: 40, wait: 1, lip: 4}},
		{classes: "func_plat", rule: plat, defaults: defaults{speed: 150, wait: 3, lip: 8}},
		{classes: "func_train", rule: trainRules{hold: byMins, least: 0.1}.train, turned: kept, defaults: defaults{speed: 100}},
	}}
}
