# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Blender's start scene: whether a file is still new, so that its settings may be changed, and its cube, lamp and camera."""

import bpy

# The objects of Blender's start file and their rounded positions in metres.
START = {("Cube", "MESH"): (0, 0, 0), ("Light", "LIGHT"): (4, 1, 6), ("Camera", "CAMERA"): (7, -7, 5)}


def is_new(scene) -> bool:
    """Reports whether the file was never saved and has no mesh but the untouched cube."""
    return not bpy.data.is_saved and not any(o.type == "MESH" and not _untouched(o) for o in scene.objects)


def left_over(scene) -> list:
    """The untouched objects of a start scene. If the scene has anything else, they are kept, because they may be in use."""
    found = list(scene.objects)
    return found if not bpy.data.is_saved and all(map(_untouched, found)) else []


def put_away(objects: list) -> None:
    """Removes objects with their data: the cube would be inside the map, and the lamp has 1,000 W."""
    for obj in objects:
        own = [obj.data, *(obj.data.materials if obj.type == "MESH" else ())]
        bpy.data.objects.remove(obj)
        for data in own:
            if data is not None and data.users == 0:
                bpy.data.batch_remove([data])


def _untouched(obj) -> bool:
    place = START.get((obj.name, obj.type))
    if place is None or tuple(map(round, obj.location)) != place or tuple(obj.scale) != (1, 1, 1):
        return False
    if obj.animation_data or obj.modifiers or obj.children or obj.parent or obj.keys():
        return False
    if obj.type == "MESH":
        return len(obj.data.vertices) == 8 and all(abs(abs(c) - 1) < 1e-5 for v in obj.data.vertices for c in v.co)
    return obj.type != "LIGHT" or obj.data.energy == 1000
