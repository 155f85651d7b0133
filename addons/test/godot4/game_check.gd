extends SceneTree
# usage: godot --headless --fixed-fps 60 --path PROJECT -s game_check.gd     a small game in maps/playground.bsp, imported from the .bsp itself
#
# The settings of its Import dock: the game's folder, bsp2gltf/play, and mapping.tres, which places a scene where players start. A
# player walks through the door's trigger, rides the platform, and is hurt.

const Walker := preload("walker.gd")
var failures := 0
var said: Array[String] = []


func _initialize() -> void:
	await process_frame
	var scene: Node3D = load("res://maps/playground.bsp").instantiate()
	root.add_child(scene)
	var entities := scene.get_node_or_null("entities")
	var starts := get_nodes_in_group("info_player_deathmatch")
	var placed: Node = starts[0].get_node_or_null("start") if not starts.is_empty() else null
	_say(placed != null and placed.get("angle") == 90.0 and placed.get_meta("extras").classname == "info_player_deathmatch", "the mapping has put a scene where players start, with the entity's keys")
	var floors := scene.find_children("*", "MeshInstance3D", true, false).filter(func(m: MeshInstance3D) -> bool:
		return m.mesh != null and range(m.mesh.get_surface_count()).any(func(s: int) -> bool: return m.mesh.surface_get_material(s) is StandardMaterial3D and m.mesh.surface_get_material(s).roughness == 0.25))
	_say(not floors.is_empty(), "the mapping's material is on %d meshes" % floors.size())
	if entities == null:
		_say(false, "there is no script that plays")
		quit(1)
		return
	entities.hurt.connect(func(_body: Node3D, damage: float, _trigger: Node3D) -> void: said.append("hurt %d" % damage))
	entities.sounded.connect(func(sound: String, _place: Vector3) -> void: said.append(sound))
	var walker := Walker.new()
	root.add_child(walker)
	walker.global_position = Vector3(4.0, 0.1, -5.1)
	walker.wanted = Vector3(4.0, 0.0, 0.0)
	await _wait(3.0)
	_say(walker.global_position.x > 10.2 and said == ["sound/gate.wav"], "one walks through the door that the trigger opens, with its sound (%.2f m): %s" % [walker.global_position.x, said])
	walker.wanted = Vector3.ZERO
	walker.global_position = Vector3(5.1, 0.6, 7.4)
	var highest := 0.0
	for frame in 300:
		await physics_frame
		highest = maxf(highest, walker.global_position.y)
	_say(highest > 4.2, "the lift goes up with who stands on it: to %.2f m" % highest)
	said.clear()
	walker.global_position = Vector3(-12.5, 0.5, -9.4)
	await _wait(1.6)
	_say(walker.health == 80.0 and said == ["hurt 10", "hurt 10"], "a volume hurts at once and after a second: %d health, %s" % [walker.health, said])
	walker.global_position = Vector3(0, 0.5, 0)
	await _wait(1.6)
	_say(walker.health == 80.0, "and no longer when one has left")
	var quake := {"bsp2gltf_format": "29", "bsp2gltf_unit": 0.03125}
	var source := {"bsp2gltf_format": "VBSP 20", "bsp2gltf_unit": 0.0254}
	for case: Array in [[{"speed": "40", "angle": "90"}, quake, Vector3(0, 0, -12.5)], [{"speed": "40", "angle": "-1"}, quake, Vector3(0, 12.5, 0)], [{"speed": "40", "angles": "0 -2 0"}, quake, Vector3(0, -12.5, 0)],
			[{"speed": "100", "pushdir": "0 180 0", "angles": "0 90 0"}, source, Vector3(-2.54, 0, 0)], [{"pushdir": "-90 0 0"}, source, Vector3(0, 2.54, 0)]]:
		var push: Vector3 = entities.push_of(case[0], case[1])
		_say(push.is_equal_approx(case[2]), "trigger_push %s pushes by %s" % [case[0], push])
	# The trigger that hurts pushes along, as one of Source's.
	var trigger: Node3D = get_nodes_in_group("trigger_hurt")[0]
	trigger.set_meta("extras", {"classname": "trigger_push", "speed": "100", "pushdir": "0 0 0"})
	scene.set_meta("bsp2gltf", source)
	walker.global_position = Vector3(-12.5, 0.5, -9.4)
	await _wait(0.5)
	_say(absf(walker.global_position.x + 12.5 - 0.5 * 2.54) < 0.2, "a trigger that pushes moves one who stands still to %.2f m" % walker.global_position.x)
	quit(1 if failures > 0 else 0)


func _say(good: bool, text: String) -> void:
	print("ok " if good else "FAIL ", "Godot %s, %s, a game: %s" % [Engine.get_version_info().string, ProjectSettings.get_setting("physics/3d/physics_engine"), text])
	failures += 0 if good else 1


func _wait(seconds: float) -> void:
	for frame in ceili(seconds * Engine.physics_ticks_per_second):
		await physics_frame
