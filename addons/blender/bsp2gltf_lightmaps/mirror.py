# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Pictures of the surroundings, which Quake III's surfaces show as reflections, and chrome of GoldSrc's models (docs/internals/readers.md)."""

import bpy

from . import node_copies, groups, materials, moving, textures


def show(gltf, mat, extras) -> bool:
    """Adds what a material reflects to the group of its light. Reports whether it reflects anything."""
    found = extras.get("environment") if isinstance(extras, dict) else None
    tree = mat.node_tree
    light = materials.light_node(tree)
    picture = textures.image(gltf, found.get("texture"), colour=False) if isinstance(found, dict) else None
    if isinstance(found, dict) and found.get("vertex") and bpy.app.version < (3, 6, 0):
        return False  # the importer drops the attribute that multiplies it
    if picture is None or light is None or "Mirror" not in light.inputs or not _numbers(found.get("mean"), 3):
        return False
    b = groups.Steps(tree, light.location.x - 2600, light.location.y + 2200)
    place = _seen(b)
    motion = extras.get("motion")
    mirror = motion.get("mirror") if isinstance(motion, dict) else None
    if isinstance(mirror, list):
        time = b.group(moving.time_group(), 3, 4).outputs[0]
        for column, change in enumerate(mirror, 2):
            place = moving._changed(b, place, change, time, 0.03125, 4 * column, 0)
    elif _numbers(found.get("transform"), 6):
        place = moving._affine(b, place, found["transform"], 8, 0)
    node = b.node("ShaderNodeTexImage", 26, 0, "SURROUNDINGS")
    node.image = picture
    textures.sampled(gltf, found["texture"], node)
    b.link(b.vector("MULTIPLY_ADD", 25, 0, place, (1.0, -1.0, 0.0), (0.0, 1.0, 0.0)), node.inputs[0])
    colour = b.vector("MULTIPLY", 27, 0, node.outputs["Color"], _of(found, "color"))
    if found.get("vertex"):
        tint = b.node("ShaderNodeAttribute", 27, 2)
        tint.attribute_name = "_ENVIRONMENT"
        colour = b.vector("MULTIPLY", 28, 0, colour, tint.outputs["Color"])
    colour = b.vector("SUBTRACT", 29, 0, colour, tuple(map(float, found["mean"])))
    colour = b.vector("MULTIPLY", 30, 0, colour, _of(found, "factor"))
    bsdf = materials.node_of(tree, "ShaderNodeBsdfPrincipled") or materials.node_of(tree, "ShaderNodeEmission")
    base = bsdf and node_copies.above(bsdf.inputs[0], "ShaderNodeTexImage")
    share = textures.image(gltf, found.get("factor_texture"))
    if share is not None and base is not None:
        part = b.node("ShaderNodeTexImage", 29, 3, "SHARE")
        part.image = share
        textures.sampled(gltf, found["factor_texture"], part)
        if base.inputs[0].is_linked:
            materials.copy_input(tree, base.inputs[0], part.inputs[0])
        stored = part.outputs["Color"]
        if share.colorspace_settings.name == "sRGB":  # it may be the base colour, too
            stored = b.group(groups.curve_group(groups.TO_DISPLAY), 30, 3, stored).outputs[0]
        colour = b.vector("MULTIPLY", 31, 0, colour, stored)
    b.link(colour, light.inputs["Mirror Emission" if found.get("emission") else "Mirror"])
    return True


def _seen(b):
    """Where in the picture a viewer looks: the direction to the eye reflected, in the axes of the mesh."""
    parts = []
    for row, name in enumerate(("Normal", "Incoming")):
        turn = b.node("ShaderNodeVectorTransform", 1, row)
        turn.vector_type, turn.convert_from, turn.convert_to = "VECTOR", "WORLD", "OBJECT"
        b.link(b.node("ShaderNodeNewGeometry", 0, row).outputs[name], turn.inputs[0])
        parts.append(b.vector("NORMALIZE", 2, row, turn.outputs[0]))
    normal, eye = parts
    twice = b.number("MULTIPLY", 4, 0, b.dot(3, 0, normal, eye), 2.0)
    back = b.vector("SUBTRACT", 5, 0, b.vector("SCALE", 4, 1, normal, twice), eye)
    at = b.node("ShaderNodeCombineXYZ", 7, 0)  # glTF's Z is -Y here, its Y is Z
    for k, way in enumerate(((0.0, 0.5, 0.0), (0.0, 0.0, -0.5))):
        b.link(b.number("ADD", 6, k, b.dot(6, 2 + k, back, way), 0.5), at.inputs[k])
    return at.outputs[0]


def _numbers(values, count: int) -> bool:
    return isinstance(values, (list, tuple)) and len(values) == count and all(isinstance(v, (int, float)) for v in values)


def _of(found: dict, key: str) -> tuple:
    return tuple(map(float, found[key])) if _numbers(found.get(key), 3) else (1.0, 1.0, 1.0)
