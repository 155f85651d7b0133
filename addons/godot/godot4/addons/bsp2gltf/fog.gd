@tool
extends RefCounted
## Exposure, fog and display gamma of a map for baked.gdshader: distance fog of the scene and of the 3D skybox, and fog volumes.

const MOST := 8  # fog volumes; the shader tests each for every pixel
const EDGE := 0.04  # metres by which a fog's bounding surface counts as inside
const NOTHING := Vector3(0.2140411, 0.2140411, 0.2140411)  # the grey of one half by which a multiplication changes nothing


## What a file states: exposure; gamma; volumes, each a dictionary of the shader's vectors; range and box_range, dictionaries of
## parameters of distance fog; and box_meshes, the numbers of meshes that are only in the 3D skybox.
static func read(state: GLTFState) -> Dictionary:
	var nodes: Array = state.json.get("nodes", [])
	var scenes: Array = state.json.get("scenes", [{}])
	var extras: Dictionary = scenes[int(state.json.get("scene", 0))].get("extras", {})
	var air := {"exposure": _positive(extras.get("bsp2gltf_exposure", 1.0)), "gamma": _positive(extras.get("bsp2gltf_gamma", 1.0)), "range": _between(extras), "box_range": {}, "volumes": [], "box_meshes": {}}
	var below := {}
	for index in nodes.size():
		var own: Dictionary = nodes[index].get("extras", {})
		if own.has("bsp2gltf_skybox_3d"):
			air.box_range = _between(own)
			_collect(nodes, index, below)
		if own.has("bsp2gltf_fog") and air.volumes.size() < MOST and _positive(own.get("opaque_metres", 0.0), 0.0) > 0.0:
			air.volumes.append(_volume(own, _place(state.get_nodes(), index)))
	var elsewhere := {}
	for index in nodes.size():
		if nodes[index].has("mesh"):
			(air.box_meshes if below.has(index) else elsewhere)[int(nodes[index].mesh)] = true
	for mesh in elsewhere:
		air.box_meshes.erase(mesh)
	return air


## Reports whether a file's materials need the shader even without baked light.
static func changes(air: Dictionary) -> bool:
	return air.exposure != 1.0 or air.gamma != 1.0 or not air.range.is_empty() or not air.box_range.is_empty() or not air.volumes.is_empty()


## Gives a material its exposure, gamma and fog. The sky is beyond distance fog, which may cover part of it; additive materials fade to
## black.
static func apply(material: ShaderMaterial, air: Dictionary, sky: bool, in_box: bool, added: bool, multiplied: bool) -> void:
	material.set_shader_parameter("exposure", 1.0 if multiplied else air.exposure)
	material.set_shader_parameter("gamma", air.gamma)
	var between: Dictionary = air.box_range if in_box and not sky else air.range
	if not between.is_empty() and not (sky and between.sky <= 0.0):
		if not sky:
			material.set_shader_parameter("fog_range", between.range)
		material.set_shader_parameter("fog_law", Vector4(between.law.x, between.law.y, between.law.z, between.sky if sky else 0.0))
		material.set_shader_parameter("fog_range_color", NOTHING if multiplied else Vector3.ZERO if added else between.color)
		if between.has("second") and not added and not multiplied:
			material.set_shader_parameter("fog_second_color", between.second)
			material.set_shader_parameter("fog_direction", between.direction)


## The shader's text with the fog volumes of a map, and how its material combines with them.
static func declare(code: String, volumes: Array, meets: int) -> String:
	for parameter in ["fog_low", "fog_high", "fog_values", "fog_surface"]:
		var values := PackedStringArray()
		for volume: Dictionary in volumes:
			var value: Vector4 = volume[parameter]
			values.append("vec4(%.7f, %.7f, %.7f, %.7f)" % [value.x, value.y, value.z, value.w])
		code = code.replace("%s[1] = { vec4(0.0) }" % parameter, "%s[%d] = { %s }" % [parameter, volumes.size(), ", ".join(values)])
	return code.replace("FOGS = 0", "FOGS = %d" % volumes.size()).replace("MEETS = 0", "MEETS = %d" % meets)


## The parameters of distance fog, or an empty dictionary.
static func _between(extras: Dictionary) -> Dictionary:
	var fog = extras.get("bsp2gltf_range_fog")
	if not fog is Dictionary:
		return {}
	var start: float = fog.get("start", 0.0)
	var end: float = fog.get("end", 0.0)
	var density: float = fog.get("density", 0.0)
	var color: Array = fog.get("color", [])
	if end <= start or density <= 0.0 or color.size() != 3:
		return {}
	var law := Vector3(fog.get("thickness", 0.0), fog.get("power", 1.0), end)
	var air := {"range": Vector4(start, 1.0 / (end - start), density, 2.0 if fog.get("radial", false) else 1.0), "law": law, "sky": float(fog.get("sky", 0.0)),
		"color": Vector3(color[0], color[1], color[2])}
	if fog.get("second") is Dictionary:
		var other: Array = fog.second.get("color", [])
		var way: Array = fog.second.get("direction", [])
		if other.size() == 3 and way.size() == 3:
			air.second = Vector3(other[0], other[1], other[2])
			air.direction = Vector4(way[0], way[1], way[2], 1.0)
	return air


## A fog volume, from its node's keys and the transform of its unit box. The colour is in display space.
static func _volume(own: Dictionary, place: Transform3D) -> Dictionary:
	var half := Vector3(absf(place.basis.x.x), absf(place.basis.y.y), absf(place.basis.z.z)) * 0.5 + Vector3.ONE * EDGE
	var low := place.origin - half
	var high := place.origin + half
	var shown := Color(own.get("color_r", 0.0), own.get("color_g", 0.0), own.get("color_b", 0.0)).linear_to_srgb()
	var surface := Vector4.ZERO
	if own.has("surface_metres"):
		surface = Vector4(own.get("surface_x", 0.0), own.get("surface_y", 0.0), own.get("surface_z", 0.0), own.surface_metres)
	return {"fog_low": Vector4(low.x, low.y, low.z, 1.0 if own.get("surface_fogged", false) else 0.0), "fog_high": Vector4(high.x, high.y, high.z, 0.0),
		"fog_values": Vector4(shown.r, shown.g, shown.b, 1.0 / float(own.opaque_metres)), "fog_surface": surface}


static func _place(nodes: Array[GLTFNode], index: int) -> Transform3D:
	var place := Transform3D.IDENTITY
	while index >= 0:
		place = nodes[index].xform * place
		index = nodes[index].parent
	return place


static func _collect(nodes: Array, index: int, into: Dictionary) -> void:
	into[index] = true
	for child in nodes[index].get("children", []):
		_collect(nodes, int(child), into)


static func _positive(value, otherwise := 1.0) -> float:
	return value if (value is float or value is int) and value > 0.0 and is_finite(value) else otherwise
