extends SceneTree
# Loads test.glb, looks through its camera, and compares the picture with test.json. Colours are multiplied in sRGB
# here, by powers of 2.2, so they are only nearly right; emission is not shown.

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
		# Vertex colours are linear, which GLES2 does not know.
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
	quit(1 if bad else 0)
	return false
