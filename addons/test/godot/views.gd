extends SceneTree
# usage: godot3 --path PROJECT --resolution 480x270 -s views.gd     pictures of res://map.glb, as res://views.json says, which has the shape
# that ../godot4/views.gd reads

const FRAMES = 12
var views: Array
var camera := Camera.new()
var scene: Node
var frames = 0

func _initialize():
	var file = File.new()
	file.open("res://views.json", File.READ)
	views = JSON.parse(file.get_as_text()).result
	VisualServer.set_default_clear_color(Color(0, 0, 0)) # like the other viewers
	scene = load("res://map.glb").instance()
	root.add_child(scene)
	root.add_child(camera)
	camera.current = true
	_look()

func _look():
	var view: Dictionary = views[0]
	camera.translation = Vector3(view.eye[0], view.eye[1], view.eye[2])
	camera.rotation_degrees = Vector3(view.pitch, view.yaw, 0)
	camera.fov = view.fov
	camera.near = view.near
	camera.far = 25000.0 * view.near
	for name in view.get("acts", {}):
		var player: AnimationPlayer = scene.find_node("AnimationPlayer", true, false)
		player.play(name)
		player.seek(view.acts[name], true)
		player.stop(false)

func _idle(_delta):
	frames += 1
	if frames % FRAMES != 0:
		return false
	var image = root.get_texture().get_data()
	image.flip_y()
	image.save_png("res://%s" % views[0].file)
	views.remove(0)
	if views.empty():
		quit()
	else:
		_look()
	return false
