extends SceneTree
# usage: godot --headless --fixed-fps 60 --path PROJECT -s play_check.gd     who walks through playground.glb, by the project's physics engine
#
# A character stands on a train that goes sideways and on a platform that goes up, is stopped by player clips, and is the only body that
# triggers detect. A door opens while the train continues.

const Walker := preload("walker.gd")
const LAYERS := Walker.LAYERS
var failures := 0
var scene: Node3D


func _initialize() -> void:
	await process_frame
	scene = load("res://playground.glb").instantiate()
	root.add_child(scene)
	_check_layers()
	await _check_triggers()
	await _check_train()
	await _check_lift()
	await _check_clip()
	quit(1 if failures > 0 else 0)


func _say(good: bool, text: String) -> void:
	print("ok " if good else "FAIL ", "Godot %s, %s: %s" % [Engine.get_version_info().string, ProjectSettings.get_setting("physics/3d/physics_engine"), text])
	failures += 0 if good else 1


func _find(pattern: String) -> Node3D:
	return scene.find_child(pattern, true, false)


func _walker(place: Vector3) -> Walker:
	var walker := Walker.new()
	root.add_child(walker)
	walker.global_position = place
	return walker


func _wait(seconds: float) -> void:
	for frame in ceili(seconds * Engine.physics_ticks_per_second):
		await physics_frame


func _check_layers() -> void:
	var wrong: PackedStringArray = []
	for body: CollisionObject3D in scene.find_children("*", "CollisionObject3D", true, false):
		var words: PackedStringArray = body.get_meta("extras").contents_names.split(" ")
		var moves: bool = str(scene.get_path_to(body)).contains("func_")
		var want: Array = ["Area3D", LAYERS.triggers, LAYERS.players] if words.has("trigger") else ["StaticBody3D", LAYERS.clips, 0] if words.has("playerclip") \
			else ["AnimatableBody3D", LAYERS.world | LAYERS.movers, 0] if moves else ["StaticBody3D", LAYERS.world, 0]
		if [body.get_class(), body.collision_layer, body.collision_mask] != want:
			wrong.append("%s: %s %d %d" % [scene.get_path_to(body), body.get_class(), body.collision_layer, body.collision_mask])
	_say(wrong.is_empty(), "bodies have the classes, layers and masks of world, movers, clips and triggers %s" % ", ".join(wrong))


func _check_triggers() -> void:
	var hurt: Area3D = _find("trigger_hurt*").find_children("*", "Area3D", true, false)[0]
	await _wait(0.5)
	var alone := hurt.get_overlapping_bodies().size()
	var walker := _walker(Vector3(-12.5, 1.0, -9.0))
	await _wait(1.0)
	var seen := hurt.get_overlapping_bodies()
	_say(alone == 0 and seen == [walker], "a trigger sees %d bodies of the map, and the player who walks in: %s" % [alone, seen == [walker]])
	walker.free()


# On the train for nearly one way, while a door opens and closes independently.
func _check_train() -> void:
	var train := _find("func_train*")
	var door := _find("func_door_gate")
	while train.position.x > -10.0:
		await physics_frame
	var walker := _walker(train.global_position + Vector3(0, 0.6, 0))
	await _wait(0.5)
	var before := walker.global_position - train.global_position
	var from := train.global_position
	var player: AnimationPlayer = door.get_node("AnimationPlayer")
	player.play("cycle")
	var highest := 0.0
	for frame in 90:
		await physics_frame
		highest = maxf(highest, door.position.y)
	var slipped := (walker.global_position - train.global_position - before).length()
	var went := train.global_position.distance_to(from)
	_say(went > 3.0 and slipped < 0.2 and walker.is_on_floor(), "who stands on a train that goes %.2f m sideways slips by %.3f m" % [went, slipped])
	_say(highest > 1.0, "a door opened by %.2f m while the train went on" % highest)
	walker.free()


func _check_lift() -> void:
	var lift := _find("func_plat*")
	var body: AnimatableBody3D = lift.find_children("*", "AnimatableBody3D", true, false)[0]
	var shape: CollisionShape3D = body.get_child(0)
	var middle := AABB(shape.shape.points[0], Vector3.ZERO)
	for point: Vector3 in shape.shape.points:
		middle = middle.expand(point)
	var top := lift.global_position + middle.get_center() + Vector3(0, middle.size.y / 2.0, 0)
	var walker := _walker(top + Vector3(0, 0.2, 0))
	await _wait(0.5)
	var low := walker.global_position.y
	var place := lift.position.y
	lift.get_node("AnimationPlayer").play("cycle")
	var highest := -INF
	var apart := 0.0
	for frame in 240:
		await physics_frame
		highest = maxf(highest, walker.global_position.y)
		apart = maxf(apart, absf((walker.global_position.y - low) - (lift.position.y - place)))
	_say(highest > low + 3.5 and apart < 0.25, "who stands on the lift goes up %.2f m with it, at most %.3f m apart" % [highest - low, apart])
	walker.free()


func _check_clip() -> void:
	var walker := _walker(Vector3(-3.0, 0.1, -12.0))
	walker.wanted = Vector3(4.0, 0.0, 0.0)
	await _wait(1.5)
	var stopped := walker.global_position.x
	walker.collision_mask = LAYERS.world
	await _wait(1.0)
	_say(stopped < -0.8 and walker.global_position.x > 1.0, "a clip stops a player at %.2f m, and not one whose mask lacks clips (%.2f m)" % [stopped, walker.global_position.x])
	walker.free()
