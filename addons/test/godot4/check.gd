extends SceneTree
# usage: godot --headless --path PROJECT -s check.gd -- plain|MAP...     what Godot made of test.glb, and of each MAP.glb
#
# test.glb's pictures, by both renderers, are compared with test.json: they must be equal with the plugin, and must not be without ("plain").
# Those of a map are compared with three.js's, MAP-three.png.

const RENDERERS: Array[String] = ["forward_plus", "gl_compatibility"]
const TOLERANCE := 3
const PLANE := Vector2i(80, 45)  # pictures are compared at this size, as each renderer has filters of its own
var failures := 0


func _initialize() -> void:
	var names := OS.get_cmdline_user_args()
	for renderer in RENDERERS:
		_check_pixels(renderer, names[0] == "plain")
	if names[0] != "plain":
		_check_keys()
		await _check_movements()
		_check_sequences()
		for name in names:
			_check_map(name)
		for renderer in RENDERERS:
			_compare("sky", renderer, 1.0)  # the demo's alone, seen from outside of its box
			_compare_moved(renderer)
			_compare("billboards", renderer, 1.0)  # seen from the side, where squares that stood still would show their edge
			_compare("multiply", renderer, 1.0)  # what is behind, by 0.8 of its red and less
			_compare("sprites", renderer, 1.0)  # one that faces the viewer, and one that does so about the vertical only
		_check_unwrapped()
		_check_loading(names[0])
		_check_loading("playground")
	quit(1 if failures > 0 else 0)


func _say(good: bool, text: String) -> void:
	print("ok " if good else "FAIL ", "Godot ", Engine.get_version_info().string, ", ", text)
	failures += 0 if good else 1


func _check_pixels(renderer: String, plain: bool) -> void:
	var picture := _picture("res://test-%s.png" % renderer)
	var compared := 0
	var wrong: PackedStringArray = []
	var expected: Dictionary = JSON.parse_string(FileAccess.get_file_as_string("res://test.json"))
	for sample: Dictionary in expected.samples + expected.display:
		if sample.has("lenient") and renderer == "gl_compatibility" or plain and not sample.lit:
			continue
		if str(sample.name).begins_with("scroll") and not plain:
			continue  # it has moved on: motion_shot.gd compares what moves
		compared += 1
		var color := picture.get_pixel(sample.x, sample.y)
		var have := [color.r8, color.g8, color.b8]
		if range(3).any(func(i: int) -> bool: return abs(have[i] - sample.rgb[i]) > TOLERANCE):
			wrong.append("%s: want %s, have %s" % [sample.name, sample.rgb, have])
	if plain:
		_say(wrong.size() > compared * 0.9, "%s: without the plugin %d of %d pixels are without light" % [renderer, wrong.size(), compared])
		return
	_say(wrong.is_empty(), "%s: %d of %d pixels within %d" % [renderer, compared - wrong.size(), compared, TOLERANCE])
	for line in wrong:
		print("  ", line)


func _check_keys() -> void:
	var scene: Node = load("res://test.glb").instantiate()
	var start: Dictionary = scene.find_child("info_player_start").get_meta("extras", {})
	_say(start.get("OnUse") == "door,Open,,0,-1", "an entity's keys are metadata")
	_say(scene.find_children("*", "Light3D", true, false).all(func(n: Node3D) -> bool: return not n.visible), "the map's lamps are hidden")
	scene.free()


# What moves has a player of its own. What moves by itself plays in a scene that starts; a door opens when it is asked to, and stays open.
func _check_movements() -> void:
	var scene: Node = load("res://movements.glb").instantiate()
	var loops := {}
	for player: AnimationPlayer in scene.find_children("*", "AnimationPlayer", true, false):
		for name in player.get_animation_list():
			loops["%s %s" % [player.get_parent().name, name]] = player.get_animation(name).loop_mode != Animation.LOOP_NONE
	var want := {"lift map start": true, "lift cycle": true, "door open": false, "door close": false, "leaf open": false, "leaf close": false}
	_say(loops.size() == want.size() and want.keys().all(func(n: String) -> bool: return loops.get(n) == want[n]), "movements: %s" % loops)
	root.add_child(scene)
	await process_frame
	var lift: Node3D = scene.find_child("lift")
	var lamp: Node3D = scene.find_child("lamp")
	var door: Node3D = scene.find_child("door")
	var player: AnimationPlayer = lift.get_node("AnimationPlayer")
	_say(player.current_animation == "map start", "the start plays by itself: %s" % player.current_animation)
	var seen: Array[float] = []
	for second in [0.0, 0.5, 1.0]:
		player.seek(second, true)
		seen.append_array([lift.position.y, lamp.global_position.y])
	var expected := [-1.0, -1.0, -0.5, -0.5, 0.0, 0.0]
	var near := range(6).all(func(i: int) -> bool: return absf(seen[i] - expected[i]) < 0.07)  # Godot's importer samples and thins out keys
	_say(near, "a lift and what is on it go up: %s" % [seen])
	player.seek(0.5, true)
	var height := lift.position.y
	var opener: AnimationPlayer = door.get_node("AnimationPlayer")
	opener.play("open")
	opener.advance(0.5)
	seen = [door.position.y]
	_say(absf(lift.position.y - height) < 0.07 and player.is_playing(), "a door that opens leaves a lift where it is, and it goes on: %s, %s" % [height, lift.position.y])
	opener.advance(5.0)
	seen.append(door.position.y)
	_say(is_equal_approx(seen[0], 0.5) and is_equal_approx(seen[1], 1.0), "a door opens and stays open: %s" % [seen])
	scene.free()


# Each place of a model plays by itself, and its sequences keep what the game says of them.
func _check_sequences() -> void:
	var scene: Node = load("res://rigged.glb").instantiate()
	var players := scene.find_children("*", "AnimationPlayer", true, false)
	var apart := players.all(func(p: AnimationPlayer) -> bool:
		var animation := p.get_animation(p.get_animation_list()[0])
		return range(animation.get_track_count()).all(func(t: int) -> bool:
			return p.get_parent().is_ancestor_of(scene.get_node(NodePath(animation.track_get_path(t).get_concatenated_names())))))
	_say(players.size() > 1 and apart, "%d models with bones play apart from each other" % players.size())
	scene.free()
	scene = load("res://walker.glb").instantiate()
	var described := _json("res://walker.glb")
	var player: AnimationPlayer = scene.find_children("*", "AnimationPlayer", true, false)[0]
	var wrong: PackedStringArray = []
	var events := 0
	for one: Dictionary in described.animations:
		var animation := player.get_animation(one.name) if player.has_animation(one.name) else null
		if animation == null or (animation.loop_mode != Animation.LOOP_NONE) != one.extras.get("loops", false) or animation.get_meta("extras", {}) != one.extras \
				or absf(animation.step - 1.0 / one.extras.fps) > 0.0001:
			wrong.append(one.name)
			continue
		for event: Dictionary in animation.get_meta("events", []):
			events += 1
			if event.time > animation.length or not animation.get_marker_at_time(event.time):
				wrong.append("%s at %s" % [one.name, event])
	var want: int = described.animations.reduce(func(sum: int, a: Dictionary) -> int: return sum + a.extras.get("events", "").split("; ", false).size(), 0)
	_say(wrong.is_empty() and events == want and not described.animations.is_empty(), "walker: %d sequences with loops, paces and %d events %s" % [described.animations.size(), events, ", ".join(wrong)])
	scene.free()


# Godot's own lightmaps would need other UVs: a map keeps its own.
func _check_unwrapped() -> void:
	var sets: Array[Dictionary] = [{}, {}]
	for number in 2:
		var scene: Node = load("res://%s.glb" % ["sky", "unwrapped"][number]).instantiate()
		for node: MeshInstance3D in scene.find_children("*", "MeshInstance3D", true, false):
			for surface in node.mesh.get_surface_count():
				var sorted := {}  # levels of detail put vertices into another order
				for uv: Vector2 in PackedVector2Array() if node.mesh.surface_get_arrays(surface)[Mesh.ARRAY_TEX_UV2] == null else node.mesh.surface_get_arrays(surface)[Mesh.ARRAY_TEX_UV2]:
					sorted[uv.snappedf(0.001)] = true
				sets[number]["%s %d" % [node.name, surface]] = sorted
		scene.free()
	_say(sets[0].size() > 1 and sets[0] == sets[1], "with Light Baking: Static Lightmaps the UVs of %d surfaces stay" % sets[1].size())


func _check_map(name: String) -> void:
	var described := _json("res://%s.glb" % name)
	var scene: Node = load("res://%s.glb" % name).instantiate()
	var lit := _lit(scene)
	_say(lit > 0 and lit == _count_lit(described), "%s: %d of %d surfaces with a lightmap show it" % [name, lit, _count_lit(described)])
	var bodies := scene.find_children("*", "StaticBody3D", true, false)
	var shapes := scene.find_children("*", "CollisionShape3D", true, false)
	var brushes: int = described.nodes.filter(func(n: Dictionary) -> bool: return n.get("name", "").ends_with("colonly")).size()
	var parents := {}
	for shape in shapes:
		parents[shape.get_parent()] = true
	var convex := shapes.all(func(s: CollisionShape3D) -> bool:
		return s.shape.get_faces().size() >= 3 if s.shape is ConcavePolygonShape3D else s.shape is ConvexPolygonShape3D and s.shape.points.size() >= 4)
	var few := parents.size() * 3 < shapes.size() or brushes < 20 or shapes.size() < 600
	var joined := brushes > 1000 and shapes.size() * 2 < brushes  # triangles of areas
	_say(convex and few and not bodies.is_empty() and shapes.size() <= brushes and (joined or shapes.size() * 2 > brushes),
		"%s: %d nodes; %d brushes are %d shapes of %d bodies" % [name, scene.find_children("*", "", true, false).size(), brushes, shapes.size(), parents.size()])
	scene.free()
	for renderer in RENDERERS:
		_compare(name, renderer)


# The mean difference of a map's picture from that of three.js. Glass and water are blended in linear light by Forward+ only.
func _compare(name: String, renderer: String, most := 5.0) -> void:
	var pictures: Array[Image] = []
	for file in ["res://%s-%s.png" % [name, renderer], "res://%s-three.png" % name]:
		var picture := _picture(file)
		picture.convert(Image.FORMAT_RGB8)
		picture.resize(PLANE.x, PLANE.y, Image.INTERPOLATE_TRILINEAR)
		pictures.append(picture)
	var a := pictures[0].get_data()
	var b := pictures[1].get_data()
	var sum := 0.0
	var mean := 0.0
	for i in a.size():
		sum += abs(a[i] - b[i])
		mean += a[i]
	var difference := sum / a.size()
	_say(difference < most and mean / a.size() > 10.0, "%s, %s: the picture differs from three.js's by %.2f of 255" % [name, renderer, difference])


# Where the materials of the demo have moved between two moments, each picture is nearer to three.js's of that moment.
func _compare_moved(renderer: String) -> void:
	var pictures := {}
	for name in ["1-three", "2-three", "1-" + renderer, "2-" + renderer]:
		pictures[name] = _picture("res://moved%s.png" % name)
		pictures[name].convert(Image.FORMAT_RGB8)
		pictures[name].resize(160, 90, Image.INTERPOLATE_TRILINEAR)
	var moved := 0
	var nearer := 0
	for y in 90:
		for x in 160:
			var three: Array[Color] = [pictures["1-three"].get_pixel(x, y), pictures["2-three"].get_pixel(x, y)]
			if _apart(three[0], three[1]) < 0.08:
				continue
			moved += 1
			var ours: Array[Color] = [pictures["1-" + renderer].get_pixel(x, y), pictures["2-" + renderer].get_pixel(x, y)]
			nearer += 1 if _apart(ours[0], three[0]) + _apart(ours[1], three[1]) < _apart(ours[0], three[1]) + _apart(ours[1], three[0]) else 0
	_say(moved > 20 and nearer > moved * 0.85, "%s: materials move: %d of %d pixels that do are as three.js has them at the time" % [renderer, nearer, moved])


func _apart(a: Color, b: Color) -> float:
	return absf(a.r - b.r) + absf(a.g - b.g) + absf(a.b - b.b)


func _picture(file: String) -> Image:
	var picture := Image.new()
	picture.load_png_from_buffer(FileAccess.get_file_as_bytes(file))
	return picture


# A map that a game loads while it runs, as baked_light.gd says.
func _check_loading(name: String) -> void:
	var extension: GLTFDocumentExtension = load("res://addons/bsp2gltf/baked_light.gd").new()
	GLTFDocument.register_gltf_document_extension(extension)
	var document := GLTFDocument.new()
	var state := GLTFState.new()
	document.append_from_buffer(FileAccess.get_file_as_bytes("res://%s.glb" % name), "", state)
	var scene := document.generate_scene(state)
	GLTFDocument.unregister_gltf_document_extension(extension)
	var want := _count_lit(_json("res://%s.glb" % name))
	_say(_lit(scene) == want, "%s, loaded in a game: %d of %d surfaces are lit" % [name, _lit(scene), want])
	var imported: Node = load("res://%s.glb" % name).instantiate()
	for kind: String in ["StaticBody3D", "AnimatableBody3D", "Area3D", "CollisionShape3D", "AnimationPlayer"]:
		var paths: Array = [scene, imported].map(func(of: Node) -> Array:
			return of.find_children("*", kind, true, false).filter(func(n: Node) -> bool: return n.get_class() == kind).map(func(n: Node) -> String: return str(of.get_path_to(n))))
		_say(paths[0] == paths[1], "%s, loaded in a game: the same %d nodes of class %s as imported" % [name, paths[1].size(), kind])
	imported.free()
	scene.free()


# Returns the number of surfaces that show a lightmap.
func _lit(scene: Node) -> int:
	var count := 0
	for node: MeshInstance3D in scene.find_children("*", "MeshInstance3D", true, false):
		for surface in node.mesh.get_surface_count():
			var material := node.mesh.surface_get_material(surface) as ShaderMaterial
			if material != null and material.get_shader_parameter("baked_map") != null:
				count += 1
	return count


# Returns the number of surfaces of nodes that have a lightmap and the UVs for it.
func _count_lit(described: Dictionary) -> int:
	var count := 0
	for node: Dictionary in described.nodes:
		if node.has("mesh"):
			for primitive: Dictionary in described.meshes[int(node.mesh)].primitives:
				var material: Dictionary = described.materials[int(primitive.get("material", 0))]
				if primitive.has("material") and material.get("extensions", {}).has("MOZ_lightmap") and primitive.attributes.has("TEXCOORD_1"):
					count += 1
	return count


func _json(path: String) -> Dictionary:
	var file := FileAccess.open(path, FileAccess.READ)
	file.seek(12)
	var length := file.get_32()
	file.get_32()
	return JSON.parse_string(file.get_buffer(length).get_string_from_utf8())
