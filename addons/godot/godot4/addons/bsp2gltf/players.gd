@tool
extends RefCounted
## Animations of a map (docs/internals/motion.md, docs/internals/models.md): an AnimationPlayer below the node of each mover and each
## model with bones, so that they play independently. Each plays its part of "map start" when the scene starts: what moves by itself.
## Movers with bodies move in the physics step.

const SceneNodes := preload("scene_nodes.gd")
const START := "map start"


## Replaces the single AnimationPlayer that Godot makes for a file.
static func split(state: GLTFState, root: Node) -> void:
	var found := root.find_children("*", "AnimationPlayer", true, false)
	if found.is_empty():
		return
	var whole: AnimationPlayer = found[0]
	var base := whole.get_node(whole.root_node)
	var described: Array = state.json.get("animations", [])
	var heads := _heads(state, root)
	var players := {}  # head to its player
	var animations := state.animations
	for index in mini(described.size(), animations.size()):
		var name := animations[index].resource_name
		if not whole.has_animation(name):
			continue
		var extras: Dictionary = described[index].get("extras", {})
		var animation := whole.get_animation(name)
		for head: Node in _tracks_of(animation, base, root, heads):
			if not players.has(head):
				players[head] = _player(head, root)
			var short := _short(name, extras, players[head])
			players[head].get_animation_library("").add_animation(short, _part(animation, base, root, head, heads, extras))
			if extras.get("starts", false) and not extras.has("node"):
				players[head].autoplay = short
	whole.get_parent().remove_child(whole)
	whole.free()


## The nodes that get a player of their own if something in them moves: entities, and nodes that animations name.
static func _heads(state: GLTFState, root: Node) -> Dictionary:
	var named := {}
	for animation: Dictionary in state.json.get("animations", []):
		named[animation.get("extras", {}).get("node", "")] = true
	var heads := {}
	var nodes: Array = state.json.get("nodes", [])
	var made := SceneNodes.of(state, root)
	for index: int in made:
		if nodes[index].get("extras", {}).has("classname") or named.has(nodes[index].get("name", "")):
			heads[made[index]] = true
	return heads


## The nearest head at or above a node, else the root.
static func _head(node: Node, root: Node, heads: Dictionary) -> Node:
	while node != root and not heads.has(node):
		node = node.get_parent()
	return node


static func _tracks_of(animation: Animation, base: Node, root: Node, heads: Dictionary) -> Array:
	var found := {}
	for track in animation.get_track_count():
		var node := _target(animation, track, base)
		if node != null:
			found[_head(node, root, heads)] = true
	return found.keys()


static func _target(animation: Animation, track: int, base: Node) -> Node:
	return base.get_node_or_null(NodePath(animation.track_get_path(track).get_concatenated_names()))


static func _player(head: Node, root: Node) -> AnimationPlayer:
	var player := AnimationPlayer.new()
	player.name = "AnimationPlayer"
	player.add_animation_library("", AnimationLibrary.new())
	if not head.find_children("*", "AnimatableBody3D", true, false).is_empty():
		player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_PHYSICS
	head.add_child(player, true)
	player.owner = root
	player.root_node = player.get_path_to(root)  # Godot's import settings read track paths relative to it
	return player


## The name of a movement without its node's name.
static func _short(name: String, extras: Dictionary, player: AnimationPlayer) -> String:
	var node: String = extras.get("node", "")
	var short := name.trim_prefix(node + " ") if node != "" else name
	var free := short
	var number := 2
	while player.has_animation(free):
		free = "%s %d" % [short, number]
		number += 1
	return free


## The tracks of an animation that move a head and the nodes below it, down to the next heads.
static func _part(animation: Animation, base: Node, root: Node, head: Node, heads: Dictionary, extras: Dictionary) -> Animation:
	var part: Animation = animation.duplicate()
	for track in range(part.get_track_count() - 1, -1, -1):
		var node := _target(part, track, base)
		if node == null or _head(node, root, heads) != head:
			part.remove_track(track)
	# By itself, Godot would loop every animation whose name ends in "cycle".
	part.loop_mode = Animation.LOOP_LINEAR if extras.get("loops", false) else Animation.LOOP_NONE
	part.set_meta("extras", extras)
	if extras.has("fps") and extras.fps > 0.0:
		part.step = 1.0 / extras.fps
	_mark_events(part, extras)
	if Engine.is_editor_hint() and not extras.has("frames"):
		part.set_meta("moves", range(part.get_track_count()).map(func(track: int) -> String: return str(part.track_get_path(track))))  # for import_settings.gd
	return part


## Sounds, steps and shots of a model's sequence (docs/internals/readers.md): as markers, and as the metadata "events", a list of
## dictionaries with time, event and options.
static func _mark_events(animation: Animation, extras: Dictionary) -> void:
	var events := []
	for event: String in str(extras.get("events", "")).split("; ", false):
		var words := event.split(" ", true, 2)
		if words.size() < 2 or not words[0].is_valid_float():
			continue
		var time := clampf(words[0].to_float() / maxf(extras.get("fps", 30.0), 0.001), 0.0, animation.length)
		var options := words[2] if words.size() > 2 else ""
		events.append({"time": time, "event": words[1], "options": options})
		if animation.has_method("add_marker"):
			animation.add_marker(StringName("%s %s %d" % [words[1], options, events.size()]), time)
	if not events.is_empty():
		animation.set_meta("events", events)
