"""Imports test.glb with the packed add-on and compares a picture with test.json.

usage: blender -b --factory-startup -noaudio --python-exit-code 1 -P blender_test.py -- DIR ADDON.zip [--eevee]
DIR has what make_test_glb.mjs wrote, and gets the pictures. The add-on is really installed: point
BLENDER_USER_RESOURCES, BLENDER_USER_CONFIG and BLENDER_USER_SCRIPTS to an empty folder, as run.sh does.
"""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import blender_check as check  # noqa: E402

import bpy  # noqa: E402
import numpy  # noqa: E402

TOLERANCE = 3
failures: list[str] = []


def expect(ok: bool, message: str) -> None:
    if not ok:
        failures.append(message)


def wrong_pixels(path: str, samples: list[dict], width: int, tolerance: int = TOLERANCE) -> list[str]:
    """Returns the samples from which a picture differs."""
    image = bpy.data.images.load(path, check_existing=False)
    values, height = image.pixels[:], image.size[1]  # rows from below
    bpy.data.images.remove(image)
    found = []
    for s in samples:
        at = 4 * ((height - 1 - s["y"]) * width + s["x"])
        got = [round(v * 255) for v in values[at:at + 3]]
        if max(abs(a - b) for a, b in zip(got, s["rgb"])) > tolerance:
            found.append(f"{s['name']}: want {s['rgb']}, have {got}")
    return found


def import_and_render(glb: str, png: str, eevee: bool) -> None:
    bpy.ops.import_scene.gltf(filepath=glb)
    check.render(png, eevee=eevee)


def effects(folder: str, zipped: str, want: dict, eevee: bool) -> None:
    """What other viewers show, too: light with a direction, motion after half a second, distance fog, reflections."""
    kinds = [("turned", "test.glb", 0.0), ("moved", "test.glb", 0.5), ("ranged", "range.glb", 0.0), ("hazed", "haze.glb", 0.0),
             ("mirrored", "mirror.glb", 0.0), ("multiplied", "mirror.glb", 0.0)]
    want["multiplied"] = [s for s in want["mirrored"] if s["name"].startswith("multiply")]
    want["chromed"] = [s for s in want["shaded"] if s["name"].startswith("chrome")]
    if bpy.app.version >= (3, 6, 0):
        kinds.append(("chromed", "test.glb", 0.0))
    shiny = ("lit", "after") if bpy.app.version >= (3, 6, 0) else ("after",)  # before 3.6, the importer drops the attribute of the first
    for kind, name, time in kinds:
        check.empty_file()
        check.install(zipped)
        bpy.ops.import_scene.gltf(filepath=os.path.join(folder, name))
        check.move(None, time)
        # A mesh that is a sky of one colour has no fog. Of reflecting materials, only those with baked light.
        samples = [s for s in want[kind] if s["name"] != "sky" and (kind != "mirrored" or s["name"].startswith(shiny))]
        expect(len(samples) >= 4, f"{len(samples)} pixels of {kind}")
        png = os.path.join(folder, f"blender-{kind}.png")
        check.render(png, eevee=eevee)
        tolerance = 5 if kind == "multiplied" else TOLERANCE  # the power of 2.2 is not quite the sRGB curve
        failures.extend(f"{kind}: {w}" for w in wrong_pixels(png, samples, want["width"], tolerance))
        if kind in ("ranged", "hazed"):
            expect(bpy.ops.bsp2gltf.fog() == {"FINISHED"}, f"{kind}: there is no fog to switch")
            check.render(png, eevee=eevee)
            clear = [dict(s, rgb=s["seen"]) for s in samples if "seen" in s]
            failures.extend(f"{kind}, switched off: {w}" for w in wrong_pixels(png, clear, want["width"]))


def notices() -> bool:
    """Reports whether Blender moves an object when a script unmutes its track, in a file without any add-on.

    From 4.4 on, objects that only muted tracks move are left out of the evaluation, and unmuting by a script does not add them.
    """
    check.empty_file()
    scene, obj = bpy.context.scene, bpy.data.objects.new("plain", None)
    scene.collection.objects.link(obj)
    for frame in (0, 30):
        obj.location.z = frame
        obj.keyframe_insert("location", frame=frame)
    data = obj.animation_data
    track, action, slot = data.nla_tracks.new(), data.action, getattr(data, "action_slot", None)
    strip = track.strips.new("plain", 1, action)
    if slot:
        strip.action_slot = slot
    data.action, track.mute = None, True
    scene.frame_set(1)
    scene.frame_set(31)
    track.mute = False
    scene.frame_set(1)
    low = obj.matrix_world.translation.z
    scene.frame_set(31)
    return obj.matrix_world.translation.z - low > 29


def movements(folder: str, zipped: str) -> None:
    """What moves by itself plays, what must be triggered is a muted track, and actions are named after their animations."""
    noticed = notices()
    check.empty_file()
    check.install(zipped)
    scene = bpy.context.scene
    scene.render.fps = 30
    bpy.ops.import_scene.gltf(filepath=os.path.join(folder, "movements.glb"))
    names = sorted(a.name for a in bpy.data.actions)
    expect(names == ["door close", "door open", "leaf close", "leaf open", "lift cycle", "lift map start"], f"actions: {names}")
    door, lift, lamp = (bpy.data.objects[n] for n in ("door", "lift", "lamp"))
    tracks = {o.name: {t.name: t.mute for t in o.animation_data.nla_tracks} for o in (door, lift)}
    expect(tracks == {"door": {"door open": True, "door close": True}, "lift": {"map start": False, "lift cycle": True}}, f"tracks: {tracks}")
    expect(not door.animation_data.action and not lift.animation_data.action, "an action hides the tracks")

    def heights(frame: int) -> list:
        scene.frame_set(frame)
        return [round(o.matrix_world.translation.z, 3) for o in (door, lift, lamp)]

    seen = [heights(f) for f in (1, 31, 61, 76)]  # after 0, 1, 2 and 2.5 seconds
    expect(seen == [[0, -1, -1], [0, 0, 0], [0, -1, -1], [0, -0.5, -0.5]], f"heights of door, lift and lamp: {seen}")
    door.animation_data.nla_tracks["door open"].mute = False
    if not noticed:
        print(f"skip Blender {bpy.app.version_string}: it does not notice that a script unmutes a track, in an empty file of its own either;"
              " the dependency graph is told, as the README says")
        bpy.context.view_layer.depsgraph.debug_tag_update()
    seen = [heights(f) for f in (1, 16, 31, 200)]
    expect([h[0] for h in seen] == [0, 0.5, 1, 1], f"heights of the door that opens: {seen}")


def main() -> None:
    args = check.arguments()
    folder, zipped, eevee = os.path.abspath(args[0]), os.path.abspath(args[1]), "--eevee" in args
    glb = os.path.join(folder, "test.glb")
    want = json.load(open(os.path.join(folder, "test.json"), encoding="utf-8"))
    samples, width = want["samples"] + want["display"], want["width"]
    tag = f"blender-{bpy.app.version[0]}.{bpy.app.version[1]}" + ("-eevee" if eevee else "")
    png = os.path.join(folder, tag + ".png")

    # Without the add-on the light must be missing, or the test would show nothing. Debian's 3.4 then does not even import.
    check.empty_file()
    mended = check.mend_numpy()
    import_and_render(glb, os.path.join(folder, tag + "-without.png"), eevee)
    lit = [s for s in samples if s["lit"]]
    wrong = wrong_pixels(os.path.join(folder, tag + "-without.png"), lit, width)
    expect(len(wrong) > len(lit) * 0.9, f"without the add-on only {len(wrong)} of {len(lit)} lit pixels differ")

    if mended:
        del numpy.bool
    check.empty_file()
    check.install(zipped)
    bpy.ops.import_scene.gltf(filepath=glb)
    have = check.summary()
    expect(have["view_transform"] == "Standard", f"view transform of the new scene: {have['view_transform']}")
    check.render(png, eevee=eevee)
    failures.extend(wrong_pixels(png, samples, width))

    # What was imported: both UV sets, one copy of the atlas, the entity's keys, the sky.
    meshes = {m["name"]: m for m in have["meshes"]}
    materials = {m["name"]: m for m in have["materials"]}
    objects = {o["name"]: o for o in have["objects"]}
    expect(meshes["texture"]["uv_layers"] == ["UVMap", "UVMap.001"], f"UV layers: {meshes['texture']['uv_layers']}")
    expect(materials["texture"]["images"].get("atlas") == "UVMap.001", f"images: {materials['texture']['images']}")
    atlases = [i for i in have["images"] if i["name"].startswith("atlas")]
    expect(len(atlases) == 1 and atlases[0]["colorspace"] == "sRGB", f"the atlas is loaded as {atlases}")
    entity = objects["info_player_start"]["properties"]
    expect(entity == {"classname": "info_player_start", "angles": [0, 90, 0], "spawnflags": 1, "enabled": True,
                      "OnUse": "door,Open,,0,-1"}, f"entity keys: {entity}")
    expect(not objects["sky"]["shadow"], "the sky casts shadows")
    expect(meshes["no_uv1"]["materials"] == ["no_uv1 (no lightmap UV)"], f"no_uv1: {meshes['no_uv1']['materials']}")

    # The switch: off, the scene lights the maps (here by a lamp). The strength scales.
    off = os.path.join(folder, tag + "-off.png")
    bpy.ops.bsp2gltf.baked_light()
    check.render(off, eevee=eevee)
    wrong = wrong_pixels(off, lit, width)
    expect(len(wrong) > len(lit) * 0.9, f"switched off, only {len(wrong)} of {len(lit)} lit pixels differ")
    bpy.ops.bsp2gltf.baked_light()
    group = next(g for g in bpy.data.node_groups if g.name.startswith("bsp2gltf Baked Light"))
    group.nodes["Strength"].outputs[0].default_value = 0.0
    dark = os.path.join(folder, tag + "-strength0.png")
    check.render(dark, eevee=eevee)
    black = [dict(s, rgb=[0, 0, 0]) for s in samples if s["name"].startswith(("texture", "factor", "vertex_light"))]
    failures.extend("at strength 0: " + w for w in wrong_pixels(dark, black, width))

    # A second import into the same file shares the group. It neither changes the panel's settings nor doubles light.
    bpy.ops.import_scene.gltf(filepath=glb)
    groups = [g.name for g in bpy.data.node_groups if g.name.startswith("bsp2gltf")]
    expect(len(groups) == 6, f"node groups after a second import: {groups}")
    expect(group.nodes["Strength"].outputs[0].default_value == 0.0, "the second import changed the strength")
    group.nodes["Strength"].outputs[0].default_value = 1.0

    # The exporter still finds the importer's nodes.
    again = os.path.join(folder, tag + "-again.glb")
    bpy.ops.export_scene.gltf(filepath=again, export_format="GLB")
    data = open(again, "rb").read()
    exported = json.loads(data[20:20 + int.from_bytes(data[12:16], "little")])
    texture = next(m for m in exported["materials"] if m["name"] == "texture")
    expect("baseColorTexture" in texture.get("pbrMetallicRoughness", {}), f"exported again: {texture}")

    # The sky's colour for the World. Here the sky has no image; with one, the World gets its mean.
    expect(bpy.ops.bsp2gltf.world_from_sky() == {"CANCELLED"}, "a world from a sky without images")
    image = bpy.data.images.new("clouds", 4, 4)
    image.pixels = [0.5, 0.25, 1.0, 1.0] * 16
    sky = next(o for o in bpy.context.scene.objects if o.get("bsp2gltf_sky")).data.materials[0]
    sky.node_tree.nodes.new("ShaderNodeTexImage").image = image
    expect(bpy.ops.bsp2gltf.world_from_sky() == {"FINISHED"}, "no world from the sky")
    colour = bpy.context.scene.world.node_tree.nodes["Background"].inputs["Color"].default_value
    expect(max(abs(a - b) for a, b in zip(colour, (0.214, 0.051, 1.0))) < 0.01, f"world colour: {list(colour)}")

    effects(folder, zipped, want, eevee)
    movements(folder, zipped)
    for failure in failures:
        print("FAIL", tag, failure)
    if failures:
        raise SystemExit(1)
    print("ok", tag, f"{len(samples)} pixels within {TOLERANCE}", flush=True)
    if not bpy.app.binary_path:  # Blender as a Python module:
        os._exit(0)  # 4.2 crashes on exit after any glTF export


main()
