# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""File > Import > Game map (.bsp): the file dialog, the list of an archive's maps, and the run with its progress.

The dialog only queues maps; BSP2GLTF_OT_run converts them one after another while Blender goes on, and imports each as
soon as it is there. Without a window (blender -b, bpy) all of it happens before the operator returns.
"""

import os

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from . import report_text, games, jobs, program

# What to bring: name, title, description, default, the setting for True and for False.
BRING = (
    ("sky", "Sky", "The sky as a box or a dome around the map", True, "sky.mode=mesh", "sky.mode=none"),
    ("skybox", "3D Skybox", "The scenery around the map at its scale (Source)", True, "sky.box=true", "sky.box=false"),
    ("lamps", "Lamps", "The map's lamps as lights", True, "entities.lights=true", "entities.lights=false"),
    ("props", "Props", "Models that stand in the map, grass, ropes and sprites", True, "", (
        "entities.props=none", "entities.details=none", "entities.characters=false", "entities.ropes=false",
        "entities.sprites=false")),
    ("collision", "Collision", "What physics knows of the map, as convex solids in a collection of their own", False,
     "geometry.collision=brushes", ""),
    ("hidden", "Hidden Surfaces", "Surfaces that the game never draws: clips, hints, triggers", False,
     "output.hidden=true", ""),
)


class Options:
    """The options of both dialogs."""

    game: EnumProperty(name="Game", description="Where textures and models come from", items=games.items)
    folder: StringProperty(
        name="Folder", description="Another game folder (with gameinfo.txt, or with textures in it) or archive. It is "
        "remembered, and in the list above the next time", subtype="NONE")
    light: EnumProperty(name="Light", description="Which light of a map that has two (Source)", default="hdr", items=(
        ("hdr", "HDR", "Calculated for high dynamic range, where the map has it"),
        ("ldr", "LDR", "Calculated for low dynamic range, where the map has it")))
    show_hdr: BoolProperty(
        name="Light above White", description="Bring the light as OpenEXR images too, packed into the .blend, and show it: "
        "nothing is cut off at white", default=False)
    unit: FloatProperty(
        name="Metres per Unit", description="Metres per map unit. 0: the game's own (1/32 for Quake III, 0.0254 for Source)",
        default=0.0, min=0.0, soft_max=1.0, precision=4)

    def settings(self) -> list[str]:
        """The program's arguments."""
        found = [f"lightmap.light={self.light}",
                 "lightmap.hdr=" + ("always" if self.show_hdr else "none")]
        if self.unit > 0:
            found.append(f"output.unit={self.unit:.9g}")
        for name, _, _, _, on, off in BRING:
            chosen = on if getattr(self, name) else off
            found += [chosen] if isinstance(chosen, str) else chosen
        folders = self.folders()
        return [a for s in found if s for a in ("--set", s)] + [a for f in folders for a in ("--game", f)]

    def folders(self) -> list[str]:
        """The game folders that were chosen, which are remembered."""
        chosen = os.path.expanduser(self.folder.strip())
        return [f for f in (chosen, self.game if self.game not in ("", games.AROUND) else "") if f]

    def draw_options(self, layout) -> None:
        layout.use_property_split = True
        box = layout.column(heading="Textures and Models")
        box.prop(self, "game")
        box.prop(self, "folder")
        column = layout.column(heading="Bring")
        for name, *_ in BRING:
            column.prop(self, name)
        layout.prop(self, "light")
        layout.prop(self, "show_hdr")
        layout.prop(self, "unit")

    def start(self, operator, context, maps: list[str]) -> set:
        """Queues the maps. With a window they are converted in the background, otherwise at once."""
        try:
            program.find()
        except program.Missing as e:
            operator.report({"ERROR"}, str(e))
            return {"CANCELLED"}
        for folder in self.folders():
            if not os.path.exists(folder):
                operator.report({"ERROR"}, f"{folder}: no such folder or archive")
                return {"CANCELLED"}
        if self.folders():
            games.remember(self.folders())
        wanted = [(m, self.settings(), self.show_hdr) for m in maps]
        if bpy.app.background or not context.window:
            return _all_at_once(operator, wanted)
        if _Queue.running:
            _Queue.wanted += wanted
            return {"FINISHED"}
        _Queue.wanted = wanted
        bpy.app.timers.register(_run_in_a_view, first_interval=0.05)  # the file dialog's window is about to close
        return {"FINISHED"}


for _name, _title, _text, _default, _, _ in BRING:
    Options.__annotations__[_name] = BoolProperty(name=_title, description=_text, default=_default)


class _Queue:
    """The maps that wait for BSP2GLTF_OT_run."""

    wanted: list = []  # (map, settings, whether to show HDR light)
    running = False
    cancel = False
    status = ""


def _all_at_once(operator, wanted: list) -> set:
    """Converts and imports without a window."""
    good = 0
    for path, settings, show_hdr in wanted:
        job = jobs.Job(path, settings)
        try:
            job.wait()
            good += _bring(operator, job, show_hdr)
        finally:
            job.close()
    return {"FINISHED"} if good else {"CANCELLED"}


def _bring(operator, job, show_hdr: bool) -> bool:
    """Imports the output of a job and shows its findings. Reports whether anything was imported."""
    if not job.error:
        job.bring(show_hdr)
    block = report_text.keep(job.name, report_text.text(job.name, job.report, job.error))
    message = report_text.line(job.name, job.report, job.error)
    if job.error:
        operator.report({"ERROR"}, message)
        return False
    found = job.report.get("materials", {}).get("missing") or job.report.get("issueCounts")
    operator.report({"WARNING" if job.report.get("materials", {}).get("missing") else "INFO"},
                    message + (f" (text \"{block.name}\")" if found else ""))
    return True


def _in_a_view():
    """A context with the largest 3D view, else the largest area, of the main window: the file dialog's own is gone."""
    window = bpy.context.window_manager.windows[0]
    area = max(window.screen.areas, key=lambda a: (a.type == "VIEW_3D", a.width * a.height))
    region = next(r for r in area.regions if r.type == "WINDOW")
    return bpy.context.temp_override(window=window, area=area, region=region)


def _run_in_a_view() -> None:
    """Starts the run in a 3D view, where its progress is shown."""
    with _in_a_view():
        bpy.ops.bsp2gltf.run("INVOKE_DEFAULT")


class BSP2GLTF_OT_run(bpy.types.Operator):
    """Convert and import the maps that were chosen"""

    bl_idname = "bsp2gltf.run"
    bl_label = "Import Game Maps"
    bl_options = {"UNDO", "INTERNAL"}

    def invoke(self, context, event):
        self.done = self.good = 0
        self.job = None
        self.timer = context.window_manager.event_timer_add(0.2, window=context.window)
        _Queue.running, _Queue.cancel = True, False
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC" and event.value == "PRESS" or _Queue.cancel:
            return self.end(context, "Cancelled")
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        try:
            self.step(context)
        except Exception as e:  # the queue must go on, and the timer must end
            self.report({"ERROR"}, str(e))
            self.close_job()
        if self.job is None and not _Queue.wanted:
            return self.end(context)
        return {"PASS_THROUGH"}

    def step(self, context) -> None:
        """Starts the next map, or checks the one that is being converted."""
        if self.job is None:
            if not _Queue.wanted:
                return
            path, settings, self.show_hdr = _Queue.wanted.pop(0)
            self.job = jobs.Job(path, settings)
        at, of, stage = self.job.stage()
        self.tell(context, f"converting, {at} of {of} ({stage})" if stage else "converting", at / (of + 1))
        if self.job.running():
            return
        self.tell(context, "importing", of / (of + 1))
        try:
            self.good += _bring(self, self.job, self.show_hdr)
        finally:
            self.close_job()

    def close_job(self) -> None:
        if self.job:
            self.job.close()
            self.job = None
            self.done += 1

    def tell(self, context, doing: str, part: float) -> None:
        total = self.done + 1 + len(_Queue.wanted)
        count = f" ({self.done + 1} of {total})" if total > 1 else ""
        _Queue.status = f"{self.job.name}{count}: {doing}, {self.job.seconds():.0f} s"
        context.workspace.status_text_set(_Queue.status + "     Esc: cancel")
        context.window_manager.progress_update(100 * (self.done + part) / total)
        for area in context.screen.areas if context.screen else ():
            if area.type == "VIEW_3D":
                area.tag_redraw()

    def end(self, context, message: str = "") -> set:
        """Ends the run: the queue, the timer and the progress. Imported maps stay."""
        if self.job:
            self.job.close()
            self.job = None
        _Queue.wanted, _Queue.running, _Queue.status = [], False, ""
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        if message:
            self.report({"INFO"}, message)
        return {"FINISHED"} if self.good else {"CANCELLED"}


class BSP2GLTF_OT_cancel(bpy.types.Operator):
    """Stop converting; maps that have arrived stay"""

    bl_idname = "bsp2gltf.cancel"
    bl_label = "Cancel"

    def execute(self, context):
        _Queue.cancel = True
        return {"FINISHED"}


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

    archive: StringProperty()  # archives and folders, one a line
    others: StringProperty()  # maps that were chosen with them, one a line
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
            chosen = [listed[self.at].path]  # the one that is marked in the list
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
        if self.filepath and self.files:  # dropped on the window (4.1 on)
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
        """Opens the list of the maps in archives and folders, with this dialog's options."""
        names = ("game", "folder", "light", "show_hdr", "unit", *(b[0] for b in BRING))
        values = {n: getattr(self, n) for n in names}

        def ask():
            with _in_a_view():
                bpy.ops.bsp2gltf.archive("INVOKE_DEFAULT", archive="\n".join(asked), others="\n".join(maps), **values)

        bpy.app.timers.register(ask, first_interval=0.1)
        return {"FINISHED"}


def draw_status(layout) -> None:
    """The panel's part while maps are converted."""
    if _Queue.running:
        layout.label(text=_Queue.status, icon="TIME")
        layout.operator("bsp2gltf.cancel", icon="X")


def register() -> None:
    bpy.types.WindowManager.bsp2gltf_maps = CollectionProperty(type=BSP2GLTF_Map)  # of the archive that is asked about
    bpy.types.TOPBAR_MT_file_import.append(menu)


def unregister() -> None:
    bpy.types.TOPBAR_MT_file_import.remove(menu)
    del bpy.types.WindowManager.bsp2gltf_maps


def menu(self, context):
    self.layout.operator(BSP2GLTF_OT_import.bl_idname, text="Game map (.bsp)")


CLASSES = [BSP2GLTF_Map, BSP2GLTF_UL_maps, BSP2GLTF_OT_run, BSP2GLTF_OT_cancel, BSP2GLTF_OT_archive, BSP2GLTF_OT_import]

if hasattr(bpy.types, "FileHandler"):  # 4.1 on: maps dropped on the 3D view

    class BSP2GLTF_FH_map(bpy.types.FileHandler):
        bl_idname = "BSP2GLTF_FH_map"
        bl_label = "Game map"
        bl_import_operator = "import_scene.bsp2gltf"
        # Not .zip: an extension for Blender is one, and is installed by a drop.
        bl_file_extensions = ";".join([".bsp", *program.PACKED, *(s for s in program.ARCHIVES if s != ".zip")])

        @classmethod
        def poll_drop(cls, context):
            return context.area and context.area.type == "VIEW_3D"

    CLASSES.append(BSP2GLTF_FH_map)
