# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""The add-on's preferences, and its part of Blender's glTF import dialog."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, IntProperty, StringProperty

from . import options, program


class BSP2GLTF_Folder(bpy.types.PropertyGroup):
    """A game folder or archive that was used."""

    path: StringProperty(subtype="DIR_PATH")


class BSP2GLTF_OT_forget_folder(bpy.types.Operator):
    """Forget this game folder"""

    bl_idname = "bsp2gltf.forget_folder"
    bl_label = "Forget"
    bl_options = {"INTERNAL"}

    index: IntProperty()

    def execute(self, context):
        options.get().game_folders.remove(self.index)
        return {"FINISHED"}


class BSP2GLTF_Preferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    bsp2gltf: StringProperty(
        name="bsp2gltf", description="The program, where it is not inside the add-on. Empty: it is looked for on PATH",
        subtype="FILE_PATH")
    game_folders: CollectionProperty(type=BSP2GLTF_Folder)

    def draw_options(self, layout, rows):
        layout.use_property_split = True
        for name in rows:
            layout.prop(self, name)

    def draw(self, context):
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "bsp2gltf")
        try:
            path = program.find()
            layout.label(text=f"{path}, version {program.version_text(path)}", icon="CHECKMARK")
            if program.mismatch(path):
                layout.label(text=program.mismatch(path).capitalize(), icon="ERROR")
        except program.Missing as e:
            layout.label(text=str(e), icon="ERROR")
        for i, folder in enumerate(self.game_folders):
            row = layout.row(align=True)
            row.prop(folder, "path", text="Game Folders" if i == 0 else " ")
            row.operator("bsp2gltf.forget_folder", text="", icon="X").index = i
        layout.operator("bsp2gltf.add_folder", icon="ADD")
        self.draw_options(layout, [*options.LIGHT, *options.ARRANGE])


for _name, (_default, _title, _text) in {**options.LIGHT, **options.ARRANGE}.items():
    if isinstance(_default, bool):
        _property = BoolProperty(name=_title, description=_text, default=_default)
    else:
        _property = FloatProperty(name=_title, description=_text, default=_default, min=0.0, soft_max=4.0)
    BSP2GLTF_Preferences.__annotations__[_name] = _property


def draw_import(context, layout):
    """The add-on's part of the glTF import dialog (since 4.2)."""
    header, body = layout.panel("bsp2gltf_import", default_closed=True)
    header.label(text="bsp2gltf: Game Maps")
    preferences = options.get()
    if body and isinstance(preferences, bpy.types.AddonPreferences):
        preferences.draw_options(body, [*options.LIGHT, *options.ARRANGE])


CLASSES = (BSP2GLTF_Folder, BSP2GLTF_OT_forget_folder, BSP2GLTF_Preferences)
