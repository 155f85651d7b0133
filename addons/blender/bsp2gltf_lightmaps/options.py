# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""The add-on's preferences, and their defaults for when it is loaded without being enabled."""

import contextlib

import bpy

# name: (default, title, description)
LIGHT = {
    "show_baked": (True, "Show Baked Light", "Show the map under its baked light. Off: under the lights of the scene"),
    "strength": (1.0, "Strength", "Factor on the baked light of the first map in a file"),
    "hdr": (False, "HDR Light", "Use the OpenEXR pages of light that lie beside the file (NAME_lightmap_0.exr): light "
            "above white is not cut off, for exposures of your own"),
    "set_up_new_scene": (True, "Set Up New Scenes", "In a file never saved, with no other mesh: use the Standard view "
                         "transform, the one the light was made for, and the exposure that the game begins with, turn Solid views to Material Preview, look through "
                         "the map's camera or frame the map"),
    "sky_camera_only": (True, "Sky for the Camera Only", "Keep the sky mesh out of shadows, bounces and reflections"),
    "sky_around_the_eye": (True, "Sky around the Eye", "In a file never saved, with no other mesh: the world shows the sky, without parallax, "
                           "as in the game, and the camera does not see the sky mesh"),
    "world_from_sky": (False, "World from Sky", "Give the world the mean colour of the sky's images"),
}
ARRANGE = {
    "weld": (True, "Weld", "Make one vertex of those in one place with one normal and material: what belongs together is connected. "
             "UVs, light and normals stay with the corners"),
    "polygons": (True, "Polygons", "Join flat triangles of one material and one mapping to polygons, as the map had them"),
    "origins": (True, "Origins at Entities", "Doors, lifts and other brush entities without an origin of their own get it in their middle"),
    "collections": (True, "Collections", "Sort what arrives into collections: World, Brush Entities, Props, Lights, "
                    "Triggers, Sky, 3D Skybox, Collision"),
    "typed_keys": (True, "Typed Keys", "Key-values of entities that are numbers become numbers, or vectors; as text "
                   "they stay what they are in the map"),
    "mark_assets": (False, "Mark Props as Assets", "Each model of a prop becomes an asset of the file"),
}


class _Defaults:
    """The preferences' defaults, if the add-on is not enabled."""

    bsp2gltf, game_folders = "", ()


for _name, _row in {**LIGHT, **ARRANGE}.items():
    setattr(_Defaults, _name, _row[0])


class _Chosen:
    """The preferences, with values that a dialog sets for one import."""

    def __init__(self, preferences, values: dict):
        self.preferences, self.values = preferences, values

    def __getattr__(self, name: str):
        return self.values[name] if name in self.values else getattr(self.preferences, name)


_values: dict = {}


@contextlib.contextmanager
def chosen(**values):
    """Replaces values of the preferences."""
    _values.update(values)
    try:
        yield
    finally:
        _values.clear()


def get():
    """The preferences."""
    addon = bpy.context.preferences.addons.get(__package__)
    preferences = addon.preferences if addon and addon.preferences else _Defaults
    return _Chosen(preferences, _values) if _values else preferences
