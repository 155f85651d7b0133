# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Environment maps, which Quake III's surfaces show as reflections, and chrome of GoldSrc's models (docs/internals/readers.md)."""

import bpy

from . import node_copies, groups, materials, moving, textures


def show(gltf, mat, extras) -> bool:
    """Adds a material's reflection to the group of its light. Reports whether it reflects anything."""
    found = extras.get("environment") if isinstance(extras, dict) else None
    tree = mat.node_tree
    light = materials.light_node(tree)
    picture = textures.image(gltf, found.get("texture"), colour=False) if isinstance(found, dict) else None
    if isinstance(found, dict) and found.get("vertex") and bpy.app.version < (3, 6, 0):
        return False  # the importer drops the attribute for its factor
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
    colour = b.vector("MULTIPLY", 27, 0, node.outputs["Color"], numbers_of(found, "color"))
    if found.get("vertex"):
        tint = b.node("ShaderNodeAttribute", 27, 2)
        tint.attribute_name = "_ENVIRONMENT"
        colour = b.vector("MULTIPLY", 28, 0, colour, tint.outputs["Color"])
    colour = b.vector("SUBTRACT", 29, 0, colour, tuple(map(float, found["mean"])))
    colour = b.vector("MULTIPLY", 30, 0, colour, numbers_of(found, "factor"))
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
        if share.colorspace_settings.name == "sRGB":  # it may also be the base colour
            stored = b.group(groups.curve_group(groups.TO_DISPLAY), 30, 3, stored).outputs[0]
        colour = b.vector("MULTIPLY", 31, 0, colour, stored)
    b.link(colour, light.inputs["Mirror Emission" if found.get("emission") else "Mirror"])
    return True


def chrome(mat, extras):
    """A copy of what leads to a material's output, with a texture that follows the eye, or None for a material without chrome. The places of
    bones stay where they are at rest. Blender before 3.6 has no attributes of a file."""
    scale = extras.get("chrome") if isinstance(extras, dict) else None
    output = materials.active_output(mat.node_tree) if _numbers(scale, 2) and bpy.app.version >= (3, 6, 0) else None
    before = output and materials.source(output.inputs["Surface"])
    texture = before and moving.textures_of(before)[0]
    if not texture:
        return None
    b = groups.Steps(mat.node_tree, texture.location.x - 2200, texture.location.y - 1500)
    bone, parts, place = (b.node(kind, i, 0) for i, kind in enumerate(("ShaderNodeAttribute", "ShaderNodeSeparateXYZ", "ShaderNodeCombineXYZ")))
    bone.attribute_name = "_CHROME"
    b.link(bone.outputs["Vector"], parts.inputs[0])
    for source, target in zip((parts.outputs[0], b.number("MULTIPLY", 1, 1, parts.outputs[2], -1.0), parts.outputs[1]), place.inputs):
        b.link(source, target)  # glTF's Z is -Y here, its Y is Z
    toward = b.vector("NORMALIZE", 5, 0, _to_camera(b, place.outputs[0], "POINT", "OBJECT", 3, 0))
    normal = b.vector("NORMALIZE", 5, 1, _to_camera(b, b.node("ShaderNodeNewGeometry", 2, 1).outputs["Normal"], "VECTOR", "WORLD", 3, 1))
    down = b.vector("NORMALIZE", 7, 0, b.vector("CROSS_PRODUCT", 6, 0, toward, (1.0, 0.0, 0.0)))
    right = b.vector("NORMALIZE", 9, 0, b.vector("CROSS_PRODUCT", 8, 0, down, toward))
    at = b.node("ShaderNodeCombineXYZ", 12, 0)
    b.link(b.number("MULTIPLY_ADD", 11, 0, b.dot(10, 0, normal, right), float(scale[0]), float(scale[0])), at.inputs[0])
    b.link(b.number("MULTIPLY_ADD", 11, 1, b.dot(10, 1, normal, down), -float(scale[1]), 1 - float(scale[1])), at.inputs[1])
    shown = b.node("ShaderNodeTexImage", 13, 0)
    shown.image, shown.extension, shown.interpolation = texture.image, texture.extension, texture.interpolation
    b.link(at.outputs[0], shown.inputs[0])
    return node_copies.copied(mat.node_tree, before, {texture: {name: shown.outputs[name] for name in ("Color", "Alpha")}})


def _to_camera(b, vector, kind: str, space: str, column: int, row: int):
    """A vector in the camera's axes, with Z toward the viewer; Blender's Z points away."""
    turn = b.node("ShaderNodeVectorTransform", column, row)
    turn.vector_type, turn.convert_from, turn.convert_to = kind, space, "CAMERA"
    b.link(vector, turn.inputs[0])
    return b.vector("MULTIPLY", column + 1, row, turn.outputs[0], (1.0, 1.0, -1.0))


def _seen(b):
    """The coordinates in the image: the reflected view direction, in the mesh's axes."""
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


def numbers_of(found: dict, key: str) -> tuple:
    return tuple(map(float, found[key])) if _numbers(found.get(key), 3) else (1.0, 1.0, 1.0)
