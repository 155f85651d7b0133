# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""A camera for maps without one: at a player's start, at a player's eye height, in the start's direction."""

import math

import bpy
from mathutils import Matrix

# The prefixes of the classes of player starts, best first.
STARTS = ("info_player_start", "info_player_deathmatch", "info_player_counterterrorist", "info_player_teamspawn", "info_player_", "team_ctf_")
FIRST = "player_start_camera"  # the file's camera of the first view (entities.start_camera), which is chosen to show the map well
EYE = 1.1  # metres above a start: a compromise between games whose players' origin is at the feet and at the waist


def look_from_start(objects: list):
    """Makes a camera at a player's start, and returns it, or None if the map has no start."""
    start = min((o for o in objects if _rank(o) < len(STARTS)), key=_rank, default=None)
    if start is None:
        return None
    camera = bpy.data.objects.new("camera at " + start.name, bpy.data.cameras.new("player"))
    camera.data.angle = math.radians(90)
    camera.data.clip_start = 0.05
    place = Matrix.LocRotScale(*start.matrix_world.decompose()[:2], None)  # a start points along its X
    camera.matrix_world = place @ Matrix.Translation((0, 0, EYE)) @ \
        Matrix.Rotation(math.radians(-90), 4, "Z") @ Matrix.Rotation(math.radians(90), 4, "X")
    for collection in start.users_collection:
        collection.objects.link(camera)
    return camera


def _rank(obj) -> int:
    classname = str(obj.get("classname") or "").lower()
    return next((i for i, name in enumerate(STARTS) if classname.startswith(name)), len(STARTS))
