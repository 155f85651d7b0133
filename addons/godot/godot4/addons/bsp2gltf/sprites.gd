@tool
extends RefCounted
## Sprites that face the viewer (docs/internals/readers.md): the shader rotates them. A glow keeps the size that it has in the file.


## The meshes of a file that are sprites facing the viewer: true if one rotates about the vertical only. The first node of a mesh
## decides.
static func read(json: Dictionary) -> Dictionary:
	var found := {}
	for node: Dictionary in json.get("nodes", []):
		var extras: Dictionary = node.get("extras", {})
		if node.has("mesh") and extras.has("faces_viewer") and not found.has(int(node.mesh)):
			found[int(node.mesh)] = extras.has("upright")
	return found


## The shader's text with the rotation of a sprite to the camera.
static func declare(code: String, upright: bool) -> String:
	code = code.replace("/* A sprite", "// A sprite").replace("} // of a sprite */", "}")
	return code.replace("const bool UPRIGHT = false", "const bool UPRIGHT = true") if upright else code


## Keeps sprites from being culled where they extend beyond their bounds at rest.
static func never_cull(root: Node) -> void:
	for node: Node in root.find_children("*", "MeshInstance3D", true, false):
		if node.get_meta("extras", {}).has("faces_viewer"):
			node.set("extra_cull_margin", (node as MeshInstance3D).get_aabb().get_longest_axis_size())
