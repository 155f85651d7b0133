# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Origins of brush entities. A sliding door or a platform has its position in its vertices and its origin at the map's, where nobody can
grab or rotate it. It gets its origin at its centre, and the keys of its movements are adapted.
"""

import numpy
from mathutils import Matrix, Vector

from . import compat

TURNS = ("rotation", "scale", "delta")  # prefixes of what is animated around the origin


def centre(objects: list) -> None:
    """Moves the origins of objects to their centres, if they are at the map's origin."""
    for obj in objects:
        if obj.type == "MESH" and obj.data.users == 1 and len(obj.data.vertices) and not obj.data.shape_keys and not obj.modifiers \
                and obj.matrix_basis == Matrix.Identity(4):
            curves = _curves(obj)
            if not any(c.data_path.startswith(TURNS) for c in curves):
                _move(obj, curves)


def _curves(obj) -> list:
    """All curves of an object: of its action and of its tracks."""
    data = obj.animation_data
    found = [(data.action, getattr(data, "action_slot", None))] if data and data.action else []
    found += [(s.action, getattr(s, "action_slot", None)) for t in (data.nla_tracks if data else ()) for s in t.strips if s.action]
    return [c for action, slot in dict.fromkeys(found) for c in compat.curves_of(action, slot)]


def _move(obj, curves: list) -> None:
    places = numpy.empty(3 * len(obj.data.vertices), "f4")
    obj.data.vertices.foreach_get("co", places)
    places = places.reshape(-1, 3)
    middle = Vector(((places.min(axis=0) + places.max(axis=0)) / 2).tolist())
    obj.data.transform(Matrix.Translation(-middle))
    obj.location = middle
    for curve in curves:
        if curve.data_path == "location":
            for key in curve.keyframe_points:
                for part in (key.co, key.handle_left, key.handle_right):
                    part[1] += middle[curve.array_index]
    for child in obj.children:
        child.matrix_parent_inverse = Matrix.Translation(-middle) @ child.matrix_parent_inverse
