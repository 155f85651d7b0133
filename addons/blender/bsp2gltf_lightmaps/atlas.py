# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Unfolds meshes into one square image: charts of connected faces with similar normals, all at the same scale, without overlaps.

The lightmap's UV layer can't be used: surfaces that lie on others share part of their host's chart.
"""

import math

import numpy

SLOPE = math.cos(math.radians(20))  # the normals of a chart's faces are within this angle of the first face's
PADDING = 2  # pixels on each side of a chart


class Unfolded:
    """The corners of many meshes in the plane, in metres, chart by chart."""

    def __init__(self):
        self.corners: list = []  # for each chart the numbers of its corners, counted over all meshes
        self.places: list = []  # and their places, from 0
        self.count = 0

    def add(self, mesh, scale: float) -> None:
        """Adds a mesh whose objects have this scale."""
        points = numpy.empty(3 * len(mesh.vertices), "f4")
        mesh.vertices.foreach_get("co", points)
        points = points.reshape(-1, 3) * scale
        vertex = numpy.empty(len(mesh.loops), "i4")
        mesh.loops.foreach_get("vertex_index", vertex)
        for faces, normal in _charts(mesh):
            corners = numpy.concatenate([numpy.arange(f.loop_start, f.loop_start + f.loop_total) for f in faces])
            flat = _flat(points[vertex[corners]], normal)
            self.corners.append(corners + self.count)
            self.places.append(flat)
        self.count += len(mesh.loops)

    def pack(self, side: int):
        """The UV of each corner in an image of side pixels, or None if that is too small for all charts."""
        sizes = numpy.array([p.max(axis=0) for p in self.places]) if self.places else numpy.zeros((0, 2))
        scale = math.sqrt(side * side / max(float((sizes[:, 0] * sizes[:, 1]).sum()), 1e-9))
        for _ in range(80):
            pixels = numpy.ceil(sizes * scale).astype(int) + 2 * PADDING + 1
            origins = _shelves(pixels, side)
            if origins is not None:
                uv = numpy.zeros((self.count, 2), "f4")
                for corners, places, origin in zip(self.corners, self.places, origins):
                    uv[corners] = (origin + PADDING + 0.5 + places * scale) / side
                return uv
            scale *= 0.93
        return None


def _charts(mesh):
    """Yields the faces of each chart, and the normal of its first face. Faces of a chart share edges."""
    beside: dict = {}
    for face in mesh.polygons:
        for edge in face.edge_keys:
            beside.setdefault(edge, []).append(face.index)
    normals = numpy.empty(3 * len(mesh.polygons), "f4")
    mesh.polygons.foreach_get("normal", normals)
    normals = normals.reshape(-1, 3)
    seen = [False] * len(mesh.polygons)
    for first in mesh.polygons:
        if seen[first.index]:
            continue
        seen[first.index] = True
        normal, faces, open_faces = normals[first.index], [], [first.index]
        while open_faces:
            face = mesh.polygons[open_faces.pop()]
            faces.append(face)
            for edge in face.edge_keys:
                for other in beside[edge]:
                    if not seen[other] and normals[other] @ normal >= SLOPE and \
                            mesh.polygons[other].material_index == first.material_index:
                        seen[other] = True
                        open_faces.append(other)
        yield faces, normal


def _flat(points, normal):
    """The points projected along the normal, from 0, rotated so that their bounding box is small: along one of the longest edges."""
    up = numpy.array((0.0, 0.0, 1.0) if abs(normal[2]) < 0.9 else (0.0, 1.0, 0.0))
    u = numpy.cross(up, normal)
    u = u / numpy.linalg.norm(u)
    flat = points @ numpy.stack((u, numpy.cross(normal, u)), axis=1)
    edges = numpy.roll(flat, -1, axis=0) - flat
    longest = edges[numpy.argsort(-(edges * edges).sum(axis=1), kind="stable")[:24]]
    best = None
    for along in longest:
        length = math.hypot(*along)
        if length < 1e-6:
            break
        c, s = along / length
        turned = flat @ numpy.array(((c, -s), (s, c)))
        size = turned.max(axis=0) - turned.min(axis=0)
        if best is None or size[0] * size[1] < best[0] * 0.999:
            best = size[0] * size[1], turned
    flat = best[1] if best else flat
    return flat - flat.min(axis=0)


def _shelves(pixels, side: int):
    """Places rectangles in rows, the highest first. Returns their lower left corners, or None if they don't fit."""
    origins = numpy.zeros((len(pixels), 2), int)
    x = y = height = 0
    for i in sorted(range(len(pixels)), key=lambda i: (-pixels[i][1], -pixels[i][0], i)):
        width, tall = int(pixels[i][0]), int(pixels[i][1])
        if x + width > side:
            x, y, height = 0, y + height, 0
        if width > side or y + tall > side:
            return None
        origins[i] = x, y
        x, height = x + width, max(height, tall)
    return origins
