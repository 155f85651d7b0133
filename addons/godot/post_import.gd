tool
extends EditorScenePostImport
# Godot 3's import of converted maps: shows the baked light (MOZ_lightmap) of a .glb by Godot's own material, and the sky around the
# camera by a shader. Name this file as the scene's "Custom Script" in the Import dock and press Reimport. The lightmap becomes the
# material's detail layer: UV2, multiply. It also makes KHR_materials_unlit unshaded and shows its vertex colours, which Godot 3.2's
# importer does not.

const EXTENSION = "MOZ_lightmap"
const MARGIN = 16384.0 # the greatest that Godot accepts; the sky is drawn wherever the camera is
# Draws a surface around the camera, at the greatest depth.
const SKY = """
shader_type spatial;
render_mode unshaded, shadows_disabled;
uniform vec4 base_color : hint_color = vec4(1.0);
uniform sampler2D base_map : hint_albedo;
void vertex() {
	vec3 way = (INV_CAMERA_MATRIX * vec4((WORLD_MATRIX * vec4(VERTEX, 0.0)).xyz, 0.0)).xyz;
	POSITION = PROJECTION_MATRIX * vec4(way, 1.0);
	POSITION.z = POSITION.w;
}
void fragment() {
	vec4 base = texture(base_map, UV) * base_color;
	ALBEDO = base.rgb;
	// ALPHA = base.a;
}
"""

var json: Dictionary
var binary_at: int
var file := File.new()
var textures := {} # glTF texture index to ImageTexture
var done := {} # material to its lit copy
var skies := {} # material name of a sky to its description in the file

func post_import(scene: Object) -> Object:
	if file.open(get_source_file(), File.READ) != OK or file.get_32() != 0x46546C67:
		push_warning("bsp2gltf: not a .glb: " + get_source_file())
		return scene
	file.seek(12)
	var length := file.get_32()
	file.get_32()
	json = JSON.parse(file.get_buffer(length).get_string_from_utf8()).result
	binary_at = 20 + length + 8
	var lightmaps := {} # material name to its MOZ_lightmap, or to {} for an unlit one
	for material in json.get("materials", []):
		var extensions: Dictionary = material.get("extensions", {})
		if material.get("extras", {}).has("bsp2gltf_sky"):
			skies[material.get("name", "")] = material
		if extensions.has("KHR_materials_unlit"):
			lightmaps[material.get("name", "")] = {}
		elif extensions.has(EXTENSION):
			lightmaps[material.get("name", "")] = extensions[EXTENSION]
	walk(scene, lightmaps)
	file.close()
	return scene

func walk(node: Node, lightmaps: Dictionary) -> void:
	if node is MeshInstance:
		for i in node.mesh.get_surface_count():
			var material: Material = node.mesh.surface_get_material(i)
			if material is SpatialMaterial and lightmaps.has(material.resource_name):
				if skies.has(material.resource_name):
					node.mesh.surface_set_material(i, sky(material))
					node.extra_cull_margin = MARGIN
					continue
				var lightmap: Dictionary = lightmaps[material.resource_name]
				var format: int = node.mesh.surface_get_format(i)
				if lightmap.empty():
					node.mesh.surface_set_material(i, unlit(material, (format & ArrayMesh.ARRAY_FORMAT_COLOR) != 0))
				elif (format & ArrayMesh.ARRAY_FORMAT_TEX_UV2) != 0:
					node.mesh.surface_set_material(i, lit(material, lightmap, (format & ArrayMesh.ARRAY_FORMAT_COLOR) != 0))
	if node is Light:
		node.visible = false # its light is in the lightmaps
	for child in node.get_children():
		walk(child, lightmaps)

func sky(material: SpatialMaterial) -> ShaderMaterial:
	if not done.has(material):
		var shader := Shader.new()
		shader.code = SKY.replace("// ALPHA", "ALPHA") if material.flags_transparent else SKY
		var shown := ShaderMaterial.new()
		shown.resource_name = material.resource_name
		shown.shader = shader
		shown.set_shader_param("base_color", material.albedo_color)
		shown.set_shader_param("base_map", material.albedo_texture)
		var described: Dictionary = skies[material.resource_name]
		if is_clamped(described) and material.albedo_texture:
			material.albedo_texture.flags &= ~Texture.FLAG_REPEAT # otherwise the edge of a side shows its opposite edge
		shown.render_priority = -120 + int(clamp(described.extras.get("sort", 3), 0, 100))
		done[material] = shown
	return done[material]

func is_clamped(described: Dictionary) -> bool:
	var base: Dictionary = described.get("pbrMetallicRoughness", {}).get("baseColorTexture", {})
	var sampler: int = json.textures[base.index].get("sampler", -1) if base.has("index") else -1
	return sampler >= 0 and json.samplers[sampler].get("wrapS", 10497) == 33071

func unlit(material: SpatialMaterial, colours: bool) -> SpatialMaterial:
	if not done.has(material):
		var copy: SpatialMaterial = material.duplicate()
		copy.flags_unshaded = true
		copy.vertex_color_use_as_albedo = colours
		done[material] = copy
	return done[material]

func lit(material: SpatialMaterial, lightmap: Dictionary, colours: bool) -> SpatialMaterial:
	if not done.has(material):
		var copy: SpatialMaterial = material.duplicate()
		copy.flags_unshaded = true
		copy.vertex_color_use_as_albedo = colours
		copy.detail_enabled = true
		copy.detail_uv_layer = SpatialMaterial.DETAIL_UV_2
		copy.detail_blend_mode = SpatialMaterial.BLEND_MODE_MUL
		copy.detail_albedo = texture(int(lightmap.index))
		# The colour gets the intensity. It is sRGB and may exceed 1.
		var scale := pow(lightmap.get("intensity", 1.0), 1 / 2.2)
		var c := copy.albedo_color
		copy.albedo_color = Color(c.r * scale, c.g * scale, c.b * scale, c.a)
		done[material] = copy
	return done[material]

func texture(index: int) -> ImageTexture:
	if not textures.has(index):
		var source: Dictionary = json.images[json.textures[index].source]
		var made := ImageTexture.new()
		if source.has("bufferView"):
			var view: Dictionary = json.bufferViews[source.bufferView]
			file.seek(binary_at + int(view.get("byteOffset", 0)))
			var image := Image.new()
			if image.load_png_from_buffer(file.get_buffer(int(view.byteLength))) == OK:
				made.create_from_image(image, Texture.FLAG_FILTER)
		textures[index] = made
	return textures[index]
