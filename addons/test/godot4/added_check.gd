extends SceneTree
# usage: godot --path PROJECT --rendering-method RENDERER -s added_check.gd     the light on what a game adds to maps, in a window
#
# White boxes stand at samples of lightgrid.glb (Quake III's grid), litprops.glb (Source's probes) and lit.glb (neither: the light of
# the floor). Each side must have the light that the file states for a surface with that normal, within a tenth of white: Godot's
# harmonics are of second order.

const SIDES: Array[Vector3] = [Vector3.RIGHT, Vector3.LEFT, Vector3.UP, Vector3.DOWN, Vector3.BACK, Vector3.FORWARD]
const SETTLED := 90  # Godot updates the light of moving objects within a second
var failures := 0
var camera := Camera3D.new()


func _initialize() -> void:
	RenderingServer.set_default_clear_color(Color.MAGENTA)
	root.add_child(camera)
	camera.cull_mask = 2
	camera.fov = 20.0
	await process_frame
	await _check("litprops", _probe(_read("litprops_probes.json")))
	await _check("lightgrid", _grid("lightgrid"))
	await _check_floor("lit")
	quit(1 if failures > 0 else 0)


func _say(good: bool, text: String) -> void:
	print("ok " if good else "FAIL ", "Godot %s, %s, what is added: %s" % [Engine.get_version_info().string, RenderingServer.get_current_rendering_method(), text])
	failures += 0 if good else 1


## A position, and the light of its six sides.
func _probe(read: Dictionary) -> Array:
	var probe: Dictionary = read.probes[0]
	var light := []
	for side: Array in probe.light:
		light.append(Vector3(side[0], side[1], side[2]))
	return [Vector3(probe.position[0], probe.position[1], probe.position[2]), light]


## The brightest sample of a grid.
func _grid(name: String) -> Array:
	var bytes := FileAccess.get_file_as_bytes("res://%s.glb" % name)
	var length := bytes.decode_u32(12)
	var json: Dictionary = JSON.parse_string(bytes.slice(20, 20 + length).get_string_from_utf8())
	var grid: Dictionary = json.scenes[0].extras.bsp2gltf_light_grid
	var data := {}
	for key in ["ambient", "directed", "toward"]:
		var accessor: Dictionary = json.accessors[int(grid[key])]
		var at := 28 + length + int(json.bufferViews[int(accessor.bufferView)].get("byteOffset", 0)) + int(accessor.get("byteOffset", 0))
		data[key] = bytes.slice(at, at + int(accessor.count) * 3)
	var best := 0
	for sample in data.ambient.size() / 3:
		if data.ambient[sample * 3] + data.directed[sample * 3] > data.ambient[best * 3] + data.directed[best * 3]:
			best = sample
	var place := Vector3(grid.origin[0], grid.origin[1], grid.origin[2])
	var number := best
	for axis in 3:
		place += Vector3(grid.steps[axis][0], grid.steps[axis][1], grid.steps[axis][2]) * (number % int(grid.size[axis]))
		number /= int(grid.size[axis])
	var toward := Vector3()
	var a := Vector3()
	var d := Vector3()
	for axis in 3:
		var byte: int = data.toward[best * 3 + axis]
		toward[axis] = (byte if byte < 128 else byte - 256) / 127.0
		a[axis] = _light(data.ambient[best * 3 + axis], 0.0, grid)
		d[axis] = _light(data.ambient[best * 3 + axis], data.directed[best * 3 + axis], grid) - a[axis]
	return [place, SIDES.map(func(side: Vector3) -> Vector3: return a + d * maxf(0.0, side.dot(toward.normalized())))]


## A channel of the light that the game shows (docs/internals/readers.md), for a linear renderer.
func _light(ambient: int, directed: int, grid: Dictionary) -> float:
	var scale: float = grid.get("scale", 1.0)
	var low := Color(ambient / 255.0, 0, 0).srgb_to_linear().r * scale
	var high := Color(directed / 255.0, 0, 0).srgb_to_linear().r * scale
	if not grid.has("shown"):
		return low + high
	var a: float = grid.shown.albedo
	var p: float = grid.shown.exponent
	var d := Color(a, 0, 0).srgb_to_linear().r
	var l := func(x: float) -> float: return Color(x * d, 0, 0).linear_to_srgb().r / pow(a, p)
	return Color(pow(a, p) * minf(minf(grid.shown.share * l.call(low) + grid.shown.least, 1.0) + l.call(high), 1.0), 0, 0).srgb_to_linear().r / d


func _check(name: String, wanted: Array) -> void:
	var scene: Node = load("res://%s.glb" % name).instantiate()
	root.add_child(scene)
	var box := _box(wanted[0])
	var apart := 0.0
	var seen := []
	for side in SIDES.size():
		var color := await _look(wanted[0], SIDES[side])
		var light: Vector3 = wanted[1][side]
		seen.append("%s for %s" % [color.to_html(false), Color(light.x, light.y, light.z).clamp().linear_to_srgb().to_html(false)])
		for channel in 3:
			apart = maxf(apart, absf(color.srgb_to_linear()[channel] - minf(light[channel], 1.0)))
	_say(apart <= 0.1, "a box in %s is at most %.3f from the file's linear light: %s" % [name, apart, ", ".join(seen)])
	box.free()
	scene.free()


## In a map with neither grid nor probes a box has light, and more of it where the floor has more.
func _check_floor(name: String) -> void:
	var scene: Node = load("res://%s.glb" % name).instantiate()
	root.add_child(scene)
	var probes: Node = scene.get_node("light_probes")
	var points: PackedVector3Array = probes.probes.points
	var harmonics: PackedColorArray = probes.probes.sh
	var dark := 0
	var bright := 0
	for point in points.size():
		if harmonics[point * 9].get_luminance() < harmonics[dark * 9].get_luminance():
			dark = point
		if harmonics[point * 9].get_luminance() > harmonics[bright * 9].get_luminance():
			bright = point
	var shown := []
	for point: int in [dark, bright]:
		var box := _box(points[point])
		shown.append((await _look(points[point], Vector3.UP)).srgb_to_linear().get_luminance())
		box.free()
	_say(shown[1] > 0.05 and shown[1] > shown[0] * 1.2, "boxes in %s are lit as its floors are: %.3f and %.3f" % [name, shown[0], shown[1]])
	scene.free()


func _box(place: Vector3) -> MeshInstance3D:
	var box := MeshInstance3D.new()
	box.mesh = BoxMesh.new()
	box.mesh.size = Vector3.ONE * 0.2
	box.gi_mode = GeometryInstance3D.GI_MODE_DYNAMIC
	box.layers = 2
	var material := StandardMaterial3D.new()
	material.metallic_specular = 0.0
	box.material_override = material
	root.add_child(box)
	box.position = place
	return box


func _look(place: Vector3, side: Vector3) -> Color:
	camera.position = place + side
	camera.look_at(place, Vector3.UP if absf(side.y) < 0.5 else Vector3.BACK)
	camera.make_current()
	for frame in SETTLED:
		await process_frame
	var picture := root.get_texture().get_image()
	return picture.get_pixel(picture.get_width() / 2, picture.get_height() / 2)


func _read(file: String) -> Dictionary:
	return JSON.parse_string(FileAccess.get_file_as_string("res://" + file))
