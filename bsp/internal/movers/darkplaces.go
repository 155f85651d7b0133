package movers

// darkPlaces is Nexuiz and Xonotic, whose movers are Quake's in Quake III's maps. Nexuiz, qcsrc, server, t_plats.qc; Xonotic, qcsrc,
// common/mapobjects/func; DarkPlaces,
// model_brush.c, does not enlarge these maps' models.
func darkPlaces() *family {
	return &family{toggle: 32, diagonal: true, turned: cleared, trigger: quakeTrigger, teams: byTouching, rows: []row{
		{classes: "func_door", rule: slidingDoor, defaults: defaults{speed: 100, wait: 3, lip: 8}},
		{classes: "func_door_rotating", rule: angledDoor, defaults: defaults{speed: 50, wait: 1, distance: 90}},
		{classes: "func_door_secret", rule: secretDoor, once: 1, defaults: defaults{speed: 50, wait: 5}},
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
