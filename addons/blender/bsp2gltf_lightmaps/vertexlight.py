# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Puts the light of objects into vertex colours."""

import bmesh
import numpy

from . import groups, materials, export_meshes

COLOUR = "Light"
STEP = 0.02  # corners whose light differs by more get separate vertices


def into_vertices(objects: list) -> None:
    """Puts the light at each vertex into a colour attribute, and keeps textures that use the first UV layer."""
    made: dict = {}
    for mesh in export_meshes.meshes_of(objects):
        light = _at_vertices(mesh, _split(mesh, _light_at_corners(mesh)))
        export_meshes.strip(mesh, 1)
        mesh.color_attributes.new(COLOUR, "FLOAT_COLOR", "POINT").data.foreach_set("color", light.ravel())
        mesh.color_attributes.active_color = mesh.color_attributes[COLOUR]
        mesh.color_attributes.render_color_index = 0  # the glTF exporter takes this one
        for mat in mesh.materials:
            if mat and mat not in made:
                made[mat] = _textured(mat)
        export_meshes.set_materials(mesh, [made.get(mat) for mat in mesh.materials])


def _split(mesh, light):
    """Splits the edges of a welded mesh where the light differs between sides. Returns the light at the corners."""
    mesh.color_attributes.new(COLOUR, "FLOAT_COLOR", "CORNER").data.foreach_set("color", light.ravel())
    work = bmesh.new()
    work.from_mesh(mesh)
    layer = work.loops.layers.float_color[COLOUR]

    def differs(edge) -> bool:
        here, there = ({loop.vert: loop[layer] for face in faces for loop in face.loops} for faces in (edge.link_faces[:1], edge.link_faces[1:]))
        return any(max(abs(a - b) for a, b in zip(here[v], there[v])) > STEP for v in edge.verts)

    bmesh.ops.split_edges(work, edges=[e for e in work.edges if len(e.link_faces) > 1 and differs(e)])
    work.to_mesh(mesh)
    work.free()
    light = numpy.empty(4 * len(mesh.loops), "f4")
    mesh.color_attributes[COLOUR].data.foreach_get("color", light)
    mesh.color_attributes.remove(mesh.color_attributes[COLOUR])
    return light.reshape(-1, 4)


def _at_vertices(mesh, colours):
    """The mean colour of the corners at each vertex. They are colours of vertices because Blender 3.4's glTF exporter reads colours of
    corners by vertex index."""
    vertex = export_meshes.corner_vertices(mesh)
    total = numpy.zeros((len(mesh.vertices), 4))
    numpy.add.at(total, vertex, colours)
    return (total / numpy.maximum(numpy.bincount(vertex, minlength=len(mesh.vertices)), 1)[:, None]).astype("f4")


def _light_at_corners(mesh):
    """The light that a mesh's materials multiply, at each corner; 1 where there is none."""
    light = numpy.ones((len(mesh.loops), 4), "f4")
    kinds = numpy.empty(len(mesh.polygons), "i4")
    totals = numpy.empty(len(mesh.polygons), "i4")
    mesh.polygons.foreach_get("material_index", kinds)
    mesh.polygons.foreach_get("loop_total", totals)
    kinds = numpy.repeat(kinds, totals)
    for i, mat in enumerate(mesh.materials):
        node = materials.light_node(mat.node_tree) if mat and mat.node_tree else None
        source = node and materials.source(node.inputs["Lightmap"])
        if not source:
            continue
        at, of = numpy.flatnonzero(kinds == i), source.node
        strength = node.inputs["Intensity"].default_value * groups.value(groups.switch_group(), "Strength").default_value
        if of.bl_idname == "ShaderNodeTexImage" and of.image:
            uv = materials.source(of.inputs[0])
            light[at, :3] = _sampled(of.image, export_meshes.uv_of(mesh, uv.node.uv_map if uv else "")[at]) * strength
        elif of.bl_idname == "ShaderNodeVertexColor" and len(mesh.color_attributes):
            name = of.layer_name if of.layer_name in mesh.color_attributes else mesh.color_attributes[0].name
            light[at, :3] = export_meshes.colours_of(mesh, name)[at, :3] * strength
    return light


def _sampled(image, uv):
    """The linear colours of an image at UVs, interpolated, with clamped edges."""
    width, height = image.size
    pixels = numpy.empty(4 * width * height, "f4")
    image.pixels.foreach_get(pixels)
    pixels = pixels.reshape(height, width, 4)[:, :, :3]
    if image.colorspace_settings.name == "sRGB" and not image.is_float:
        pixels = numpy.where(pixels <= 0.04045, pixels / 12.92, ((pixels + 0.055) / 1.055) ** 2.4)
    at = numpy.clip(uv * (width, height) - 0.5, 0, (width - 1, height - 1))
    low = numpy.floor(at).astype(int)
    high = numpy.minimum(low + 1, (width - 1, height - 1))
    part = (at - low)[:, :, None]
    rows = [pixels[y, low[:, 0]] * (1 - part[:, 0]) + pixels[y, high[:, 0]] * part[:, 0] for y in (low[:, 1], high[:, 1])]
    return rows[0] * (1 - part[:, 1]) + rows[1] * part[:, 1]


def _textured(original):
    """A material with only the original's texture."""
    tree = original.node_tree
    mat, bsdf, texture = export_meshes.plain(original.name + " Export", original)
    page = materials.lightmap_node(tree)
    start = materials.node_of(tree, "ShaderNodeBsdfPrincipled") or materials.node_of(tree, "ShaderNodeEmission")
    found = start and _image_above(start.inputs[0], page)
    if found:
        texture.image = found.image
        mat.node_tree.links.new(texture.outputs["Color"], bsdf.inputs["Base Color"])
        if export_meshes.is_clear(original):
            mat.node_tree.links.new(texture.outputs["Alpha"], bsdf.inputs["Alpha"])
    else:
        if start:
            bsdf.inputs["Base Color"].default_value = start.inputs[0].default_value
        mat.node_tree.nodes.remove(texture)
    return mat


def _image_above(socket, page):
    """The node of the first image that an input depends on, except the lightmap's."""
    output = materials.source(socket)
    if output is None:
        return None
    if output.node.bl_idname == "ShaderNodeTexImage":
        return output.node if output.node.image and output.node != page else None
    return next((n for n in (_image_above(s, page) for s in output.node.inputs) if n), None)
