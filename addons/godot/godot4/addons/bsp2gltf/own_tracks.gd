@tool
extends EditorScenePostImportPlugin
## Takes the tracks out of movements that Godot's importer adds: it gives each animation the rest of every node that any other moves, so that
## a door that opens would set lifts and trains back (the import setting *Position: If Present for All*). It also
## keeps skies from being culled: only now they are nodes that have a margin.

const Around := preload("around.gd")
const Sprites := preload("sprites.gd")


func _post_process(scene: Node) -> void:
	Around.never_cull(scene)
	Sprites.never_cull(scene)
	for player: AnimationPlayer in scene.find_children("*", "AnimationPlayer", true, false):
		for name in player.get_animation_list():
			var animation := player.get_animation(name)
			if not animation.has_meta("moves"):
				continue
			var own: Array = animation.get_meta("moves")
			for track in range(animation.get_track_count() - 1, -1, -1):
				if not own.has(str(animation.track_get_path(track))):
					animation.remove_track(track)
			animation.remove_meta("moves")
