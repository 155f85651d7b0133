"""Opens a .glb in Blender without a window, prints what was imported, and renders a picture.

usage: blender -b --factory-startup -noaudio --python-exit-code 1 -P blender_check.py -- FILE.glb OUT.png [options]
       python blender_check.py FILE.glb OUT.png [options]     with Blender as a Python module (pip install bpy)

  --lm           with the add-on of ../blender; without it: Blender by itself
  --off          with the add-on, its baked light switched off
  --eye x,y,z    from there, in the glTF file's metres, instead of from its first camera
  --yaw deg      0 looks along -Z, 90 along -X
  --pitch deg    upwards
  --fov deg      vertical, 60 by default
  --size WxH     640x360 by default
  --samples n    16 by default; baked light has no noise, but transparent surfaces have
  --eevee        instead of Cycles; needs a display (xvfb-run does)
  --play NAME    unmutes the movement, so that it begins at the first frame (with --lm)
  --time s       seconds of animation after the first frame

The last line of the output that starts with JSON: has the objects, UV layers, materials, images, lights and custom
properties. The user's Blender settings are neither read nor changed.
"""

import argparse
import json
import math
import os
import sys

import bpy

HERE = os.path.dirname(os.path.abspath(__file__))
ADDON = os.path.join(HERE, "..", "blender")


def arguments() -> list[str]:
    """The script's own arguments, under blender -P and under python."""
    return sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else sys.argv[1:]


def empty_file() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module="io_scene_gltf2")


def enable_addon() -> None:
    """Enables the add-on from its folder, without installing it."""
    if ADDON not in sys.path:
        sys.path.insert(0, ADDON)
    bpy.ops.preferences.addon_enable(module="bsp2gltf_lightmaps")
    if "bsp2gltf_lightmaps" not in bpy.context.preferences.addons:
        raise SystemExit("the add-on did not start")


def install(zipped: str) -> None:
    """Installs the packed add-on as a user does, and enables it."""
    if bpy.app.version >= (4, 2, 0):
        repo = next(r for r in bpy.context.preferences.extensions.repos if r.module == "user_default")
        bpy.ops.extensions.package_install_files(filepath=zipped, repo=repo.module, enable_on_install=True)
    else:
        bpy.ops.preferences.addon_install(filepath=zipped)
        bpy.ops.preferences.addon_enable(module="bsp2gltf_lightmaps")
    if not any(name.endswith("bsp2gltf_lightmaps") for name in bpy.context.preferences.addons.keys()):
        raise SystemExit("the add-on is not enabled after installing its .zip")


def mend_numpy() -> bool:
    """Does what the add-on does by itself, and reports whether that was needed: Debian 12 has Blender 3.4 with a NumPy that is too new
    for its importer."""
    import numpy

    needed = "bool" not in vars(numpy)
    if needed:
        numpy.bool = bool
    return needed


def custom_properties(owner) -> dict:
    found = {}
    for key in owner.keys():
        value = owner[key]
        if hasattr(value, "to_dict"):
            value = value.to_dict()
        elif hasattr(value, "to_list"):
            value = value.to_list()
        try:
            json.dumps(value)
        except TypeError:
            value = str(value)
        found[key] = value
    return found


def images_of(material) -> dict:
    """The material's images, each with the name of the UV layer that maps it."""
    found = {}
    for node in material.node_tree.nodes if material.node_tree else ():
        if node.bl_idname == "ShaderNodeTexImage" and node.image:
            link = next(iter(node.inputs[0].links), None)
            found[node.image.name] = getattr(link.from_node, "uv_map", "?") if link else ""
    return found


def summary() -> dict:
    scene = bpy.context.scene
    return {
        "blender": bpy.app.version_string,
        "view_transform": scene.view_settings.view_transform,
        "scene": custom_properties(scene),
        "objects": [{"name": o.name, "type": o.type, "location": [round(v, 4) for v in o.location],
                     "shadow": o.visible_shadow, "properties": custom_properties(o)} for o in scene.objects],
        "meshes": [{"name": m.name, "vertices": len(m.vertices), "faces": len(m.polygons),
                    "uv_layers": [u.name for u in m.uv_layers], "colors": [c.name for c in m.color_attributes],
                    "materials": [x.name if x else None for x in m.materials]} for m in bpy.data.meshes],
        "materials": [{"name": m.name, "images": images_of(m), "properties": custom_properties(m)}
                      for m in bpy.data.materials],
        "images": [{"name": i.name, "size": list(i.size), "colorspace": i.colorspace_settings.name}
                   for i in bpy.data.images if i.name != "Render Result"],
        "lights": [{"name": l.name, "type": l.type, "energy": round(l.energy, 4)} for l in bpy.data.lights],
        "cameras": [c.name for c in bpy.data.cameras],
    }


def place_camera(eye: list[float], yaw: float, pitch: float, fov: float) -> None:
    data = bpy.data.cameras.new("view")
    data.sensor_fit, data.angle_y = "VERTICAL", math.radians(fov)
    data.clip_start, data.clip_end = 0.02, 5000
    camera = bpy.data.objects.new("view", data)
    camera.location = eye[0], -eye[2], eye[1]
    camera.rotation_euler = math.radians(90 + pitch), 0, math.radians(yaw)
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera


def move(name: str | None, seconds: float) -> None:
    """Plays the movement with a name, if one is given, from the scene's first frame, and goes to a time after that."""
    scene = bpy.context.scene
    tracks = [t for o in scene.objects if o.animation_data for t in o.animation_data.nla_tracks if t.name == name]
    if name and not tracks:
        raise SystemExit(f"nothing has the movement {name}")
    for track in tracks:
        track.mute = False
        track.id_data.animation_data.action = None  # the importer's action, of another program's animation: it would hide the track
    bpy.context.view_layer.depsgraph.debug_tag_update()  # from 4.4 on, Blender does not notice that a script unmutes a track
    frame = scene.frame_start + seconds * scene.render.fps / scene.render.fps_base
    scene.frame_set(math.floor(frame), subframe=frame % 1)


def render(out: str, size: str = "640x360", samples: int = 4, eevee: bool = False) -> None:
    scene = bpy.context.scene
    if scene.camera is None:
        scene.camera = next((o for o in scene.objects if o.type == "CAMERA"), None)
    if scene.camera is None:
        raise SystemExit("the file has no camera; give --eye and --yaw")
    engines = {e.identifier for e in scene.render.bl_rna.properties["engine"].enum_items}
    if eevee:
        scene.render.engine = "BLENDER_EEVEE_NEXT" if "BLENDER_EEVEE_NEXT" in engines else "BLENDER_EEVEE"
        scene.eevee.taa_render_samples = max(samples, 8)
    else:
        scene.render.engine = "CYCLES"
        scene.cycles.device, scene.cycles.samples = "CPU", samples
        scene.cycles.use_denoising = scene.cycles.use_adaptive_sampling = False
    width, height = size.split("x")
    scene.render.resolution_x, scene.render.resolution_y = int(width), int(height)
    scene.render.resolution_percentage = 100
    scene.render.dither_intensity = 0
    scene.view_settings.view_transform = "Standard"
    scene.render.image_settings.file_format = "PNG"
    scene.render.filepath = os.path.abspath(out)
    bpy.ops.render.render(write_still=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="blender_check.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("glb")
    parser.add_argument("png")
    parser.add_argument("--lm", action="store_true")
    parser.add_argument("--off", action="store_true")
    parser.add_argument("--eevee", action="store_true")
    parser.add_argument("--eye")
    parser.add_argument("--play")
    for name, default in (("--yaw", 0.0), ("--pitch", 0.0), ("--fov", 60.0), ("--time", 0.0)):
        parser.add_argument(name, type=float, default=default)
    parser.add_argument("--size", default="640x360")
    parser.add_argument("--samples", type=int, default=16)
    args = parser.parse_args(arguments())

    empty_file()
    if args.lm or args.off:
        enable_addon()
    else:
        mend_numpy()
    if bpy.ops.import_scene.gltf(filepath=os.path.abspath(args.glb)) != {"FINISHED"}:
        raise SystemExit(f"{args.glb}: not imported")
    if args.off:
        bpy.ops.bsp2gltf.baked_light()
    print("JSON:" + json.dumps(summary(), ensure_ascii=False), flush=True)
    move(args.play, args.time)
    if args.eye:
        place_camera([float(v) for v in args.eye.split(",")], args.yaw, args.pitch, args.fov)
    render(args.png, args.size, args.samples, args.eevee)


if __name__ == "__main__":
    main()
