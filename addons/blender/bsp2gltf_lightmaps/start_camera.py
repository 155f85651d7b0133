# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""A camera for maps that have none: where a player starts, as tall as a player, looking where the start looks."""

import math

import bpy
from mathutils import Matrix

# The classes of players' starts begin with these, the best first.
STARTS = ("info_player_start", "info_player_deathmatch", "info_player_counterterrorist", "info_player_teamspawn", "info_player_", "team_ctf_")
FIRST = "player_start_camera"  # the file's camera of the first view (entities.start_camera), which shows the map well
EYE = 1.1  # metres above a start: between games whose players' origin is at their feet, and those where it is at the belt


def look_from_start(objects: list):
    """Makes a camera at a player's start; returns it, or None where the map has no start."""
    start = min((o for o in objects if _rank(o) < len(STARTS)), key=_rank, default=None)
    if start is None:
        return None
    camera = bpy.data.objects.new("camera at " + start.name, bpy.data.cameras.new("player"))
    camera.data.angle = math.radians(90)
    camera.data.clip_start = 0.05
    place = Matrix.LocRotScale(*start.matrix_world.decompose()[:2], None)  # the start looks along its X
    camera.matrix_world = place @ Matrix.Translation((0, 0, EYE)) @ \
        Matrix.Rotation(math.radians(-90), 4, "Z") @ Matrix.Rotation(math.radians(90), 4, "X")
    for collection in start.users_collection:
        collection.objects.link(camera)
    return camera


def _rank(obj) -> int:
    classname = str(obj.get("classname") or "").lower()
    return next((i for i, name in enumerate(STARTS) if classname.startswith(name)), len(STARTS))
