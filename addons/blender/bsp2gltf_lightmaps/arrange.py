# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Arranges imported objects: collections, display settings of sky and entities, and the 3D view."""

import math
import re

import bpy
from mathutils import Matrix, Vector

from . import keyvalues, options, origins, sky, start_camera

# The collections of a map in the order of the outliner. A map gets those that are not empty.
WORLD, BRUSHES, ENTITIES, PROPS, LIGHTS, TRIGGERS, SKY, SKYBOX, COLLISION = (
    "World", "Brush Entities", "Entities", "Props", "Lights", "Triggers", "Sky", "3D Skybox", "Collision")
PLACE = "bsp2gltf_place"  # on collections: the kind, or "" on the map's own
ORDER = (WORLD, BRUSHES, ENTITIES, PROPS, LIGHTS, TRIGGERS, SKY, SKYBOX, COLLISION)

MARKERS = ("bsp2gltf_fog", "bsp2gltf_water", "bsp2gltf_cubemap")  # parts of the world without faces
GROUPS = ("static_props", "detail_props")  # empties that hold props
ACCESSORS = ("bsp2gltf_light_grid", "bsp2gltf_light_probes")  # name accessors of the file, which mean nothing in a .blend
MARKER = "bsp2gltf_box_marker"  # on the objects that show an entity's size
MODELS = (".mdl", ".md2", ".md3", ".iqm", ".zym", ".dpm", ".spr", ".vmt", ".ase", ".obj")  # not grass, not the rock of a 3D skybox
_NUMBER = re.compile(r"\.\d{3,}$")  # makes a name unique in a .blend
BOX = "bsp2gltf_box"  # "x y z x y z": the least and greatest corner, metres, in the node's own space


def properties(owner) -> dict:
    """The custom properties of an object or scene."""
    return {k: owner[k] for k in owner.keys()}


def arrange(gltf_scene, scene, arrived: list, scene_before: dict) -> None:
    """Arranges the objects of a file. arrived lists (glTF node or None, object), parents first."""
    chosen = options.get()
    objects = [o for _, o in arrived]
    root = next((o for o in objects if o.parent is None), None)
    extras = (gltf_scene.extras if gltf_scene else None) or {}
    if root is None:
        return
    _move_scene_properties(scene, root, extras, scene_before)
    of_map = is_map(objects, extras)
    places = {root: WORLD if of_map else PROPS}
    for obj in objects:
        if obj != root:
            places[obj] = place_of(obj, places) if of_map else PROPS
        if "classname" in obj and chosen.typed_keys:
            keyvalues.type_keys(obj)
        if marker := _style(obj, places[obj]):
            places[marker] = places[obj]
    if chosen.origins:
        origins.centre([o for o, place in places.items() if place == BRUSHES])
    if chosen.collections:
        _sort(scene, root, str(extras.get("bsp2gltf_map") or root.name), places)
    if chosen.mark_assets:
        mark_assets(o for o, place in places.items() if place == PROPS)


def is_map(objects: list, extras: dict) -> bool:
    """Reports whether a file has a map. A model has no entities; without extras of the scene nothing states what a file has."""
    return any("classname" in o for o in objects) or "bsp2gltf_map" not in extras


def _move_scene_properties(scene, root, extras: dict, before: dict) -> None:
    """Moves the scene properties that the importer wrote, over those of an earlier map, to the map's root, and restores the earlier ones.
    """
    for key in extras:
        if key not in scene:
            continue
        if key not in ACCESSORS and key not in root:
            root[key] = scene[key]
        if key in before:
            scene[key] = before[key]
        else:
            del scene[key]


# What an object is


def place_of(obj, places: dict) -> str:
    """The collection for an object. places holds those of its parents."""
    classname = str(obj.get("classname") or "").lower()
    above = places.get(obj.parent)
    if above in (SKYBOX, COLLISION) or obj.get("bsp2gltf_skybox_3d"):
        return above if above in (SKYBOX, COLLISION) else SKYBOX
    if obj.get("bsp2gltf_sky"):
        return SKY
    if "-convcolonly" in obj.name or "-colonly" in obj.name or obj.name.startswith("collision") and not classname and obj.type == "EMPTY":
        return COLLISION
    if obj.get("bsp2gltf_hidden") and not obj.get("bodygroup"):
        return TRIGGERS if above == TRIGGERS else COLLISION
    if obj.type == "LIGHT" or obj.get("bsp2gltf_light") or obj.get("bsp2gltf_flare") or classname.startswith("light"):
        return LIGHTS
    if classname.startswith("trigger_"):
        return TRIGGERS
    if classname == "worldspawn" or any(obj.get(k) for k in MARKERS) or obj.name.startswith("model_"):
        return WORLD
    if not classname and above == PROPS or obj.get("kind") in ("static", "detail") or obj.name.startswith(GROUPS):
        return PROPS
    if str(obj.get("model") or "").startswith("*"):
        return BRUSHES
    if obj.get("bsp2gltf_sprite"):
        return PROPS
    if obj.type in ("MESH", "ARMATURE"):  # without a class it is a part of its parent: of an entity that shows a model, or of a model
        return PROPS if classname or above not in (WORLD, BRUSHES) else above
    return ENTITIES if classname else above or ENTITIES


def _sort(scene, root, name: str, places: dict) -> None:
    """Moves the objects into collections below one with the map's name."""
    top = next((c for c in root.users_collection if c != scene.collection and c.name.split(".")[0] == name), None)
    if top is None or set(top.all_objects) - set(places):  # Blender 4.4 and later make one for the glTF scene, if asked
        top = bpy.data.collections.new(name)
        scene.collection.children.link(top)
    top[PLACE] = ""
    made = {}
    for place in ORDER:
        members = [o for o, p in places.items() if p == place and not (o == root and place == WORLD)]
        if members:
            made[place] = bpy.data.collections.new(f"{name} {place}")
            made[place][PLACE] = place
            top.children.link(made[place])
    for obj, place in places.items():
        target = top if obj == root and place == WORLD else made[place]
        for collection in list(obj.users_collection):
            if collection != target:
                collection.objects.unlink(obj)
        if obj.name not in target.objects:
            target.objects.link(obj)


def lies_in(obj, *places: str) -> bool:
    """Reports whether an object is in a collection of one of these kinds."""
    return any(c.get(PLACE) in places for c in obj.users_collection)


# How it looks


def _style(obj, place: str):
    """Sets how an object is displayed in the 3D views, by its kind. Returns the object that shows its size, or None."""
    if sky.is_sky(obj):
        sky.out_of_the_way(obj)
    elif obj.get("bodygroup"):
        obj.hide_viewport = obj.hide_render = bool(obj.get("bsp2gltf_hidden"))
    elif place == COLLISION or obj.get("bsp2gltf_hidden"):
        obj.display_type = "WIRE"
        obj.hide_render = True
        if obj.type == "MESH":
            obj.visible_shadow = False
    if obj.type == "EMPTY":
        if box := _box(obj.get(BOX)):
            return _show_box(obj, box)
        obj.empty_display_size = 0.25 if place != WORLD else 0.1
        obj.empty_display_type = "ARROWS" if place == ENTITIES else "PLAIN_AXES"
    return None


def _box(text) -> tuple[Vector, Vector] | None:
    """The corners in the object's own space and Blender's axes, or None."""
    try:
        n = [float(v) for v in str(text or "").split()]
    except ValueError:
        return None
    if len(n) != 6 or not all(map(math.isfinite, n)):
        return None
    return Vector((n[0], -n[5], n[1])), Vector((n[3], -n[2], n[4]))  # glTF's y is up, z is -y


def _show_box(obj, box: tuple):
    """Shows an empty as the box that it fills in the game; returns the object that shows it.

    An empty is a cube around its origin, so a child that is stretched shows it; the entity itself stays in its place.
    """
    low, high = box
    marker = bpy.data.objects.new(_NUMBER.sub("", obj.name) + " size", None)
    marker.empty_display_type, marker.empty_display_size = "CUBE", 1.0
    marker.parent = obj
    marker.matrix_parent_inverse = Matrix.Identity(4)
    marker.location = (low + high) / 2
    marker.scale = [max((b - a) / 2, 1e-3) for a, b in zip(low, high)]
    marker[MARKER] = True
    marker.hide_render = True
    for collection in obj.users_collection:
        collection.objects.link(marker)
    obj.empty_display_size = 0.1
    return marker


def mark_assets(objects) -> int:
    """Marks one object of each model as an asset of the file, and returns how many. Objects of a model may have a mesh each, with light
    of their own; the meshes are named after the model's file."""
    seen = set()
    for obj in objects:
        if obj.type != "MESH":
            continue
        model = str(obj.get("model") or _NUMBER.sub("", obj.data.name))
        if model not in seen and model.lower().endswith(MODELS):
            seen.add(model)
            obj.asset_mark()
            obj.asset_data.description = model
            obj.asset_data.tags.new("bsp2gltf", skip_if_exists=True)
    return len(seen)


# The view


def bounds(objects) -> tuple[Vector, Vector] | None:
    """The corners of all meshes, without the sky, the 3D skybox and what is never drawn."""
    corners = [o.matrix_world @ Vector(c) for o in objects if o.type == "MESH" and len(o.data.vertices)
               and not sky.is_sky(o) and not o.hide_render and not _in_skybox(o) for c in o.bound_box]
    if not corners:
        return None
    return (Vector(map(min, zip(*corners))), Vector(map(max, zip(*corners))))


def _in_skybox(obj) -> bool:
    while obj is not None:
        if obj.get("bsp2gltf_skybox_3d"):
            return True
        obj = obj.parent
    return False


def show(scene, objects: list) -> None:
    """Makes the camera of the first view, or the map's, the scene's, and frames the map in the 3D views, in Material Preview: Solid shows no light.

    A map without a camera gets one where a player starts.
    """
    bpy.context.view_layer.update()
    cameras = sorted((o for o in objects if o.type == "CAMERA"), key=lambda o: not o.name.startswith(start_camera.FIRST))
    if not cameras and (made := start_camera.look_from_start(objects)):
        cameras = [made]
    if cameras:
        scene.camera = cameras[0]
    box = bounds(objects)
    reach = max(((box[1] - box[0]).length * 2 if box else 0), 100)
    for camera in cameras:
        camera.data.clip_end = max(camera.data.clip_end, reach)
    for space in views():
        if space.shading.type == "SOLID":
            space.shading.type = "MATERIAL"
        space.clip_end = max(space.clip_end, reach)
        space.shading.show_backface_culling = True  # in Solid, so that rooms can be seen from above
        space.overlay.show_relationship_lines = False  # from each entity to the map's root
        if box and space.region_3d:
            frame(space.region_3d, box)


def frame(view, box: tuple) -> None:
    """Turns a 3D view to a box, seen from above at an angle."""
    size = (box[1] - box[0]).length
    view.view_perspective = "PERSP"
    view.view_location = (box[0] + box[1]) / 2
    view.view_rotation = Matrix.Rotation(math.radians(35), 3, "Z").to_quaternion() @ \
        Matrix.Rotation(math.radians(55), 3, "X").to_quaternion()
    view.view_distance = max(size, 1.0)


def views() -> list:
    """The 3D views of all windows."""
    manager = bpy.context.window_manager
    return [area.spaces.active for window in (manager.windows if manager else ()) for area in window.screen.areas
            if area.type == "VIEW_3D"]


def show_in_viewports() -> None:
    """Switches 3D views from Solid to Material Preview."""
    for space in views():
        if space.shading.type == "SOLID":
            space.shading.type = "MATERIAL"
