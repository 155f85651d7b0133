@tool
extends RefCounted
## Motion in materials (docs/internals/readers.md, "Motion"): texture coordinates, waves of colour, frames and vertices, by the shader's
## TIME. The numbers are a uniform array, so that materials with the same kind of motion share a shader.

const Billboards := preload("billboards.gd")
const SHAPES := {
	"sin": "sin(TAU * %s)",
	"triangle": "(%s < 0.25 ? 4.0 * %s : %s < 0.75 ? 2.0 - 4.0 * %s : 4.0 * %s - 4.0)",
	"square": "(%s < 0.5 ? 1.0 : -1.0)",
	"sawtooth": "%s",
	"inversesawtooth": "(1.0 - %s)",
	"noise": "sin(TAU * 7.3 * %s) * sin(TAU * 3.1 * %s + 1.0)",  # random in the game
}
const MAX_FRAMES := 32

var numbers := PackedFloat32Array()
var code: String


## The shader's text with a material's motion, and the numbers for it. unit is metres per map unit; at_pixels: the text has a vertex
## function already.
static func declare(text: String, described: Dictionary, unit: float, at_pixels: bool) -> Array:
	var extras: Dictionary = described.get("extras", {})
	var motion: Dictionary = extras.get("motion", {})
	var made := new()
	made.code = text
	if not motion.is_empty() or extras.has("over_alpha") and not at_pixels:
		made._write(motion, unit, at_pixels, extras.has("over_alpha"))
	return [made.code, made.numbers]


## The textures of a material's frames, as indices in the file.
static func frames(described: Dictionary) -> Array:
	var extras: Dictionary = described.get("extras", {})
	var motion: Dictionary = extras.get("motion", {})
	return motion.get("frames", []).slice(0, MAX_FRAMES) if motion.get("fps", 0.0) > 0.0 else []


## Writes the shader's lines for a material's motion.
func _write(motion: Dictionary, unit: float, at_pixels: bool, over_alpha: bool) -> void:
	var scale := 1.0 / (1024.0 * unit)
	var functions := ""
	var vertex := ""
	var pixel := ""
	if over_alpha and not at_pixels:
		vertex += "\tCOLOR = vec4(COLOR.rgb / max(COLOR.a, 0.001), 1.0);\n"
	if motion.has("facing") and not at_pixels:
		functions += Billboards.FUNCTION
		vertex += Billboards.VERTEX
	vertex += _deform(motion.get("deform", []), scale)
	for part: Array in [["base", motion.get("base", [])], ["glow", motion.get("glow", [])]]:
		if part[1].is_empty():
			continue
		var lines := _coordinates(part[1], motion.get("rest", []), scale)
		functions += "vec2 move_%s(vec2 p, vec3 at, float t) {\n%s\treturn p;\n}\n" % [part[0], lines[0]]
		if at_pixels:
			pixel += "\tat_%s = move_%s(UV, vec3(0.0), time);\n" % [part[0], part[0]]
		else:
			functions = "varying vec2 moved_%s;\n" % part[0] + functions
			vertex += "\tmoved_%s = move_%s(UV, at, time);\n" % [part[0], part[0]]
			pixel += "\tat_%s = moved_%s;\n" % [part[0], part[0]]
		pixel += lines[1].replace("$", "at_" + part[0])
	for part: Array in [["color", "color_rest", "tint"], ["glow_color", "glow_color_rest", "glow_tint"]]:
		if motion.get(part[0]) is Array and motion[part[0]].size() >= 5:
			var rest: float = motion.get(part[1], 1.0)
			pixel += "\t%s = clamp(%s, 0.0, 1.0) / %s;\n" % [part[2], _wave(motion[part[0]], "time", ""), _number(rest if rest > 0.0 else 1.0)]
	var pictures: Array = motion.get("frames", []).slice(0, MAX_FRAMES) if motion.get("fps", 0.0) > 0.0 else []
	if not pictures.is_empty():
		var names := range(pictures.size())
		var samplers := ""
		var choices := ""
		for n: int in names:
			samplers += "uniform sampler2D frame_%d : source_color, filter_linear_mipmap_anisotropic, repeat_enable;\n" % n
			choices += "\tif (n == %d) { return texture(frame_%d, p); }\n" % [n, n] if n > 0 else ""
		functions = samplers + functions + "vec4 picture(vec2 p, int n) {\n%s\treturn texture(frame_0, p);\n}\n" % choices
		var shown := "picture(at_base, int(floor(time * %s)) %% %d)" % [_number(motion.fps), pictures.size()]
		code = code.replace("vec4 base = texture(base_map, at_base);", "vec4 base = %s;" % shown)
	var clock := "\tfloat time = TIME + %s;\n" % _number(motion.get("clock", 0.0))
	if vertex != "" and not at_pixels:
		functions += "void vertex() {\n%s\tvec3 at = (fog_space * MODEL_MATRIX * vec4(VERTEX, 1.0)).xyz;\n%s}\n" % [clock, vertex]
	code = code.replace("// MOTION: functions\n", "uniform float motion[%d];\n" % numbers.size() + functions)
	code = code.replace("\t// MOTION: pixels\n", clock + pixel)


## Adds a number to the uniform array, and returns the expression that reads it.
func _number(value: float) -> String:
	numbers.append(value)
	return "motion[%d]" % (numbers.size() - 1)


## The expression of a wave [function, base, amplitude, phase, frequency] at a time. beside is added to its phase.
func _wave(w: Array, time: String, beside: String) -> String:
	var x := "fract(%s + %s * %s%s)" % [_number(w[3]), time, _number(w[4]), beside]
	var shape: String = SHAPES.get(w[0], SHAPES.sin)
	return "(%s + %s * %s)" % [_number(w[1]), _number(w[2]), shape.replace("%s", x)]


## The lines that change coordinates p, given the changes that rest already contains, and the lines that the fragment function needs.
func _coordinates(changes: Array, rest: Array, scale: float) -> Array[String]:
	var lines := ""
	var warps := ""
	if rest.size() == 6:
		var n: float = rest[0] * rest[4] - rest[1] * rest[3]
		if n != 0.0:
			lines += _transform([rest[4] / n, -rest[1] / n, (rest[1] * rest[5] - rest[2] * rest[4]) / n, -rest[3] / n, rest[0] / n, (rest[2] * rest[3] - rest[0] * rest[5]) / n])
	for change: Array in changes:
		match change[0]:
			"scale": lines += "\tp *= vec2(%s, %s);\n" % [_number(change[1]), _number(change[2])]
			"scroll": lines += "\tp += fract(vec2(%s, %s) * t);\n" % [_number(change[1]), _number(change[2])]
			"transform": lines += _transform(change.slice(1))
			"rotate":
				var angle := "radians(-mod(%s * t, 360.0))" % _number(change[1])
				lines += "\tp = mat2(vec2(cos(%s), sin(%s)), vec2(-sin(%s), cos(%s))) * (p - 0.5) + 0.5;\n" % [angle, angle, angle, angle]
			"stretch":
				var wave := _wave(change.slice(1), "t", "")
				lines += "\tp = (p - 0.5) / (abs(%s) > 0.0001 ? %s : 1.0) + 0.5;\n" % [wave, wave]
			"turb":
				lines += "\tp += %s * sin(TAU * (%s + %s * t + vec2(at.x + at.y, -at.z) * %s));\n" % [_number(change[1]), _number(change[2]), _number(change[3]), _number(scale)]
			"ripple": lines += "\tp += %s * sin(p.yx * %s + %s * t);\n" % [_number(change[1]), _number(change[2]), _number(change[3])]
			"warp": warps += "\t$ += %s * sin($.yx * %s + %s * time);\n" % [_number(change[1]), _number(change[2]), _number(change[3])]
	return [lines, warps]


func _transform(m: Array) -> String:
	return "\tp = vec2(%s * p.x + %s * p.y + %s, %s * p.x + %s * p.y + %s);\n" % m.map(_number)


## The lines that move a vertex.
func _deform(deforms: Array, scale: float) -> String:
	var lines := ""
	for deform: Array in deforms:
		match deform[0]:
			"wave": lines += "\tVERTEX += NORMAL * %s;\n" % _wave(deform.slice(1), "time", " + (VERTEX.x + VERTEX.y - VERTEX.z) * %s" % _number(deform[6]))
			"move": lines += "\tVERTEX += vec3(%s, %s, %s) * %s;\n" % [_number(deform[6]), _number(deform[7]), _number(deform[8]), _wave(deform.slice(1), "time", "")]
			"bulge": lines += "\tVERTEX += NORMAL * %s * sin(UV.x * %s + time * %s);\n" % [_number(deform[2]), _number(deform[1]), _number(deform[3])]
			"swell":
				var four := _number(scale * 4.0)
				lines += "\tVERTEX.y += %s * (sin(TAU * (0.625 * time + (at.x - at.z) * %s)) + 0.8 * sin(TAU * (0.66796875 * time + (5.0 * at.x + at.z) * %s)));\n" % [_number(deform[1]), four, four]
	return lines
