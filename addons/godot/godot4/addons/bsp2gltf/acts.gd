@tool
extends RefCounted
## The movements of a map's entities (docs/motion.md): what moves by itself plays when the scene starts, and each movement loops only if it
## does so in the game. Godot itself would repeat all whose names end in "cycle".


## Settles the AnimationPlayer of a scene that is being imported.
static func settle(state: GLTFState, root: Node) -> void:
	var players := root.find_children("*", "AnimationPlayer", true, false)
	if players.is_empty():
		return
	var player: AnimationPlayer = players[0]
	var described: Array = state.json.get("animations", [])
	for index in mini(described.size(), state.animations.size()):
		var extras = described[index].get("extras", {})
		var name := state.animations[index].resource_name
		if not extras is Dictionary or not extras.has("starts") or not player.has_animation(name):
			continue
		var animation := player.get_animation(name)
		animation.loop_mode = Animation.LOOP_LINEAR if extras.get("loops", false) else Animation.LOOP_NONE
		animation.set_meta("extras", extras)
		if Engine.is_editor_hint():
			animation.set_meta("moves", _moved(animation))  # for import_settings.gd
		if not extras.has("node"):
			player.autoplay = name


## The paths of what an animation moves.
static func _moved(animation: Animation) -> Array:
	return range(animation.get_track_count()).map(func(track: int) -> String: return str(animation.track_get_path(track)))
