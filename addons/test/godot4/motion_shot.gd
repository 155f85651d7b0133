extends SceneTree
# usage: godot --path PROJECT --fixed-fps 60 --rendering-method RENDERER -s motion_shot.gd -- NAME SECONDS
#
# Writes NAME-moved-RENDERER.png: NAME.glb from the first view of res://views.json, when the shaders' TIME has reached a number of
# seconds.

const RATE := 60.0


func _initialize() -> void:
	RenderingServer.set_default_clear_color(Color.BLACK)
	root.add_child(load("res://%s.glb" % OS.get_cmdline_user_args()[0]).instantiate())
	var view: Dictionary = JSON.parse_string(FileAccess.get_file_as_string("res://views.json"))[0]
	var camera := Camera3D.new()
	root.add_child(camera)
	camera.position = Vector3(view.eye[0], view.eye[1], view.eye[2])
	camera.rotation_degrees = Vector3(view.pitch, view.yaw, 0)
	camera.fov = view.fov
	camera.near = view.near
	camera.far = 25000.0 * view.near
	camera.make_current()


func _process(_delta: float) -> bool:
	var words := OS.get_cmdline_user_args()
	if Engine.get_process_frames() < roundi(words[1].to_float() * RATE):
		return false
	root.get_texture().get_image().save_png("res://%s-moved-%s.png" % [words[0], RenderingServer.get_current_rendering_method()])
	return true
