@tool
extends GLTFDocumentExtension
## Godot 4: gives materials with MOZ_lightmap, and unlit ones with colours at their vertices, a shader that shows their light as
## docs/light.md says, hides the map's lamps, keeps the entities' keys as metadata "extras", makes few physics bodies of the map's
## brushes, and lets play what moves by itself. It keeps no state, as Godot wants it.
##
## For files that are loaded while the game runs: GLTFDocument.register_gltf_document_extension(
## preload("res://addons/bsp2gltf/baked_light.gd").new()).

const EXTENSION := "MOZ_lightmap"
const SHADER := preload("baked.gdshader")
const Bodies := preload("bodies.gd")
const Acts := preload("acts.gd")


func _import_preflight(state: GLTFState, extensions: PackedStringArray) -> Error:
	var generator: String = state.json.get("asset", {}).get("generator", "")
	return OK if extensions.has(EXTENSION) or generator.begins_with("bsp2gltf") else ERR_SKIP


func _get_supported_extensions() -> PackedStringArray:
	return PackedStringArray([EXTENSION])


func _import_post_parse(state: GLTFState) -> Error:
	var described: Array = state.json.get("materials", [])
	var made := {}  # the material's number, and whether its mesh has colours, to the shader's material
	for gltf_mesh: GLTFMesh in state.meshes:
		var mesh := gltf_mesh.mesh
		for surface in mesh.get_surface_count():
			var index := state.materials.find(mesh.get_surface_material(surface))
			if index < 0 or index >= described.size():
				continue
			# Not get_surface_format(): it names no arrays while a file is imported.
			var arrays := mesh.get_surface_arrays(surface)
			var colored: bool = arrays[Mesh.ARRAY_COLOR] != null
			var uv2: bool = arrays[Mesh.ARRAY_TEX_UV2] != null
			if not _is_baked(described[index], colored):
				continue
			var key := [index, colored, uv2]
			if not made.has(key):
				made[key] = _material(state, described[index], colored, uv2)
			mesh.set_surface_material(surface, made[key])
	return OK


func _import_node(_state: GLTFState, _gltf_node: GLTFNode, json: Dictionary, node: Node) -> Error:
	if node == null:
		return OK
	if node is Light3D:
		node.visible = false  # its light is in the lightmaps
	if json.has("extras") and not node.has_meta("extras"):  # Godot does it from 4.4 on
		node.set_meta("extras", json["extras"])
	if json.get("extras", {}).has("bsp2gltf_sky") and "cast_shadow" in node:  # a box around the map would keep all lamps' light out
		node.set("cast_shadow", GeometryInstance3D.SHADOW_CASTING_SETTING_OFF)
	return OK


func _import_post(state: GLTFState, root: Node) -> Error:
	Bodies.replace_brushes(root)
	Acts.settle(state, root)
	return OK


## The shader shows these materials: with a lightmap, with light at the vertices, or added to the background.
func _is_baked(described: Dictionary, colored: bool) -> bool:
	var extensions: Dictionary = described.get("extensions", {})
	return extensions.has(EXTENSION) or extensions.has("KHR_materials_unlit") and (colored or _is_added(described))


func _is_added(described: Dictionary) -> bool:
	return described.get("alphaMode") == "BLEND" and described.get("extras", {}).get("blend") == "add"


func _material(state: GLTFState, described: Dictionary, colored: bool, uv2: bool) -> ShaderMaterial:
	var material := ShaderMaterial.new()
	var extensions: Dictionary = described.get("extensions", {})
	var pbr: Dictionary = described.get("pbrMetallicRoughness", {})
	material.resource_name = described.get("name", "")
	material.shader = _shader(described)
	var factor := _vector4(pbr.get("baseColorFactor", [1, 1, 1, 1]))
	material.set_shader_parameter("base_color", factor)
	_set_texture(state, material, "base_map", pbr.get("baseColorTexture", {}))
	var strength: float = extensions.get("KHR_materials_emissive_strength", {}).get("emissiveStrength", 1.0)
	material.set_shader_parameter("emission", _vector3(described.get("emissiveFactor", [0, 0, 0])) * strength)
	_set_texture(state, material, "emission_map", described.get("emissiveTexture", {}))
	material.set_shader_parameter("cutoff", described.get("alphaCutoff", 0.5) if described.get("alphaMode") == "MASK" else 0.0)
	var light: Dictionary = extensions.get(EXTENSION, extensions.get("KHR_materials_unlit", {}))
	var display: Dictionary = light.get("extras", {}).get("display", {})
	var vertex_light := colored and not display.is_empty() and not light.has("index")
	material.set_shader_parameter("vertex_light", 1.0 if vertex_light else 0.0)
	material.set_shader_parameter("vertex_color", 1.0 if colored and not vertex_light else 0.0)
	if light.has("index") and not uv2:
		return material  # without the UVs it has full light
	_set_texture(state, material, "baked_map", light)
	var gain: float = display.get("gain", 1.0)
	var intensity: float = light.get("intensity", 1.0) / pow(gain, 2.2)
	if vertex_light:  # the file's texture is brighter by a factor, and its light less
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


## The shader, as the material is blended and has sides: those are fixed when a shader is compiled.
func _shader(described: Dictionary) -> Shader:
	var blend: bool = described.get("alphaMode") == "BLEND"
	var sides: bool = described.get("doubleSided", false)
	if not blend and not sides:
		return SHADER
	var shader := Shader.new()
	var code := SHADER.code
	if sides:
		code = code.replace("cull_back", "cull_disabled")
	if blend:
		code = code.replace("// ALPHA = base.a;", "ALPHA = base.a;")
	if _is_added(described):
		code = code.replace("unshaded,", "unshaded, blend_add,")
	shader.code = code
	return shader


func _set_texture(state: GLTFState, material: ShaderMaterial, parameter: String, info: Dictionary) -> void:
	if not info.has("index"):
		return
	var texture: GLTFTexture = state.textures[int(info["index"])]
	if texture.src_image >= 0 and texture.src_image < state.images.size():
		material.set_shader_parameter(parameter, state.images[texture.src_image])


func _vector3(numbers: Array) -> Vector3:
	return Vector3(numbers[0], numbers[1], numbers[2])


func _vector4(numbers: Array) -> Vector4:
	return Vector4(numbers[0], numbers[1], numbers[2], numbers[3])
