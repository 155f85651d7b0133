extends SceneTree
# usage: godot --path PROJECT --resolution 480x270 -s views.gd     pictures of res://map.glb, as res://views.json says:
# [{"file": NAME.png, "eye": [x, y, z] in metres, "yaw", "pitch", "fov" in degrees, "near": metres}]; yaw 0 looks along -Z, pitch is upwards

const FRAMES := 12
var views: Array
var camera := Camera3D.new()
var frames := 0


func _initialize() -> void:
	views = JSON.parse_string(FileAccess.get_file_as_string("res://views.json"))
	RenderingServer.set_default_clear_color(Color.BLACK) # as the others
	root.add_child(load("res://map.glb").instantiate())
	root.add_child(camera)
	camera.make_current()
	_look()


func _look() -> void:
	var view: Dictionary = views[0]
	camera.position = Vector3(view.eye[0], view.eye[1], view.eye[2])
	camera.rotation_degrees = Vector3(view.pitch, view.yaw, 0)
	camera.fov = view.fov
	camera.near = view.near
	camera.far = 25000.0 * view.near


func _process(_delta: float) -> bool:
	frames += 1
	if frames % FRAMES != 0:
		return false
	root.get_texture().get_image().save_png("res://%s" % views[0].file)
	views.remove_at(0)
	if not views.is_empty():
		_look()
	return views.is_empty()
