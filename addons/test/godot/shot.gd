extends SceneTree
# Loads test.glb, renders it from its camera, and compares the picture with test.json. Colours are multiplied in sRGB here, by powers of
# 2.2, so they are only approximately right; emission is not shown. Then it plays the movements of movements.glb.

const TOLERANCE = 10
var frames = 0

func _initialize():
	var scene = load("res://test.glb").instance()
	root.add_child(scene)
	for node in scene.get_children():
		if node is Camera:
			node.make_current()

func _idle(_delta):
	frames += 1
	if frames < 12:
		return false
	var image = root.get_texture().get_data()
	image.flip_y()
	image.save_png("res://godot.png")
	image.lock()
	var file = File.new()
	file.open("res://test.json", File.READ)
	var bad = 0
	var compared = 0
	for s in JSON.parse(file.get_as_text()).result.samples:
		var name = s.name.split(" ")[0]
		# Vertex colours are linear, which GLES2 does not support.
		if name in ["texture", "factor", "texture_factor_no_intensity", "unlit", "sky"]:
			var c = image.get_pixel(int(s.x), int(s.y))
			var have = [round(c.r * 255), round(c.g * 255), round(c.b * 255)]
			compared += 1
			for i in 3:
				if abs(have[i] - s.rgb[i]) > TOLERANCE:
					print("  ", s.name, ": want ", s.rgb, ", have ", have)
					bad += 1
					break
	print("FAIL Godot" if bad else "ok Godot", " ", Engine.get_version_info().string, ": ", compared - bad, " of ", compared, " pixels within ", TOLERANCE)
	var wrong = _check_movements()
	print("FAIL Godot: movements: " if wrong != "" else "ok Godot: a lift goes up and a door opens", wrong)
	quit(1 if bad or wrong != "" else 0)

# Returns errors of the movements, which Godot 3 plays only on request.
func _check_movements():
	var scene = load("res://movements.glb").instance()
	root.add_child(scene)
	var player: AnimationPlayer = scene.find_node("AnimationPlayer", true, false)
	var names = Array(player.get_animation_list())
	for name in ["map start", "lift cycle", "door open", "door close", "leaf open", "leaf close"]:
		if not name in names:
			return "%s is not in %s" % [name, names]
	var wrong = ""
	for move in [["map start", "lift", -1.0, 0.0], ["door open", "door", 0.0, 1.0], ["door close", "door", 1.0, 0.0]]:
		var node: Spatial = scene.find_node(move[1], true, false)
		player.play(move[0])
		for k in 3: # at its start, in the middle, and at its end a second later
			player.seek(k / 2.0, true)
			var want: float = lerp(move[2], move[3], k / 2.0)
			if abs(node.translation.y - want) > 0.07: # the importer resamples and removes keys
				wrong += "%s after %s s: %s, want %s; " % [move[0], k / 2.0, node.translation.y, want]
	scene.free()
	return wrong
	return false
