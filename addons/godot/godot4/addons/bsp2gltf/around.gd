@tool
extends RefCounted
## The sky around the eye: without parallax and behind all else, as in the game. The file has it as a box around the map.

const FIRST := -120  # of render_priority: the sheets of a sky are drawn before all else that can be seen through
const MARGIN := 16384.0  # the most that Godot takes; the sky is drawn wherever the eye is


## Whether a material is drawn around the eye. A sky that another program has quantized stays where it is: such a program moves its node.
static func is_around(json: Dictionary, mesh: int, surface: int, described: Dictionary) -> bool:
	if not described.get("extras", {}).has("bsp2gltf_sky"):
		return false
	var primitive: Dictionary = json.meshes[mesh].primitives[surface]
	return int(json.accessors[int(primitive.attributes.POSITION)].componentType) == 5126


## The text of the shader that draws a material around the eye.
static func declare(code: String) -> String:
	return code.replace("/* The sky", "// The sky").replace("} // of the sky */", "}")


## Draws a sky's sheets in their order, before what is nearer.
static func order(material: ShaderMaterial, described: Dictionary) -> void:
	var sheet := clampi(int(described.extras.get("sort", 0)), int(described.get("alphaMode") == "BLEND"), 100)
	material.render_priority = FIRST + sheet
	material.set_shader_parameter("sky_sheet", float(mini(sheet, 10)))


## Keeps skies from being culled where the eye is outside of their box. Called after an import into the editor it finds their nodes as
## they will be; called at once it serves files that a game loads.
static func never_cull(root: Node) -> void:
	for node: Node in root.find_children("*", "MeshInstance3D", true, false):
		if node.get_meta("extras", {}).has("bsp2gltf_sky"):
			node.set("extra_cull_margin", MARGIN)
