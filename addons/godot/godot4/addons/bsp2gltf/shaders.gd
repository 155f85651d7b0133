@tool
extends RefCounted
## ## Variants of baked.gdshader, because blending, culling and fog volumes are fixed when a shader is compiled. Each variant is
## compiled once.

const SHADER := preload("baked.gdshader")
const Fog := preload("fog.gd")
const Around := preload("around.gd")
const Sprites := preload("sprites.gd")
const Billboards := preload("billboards.gd")
const Motion := preload("motion.gd")
var _made := {}  # source text to Shader


## Gives a material its shader. fogs are the map's fog volumes; around_eye is set for a sky, which is drawn around the camera; facing is
## set for a sprite, which faces the camera: whether it rotates about the vertical only, else null. unit is metres per map unit.
func give(material: ShaderMaterial, json: Dictionary, described: Dictionary, fogs: Array, around_eye: bool, facing: Variant, unit: float) -> void:
	var blend: bool = described.get("alphaMode") == "BLEND"
	var code := SHADER.code
	if described.get("doubleSided", false) or Billboards.of(described) != "":
		code = code.replace("cull_back", "cull_disabled")
	if is_multiplied(described):
		code = code.replace("unshaded,", "unshaded, blend_mul,").replace("// shown = decode(mix", "shown = decode(mix")
	elif blend:
		code = code.replace("// ALPHA = base.a;", "ALPHA = base.a;")
	if is_added(described):
		code = _behind(code).replace("unshaded,", "unshaded, blend_add,")
	elif is_clouds(described) and not is_multiplied(described) and json.materials.filter(is_clouds).size() == 1:  # a second cloud layer would hide the first
		code = _behind(code).replace("ALBEDO = added(", "ALBEDO = covered(")
	if _is_clamped(json, described.get("pbrMetallicRoughness", {}).get("baseColorTexture", {})):  # such as the sides of a sky
		code = code.replace("anisotropic, repeat_enable", "anisotropic, repeat_disable")
	if around_eye:
		code = Around.declare(code)
	elif facing != null:
		code = Sprites.declare(code, facing)
	if not fogs.is_empty():
		code = Fog.declare(code, fogs, _meets(described, blend))
	var moved := Motion.declare(code, described, unit, around_eye or facing != null)
	code = moved[0]
	if not moved[1].is_empty():
		material.set_shader_parameter("motion", moved[1])
	if code == SHADER.code:
		material.shader = SHADER
		return
	if not _made.has(code):
		_made[code] = Shader.new()
		_made[code].code = code
	material.shader = _made[code]


## Reports whether a material is clouds of a sky, which cover its box in part.
static func is_clouds(described: Dictionary) -> bool:
	return described.get("alphaMode") == "BLEND" and described.get("extras", {}).has("bsp2gltf_sky")


## Makes the shader read and blend with what is behind a surface.
func _behind(code: String) -> String:
	code = code.replace("// uniform sampler2D behind", "uniform sampler2D behind")
	code = code.replace("/* What is added", "// What is added").replace("} */", "}")
	return code.replace("// if (!stored)", "if (!stored)")


## Reports whether a material is added to what is behind it.
static func is_added(described: Dictionary) -> bool:
	return described.get("alphaMode") == "BLEND" and described.get("extras", {}).get("blend") == "add"


## Reports whether what is behind a material is multiplied by it. In the Compatibility renderer that can't brighten, as its picture ends at
## white before the multiplication. In Forward+ the factor is right for a linear picture if colours are a plain power of it.
static func is_multiplied(described: Dictionary) -> bool:
	return described.get("alphaMode") == "BLEND" and described.get("extras", {}).get("blend") == "multiply"


## How a material combines with fog volumes: 0 opaque, 1 blended, 2 additive; plus 4 for the sky, which is beyond all fog.
func _meets(described: Dictionary, blend: bool) -> int:
	var kind := 2 if is_added(described) else 1 if blend else 0
	return kind + (4 if described.get("extras", {}).has("bsp2gltf_sky") else 0)


## Reports whether a texture is clamped in both directions.
func _is_clamped(json: Dictionary, info: Dictionary) -> bool:
	if not info.has("index"):
		return false
	var texture: Dictionary = json.textures[int(info["index"])]
	return texture.has("sampler") and json.samplers[int(texture["sampler"])].get("wrapS", 10497) == 33071
