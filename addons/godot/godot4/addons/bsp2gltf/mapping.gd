@tool
class_name Bsp2gltfMapping
extends Resource
## What a project uses in place of things that a map names. Save it as a .tres and choose it in the Import dock of maps
## (bsp2gltf/mapping). Names may contain the wildcards * and ?; of several matches the longest pattern counts. A @tool script that
## extends this one can override _post_import().

## Scenes by entity class ("item_health*"). An instance becomes a child of the entity's node. Its exported variables that are named like
## keys of the entity get their values, and its metadata "extras" has all keys. The entity's own model is hidden, unless it is part of
## the map.
@export var scenes: Dictionary[String, PackedScene]

## The project's materials by material name of the map ("textures/base_wall/*"). A ShaderMaterial with the parameters of baked.gdshader
## (baked_map, intensity, curve) gets the map's values for them.
@export var materials: Dictionary[String, Material]

## Streams by sound name of the map ("sound/world/*"), for entities.gd.
@export var sounds: Dictionary[String, AudioStream]


## Called last, when a map has been imported.
func _post_import(_scene: Node) -> void:
	pass


## Puts the mapped scenes and materials into a map's scene.
func apply(scene: Node) -> void:
	for node: Node in scene.find_children("*", "Node3D", true, false):
		var keys: Dictionary = node.get_meta("extras", {})
		var packed: PackedScene = find(scenes, str(keys.get("classname", "")))
		if packed != null:
			_place(packed, node, keys, scene)
	if not materials.is_empty():
		var done := {}
		for node: MeshInstance3D in scene.find_children("*", "MeshInstance3D", true, false):
			if node.mesh != null and not done.has(node.mesh):
				done[node.mesh] = true
				_dress(node.mesh)
	_post_import(scene)


## The value of the longest matching pattern, or null.
static func find(named: Dictionary, name: String) -> Variant:
	var best := ""
	for pattern: String in named:
		if name != "" and name.matchn(pattern) and pattern.length() > best.length():
			best = pattern
	return named[best] if best != "" else null


## Adds an instance of packed to an entity's node.
func _place(packed: PackedScene, node: Node, keys: Dictionary, scene: Node) -> void:
	if not str(keys.get("model", "")).begins_with("*"):
		for mesh: Node in node.find_children("*", "VisualInstance3D", true, false):
			mesh.set("visible", false)
		if node is MeshInstance3D:
			node.mesh = null
	var instance := packed.instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE if Engine.is_editor_hint() else PackedScene.GEN_EDIT_STATE_DISABLED)
	instance.set_meta("extras", keys)
	var script := instance.get_script() as Script  # in the editor, the instance itself has no script variables
	for property in script.get_script_property_list() if script != null else []:
		if property.usage & PROPERTY_USAGE_STORAGE and keys.has(property.name):
			instance.set(property.name, type_convert(keys[property.name], property.type))
	node.add_child(instance, true)
	instance.owner = scene


## Replaces the materials of a mesh by those that the mapping has for them.
func _dress(mesh: Mesh) -> void:
	for surface in mesh.get_surface_count():
		var own := mesh.surface_get_material(surface)
		var wanted: Material = find(materials, own.resource_name) if own != null else null
		if wanted == null:
			continue
		if wanted is ShaderMaterial and own is ShaderMaterial:
			wanted = wanted.duplicate()
			for uniform: Dictionary in wanted.shader.get_shader_uniform_list():
				if uniform.name in ["baked_map", "intensity", "curve", "vertex_light"] and own.get_shader_parameter(uniform.name) != null:
					wanted.set_shader_parameter(uniform.name, own.get_shader_parameter(uniform.name))
		mesh.surface_set_material(surface, wanted)
