# SPDX-License-Identifier: MIT
"""The add-on's preferences, and its part of Blender's glTF import dialog."""

import bpy
from bpy.props import BoolProperty, FloatProperty

from . import options


class BSP2GLTF_Preferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    def draw_options(self, layout, rows):
        layout.use_property_split = True
        for name in rows:
            layout.prop(self, name)

    def draw(self, context):
        self.draw_options(self.layout, [*options.LIGHT, *options.ARRANGE])


for _name, (_default, _title, _text) in {**options.LIGHT, **options.ARRANGE}.items():
    if isinstance(_default, bool):
        _property = BoolProperty(name=_title, description=_text, default=_default)
    else:
        _property = FloatProperty(name=_title, description=_text, default=_default, min=0.0, soft_max=4.0)
    BSP2GLTF_Preferences.__annotations__[_name] = _property


def draw_import(context, layout):
    """The add-on's part of the glTF import dialog (4.2 on)."""
    header, body = layout.panel("bsp2gltf_import", default_closed=True)
    header.label(text="bsp2gltf: Game Maps")
    preferences = options.get()
    if body and isinstance(preferences, bpy.types.AddonPreferences):
        preferences.draw_options(body, [*options.LIGHT, *options.ARRANGE])


CLASSES = (BSP2GLTF_Preferences,)
