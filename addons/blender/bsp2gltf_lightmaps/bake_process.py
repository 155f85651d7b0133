# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Bakes in a second Blender process, so that the window keeps working and Esc ends the bake at once. That process runs this file, too."""

import os
import subprocess
import sys
import tempfile
import time

import bpy

HOW = {"type": "EMIT", "margin": 8, "margin_type": "EXTEND", "use_clear": True}  # margin: pixels around a chart, for mipmaps


def bake(scene, image, path: str):
    """Bakes the scene's object into an image, which then shows the file at path. Yields the elapsed seconds."""
    with tempfile.TemporaryDirectory(prefix="bsp2gltf-bake-") as folder:
        blend = os.path.join(folder, "bake.blend")
        bpy.data.libraries.write(blend, {scene}, path_remap="ABSOLUTE")
        with open(os.path.join(folder, "log"), "w+b") as log:
            process = subprocess.Popen(
                [bpy.app.binary_path, "-b", "--factory-startup", "-noaudio", "--python-exit-code", "1", "-P", os.path.abspath(__file__), "--",
                 blend, scene.name, image.name, path], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            began = time.monotonic()
            try:
                while process.poll() is None:
                    yield time.monotonic() - began
            finally:
                if process.poll() is None:
                    process.kill()
                    process.wait()
            if process.returncode or not os.path.isfile(path):
                log.seek(0)
                said = log.read().decode("utf-8", "replace").strip().splitlines()[-1:] or [""]
                raise RuntimeError(f"Cycles did not bake: {said[0]}")
    image.filepath_raw, image.source = path, "FILE"
    image.reload()


def main(blend: str, scene_name: str, image_name: str, path: str) -> None:
    with bpy.data.libraries.load(blend) as (_, here):
        here.scenes = [scene_name]
    scene = here.scenes[0]
    bpy.context.window.scene = scene
    layer = scene.view_layers[0]
    obj = layer.objects.active = scene.objects[0]
    obj.select_set(True, view_layer=layer)
    with bpy.context.temp_override(scene=scene, view_layer=layer, object=obj, active_object=obj, selected_objects=[obj],
                                   selected_editable_objects=[obj]):
        bpy.ops.object.bake(**HOW)
    image = bpy.data.images[image_name]
    image.file_format, image.filepath_raw = "PNG", path
    image.save()


if __name__ == "__main__":
    main(*sys.argv[sys.argv.index("--") + 1:])
