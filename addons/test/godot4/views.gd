extends SceneTree
# usage: godot --path PROJECT --resolution 480x270 -s views.gd [-- NAME]     pictures of res://NAME.glb ("map"), as res://views.json says:
# [{"file": NAME.png, "eye": [x, y, z] in metres, "yaw", "pitch", "fov" in degrees, "near": metres}]; yaw 0 looks along -Z, pitch is upwards
# "acts": {NAME: seconds} are movements and the times to which they have come.

const FRAMES := 12
var views: Array
var camera := Camera3D.new()
var frames := 0
var scene: Node


func _initialize() -> void:
	views = JSON.parse_string(FileAccess.get_file_as_string("res://views.json"))
	RenderingServer.set_default_clear_color(Color.BLACK) # like the other viewers
	var names := OS.get_cmdline_user_args()
	scene = load("res://%s.glb" % (names[0] if names else "map")).instantiate()
	root.add_child(scene)
	root.add_child(camera)
	camera.make_current()


func _look() -> void:
	var view: Dictionary = views[0]
	camera.position = Vector3(view.eye[0], view.eye[1], view.eye[2])
	camera.rotation_degrees = Vector3(view.pitch, view.yaw, 0)
	camera.fov = view.fov
	camera.near = view.near
	camera.far = 25000.0 * view.near
	for act: String in view.get("acts", {}):
		_pose(act, view.acts[act])


func _pose(act: String, seconds: float) -> void:
	for player: AnimationPlayer in scene.find_children("*", "AnimationPlayer", true, false):
		for name in player.get_animation_list():
			var node: String = player.get_animation(name).get_meta("extras", {}).get("node", "")
			if act == (node + " " + name).strip_edges():
				player.play(name)
				player.seek(seconds, true)
				player.pause()


func _process(_delta: float) -> bool:
	frames += 1
	if frames % FRAMES == 1:
		_look()
	if frames % FRAMES != 0:
		return false
	root.get_texture().get_image().save_png("res://%s" % views[0].file)
	views.remove_at(0)
	return views.is_empty()
