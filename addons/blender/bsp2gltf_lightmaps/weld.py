# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Makes meshes editable: vertices that a glTF file stores several times become one, and triangles become the polygons that they were
made from. The rendering stays the same: UVs, colours and normals belong to corners, and only coplanar triangles with the same mapping
are joined.
"""

import math

import bmesh
import bpy
import numpy

from . import compat

NORMAL = "bsp2gltf_normal"  # the corners' normals, saved while the mesh is a BMesh, which would change custom normals
ANGLE = math.radians(0.1)
VALUES = {"FLOAT": ("value", 1), "INT": ("value", 1), "FLOAT2": ("vector", 2), "FLOAT_VECTOR": ("vector", 3), "FLOAT_COLOR": ("color", 4),
          "BYTE_COLOR": ("color", 4)}


def clean(mesh, weld: bool, polygons: bool) -> None:
    """Welds a mesh's vertices and joins its triangles. A mesh with shape keys is not changed."""
    if mesh.shape_keys or not len(mesh.polygons) or not (weld or polygons):
        return
    if bpy.app.version < (3, 5, 0):
        _colours_to_vertices(mesh)
    normals = compat.corner_normals(mesh)
    kept = mesh.attributes.new(NORMAL, "FLOAT_VECTOR", "CORNER")
    kept.data.foreach_set("vector", normals.ravel())
    corners, faces = _corners(mesh), _faces(mesh)
    groups = _groups(mesh, corners, faces, normals) if weld else numpy.arange(len(mesh.vertices))
    cuts = _cuts(mesh, groups[corners], normals) if polygons else None
    work = bmesh.new()
    try:
        work.from_mesh(mesh)
        work.verts.ensure_lookup_table()
        vertices = list(work.verts)
        others = numpy.flatnonzero(groups != numpy.arange(len(groups)))
        if len(others):
            bmesh.ops.weld_verts(work, targetmap={vertices[i]: vertices[groups[i]] for i in others.tolist()})
        if cuts is not None:
            for first, second in cuts:
                if edge := work.edges.get((vertices[first], vertices[second])):
                    edge.seam = True
            bmesh.ops.dissolve_limit(work, angle_limit=ANGLE, verts=[], edges=work.edges[:], delimit={"SEAM", "MATERIAL"})
            for edge in work.edges:
                edge.seam = False
        work.to_mesh(mesh)
    finally:
        work.free()
    normals = numpy.empty(3 * len(mesh.loops), "f4")
    mesh.attributes[NORMAL].data.foreach_get("vector", normals)
    mesh.attributes.remove(mesh.attributes[NORMAL])
    mesh.normals_split_custom_set(normals.reshape(-1, 3).tolist())
    mesh.update()


def _colours_to_vertices(mesh) -> None:
    """Moves colours from corners to vertices, where they are equal before welding: Blender 3.4's glTF exporter reads those of corners by
    the numbers of vertices."""
    corners = _corners(mesh)
    for colours in [c for c in mesh.color_attributes if c.domain == "CORNER"]:
        name, kind = colours.name, colours.data_type
        values = numpy.ones((len(mesh.vertices), 4), "f4")
        values[corners] = _read(colours.data, "color", 4)
        mesh.color_attributes.remove(colours)
        mesh.color_attributes.new(name, kind, "POINT").data.foreach_set("color", values.ravel())


def _read(items, name: str, size: int, kind: str = "f4"):
    values = numpy.empty(size * len(items), kind)
    items.foreach_get(name, values)
    return values.reshape(-1, size)


def _corners(mesh):
    """The vertex of each corner."""
    return _read(mesh.loops, "vertex_index", 1, "i4").ravel()


def _faces(mesh):
    """The face of each corner."""
    return numpy.repeat(numpy.arange(len(mesh.polygons)), _read(mesh.polygons, "loop_total", 1, "i4").ravel())


def _values(mesh, domain: str) -> list:
    """The attributes of a domain as arrays, except normals and those that Blender reserves."""
    found = []
    for attribute in mesh.attributes:
        if attribute.domain == domain and attribute.data_type in VALUES and not attribute.name.startswith(".") and \
                attribute.name not in ("position", NORMAL, "custom_normal"):
            found.append(_read(attribute.data, *VALUES[attribute.data_type]))
    return found


def _groups(mesh, corners, faces, normals):
    """For each vertex, the one that replaces all at its position with the same normal, material, weights and point attributes."""
    count = len(mesh.vertices)
    normal, material = numpy.zeros((count, 3)), numpy.full((count, 1), -1.0)
    normal[corners] = numpy.round(normals, 3)
    material[corners, 0] = _read(mesh.polygons, "material_index", 1, "i4").ravel()[faces]
    parts = [_read(mesh.vertices, "co", 3), normal, material, *_values(mesh, "POINT")]
    if any(v.groups for v in mesh.vertices[:1]):
        known: dict = {}
        parts.append(numpy.array([known.setdefault(tuple(sorted((g.group, round(g.weight, 5)) for g in v.groups)), len(known))
                                  for v in mesh.vertices], "f8").reshape(-1, 1))
    rows = numpy.concatenate(parts, axis=1).astype("f8") + 0.0  # turns -0 into 0
    _, first, which = numpy.unique(rows, axis=0, return_index=True, return_inverse=True)
    return first[which.reshape(-1)]


def _cuts(mesh, corners, normals):
    """The edges between triangles that are not parts of one flat polygon, as pairs of vertices: their normals or their mappings differ."""
    if (_read(mesh.polygons, "loop_total", 1, "i4") != 3).any():
        return numpy.empty((0, 2), "i4")
    places = _read(mesh.vertices, "co", 3).astype("f8")[corners].reshape(-1, 3, 3)
    points = numpy.concatenate([v[_corners(mesh)] for v in _values(mesh, "POINT")] + _values(mesh, "CORNER") + _uvs(mesh) + [
        numpy.zeros((len(corners), 1))], axis=1).astype("f8")
    values, normals = points.reshape(len(places), 3, -1), normals.reshape(-1, 3, 3)
    # Each corner's edge leads to the next corner. Sorting brings both sides of an edge together.
    start, end = corners.reshape(-1, 3), numpy.roll(corners.reshape(-1, 3), -1, axis=1)
    edges = numpy.stack((numpy.minimum(start, end), numpy.maximum(start, end)), axis=2).reshape(-1, 2)
    order = numpy.lexsort((edges[:, 1], edges[:, 0]))
    pairs, begins, counts = numpy.unique(edges[order], axis=0, return_index=True, return_counts=True)
    two = counts == 2
    first, second = order[begins[two]], order[begins[two] + 1]
    one, other = first // 3, second // 3
    opposite = (second % 3 + 2) % 3
    material = _read(mesh.polygons, "material_index", 1, "i4").ravel()
    good = material[one] == material[other]
    good &= start.ravel()[first] != start.ravel()[second]  # both faces point the same way
    good &= numpy.abs(normals[one] - normals[other][:, :1]).max(axis=(1, 2), initial=0) < 2e-3
    good &= numpy.abs(normals[other] - normals[other][:, :1]).max(axis=(1, 2), initial=0) < 2e-3
    # Two triangles have the same mapping if one's mapping gives the far corner and both shared corners of the other their UVs.
    sides = places[one][:, 1:] - places[one][:, :1]
    squares = numpy.einsum("nik,njk->nij", sides, sides)
    area = squares[:, 0, 0] * squares[:, 1, 1] - squares[:, 0, 1] ** 2
    good &= area > 1e-12
    flat = numpy.where(good[:, None, None], squares, numpy.eye(2))
    for corner in (opposite, second % 3, (second % 3 + 1) % 3):
        away = places[other, corner] - places[one, 0]
        share = numpy.linalg.solve(flat, numpy.einsum("nik,nk->ni", sides, away)[:, :, None])[:, :, 0]
        good &= numpy.linalg.norm(numpy.einsum("ni,nik->nk", share, sides) - away, axis=1) < 1e-3
        told = values[one, 0] + numpy.einsum("ni,nik->nk", share, values[one][:, 1:] - values[one][:, :1])
        good &= (numpy.abs(told - values[other, corner]) < 5e-5 + 1e-5 * numpy.abs(told)).all(axis=1)
    return numpy.concatenate((pairs[~two], pairs[two][~good])).tolist()


def _uvs(mesh) -> list:
    """The UV layers, which up to 3.4 are not attributes."""
    named = {a.name for a in mesh.attributes}
    return [_read(layer.data, "uv", 2) for layer in mesh.uv_layers if layer.name not in named]
