extends Node
## Makes a map playable (import setting bsp2gltf/play, or add this node below the map's scene): touch, targets, doors and sounds, from
## the entities' keys. Bodies in the players' layer open doors and start platforms by touch, fire triggers, and are hurt, pushed and
## teleported. Doors, buttons and relays fire their targets, or Source's outputs.
##
## It is a start for a game of your own, not the game's rules: it has no locks, keys of doors, ammunition or monsters.

## Emitted when a body enters a trigger_hurt, and then each second. If the body has a method hurt(damage), that is called too.
signal hurt(body: Node3D, damage: float, trigger: Node3D)
## Emitted when an entity plays a sound, even if the mapping has no stream for it.
signal sounded(sound: String, place: Vector3)
## Emitted when an entity is touched, used or targeted.
signal fired(entity: Node3D, by: Node3D)

const REACH := 1.9  # metres from a door at which the game opens it: 60 units
const STEP := 0.35  # metres around an entity in which a body touches it
const AREAS: Array[String] = ["trigger_push", "trigger_teleport", "trigger_hurt"]

@export var players_layer := 2
@export var mapping: Resource

var _named := {}  # targetname to its entities
var _rests := {}  # entity to the time until which it ignores everything
var _open := {}  # entity with separate movements to open and to close: whether it is open
var _hurting := {}  # body to the triggers that hurt it
var _pushing := {}  # body to the triggers that push it
var _second := 0.0
var _now := 0.0


func _ready() -> void:
	for node: Node3D in get_parent().find_children("*", "Node3D", true, false):
		var keys: Dictionary = node.get_meta("extras", {})
		if not keys.has("classname"):
			continue
		if keys.get("targetname", "") != "":
			_named.get_or_add(str(keys.targetname).to_lower(), []).append(node)
		for area in node.get_children():
			if area is Area3D:
				area.body_entered.connect(_touched.bind(node))
				area.body_exited.connect(_left.bind(node))
		if _starts(node) == "touch":
			_watch(node, str(keys.classname))


func _physics_process(delta: float) -> void:
	_now += delta
	for body: Node3D in _pushing.keys():
		for trigger: Node3D in _pushing[body]:
			_carry(body, trigger, delta)
	_second += delta
	if _second < 1.0:
		return
	_second = 0.0
	for body: Node3D in _hurting.keys():
		for trigger: Node3D in _hurting[body]:
			_hurt(body, trigger)


## Acts as the player's use key: fires the nearest usable entity within reach, in front of a position. Reports whether there was one.
func use_at(place: Vector3, forward: Vector3, by: Node3D, reach := 2.5) -> bool:
	var best: Node3D = null
	for player: AnimationPlayer in get_parent().find_children("*", "AnimationPlayer", true, false):
		var node := player.get_parent() as Node3D
		if node == null or _starts(node) not in ["use", "touch"]:
			continue
		var way := _box(node).get_center() - place
		if way.length() < reach + _box(node).size.length() / 2.0 and way.dot(forward) > 0.0 and (best == null or way.length() < (_box(best).get_center() - place).length()):
			best = node
	if best != null:
		fire(best, by)
	return best != null


## Fires an entity, as when it is touched, used or targeted. input is Source's, such as Open.
func fire(entity: Node3D, by: Node3D = null, input := "") -> void:
	var keys: Dictionary = entity.get_meta("extras", {})
	if _now < _rests.get(entity, 0.0):
		return
	var classname := str(keys.get("classname", ""))
	var wait := _number(keys, "wait", 0.5 if classname == "trigger_multiple" else 0.0)
	_rests[entity] = INF if classname == "trigger_once" or wait < 0.0 and classname.begins_with("trigger_") else _now + wait
	fired.emit(entity, by)
	_move(entity, input)
	for key: String in ["noise", "message"] if classname in ["target_speaker", "ambient_generic", "speaker"] else ["noise", "noise1"]:
		if keys.get(key, "") != "":
			_sound(entity, str(keys[key]))
			break
	await _pass_on(entity, keys, by)


func _touched(body: Node3D, entity: Node3D) -> void:
	var keys: Dictionary = entity.get_meta("extras", {})
	match str(keys.get("classname", "")):
		"trigger_hurt":
			_hurting.get_or_add(body, []).append(entity)
			_hurt(body, entity)
		"trigger_push": _push(body, entity, keys)
		"trigger_teleport": _teleport(body, keys)
		_:
			if keys.get("targetname", "") == "" or not str(keys.get("classname")).begins_with("func_"):
				fire(entity, body)


func _left(body: Node3D, entity: Node3D) -> void:
	for acting: Dictionary in [_hurting, _pushing]:
		if acting.has(body):
			acting[body].erase(entity)
			if acting[body].is_empty():
				acting.erase(body)


func _hurt(body: Node3D, trigger: Node3D) -> void:
	if not is_instance_valid(body):
		_hurting.erase(body)
		return
	var keys: Dictionary = trigger.get_meta("extras", {})
	var damage := _number(keys, "dmg", _number(keys, "damage", 5.0))
	hurt.emit(body, damage, trigger)
	if body.has_method("hurt"):
		body.hurt(damage)


## Throws a body so that it is highest at the trigger's target, as in Quake III, or along the trigger's angle.
func _push(body: Node3D, trigger: Node3D, keys: Dictionary) -> void:
	if not "velocity" in body:
		return
	var gravity: float = ProjectSettings.get_setting("physics/3d/default_gravity")
	for target: Node3D in _named.get(str(keys.get("target", "")).to_lower(), []):
		var way := target.global_position - _box(trigger).get_center()
		var time := sqrt(maxf(way.y, 0.1) / (0.5 * gravity))
		body.velocity = Vector3(way.x / time, time * gravity, way.z / time)
		return
	if _number(keys, "StartDisabled", 0.0) == 0.0:
		_pushing.get_or_add(body, []).append(trigger)


## Pushes a body for a step. Quake's games set its velocity. Half-Life and Source move it along, and upwards they only lighten it.
func _carry(body: Node3D, trigger: Node3D, delta: float) -> void:
	var map: Dictionary = get_parent().get_meta("bsp2gltf", {})
	var push := push_of(trigger.get_meta("extras", {}), map)
	if not _carries(map):
		body.velocity = push
		return
	if body is PhysicsBody3D:
		body.move_and_collide(Vector3(push.x, 0.0, push.z) * delta)
	body.velocity.y += push.y * delta


static func _carries(map: Dictionary) -> bool:
	var format := str(map.get("bsp2gltf_format", ""))
	return format in ["30", "31"] or format.begins_with("VBSP")


## The velocity that a trigger_push without a target gives, in metres a second. map is the metadata of the map's root.
static func push_of(keys: Dictionary, map: Dictionary) -> Vector3:
	var carries := _carries(map)
	var turned := str(keys.get("pushdir", keys.get("angles", ""))).split_floats(" ", false)
	var yaw: float = turned[1] if turned.size() > 1 else _number(keys, "angle", 0.0)
	var pitch: float = turned[0] if turned.size() > 1 else 0.0
	if yaw == -1.0 or yaw == -2.0:  # up, down
		pitch = -90.0 if yaw == -1.0 else 90.0
	var way := Vector3.FORWARD.rotated(Vector3.RIGHT, -deg_to_rad(pitch)).rotated(Vector3.UP, deg_to_rad(yaw - 90.0))
	return way * _number(keys, "speed", 100.0 if carries else 1000.0) * (1.0 if carries else 10.0) * float(map.get("bsp2gltf_unit", 1.0 / 32.0))


func _teleport(body: Node3D, keys: Dictionary) -> void:
	for target: Node3D in _named.get(str(keys.get("target", "")).to_lower(), []):
		body.global_position = target.global_position
		return


## Fires an entity's targets after its delay, and its outputs after theirs.
func _pass_on(entity: Node3D, keys: Dictionary, by: Node3D) -> void:
	for output: Array in _outputs(keys):
		_send(output[1].split(","), by)
	if str(keys.get("classname", "")) == "multi_manager":
		for name: String in keys:
			if _named.has(name.to_lower()):
				_send(PackedStringArray([name, "", "", str(keys[name])]), by)
		return
	if keys.get("target", "") == "" or str(keys.get("classname", "")) in ["path_corner", "path_track", "func_train", "func_tracktrain"]:
		return
	if _number(keys, "delay", 0.0) > 0.0:
		await get_tree().create_timer(_number(keys, "delay", 0.0)).timeout
	for name: String in ["target", "target2"]:
		for target: Node3D in _named.get(str(keys.get(name, "")).to_lower(), []):
			fire(target, by)
	for doomed: Node3D in _named.get(str(keys.get("killtarget", "")).to_lower(), []):
		doomed.queue_free()


## The outputs that a Source entity sends when it is touched, pressed or triggered.
func _outputs(keys: Dictionary) -> Array:
	var listed: Variant = JSON.parse_string(str(keys.get("_outputs", "[]")))
	return listed.filter(func(o: Array) -> bool: return o[0] in ["OnTrigger", "OnStartTouch", "OnPressed", "OnOpen", "OnIn", "OnUse"]) if listed is Array else []


func _send(words: PackedStringArray, by: Node3D) -> void:
	if words.size() > 3 and words[3].to_float() > 0.0:
		await get_tree().create_timer(words[3].to_float()).timeout
	for target: Node3D in _named.get(words[0].to_lower(), []):
		if words.size() > 1 and words[1] == "Kill":
			target.queue_free()
		else:
			fire(target, by, words[1] if words.size() > 1 else "")


## Plays a mover's movement, and those of its team.
func _move(entity: Node3D, input: String) -> void:
	var player := entity.get_node_or_null("AnimationPlayer") as AnimationPlayer
	if player == null:
		return
	_play(entity, player, input)
	for name in player.get_animation_list():
		for other in str(player.get_animation(name).get_meta("extras", {}).get("team", "")).split("; ", false):
			var node := get_parent().find_child(other, true, false) as Node3D
			if node != null and node != entity and node.has_node("AnimationPlayer"):
				_play(node, node.get_node("AnimationPlayer"), input)
		break


func _play(entity: Node3D, player: AnimationPlayer, input: String) -> void:
	if player.has_animation("open") and player.has_animation("close"):
		var opens: bool = input == "Open" or input != "Close" and not _open.get(entity, false)
		if opens != _open.get(entity, false):
			_open[entity] = opens
			player.play("open" if opens else "close")
		return
	for name: String in ["cycle", "open", "path", "start", "close"]:
		if player.has_animation(name):
			if player.current_animation != name:
				player.play(name)
			return


## What starts an entity's movement: touch, use, damage, name, or nothing.
func _starts(entity: Node3D) -> String:
	var player := entity.get_node_or_null("AnimationPlayer") as AnimationPlayer
	if player != null:
		for name in player.get_animation_list():
			var trigger: String = player.get_animation(name).get_meta("extras", {}).get("trigger", "")
			if trigger != "":
				return trigger
	return ""


## Gives a mover that starts by touch a trigger volume: above a platform, around a door.
func _watch(entity: Node3D, classname: String) -> void:
	var box := _box(entity)
	var around := Vector3(REACH, STEP, REACH) if classname.contains("door") else Vector3.ONE * STEP
	box = AABB(box.position - around, box.size + around * 2.0)
	var area := Area3D.new()
	area.collision_layer = 0
	area.collision_mask = players_layer
	var shape := CollisionShape3D.new()
	shape.shape = BoxShape3D.new()
	shape.shape.size = box.size
	area.add_child(shape)
	if classname.contains("door"):
		get_parent().add_child.call_deferred(area)  # not below the door, because it must not move with it
		area.set_deferred("global_position", box.get_center())
	else:
		entity.add_child(area)
		area.global_position = box.get_center()
		area.global_rotation = Vector3.ZERO
	area.body_entered.connect(func(body: Node3D) -> void: fire(entity, body))


## The bounds of an entity's brushes or meshes.
func _box(entity: Node3D) -> AABB:
	var box := AABB(entity.global_position, Vector3.ZERO)
	var found := false
	for shape: CollisionShape3D in entity.find_children("*", "CollisionShape3D", true, false):
		if shape.shape is ConvexPolygonShape3D or shape.shape is ConcavePolygonShape3D:
			for point: Vector3 in shape.shape.points if shape.shape is ConvexPolygonShape3D else shape.shape.get_faces():
				box = box.expand(shape.global_transform * point) if found else AABB(shape.global_transform * point, Vector3.ZERO)
				found = true
	if not found:
		for mesh: MeshInstance3D in entity.find_children("*", "MeshInstance3D", true, false) + ([entity] if entity is MeshInstance3D else []):
			box = box.merge(mesh.global_transform * mesh.get_aabb()) if found else mesh.global_transform * mesh.get_aabb()
			found = true
	return box


func _sound(entity: Node3D, name: String) -> void:
	sounded.emit(name, _box(entity).get_center())
	var stream: AudioStream = mapping.find(mapping.sounds, name) if mapping != null else null
	if stream == null:
		return
	var speaker := AudioStreamPlayer3D.new()
	speaker.stream = stream
	entity.add_child(speaker)
	speaker.finished.connect(speaker.queue_free)
	speaker.play()


static func _number(keys: Dictionary, key: String, otherwise: float) -> float:
	var text := str(keys.get(key, ""))
	return text.to_float() if text.is_valid_float() else otherwise
