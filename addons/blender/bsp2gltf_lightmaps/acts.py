# SPDX-License-Identifier: MIT
"""Movements of a map's entities, after Blender's own importer made actions and muted NLA tracks of the animations.

What moves by itself plays from the scene's first frame on. The other movements are muted tracks: one unmutes them, or shifts their strips.
"""

import math

import bpy

PLAYS = 600  # seconds for which a movement that loops is repeated


def settle(gltf, objects: list, new: bool) -> None:
    """Names the actions, and lets what moves by itself play. In a new scene it also sets the last frame."""
    ours = {}
    for animation in gltf.data.animations or []:
        extras = animation.extras if isinstance(animation.extras, dict) else {}
        if "starts" in extras:
            ours[getattr(animation, "track_name", None) or animation.name] = extras
    end = 0
    for obj in objects:
        data = obj.animation_data
        tracks = [t for t in data.nla_tracks if t.name in ours and t.strips] if data else []
        if not tracks:
            continue
        data.action = None  # the importer's: it would hide the tracks
        for track in tracks:
            extras, strip = ours[track.name], track.strips[0]
            starts = "node" not in extras
            _name(strip, track.name, obj, starts)
            track.mute = not starts
            seconds = (strip.action_frame_end - strip.action_frame_start) / _rate()
            if extras.get("loops") and seconds > 0:
                strip.repeat = min(max(math.ceil(PLAYS / seconds), 1), 1000)
            else:
                strip.extrapolation = "HOLD_FORWARD"
            if starts:
                end = max(end, strip.frame_start + seconds * _rate())
    if new and end:
        bpy.context.scene.frame_end = max(bpy.context.scene.frame_end, math.ceil(end))


def _name(strip, track: str, obj, starts: bool) -> None:
    """Names an action after its animation; of the one for all that starts, each object has a part."""
    wanted = f"{obj.name} {track}" if starts else track
    if strip.action.users <= 2 and strip.action.name.startswith(track) and strip.action.name != wanted:
        strip.action.name = wanted
    strip.name = track


def _rate() -> float:
    """The frames of a second by which the importer placed the keys."""
    return bpy.context.scene.render.fps
