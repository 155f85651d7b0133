# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""The node groups that multiply a map's light onto its textures.

    "bsp2gltf Baked Light"   values, Baked (0 or 1), Strength, Fog, Lamps and Shadows (0 to 1): the switch of the whole .blend, in one place
    "bsp2gltf Light"         linear: base colour × light + emission. Source, and files that say nothing else
    "bsp2gltf Display Light" as displayed, the way of Quake and its kin: see below
    "bsp2gltf Object Light"  the light of an object that was put into the map, from its custom properties (ambient.py)
    "bsp2gltf To Display", "bsp2gltf To Linear"    the sRGB curve and its inverse, per channel, also above 1

Display light. Those engines multiply the numbers that are shown. Files hold light that is bent so that a linear
viewer shows a texture of one brightness (albedo) right; with that brightness and the curve's exponent and gain, which
are beside the lightmap, the light as displayed comes back, for all textures (docs/internals/light.md):

    light   = gain × to display(lightmap × intensity / gain ^ 2.2 × strength × to linear(albedo)) / albedo ^ exponent
    display = min(to display(base colour) ^ exponent × light + to display(emission) × correction, 1)

Vector maths is used all over, because it never clamps: a lightmap times its intensity is often above 1.
"""

import bpy

from . import compat, options

SWITCH, LINEAR, DISPLAY = "bsp2gltf Baked Light", "bsp2gltf Light", "bsp2gltf Display Light"
OBJECT = "bsp2gltf Object Light"
TO_DISPLAY, TO_LINEAR = "bsp2gltf To Display", "bsp2gltf To Linear"
MARK = "bsp2gltf_baked_light"  # custom property of the switch; names get .001 when files are appended
KIND = "bsp2gltf_group"  # custom property of the other groups, their name here
NEAR = 1.5  # metres: objects nearer than this darken the map, if the switch says so
WHITE, BLACK = (1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 1.0)

# IEC 61966-2-1: below these the curve is a straight line.
LINEAR_KNEE, DISPLAY_KNEE = 0.0031308, 0.04045


def switches() -> list:
    """The switch groups of this .blend: none before the first import, and several only after appending."""
    return [g for g in bpy.data.node_groups if g.get(MARK)]


def value(group, name: str):
    """The socket of a switch group that holds a value like "Baked" or "Strength"."""
    return group.nodes[name].outputs[0]


def is_light(tree) -> bool:
    """Reports whether a node group is one that shows light in materials."""
    return tree is not None and (tree.get(KIND) in (LINEAR, DISPLAY) or bool(tree.get(MARK)))


class Steps:
    """Adds nodes and links to a tree. Columns and rows count from a position."""

    def __init__(self, tree, x: float = -700, y: float = 0):
        self.tree, self.x, self.y = tree, x, y

    def node(self, kind: str, column: int, row: int, label: str = ""):
        node = self.tree.nodes.new(kind)
        node.location = self.x + column * 190, self.y - row * 170
        if label:
            node.label = label
        return node

    def link(self, source, target) -> None:
        """Links an output to an input, or sets the input's value."""
        if isinstance(source, tuple):
            target.default_value = source
        elif isinstance(source, (int, float)):
            target.default_value = (source,) * 3 if target.type == "VECTOR" else source
        else:
            self.tree.links.new(source, target)

    def vector(self, operation: str, column: int, row: int, *sources, label: str = ""):
        """Adds a vector maths node and returns its output."""
        node = self.node("ShaderNodeVectorMath", column, row, label)
        node.operation = operation
        inputs = [node.inputs["Scale"] if operation == "SCALE" and i == 1 else node.inputs[i] for i in range(len(sources))]
        for source, target in zip(sources, inputs):
            self.link(source, target)
        return node.outputs["Vector"]

    def dot(self, column: int, row: int, first, second):
        """Adds a dot product and returns its output. The second operand may be a constant."""
        node = self.node("ShaderNodeVectorMath", column, row)
        node.operation = "DOT_PRODUCT"
        self.link(first, node.inputs[0])
        self.link(second, node.inputs[1])
        return node.outputs["Value"]

    def mixed(self, column: int, row: int, first, second, part, label: str = ""):
        """Interpolates from first to second by part, without clamping."""
        way = self.vector("SUBTRACT", column, row + 1, second, first)
        node = self.node("ShaderNodeVectorMath", column + 1, row, label)
        node.operation = "MULTIPLY_ADD"
        for source, target in zip((way, part, first), node.inputs):
            self.link(source, target)
        return node.outputs["Vector"]

    def number(self, operation: str, column: int, row: int, *sources, label: str = ""):
        """Adds a maths node and returns its output."""
        node = self.node("ShaderNodeMath", column, row, label)
        node.operation = operation
        for source, target in zip(sources, node.inputs):
            self.link(source, target)
        return node.outputs[0]

    def power(self, column: int, row: int, source, exponent, label: str = ""):
        """Adds a power of each channel: the Gamma node does that, and does not clamp."""
        node = self.node("ShaderNodeGamma", column, row, label)
        self.link(source, node.inputs["Color"])
        self.link(exponent, node.inputs["Gamma"])
        return node.outputs[0]

    def group(self, tree, column: int, row: int, source=None):
        """Adds a node of another group."""
        node = self.node("ShaderNodeGroup", column, row)
        node.node_tree = tree
        if source is not None:
            self.link(source, node.inputs[0])
        return node


class Builder(Steps):
    """Makes a new node group."""

    def __init__(self, name: str, inputs: tuple, outputs: tuple):
        super().__init__(bpy.data.node_groups.new(name, "ShaderNodeTree"))
        for kind, label, default in inputs:
            compat.add_socket(self.tree, "NodeSocket" + kind, label, "INPUT").default_value = default
        for kind, label in outputs:
            compat.add_socket(self.tree, "NodeSocket" + kind, label, "OUTPUT")
        if inputs:
            self.input = self.tree.nodes.new("NodeGroupInput")
            self.input.location = -900, 0
        self.output = self.tree.nodes.new("NodeGroupOutput")

    def finish(self, *results) -> None:
        self.output.location.x = 200 + max(n.location.x for n in self.tree.nodes if n != self.output)
        for result, target in zip(results, self.output.inputs):
            self.tree.links.new(result, target)


def found(kind: str):
    return next((g for g in bpy.data.node_groups if g.get(KIND) == kind), None)


def switch_group():
    """The switch group. The first import makes it."""
    for group in switches():
        return group
    b = Builder(SWITCH, (), (("Float", "Baked"), ("Float", "Strength"), ("Float", "Fog"), ("Float", "Lamps"), ("Float", "Shadows")))
    b.tree[MARK] = True
    chosen = options.get()
    results = []
    for row, (name, start) in enumerate((("Baked", 1.0 if chosen.show_baked else 0.0), ("Strength", chosen.strength), ("Fog", 1.0),
                                           ("Lamps", 0.0), ("Shadows", 0.0))):
        node = b.node("ShaderNodeValue", 2, row, name)
        node.name = name
        node.outputs[0].default_value = start
        results.append(node.outputs[0])
    b.finish(*results)
    return b.tree


def curve_group(kind: str):
    """The sRGB curve or its inverse: a straight line below the knee, a power above it, and their sum.

    Beyond the knee, each part is constant, so that no comparison is needed.
    """
    if group := found(kind):
        return group
    b = Builder(kind, (("Color", "Color", WHITE),), (("Color", "Color"),))
    b.tree[KIND] = kind
    colour = b.input.outputs[0]
    if kind == TO_DISPLAY:
        line = b.vector("SCALE", 1, 1, b.vector("MINIMUM", 0, 1, colour, LINEAR_KNEE), 12.92)
        bent = b.power(1, 0, b.vector("MAXIMUM", 0, 0, colour, LINEAR_KNEE), 1 / 2.4)
        bent = b.vector("MULTIPLY_ADD", 2, 0, bent, 1.055, -0.055 - 12.92 * LINEAR_KNEE)
    else:
        line = b.vector("SCALE", 1, 1, b.vector("MINIMUM", 0, 1, colour, DISPLAY_KNEE), 1 / 12.92)
        bent = b.vector("MULTIPLY_ADD", 1, 0, b.vector("MAXIMUM", 0, 0, colour, DISPLAY_KNEE), 1 / 1.055, 0.055 / 1.055)
        bent = b.vector("SUBTRACT", 3, 0, b.power(2, 0, bent, 2.4), DISPLAY_KNEE / 12.92)
    b.finish(b.vector("ADD", 4, 0, line, bent))
    return b.tree


_INPUTS = (
    ("Color", "Base Color", WHITE),
    ("Color", "Lightmap", WHITE),
    ("Float", "Intensity", 1.0),
    ("Color", "Emission", BLACK),
    ("Float", "Emission Strength", 1.0),
    ("Float", "Fog", 0.0),
    ("Color", "Fog Color", BLACK),
    ("Float", "Fog as Displayed", 0.0),  # 0: mix in linear light, 1: mix display values
)
_OUTPUTS = (("Shader", "Light"), ("Float", "Baked"))


def _fogged(b, column: int, row: int, colour):
    """A linear colour in fog. The group's inputs state the fog's opacity, its colour, and how to mix."""
    fog, haze, displayed = b.input.outputs[5:8]
    to_display, to_linear = curve_group(TO_DISPLAY), curve_group(TO_LINEAR)
    shown = b.number("MULTIPLY", column, row + 3, fog, displayed)
    colour = b.mixed(column + 1, row, colour, haze, b.number("SUBTRACT", column, row + 2, fog, shown), label="Fog")
    colour = b.group(to_display, column + 3, row, colour).outputs[0]
    colour = b.mixed(column + 4, row, colour, b.group(to_display, column + 3, row + 3, haze).outputs[0], shown, label="Fog")
    return b.group(to_linear, column + 6, row, colour).outputs[0]


def _with_lamps(b, column: int, shader, base, switch):
    """The baked light plus, as far as the switch says, the light of lamps on a diffuse surface."""
    matt, part, both = (b.node(kind, column + i, 2) for i, kind in enumerate((
        "ShaderNodeBsdfDiffuse", "ShaderNodeMixShader", "ShaderNodeAddShader")))
    b.link(base, matt.inputs["Color"])
    b.link(switch.outputs["Lamps"], part.inputs[0])
    b.link(matt.outputs[0], part.inputs[2])
    b.link(shader.outputs[0], both.inputs[0])
    b.link(part.outputs[0], both.inputs[1])
    return both.outputs[0]


def _caught(b, switch):
    """The strength of baked light, reduced near other objects: by the ambient occlusion of the whole scene that is not the map's own.

    With lamps, before Blender 4, surfaces don't light each other with baked light, because that is part of the baked light already. Later
    versions link the map's light to other objects (mixed.py).
    """
    hidden = []
    for row, local in enumerate((False, True)):
        node = b.node("ShaderNodeAmbientOcclusion", -3, 6 + row)
        node.only_local, node.samples = local, 2
        node.inputs["Distance"].default_value = NEAR
        hidden.append(node.outputs["AO"])
    part = b.number("MINIMUM", -1, 6, b.number("DIVIDE", -2, 6, hidden[0], b.number("MAXIMUM", -2, 7, hidden[1], 0.05)), 1.0)
    lost = b.number("MULTIPLY", 0, 6, b.number("SUBTRACT", -1, 7, 1.0, part), switch.outputs["Shadows"])
    strength = b.number("MULTIPLY", 1, 6, switch.outputs["Strength"], b.number("SUBTRACT", 0, 7, 1.0, lost), label="Strength and shadows")
    if bpy.app.version >= (4, 0, 0):
        return strength
    ray = b.node("ShaderNodeLightPath", 0, 8).outputs["Is Diffuse Ray"]
    dark = b.number("MULTIPLY", 1, 8, ray, switch.outputs["Lamps"])
    return b.number("MULTIPLY", 2, 8, strength, b.number("SUBTRACT", 2, 9, 1.0, dark))


def linear_group():
    """base colour × lightmap × intensity × strength + emission."""
    if group := found(LINEAR):
        return group
    b = Builder(LINEAR, _INPUTS, _OUTPUTS)
    b.tree[KIND] = LINEAR
    base, lightmap, intensity, emission, glow = b.input.outputs[:5]
    switch = b.group(switch_group(), 0, 3)
    factor = b.number("MULTIPLY", 1, 1, intensity, _caught(b, switch), label="Intensity × Strength")
    light = b.vector("SCALE", 2, 0, b.vector("MULTIPLY", 1, 0, base, lightmap, label="Base × Lightmap"), factor)
    total = b.vector("ADD", 3, 0, light, b.vector("SCALE", 2, 2, emission, glow, label="Emission"), label="Sum")
    shader = b.node("ShaderNodeEmission", 13, 0)
    b.link(_fogged(b, 4, 0, total), shader.inputs["Color"])
    b.finish(_with_lamps(b, 15, shader, base, switch), switch.outputs["Baked"])
    return b.tree


def object_group(keys: tuple):
    """The first colour of an object's custom properties, plus the other three times the normal's X, Y and Z."""
    if group := found(OBJECT):
        return group
    b = Builder(OBJECT, (), (("Color", "Light"),))
    b.tree[KIND] = OBJECT
    colours = []
    for row, key in enumerate(keys):
        node = b.node("ShaderNodeAttribute", 0, row, key)
        node.attribute_type, node.attribute_name = "OBJECT", key
        colours.append(node.outputs["Color"])
    axes = b.node("ShaderNodeSeparateXYZ", 1, 4)
    b.link(b.node("ShaderNodeNewGeometry", 0, 4).outputs["Normal"], axes.inputs[0])
    total = colours[0]
    for row, (colour, axis) in enumerate(zip(colours[1:], axes.outputs)):
        total = b.vector("ADD", row + 3, row, total, b.vector("SCALE", row + 2, row + 1, colour, axis))
    b.finish(b.vector("MAXIMUM", 6, 0, total, 0.0))
    return b.tree


_DISPLAY_INPUTS = (
    ("Float", "Albedo", 0.35),
    ("Float", "Exponent", 1.0),
    ("Float", "Gain", 1.0),
    ("Color", "Correction", WHITE),
    ("Float", "Slope", 1.0),  # directed_light.py: the factor of directed light on the slope
    ("Float", "Ambient", 0.0),  # light without a direction
    ("Color", "Highlight", BLACK),
    ("Color", "Mirror", BLACK),  # mirror.py: added to the texture and the emission
    ("Color", "Mirror Emission", BLACK),
)


def display_group():
    """The same product and sum, in display space: see above."""
    if group := found(DISPLAY):
        return group
    b = Builder(DISPLAY, _INPUTS + _DISPLAY_INPUTS, _OUTPUTS)
    b.tree[KIND] = DISPLAY
    base, lightmap, intensity, emission, glow, _, _, _, albedo, exponent, gain, correction, slope, ambient, highlight, mirror, shown = b.input.outputs[:17]
    to_display, to_linear = curve_group(TO_DISPLAY), curve_group(TO_LINEAR)
    switch = b.group(switch_group(), 0, 5)
    factor = b.number("MULTIPLY", 1, 3, intensity, _caught(b, switch), label="Intensity × Strength")
    factor = b.number("MULTIPLY", 2, 3, factor, b.number("POWER", 1, 6, gain, -2.2), label="Without the gain")
    light = b.vector("SCALE", 3, 1, lightmap, factor)
    light = b.vector("MULTIPLY", 4, 1, light, b.group(to_linear, 2, 2, albedo).outputs[0], label="On the typical texture")
    share = b.number("POWER", 4, 3, albedo, b.number("MULTIPLY", 3, 3, exponent, -1.0), label="1 / that texture")
    share = b.number("MULTIPLY", 5, 3, share, gain)
    light = b.vector("SCALE", 6, 1, b.group(to_display, 5, 1, light).outputs[0], share, label="Light as displayed")
    own = b.vector("MAXIMUM", 8, 1, b.vector("SUBTRACT", 7, 1, light, ambient), 0.0, label="From a direction")
    light = b.vector("ADD", 10, 1, b.vector("SCALE", 9, 1, own, slope), b.vector("MINIMUM", 8, 2, light, ambient))
    texture = b.vector("ADD", 6, 0, b.group(to_display, 5, 0, base).outputs[0], mirror)
    texture = b.vector("MINIMUM", 8, 0, b.vector("MAXIMUM", 7, 0, texture, 0.0), 1.0)
    texture = b.power(9, 0, texture, exponent, label="Texture as displayed")
    shine = b.group(to_display, 3, 4, b.vector("SCALE", 2, 4, emission, glow, label="Emission")).outputs[0]
    shine = b.vector("ADD", 5, 4, b.vector("MULTIPLY", 4, 4, shine, correction), shown)
    shine = b.vector("ADD", 9, 4, shine, b.vector("MULTIPLY", 8, 4, highlight, own), label="Highlights")
    total = b.vector("ADD", 12, 0, b.vector("MULTIPLY", 11, 0, texture, light), shine, label="Sum")
    shader = b.node("ShaderNodeEmission", 24, 0)
    screen = b.vector("MAXIMUM", 14, 0, b.vector("MINIMUM", 13, 0, total, 1.0, label="What a screen shows"), 0.0)
    b.link(_fogged(b, 16, 0, b.group(to_linear, 15, 0, screen).outputs[0]), shader.inputs["Color"])
    b.finish(_with_lamps(b, 26, shader, base, switch), switch.outputs["Baked"])
    return b.tree
