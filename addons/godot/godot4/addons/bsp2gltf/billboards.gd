@tool
extends RefCounted
## Squares of a mesh that face the viewer one by one (docs/internals/readers.md, "Motion"; Quake III's autosprites). Each vertex gets
## the centre of its square and its offsets to the right and up, which the shader applies along the camera's axes.

const FLAGS := Mesh.ARRAY_CUSTOM_RGBA_FLOAT << Mesh.ARRAY_FORMAT_CUSTOM0_SHIFT | Mesh.ARRAY_CUSTOM_RGBA_FLOAT << Mesh.ARRAY_FORMAT_CUSTOM1_SHIFT
const VERTEX := "\tVERTEX = faced(CUSTOM0, CUSTOM1, MODEL_MATRIX, INV_VIEW_MATRIX, CAMERA_POSITION_WORLD);\n"
const FUNCTION := """vec3 faced(vec4 middle, vec4 axis, mat4 model, mat4 camera, vec3 eye) {
	vec3 right = camera[0].xyz;
	vec3 up = camera[1].xyz;
	if (dot(axis.xyz, axis.xyz) > 0.5) {
		up = normalize(mat3(model) * axis.xyz);
		right = normalize(cross(up, eye - (model * vec4(middle.xyz, 1.0)).xyz));
	}
	return middle.xyz + inverse(mat3(model)) * (right * middle.w + up * axis.w);
}
"""


## How a material's squares face the viewer: "sprite", "axis", or "".
static func of(described: Dictionary) -> String:
	return str(described.get("extras", {}).get("motion", {}).get("facing", ""))


## Returns the mesh with the vertex data that the shader needs on surfaces of such materials, or the mesh itself if it has none.
static func prepare(mesh: ImporterMesh, materials: Array[Material], described: Array) -> ImporterMesh:
	var facings: Array[String] = []
	for surface in mesh.get_surface_count():
		var index := materials.find(mesh.get_surface_material(surface))
		facings.append(of(described[index]) if index >= 0 and index < described.size() else "")
	if facings.all(func(facing: String) -> bool: return facing == "") or mesh.get_blend_shape_count() > 0:
		return mesh
	var made := ImporterMesh.new()
	made.resource_name = mesh.resource_name
	for surface in mesh.get_surface_count():
		var arrays := mesh.get_surface_arrays(surface)
		var flags := mesh.get_surface_format(surface)
		if facings[surface] != "" and mesh.get_surface_primitive_type(surface) == Mesh.PRIMITIVE_TRIANGLES:
			_add_corners(arrays, facings[surface] == "axis")
			flags |= FLAGS
		made.add_surface(mesh.get_surface_primitive_type(surface), arrays, [], {}, mesh.get_surface_material(surface), mesh.get_surface_name(surface), flags)
	return made


## Adds the corners of squares. Two consecutive triangles are a square: the importer may reorder vertices, but not triangles.
static func _add_corners(arrays: Array, about_axis: bool) -> void:
	var positions: PackedVector3Array = arrays[Mesh.ARRAY_VERTEX]
	var indices: PackedInt32Array = arrays[Mesh.ARRAY_INDEX] if arrays[Mesh.ARRAY_INDEX] != null else PackedInt32Array(range(positions.size()))
	var middles := PackedFloat32Array()
	var axes := PackedFloat32Array()
	middles.resize(4 * positions.size())
	axes.resize(4 * positions.size())
	for start in range(0, indices.size() - 5, 6):
		var corners := {}
		for index in indices.slice(start, start + 6):
			corners[index] = true
		var middle := Vector3.ZERO
		for index: int in corners:
			middle += positions[index] / corners.size()
		var facing: Vector3 = arrays[Mesh.ARRAY_NORMAL][indices[start]] if arrays[Mesh.ARRAY_NORMAL] != null else Vector3.BACK
		var along := _long_axis(corners.keys(), positions) if about_axis and corners.size() == 4 else Vector3.ZERO
		var high := along if along != Vector3.ZERO else Vector3.UP if absf(facing.y) < 0.9 else Vector3.FORWARD
		var up := (high - facing * facing.dot(high)).normalized()
		var right := up.cross(facing).normalized()
		for index: int in corners:
			var from := positions[index] - middle
			_put(middles, index, middle, from.dot(right))
			_put(axes, index, along, from.dot(up))
	arrays[Mesh.ARRAY_CUSTOM0] = middles
	arrays[Mesh.ARRAY_CUSTOM1] = axes


static func _put(into: PackedFloat32Array, index: int, three: Vector3, fourth: float) -> void:
	for k in 3:
		into[4 * index + k] = three[k]
	into[4 * index + 3] = fourth


## The direction in which a square is longer. Of the six lines between its corners two are short, two long and two diagonal.
static func _long_axis(corners: Array, positions: PackedVector3Array) -> Vector3:
	var ways: Array[Vector3] = []
	for a in 4:
		for b in range(a + 1, 4):
			ways.append(positions[corners[b]] - positions[corners[a]])
	ways.sort_custom(func(p: Vector3, q: Vector3) -> bool: return p.length() < q.length())
	return ways[2].normalized()
