@tool
extends RefCounted
## The WorldEnvironment of a map, for objects that a game adds: ambient light, the sky as a panorama for ambient light and reflections,
## and distance fog. The map itself has all that in its own materials.

const PANORAMA := Vector2i(256, 128)


## Makes the node for a map with this mean light.
static func make(state: GLTFState, root: Node, mean: Vector3) -> WorldEnvironment:
	var environment := Environment.new()
	var brightest := maxf(mean[mean.max_axis_index()], 0.001)
	environment.ambient_light_source = Environment.AMBIENT_SOURCE_COLOR
	environment.ambient_light_color = Color(mean.x / brightest, mean.y / brightest, mean.z / brightest).linear_to_srgb()
	environment.ambient_light_energy = brightest
	environment.reflected_light_source = Environment.REFLECTION_SOURCE_DISABLED
	var panorama := _panorama(root)
	if panorama != null:
		var material := PanoramaSkyMaterial.new()
		material.panorama = ImageTexture.create_from_image(panorama)
		environment.sky = Sky.new()
		environment.sky.sky_material = material  # not as the background, which would be drawn over the map's own sky
		environment.reflected_light_source = Environment.REFLECTION_SOURCE_SKY
	var scenes: Array = state.json.get("scenes", [{}])
	var extras: Dictionary = scenes[int(state.json.get("scene", 0))].get("extras", {})
	environment.background_energy_multiplier = extras.get("bsp2gltf_exposure", 1.0)
	_set_fog(environment, extras.get("bsp2gltf_range_fog"))
	var node := WorldEnvironment.new()
	node.name = "surroundings"
	node.environment = environment
	return node


## Sets distance fog (docs/internals/materials.md) as near as Godot's fog comes to it.
static func _set_fog(environment: Environment, fog: Variant) -> void:
	if not fog is Dictionary or not fog.get("color") is Array or fog.color.size() != 3 or fog.get("end", 0.0) <= fog.get("start", 0.0):
		return
	environment.fog_enabled = true
	environment.fog_light_color = Color(fog.color[0], fog.color[1], fog.color[2]).linear_to_srgb()
	environment.fog_light_energy = 1.0
	environment.fog_sky_affect = 0.0  # the map's own sky is drawn over it
	if fog.get("thickness", 0.0) > 0.0 and fog.get("power", 1.0) == 1.0:
		environment.fog_mode = Environment.FOG_MODE_EXPONENTIAL
		environment.fog_density = fog.thickness
	else:
		environment.fog_mode = Environment.FOG_MODE_DEPTH
		environment.fog_depth_begin = fog.get("start", 0.0)
		environment.fog_depth_end = fog.end
		environment.fog_depth_curve = 2.0
		environment.fog_density = fog.get("density", 1.0)


## The map's sky as seen from the map's centre, with all its layers, or null if it has none.
static func _panorama(root: Node) -> Image:
	var layers := []
	for node in root.find_children("*", "ImporterMeshInstance3D", true, false) + root.find_children("*", "MeshInstance3D", true, false):
		if node.mesh == null or not node.get_meta("extras", {}).has("bsp2gltf_sky"):
			continue
		for surface in node.mesh.get_surface_count():
			var importing: bool = node.mesh is ImporterMesh
			var material: Variant = node.mesh.get_surface_material(surface) if importing else node.mesh.surface_get_material(surface)
			var texture: Texture2D = material.get_shader_parameter("base_map") if material is ShaderMaterial else null
			if texture != null:
				var arrays: Array = node.mesh.get_surface_arrays(surface) if importing else node.mesh.surface_get_arrays(surface)
				layers.append([material.render_priority, texture.get_image(), material, arrays, node.transform.basis])
	if layers.is_empty():
		return null
	layers.sort_custom(func(a: Array, b: Array) -> bool: return a[0] < b[0])
	var panorama := Image.create_empty(PANORAMA.x, PANORAMA.y, false, Image.FORMAT_RGB8)
	var seen := Image.create_empty(PANORAMA.x, PANORAMA.y, false, Image.FORMAT_L8)
	for layer: Array in layers:
		_draw(panorama, seen, layer[1], layer[2], layer[3], layer[4])
	_close(panorama, seen)
	return panorama


## Draws a surface of the sky, by points close enough to reach each pixel of the panorama.
static func _draw(panorama: Image, seen: Image, image: Image, material: ShaderMaterial, arrays: Array, basis: Basis) -> void:
	if image.is_compressed():
		image.decompress()
	var added: bool = material.shader.code.contains("blend_add")
	var multiplied: bool = material.shader.code.contains("blend_mul")
	var factor: Vector4 = material.get_shader_parameter("base_color")
	var points: PackedVector3Array = arrays[Mesh.ARRAY_VERTEX]
	var coordinates: PackedVector2Array = arrays[Mesh.ARRAY_TEX_UV]
	var indices: PackedInt32Array = arrays[Mesh.ARRAY_INDEX]
	for first in range(0, indices.size() - 2, 3):
		var p: Array[Vector3] = []
		var t: Array[Vector2] = []
		for corner in 3:
			p.append(basis * points[indices[first + corner]])
			t.append(coordinates[indices[first + corner]])
		var widest := maxf(maxf(p[0].angle_to(p[1]), p[1].angle_to(p[2])), p[2].angle_to(p[0]))
		var parts := clampi(ceili(widest / TAU * PANORAMA.x * 2.0), 1, 256)
		for i in parts:
			for j in parts - i:
				var u := (i + 1.0 / 3.0) / parts
				var v := (j + 1.0 / 3.0) / parts
				var way := p[0] * (1.0 - u - v) + p[1] * u + p[2] * v
				# The same mapping as PanoramaSkyMaterial's: atan(x, -z) and acos(y).
				var x := posmod(floori(atan2(way.x, -way.z) / TAU * PANORAMA.x), PANORAMA.x)
				var y := clampi(int(acos(clampf(way.normalized().y, -1.0, 1.0)) / PI * PANORAMA.y), 0, PANORAMA.y - 1)
				var at := t[0] * (1.0 - u - v) + t[1] * u + t[2] * v
				var texel := image.get_pixel(mini(int(fposmod(at.x, 1.0) * image.get_width()), image.get_width() - 1), mini(int(fposmod(at.y, 1.0) * image.get_height()), image.get_height() - 1))
				var color := Color(texel.r * factor.x, texel.g * factor.y, texel.b * factor.z, texel.a * factor.w)
				var below := panorama.get_pixel(x, y)
				var twice := Color(1.0, 1.0, 1.0) + (color * 2.0 - Color(1.0, 1.0, 1.0)) * color.a
				panorama.set_pixel(x, y, below + color * color.a if added else below * twice if multiplied else below.lerp(color, color.a) if seen.get_pixel(x, y).r > 0.0 else color)
				seen.set_pixel(x, y, Color.WHITE)


## Fills pixels that no point reached, such as those below a dome, with the colour of the next row that has one.
static func _close(panorama: Image, seen: Image) -> void:
	for x in PANORAMA.x:
		var last := -1
		for y in PANORAMA.y:
			if seen.get_pixel(x, y).r > 0.0:
				for above in y if last < 0 else 0:
					panorama.set_pixel(x, above, panorama.get_pixel(x, y))
				last = y
			elif last >= 0:
				panorama.set_pixel(x, y, panorama.get_pixel(x, last))
