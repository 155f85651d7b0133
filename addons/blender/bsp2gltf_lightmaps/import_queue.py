# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""The queue of imports: BSP2GLTF_OT_run converts them one after another while Blender stays usable, and imports each one when it is
converted.

Without a window (blender -b, bpy) everything happens before the operator returns.
"""

import dataclasses

import bpy

from . import again, jobs, program, report_text


class Queue:
    """The imports that wait for BSP2GLTF_OT_run."""

    wanted: list = []  # jobs.Wanted
    asked: list = []  # those whose map is already in the .blend
    running = False
    cancel = False
    status = ""


def start(operator, context, wanted: list) -> set:
    """Queues imports. With a window they are converted in the background, otherwise at once, without asking."""
    if bpy.app.background or not context.window:
        return _all_at_once(operator, wanted)
    Queue.asked = [w for w in wanted if w.again == "ASK" and again.root_of(program.map_name(w.path))]
    Queue.wanted += [w for w in wanted if w not in Queue.asked]
    if Queue.asked:
        bpy.app.timers.register(_ask_in_a_view, first_interval=0.1)
    elif not Queue.running:
        bpy.app.timers.register(_run_in_a_view, first_interval=0.05)  # once the file dialog's window has closed
    return {"FINISHED"}


def _all_at_once(operator, wanted: list) -> set:
    """Converts and imports without a window."""
    good = 0
    for one in wanted:
        job = jobs.Job(one)
        try:
            job.wait()
            good += _bring(operator, job)
        finally:
            job.close()
    return {"FINISHED"} if good else {"CANCELLED"}


def _bring(operator, job) -> bool:
    """Imports the output of a job and shows its report. Returns whether anything was imported."""
    if not job.error:
        job.bring()
    block = report_text.keep(job.name, report_text.text(job.name, job.report, job.error))
    message = report_text.line(job.name, job.report, job.error)
    if job.error:
        operator.report({"ERROR"}, message)
        return False
    found = job.report.get("materials", {}).get("missing") or job.report.get("issueCounts")
    operator.report({"WARNING" if job.report.get("materials", {}).get("missing") else "INFO"},
                    message + (f" (text \"{block.name}\")" if found else ""))
    return True


def in_a_view():
    """A context with the largest 3D view, or else the largest area, of the main window. The file dialog's own is gone."""
    window = bpy.context.window_manager.windows[0]
    area = max(window.screen.areas, key=lambda a: (a.type == "VIEW_3D", a.width * a.height))
    region = next(r for r in area.regions if r.type == "WINDOW")
    return bpy.context.temp_override(window=window, area=area, region=region)


def _run_in_a_view() -> None:
    """Starts the queue in a 3D view, which shows its progress."""
    with in_a_view():
        bpy.ops.bsp2gltf.run("INVOKE_DEFAULT")


def _ask_in_a_view() -> None:
    with in_a_view():
        bpy.ops.bsp2gltf.again("INVOKE_DEFAULT")


class BSP2GLTF_OT_again(bpy.types.Operator):
    """What happens to maps that are imported again"""

    bl_idname = "bsp2gltf.again"
    bl_label = "Import Again"
    bl_options = {"INTERNAL"}

    answer: bpy.props.EnumProperty(name="Answer", default="REPLACE", items=(
        ("REPLACE", "Replace", "Replace it where it is. Your own objects stay, and materials that you changed"),
        ("ADD", "Keep Both", "Add another one")))

    def invoke(self, context, event):
        return context.window_manager.invoke_props_dialog(self, width=360)

    def draw(self, context):
        names = [program.map_name(w.path) for w in Queue.asked]
        self.layout.label(text=f"{' and '.join(names)}: already in this file")
        self.layout.row().prop(self, "answer", expand=True)
        self.layout.label(text="Your own objects stay, and materials that you changed." if self.answer == "REPLACE" else "")

    def execute(self, context):
        Queue.wanted += [dataclasses.replace(w, again=self.answer) for w in Queue.asked]
        self.cancel(context)
        return {"FINISHED"}

    def cancel(self, context):
        """Continues with the other imports."""
        Queue.asked = []
        if Queue.wanted and not Queue.running:
            bpy.app.timers.register(_run_in_a_view, first_interval=0.05)


class BSP2GLTF_OT_run(bpy.types.Operator):
    """Convert and import the maps that were chosen"""

    bl_idname = "bsp2gltf.run"
    bl_label = "Import Game Maps"
    bl_options = {"UNDO", "INTERNAL"}

    def invoke(self, context, event):
        self.done = self.good = 0
        self.job = None
        self.timer = context.window_manager.event_timer_add(0.2, window=context.window)
        Queue.running, Queue.cancel = True, False
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC" and event.value == "PRESS" or Queue.cancel:
            return self.end(context, "Cancelled")
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        try:
            self.step(context)
        except Exception as e:  # the queue must continue, and the timer must end
            self.report({"ERROR"}, str(e))
            self.close_job()
        if self.job is None and not Queue.wanted:
            return self.end(context)
        return {"PASS_THROUGH"}

    def step(self, context) -> None:
        """Starts the next import, or checks the running one."""
        if self.job is None:
            if not Queue.wanted:
                return
            self.job = jobs.Job(Queue.wanted.pop(0))
        at, of, stage = self.job.stage()
        self.tell(context, f"converting, {at} of {of} ({stage})" if stage else "converting", at / (of + 1))
        if self.job.running():
            return
        if any(map(bpy.app.is_job_running, ("OBJECT_BAKE", "RENDER"))):  # they read data that a map may replace
            self.tell(context, "waiting for the render", of / (of + 1))
            return
        self.tell(context, "importing", of / (of + 1))
        try:
            self.good += _bring(self, self.job)
        finally:
            self.close_job()

    def close_job(self) -> None:
        if self.job:
            self.job.close()
            self.job = None
            self.done += 1

    def tell(self, context, doing: str, part: float) -> None:
        total = self.done + 1 + len(Queue.wanted)
        count = f" ({self.done + 1} of {total})" if total > 1 else ""
        Queue.status = f"{self.job.name}{count}: {doing}, {self.job.seconds():.0f} s"
        context.workspace.status_text_set(Queue.status + "     Esc: cancel")
        context.window_manager.progress_update(100 * (self.done + part) / total)
        for area in context.screen.areas if context.screen else ():
            if area.type == "VIEW_3D":
                area.tag_redraw()

    def end(self, context, message: str = "") -> set:
        """Ends the run: queue, timer and progress. Imported maps stay."""
        if self.job:
            self.job.close()
            self.job = None
        Queue.wanted, Queue.running, Queue.status = [], False, ""
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
        Queue.cancel = True
        return {"FINISHED"}


def draw_status(layout) -> None:
    """The part of the panel that is shown while maps are converted."""
    if Queue.running:
        layout.label(text=Queue.status, icon="TIME")
        layout.operator("bsp2gltf.cancel", icon="X")


CLASSES = (BSP2GLTF_OT_run, BSP2GLTF_OT_cancel, BSP2GLTF_OT_again)
