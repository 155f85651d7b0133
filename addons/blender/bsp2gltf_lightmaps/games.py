# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Lists where textures and models come from: folders that were used before, and games that Steam has installed."""

import os

import bpy

from . import options, program

AROUND = "AROUND"
_items: list = []  # Blender keeps no reference to the strings of an enum
_steam: list | None = None


def steam() -> list[tuple[str, str]]:
    """The name and the folder of each installed Steam game whose maps can be converted. The program is asked only once."""
    global _steam
    if _steam is None:
        try:
            _steam = [(g["name"], g["mod"]) for g in program.ask("games")["games"]]
        except (program.Missing, ValueError, KeyError, OSError):
            return []
    return _steam


def full_path(path: str) -> str:
    """An entered path as an absolute one: ~ is the home folder, // the folder of the .blend."""
    path = path.strip()
    return os.path.abspath(bpy.path.abspath(os.path.expanduser(path))) if path else ""


def remembered() -> list[str]:
    return [full_path(f.path) for f in options.get().game_folders if f.path.strip()]


def remember(paths) -> None:
    """Adds folders or archives to those in the preferences, the latest first."""
    folders = options.get().game_folders
    if isinstance(folders, tuple):
        return
    known = [p for p in remembered() if p not in paths]
    folders.clear()
    for path in [*paths, *known][:20]:
        folders.add().path = path


def items(_self=None, _context=None) -> list:
    """The items of an enum."""
    global _items
    found = [(AROUND, "Around the Map", "Textures and models from the map's own folder, the game folder above it, and from "
              "Steam where the map says which game it is of")]
    found += [(p, os.path.basename(p.rstrip("/\\")) or p, p) for p in remembered()]
    found += [(mod, name, f"{mod}, as Steam has installed it") for name, mod in steam() if mod not in remembered()]
    _items = found
    return _items


class BSP2GLTF_OT_use_folder(bpy.types.Operator):
    """Take the folder that is shown here as the game's; then go on to the map"""

    bl_idname = "bsp2gltf.use_folder"
    bl_label = "The Folder Shown Here"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, context):
        return getattr(context.space_data, "type", "") == "FILE_BROWSER" and hasattr(context.space_data.active_operator, "folder")

    def execute(self, context):
        context.space_data.active_operator.folder = os.fsdecode(context.space_data.params.directory)
        return {"FINISHED"}


class BSP2GLTF_OT_add_folder(bpy.types.Operator):
    """Add a game folder to the list in the import dialog"""

    bl_idname = "bsp2gltf.add_folder"
    bl_label = "Add a Game Folder"
    bl_options = {"INTERNAL"}

    directory: bpy.props.StringProperty(subtype="DIR_PATH")
    filter_folder: bpy.props.BoolProperty(default=True, options={"HIDDEN"})

    def invoke(self, context, event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        folder = full_path(self.directory)
        if not os.path.isdir(folder):
            self.report({"ERROR"}, f"{folder}: no such folder")
            return {"CANCELLED"}
        remember([folder])
        return {"FINISHED"}


CLASSES = (BSP2GLTF_OT_use_folder, BSP2GLTF_OT_add_folder)
