# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Splits the world into an object per material."""

import bpy


def by_material(objects: list) -> list:
    """Splits the world objects among the given ones, and returns the new objects."""
    made = []
    for world in [o for o in objects if o.type == "MESH" and o.get("classname") == "worldspawn" and len(o.data.materials) > 1]:
        layer = bpy.context.view_layer
        before = set(bpy.data.objects)
        for obj in layer.objects:
            obj.select_set(obj == world)
        layer.objects.active = world
        with bpy.context.temp_override(object=world, active_object=world, selected_objects=[world], selected_editable_objects=[world]):
            bpy.ops.mesh.separate(type="MATERIAL")
        parts = [o for o in bpy.data.objects if o not in before]
        for part in parts:
            for key in list(part.keys()):  # only one object remains the worldspawn
                del part[key]
        for part in (world, *parts):
            material = part.data.materials[0] if part.data.materials else None
            part.data.name = f"{world.name} {material.name if material else 'none'}"
            if part != world:
                part.name = part.data.name
        made += parts
    return made
