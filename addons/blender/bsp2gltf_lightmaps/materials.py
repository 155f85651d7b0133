# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Adds the baked light to materials that Blender's importer has built.

    what the importer built -----+----------------------------------> Material Output (all)
                                 +-> [Mix Shader] -> Material Output (EEVEE) and (Cycles)
    base, lightmap, emission -> [Light] ->  ^
                                  Baked ----'

An output for one engine goes before the one for all, so both engines show the Mix Shader. The importer's own chain
and its output stay as they are and stay the active ones: that is what the glTF exporter (and those for FBX, OBJ and
USD) look at, and an Emission node that leads to the active output would be taken for the material's emission.
"""

import json

import bpy

from . import node_copies, compat, groups

OUTPUT = "bsp2gltf_output"  # on our Material Outputs
DISPLAY = "bsp2gltf_display"  # on the node of light of a model with vertex light, as JSON
LIGHTMAP = "bsp2gltf_lightmap"  # on the node of the lightmap's image: the other members of MOZ_lightmap, as JSON
ENGINES = ("EEVEE", "CYCLES")


def source(socket):
    """The output linked to an input, or None."""
    return socket.links[0].from_socket if socket.is_linked else None


def copy_input(tree, original, target) -> None:
    """Links an input to what another input is linked to, or copies its value."""
    if original.is_linked:
        tree.links.new(source(original), target)
    elif original.type == target.type:
        target.default_value = original.default_value


def node_of(tree, kind: str):
    return next((n for n in tree.nodes if n.bl_idname == kind), None)


def active_output(tree):
    """The Material Output that the importer made."""
    outputs = [n for n in tree.nodes if n.bl_idname == "ShaderNodeOutputMaterial" and not n.get(OUTPUT)]
    return next((n for n in outputs if n.is_active_output), outputs[0] if outputs else None)


def light_node(tree):
    """The node of our group, or None for a material without baked light."""
    return next((n for n in tree.nodes if n.bl_idname == "ShaderNodeGroup" and groups.is_light(n.node_tree)), None)


def lightmap_node(tree):
    """The node of the lightmap's image, or None."""
    return next((n for n in tree.nodes if n.bl_idname == "ShaderNodeTexImage" and n.get(LIGHTMAP) is not None), None)


def keep_active_output(mat) -> None:
    """Makes the importer's output the active one again. A click on another output activates that, and then exporters take our light for
    the material."""
    nodes = mat.node_tree.nodes if mat.node_tree else ()
    ours = [n for n in nodes if n.bl_idname == "ShaderNodeOutputMaterial" and n.get(OUTPUT)]
    if any(n.is_active_output for n in ours):
        for node in ours:
            node.is_active_output = False
        if output := active_output(mat.node_tree):
            output.is_active_output = True


def _light(tree, group, x: float, y: float):
    node = tree.nodes.new("ShaderNodeGroup")
    node.node_tree = group
    node.label = groups.SWITCH
    node.location = x, y
    node.width = 180
    return node


def _mix_shaders(tree, factor, first, second, x: float, y: float):
    """The output of a new Mix Shader: first at the factor 0, second at 1."""
    mix = tree.nodes.new("ShaderNodeMixShader")
    mix.location = x, y
    for output, target in zip((factor, first, second), mix.inputs):
        if output is not None:
            tree.links.new(output, target)
    return mix


def _cut_out(tree, alpha, cutoff: float | None, light, x: float, y: float):
    """The light where alpha is 1, and the background where it is 0.

    Opaque materials don't get this, because a Transparent BSDF anywhere makes Cycles test every shadow ray. cutoff is set for an alpha
    mask; up to 4.1 only EEVEE supports that itself.
    """
    if not alpha.is_linked and alpha.default_value >= 1.0:
        return light
    clear = tree.nodes.new("ShaderNodeBsdfTransparent")
    clear.location = x, y + 100
    mix = _mix_shaders(tree, None, clear.outputs[0], light, x + 200, y + 60)
    copy_input(tree, alpha, mix.inputs[0])
    if cutoff is not None and alpha.is_linked:
        cut = tree.nodes.new("ShaderNodeMath")
        cut.operation = "GREATER_THAN"
        cut.location = x, y + 260
        tree.links.new(source(alpha), cut.inputs[0])
        cut.inputs[1].default_value = cutoff - 0.001  # a quarter of the step of an 8-bit alpha, so that the comparison is >=
        tree.links.new(cut.outputs[0], mix.inputs[0])
    return mix.outputs[0]


def _show(tree, output, shader) -> None:
    """Adds an output for each render engine."""
    for row, engine in enumerate(ENGINES):
        node = tree.nodes.new("ShaderNodeOutputMaterial")
        node.target = engine
        node[OUTPUT] = True
        node.label = {"EEVEE": "EEVEE", "CYCLES": "Cycles"}[engine]
        node.location = output.location.x + 400, output.location.y + 300 - 160 * row
        node.is_active_output = False
        tree.links.new(shader, node.inputs["Surface"])
        for name in ("Volume", "Displacement"):
            if source(output.inputs[name]):
                tree.links.new(source(output.inputs[name]), node.inputs[name])
    output.is_active_output = True


def _repair_emission(tree, socket) -> None:
    """Repairs a material of Blender 3.4's importer, which reads a coloured emissive factor from the Float output of its Mix node, always
    0."""
    output = source(socket)
    if output and output.node.bl_idname == "ShaderNodeMix" and output.node.data_type == "RGBA" and not output.enabled:
        tree.links.new(next(o for o in output.node.outputs if o.enabled), socket)


class Lightmap:
    """The MOZ_lightmap of a material, with its image. Invalid numbers become the defaults."""

    def __init__(self, content: dict, image):
        self.image = image
        channel = content.get("texCoord")
        self.channel = channel if isinstance(channel, int) and 0 <= channel < 100 else 0
        self.intensity = _number(content.get("intensity"), 1.0)
        self.more = {k: v for k, v in content.items() if k not in ("index", "texCoord", "intensity")}
        self.display = display_of(content)

    @property
    def uv_map(self) -> str:
        """The name that the importer gives to the UV layer."""
        return f"UVMap.{self.channel:03d}" if self.channel else "UVMap"


def display_of(extension) -> dict | None:
    """How light is multiplied in display space (docs/internals/light.md), or None if it is linear."""
    extras = extension.get("extras") if isinstance(extension, dict) else None
    display = extras.get("display") if isinstance(extras, dict) else None
    if not isinstance(display, dict) or not 0 < _number(display.get("albedo"), 0) <= 1 or _number(display.get("exponent"), 0) <= 0:
        return None
    return display


def _number(v, default: float) -> float:
    return float(v) if isinstance(v, (int, float)) and not isinstance(v, bool) and v == v and abs(v) < 1e30 else default


def _light_of(tree, display: dict | None, x: float, y: float):
    """Adds a node of the group for this kind of light."""
    if display is None:
        return _light(tree, groups.linear_group(), x, y)
    node = _light(tree, groups.display_group(), x, y)
    for key, default in (("albedo", 0.35), ("exponent", 1.0), ("gain", 1.0)):
        node.inputs[key.capitalize()].default_value = min(max(_number(display.get(key), default), 1e-3), 100.0)
    correction = display.get("emission")
    if isinstance(correction, list) and len(correction) == 3:
        node.inputs["Correction"].default_value = *(_number(v, 1.0) for v in correction), 1.0
    return node


def _place_of(tree, moved=None):
    """Returns where light is added: the output, what leads to it, its Principled BSDF, and a place for nodes above that. None if one is
    missing. What moves is a copy of what leads to the output."""
    output = active_output(tree)
    before = moved or output and source(output.inputs["Surface"])
    bsdf = before and node_copies.above(before, "ShaderNodeBsdfPrincipled")
    return (output, before, bsdf, bsdf.location.x, bsdf.location.y + 700) if bsdf else None


def show_lightmap(mat, lightmap: Lightmap, cutoff: float | None = None, moved=None) -> bool:
    """Adds baked light to a material with a Principled BSDF. Reports whether it could. cutoff is set for an alpha mask."""
    tree = mat.node_tree
    place = _place_of(tree, moved)
    if place is None:
        return False
    output, before, bsdf, x, y = place
    uv = tree.nodes.new("ShaderNodeUVMap")
    uv.uv_map = lightmap.uv_map
    uv.location = x - 520, y - 180
    texture = tree.nodes.new("ShaderNodeTexImage")
    texture.image = lightmap.image
    texture.label = "LIGHTMAP"
    texture.extension = "EXTEND"
    texture.location = x - 320, y
    texture[LIGHTMAP] = json.dumps(lightmap.more)
    texture["intensity"] = lightmap.intensity
    node = _light_of(tree, lightmap.display, x, y)
    tree.links.new(uv.outputs[0], texture.inputs[0])
    tree.links.new(texture.outputs["Color"], node.inputs["Lightmap"])
    node.inputs["Intensity"].default_value = lightmap.intensity
    _show_lit(mat, node, before, bsdf, output, cutoff)
    return True


def show_object_light(mat, group) -> bool:
    """Adds the light that a node group reads from an object's custom properties. Reports whether the material now has such light."""
    compat.use_nodes(mat)
    tree = mat.node_tree
    if light_node(tree):
        return True
    place = _place_of(tree)
    if place is None:
        return False
    output, before, bsdf, x, y = place
    found = tree.nodes.new("ShaderNodeGroup")
    found.node_tree = group
    found.location = x - 220, y - 180
    node = _light_of(tree, None, x, y)
    tree.links.new(found.outputs[0], node.inputs["Lightmap"])
    _show_lit(mat, node, before, bsdf, output, None)
    return True


def _show_lit(mat, node, before, bsdf, output, cutoff: float | None) -> None:
    """Shows a node of light, with the colours of the Principled BSDF, in place of what led to the output."""
    tree, (x, y) = mat.node_tree, node.location
    copy_input(tree, bsdf.inputs["Base Color"], node.inputs["Base Color"])
    emission = compat.emission_input(bsdf)
    _repair_emission(tree, emission)
    copy_input(tree, emission, node.inputs["Emission"])
    copy_input(tree, bsdf.inputs["Emission Strength"], node.inputs["Emission Strength"])

    # Alpha is an input of the Principled BSDF, so the light needs its own.
    light = _cut_out(tree, bsdf.inputs["Alpha"], cutoff, node.outputs["Light"], x + 220, y)
    mix = _mix_shaders(tree, node.outputs["Baked"], before, light, output.location.x + 180, output.location.y + 200)
    _show(tree, output, mix.outputs[0])
    compat.keep_from_light_sampling(mat)


def show(mat, shader) -> None:
    """Shows a shader in place of what the importer built."""
    _show(mat.node_tree, active_output(mat.node_tree), shader)


def show_vertex_light(mat, display: dict | None = None, cutoff: float | None = None, moved=None, bright: bool = False) -> bool:
    """Connects an unlit material with vertex colours to the switch and its strength. Reports whether it could.

    The importer multiplies the vertex colour into an Emission shader that only the camera sees. With baked light on, that colour is the
    light; with baked light off, the material is diffuse. moved is a copy of what leads to the output, with moving textures. bright means
    that light may exceed white: it is the vertex colour divided by its alpha (docs/internals/light.md).
    """
    tree = mat.node_tree
    output = active_output(tree)
    start = moved or output and source(output.inputs["Surface"])
    colour, emission = (node_copies.above(start, kind) if start else None for kind in ("ShaderNodeVertexColor", "ShaderNodeEmission"))
    if None in (colour, emission, output) or not emission.outputs[0].is_linked or not colour.outputs["Color"].is_linked:
        return False
    # [Emission] -> [Mix by Light Path] -> perhaps [Mix by alpha] -> [Material Output]
    unlit = emission.outputs[0].links[0].to_node
    if unlit.bl_idname != "ShaderNodeMixShader" or not unlit.outputs[0].is_linked:
        return False
    x, y = emission.location.x, emission.location.y + 500
    node = _light_of(tree, display, x, y)
    if display is not None:
        node[DISPLAY] = json.dumps(display)
    light = colour.outputs["Color"]
    if bright and "Alpha" in colour.outputs:
        light = groups.Steps(tree, x - 200, y - 120).vector("DIVIDE", 0, 0, light, colour.outputs["Alpha"])
    tree.links.new(light, node.inputs["Lightmap"])
    brighter = _number((display or {}).get("texture"), 1.0)  # by this factor the file's texture is brighter, its light darker
    base = node.inputs["Base Color"]
    if brighter > 1:
        node.inputs["Intensity"].default_value = brighter
        scale = tree.nodes.new("ShaderNodeVectorMath")
        scale.operation, scale.location = "SCALE", (x - 200, y + 160)
        scale.inputs["Scale"].default_value = 1 / brighter
        tree.links.new(scale.outputs[0], base)
        base = scale.inputs[0]
    _copy_unlit_colour(tree, colour, emission.inputs["Color"], base, x - 200, y)
    diffuse = tree.nodes.new("ShaderNodeBsdfDiffuse")
    diffuse.location = x, y - 240
    _copy_unlit_colour(tree, colour, emission.inputs["Color"], diffuse.inputs["Color"], x - 200, y - 240)
    mix = _mix_shaders(tree, node.outputs["Baked"], diffuse.outputs[0], node.outputs["Light"], x + 220, y)
    shader = mix.outputs[0]
    after = unlit.outputs[0].links[0].to_node
    if after.bl_idname == "ShaderNodeMixShader":
        shader = _cut_out(tree, after.inputs[0], cutoff, shader, x + 420, y)
    _show(tree, output, shader)
    compat.keep_from_light_sampling(mat)
    return True


def _copy_unlit_colour(tree, colour, original, target, x: float, y: float) -> None:
    """Links an input to what another input is linked to, without the vertex colour that is multiplied into it."""
    output = source(original)
    if output is None or output.node.bl_idname not in ("ShaderNodeMix", "ShaderNodeMixRGB"):
        if output is None or output.node != colour:
            copy_input(tree, original, target)
        return
    inputs = [s for s in output.node.inputs if s.enabled and s.type == "RGBA"]
    for i, factor in enumerate(inputs):
        if source(factor) == colour.outputs["Color"]:
            _copy_unlit_colour(tree, colour, inputs[1 - i], target, x, y)
            return
    copy = tree.nodes.new(output.node.bl_idname)
    copy.blend_type, copy.location = output.node.blend_type, (x, y)
    if hasattr(copy, "data_type"):
        copy.data_type = output.node.data_type
    for before, after in zip(output.node.inputs, copy.inputs):
        if before.enabled:
            _copy_unlit_colour(tree, colour, before, after, x - 200, y)
    tree.links.new(next(o for o in copy.outputs if o.enabled), target)


def without_lightmap_uv(mat):
    """A copy of a lightmapped material for meshes without its UV layer: full light, rather than some texel's."""
    name = mat.name + " (no lightmap UV)"
    if name in bpy.data.materials:
        return bpy.data.materials[name]
    copy = mat.copy()
    copy.name = name
    node = light_node(copy.node_tree)
    if node:
        for link in list(node.inputs["Lightmap"].links):
            copy.node_tree.links.remove(link)
        node.inputs["Lightmap"].default_value = groups.WHITE
        node.inputs["Intensity"].default_value = 1.0
    return copy
