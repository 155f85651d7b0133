# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""File > Import > Game map (.bsp): the file dialog and the list of an archive's maps."""

import os

import bpy
from bpy.props import BoolProperty, CollectionProperty, IntProperty, StringProperty

from . import import_options, import_queue, program
from .import_options import Options


class BSP2GLTF_Map(bpy.types.PropertyGroup):
    """A map in an archive."""

    path: StringProperty()
    wanted: BoolProperty(name="")


class BSP2GLTF_UL_maps(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0):
        row = layout.row()
        row.prop(item, "wanted")
        row.label(text=item.name)


class BSP2GLTF_OT_archive(Options, bpy.types.Operator):
    """Choose maps from an archive"""

    bl_idname = "bsp2gltf.archive"
    bl_label = "Maps in the Archive"
    bl_options = {"INTERNAL"}

    archive: StringProperty()  # archives and folders, one per line
    others: StringProperty()  # maps that were chosen together with them, one per line
    at: IntProperty()

    def invoke(self, context, event):
        listed = context.window_manager.bsp2gltf_maps
        listed.clear()
        for path in self.archive.split("\n"):
            for found in program.maps_of(path):
                item = listed.add()
                item.path, item.name = found, program.split(found)[1] or os.path.relpath(found, path)
        return context.window_manager.invoke_props_dialog(self, width=420)

    def draw(self, context):
        layout = self.layout
        listed = context.window_manager.bsp2gltf_maps
        names = [os.path.basename(path) for path in self.archive.split("\n")]
        layout.label(text=f"{' and '.join(names)}: {len(listed)} maps. Tick those to import.")
        layout.template_list("BSP2GLTF_UL_maps", "", context.window_manager, "bsp2gltf_maps", self, "at", rows=12)

    def execute(self, context):
        listed = context.window_manager.bsp2gltf_maps
        chosen = [m.path for m in listed if m.wanted]
        if not chosen and 0 <= self.at < len(listed):
            chosen = [listed[self.at].path]  # the active one in the list
        return self.start(self, context, [*filter(None, self.others.split("\n")), *chosen])


class BSP2GLTF_OT_import(Options, bpy.types.Operator):
    """Import compiled game maps of Quake, Quake II, Quake III, GoldSrc, Source and their kin. An archive opens a list of
    its maps"""

    bl_idname = "import_scene.bsp2gltf"
    bl_label = "Import Game Map"

    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"SKIP_SAVE"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"SKIP_SAVE"})
    filter_glob: StringProperty(options={"HIDDEN"}, default=";".join(
        ["*.bsp", *("*.bsp" + s for s in program.PACKED), *("*" + s for s in program.ARCHIVES)]))

    def invoke(self, context, event):
        try:
            program.find()
        except program.Missing as e:
            self.report({"ERROR"}, str(e))
            return {"CANCELLED"}
        if self.filepath and self.files:  # dropped on the window (since 4.1)
            return self.execute(context)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def draw(self, context):
        self.draw_options(self.layout)

    def chosen(self) -> list[str]:
        names = [f.name for f in self.files if f.name]
        return [os.path.join(self.directory, n) for n in names] if names else [p for p in (self.filepath,) if p]

    def execute(self, context):
        chosen = [os.path.abspath(bpy.path.abspath(p)) for p in self.chosen()]
        maps, asked = [], []
        try:
            for path in chosen:
                if not os.path.exists(program.split(path)[0]) and not any(c in path for c in "*?["):
                    raise ValueError(f"{path}: no such file")
                inside = [path] if program.is_map(path) else program.maps_of(path)
                if not inside:
                    raise ValueError(f"{path}: there is no map in it")
                if len(inside) == 1:
                    maps += inside
                elif not bpy.app.background and context.window:
                    asked.append(path)
                elif os.path.isfile(path):
                    raise ValueError(f"{path}: has {len(inside)} maps; name one after a colon: {inside[0]}")
                else:
                    maps += inside
        except (program.Missing, ValueError, OSError) as e:
            self.report({"ERROR"}, str(e))
            return {"CANCELLED"}
        if asked:
            return self._ask(asked, maps)
        if not maps:
            self.report({"ERROR"}, "No file is chosen")
            return {"CANCELLED"}
        return self.start(self, context, maps)

    def _ask(self, asked: list[str], maps: list[str]) -> set:
        """Opens the list of the maps in archives and folders, keeping this dialog's options."""
        values = {n: getattr(self, n) for n in import_options.NAMES}

        def ask():
            with import_queue.in_a_view():
                bpy.ops.bsp2gltf.archive("INVOKE_DEFAULT", archive="\n".join(asked), others="\n".join(maps), **values)

        bpy.app.timers.register(ask, first_interval=0.1)
        return {"FINISHED"}


def register() -> None:
    bpy.types.WindowManager.bsp2gltf_maps = CollectionProperty(type=BSP2GLTF_Map)  # the maps in the archive that the dialog shows
    bpy.types.TOPBAR_MT_file_import.append(menu)


def unregister() -> None:
    bpy.types.TOPBAR_MT_file_import.remove(menu)
    del bpy.types.WindowManager.bsp2gltf_maps


def menu(self, context):
    self.layout.operator(BSP2GLTF_OT_import.bl_idname, text="Game map (.bsp)")


CLASSES = [BSP2GLTF_Map, BSP2GLTF_UL_maps, BSP2GLTF_OT_archive, BSP2GLTF_OT_import]

if hasattr(bpy.types, "FileHandler"):  # since 4.1: maps dropped on the 3D view

    class BSP2GLTF_FH_map(bpy.types.FileHandler):
        bl_idname = "BSP2GLTF_FH_map"
        bl_label = "Game map"
        bl_import_operator = "import_scene.bsp2gltf"
        # Not .zip: Blender's extensions are zip files, which a drop installs.
        bl_file_extensions = ";".join([".bsp", *program.PACKED, *(s for s in program.ARCHIVES if s != ".zip")])

        @classmethod
        def poll_drop(cls, context):
            return context.area and context.area.type == "VIEW_3D"

    CLASSES.append(BSP2GLTF_FH_map)
