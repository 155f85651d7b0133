@tool
extends RefCounted
## Makes few physics bodies of a map's brushes (geometry.collision=brushes), where Godot would make a body of each: below each parent one for
## each kind of contents and each area of the map. Each brush is a convex shape of its body, each curved surface a shape of triangles.

const SUFFIX := "-convcolonly"
const CURVED := "-colonly"  # a curved surface: its triangles, seen from the front
const AREA := 32.0  # metres along each side of an area

## Contents that stop what walks. They become a StaticBody3D.
const SOLID: Array[String] = ["solid", "window", "grate", "playerclip", "terrain", "moveable"]

## Contents in which something happens. They become an Area3D, as the brushes of triggers do. The others are for bots and compilers.
const VOLUMES: Array[String] = ["water", "slime", "lava", "fog", "ladder", "trigger", "teleporter", "jumppad", "nodrop"]


## Replaces the brushes of a scene that is being imported.
static func replace_brushes(root: Node) -> void:
	var bodies := {}  # parent, contents and area to body
	for node in root.find_children("*" + SUFFIX + "*", "Node3D", true, false) + root.find_children("*" + CURVED + "*", "Node3D", true, false):
		if not (node is ImporterMeshInstance3D or node is MeshInstance3D) or node.mesh == null:
			continue
		var parent: Node = node.get_parent()
		var names: String = node.get_meta("extras", {}).get("contents_names", "")
		var kind := _kind(names, parent)
		if kind != "":
			var points := _points(node)
			var key := [parent, names, _area(node.transform * _middle(points))]
			if not bodies.has(key):
				bodies[key] = _body(kind, key)
				parent.add_child(bodies[key], true)
				bodies[key].owner = root
			_add_shape(bodies[key], node, points, root)
		parent.remove_child(node)
		node.free()


## The class of the body for contents, or "" for contents that stop nothing.
static func _kind(names: String, parent: Node) -> String:
	var words := names.split(" ")
	var solid := SOLID.any(func(word: String) -> bool: return words.has(word))
	var trigger: bool = str(parent.get_meta("extras", {}).get("classname", "")).begins_with("trigger_")
	if solid and not trigger:
		return "StaticBody3D"
	return "Area3D" if trigger or VOLUMES.any(func(word: String) -> bool: return words.has(word)) else ""


static func _body(kind: String, key: Array) -> CollisionObject3D:
	var body: CollisionObject3D = ClassDB.instantiate(kind)
	var at: Vector3i = key[2]
	body.name = ("%s %d %d %d" % [key[1], at.x, at.y, at.z]).strip_edges().replace(" ", "_")
	body.set_meta("extras", {"contents_names": key[1]})
	return body


static func _add_shape(body: Node, brush: Node3D, points: PackedVector3Array, root: Node) -> void:
	var shape: Shape3D
	if String(brush.name).contains(CURVED):
		shape = ConcavePolygonShape3D.new()
		shape.set_faces(_faces(brush))
	else:
		shape = ConvexPolygonShape3D.new()
		shape.points = points
	var node := CollisionShape3D.new()
	node.name = String(brush.name).replace(SUFFIX, "").replace(CURVED, "")
	node.shape = shape
	node.transform = brush.transform
	body.add_child(node, true)
	node.owner = root


static func _arrays(node: Node) -> Array:
	var mesh = node.mesh  # an ImporterMesh in the editor, an ArrayMesh in a game
	return mesh.get_surface_arrays(0) if mesh is ImporterMesh else mesh.surface_get_arrays(0)


## The corners of a brush, each once.
static func _points(node: Node) -> PackedVector3Array:
	var corners := {}
	for corner: Vector3 in _arrays(node)[Mesh.ARRAY_VERTEX]:
		corners[corner] = true
	return PackedVector3Array(corners.keys())


## The corners of all triangles, three each.
static func _faces(node: Node) -> PackedVector3Array:
	var arrays := _arrays(node)
	var faces := PackedVector3Array()
	for index: int in arrays[Mesh.ARRAY_INDEX]:
		faces.push_back(arrays[Mesh.ARRAY_VERTEX][index])
	return faces


static func _middle(points: PackedVector3Array) -> Vector3:
	var box := AABB(points[0], Vector3.ZERO)
	for point in points:
		box = box.expand(point)
	return box.get_center()


static func _area(at: Vector3) -> Vector3i:
	return Vector3i((at / AREA).floor())
