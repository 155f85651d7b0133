extends SceneTree
# usage: godot --path PROJECT --fixed-fps 60 -s shot.gd -- NAME...
#
# Writes res://NAME-RENDERER.png for each res://NAME.glb, from its first camera, 0.15 seconds after the start of its movements. The
# project's shader time restarts every 0.2 seconds (rendering/limits/time/time_rollover_secs), so that TIME has that value.

const FRAMES := 12
const SHOT := 9
var names: PackedStringArray
var scene: Node
var frames := 0


func _initialize() -> void:
	names = OS.get_cmdline_user_args()
	RenderingServer.set_default_clear_color(Color.BLACK)  # as in three.js's picture
	_show()


func _show() -> void:
	scene = load("res://%s.glb" % names[0]).instantiate()
	root.add_child(scene)
	scene.find_children("*", "Camera3D", true, false)[0].make_current()


func _process(_delta: float) -> bool:
	frames += 1
	if frames % FRAMES == SHOT:
		root.get_texture().get_image().save_png("res://%s-%s.png" % [names[0], RenderingServer.get_current_rendering_method()])
	if frames % FRAMES != 0:
		return false
	scene.free()
	names.remove_at(0)
	if not names.is_empty():
		_show()
	return names.is_empty()
