@tool
extends RefCounted
## The sky around the camera: without parallax and behind everything, as in the game. The file has it as a box around the map.

const FIRST := -120  # render_priority of the first layer: a sky's layers are drawn before everything else that is transparent
const MARGIN := 16384.0  # the greatest that Godot accepts; the sky is drawn wherever the camera is


## Reports whether a material is drawn around the camera. A sky that another program has quantized stays in place, because quantization
## changes its node.
static func is_around(json: Dictionary, mesh: int, surface: int, described: Dictionary) -> bool:
	if not described.get("extras", {}).has("bsp2gltf_sky"):
		return false
	var primitive: Dictionary = json.meshes[mesh].primitives[surface]
	return int(json.accessors[int(primitive.attributes.POSITION)].componentType) == 5126


## The shader's text for a material around the camera.
static func declare(code: String) -> String:
	return code.replace("/* The sky", "// The sky").replace("} // of the sky */", "}")


## Makes a sky's layers draw in their order, before nearer things.
static func order(material: ShaderMaterial, described: Dictionary) -> void:
	var layer := clampi(int(described.extras.get("sort", 3)) + int(described.get("alphaMode") == "BLEND"), 0, 100)
	material.render_priority = FIRST + layer
	material.set_shader_parameter("sky_layer", float(mini(layer, 10)))


## Keeps skies from being culled while the camera is outside their box. In the editor it is called after the import, when the final
## nodes exist; for files that a game loads, it is called at once.
static func never_cull(root: Node) -> void:
	for node: Node in root.find_children("*", "MeshInstance3D", true, false):
		if node.get_meta("extras", {}).has("bsp2gltf_sky"):
			node.set("extra_cull_margin", MARGIN)
