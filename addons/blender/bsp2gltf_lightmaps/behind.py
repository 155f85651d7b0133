# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Unlit surfaces that multiply the background: shadows, stains, decals (docs/internals/readers.md, "What is behind").

Games multiply display values, Cycles linear light, so the factor is raised to a power. Surfaces that only add to the background stay
blended: no sum of linear light looks like the game's.
"""

from . import groups, materials, mirror, node_copies, textures

POWER = 2.2


def show(gltf, mat, extras) -> bool:
    """Makes an unlit material multiply the background. Reports whether it does."""
    found = extras.get("behind") if isinstance(extras, dict) else None
    if not isinstance(found, dict) and (not isinstance(extras, dict) or extras.get("blend") != "multiply"):
        return False
    tree = mat.node_tree
    output = materials.active_output(tree)
    before = output and materials.source(output.inputs["Surface"])
    unlit = before and node_copies.above(before, "ShaderNodeEmission")
    if not unlit or before.node.bl_idname != "ShaderNodeMixShader" or materials.lightmap_node(tree):
        return False
    b = groups.Steps(tree, output.location.x - 1500, output.location.y - 900)
    alpha, colour = before.node.inputs[0], unlit.inputs["Color"]
    if isinstance(found, dict):
        factor = _stored(b, gltf, found.get("texture"), mirror.numbers_of(found, "factor"), colour)
    else:  # 1 + alpha (2 c - 1)
        shown = b.group(groups.curve_group(groups.TO_DISPLAY), 0, 0)
        materials.copy_input(tree, colour, shown.inputs[0])
        part = b.node("ShaderNodeVectorMath", 2, 0)
        part.operation = "SCALE"
        b.link(b.vector("MULTIPLY_ADD", 1, 0, shown.outputs[0], 2.0, -1.0), part.inputs[0])
        materials.copy_input(tree, alpha, part.inputs["Scale"])
        factor = b.vector("ADD", 3, 0, part.outputs["Vector"], 1.0)
    if factor is None:
        return False
    clear = b.node("ShaderNodeBsdfTransparent", 5, 0)
    b.link(b.power(4, 0, b.vector("MINIMUM", 3, 1, factor, 2.0), POWER), clear.inputs["Color"])
    shader = clear.outputs[0]
    if extras.get("blend") != "multiply":
        added, both = b.node("ShaderNodeMixShader", 5, 1), b.node("ShaderNodeAddShader", 6, 0)
        materials.copy_input(tree, alpha, added.inputs[0])
        b.link(unlit.outputs[0], added.inputs[2])
        b.link(shader, both.inputs[0])
        b.link(added.outputs[0], both.inputs[1])
        shader = both.outputs[0]
    materials.show(mat, shader)
    return True


def _stored(b, gltf, texture, factor: tuple, colour):
    """The stored value of a texture, times a factor, at the coordinates of the base colour's texture, or None if the image is missing."""
    image = textures.image(gltf, texture, colour=False)
    if image is None:
        return None
    stored = b.node("ShaderNodeTexImage", 0, 0, "BEHIND")
    stored.image = image
    textures.sampled(gltf, texture, stored)
    base = node_copies.above(colour, "ShaderNodeTexImage")
    if base is not None and base.inputs[0].is_linked:
        materials.copy_input(b.tree, base.inputs[0], stored.inputs[0])
    return b.vector("MULTIPLY", 2, 0, stored.outputs["Color"], factor)
