# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Converts and imports one map or model: bsp2gltf writes a .glb into a temporary folder, and Blender's importer reads it."""

import dataclasses
import os
import re
import shutil
import subprocess
import tempfile
import time

import bpy

from . import again, compat, hdr, options, program, report_text, share, split


@dataclasses.dataclass
class Wanted:
    """What is to be imported, and how."""

    path: str
    arguments: list  # of the program
    meshes: dict = dataclasses.field(default_factory=dict)  # preferences that the dialog sets
    again: str = "ADD"  # ASK, REPLACE, ADD
    show_hdr: bool = False
    by_material: bool = False  # split the world by material
    command: tuple = ()  # of the program


class Job:
    """A map or model that is being converted."""

    def __init__(self, wanted: Wanted):
        self.wanted, self.name = wanted, program.map_name(wanted.path)
        self.error, self.report, self.objects = "", {}, []
        self.began = time.monotonic()
        self.folder = tempfile.mkdtemp(prefix="bsp2gltf-")
        self.glb = os.path.join(self.folder, _file_name(self.name) + ".glb")
        self._report = os.path.join(self.folder, "report.json")
        self._log = open(os.path.join(self.folder, "log"), "w+b")
        self._program = program.find()
        command = [self._program, *wanted.command, wanted.path, self.glb, "--preset", "blender", "--report", self._report, "--color", "never",
                   *wanted.arguments]
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._log,
                                         env=dict(os.environ, BSP2GLTF_PROGRESS="lines"), **program.NO_WINDOW)

    def seconds(self) -> float:
        return time.monotonic() - self.began

    def stage(self) -> tuple[int, int, str]:
        """The number of the current stage, the number of stages, and the stage's name; 0 of 1 before the first."""
        with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as log:
            found = re.findall(r"^stage (\d+) of (\d+): (.+)$", log.read(), re.MULTILINE)
        return (int(found[-1][0]), int(found[-1][1]), found[-1][2]) if found else (0, 1, "")

    def running(self) -> bool:
        """Reports whether the program is still running. Once it has ended, error and report are set."""
        code = self._process.poll()
        if code is None:
            return True
        if not self.report and not self.error:
            self.report = report_text.read(self._report)
            if code:
                self._log.seek(0)
                lines = self._log.read().decode("utf-8", "replace").splitlines()
                said = program.last_line("\n".join(line for line in lines if not line.startswith("stage ")))
                other = program.mismatch(self._program)
                self.error = (said or f"bsp2gltf ended with code {code}") + (f" ({other})" if other else "")
        return False

    def wait(self) -> None:
        while self.running():
            time.sleep(0.05)

    def bring(self) -> None:
        """Imports the written file, and sets objects or error."""
        root = again.root_of(self.name) if self.wanted.again != "ADD" else None
        before = share.everything()
        try:
            with options.chosen(**self.wanted.meshes):
                if bpy.ops.import_scene.gltf(filepath=self.glb, **compat.import_settings()) != {"FINISHED"}:
                    self.error = "Blender did not import it"
        except RuntimeError as e:  # the message is the importer's
            self.error = f"Blender did not import it: {program.last_line(str(e))}"
        self.objects = [o for o in bpy.data.objects if o not in before["objects"]]
        if self.error:
            return
        if self.wanted.show_hdr:
            materials = {s.material.name for o in self.objects for s in o.material_slots if s.material}
            hdr.use(self.folder, materials, pack=True)
        if self.wanted.by_material:
            self.objects += split.by_material(self.objects)
        share.images(before["images"])
        again.keep_changed(root, share.materials(before["materials"], again.materials_of(root)))
        share.meshes(before["meshes"])
        again.arrived(self.objects)
        if root is not None:
            again.replace(root, self.objects)
        self._select()

    def _select(self) -> None:
        """Selects only the map's root: if everything is selected, outlines cover the map."""
        layer = bpy.context.view_layer
        for obj in layer.objects:
            obj.select_set(False)
        root = next((o for o in self.objects if o.parent is None and o.get("bsp2gltf_map")), None)
        if root is not None and root.name in layer.objects:
            root.select_set(True)
            layer.objects.active = root

    def close(self) -> None:
        """Ends the program if it is still running, and removes the temporary folder."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _file_name(name: str) -> str:
    """A map's name without characters that some systems don't allow in file names."""
    return "".join(c if c.isalnum() or c in "-_+. " else "_" for c in name)[:100] or "map"
