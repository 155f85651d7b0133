@tool
extends RefCounted
## Pictures that face the viewer (docs/internals/readers.md): the shader turns them. A glow keeps the size that the file has.


## For each mesh of a file that is a sprite which faces the viewer: true if it turns about the vertical only. Its first node decides.
static func read(json: Dictionary) -> Dictionary:
	var found := {}
	for node: Dictionary in json.get("nodes", []):
		var extras: Dictionary = node.get("extras", {})
		if node.has("mesh") and extras.has("faces_viewer") and not found.has(int(node.mesh)):
			found[int(node.mesh)] = extras.has("upright")
	return found


## The text of the shader that turns a sprite to the eye.
static func declare(code: String, upright: bool) -> String:
	code = code.replace("/* A sprite", "// A sprite").replace("} // of a sprite */", "}")
	return code.replace("const bool UPRIGHT = false", "const bool UPRIGHT = true") if upright else code


## Keeps a sprite from being culled where it reaches further than at rest.
static func never_cull(root: Node) -> void:
	for node: Node in root.find_children("*", "MeshInstance3D", true, false):
		if node.get_meta("extras", {}).has("faces_viewer"):
			node.set("extra_cull_margin", (node as MeshInstance3D).get_aabb().get_longest_axis_size())
