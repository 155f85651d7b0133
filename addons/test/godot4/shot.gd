extends SceneTree
# usage: godot --path PROJECT -s shot.gd -- NAME...     a picture of each res://NAME.glb from its first camera, as res://NAME-RENDERER.png

const FRAMES := 12
var names: PackedStringArray
var scene: Node
var frames := 0


func _initialize() -> void:
	names = OS.get_cmdline_user_args()
	RenderingServer.set_default_clear_color(Color.BLACK)  # as in the picture of three.js
	_show()


func _show() -> void:
	scene = load("res://%s.glb" % names[0]).instantiate()
	root.add_child(scene)
	scene.find_children("*", "Camera3D", true, false)[0].make_current()


func _process(_delta: float) -> bool:
	frames += 1
	if frames % FRAMES != 0:
		return false
	root.get_texture().get_image().save_png("res://%s-%s.png" % [names[0], RenderingServer.get_current_rendering_method()])
	scene.free()
	names.remove_at(0)
	if not names.is_empty():
		_show()
	return names.is_empty()
