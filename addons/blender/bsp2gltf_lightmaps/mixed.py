# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""The option "Baked and my lights": the map keeps its baked light, and lamps that the user adds light it, too, with the shadows of the
user's objects.

  light = baked light × (1 - what near objects hide) + lamps

The map's own lamps light the user's objects, but not the map, which has their light already. Since Blender 4.0 light linking does that,
also for light that the map's surfaces emit; before, the map's lamps are switched off.
"""

import bpy

from . import groups

RECEIVERS = "bsp2gltf Lit by the Map"  # a collection of what the light of maps falls on
KEPT = "bsp2gltf_hidden_by_lamps"


def is_on() -> bool:
    return any("Lamps" in g.nodes and groups.value(g, "Lamps").default_value > 0 for g in groups.switches())


def switch(scene, on: bool) -> None:
    """Lights the maps by the scene's lamps as well, or stops that."""
    for group in [g for g in groups.switches() if "Lamps" in g.nodes]:
        groups.value(group, "Lamps").default_value = 1.0 if on else 0.0
        if on:
            groups.value(group, "Baked").default_value = 1.0
    parts = [o for o in scene.objects if of_map(o)]
    if bpy.app.version >= (4, 0, 0):
        _link(scene, parts, on)
        return
    for obj in parts:
        if obj.type == "LIGHT":
            if on and not obj.hide_render:
                obj[KEPT], obj.hide_render, obj.hide_viewport = True, True, True
            elif not on and obj.get(KEPT):
                obj.hide_render = obj.hide_viewport = False
                del obj[KEPT]


def of_map(obj) -> bool:
    """Reports whether an object was imported with a map."""
    while obj.parent is not None:
        obj = obj.parent
    return bool(obj.get("bsp2gltf_map"))


def _link(scene, parts: list, on: bool) -> None:
    """Makes what emits light in a map light everything but the map."""
    receivers = bpy.data.collections.get(RECEIVERS)
    if on:
        receivers = receivers or bpy.data.collections.new(RECEIVERS)
        for obj in parts:
            if obj.type == "MESH" and obj.name not in receivers.objects:
                receivers.objects.link(obj)
        for row in receivers.collection_objects:
            row.light_linking.link_state = "EXCLUDE"
    for obj in parts:
        if obj.type in ("LIGHT", "MESH"):
            obj.light_linking.receiver_collection = receivers if on else None
    if not on and receivers is not None:
        bpy.data.collections.remove(receivers)
