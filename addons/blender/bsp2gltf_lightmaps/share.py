# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Shares equal data between imports: the images, materials and meshes of a game that the .blend already has."""

import hashlib
import re

import bpy
import numpy

KINDS = ("objects", "images", "materials", "meshes", "collections", "actions")
PRINT = "bsp2gltf_print"  # on a material: its hash when it was imported
NUMBER = re.compile(r"\.\d{3,}$")  # makes a name unique in a .blend
PLAIN = {"BOOLEAN", "INT", "FLOAT", "STRING", "ENUM"}
NOT_SEEN = {"name", "label", "location", "location_absolute", "width", "width_hidden", "height", "dimensions", "select", "hide", "mute_preview", "color",
            "use_custom_color", "show_options", "show_preview", "show_texture", "bl_idname", "bl_label", "bl_description", "bl_icon", "bl_width_default",
            "bl_width_min", "bl_width_max", "bl_height_default", "bl_height_min", "bl_height_max", "bl_static_type", "type", "is_active_output",
            "warning_propagation", "color_tag", "debug_zone_body_lazy_function_graph"}


def everything() -> dict:
    """The data of the .blend, by kind."""
    return {kind: set(getattr(bpy.data, kind)) for kind in KINDS}


def _left(items, before: set) -> list:
    """Those of before that still exist: the start scene may have been removed."""
    return [i for i in items if i in before]


def base(name: str) -> str:
    """A name without the number that made it unique."""
    return NUMBER.sub("", name)


def plain_names(items) -> None:
    """Removes the numbers from names that nothing else has any more."""
    for item in set(items):
        name = base(item.name)
        if name != item.name and name not in getattr(bpy.data, {"Mesh": "meshes", "Material": "materials", "Text": "texts", "Image": "images"}[type(item).__name__]):
            item.name = name


def images(before: set) -> list:
    """Replaces new images by equal ones of before. Returns what is used in place of new ones."""
    known: dict = {}
    for image in _left(bpy.data.images, before):
        known.setdefault(_image(image), image)
    found = {}
    for image in [i for i in bpy.data.images if i not in before]:
        what = _image(image)
        same = found[what] = known.setdefault(what, image)
        if same != image:
            image.user_remap(same)
            bpy.data.images.remove(image)
    return list(found.values())


def materials(before: set, of_map: set) -> list:
    """Replaces new materials by equal ones of before: those of of_map even if the user has changed them since, others only as they came.
    Returns pairs of a new material and one of of_map that it has changed from as the user has changed that."""
    marked: dict = {}
    for mat in _left(bpy.data.materials, before):
        if mat.get(PRINT):
            marked.setdefault(base(mat.name), []).append(mat)
    both = []
    for mat in [m for m in bpy.data.materials if m not in before]:
        mat[PRINT] = material(mat)
        for other in marked.get(base(mat.name), ()):
            changed = material(other) != other[PRINT]
            if other[PRINT] == mat[PRINT] and (other in of_map or not changed):
                mat.user_remap(other)
                bpy.data.materials.remove(mat)
                break
            if changed and other in of_map:
                both.append((mat, other))
                break
    return both


def meshes(before: set) -> None:
    """Replaces new meshes by equal ones of before: models that are placed in several maps."""
    new = [m for m in bpy.data.meshes if m not in before]
    names = {base(m.name) for m in new}
    known: dict = {}
    for mesh in _left(bpy.data.meshes, before):
        if base(mesh.name) in names and mesh.users:
            known.setdefault(_mesh(mesh), mesh)
    for mesh in new:
        if (same := known.get(_mesh(mesh))) and not mesh.shape_keys:
            mesh.user_remap(same)
            bpy.data.meshes.remove(mesh)


def _digest(*parts) -> str:
    found = hashlib.sha1()
    for part in parts:
        found.update(part if isinstance(part, bytes) else repr(part).encode())
    return found.hexdigest()


def _image(image) -> str:
    """A hash of an image's content. An image without a file is only equal to itself."""
    if image.packed_file and not image.is_dirty:
        return _digest(bytes(image.packed_file.data), image.colorspace_settings.name, image.alpha_mode)
    return _digest("path", image.filepath, image.name, image.colorspace_settings.name, image.alpha_mode)


def material(mat) -> str:
    """A hash of what a material looks like: nodes, values, links and settings."""
    parts = [_values(mat, ("blend_method", "surface_render_method", "alpha_threshold", "use_backface_culling", "displacement_method"))]
    tree = mat.node_tree
    number = {node.name: i for i, node in enumerate(tree.nodes)} if tree else {}
    for node in tree.nodes if tree else ():
        names = [p.identifier for p in node.bl_rna.properties if p.type in PLAIN and not p.is_readonly and p.identifier not in NOT_SEEN]
        parts.append((node.bl_idname, _values(node, names), [_value(s.default_value) for s in (*node.inputs, *node.outputs)
                                                             if hasattr(s, "default_value")]))
        if image := getattr(node, "image", None):
            parts.append(_image(image))
        if group := getattr(node, "node_tree", None):
            parts.append(base(group.name))
        if ramp := getattr(node, "color_ramp", None):
            parts.append([(round(e.position, 5), _value(e.color)) for e in ramp.elements])
    for link in tree.links if tree else ():
        parts.append((number[link.from_node.name], _index(link.from_node.outputs, link.from_socket),
                      number[link.to_node.name], _index(link.to_node.inputs, link.to_socket)))
    return _digest(*parts)


def _index(sockets, socket) -> int:
    return next(i for i, s in enumerate(sockets) if s == socket)


def _values(owner, names) -> list:
    return [(name, _value(getattr(owner, name))) for name in names if hasattr(owner, name)]


def _value(value):
    """A value rounded to 32 bits, as Blender stores it."""
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, (int, str)) or value is None:
        return value
    try:
        return [_value(v) for v in value]
    except TypeError:
        return getattr(value, "name", "")


def _mesh(mesh) -> str:
    """A hash of a mesh's geometry, UVs, vertex light and materials."""
    parts = [[m.name if m else "" for m in mesh.materials]]
    for items, name, size, kind in ((mesh.vertices, "co", 3, "f4"), (mesh.loops, "vertex_index", 1, "i4"), (mesh.polygons, "material_index", 1, "i4"),
                                    (mesh.polygons, "loop_total", 1, "i4"), *((u.data, "uv", 2, "f4") for u in mesh.uv_layers),
                                    *((c.data, "color", 4, "f4") for c in mesh.color_attributes)):
        values = numpy.empty(size * len(items), kind)
        items.foreach_get(name, values)
        parts.append(values.tobytes())
    return _digest(*parts)
