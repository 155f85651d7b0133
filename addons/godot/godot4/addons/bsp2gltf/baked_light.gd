@tool
extends GLTFDocumentExtension
## Godot 4's import of converted maps. Materials with MOZ_lightmap, and unlit ones with vertex colours, get a shader that shows their
## light by docs/internals/light.md, exposure, fog, and the sky around the camera. The map's lamps are hidden. Entities keep their keys
## as metadata "extras" and are in a group of their class. Brushes become few physics bodies, and what moves by itself plays. This class
## keeps no state, which Godot requires.
##
## For files that are loaded while the game runs:
## GLTFDocument.register_gltf_document_extension(preload("res://addons/bsp2gltf/baked_light.gd").new()).

const EXTENSION := "MOZ_lightmap"
const Billboards := preload("billboards.gd")
const Bodies := preload("bodies.gd")
const Players := preload("players.gd")
const Fog := preload("fog.gd")
const Shaders := preload("shaders.gd")
const Around := preload("around.gd")
const Sprites := preload("sprites.gd")
const Motion := preload("motion.gd")
const Probes := preload("probes.gd")
const Surroundings := preload("surroundings.gd")


func _import_preflight(state: GLTFState, extensions: PackedStringArray) -> Error:
	var generator: String = state.json.get("asset", {}).get("generator", "")
	if not extensions.has(EXTENSION) and not generator.begins_with("bsp2gltf"):
		return ERR_SKIP
	if Engine.is_editor_hint():
		load("res://addons/bsp2gltf/textures.gd").extract(state, _options(state))
	Bodies.take_brushes(state)
	return OK


## The settings of the Import dock for a file that the editor imports.
func _options(state: GLTFState) -> Dictionary:
	if state.has_meta("bsp2gltf_options"):
		return state.get_meta("bsp2gltf_options")
	var config := ConfigFile.new()
	var found := {}
	for extension in ["glb", "gltf", "bsp"]:
		if config.load("%s.%s.import" % [state.base_path.path_join(state.filename), extension]) == OK:
			for key in config.get_section_keys("params") if config.has_section("params") else PackedStringArray():
				found[key] = config.get_value("params", key)
			break
	return found


func _get_supported_extensions() -> PackedStringArray:
	return PackedStringArray([EXTENSION])


func _import_post_parse(state: GLTFState) -> Error:
	var described: Array = state.json.get("materials", [])
	var air := Fog.read(state)
	_color_images(state)
	var shaders := Shaders.new()
	var sprites := Sprites.read(state.json)
	var made := {}  # the material's number, the mesh's vertex data, and whether it is in the 3D skybox or faces the camera, to the material
	var unit: float = _scene_extras(state).get("bsp2gltf_unit", 1.0 / 32.0)
	var meshes := state.meshes  # Godot copies the list at each access
	var materials := state.materials
	for number in meshes.size():
		var mesh := Billboards.prepare(meshes[number].mesh, materials, described)
		meshes[number].mesh = mesh
		var in_box: bool = air.box_meshes.has(number)
		for surface in mesh.get_surface_count():
			var index := materials.find(mesh.get_surface_material(surface))
			if index < 0 or index >= described.size():
				continue
			# Not get_surface_format(), which has no arrays while a file is imported.
			var arrays := mesh.get_surface_arrays(surface)
			var colored: bool = arrays[Mesh.ARRAY_COLOR] != null
			var uv2: bool = arrays[Mesh.ARRAY_TEX_UV2] != null
			var facing: Variant = sprites.get(number)
			if not _is_baked(described[index], colored or facing != null, air):
				continue
			var key := [index, colored, uv2, in_box, facing]
			if not made.has(key):
				made[key] = _material(state, described[index], colored, uv2)
				var around_eye := Around.is_around(state.json, number, surface, described[index])
				shaders.give(made[key], state.json, described[index], air.volumes, around_eye, facing, unit)
				if around_eye:
					Around.order(made[key], described[index])
				var extras: Dictionary = described[index].get("extras", {})
				Fog.apply(made[key], air, extras.has("bsp2gltf_sky"), in_box, Shaders.is_added(described[index]), Shaders.is_multiplied(described[index]))
				if extras.has("bsp2gltf_fog") and not air.volumes.is_empty():  # a layer that replaces fog where volumes are not shaded
					made[key].set_shader_parameter("cutoff", 2.0)  # no alpha reaches it
			mesh.set_surface_material(surface, made[key])
	return OK


func _import_node(_state: GLTFState, _gltf_node: GLTFNode, json: Dictionary, node: Node) -> Error:
	if node == null:
		return OK
	if node is Light3D:
		node.visible = false  # its light is in the lightmaps
	if json.has("extras") and not node.has_meta("extras"):  # Godot does so from 4.4 on
		node.set_meta("extras", json["extras"])
	if json.get("extras", {}).has("bsp2gltf_sky") and "cast_shadow" in node:  # a box around the map would block all light of lamps
		node.set("cast_shadow", GeometryInstance3D.SHADOW_CASTING_SETTING_OFF)
	return OK


func _import_post(state: GLTFState, root: Node) -> Error:
	root.set_meta("bsp2gltf", _scene_extras(state))
	Around.never_cull(root)
	Sprites.never_cull(root)
	var options := _options(state)
	Bodies.make(state, root, options)
	Players.split(state, root)
	group_by_class(root)
	if root.get_meta("bsp2gltf").has("bsp2gltf_map"):
		_light_what_is_added(state, root, options)
	return OK


## Puts each entity into the group of its class.
static func group_by_class(root: Node) -> void:
	for node: Node in root.find_children("*", "Node3D", true, false):
		var entity: String = node.get_meta("extras", {}).get("classname", "")
		if entity != "":
			node.add_to_group(entity, true)


## Adds light probes and an environment for objects that a game adds to the map.
func _light_what_is_added(state: GLTFState, root: Node, options: Dictionary) -> void:
	var mean := Vector3.ONE * 0.25
	if options.get("bsp2gltf/light_probes", true):
		var probes := Probes.make(state, root)
		if probes != null:
			mean = probes.get_meta("mean")
			root.add_child(probes, true)
			probes.owner = root
	if options.get("bsp2gltf/environment", true):
		var surroundings := Surroundings.make(state, root, mean)
		root.add_child(surroundings, true)
		surroundings.owner = root


## The extras of the whole map, without those that only this plugin reads.
func _scene_extras(state: GLTFState) -> Dictionary:
	var scenes: Array = state.json.get("scenes", [{}])
	var extras: Dictionary = scenes[int(state.json.get("scene", 0))].get("extras", {}).duplicate()
	extras.erase("bsp2gltf_light_grid")
	return extras


## Reports whether the shader shows a material: with a lightmap, with light at the vertices, additive, of the sky, or, if the map has
## exposure or fog, every unlit material.
func _is_baked(described: Dictionary, colored: bool, air: Dictionary) -> bool:
	var extensions: Dictionary = described.get("extensions", {})
	var extras: Dictionary = described.get("extras", {})
	var special := extras.has("bsp2gltf_sky") or colored or Shaders.is_added(described) or Shaders.is_multiplied(described) or Fog.changes(air) or extras.has("motion")
	return extensions.has(EXTENSION) or extensions.has("KHR_materials_unlit") and special


func _material(state: GLTFState, described: Dictionary, colored: bool, uv2: bool) -> ShaderMaterial:
	var material := ShaderMaterial.new()
	var extensions: Dictionary = described.get("extensions", {})
	var pbr: Dictionary = described.get("pbrMetallicRoughness", {})
	material.resource_name = described.get("name", "")
	var factor := _vector4(pbr.get("baseColorFactor", [1, 1, 1, 1]))
	material.set_shader_parameter("base_color", factor)
	_set_texture(state, material, "base_map", pbr.get("baseColorTexture", {}))
	var strength: float = extensions.get("KHR_materials_emissive_strength", {}).get("emissiveStrength", 1.0)
	material.set_shader_parameter("emission", _vector3(described.get("emissiveFactor", [0, 0, 0])) * strength)
	_set_texture(state, material, "emission_map", described.get("emissiveTexture", {}))
	var frames := Motion.frames(described)
	for number in frames.size():
		_set_texture(state, material, "frame_%d" % number, {"index": frames[number]})
	material.set_shader_parameter("cutoff", described.get("alphaCutoff", 0.5) if described.get("alphaMode") == "MASK" else 0.0)
	var light: Dictionary = extensions.get(EXTENSION, extensions.get("KHR_materials_unlit", {}))
	var display: Dictionary = light.get("extras", {}).get("display", {})
	var vertex_light := colored and not display.is_empty() and not light.has("index")
	material.set_shader_parameter("vertex_light", 1.0 if vertex_light else 0.0)
	material.set_shader_parameter("vertex_color", 1.0 if colored and not vertex_light else 0.0)
	if light.has("index") and not uv2:
		return material  # without UVs for the lightmap, it has full light
	_set_texture(state, material, "baked_map", light)
	var gain: float = display.get("gain", 1.0)
	var intensity: float = light.get("intensity", 1.0) / pow(gain, 2.2)
	if vertex_light:  # by this factor the file's texture is brighter, its light darker
		var brighter: float = display.get("texture", 1.0)
		intensity *= brighter
		factor = Vector4(factor.x / brighter, factor.y / brighter, factor.z / brighter, factor.w)
		material.set_shader_parameter("base_color", factor)
	material.set_shader_parameter("intensity", intensity)
	if not display.is_empty():
		var curve := Vector4(display.get("albedo", 0.35), display.get("exponent", 1.0), 1.0, gain)
		material.set_shader_parameter("curve", curve)
		material.set_shader_parameter("emission_scale", _vector3(display.get("emission", [1, 1, 1])))
	return material


func _set_texture(state: GLTFState, material: ShaderMaterial, parameter: String, info: Dictionary) -> void:
	if not info.has("index"):
		return
	var texture: GLTFTexture = state.textures[int(info["index"])]
	var images := state.images
	if texture.src_image >= 0 and texture.src_image < images.size():
		material.set_shader_parameter(parameter, images[texture.src_image])


## Makes grey images RGB: Forward+ and Mobile take grey texels as linear, and would show them too bright.
func _color_images(state: GLTFState) -> void:
	var images: Array[Texture2D] = state.get_images()
	for index in images.size():
		var image: Image = images[index].get_image() if images[index] != null else null
		if image == null or not image.get_format() in [Image.FORMAT_L8, Image.FORMAT_LA8]:
			continue
		image.convert(Image.FORMAT_RGB8 if image.get_format() == Image.FORMAT_L8 else Image.FORMAT_RGBA8)
		images[index] = ImageTexture.create_from_image(image)
	state.set_images(images)


func _vector3(numbers: Array) -> Vector3:
	return Vector3(numbers[0], numbers[1], numbers[2])


func _vector4(numbers: Array) -> Vector4:
	return Vector4(numbers[0], numbers[1], numbers[2], numbers[3])
