@tool
extends RefCounted
## Light for objects that a game adds to a map: a LightmapGI node whose probes light all meshes with *Global Illumination > Mode:
## Dynamic*. The light is that of the map's light grid (Quake III), of its probes (Source) or, in maps with neither, of the lightmaps on
## the floors, as in those games.
##
## Each source becomes a regular lattice, from which the tetrahedra and the tree that Godot wants can be computed. A sample holds the
## light on a surface with unit normal n: constant + linear·n + n·square·n.

const LightProbes := preload("light_probes.gd")
const MOST := 9000  # samples of a lattice
const FINEST := 1.0  # metres between samples, if the map has no grid
const EYE := 1.2  # metres above a floor up to which the floor's light is used
const INNER := 0.55  # the fraction of the bounds, from the centre, that the lattice fills: Godot fades the light out toward the bounds

var origin: Vector3
var steps: Array[Vector3]
var size: Vector3i
var weights: PackedFloat32Array
var constants: PackedVector3Array
var linears: Array[PackedVector3Array]  # for each axis: red, green, blue
var squares: Array[PackedVector3Array]  # xx, yy, zz, xy, yz, xz


## Makes the node with the light of a map, or null if the file has none. Its metadata "mean" is the mean light.
static func make(state: GLTFState, root: Node) -> LightmapGI:
	var lattice := new()
	var exposure := _number(_scene_extras(state).get("bsp2gltf_exposure"), 1.0)
	if not lattice._read_grid(state) and not lattice._read_probes(state) and not lattice._read_floors(state, root):
		return null
	lattice._fill()
	return lattice._node(exposure)


static func _scene_extras(state: GLTFState) -> Dictionary:
	var scenes: Array = state.json.get("scenes", [{}])
	return scenes[int(state.json.get("scene", 0))].get("extras", {})


static func _number(value: Variant, otherwise: float) -> float:
	return value if (value is float or value is int) and value > 0.0 and is_finite(value) else otherwise


## Makes an empty lattice of count samples from at, with steps along.
func _prepare(at: Vector3, along: Array[Vector3], count: Vector3i) -> void:
	origin = at
	steps = along
	size = Vector3i(maxi(count.x, 2), maxi(count.y, 2), maxi(count.z, 2))
	var all := size.x * size.y * size.z
	weights.resize(all)
	constants.resize(all)
	for number in 3:
		linears.append(PackedVector3Array())
		linears[number].resize(all)
	for number in 6:
		squares.append(PackedVector3Array())
		squares[number].resize(all)


## Reads the light grid. If it has too many samples, blocks of them are averaged.
func _read_grid(state: GLTFState) -> bool:
	var extras := _scene_extras(state)
	var grid: Variant = extras.get("bsp2gltf_light_grid")
	if not grid is Dictionary:
		return false
	var count := Vector3i(int(grid.size[0]), int(grid.size[1]), int(grid.size[2]))
	var all := count.x * count.y * count.z
	var ambient := _bytes(state, int(grid.ambient), all)
	var directed := _bytes(state, int(grid.directed), all)
	var toward := _bytes(state, int(grid.toward), all)
	if all <= 0 or ambient.is_empty() or directed.is_empty() or toward.is_empty():
		return false
	var block := Vector3i.ONE
	while ceili(float(count.x) / block.x) * ceili(float(count.y) / block.y) * ceili(float(count.z) / block.z) > MOST:
		var widest := 0
		for axis in 3:
			if _vector(grid.steps[axis]).length() * block[axis] < _vector(grid.steps[widest]).length() * block[widest] or block[widest] >= count[widest]:
				widest = axis
		block[widest] += 1
	var along: Array[Vector3] = []
	var at := _vector(grid.origin)
	for axis in 3:
		along.append(_vector(grid.steps[axis]) * block[axis])
		at += _vector(grid.steps[axis]) * (block[axis] - 1) * 0.5
	_prepare(at, along, Vector3i(ceili(float(count.x) / block.x), ceili(float(count.y) / block.y), ceili(float(count.z) / block.z)))
	var linear := PackedFloat32Array()
	for value in 256:
		linear.append(Color(value / 255.0, 0, 0).srgb_to_linear().r)
	var scale := _number(grid.get("scale"), 1.0)
	var shown: Dictionary = grid.get("shown", {})
	for number in all:
		var byte := number * 3
		var a := Vector3(linear[ambient[byte]], linear[ambient[byte + 1]], linear[ambient[byte + 2]]) * scale
		var d := Vector3(linear[directed[byte]], linear[directed[byte + 1]], linear[directed[byte + 2]]) * scale
		if a == Vector3.ZERO and d == Vector3.ZERO:
			continue  # inside a wall
		if not shown.is_empty():
			var both := _shown(a, d, shown)
			a = both[0]
			d = both[1]
		var t := Vector3(_signed(toward[byte]), _signed(toward[byte + 1]), _signed(toward[byte + 2]))
		@warning_ignore("integer_division")
		var sample := number % count.x / block.x + size.x * (number / count.x % count.y / block.y + size.y * (number / (count.x * count.y) / block.z))
		_add_directed(sample, a, d, t.normalized())
	return true


## Adds ambient light and light from direction t, which lights a surface by max(0, n·t): to second order 3/32 + (n·t)/2 + 15/32 (n·t)².
func _add_directed(sample: int, ambient: Vector3, directed: Vector3, t: Vector3) -> void:
	weights[sample] += 1.0
	if t == Vector3.ZERO:
		constants[sample] += ambient
		return
	constants[sample] += ambient + directed * 3.0 / 32.0
	for axis in 3:
		linears[axis][sample] += directed * 0.5 * t[axis]
		squares[axis][sample] += directed * 15.0 / 32.0 * t[axis] * t[axis]
		squares[axis + 3][sample] += directed * 15.0 / 32.0 * t[axis] * t[(axis + 1) % 3]


## The light that a game shows for a sample (docs/internals/readers.md, "Light on models"), as ambient and directed light for a linear
## renderer.
func _shown(ambient: Vector3, directed: Vector3, shown: Dictionary) -> Array[Vector3]:
	var albedo: float = shown.get("albedo", 0.35)
	var power: float = shown.get("exponent", 1.0)
	var base: float = Color(albedo, 0, 0).srgb_to_linear().r
	var low := Vector3.ZERO
	var high := Vector3.ZERO
	for channel in 3:
		var a := _unbent(ambient[channel], base, albedo, power)
		var least := minf(shown.get("share", 1.0) * a + shown.get("least", 0.0), 1.0)
		low[channel] = _bent(least, base, albedo, power)
		high[channel] = _bent(minf(least + _unbent(directed[channel], base, albedo, power), 1.0), base, albedo, power)
	return [low, high - low]


func _unbent(light: float, base: float, albedo: float, power: float) -> float:
	return _encoded(light * base) / pow(albedo, power)


func _bent(light: float, base: float, albedo: float, power: float) -> float:
	return _decoded(pow(albedo, power) * light) / base


func _encoded(v: float) -> float:
	return v * 12.92 if v < 0.0031308 else 1.055 * pow(v, 1.0 / 2.4) - 0.055


func _decoded(v: float) -> float:
	return v / 12.92 if v < 0.04045 else pow((v + 0.055) / 1.055, 2.4)


## Reads Source's probes from NAME_probes.json beside the file, if that names the same map.
func _read_probes(state: GLTFState) -> bool:
	var folder: String = state.get_meta("bsp2gltf_folder", state.base_path)
	var path := folder.path_join(state.filename + "_probes.json")
	if not FileAccess.file_exists(path):
		return false
	var read: Variant = JSON.parse_string(FileAccess.get_file_as_string(path))
	var extras := _scene_extras(state)
	if not read is Dictionary or not read.get("probes") is Array or read.probes.is_empty() or read.get("map") != extras.get("bsp2gltf_map_sha256"):
		return false
	var places := PackedVector3Array()
	for probe: Dictionary in read.probes:
		places.append(_vector(probe.position))
	_cover(places)
	for number in places.size():
		var light: Array = read.probes[number].light
		var sample := _nearest(places[number])
		weights[sample] += 1.0
		for axis in 3:
			var over := _vector(light[axis * 2])
			var under := _vector(light[axis * 2 + 1])
			linears[axis][sample] += (over - under) * 0.375  # n·|n| is 3/4 n on average over a sphere
			squares[axis][sample] += (over + under) * 0.5
	return true


## Takes the light of lightmaps on floors for the space above them.
func _read_floors(state: GLTFState, root: Node) -> bool:
	var places := PackedVector3Array()
	var lights := PackedVector3Array()
	var images := {}
	for node in root.find_children("*", "ImporterMeshInstance3D", true, false) + root.find_children("*", "MeshInstance3D", true, false):
		if node.mesh == null or node.get_meta("extras", {}).has("bsp2gltf_sky"):
			continue
		var place := _place(node, root)
		for surface in node.mesh.get_surface_count():
			var material: Variant = node.mesh.get_surface_material(surface) if node.mesh is ImporterMesh else node.mesh.surface_get_material(surface)
			var map: Texture2D = material.get_shader_parameter("baked_map") if material is ShaderMaterial else null
			if map == null:
				continue
			if not images.has(map):
				images[map] = map.get_image()
				if images[map].is_compressed():
					images[map].decompress()
			var arrays: Array = node.mesh.get_surface_arrays(surface) if node.mesh is ImporterMesh else node.mesh.surface_get_arrays(surface)
			_take_floors(arrays, place, images[map], float(material.get_shader_parameter("intensity")), places, lights)
	if places.is_empty():
		return false
	_cover(places)
	for number in places.size():
		var sample := _nearest(places[number])
		weights[sample] += 1.0
		constants[sample] += lights[number]
	return true


func _take_floors(arrays: Array, place: Transform3D, image: Image, intensity: float, places: PackedVector3Array, lights: PackedVector3Array) -> void:
	if arrays[Mesh.ARRAY_TEX_UV2] == null or arrays[Mesh.ARRAY_INDEX] == null:
		return
	var points: PackedVector3Array = arrays[Mesh.ARRAY_VERTEX]
	var coordinates: PackedVector2Array = arrays[Mesh.ARRAY_TEX_UV2]
	var indices: PackedInt32Array = arrays[Mesh.ARRAY_INDEX]
	for first in range(0, indices.size() - 2, 3):
		var p: Array[Vector3] = [place * points[indices[first]], place * points[indices[first + 1]], place * points[indices[first + 2]]]
		var normal := (p[2] - p[0]).cross(p[1] - p[0])  # Godot's front faces are clockwise
		if normal.y < 0.7 * normal.length() or normal.is_zero_approx():
			continue
		var parts := clampi(ceili(maxf((p[1] - p[0]).length(), (p[2] - p[0]).length()) / (2.0 * FINEST)), 1, 16)
		for i in parts:
			for j in parts - i:
				var u := (i + 1.0 / 3.0) / parts
				var v := (j + 1.0 / 3.0) / parts
				var uv := coordinates[indices[first]] * (1.0 - u - v) + coordinates[indices[first + 1]] * u + coordinates[indices[first + 2]] * v
				var texel := image.get_pixel(clampi(int(uv.x * image.get_width()), 0, image.get_width() - 1), clampi(int(uv.y * image.get_height()), 0, image.get_height() - 1)).srgb_to_linear()
				places.append(p[0] * (1.0 - u - v) + p[1] * u + p[2] * v + Vector3.UP * EYE)
				lights.append(Vector3(texel.r, texel.g, texel.b) * intensity)


static func _place(node: Node, root: Node) -> Transform3D:
	var place := Transform3D.IDENTITY
	while node != root and node is Node3D:
		place = node.transform * place
		node = node.get_parent()
	return place


## Makes a lattice that covers positions.
func _cover(places: PackedVector3Array) -> void:
	var box := AABB(places[0], Vector3.ZERO)
	for place in places:
		box = box.expand(place)
	box = box.grow(FINEST)
	var step := FINEST
	while (box.size.x / step + 2.0) * (box.size.y / step + 2.0) * (box.size.z / step + 2.0) > MOST:
		step *= 1.1
	_prepare(box.position, [Vector3.RIGHT * step, Vector3.UP * step, Vector3.BACK * step], Vector3i((box.size / step).ceil()) + Vector3i.ONE)


func _nearest(place: Vector3) -> int:
	var at := Vector3i(((place - origin) / steps[0].x).round()).clamp(Vector3i.ZERO, size - Vector3i.ONE)
	return at.x + size.x * (at.y + size.y * at.z)


## Divides the sums into means. Samples without light get the mean of their neighbours, step by step.
func _fill() -> void:
	var known := PackedInt32Array()
	for sample in weights.size():
		if weights[sample] > 0.0:
			_scale(sample, 1.0 / weights[sample])
			weights[sample] = 1.0
			known.append(sample)
	while not known.is_empty():
		var reached := {}
		for sample in known:
			for other in _beside(sample):
				if weights[other] != 1.0:
					reached[other] = true
					weights[other] -= 1.0
					constants[other] += constants[sample]
					for axis in 3:
						linears[axis][other] += linears[axis][sample]
					for axis in 6:
						squares[axis][other] += squares[axis][sample]
		known = PackedInt32Array(reached.keys())
		for sample in known:
			_scale(sample, -1.0 / weights[sample])
			weights[sample] = 1.0


func _scale(sample: int, factor: float) -> void:
	constants[sample] *= factor
	for axis in 3:
		linears[axis][sample] *= factor
	for axis in 6:
		squares[axis][sample] *= factor


func _beside(sample: int) -> PackedInt32Array:
	@warning_ignore("integer_division")
	var at := Vector3i(sample % size.x, sample / size.x % size.y, sample / (size.x * size.y))
	var found := PackedInt32Array()
	var stride := Vector3i(1, size.x, size.x * size.y)
	for axis in 3:
		if at[axis] > 0:
			found.append(sample - stride[axis])
		if at[axis] < size[axis] - 1:
			found.append(sample + stride[axis])
	return found


func _node(exposure: float) -> LightmapGI:
	var points := PackedVector3Array()
	var harmonics := PackedColorArray()
	var mean := Vector3.ZERO
	for z in size.z:
		for y in size.y:
			for x in size.x:
				points.append(origin + steps[0] * x + steps[1] * y + steps[2] * z)
	for sample in points.size():
		var trace := (squares[0][sample] + squares[1][sample] + squares[2][sample]) / 3.0
		mean += (constants[sample] + trace) * exposure / points.size()
		# The factors with which Godot evaluates its nine colours (lightmap captures in scene_forward_clustered.glsl).
		for light: Vector3 in [
			(constants[sample] + trace) / 0.886227,
			linears[1][sample] / 1.023327, linears[2][sample] / 1.023327, linears[0][sample] / 1.023327,
			2.0 * squares[3][sample] / 0.858086, 2.0 * squares[4][sample] / 0.858086,
			(squares[2][sample] - (squares[0][sample] + squares[1][sample]) * 0.5) / 3.0 / 0.247708,
			2.0 * squares[5][sample] / 0.858086,
			(squares[0][sample] - squares[1][sample]) * 0.5 / 0.429043,
		]:
			harmonics.append(Color(light.x * exposure, light.y * exposure, light.z * exposure))
	var tetrahedra := PackedInt32Array()
	var tree := PackedInt32Array()
	_divide(Vector3i.ZERO, size - Vector3i.ONE, tetrahedra, tree)
	var box := AABB(points[0], Vector3.ZERO)
	for point: Vector3 in [points[-1], points[0]]:
		box = box.expand(point)
	var middle := box.get_center()
	var node := LightProbes.new()
	node.name = "light_probes"
	node.probes = {"bounds": AABB(middle - box.size * 0.5 / INNER, box.size / INNER), "points": points, "tetrahedra": tetrahedra, "bsp": tree,
		"sh": harmonics, "interior": false, "baked_exposure": 1.0, "lightprobe_hash": 0}
	node.set_meta("mean", mean)
	return node


## Adds the tree's nodes for the cells between two corners, and returns the index of the first: planes between cells, then six
## tetrahedra per cell.
func _divide(low: Vector3i, high: Vector3i, tetrahedra: PackedInt32Array, tree: PackedInt32Array) -> int:
	var extent := high - low
	if extent == Vector3i.ONE:
		return _divide_cell(low, tetrahedra, tree)
	var axis := extent.max_axis_index()
	@warning_ignore("integer_division")
	var middle := low[axis] + extent[axis] / 2
	var normal := steps[axis].normalized()
	var number := _add_plane(tree, normal, normal.dot(origin + steps[axis] * middle))
	var low_over := low
	low_over[axis] = middle
	var high_under := high
	high_under[axis] = middle
	tree[number * 6 + 4] = _divide(low_over, high, tetrahedra, tree)
	tree[number * 6 + 5] = _divide(low, high_under, tetrahedra, tree)
	return number


func _divide_cell(low: Vector3i, tetrahedra: PackedInt32Array, tree: PackedInt32Array) -> int:
	var first := low.x + size.x * (low.y + size.y * low.z)
	var strides: Array[int] = [1, size.x, size.x * size.y]
	var corner := origin + steps[0] * low.x + steps[1] * low.y + steps[2] * low.z
	var leaf := func(a: int, b: int, c: int) -> int:  # where the coordinate a is the greatest and c the least
		var at := first
		tetrahedra.append(at)
		for axis: int in [a, b, c]:
			at += strides[axis]
			tetrahedra.append(at)
		@warning_ignore("integer_division")
		return -tetrahedra.size() / 4
	var greater := func(a: int, b: int) -> int:
		var way: Vector3 = steps[a] / steps[a].length_squared() - steps[b] / steps[b].length_squared()
		return _add_plane(tree, way.normalized(), way.normalized().dot(corner))
	var xy: int = greater.call(0, 1)
	var over_yz: int = greater.call(1, 2)
	var over_xz: int = greater.call(0, 2)
	var under_xz: int = greater.call(0, 2)
	var under_yz: int = greater.call(1, 2)
	_link(tree, xy, over_yz, under_xz)
	_link(tree, over_yz, leaf.call(0, 1, 2), over_xz)
	_link(tree, over_xz, leaf.call(0, 2, 1), leaf.call(2, 0, 1))
	_link(tree, under_xz, leaf.call(1, 0, 2), under_yz)
	_link(tree, under_yz, leaf.call(1, 2, 0), leaf.call(2, 1, 0))
	return xy


func _add_plane(tree: PackedInt32Array, normal: Vector3, distance: float) -> int:
	var plane := PackedFloat32Array([normal.x, normal.y, normal.z, distance]).to_byte_array().to_int32_array()
	tree.append_array(plane)
	tree.append_array([0, 0])
	@warning_ignore("integer_division")
	return tree.size() / 6 - 1


func _link(tree: PackedInt32Array, number: int, over: int, under: int) -> void:
	tree[number * 6 + 4] = over
	tree[number * 6 + 5] = under


func _bytes(state: GLTFState, accessor: int, count: int) -> PackedByteArray:
	var accessors: Array = state.json.get("accessors", [])
	if accessor < 0 or accessor >= accessors.size() or not accessors[accessor].has("bufferView"):
		return PackedByteArray()
	var view: Dictionary = state.json.bufferViews[int(accessors[accessor].bufferView)]
	var at := int(view.get("byteOffset", 0)) + int(accessors[accessor].get("byteOffset", 0))
	var buffer: PackedByteArray = state.buffers[int(view.get("buffer", 0))]
	return buffer.slice(at, at + count * 3) if int(accessors[accessor].count) >= count and buffer.size() >= at + count * 3 else PackedByteArray()


static func _signed(byte: int) -> float:
	return maxf((byte if byte < 128 else byte - 256) / 127.0, -1.0)


static func _vector(numbers: Array) -> Vector3:
	return Vector3(numbers[0], numbers[1], numbers[2])
