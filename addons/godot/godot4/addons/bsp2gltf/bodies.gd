@tool
extends RefCounted
## Makes few physics bodies from a map's brushes (geometry.collision=brushes), where Godot would make one of each: below each parent,
## one for each kind of contents and each area of the map. The brushes are read from the file without nodes and meshes, because a large
## map has 19,000.

const SceneNodes := preload("scene_nodes.gd")
const SUFFIX := "-convcolonly"
const CURVED := "-colonly"  # a curved surface: its triangles, solid from the front
const AREA := 32.0  # metres along each side of an area
const KEPT := &"bsp2gltf brushes"  # key of the GLTFState's additional data

## Contents that block walking.
const SOLID: Array[String] = ["solid", "window", "grate", "terrain", "moveable"]

## Contents that stop players only.
const CLIP := "playerclip"

## Contents that affect what is inside. Like the brushes of triggers, they become an Area3D. All other contents are for bots and
## compilers.
const VOLUMES: Array[String] = ["water", "slime", "lava", "fog", "ladder", "trigger", "teleporter", "jumppad", "nodrop"]

## Settings of the Import dock for the bodies' layers. Movers are in the world's layer too, so that a mask of that alone has both. A
## trigger's mask is the players' layer, so that it does not detect the map.
const LAYERS := {
	"bsp2gltf/layers/world": 1 << 0,
	"bsp2gltf/layers/players": 1 << 1,
	"bsp2gltf/layers/movers": 1 << 2,
	"bsp2gltf/layers/clips": 1 << 3,
	"bsp2gltf/layers/triggers": 1 << 4,
}

## Values of the setting bsp2gltf/collision: shapes of solid brushes that do not move.
enum Shapes { AUTOMATIC, CONVEX, TRIANGLES }
const MANY := 1000  # brushes from which AUTOMATIC joins triangles: each shape is a node of the scene

const THIN := 0.002  # metres; the physics engines can't make a thinner convex hull


## Removes the brushes from a file's JSON before Godot reads it.
static func take_brushes(state: GLTFState) -> void:
	var nodes: Array = state.json.get("nodes", [])
	var brushes := []
	for parent in nodes.size():
		var children: Array = nodes[parent].get("children", [])
		var kept := children.filter(func(child: float) -> bool: return not _is_brush(nodes[int(child)]))
		if kept.size() == children.size():
			continue
		for child: float in children:
			if _is_brush(nodes[int(child)]):
				brushes.append(_brush(state.json, parent, nodes[int(child)]))
		nodes[parent].children = kept
		if kept.is_empty():
			nodes[parent].erase("children")
	var shared := {}
	for brush: Dictionary in brushes:
		shared[brush.mesh] = true
	for mesh: int in shared:
		state.json.meshes[mesh].primitives = []
	state.set_additional_data(KEPT, brushes)


static func _is_brush(node: Dictionary) -> bool:
	var name: String = node.get("name", "")
	return node.has("mesh") and (name.contains(SUFFIX) or name.contains(CURVED))


static func _brush(json: Dictionary, parent: int, node: Dictionary) -> Dictionary:
	var place := Transform3D.IDENTITY
	if node.has("rotation"):
		place.basis = Basis(Quaternion(node.rotation[0], node.rotation[1], node.rotation[2], node.rotation[3]))
	if node.has("scale"):
		place.basis = place.basis * Basis.from_scale(Vector3(node.scale[0], node.scale[1], node.scale[2]))
	if node.has("translation"):
		place.origin = Vector3(node.translation[0], node.translation[1], node.translation[2])
	var mesh := int(node.mesh)
	var primitives: Array = json.meshes[mesh].primitives
	node.erase("mesh")
	var extras: Dictionary = node.get("extras", {})
	var name: String = node.get("name", "")
	return {"parent": parent, "name": name.replace(SUFFIX, "").replace(CURVED, ""), "curved": not name.contains(SUFFIX), "place": place, "mesh": mesh,
		"primitives": primitives.duplicate(), "contents": str(extras.get("contents_names", ""))}


## Makes the bodies. Those below an animated node move in the physics step and carry what stands on them.
static func make(state: GLTFState, root: Node, options: Dictionary) -> void:
	var brushes: Variant = state.get_additional_data(KEPT)
	if not brushes is Array or brushes.is_empty():
		return
	var nodes := SceneNodes.of(state, root)
	var moving := _moving(state.json)
	var kinds := []
	var still := 0
	for brush: Dictionary in brushes:
		kinds.append(_kind(brush.contents, state.json.nodes[brush.parent].get("extras", {}), moving.has(brush.parent)))
		still += 1 if kinds[-1] == "StaticBody3D" else 0
	var shapes: int = options.get("bsp2gltf/collision", Shapes.AUTOMATIC)
	var joined := shapes == Shapes.TRIANGLES or shapes == Shapes.AUTOMATIC and still > MANY
	var bodies := {}  # parent, contents and area to body
	var triangles := {}  # body to the corners of its joined triangles
	for number in brushes.size():
		var brush: Dictionary = brushes[number]
		var parent: Node = nodes.get(brush.parent)
		var faces := _faces(state, brush)
		if kinds[number] == "" or parent == null or faces.is_empty():
			continue
		var key := [parent, brush.contents, _area(faces)]
		if not bodies.has(key):
			bodies[key] = _body(kinds[number], key, options)
			parent.add_child(bodies[key], true)
			bodies[key].owner = root
		if joined and kinds[number] == "StaticBody3D":
			if not triangles.has(bodies[key]):
				triangles[bodies[key]] = PackedVector3Array()
			triangles[bodies[key]].append_array(faces)
		else:
			_add_shape(bodies[key], brush.name, _shape(faces, brush.curved), root)
	for body: Node in triangles:
		_add_shape(body, "triangles", _shape(triangles[body], true), root)


## The nodes that animations move, and all nodes below them.
static func _moving(json: Dictionary) -> Dictionary:
	var found := {}
	for animation: Dictionary in json.get("animations", []):
		for channel: Dictionary in animation.get("channels", []):
			_collect(json.nodes, int(channel.get("target", {}).get("node", -1)), found)
	return found


static func _collect(nodes: Array, index: int, into: Dictionary) -> void:
	if index < 0 or into.has(index):
		return
	into[index] = true
	for child: float in nodes[index].get("children", []):
		_collect(nodes, int(child), into)


## The class of the body for contents, or "" for contents that affect nothing.
static func _kind(contents: String, extras: Dictionary, moves: bool) -> String:
	var words := contents.split(" ")
	var solid := words.has(CLIP) or SOLID.any(func(word: String) -> bool: return words.has(word))
	var trigger: bool = str(extras.get("classname", "")).begins_with("trigger_")
	if solid and not trigger:
		return "AnimatableBody3D" if moves else "StaticBody3D"
	return "Area3D" if trigger or VOLUMES.any(func(word: String) -> bool: return words.has(word)) else ""


static func _body(kind: String, key: Array, options: Dictionary) -> CollisionObject3D:
	var body: CollisionObject3D = ClassDB.instantiate(kind)
	var at: Vector3i = key[2]
	var words: PackedStringArray = key[1].split(" ")
	body.name = ("%s %d %d %d" % [key[1], at.x, at.y, at.z]).strip_edges().replace(" ", "_")
	body.set_meta("extras", {"contents_names": key[1]})
	var layer := func(name: String) -> int: return options.get("bsp2gltf/layers/" + name, LAYERS["bsp2gltf/layers/" + name])
	body.collision_mask = 0
	if body is Area3D:
		body.collision_layer = layer.call("triggers")
		body.collision_mask = layer.call("players")
	elif not SOLID.any(func(word: String) -> bool: return words.has(word)):
		body.collision_layer = layer.call("clips")
	elif body is AnimatableBody3D:
		body.collision_layer = layer.call("world") | layer.call("movers")
	else:
		body.collision_layer = layer.call("world")
	if body is AnimatableBody3D:
		body.sync_to_physics = false  # it follows its parent, which an AnimationPlayer moves in the physics step
	return body


static func _add_shape(body: Node, name: String, shape: Shape3D, root: Node) -> void:
	var node := CollisionShape3D.new()
	node.name = name
	node.shape = shape
	body.add_child(node, true)
	node.owner = root


## The convex hull of a brush, or its triangles if it is too thin or a curved surface.
static func _shape(faces: PackedVector3Array, curved: bool) -> Shape3D:
	if not curved:
		var corners := {}
		for corner in faces:
			corners[corner] = true
		var points := PackedVector3Array(corners.keys())
		if _thickness(faces, points) > THIN:
			var convex := ConvexPolygonShape3D.new()
			convex.points = points
			return convex
	var concave := ConcavePolygonShape3D.new()
	concave.set_faces(faces)
	return concave


## The least extent of a convex solid along the normals of its faces.
static func _thickness(faces: PackedVector3Array, points: PackedVector3Array) -> float:
	var least := INF
	for first in range(0, faces.size() - 2, 3):
		var normal := (faces[first + 1] - faces[first]).cross(faces[first + 2] - faces[first]).normalized()
		if normal == Vector3.ZERO:
			continue
		var low := INF
		var high := -INF
		for point in points:
			var at := normal.dot(point)
			low = minf(low, at)
			high = maxf(high, at)
		least = minf(least, high - low)
	return 0.0 if least == INF else least


## The corners of a brush's triangles, three each, in its parent's space and clockwise from the front, as Godot wants them.
static func _faces(state: GLTFState, brush: Dictionary) -> PackedVector3Array:
	var faces := PackedVector3Array()
	for primitive: Dictionary in brush.primitives:
		var points := _read(state, int(primitive.attributes.get("POSITION", -1)), 3)
		var indices := _read(state, int(primitive.get("indices", -1)), 1) if primitive.has("indices") else PackedFloat32Array()
		@warning_ignore("integer_division")
		var count := indices.size() if primitive.has("indices") else points.size() / 3
		for first in range(0, count - 2, 3):
			for corner: int in [0, 2, 1]:
				var index := int(indices[first + corner]) if primitive.has("indices") else first + corner
				if index * 3 + 2 < points.size():
					faces.append(brush.place * Vector3(points[index * 3], points[index * 3 + 1], points[index * 3 + 2]))
	@warning_ignore("integer_division")
	return faces.slice(0, faces.size() / 3 * 3)


## The values of an accessor, which may be quantized.
static func _read(state: GLTFState, accessor: int, parts: int) -> PackedFloat32Array:
	var accessors: Array = state.json.get("accessors", [])
	if accessor < 0 or accessor >= accessors.size() or not accessors[accessor].has("bufferView"):
		return PackedFloat32Array()
	var described: Dictionary = accessors[accessor]
	var view: Dictionary = state.json.bufferViews[int(described.bufferView)]
	var at := int(view.get("byteOffset", 0)) + int(described.get("byteOffset", 0))
	var buffer: PackedByteArray = state.buffers[int(view.get("buffer", 0))]
	var type := int(described.componentType)
	var width: int = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}.get(type, 4)
	var stride := int(view.get("byteStride", width * parts))
	var count := int(described.count)
	if count <= 0 or at + stride * (count - 1) + width * parts > buffer.size():
		return PackedFloat32Array()
	if type == 5126 and stride == width * parts:
		return buffer.slice(at, at + stride * count).to_float32_array()
	var most: float = {5120: 127.0, 5121: 255.0, 5122: 32767.0, 5123: 65535.0}.get(type, 1.0) if described.get("normalized", false) else 1.0
	var numbers := PackedFloat32Array()
	for element in count:
		for part in parts:
			var byte := at + element * stride + part * width
			match type:
				5120: numbers.append(maxf(buffer.decode_s8(byte) / most, -1.0))
				5121: numbers.append(buffer[byte] / most)
				5122: numbers.append(maxf(buffer.decode_s16(byte) / most, -1.0))
				5123: numbers.append(buffer.decode_u16(byte) / most)
				5125: numbers.append(buffer.decode_u32(byte))
				_: numbers.append(buffer.decode_float(byte))
	return numbers


## The area of the map that contains the centre of a brush.
static func _area(faces: PackedVector3Array) -> Vector3i:
	var box := AABB(faces[0], Vector3.ZERO)
	for point in faces:
		box = box.expand(point)
	return Vector3i((box.get_center() / AREA).floor())
