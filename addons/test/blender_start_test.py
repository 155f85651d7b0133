"""Imports maps and models into Blender's start scene, as a new user does: what is set up, where rigged models and items are, what is
exported.

usage: blender -b --factory-startup -noaudio --python-exit-code 1 -P blender_start_test.py -- ADDON.zip BSP2GLTF
The add-on is really installed, as run.sh does.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import blender_check as check  # noqa: E402

import bpy  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
RIGGED = os.path.join(ROOT, "testdata", "goldsrc", "maps", "entities.bsp")  # two rigged models, a model without bones, sprites
WALKER = os.path.join(ROOT, "testdata", "goldsrc", "models", "walker.mdl")
PROBES = os.path.join(ROOT, "testdata", "source", "maps", "models.bsp")
failures: list[str] = []


def expect(ok: bool, message: str) -> None:
    if not ok:
        failures.append(message)


def module(name: str):
    return next(m for k, m in sys.modules.items() if k.endswith("bsp2gltf_lightmaps." + name))


def start_scene(zipped: str, program: str) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=False)
    bpy.ops.preferences.addon_enable(module="io_scene_gltf2")
    check.install(zipped)
    next(a for k, a in bpy.context.preferences.addons.items() if k.endswith("bsp2gltf_lightmaps")).preferences.bsp2gltf = program


def places() -> dict:
    """The names of the collections of each object in the scene."""
    return {o.name: [c.get("bsp2gltf_place", "") for c in o.users_collection] for o in bpy.context.scene.objects}


def test_set_up(glb: str, by: str) -> None:
    """A map with rigged models still finds the start scene unused: the importer's own meshes are not the user's."""
    scene = bpy.context.scene
    left = [o.name for o in scene.objects if o.name in ("Cube", "Light", "Camera")]
    expect(not left and "Cube" not in bpy.data.meshes, f"{by}: the start scene's {left} stay")
    expect(scene.view_settings.view_transform == "Standard", f"{by}: the view transform is {scene.view_settings.view_transform}")
    expect(scene.camera is not None and "start" in scene.camera.name, f"{by}: the camera is {scene.camera}")
    found = places()
    props = {n for n, c in found.items() if c == ["Props"]}
    rigs = [o for o in scene.objects if o.type == "ARMATURE"]
    skinned = [o for o in scene.objects if o.type == "MESH" and any(m.type == "ARMATURE" for m in o.modifiers)]
    expect(len(rigs) == 2 and len(skinned) == 2 and {o.name for o in (*rigs, *skinned)} <= props, f"{by}: rigged models lie in {found}")
    expect("signpost_mdl" in props and "additive_spr" in props, f"{by}: models lie in {found}")
    expect("worldspawn" not in props and not [n for n in props if n.startswith("func_")], f"{by}: Props has {props}")
    expect(bpy.ops.bsp2gltf.mark_assets() == {"FINISHED"}, f"{by}: no prop to mark")
    marked = sorted(o.asset_data.description for o in bpy.data.objects if o.asset_data)
    expect(marked == ["models/signpost.mdl", "sprites/additive.spr"], f"{by}: assets are {marked}")


def test_touched(glb: str) -> None:
    """A start scene whose cube was moved, or that has objects of the user, is not changed."""
    bpy.context.scene.objects["Cube"].location.x = 3
    bpy.ops.import_scene.gltf(filepath=glb)
    names = {o.name for o in bpy.context.scene.objects}
    expect({"Cube", "Light", "Camera"} <= names, "a cube that was moved is gone, or what was beside it")
    expect(bpy.context.scene.view_settings.view_transform != "Standard", "the view of a scene that was worked on is changed")


def test_model(folder: str, program: str) -> None:
    """A single model is in Props, and plays its idle sequence, not the file's first."""
    glb = os.path.join(folder, "walker.glb")
    subprocess.run([program, "model", "-q", WALKER, glb], check=True)
    data = bytearray(open(glb, "rb").read())
    size = int.from_bytes(data[12:16], "little")
    content = json.loads(data[20:20 + size])
    names = [a["name"] for a in content["animations"]]
    content["animations"][0]["name"], content["animations"][-1]["name"] = "die1", "look_idle"
    for animation in content["animations"]:
        animation["extras"].pop("activity")  # like a model that has only names
    patched(data, size, content, glb)
    bpy.ops.import_scene.gltf(filepath=glb)
    found = {o.name: c for o, c in ((o, places()[o.name]) for o in bpy.context.scene.objects if o.type in ("ARMATURE", "MESH"))
             if "Icosphere" not in o.name}
    expect(len(found) == 2 and set(map(tuple, found.values())) == {("Props",)}, f"a model alone lies in {found}")
    rig = next(o for o in bpy.data.objects if o.type == "ARMATURE")
    expect(len(names) > 1 and "look_idle" in rig.animation_data.action.name, f"the active action is {rig.animation_data.action}")


def patched(data: bytearray, size: int, content: dict, path: str) -> None:
    """Writes a .glb with other JSON."""
    text = json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    rest = bytes(data[20 + size:])
    with open(path, "wb") as file:
        file.write(b"glTF" + (2).to_bytes(4, "little") + (20 + len(text) + len(rest)).to_bytes(4, "little") +
                   len(text).to_bytes(4, "little") + b"JSON" + text + rest)


def numbered() -> dict:
    """By table of extras: the keys of a material's extras that contain texture indices."""
    with open(os.path.join(ROOT, "internal", "extras", "extras.json"), encoding="utf-8") as file:
        rows = json.load(file)
    found: dict = {}
    for row in rows:
        if row["on"] == "material" and row["type"] in ("object", "list"):
            found[row["key"]] = [r["key"] for r in rows if r["on"] == row["key"] and r["type"] in ("texture", "textures")]
    return {k: v for k, v in found.items() if v}


def test_numbers(folder: str, glb: str) -> None:
    """Indices of the imported file's textures are not exported: each key of the table."""
    keys = numbered()
    expect({"details", "environment", "behind", "mix", "directed", "motion"} <= set(keys), f"the table of extras has {sorted(keys)}")
    expect(module("exporter").NUMBERED == set(keys) - {"motion"}, f"the add-on's list is not that of the table: {sorted(keys)}")
    data = bytearray(open(glb, "rb").read())
    size = int.from_bytes(data[12:16], "little")
    content = json.loads(data[20:20 + size])
    for key, inside in keys.items():
        value = {k: ([0, 0] if k == "frames" else 0) for k in inside}
        for material in content["materials"]:
            material.setdefault("extras", {})[key] = [value] if key == "details" else value
    path = os.path.join(folder, "numbers.glb")
    patched(data, size, content, path)
    bpy.ops.import_scene.gltf(filepath=path)
    again = os.path.join(folder, "again.glb")
    bpy.ops.export_scene.gltf(filepath=again, export_format="GLB", export_extras=True)
    data = open(again, "rb").read()
    exported = json.loads(data[20:20 + int.from_bytes(data[12:16], "little")])
    wrong = {(m["name"], k) for m in exported["materials"] for k in m.get("extras", {}) if k in keys}
    expect(not wrong, f"exported with numbers of textures: {sorted(wrong)[:5]}")


def test_probes(folder: str, zipped: str, program: str) -> None:
    """The light for moving objects is stored compressed, goes with the map into another .blend, and is in no export."""
    bpy.ops.import_scene.bsp2gltf(filepath=PROBES)
    root = next(o for o in bpy.data.objects if o.get("bsp2gltf_light_text"))
    text = root["bsp2gltf_light_text"].as_string()
    expect(not re.search(r"\d+\.\d+,", text), "the probes are kept as numbers in text")
    selected = [o.name for o in bpy.context.selected_objects]
    expect(selected == [root.name], f"after the import {len(selected)} objects are selected")
    again = os.path.join(folder, "probes.glb")
    bpy.ops.export_scene.gltf(filepath=again, export_format="GLB", export_extras=True)
    data = open(again, "rb").read()
    expect(b"bsp2gltf_light_text" not in data, "the text is exported")
    saved, name = os.path.join(folder, "probes.blend"), root.name
    bpy.ops.wm.save_as_mainfile(filepath=saved)
    start_scene(zipped, program)
    with bpy.data.libraries.load(saved) as (there, here):
        here.objects = [name]
    expect([o.name for o in module("ambient").lights()] == [name], "appended to another .blend, the map has no light for moving objects")


def main() -> None:
    zipped, program = (os.path.abspath(a) for a in check.arguments()[:2])
    with tempfile.TemporaryDirectory() as folder:
        glb = os.path.join(folder, "rigged.glb")
        subprocess.run([program, "-q", "--preset", "blender", RIGGED, glb], check=True)
        start_scene(zipped, program)
        bpy.ops.import_scene.gltf(filepath=glb)
        test_set_up(glb, "File > Import > glTF")
        start_scene(zipped, program)
        bpy.ops.import_scene.bsp2gltf(filepath=RIGGED)
        test_set_up(glb, "File > Import > Game map")
        expect(not [o for o in bpy.data.objects if o.name.startswith("Icosphere")], "the importer's spheres for bones stay")
        start_scene(zipped, program)
        test_touched(glb)
        start_scene(zipped, program)
        test_model(folder, program)
        start_scene(zipped, program)
        test_numbers(folder, glb)
        start_scene(zipped, program)
        test_probes(folder, zipped, program)
    for failure in failures:
        print("FAIL", bpy.app.version_string, failure)
    if not failures:
        print("ok", f"Blender {bpy.app.version_string}: the start scene, rigged models, extras of exports", flush=True)
    sys.stdout.flush()
    if bpy.app.binary_path:
        raise SystemExit(1 if failures else 0)
    os._exit(1 if failures else 0)


main()
