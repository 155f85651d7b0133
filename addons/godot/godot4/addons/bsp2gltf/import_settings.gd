@tool
extends EditorScenePostImportPlugin
## The Import dock's settings for maps, and what must be done in Godot's own import steps. It keeps Godot from making new lightmap UVs.
## It removes tracks that Godot's importer adds (it gives each animation the rest pose of every node that any animation moves, so that
## an opening door would reset platforms and trains: the import setting *Position: If Present for All*). It keeps skies from being
## culled, which needs their final nodes.

const Around := preload("around.gd")
const Sprites := preload("sprites.gd")
const Mapping := preload("mapping.gd")
const Bodies := preload("bodies.gd")
const BakedLight := preload("baked_light.gd")
const UNWRAPS := 2  # meshes/light_baking: Static Lightmaps


func _get_import_options(path: String) -> void:
	if path.get_extension() in ["glb", "gltf", "bsp", ""]:
		add_import_option_advanced(TYPE_INT, "bsp2gltf/textures", 0, PROPERTY_HINT_ENUM, "Lossless,Basis Universal")
		add_import_option("bsp2gltf/light_probes", true)
		add_import_option("bsp2gltf/environment", true)
		add_import_option_advanced(TYPE_INT, "bsp2gltf/collision", Bodies.Shapes.AUTOMATIC, PROPERTY_HINT_ENUM,
			"Automatic,Convex Brushes,Triangles by Area")
		add_import_option_advanced(TYPE_STRING, "bsp2gltf/mapping", "", PROPERTY_HINT_FILE, "*.tres,*.res")
		add_import_option("bsp2gltf/play", false)
		for layer: String in Bodies.LAYERS:
			add_import_option_advanced(TYPE_INT, layer, Bodies.LAYERS[layer], PROPERTY_HINT_LAYERS_3D_PHYSICS)


func _pre_process(scene: Node) -> void:
	if scene.has_meta("bsp2gltf") and get_option_value("meshes/light_baking") == UNWRAPS:
		push_warning("bsp2gltf: Meshes > Light Baking is Static Lightmaps, which would replace the UVs of the map's light: the meshes of this map "
			+ "keep theirs, without levels of detail. Use Static.")
		for node in scene.find_children("*", "ImporterMeshInstance3D", true, false):
			_finish(node)


## Replaces a mesh that is being imported by one that Godot does not change.
func _finish(node: ImporterMeshInstance3D) -> void:
	var made := MeshInstance3D.new()
	made.name = node.name
	made.transform = node.transform
	made.mesh = node.mesh.get_mesh() if node.mesh != null else null
	made.skin = node.skin
	made.skeleton = node.skeleton_path
	made.visible = node.visible
	made.cast_shadow = node.cast_shadow
	made.gi_mode = GeometryInstance3D.GI_MODE_STATIC
	for key in node.get_meta_list():
		made.set_meta(key, node.get_meta(key))
	node.replace_by(made, true)
	node.free()


func _post_process(scene: Node) -> void:
	Around.never_cull(scene)
	Sprites.never_cull(scene)
	BakedLight.group_by_class(scene)  # again, because the meshes have lost their groups
	if scene.has_meta("bsp2gltf") and not scene.get_meta("bsp2gltf").has("bsp2gltf_map"):
		for model: GeometryInstance3D in scene.find_children("*", "GeometryInstance3D", true, false):
			model.gi_mode = GeometryInstance3D.GI_MODE_DYNAMIC  # a model gets light from the probes of the map in which it is placed
	if scene.has_meta("bsp2gltf"):
		_complete(scene)
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


## Adds the project's own scenes and materials, and the script that makes a map playable.
func _complete(scene: Node) -> void:
	var path: String = get_option_value("bsp2gltf/mapping")
	var mapping: Resource = load(path) if path != "" else null
	if path != "" and not mapping is Mapping:
		push_error("bsp2gltf: %s is no Bsp2gltfMapping: choose another file in the Import dock" % path)
		mapping = null
	if mapping != null:
		mapping.apply(scene)
	if get_option_value("bsp2gltf/play"):
		var entities := Node.new()
		entities.name = "entities"
		entities.set_script(load("res://addons/bsp2gltf/entities.gd"))
		entities.players_layer = get_option_value("bsp2gltf/layers/players")
		entities.mapping = mapping
		scene.add_child(entities)
		entities.owner = scene
