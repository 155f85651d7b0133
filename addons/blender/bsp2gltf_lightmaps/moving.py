# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Textures that move in the game: water, lava, conveyors, alternating images, waves of colour (docs/internals/readers.md, "Motion").

A driver gives the group "bsp2gltf Time" the seconds since the scene's first frame. Nodes do the rest, so no script is needed. Motion of
vertices (deform, facing) is left out.
"""

import math

import bpy

from . import node_copies, compat, groups, materials, textures

TIME = "bsp2gltf Time"
TURN = 2 * math.pi


def time_group():
    """A group whose output is the time in seconds."""
    if group := groups.found(TIME):
        return group
    b = groups.Builder(TIME, (), (("Float", "Time"),))
    b.tree[groups.KIND] = TIME
    value = b.node("ShaderNodeValue", 0, 0, "Seconds").outputs[0]
    driver = value.driver_add("default_value").driver
    driver.type = "SCRIPTED"
    for name, path in (("rate", "render.fps"), ("base", "render.fps_base"), ("first", "frame_start")):
        variable = driver.variables.new()
        variable.name, variable.type = name, "SINGLE_PROP"
        target = variable.targets[0]
        target.id_type, target.id, target.data_path = "SCENE", bpy.context.scene, path
    driver.expression = "(frame - first) * base / rate + 0.0001"  # a square wave has changed at exactly half of its period
    b.finish(value)
    return b.tree


def seconds() -> float:
    """The time of the current frame."""
    scene = bpy.context.scene
    return (scene.frame_current - scene.frame_start) * scene.render.fps_base / scene.render.fps + 0.0001


def move(gltf, mat, extras: dict, unit: float):
    """A copy of what leads to a material's output, with moving textures, or None if the material does not move."""
    motion = extras.get("motion") if isinstance(extras, dict) else None
    if not isinstance(motion, dict) or not any(motion.get(k) for k in ("base", "glow", "color", "glow_color", "frames")):
        return None
    tree = mat.node_tree
    output = materials.active_output(tree)
    before = output and materials.source(output.inputs["Surface"])
    if before is None:
        return None
    base, glow = textures_of(before)
    at = (base or glow).location if base or glow else output.location
    b = groups.Steps(tree, at.x - 1900, at.y - 1500)
    time = b.group(time_group(), 0, 0).outputs[0]
    if motion.get("clock"):
        time = b.number("ADD", 1, 0, time, float(motion["clock"]))
    replaced = {}
    for row, (texture, changes, wave, rest) in enumerate((
            (base, motion.get("base"), motion.get("color"), motion.get("color_rest")),
            (glow, motion.get("glow"), motion.get("glow_color"), motion.get("glow_color_rest")))):
        if texture is None or texture in replaced:
            continue
        place = None
        if changes:
            place = _place(b, changes, motion.get("rest"), time, unit, 10 * row)
        pictures = [texture.image]
        if texture == base and isinstance(motion.get("frames"), list):
            pictures = [p for p in (textures.image(gltf, i) for i in motion["frames"]) if p] or pictures
        outputs = _pictures(b, texture, pictures, place, time, float(motion.get("fps") or 0), 10 * row)
        if isinstance(wave, list) and isinstance(rest, (int, float)) and rest:
            outputs["Color"] = _tinted(b, outputs["Color"], wave, float(rest), time, 10 * row)
        replaced[texture] = outputs
    return node_copies.copied(tree, before, replaced) if replaced else None


def textures_of(before) -> tuple:
    """The nodes of the base colour's and the emission's texture."""
    bsdf = node_copies.above(before, "ShaderNodeBsdfPrincipled")
    if bsdf is None:
        return node_copies.above(before, "ShaderNodeTexImage"), None
    emission = compat.emission_input(bsdf)
    return node_copies.above(bsdf.inputs["Base Color"], "ShaderNodeTexImage"), node_copies.above(emission, "ShaderNodeTexImage")


def _place(b, changes, rest, time, unit: float, row: int):
    """Texture coordinates at a time, in Blender's direction: V upwards."""
    uv = b.node("ShaderNodeUVMap", 0, row + 2)
    uv.uv_map = "UVMap"
    at = b.vector("MULTIPLY_ADD", 1, row + 2, uv.outputs[0], (1.0, -1.0, 0.0), (0.0, 1.0, 0.0))
    if inverse := _inverse(rest):
        at = _affine(b, at, inverse, 2, row)
    for column, change in enumerate(changes, 1):
        at = _changed(b, at, change, time, unit, 4 * column, row)
    return b.vector("MULTIPLY_ADD", 4 * len(changes) + 4, row + 2, at, (1.0, -1.0, 0.0), (0.0, 1.0, 0.0))


def _inverse(rest):
    try:
        a, b, c, d, e, f = map(float, rest)
        det = a * e - b * d
        return (e / det, -b / det, (b * f - c * e) / det, -d / det, a / det, (c * d - a * f) / det)
    except (TypeError, ValueError, ZeroDivisionError):
        return None


def _affine(b, at, m, column: int, row: int):
    parts = b.node("ShaderNodeCombineXYZ", column + 1, row + 3)
    for k, (x, y, z) in enumerate((m[:3], m[3:])):
        b.link(b.number("ADD", column + 1, row + 4 + k, b.dot(column, row + 3 + k, at, (x, y, 0.0)), z), parts.inputs[k])
    return parts.outputs[0]


def _changed(b, at, change, time, unit: float, column: int, row: int):
    kind, values = change[0], change[1:]
    half = (0.5, 0.5, 0.0)
    if kind == "scale":
        return b.vector("MULTIPLY", column, row + 2, at, (*map(float, values[:2]), 0.0))
    if kind == "scroll":
        return b.vector("ADD", column + 1, row + 2, at, b.vector("SCALE", column, row + 3, (*map(float, values[:2]), 0.0), time))
    if kind == "transform":
        return _affine(b, at, tuple(map(float, values)), column, row)
    if kind == "rotate":
        turn = b.node("ShaderNodeVectorRotate", column + 1, row + 2)
        turn.rotation_type = "Z_AXIS"
        turn.inputs["Center"].default_value = half
        b.link(at, turn.inputs["Vector"])
        b.link(b.number("MULTIPLY", column, row + 3, time, -math.radians(values[0])), turn.inputs["Angle"])
        return turn.outputs[0]
    if kind == "stretch":
        part = b.number("DIVIDE", column + 2, row + 3, 1.0, wave(b, values, time, column, row + 3))
        away = b.vector("SUBTRACT", column, row + 2, at, half)
        return b.vector("ADD", column + 3, row + 2, b.vector("SCALE", column + 2, row + 2, away, part), half)
    if kind == "turb":
        amp, phase, freq = map(float, values[:3])
        place = b.node("ShaderNodeNewGeometry", column, row + 4).outputs["Position"]
        return _shaken(b, at, _pair(b, place, 1 / (1024 * unit), column, row + 5), TURN, b.number(
            "MULTIPLY_ADD", column, row + 3, time, freq * TURN, phase * TURN), amp, column, row)
    if kind in ("warp", "ripple"):
        amp, k, speed = map(float, values[:3])
        parts = b.node("ShaderNodeSeparateXYZ", column, row + 4)
        b.link(at, parts.inputs[0])
        other = b.node("ShaderNodeCombineXYZ", column + 1, row + 5)
        b.link(parts.outputs[1], other.inputs[0])
        b.link(parts.outputs[0], other.inputs[1])
        return _shaken(b, at, other.outputs[0], k, b.number("MULTIPLY", column, row + 3, time, speed), amp, column, row)
    return at


def _pair(b, place, scale: float, column: int, row: int):
    """(X + Z, Y) of a position in the map, on which turbulence depends."""
    parts = b.node("ShaderNodeSeparateXYZ", column, row)
    b.link(b.vector("SCALE", column, row + 1, place, scale), parts.inputs[0])
    pair = b.node("ShaderNodeCombineXYZ", column + 1, row)
    b.link(b.number("ADD", column + 1, row + 1, parts.outputs[0], parts.outputs[2]), pair.inputs[0])
    b.link(parts.outputs[1], pair.inputs[1])
    return pair.outputs[0]


def _shaken(b, at, by, factor: float, phase, amp: float, column: int, row: int):
    angle = b.vector("ADD", column + 2, row + 3, b.vector("SCALE", column + 1, row + 4, by, factor), phase)
    away = b.vector("SCALE", column + 3, row + 3, b.vector("SINE", column + 3, row + 4, angle), amp)
    return b.vector("ADD", column + 3, row + 2, at, b.vector("MULTIPLY", column + 3, row + 5, away, (1.0, 1.0, 0.0)))


def wave(b, values, time, column: int, row: int):
    """base + amplitude · function(phase + frequency · time)."""
    kind, (base, amplitude, phase, frequency) = values[0], map(float, values[1:5])
    at = b.number("MULTIPLY_ADD", column, row, time, frequency, phase)
    if kind == "sin":
        shape = b.number("SINE", column + 1, row, b.number("MULTIPLY", column, row + 1, at, TURN))
    elif kind == "noise":
        noise = b.node("ShaderNodeTexWhiteNoise", column + 1, row)
        noise.noise_dimensions = "1D"
        b.link(b.number("FLOOR", column, row + 1, b.number("MULTIPLY", column, row + 2, at, 10.0)), noise.inputs["W"])
        shape = b.number("MULTIPLY_ADD", column + 1, row + 1, noise.outputs["Value"], 2.0, -1.0)
    else:
        part = b.number("FRACT", column, row + 1, b.number("ADD", column, row + 2, at, 0.25 if kind == "triangle" else 0.0))
        if kind == "square":
            shape = b.number("MULTIPLY_ADD", column + 1, row, b.number("LESS_THAN", column + 1, row + 1, part, 0.5), 2.0, -1.0)
        elif kind == "triangle":
            away = b.number("ABSOLUTE", column + 1, row + 2, b.number("SUBTRACT", column + 1, row + 1, part, 0.5))
            shape = b.number("MULTIPLY_ADD", column + 1, row, away, -4.0, 1.0)
        else:
            shape = part if kind == "sawtooth" else b.number("SUBTRACT", column + 1, row, 1.0, part)
    return b.number("MULTIPLY_ADD", column + 2, row, shape, amplitude, base)


def _pictures(b, texture, pictures: list, place, time, rate: float, row: int) -> dict:
    """The colour and the alpha of alternating images, at texture coordinates."""
    shown: dict = {}
    number = None
    if len(pictures) > 1:
        number = b.number("MODULO", 31, row, b.number("FLOOR", 30, row, b.number("MULTIPLY", 29, row, time, rate)), float(len(pictures)))
    for i, picture in enumerate(pictures):
        node = b.node("ShaderNodeTexImage", 32, row + 2 * i)
        node.image, node.extension, node.interpolation = picture, texture.extension, texture.interpolation
        if place is not None:
            b.link(place, node.inputs[0])
        else:
            materials.copy_input(b.tree, texture.inputs[0], node.inputs[0]) if texture.inputs[0].is_linked else None
        outputs = {"Color": node.outputs["Color"], "Alpha": node.outputs["Alpha"]}
        if i:
            now = b.number("COMPARE", 33, row + 2 * i, number, float(i), 0.5)
            alpha = b.number("ADD", 36, row + 2 * i, shown["Alpha"], b.number("MULTIPLY", 35, row + 2 * i, now, b.number(
                "SUBTRACT", 34, row + 2 * i, outputs["Alpha"], shown["Alpha"])))
            outputs = {"Color": b.mixed(34, row + 2 * i + 1, shown["Color"], outputs["Color"], now), "Alpha": alpha}
        shown = outputs
    return shown


def _tinted(b, colour, values, rest: float, time, row: int):
    """A colour times a wave, in display space. The colour already includes the wave's value at rest."""
    at = b.number("MINIMUM", 38, row, b.number("MAXIMUM", 37, row, wave(b, values, time, 34, row + 3), 0.0), 1.0)
    shown = b.group(groups.curve_group(groups.TO_DISPLAY), 37, row + 1, colour).outputs[0]
    shown = b.vector("SCALE", 39, row, shown, b.number("MULTIPLY", 39, row + 1, at, 1 / rest))
    return b.group(groups.curve_group(groups.TO_LINEAR), 40, row, shown).outputs[0]
