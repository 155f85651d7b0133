# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Range fog (docs/internals/materials.md, "Fog by distance") in the materials: exact, without noise, and with one switch.

A volume in the World would scatter the light of lamps and take minutes to render, while games only mix in a colour by the distance from
the camera. Source mixes in linear light, by the square of the fraction between two distances; DarkPlaces and Quake mix display values,
exponentially. Fog volumes are layers of the map's mesh.
"""

import bpy

from . import groups, materials

NAME = "bsp2gltf Fog"
KEY = "bsp2gltf_range_fog"
SOCKETS = ("Fog", "Fog Color", "Fog as Displayed")  # of a fog's group, and of the groups of light


def of(extras) -> dict | None:
    """The fog that extras state, with valid numbers, or None."""
    stated = extras.get(KEY) if extras is not None else None
    stated = stated.to_dict() if hasattr(stated, "to_dict") else stated
    try:
        fog = {k: float(stated.get(k, d)) for k, d in (("start", 0), ("end", 0), ("density", 0), ("thickness", 0), ("power", 1), ("sky", 0))}
        fog["color"], fog["radial"] = tuple(map(float, stated["color"])), bool(stated.get("radial"))
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    second = stated.get("second")
    if second:
        x, y, z = map(float, second["direction"])
        fog["second"], fog["direction"] = tuple(map(float, second["color"])), (x, -z, y)
    return fog if fog["end"] > fog["start"] and fog["density"] > 0 and len(fog["color"]) == 3 else None


def show(root, fogs: dict) -> None:
    """Puts objects in fog. fogs holds the fog, or None, of each mesh object. A material of objects in different fogs gets copies."""
    made, taken = {}, {}
    for obj, fog in fogs.items():
        key = tuple(sorted(fog.items())) if fog else None
        if key and key not in made:
            made[key] = _group(f"{NAME} {root.get('bsp2gltf_map') or root.name}", fog)
        for slot in obj.material_slots:
            mat = slot.material
            if mat is None or not mat.node_tree:
                continue
            owner, copies = taken.setdefault(mat, (key, {}))
            if owner == key:
                if key and not mat.get(KEY):
                    _add_fog(mat, made[key])
                continue
            if key not in copies:
                copies[key] = _other(mat, made.get(key))
            slot.link = "OBJECT" if obj.data.users > 1 else "DATA"
            slot.material = copies[key]
    for group in made.values():
        root[KEY + "_shown"] = True
        if group.users == 0:
            bpy.data.node_groups.remove(group)


def _other(mat, group):
    """A copy of a material for another fog."""
    copy = mat.copy()
    if light := materials.light_node(copy.node_tree):
        for name in SOCKETS:
            for link in list(light.inputs[name].links) if name in light.inputs else ():
                copy.node_tree.links.remove(link)
    if group is not None:
        _add_fog(copy, group)
    return copy


def _add_fog(mat, group) -> None:
    """Fades a material's baked light, and the light of lamps on it, into fog."""
    tree = mat.node_tree
    light = materials.light_node(tree)
    if light is None or "Fog" not in light.inputs:
        return  # unlit glows and skies
    node = next((n for n in tree.nodes if n.bl_idname == "ShaderNodeGroup" and n.label == NAME), None)
    if node is not None:
        node.node_tree = group
    else:
        node = tree.nodes.new("ShaderNodeGroup")
        node.node_tree, node.label, node.location = group, NAME, (light.location.x - 260, light.location.y + 260)
    for name in SOCKETS:
        tree.links.new(node.outputs[name], light.inputs[name])
    mat[KEY] = True


def _colour(b, fog: dict):
    """The colour of a fog. It may depend on the view direction, with two colours mixed in display space, the same for the whole picture."""
    first = b.vector("ADD", 2, 5, fog["color"], 0.0)
    if "second" not in fog:
        return first
    ahead = b.node("ShaderNodeVectorTransform", 0, 5)
    ahead.vector_type, ahead.convert_from, ahead.convert_to = "VECTOR", "CAMERA", "WORLD"
    ahead.inputs[0].default_value = 0.0, 0.0, 1.0  # in nodes, a camera looks along its Z
    part = b.number("MULTIPLY_ADD", 2, 6, b.dot(1, 5, b.vector("NORMALIZE", 1, 6, ahead.outputs[0]), fog["direction"]), 0.5, 0.5)
    to_display = groups.curve_group(groups.TO_DISPLAY)
    shown = [b.group(to_display, 3, 5 + i, c).outputs[0] for i, c in enumerate((b.vector("ADD", 2, 7, fog["second"], 0.0), first))]
    return b.group(groups.curve_group(groups.TO_LINEAR), 6, 5, b.mixed(4, 5, *shown, part)).outputs[0]


def _group(name: str, fog: dict):
    """A group with the opacity of the fog, for the camera, and the fog's colour."""
    b = groups.Builder(name, (), (("Float", "Fog"), ("Color", "Fog Color"), ("Float", "Fog as Displayed")))
    b.tree[groups.KIND] = NAME
    camera = b.node("ShaderNodeCameraData", 0, 0)
    distance = camera.outputs["View Distance" if fog["radial"] or fog["thickness"] else "View Z Depth"]
    if fog["thickness"]:
        far = b.number("MAXIMUM", 2, 0, b.number("SUBTRACT", 2, 1, b.number("MINIMUM", 1, 0, distance, fog["end"]), fog["start"]), 0.0)
        thick = b.number("POWER", 4, 0, b.number("MULTIPLY", 3, 0, far, fog["thickness"]), fog["power"])
        clear = b.number("POWER", 5, 0, 2.718281828, b.number("MULTIPLY", 4, 1, thick, -1.0))
        part = b.number("MULTIPLY", 6, 0, b.number("SUBTRACT", 5, 1, 1.0, clear), fog["density"])
    else:
        way = b.number("DIVIDE", 2, 0, b.number("SUBTRACT", 1, 0, distance, fog["start"]), fog["end"] - fog["start"])
        way = b.number("MINIMUM", 4, 0, b.number("MAXIMUM", 3, 0, way, 0.0), fog["density"])
        part = b.number("MULTIPLY", 5, 0, way, way)
    switch = b.group(groups.switch_group(), 5, 2)
    on = b.number("MULTIPLY", 6, 2, b.node("ShaderNodeLightPath", 5, 3).outputs["Is Camera Ray"],
                  switch.outputs["Fog"] if "Fog" in switch.outputs else 1.0)
    shown = b.number("ADD", 7, 2, 1.0 if fog["thickness"] else 0.0, 0.0)
    b.finish(b.number("MULTIPLY", 7, 0, part, on), _colour(b, fog), shown)
    return b.tree
