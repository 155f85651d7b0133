# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Baked light with a direction: it lights normal maps and makes highlights (docs/internals/light.md, "Light with a direction"). Where a
lightmap has directions, the group of light gets the factor for the slope, and the highlights.
"""

from . import node_copies, groups, materials, textures


def show(gltf, mat, extras) -> bool:
    """Lights a material's normal map by the directions of its light, if the file has them. Reports whether it does."""
    directed = extras.get("directed") if isinstance(extras, dict) else None
    tree = mat.node_tree
    light, page = materials.light_node(tree), materials.lightmap_node(tree)
    if not isinstance(directed, dict) or light is None or page is None or "Slope" not in light.inputs:
        return False
    toward = textures.image(gltf, directed.get("texture"), colour=False)
    bsdf = materials.node_of(tree, "ShaderNodeBsdfPrincipled")
    if toward is None or bsdf is None:
        return False
    slopes, gloss = materials.source(bsdf.inputs["Normal"]), textures.image(gltf, directed.get("gloss"), colour=False)
    if slopes is None and gloss is None:
        return False  # without a normal map the baked light is right
    b = groups.Steps(tree, light.location.x - 1600, light.location.y + 900)
    up = b.node("ShaderNodeNewGeometry", 0, 0).outputs["Normal"]
    picture = b.node("ShaderNodeTexImage", 0, 2, "DIRECTIONS")
    picture.image = toward
    textures.sampled(gltf, directed["texture"], picture)
    picture.extension = "EXTEND"
    tree.links.new(materials.source(page.inputs[0]), picture.inputs[0])
    turn = b.node("ShaderNodeVectorTransform", 2, 2)  # a mesh has the map's axes
    turn.vector_type, turn.convert_from, turn.convert_to = "VECTOR", "OBJECT", "WORLD"
    b.link(b.vector("MULTIPLY_ADD", 1, 2, picture.outputs["Color"], 2.0, -1.0), turn.inputs[0])
    way = b.vector("NORMALIZE", 3, 2, turn.outputs[0])
    slope = slopes if slopes is not None else up
    straight = b.number("MAXIMUM", 5, 1, b.dot(4, 1, way, up), 0.25)
    b.link(b.number("DIVIDE", 6, 0, b.number("MAXIMUM", 5, 0, b.dot(4, 0, way, slope), 0.0), straight), light.inputs["Slope"])
    light.inputs["Ambient"].default_value = float(directed.get("ambient") or 0.0)
    if gloss is not None:
        _highlights(b, light, bsdf, gloss, way, slope, straight)
    return True


def _highlights(b, light, bsdf, gloss, way, slope, straight) -> None:
    """Adds the colours of highlights, where the normal is between the directions to the light and to the viewer. Their alpha is the
    sharpness."""
    picture = b.node("ShaderNodeTexImage", 0, 4, "GLOSS")
    picture.image = gloss
    if base := node_copies.above(bsdf.inputs["Base Color"], "ShaderNodeTexImage"):
        materials.copy_input(b.tree, base.inputs[0], picture.inputs[0]) if base.inputs[0].is_linked else None
    eye = b.node("ShaderNodeNewGeometry", 3, 5).outputs["Incoming"]
    half = b.vector("NORMALIZE", 5, 4, b.vector("ADD", 4, 4, way, eye))
    sharp = b.number("MULTIPLY_ADD", 5, 6, picture.outputs["Alpha"], 31.0, 1.0)
    part = b.number("POWER", 7, 4, b.number("MAXIMUM", 6, 5, b.dot(6, 4, half, slope), 0.0), sharp)
    b.link(b.vector("SCALE", 8, 5, picture.outputs["Color"], b.number("DIVIDE", 8, 4, part, straight)), light.inputs["Highlight"])
