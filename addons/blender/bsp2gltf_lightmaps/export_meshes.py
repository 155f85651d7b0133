# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Shared by the kinds of copies for export: mesh data as arrays, and plain materials with another material's transparency."""

import bpy
import numpy

from . import compat, materials


def meshes_of(objects: list) -> dict:
    """The meshes of objects, each with the greatest scale of its objects."""
    found: dict = {}
    for obj in objects:
        found[obj.data] = max(found.get(obj.data, 0.0), max(map(abs, obj.matrix_world.to_scale())))
    return found


def strip(mesh, uv_layers: int) -> None:
    """Removes a mesh's vertex colours, and all but its first UV layers."""
    while len(mesh.uv_layers) > uv_layers:
        mesh.uv_layers.remove(mesh.uv_layers[-1])
    while len(mesh.color_attributes):
        mesh.color_attributes.remove(mesh.color_attributes[0])


def uv_of(mesh, name: str):
    """A UV layer of a mesh, or zeros if it has none of that name."""
    values = numpy.zeros(2 * len(mesh.loops), "f4")
    if name in mesh.uv_layers:
        mesh.uv_layers[name].data.foreach_get("uv", values)
    return values.reshape(-1, 2)


def colours_of(mesh, name: str):
    """The linear colours of a mesh's corners, or white if it has none of that name."""
    colours = mesh.color_attributes.get(name)
    if colours is None:
        return numpy.ones((len(mesh.loops), 4), "f4")
    values = numpy.empty(4 * len(colours.data), "f4")
    colours.data.foreach_get("color", values)
    values = values.reshape(-1, 4)
    return values if colours.domain == "CORNER" else values[corner_vertices(mesh)]


def corner_vertices(mesh):
    vertex = numpy.empty(len(mesh.loops), "i4")
    mesh.loops.foreach_get("vertex_index", vertex)
    return vertex


def plain(name: str, original):
    """A new diffuse material with its Principled BSDF and an image node, and the transparency of the original."""
    mat = bpy.data.materials.new(name)
    compat.use_nodes(mat)
    for key in ("use_backface_culling", "blend_method", "alpha_threshold"):
        if hasattr(mat, key):
            setattr(mat, key, getattr(original, key))
    bsdf = materials.node_of(mat.node_tree, "ShaderNodeBsdfPrincipled")
    for key, value in (("Roughness", 1.0), ("Specular", 0.0), ("Specular IOR Level", 0.0)):
        if key in bsdf.inputs:
            bsdf.inputs[key].default_value = value
    texture = mat.node_tree.nodes.new("ShaderNodeTexImage")
    texture.location = bsdf.location.x - 320, bsdf.location.y
    return mat, bsdf, texture


def set_materials(mesh, chosen: list) -> None:
    """Assigns materials to the slots of a mesh, with one slot per material: Blender's USD exporter writes the faces of only one slot of a
    material."""
    kept = list(dict.fromkeys(chosen))
    slot = numpy.array([kept.index(mat) for mat in chosen] or [0], "i4")
    faces = numpy.empty(len(mesh.polygons), "i4")
    mesh.polygons.foreach_get("material_index", faces)
    mesh.materials.clear()
    for mat in kept:
        mesh.materials.append(mat)
    mesh.polygons.foreach_set("material_index", slot[numpy.clip(faces, 0, len(slot) - 1)])


def is_clear(mat) -> bool:
    """Reports whether a material is not fully opaque."""
    alpha = alpha_input(mat.node_tree) if mat.node_tree else None
    return alpha is not None and (alpha.is_linked or alpha.default_value < 1)


def alpha_input(tree):
    """The input for a material's opacity, or None."""
    if bsdf := materials.node_of(tree, "ShaderNodeBsdfPrincipled"):
        return bsdf.inputs["Alpha"]
    for node in tree.nodes:
        first = materials.source(node.inputs[1]) if node.bl_idname == "ShaderNodeMixShader" else None
        if first and first.node.bl_idname == "ShaderNodeBsdfTransparent" and not _of_camera_rays(node):
            return node.inputs[0]
    return None


def _of_camera_rays(mix) -> bool:
    """Reports whether a Mix Shader shows unlit colours only to the camera, as the glTF importer does."""
    factor = materials.source(mix.inputs[0])
    return bool(factor) and factor.node.bl_idname == "ShaderNodeLightPath"
