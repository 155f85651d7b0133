"""Bakes the light of maps for export, writes FBX, USD and glTF, imports each again, and compares pictures and vertex colours.

usage: blender -b --factory-startup -noaudio --python-exit-code 1 -P blender_export_test.py -- DIR ADDON.zip FILE.glb...
DIR gets the files and pictures. The add-on is really installed: point BLENDER_USER_RESOURCES, BLENDER_USER_CONFIG and
BLENDER_USER_SCRIPTS to an empty folder, as run.sh does.
"""

import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import blender_check as check  # noqa: E402

import bpy  # noqa: E402
import numpy  # noqa: E402

failures: list[str] = []
HAVE_USD = "usd_export" in dir(bpy.ops.wm)  # Debian's Blender is built without it
SIZE, PICTURE = "320x180", "2048"
# From 4.2 on, glTF's exporter leaves out what no material uses.
ALL_COLOURS = {"export_vertex_color": "ACTIVE"} if bpy.app.version >= (4, 2, 0) else {}
# Each format: how it is written and read.
FORMATS = {
    "fbx": (lambda p: bpy.ops.export_scene.fbx(filepath=p, use_selection=True, path_mode="ABSOLUTE", colors_type="LINEAR"),
            lambda p: bpy.ops.import_scene.fbx(filepath=p, colors_type="LINEAR")),
    "usdc": (lambda p: bpy.ops.wm.usd_export(filepath=p, selected_objects_only=True, generate_preview_surface=True),
             lambda p: bpy.ops.wm.usd_import(filepath=p)),
    "glb": (lambda p: bpy.ops.export_scene.gltf(filepath=p, use_selection=True, **ALL_COLOURS),
            lambda p: bpy.ops.import_scene.gltf(filepath=p)),
}
LAMPS = True  # whether Blender reads lamps from FBX
if not HAVE_USD:
    del FORMATS["usdc"]


def expect(ok: bool, message: str) -> None:
    if not ok:
        failures.append(message)


def clear() -> None:
    """Empties the file. read_factory_settings would disable the add-on."""
    for group in (bpy.data.objects, bpy.data.meshes, bpy.data.materials, bpy.data.images, bpy.data.collections):
        for item in list(group):
            group.remove(item)


def picture(path: str, view, world=None) -> numpy.ndarray:
    """The picture from a camera at view, without lamps, and without a World if none is given: rows of RGB, 0 to 255."""
    scene = bpy.context.scene
    for obj in [o for o in scene.objects if o.type in ("LIGHT", "CAMERA")]:
        bpy.data.objects.remove(obj)
    camera = bpy.data.objects.new("view", bpy.data.cameras.new("view"))
    camera.matrix_world, camera.data.angle = view
    camera.data.clip_start, camera.data.clip_end = 0.02, 5000
    scene.collection.objects.link(camera)
    scene.camera, scene.world = camera, world
    check.render(path, size=SIZE, samples=4)
    image = bpy.data.images.load(path, check_existing=False)
    values = numpy.array(image.pixels[:]).reshape(-1, 4)[:, :3] * 255
    bpy.data.images.remove(image)
    return values


def bring(glb: str):
    """Imports a map. Returns the transform of its camera, and the camera's angle."""
    clear()
    bpy.ops.import_scene.gltf(filepath=glb)
    camera = next(o for o in bpy.context.scene.objects if o.type == "CAMERA")
    return camera.matrix_world.copy(), camera.data.angle


def fbx_reads_lamps() -> bool:
    """Reports whether Blender reads a lamp from an FBX that it wrote itself, in a file without any add-on.

    The importer of 5.0 reads cycles.cast_shadow of a lamp, which that release does not have, and stops.
    """
    check.empty_file()
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("lamp", bpy.data.lights.new("lamp", "POINT")))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "lamp.fbx")
        bpy.ops.export_scene.fbx(filepath=path)
        try:
            return bpy.ops.import_scene.fbx(filepath=path) == {"FINISHED"}
        except RuntimeError as problem:
            return "cast_shadow" not in str(problem)  # the test itself meets and reports any other failure


def export(path: str, kind: str) -> None:
    lamps = [o for o in bpy.context.view_layer.objects if o.type == "LIGHT" and o.select_get()]
    if kind == "fbx" and not LAMPS:
        for lamp in lamps:
            lamp.select_set(False)
    if os.path.exists(path):
        os.remove(path)
    expect(FORMATS[kind][0](path) == {"FINISHED"} and os.path.getsize(path) > 0, f"{path} was not written")
    for lamp in lamps:
        lamp.select_set(True)


def try_textures(folder: str, glb: str) -> None:
    """Light in textures: what is imported again looks like the map. Without baking it must be dark, or the test would show nothing."""
    name = os.path.splitext(os.path.basename(glb))[0]
    view = bring(glb)
    before = picture(os.path.join(folder, name + "-map.png"), view, bpy.context.scene.world)  # the World shows the sky
    expect(before.mean() > 20, f"{name}: the map's own picture is dark: {before.mean():.1f}")
    bring(glb)
    seen = [o for o in bpy.context.scene.objects if o.type == "MESH" and (not o.hide_render or o.get("bsp2gltf_sky"))]  # the World shows the sky, too
    names = {o.name for o in seen if not o.get("bsp2gltf_box_marker")}
    bpy.ops.object.select_all(action="SELECT")
    for kind in FORMATS:
        export(os.path.join(folder, f"{name}-plain.{kind}"), kind)
    expect(bpy.ops.bsp2gltf.bake_light(size=PICTURE, folder=folder) == {"FINISHED"}, f"{name}: not baked")
    expect(bpy.ops.bsp2gltf.bake_light(size=PICTURE, folder=folder) == {"FINISHED"}, f"{name}: not baked again")
    copies = [o for o in bpy.context.view_layer.objects if o.select_get()]
    expect({o.name for o in copies} <= {n + " Export" for n in names} and copies, f"{name}: copies {sorted(o.name for o in copies)}")
    expect(all(len(o.data.uv_layers) == 1 and not len(o.data.color_attributes) for o in copies), f"{name}: copies have more than one UV layer")
    for kind in FORMATS:
        export(os.path.join(folder, f"{name}-baked.{kind}"), kind)  # not the map's own file
    for kind, (_, read) in FORMATS.items():
        for state in ("plain", "baked"):
            clear()
            read(os.path.join(folder, f"{name}-{state}.{kind}"))
            after = picture(os.path.join(folder, f"{name}-{state}-{kind}.png"), view)
            away = float(numpy.abs(after - before).mean())
            print(f"{name}-{state}.{kind}: {away:.2f} levels from the map's picture")
            # The add-on's own reader shows the light of a plain .glb.
            if state == "plain" and kind != "glb":
                expect(away > 15, f"{name}.{kind} without baking is only {away:.1f} levels from the map")
            elif state == "baked":
                # 3.4 reads FBX without the alpha of cut-out or translucent surfaces: a waterfall and banners in the demo's first view.
                bar = 6 if kind == "fbx" and bpy.app.version < (4, 0, 0) else 4
                expect(away < bar, f"{name}.{kind} is {away:.1f} levels from the map")


def try_corners(folder: str, glb: str) -> None:
    """Light in vertex colours: each format with vertex colours has the baked ones."""
    name = os.path.splitext(os.path.basename(glb))[0] + "-corners"
    bring(glb)
    expect(bpy.ops.bsp2gltf.bake_light(into="VERTICES") == {"FINISHED"}, f"{name}: not baked")
    mean = corner_mean(o for o in bpy.context.view_layer.objects if o.select_get())
    expect(0.01 < mean < 0.99, f"{name}: the light's mean is {mean}")
    for kind in FORMATS:
        export(os.path.join(folder, f"{name}.{kind}"), kind)
    for kind, (_, read) in FORMATS.items():
        if kind == "usdc" and bpy.app.version < (4, 0, 0):
            continue  # its exporter leaves out vertex colours, as the README says
        clear()
        read(os.path.join(folder, f"{name}.{kind}"))
        again = corner_mean(o for o in bpy.context.scene.objects if o.type == "MESH")
        print(f"{name}.{kind}: mean {again:.4f}, baked {mean:.4f}")
        expect(abs(again - mean) < 0.01, f"{name}.{kind}: the mean of vertex colours is {again:.3f}, baked {mean:.3f}")


def corner_mean(objects) -> float:
    """The mean of all vertex colours, clamped to 1, over corners."""
    values = []
    for obj in objects:
        mesh = obj.data
        if not len(mesh.color_attributes):
            continue
        colours = mesh.color_attributes[0]
        part = numpy.empty(4 * len(colours.data), "f4")
        colours.data.foreach_get("color", part)
        part = part.reshape(-1, 4)[:, :3]
        if colours.domain == "POINT":
            part = part[[loop.vertex_index for loop in mesh.loops]]
        values.append(part)
    return float(numpy.minimum(numpy.concatenate(values), 1).mean()) if values else -1.0


def main() -> None:
    global LAMPS
    folder, zipped, *files = check.arguments()
    LAMPS = fbx_reads_lamps()
    if not LAMPS:
        print(f"skip Blender {bpy.app.version_string}: lamps in FBX: its importer fails on the lamp of an empty file of its own")
    check.empty_file()
    check.install(zipped)
    for glb in map(os.path.abspath, files):
        try_textures(os.path.abspath(folder), glb)
        try_corners(os.path.abspath(folder), glb)
    for failure in failures:
        print("FAIL", failure)
    sys.stdout.flush()
    if not failures:
        print(f"ok Blender {bpy.app.version_string}: the light of {len(files)} maps in {', '.join(FORMATS)}", flush=True)
    if bpy.app.binary_path:
        raise SystemExit(1 if failures else 0)
    os._exit(1 if failures else 0)


main()
