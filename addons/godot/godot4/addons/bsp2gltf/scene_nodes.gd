@tool
extends RefCounted
## Finds the nodes of the scene that Godot makes of a file's nodes.


## The nodes of a scene by their numbers in the file. A game that loads a file while it runs has other nodes than GLTFState says: before our
## extension is called, Godot has replaced those with meshes, by nodes of the same names.
static func of(state: GLTFState, root: Node) -> Dictionary:
	var found := {}
	var names := {}
	if not Engine.is_editor_hint():
		for node: Node in [root] + root.find_children("*", "", true, false):
			if not names.has(node.name):
				names[node.name] = node
	var nodes := state.nodes
	for index in nodes.size():
		var node: Node = state.get_scene_node(index) if Engine.is_editor_hint() else names.get(StringName(nodes[index].resource_name))
		if node != null:
			found[index] = node
	return found
