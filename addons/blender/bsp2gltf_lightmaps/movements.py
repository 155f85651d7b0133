# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Movements of a map's entities. Blender's own importer makes actions and muted NLA tracks of the animations.

What moves by itself plays from the scene's first frame. The other movements are muted tracks, which the user can unmute and shift.
"""

import math

import bpy

PLAYS = 600  # seconds for which a looping movement is repeated
LAST = 30  # seconds: the latest end of a new scene, however long a train's lap is


def settle(gltf, objects: list, new: bool) -> None:
    """Names the actions, and plays what moves by itself. In a new scene it also sets the last frame."""
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
        data.action = None  # the importer's action, which would hide the tracks
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
        scene = bpy.context.scene
        scene.frame_end = max(scene.frame_end, min(math.ceil(end), scene.frame_start + round(LAST * _rate())))
    sequences = [a for a in gltf.data.animations or [] if (getattr(a, "track_name", None) or a.name) not in ours]
    if sequences:
        _stand(idle(sequences), objects)
        _name_sequences({getattr(a, "track_name", None) or a.name for a in sequences}, objects)


def idle(animations: list):
    """The sequence in which a model stands still: by activity, else by name, else the first."""
    def rank(animation) -> int:
        extras = animation.extras if isinstance(animation.extras, dict) else {}
        activity, name = str(extras.get("activity") or "").upper(), str(animation.name or "").lower()
        for i, found in enumerate((activity == "ACT_IDLE", activity.startswith("ACT_IDLE"), name.startswith(("idle", "stand")),
                                   "idle" in name, "stand" in name)):
            if found:
                return i
        return 9

    return min(animations, key=rank)


def _stand(animation, objects: list) -> None:
    """Makes a sequence the active action of its objects. The importer has chosen the file's first one."""
    name = getattr(animation, "track_name", None) or animation.name
    for obj in objects:
        keys = getattr(obj.data, "shape_keys", None) if obj.type == "MESH" else None
        for data in filter(None, (obj.animation_data, keys and keys.animation_data)):
            strip = next((t.strips[0] for t in data.nla_tracks if t.name == name and t.strips), None)
            if strip is not None:
                data.action = strip.action
                if hasattr(strip, "action_slot"):  # since 4.4
                    data.action_slot = strip.action_slot


def _name_sequences(names: set, objects: list) -> None:
    """Names the actions of a model after its sequences. Of several models in a map, each has its own."""
    rigs = [o for o in objects if o.type == "ARMATURE" and o.animation_data]
    for obj in rigs:
        for track in obj.animation_data.nla_tracks:
            if track.name in names and track.strips:
                wanted = track.name if len(rigs) == 1 else f"{obj.name} {track.name}"
                if track.strips[0].action.name != wanted and track.strips[0].action.users <= 2:
                    track.strips[0].action.name = wanted


def _name(strip, track: str, obj, starts: bool) -> None:
    """Names an action after its animation. The animation `map start` is split by object."""
    wanted = f"{obj.name} {track}" if starts else track
    if strip.action.users <= 2 and strip.action.name.startswith(track) and strip.action.name != wanted:
        strip.action.name = wanted
    strip.name = track


def _rate() -> float:
    """The frame rate at which the importer placed the keys."""
    return bpy.context.scene.render.fps
