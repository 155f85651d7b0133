# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""How a sky's mesh maps directions to textures: flat sides of a box around the node, and clouds on the cap of a sphere.

The numbers are computed from the mesh, so they hold for any rotation or crop of the images. A mesh that is neither has none.
"""

import numpy

SIDES = tuple((axis, sign) for axis in range(3) for sign in (1, -1))
NEAR = 1e-3  # relative to an image's width, and to the box's size


class Flat:
    """Texture coordinates are linear in the direction divided by its component toward the side."""

    def __init__(self, rows: dict):
        self.rows = rows  # by (axis, sign): the vectors for u and v

    @property
    def sides(self):
        return set(self.rows)

    def nodes(self, b, direction, sides: dict, row: int):
        """For each side, the texture coordinates of a direction, and whether it leads to the side."""
        for (axis, sign), (u, v) in self.rows.items():
            towards = b.dot(8, row, direction, tuple(float(sign) if k == axis else 0.0 for k in range(3)))
            place = b.vector("SCALE", 9, row, direction, b.number("DIVIDE", 8, row + 1, 1.0, towards))
            yield _pair(b, place, u, v, row), sides[axis, sign]


class Cap:
    """Texture coordinates are linear in the angles to the axes X and Y at which a direction leaves a sphere (Quake III's tr_sky.c).

    height is how far the viewer is below the sphere's top, in multiples of the radius at which the viewer is.
    """

    def __init__(self, height: float, u, v, sides: set):
        self.height, self.u, self.v, self.sides = height, u, v, sides

    def nodes(self, b, direction, sides: dict, row: int):
        """The texture coordinates of a direction, and whether the mesh has the side to which it leads."""
        parts = b.node("ShaderNodeSeparateXYZ", 2, row)
        b.link(direction, parts.inputs[0])
        x, y, z = parts.outputs
        root = b.number("SQRT", 4, row, b.number("MULTIPLY_ADD", 3, row, z, z, self.height * (2 + self.height)))
        way = b.number("DIVIDE", 6, row, b.number("SUBTRACT", 5, row, root, z), 1 + self.height)
        angles = b.node("ShaderNodeCombineXYZ", 9, row)
        for k, part in enumerate((x, y)):
            b.link(b.number("ARCCOSINE", 8, row + k, b.number("MULTIPLY", 7, row + k, part, way)), angles.inputs[k])
        angles.inputs[2].default_value = 1.0
        there = b.number("ADD", 8, row + 2, 1.0, 0.0)
        for side in sorted(set(SIDES) - self.sides):
            there = b.number("SUBTRACT", 9, row + 2, there, sides[side])
        yield _pair(b, angles.outputs[0], self.u, self.v, row), there


class Ball:
    """Texture coordinates are linear in X and Y of where a direction leaves an ellipsoid a third as high as wide (Quake's gl_warp.c)."""

    def __init__(self, u, v, sides: set):
        self.u, self.v, self.sides = u, v, sides

    def nodes(self, b, direction, sides: dict, row: int):
        """The texture coordinates of a direction, and whether the mesh has the side to which it leads."""
        parts = b.node("ShaderNodeSeparateXYZ", 2, row)
        b.link(direction, parts.inputs[0])
        x, y, z = parts.outputs
        square = b.number("MULTIPLY_ADD", 4, row, x, x, b.number("MULTIPLY", 3, row, y, y))
        square = b.number("MULTIPLY_ADD", 6, row, b.number("MULTIPLY", 5, row, z, 9.0), z, square)
        way = b.number("DIVIDE", 8, row, 1.0, b.number("SQRT", 7, row, square))
        place = b.node("ShaderNodeCombineXYZ", 9, row)
        for k, part in enumerate((x, y)):
            b.link(b.number("MULTIPLY", 8, row + 1 + k, part, way), place.inputs[k])
        place.inputs[2].default_value = 1.0
        there = b.number("ADD", 8, row + 3, 1.0, 0.0)
        for side in sorted(set(SIDES) - self.sides):
            there = b.number("SUBTRACT", 9, row + 3, there, sides[side])
        yield _pair(b, place.outputs[0], self.u, self.v, row), there


def _pair(b, place, u, v, row: int):
    """Texture coordinates: the dot products of a vector with u and v."""
    at = b.node("ShaderNodeCombineXYZ", 10, row)
    for k, factor in enumerate((u, v)):
        b.link(b.dot(9, row + k, place, tuple(map(float, factor))), at.inputs[k])
    return at.outputs[0]


def parts(obj, radius: float) -> list:
    """The materials of a sky's mesh, each with its Flat, Cap or Ball, or None. radius is the sphere's, in metres."""
    mesh = obj.data
    if not len(mesh.uv_layers):
        return []
    corners, kinds = _corners(obj), _per_corner(mesh, "material_index")
    height, ball = float(obj.get("sky_cloud_height") or 0.0) / radius, bool(obj.get("sky_clouds_flat"))
    return [(mat, _part(*(values[kinds == i] for values in corners), height, ball)) for i, mat in enumerate(mesh.materials)]


def _corners(obj):
    """The corners of all faces relative to the object's origin, in world axes; their UVs; and the side of each corner."""
    mesh = obj.data
    points = numpy.empty(3 * len(mesh.vertices), "f4")
    mesh.vertices.foreach_get("co", points)
    points = points.reshape(-1, 3) @ numpy.array(obj.matrix_world.to_3x3(), "f8").T
    vertex = numpy.empty(len(mesh.loops), "i4")
    mesh.loops.foreach_get("vertex_index", vertex)
    uv = numpy.empty(2 * len(mesh.loops), "f4")
    (mesh.uv_layers.active or mesh.uv_layers[0]).data.foreach_get("uv", uv)
    corners, faces = points[vertex], _per_corner(mesh, None)
    middle = numpy.zeros((len(mesh.polygons), 3))
    numpy.add.at(middle, faces, corners)
    axis = abs(middle).argmax(1)
    side = 2 * axis + (middle[range(len(axis)), axis] < 0)
    return corners, uv.reshape(-1, 2).astype("f8"), side[faces]


def _per_corner(mesh, key):
    """A value of each face, or its index, for each of its corners."""
    totals = numpy.empty(len(mesh.polygons), "i4")
    mesh.polygons.foreach_get("loop_total", totals)
    values = numpy.arange(len(totals), dtype="i4")
    if key:
        mesh.polygons.foreach_get(key, values)
    return numpy.repeat(values, totals)


def _part(corners, uv, side, height: float, ball: bool):
    found = {}
    for number in numpy.unique(side):
        axis, sign = SIDES[number]
        points = corners[side == number]
        size = points[:, axis].mean()
        points = points / abs(size)
        across = points[:, [k for k in range(3) if k != axis]]
        whole = abs(across.min(0) + 1).max() < NEAR and abs(across.max(0) - 1).max() < NEAR
        if sign * size <= 0 or abs(points[:, axis] - sign).max() > NEAR or not whole:
            return None
        found[axis, sign] = points, uv[side == number]
    if not found:
        return None
    flat = {s: _linear(points, place) for s, (points, place) in found.items()}
    if None not in flat.values():
        return Flat(flat)
    if ball:
        corners, place = (numpy.concatenate(values) for values in zip(*found.values()))
        ways = corners / numpy.linalg.norm(corners * (1, 1, 3), axis=1)[:, None]
        rows = _linear(ways * (1, 1, 0) + (0, 0, 1), place)
        return Ball(*rows, set(found)) if rows else None
    if height <= 0:
        return None
    rays = numpy.concatenate([points / numpy.linalg.norm(points, axis=1)[:, None] for points, _ in found.values()])
    way = (numpy.sqrt(rays[:, 2] ** 2 + height * (2 + height)) - rays[:, 2]) / (1 + height)
    angles = numpy.stack([*numpy.arccos(numpy.clip(rays[:, :2].T * way, -1, 1)), numpy.ones(len(rays))], 1)
    rows = _linear(angles, numpy.concatenate([place for _, place in found.values()]))
    return Cap(height, *rows, set(found)) if rows else None


def _linear(points, uv):
    """The vectors whose dot products with points are u and v, or None if there are none."""
    rows = numpy.linalg.lstsq(points, uv, rcond=None)[0]
    return (rows[:, 0], rows[:, 1]) if abs(points @ rows - uv).max() < NEAR else None
