# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""The sky around the eye: the World shows what a sky's mesh has in the direction of view, as games do; the camera does not see the mesh.

    direction -> [bsp2gltf Sky] -> Background -----+
    what the World had before ---------------------+-> Mix Shader by what the camera sees -> World Output

Layers are the parts of a sky with a material of their own: a side of the box, or clouds. For each, nodes map a direction to the texture by
the same numbers as the mesh does (sky_mapping.py), so no picture is drawn anew. Layers are mixed as displayed, as games mix them.
"""

import bpy

from . import compat, sky_mapping, fog, groups, materials, export_meshes

GROUP = "bsp2gltf Sky"
MARK = "bsp2gltf_sky_nodes"  # on our nodes of a World


def shown(scene) -> bool:
    """Reports whether a scene's World shows a sky of this add-on."""
    tree = scene.world.node_tree if scene.world else None
    return bool(tree) and any(n.get(MARK) for n in tree.nodes)


def show(scene, obj, radius: float, for_camera_only: bool) -> bool:
    """Makes a sky's mesh the background of a scene's World, and hides the mesh from the camera. Reports whether the mesh is such a sky.

    radius is that of the sphere of clouds in metres. With for_camera_only, the World lights the scene as before.
    """
    layers = [_layer(mat, part) for mat, part in sky_mapping.parts(obj, radius)]
    if not layers or None in layers:
        return False
    leave(scene)
    tree = world_tree(scene)
    output = materials.node_of(tree, "ShaderNodeOutputWorld") or tree.nodes.new("ShaderNodeOutputWorld")
    x, y = output.location
    before = materials.source(output.inputs["Surface"])

    def node(kind: str, left: float, up: float):
        made = tree.nodes.new(kind)
        made.location, made[MARK] = (x - left, y + up), True
        return made

    sky, shine = node("ShaderNodeGroup", 640, 420), node("ShaderNodeBackground", 440, 420)
    sky.node_tree = _group(sorted(layers, key=lambda s: s.sort), fog.of(_root(obj)))
    tree.links.new(sky.outputs[0], shine.inputs["Color"])
    mix = node("ShaderNodeMixShader", 220, 300)
    tree.links.new(sky.outputs["There"], mix.inputs[0])
    if for_camera_only:
        part = node("ShaderNodeMath", 440, 260)
        part.operation = "MULTIPLY"
        tree.links.new(sky.outputs["There"], part.inputs[0])
        tree.links.new(node("ShaderNodeLightPath", 640, 260).outputs["Is Camera Ray"], part.inputs[1])
        tree.links.new(part.outputs[0], mix.inputs[0])
    if before is not None:
        tree.links.new(before, mix.inputs[1])
    tree.links.new(shine.outputs[0], mix.inputs[2])
    tree.links.new(mix.outputs[0], output.inputs["Surface"])
    compat.show_to_camera(obj, False)
    return True


def leave(scene, skies=()) -> None:
    """Restores a scene's World, and shows the skies' meshes to the camera."""
    tree = scene.world.node_tree if scene.world else None
    for mix in [n for n in (tree.nodes if tree else ()) if n.get(MARK) and n.bl_idname == "ShaderNodeMixShader"]:
        before = materials.source(mix.inputs[1])
        for link in list(mix.outputs[0].links):
            if before is not None:
                tree.links.new(before, link.to_socket)
    for node in [n for n in (tree.nodes if tree else ()) if n.get(MARK)]:
        group = node.node_tree if node.bl_idname == "ShaderNodeGroup" else None
        tree.nodes.remove(node)
        if group is not None and group.users == 0:
            images = {n.image for n in group.nodes if n.bl_idname == "ShaderNodeTexImage" and n.image}
            bpy.data.node_groups.remove(group)
            for image in [i for i in images if i.users == 0]:  # images of a deleted map
                bpy.data.images.remove(image)
    for obj in skies:
        compat.show_to_camera(obj, True)


def world_tree(scene):
    """The nodes of a scene's World. A scene without a World gets a black one."""
    world = scene.world
    if world is None:
        scene.world = world = bpy.data.worlds.new("World")
        world.color = 0.0, 0.0, 0.0
    compat.use_nodes(world)
    return world.node_tree


# What a layer shows


class _Layer:
    """A material of a sky and its mapping: image or None, factor, opacity (None: the image's alpha), blend mode."""

    def __init__(self, mat, part, texture, factor, alpha):
        self.part, self.factor, self.alpha = part, factor, alpha
        self.image = texture.image if texture else None
        self.extension = texture.extension if texture else "REPEAT"
        self.blend, self.sort = str(mat.get("blend") or ""), float(mat.get("sort", 3))

    @property
    def covers(self) -> bool:
        """Whether it hides everything behind it."""
        return self.alpha == 1.0 and not self.blend


def _layer(mat, part):
    """The layer of an unlit material as the importer builds it, or None for other materials."""
    tree = mat.node_tree if mat else None
    emission = materials.node_of(tree, "ShaderNodeEmission") if tree else None
    if emission is None or part is None:
        return None
    read = _texture(emission.inputs["Color"])
    if read is None:
        return None
    texture, factor = read
    alpha = export_meshes.alpha_input(tree)
    if alpha is None or not alpha.is_linked:
        return _Layer(mat, part, texture, factor, 1.0 if alpha is None else alpha.default_value)
    return _Layer(mat, part, texture, factor, None) if texture and materials.source(alpha).node == texture else None


def _texture(colour):
    """The node of an image that leads to a colour (None for a plain colour), and the factor on it. None if the colour is neither."""
    output = materials.source(colour)
    if output is None:
        return None, tuple(colour.default_value)[:3]
    node = output.node
    if node.bl_idname == "ShaderNodeTexImage":
        moved = materials.source(node.inputs[0])
        plain_uv = moved is None or moved.node.bl_idname == "ShaderNodeUVMap"
        return (node, (1.0, 1.0, 1.0)) if node.image and plain_uv else None
    if node.bl_idname in ("ShaderNodeMix", "ShaderNodeMixRGB") and node.blend_type == "MULTIPLY":
        inputs = [s for s in node.inputs if s.enabled and s.type == "RGBA"]
        for one, other in (inputs, inputs[::-1]):
            if one.is_linked and not other.is_linked and (found := _texture(one)):
                return found[0], tuple(a * b for a, b in zip(found[1], other.default_value))
    return None


# The nodes


def _root(obj):
    while obj.parent is not None:
        obj = obj.parent
    return obj


def _group(layers: list, haze: dict | None):
    """A node group: the sky's colour in the direction of view, and 1 where any layer is, else 0, because clouds have nothing below."""
    b = groups.Builder(GROUP, (), (("Color", "Color"), ("Float", "There")))
    b.tree[groups.KIND] = GROUP
    direction = b.vector("NORMALIZE", 1, 0, b.node("ShaderNodeTexCoord", 0, 0).outputs["Generated"])
    sides = _sides(b, direction)
    shown_as = None if all(s.covers for s in layers) else groups.curve_group(groups.TO_DISPLAY)
    total, row = (0.0, 0.0, 0.0), 8
    for layer in layers:
        for at, where in layer.part.nodes(b, direction, sides, row):
            colour, part = _colour(b, layer, at, row)
            if shown_as:
                colour = b.group(shown_as, 13, row, colour).outputs[0]
            part = where if part == 1.0 else b.number("MULTIPLY", 13, row + 1, where, part)
            total = _mixed(b, layer.blend, total, colour, part, row)
            row += 5
    there = b.number("ADD", 16, 7, 1.0, 0.0)
    for side in sorted(set(sky_mapping.SIDES).difference(*(s.part.sides for s in layers))):
        there = b.number("SUBTRACT", 17, 7, there, sides[side])
    if haze and haze["sky"]:  # in display space: fog that covers a sky belongs to games that mix so
        if not shown_as:
            shown_as = groups.curve_group(groups.TO_DISPLAY)
            total = b.group(shown_as, 17, 8, total).outputs[0]
        colour = b.group(shown_as, 17, 10, b.vector("ADD", 16, 10, haze["color"], 0.0)).outputs[0]
        part = b.number("MULTIPLY", 18, 10, b.group(groups.switch_group(), 17, 11).outputs["Fog"], haze["sky"])
        total = b.mixed(19, 8, total, colour, part, label="Fog")
    b.finish(b.group(groups.curve_group(groups.TO_LINEAR), 21, 8, total).outputs[0] if shown_as else total, there)
    return b.tree


def _sides(b, direction) -> dict:
    """For each side (axis, sign) of the box around the viewer: 1 if a direction leads to it, else 0."""
    size = b.vector("ABSOLUTE", 2, 0, direction)
    parts = b.node("ShaderNodeSeparateXYZ", 3, 0)
    b.link(size, parts.inputs[0])
    most = b.number("MAXIMUM", 5, 0, b.number("MAXIMUM", 4, 0, *parts.outputs[:2]), parts.outputs[2])
    most = b.number("MULTIPLY", 6, 0, most, 0.999999)
    found = {}
    for row, (axis, sign) in enumerate(sky_mapping.SIDES):
        along = b.dot(5, row + 1, direction, tuple(float(sign) if k == axis else 0.0 for k in range(3)))
        found[axis, sign] = b.number("GREATER_THAN", 7, row + 1, along, most)
    return found


def _colour(b, layer, at, row: int):
    """The colour and the opacity of a layer at texture coordinates."""
    if layer.image is None:
        colour = b.vector("ADD", 12, row, layer.factor, 0.0)
        return colour, layer.alpha
    texture = b.node("ShaderNodeTexImage", 11, row)
    texture.image, texture.extension = layer.image, layer.extension
    b.link(at, texture.inputs[0])
    colour = b.vector("MULTIPLY", 12, row, texture.outputs["Color"], layer.factor)
    return colour, texture.outputs["Alpha"] if layer.alpha is None else layer.alpha


def _mixed(b, blend: str, behind, colour, part, row: int):
    """The colour of a layer in front of what is behind it: docs/internals/readers.md, "What is behind"."""
    if blend == "add":
        return b.vector("MULTIPLY_ADD", 16, row, colour, part, behind)
    if blend == "multiply":  # by 1 + part × (2 × colour − 1)
        factor = b.vector("MULTIPLY_ADD", 14, row, colour, 2.0, -1.0)
        return b.vector("MULTIPLY", 16, row, behind, b.vector("MULTIPLY_ADD", 15, row, factor, part, 1.0))
    return b.vector("MULTIPLY_ADD", 16, row, b.vector("SUBTRACT", 15, row, colour, behind), part, behind)
