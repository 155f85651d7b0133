"""Imports maps by File > Import > Game map (.bsp), as a script, and checks the result and its arrangement.

usage: blender -b --factory-startup -noaudio --python-exit-code 1 -P blender_import_test.py -- ADDON.zip BSP2GLTF
BSP2GLTF is the program. Point BLENDER_USER_RESOURCES, BLENDER_USER_CONFIG and BLENDER_USER_SCRIPTS to an empty folder,
as run.sh does: the add-on is really installed.
"""

import contextlib
import glob
import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import blender_check as check  # noqa: E402

import bpy  # noqa: E402
import mathutils  # noqa: E402

TESTDATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testdata")
DEMO = os.path.join(TESTDATA, "demo", "maps", "demo.bsp")
SHOWCASE = os.path.join(TESTDATA, "source", "maps", "showcase.bsp")
MISSING = os.path.join(TESTDATA, "features", "maps", "missing.bsp")
GRID = os.path.join(TESTDATA, "features", "maps", "lightgrid.bsp")
BRIGHT = os.path.join(TESTDATA, "features", "maps", "brightgrid.bsp")
PROBES = os.path.join(TESTDATA, "source", "maps", "models.bsp")
HDR = os.path.join(TESTDATA, "source", "maps", "hdr.bsp")
BLENDS = os.path.join(TESTDATA, "source", "maps", "blends.bsp")
failures: list[str] = []


def expect(ok: bool, message: str) -> None:
    if not ok:
        failures.append(message)


def preferences():
    return next(a for k, a in bpy.context.preferences.addons.items() if k.endswith("bsp2gltf_lightmaps")).preferences


def bring(*paths: str, **more) -> str:
    """Imports maps. Returns the error, if any."""
    files = [{"name": os.path.basename(p)} for p in paths]
    try:
        bpy.ops.import_scene.bsp2gltf(filepath=paths[0], directory=os.path.dirname(paths[0]),
                                      files=files if len(paths) > 1 else [], **more)
    except RuntimeError as e:
        return str(e)
    return ""


def clear() -> None:
    for group in (bpy.data.objects, bpy.data.collections):
        for item in list(group):
            group.remove(item)
    if bpy.ops.bsp2gltf.sky_around.poll():  # the World shows the sky of a map that was removed
        bpy.ops.bsp2gltf.sky_around()
    bpy.ops.outliner.orphans_purge(do_local_ids=True, do_linked_ids=True, do_recursive=True)


def collection(top: str) -> dict:
    return {c["bsp2gltf_place"]: c for c in bpy.data.collections[top].children}


def test_program(program: str) -> None:
    """The program is searched inside the add-on, in the preferences and on PATH. Each problem is named."""
    path, os.environ["PATH"] = os.environ["PATH"], ""
    error = bring(DEMO)
    expect("bsp2gltf is not there" in error, f"without a program: {error}")
    preferences().bsp2gltf = os.path.join(tempfile.gettempdir(), "nothing-here")
    expect("no such file" in bring(DEMO), "a program that is not there")
    with tempfile.TemporaryDirectory() as folder:
        old = os.path.join(folder, "bsp2gltf")
        with open(old, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho bsp2gltf 0.0.9\n")
        os.chmod(old, os.stat(old).st_mode | stat.S_IXUSR)
        preferences().bsp2gltf = old
        expect("0.0.9 is too old" in bring(DEMO), "a program that is too old")
        test_current_folder(folder)
    preferences().bsp2gltf = program
    os.environ["PATH"] = path


def test_current_folder(folder: str) -> None:
    """A program in the current folder is never run, however it is found: it may have come with a map."""
    before, path = os.getcwd(), os.environ["PATH"]
    os.chdir(folder)
    try:
        for entries in ("", ".", folder, os.path.join("..", os.path.basename(folder))):
            os.environ["PATH"], preferences().bsp2gltf = entries, ""
            error = bring(DEMO)
            expect("bsp2gltf is not there" in error, f"PATH is {entries!r}: {error}")
        os.environ["PATH"] = ""
        for named in ("bsp2gltf", os.path.join(".", "bsp2gltf"), "."):
            preferences().bsp2gltf = named
            expect("not a full path" in bring(DEMO), f"the program is named {named!r}")
        os.chdir(before)
        os.environ["PATH"], preferences().bsp2gltf = os.pathsep.join((".", folder)), ""
        expect("0.0.9 is too old" in bring(DEMO), "a program on PATH is not found")
    finally:
        os.chdir(before)
        os.environ["PATH"] = path


def test_build(program: str) -> None:
    """Two programs of one version are distinguished by their builds, in the check and in messages of failures."""
    module = sys.modules[next(k for k in bpy.context.preferences.addons.keys() if k.endswith("bsp2gltf_lightmaps")) + ".program"]
    own = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    number, build = re.fullmatch(r"bsp2gltf ([\d.]+) \(build (\S+)\)\n", own).groups()
    expect(module.version_text(program) == f"{number}, build {build}", f"its version is {module.version_text(program)}")
    before, module.own_build = module.own_build, lambda: "0123456789ab"
    with tempfile.TemporaryDirectory() as folder:
        said = {}
        for name in ("0123456789ab", "ba9876543210", "x00112233445", ""):
            path = os.path.join(folder, "of" + name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\n[ $1 = --version ] && echo 'bsp2gltf {number}{f' (build {name})' if name else ''}' && exit\n"
                           "echo 'bsp2gltf: it is broken' >&2; exit 65\n")
            os.chmod(path, 0o755)
            preferences().bsp2gltf = path
            said[name] = (module.version_text(path), module.mismatch(path), bring(DEMO).strip())
        other = "the program is of build {}, the add-on of build 0123456789ab: take both from one release"
        expect(said["0123456789ab"] == (number + ", build 0123456789ab", "", "Error: demo: it is broken"), f"the same build: {said['0123456789ab']}")
        expect(said[""] == (number, "", "Error: demo: it is broken"), f"a build without a name: {said['']}")
        for name in ("ba9876543210", "x00112233445"):
            expect(said[name] == (f"{number}, build {name}", other.format(name), f"Error: demo: it is broken ({other.format(name)})"), f"another build: {said[name]}")
    module.own_build = before
    preferences().bsp2gltf = program


def test_errors() -> None:
    with tempfile.TemporaryDirectory() as folder:
        broken = os.path.join(folder, "broken.bsp")
        with open(broken, "wb") as file:
            file.write(b"no map")
        error = bring(broken)
        expect("broken" in error and len(error.strip().splitlines()) == 1, f"a broken map: {error}")
        expect("no such file" in bring(os.path.join(folder, "none.bsp")), "a map that is not there")
        expect("no such folder" in bring(DEMO, folder=os.path.join(folder, "none")), "a game folder that is not there")
        archive = os.path.join(folder, "two.pk3")
        with zipfile.ZipFile(archive, "w") as z:
            z.write(DEMO, "maps/a.bsp")
            z.write(DEMO, "maps/b.bsp")
        expect("has 2 maps" in bring(archive), "an archive of two maps, without a window")
        expect(not bring(archive + ":maps/b.bsp"), "a map of an archive")
        expect("b" in bpy.data.collections, "the map of the archive did not arrive")
        expect(preferences().bsp2gltf != "" and not bring(DEMO, folder=os.path.dirname(os.path.dirname(DEMO))), "a game folder")
        expect(len(preferences().game_folders) == 1, "the game folder is not remembered")
    clear()


def test_forms() -> None:
    """Maps in every form in which people have them. Each form that is a single map is imported as box."""
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as folder:
        command = ["python3", os.path.join(here, "containers.py"), os.path.join(TESTDATA, "features", "maps", "polygons.bsp"), folder]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        expect(len(lines) >= 10, f"{len(lines)} forms")
        for path, kind in (line.split("\t") for line in lines):
            error = bring(path)
            arrived = {c.name for c in bpy.data.collections} & {"box", "other"}
            if kind == "none":
                expect("archive, which is not read: unpack it" in error and not arrived, f"{path}: {error}, {arrived}")
            elif path.endswith("two.zip"):
                expect("has 2 maps; name one after a colon" in error and not arrived, f"{path}: {error}, {arrived}")
            else:
                expect(not error and arrived == ({"box", "other"} if kind == "two" else {"box"}), f"{path}: {error}, {arrived}")
            clear()
        expect(not bring(os.path.join(folder, "folder", "*", "*.bsp*")) and "other" in bpy.data.collections, "a glob")
        clear()
        expect(not bring(os.path.join(folder, "folder") + os.sep) and {"box", "other"} <= {c.name for c in bpy.data.collections}, "a folder from the dialog")
        clear()
        expect("matches no file" in bring(os.path.join(folder, "*.none")), "a glob that matches nothing")


def test_arranged() -> None:
    expect(not bring(DEMO, collision=True), "a map")
    expect(not bring(SHOWCASE, BLENDS, collision=True), "two maps at once")
    expect("blends" in bpy.data.collections, "the second of two maps did not arrive")
    scene = bpy.context.scene
    demo, showcase = collection("demo"), collection("showcase")
    expect({"World", "Brush Entities", "Lights", "Triggers", "Sky", "Entities"} <= set(demo), f"demo has {sorted(demo)}")
    expect({"World", "Brush Entities", "Lights", "Props", "Sky", "3D Skybox"} <= set(showcase), f"showcase has {sorted(showcase)}")
    expect(not scene.collection.objects, f"loose: {[o.name for o in scene.collection.objects]}")

    sky = next(o for o in demo["Sky"].objects if o.type == "MESH")
    expect(sky.display_type == "BOUNDS" and sky.hide_select, "the sky is in the way")
    door = next(o for o in demo["Brush Entities"].objects if o.get("classname") == "func_door")
    expect(door["speed"] == 200 and door["model"] == "*1" and list(door["origin"]) == [-536, 0, 64], f"keys: {check.custom_properties(door)}")
    trigger = next(o for o in demo["Triggers"].objects if o.get("classname"))
    sizes = [o.scale for o in trigger.children if o.get("bsp2gltf_box_marker")]
    expect(len(sizes) == 1 and min(sizes[0]) > 0.2, f"the trigger's size: {sizes}")
    crates = [o for o in showcase["Props"].objects if o.get("model") == "models/ours/crate.mdl"]
    expect(len(crates) == 3 and len({o.data for o in crates}) == 3, "the boxes of missing models have no light of their own")
    expect(scene.camera is not None, "no camera")

    roots = [bpy.data.collections[n].objects[0] for n in ("demo", "showcase")]
    expect([r.get("bsp2gltf_map") for r in roots] == ["demo", "showcase"], f"the roots: {[check.custom_properties(r) for r in roots]}")
    expect("bsp2gltf_map" not in scene, "a map's properties are on the scene")
    expect(not bring(MISSING), "a map with a missing texture")
    text = bpy.data.texts.get("bsp2gltf missing")
    expect(text is not None and "textures/features/missing" in text.as_string(), "the findings don't name the missing texture")
    clear()


def test_camera() -> None:
    """The scene's camera is at the first view. A file without views gets a camera at the player's start, at eye height, along the start's
    X axis."""
    for path in (BLENDS, DEMO):
        expect(not bring(path) and bpy.context.scene.camera.name == "player_start_camera", f"the first view of {path} is {bpy.context.scene.camera}")
        clear()
    expect(not bring(BLENDS, more="entities.start_camera=false"), "a map without a camera")
    camera = bpy.context.scene.camera
    start = next(o for o in bpy.data.objects if o.get("classname") == "info_player_start")
    expect(camera is not None and camera.name == "camera at " + start.name and camera.name in collection("blends")["Entities"].objects, f"its camera: {camera}")
    bpy.context.view_layer.update()
    ahead = camera.matrix_world.to_3x3() @ mathutils.Vector((0, 0, -1)) - start.matrix_world.to_3x3() @ mathutils.Vector((1, 0, 0))
    above = camera.matrix_world.translation - start.matrix_world.translation
    expect(ahead.length < 1e-5 and (above - mathutils.Vector((0, 0, 1.1))).length < 1e-5, f"the camera looks {ahead} and is {above} above the start")
    clear()


def test_choices() -> None:
    expect(not bring(DEMO, sky=False, lamps=False, unit=0.5, props=False), "choices")
    have = collection("demo")
    expect("Sky" not in have or not any(o.type == "MESH" for o in have["Sky"].objects), "a sky that was not wanted")
    expect(not bpy.data.lights, "lamps that were not wanted")
    expect(abs(bpy.data.collections["demo"].objects[0].get("bsp2gltf_unit", 0) - 0.5) < 1e-6, "the unit")
    clear()
    expect(not bring(SHOWCASE, show_hdr=True), "HDR light")
    pages = [i for i in bpy.data.images if i.is_float]
    expect(pages and all(i.packed_file for i in pages), f"OpenEXR pages: {[i.name for i in pages]}")
    bpy.ops.bsp2gltf.hdr()
    expect(not [i for i in bpy.data.images if i.is_float], "OpenEXR pages stay after HDR is switched off")
    clear()


def test_plain_gltf(program: str) -> None:
    """A .glb with OpenEXR lightmaps beside it: they are shown on request, and an exported file contains the lightmap."""
    with tempfile.TemporaryDirectory() as folder:
        glb = os.path.join(folder, "showcase.glb")
        subprocess.run([program, "-q", "--preset", "blender", SHOWCASE, glb], check=True)
        bpy.ops.import_scene.gltf(filepath=glb)
        expect(not [i for i in bpy.data.images if i.is_float], "OpenEXR pages without a request")
        bpy.ops.bsp2gltf.hdr()
        expect([i.name for i in bpy.data.images if i.is_float] == ["showcase_lightmap_0.exr"], f"images: {list(bpy.data.images)}")
        mat = next(m for m in bpy.data.materials if m.name == "ours/brick")
        light = next(n for n in mat.node_tree.nodes if n.bl_idname == "ShaderNodeGroup")
        expect(light.inputs["Intensity"].default_value == 1, "the OpenEXR page is multiplied by the intensity")
        bpy.ops.bsp2gltf.hdr()
        expect(light.inputs["Intensity"].default_value == 4, "the intensity does not come back")

        skies = [o for o in bpy.data.objects if o.get("bsp2gltf_sky") and o.type == "MESH"]
        expect(not skies[0].visible_camera, "the World of a new file does not show the sky")
        bpy.ops.bsp2gltf.sky_around()
        bpy.ops.bsp2gltf.sky()
        expect(skies[0].display_type == "TEXTURED", "the sky is not shown on request")
        expect(bpy.ops.bsp2gltf.mark_assets() == {"FINISHED"}, "no props to mark")
        assets = sorted(o.asset_data.description for o in bpy.data.objects if o.asset_data)
        expect(len(assets) == len(set(assets)) >= 2 and all(a.endswith(".mdl") for a in assets), f"assets: {assets}")
    clear()


def test_map_light() -> None:
    """An object that is put into a map gets the map's light, from the grid and from a probe. A render shows it."""
    expect(not bring(GRID), "a map with a light grid")
    # Grid point 8, 8, 1: ambient (64, 64, 64) and directed (64, 64, 64), doubled twice, are 255, which is 1. The light comes from
    # latitude 32 / 256 and longitude 128 / 256 of a turn: sin 45° cos 180° along X, cos 45° up.
    bpy.ops.mesh.primitive_cube_add(size=0.2, location=(0, 0, 4))
    cube = bpy.context.object
    expect(bpy.ops.bsp2gltf.light_objects() == {"FINISHED"}, "the cube is not lit")
    half = 0.5 * 0.5 ** 0.5
    for key, want in (("map_light", (1.25,) * 3), ("map_light_x", (-half,) * 3), ("map_light_y", (0,) * 3), ("map_light_z", (half,) * 3)):
        got = list(cube.get(key, ()))
        expect(len(got) == 3 and max(abs(a - b) for a, b in zip(got, want)) < 0.01, f"{key}: {got}, not {want}")
    cube.active_material.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = 0.4, 0.2, 0.1, 1
    bpy.ops.bsp2gltf.light_objects()
    lights = [n for n in cube.active_material.node_tree.nodes if n.label == "bsp2gltf Baked Light"]
    expect(len(lights) == 1, f"{len(lights)} nodes of light after a second time")
    for node in lights:
        node.inputs["Base Color"].default_value = 0.4, 0.2, 0.1, 1
    with tempfile.TemporaryDirectory() as folder:
        check.place_camera([0, 4, 0.5], 0, 0, 30)  # the front faces -Y: it gets only ambient light
        check.render(os.path.join(folder, "cube.png"), "32x32", 4)
        image = bpy.data.images.load(os.path.join(folder, "cube.png"))
        middle = [255 * image.pixels[4 * (16 * 32 + 16) + c] for c in range(3)]
        bpy.data.images.remove(image)
        bpy.data.images.remove(bpy.data.images["Render Result"])
    want = [255 * (1.055 * (1.25 * c) ** (1 / 2.4) - 0.055) for c in (0.4, 0.2, 0.1)]
    expect(max(abs(a - b) for a, b in zip(middle, want)) < 3, f"the cube's front is {middle}, not {want}")
    clear()
    expect(not bring(BRIGHT), "a map with a light grid beyond white")
    # 64 and 200 100 0 are doubled, and 255/16 is added to the ambient light: of 255 they are d(0.35·143.9/255) / d(0.35) = 0.3212, and
    # 2.6099, 0.6095, 0. A quarter of the directed light comes from all sides.
    bpy.ops.mesh.primitive_cube_add(size=0.2, location=(14, 0, 4))
    expect(bpy.ops.bsp2gltf.light_objects() == {"FINISHED"}, "the cube is not lit beyond white")
    for key, want in (("map_light", (0.3212 + 2.6099 / 4, 0.3212 + 0.6095 / 4, 0.3212)), ("map_light_z", (2.6099 / 2, 0.6095 / 2, 0))):
        got = list(bpy.context.object.get(key, ()))
        expect(len(got) == 3 and max(abs(a - b) for a, b in zip(got, want)) < 0.02, f"{key}: {got}, not {want}")
    clear()
    expect(not bring(PROBES), "a map with light probes")
    bpy.ops.mesh.primitive_cube_add(size=0.2, location=(0, 0, 1))
    expect(bpy.ops.bsp2gltf.light_objects() == {"FINISHED"}, "the cube is not lit by a probe")
    got = list(bpy.context.object.get("map_light", ()))
    expect(len(got) == 3 and max(got) > 0.05, f"the probe's light: {got}")
    wall = next(o for o in bpy.data.objects if o.type == "MESH" and o != bpy.context.object)
    bpy.context.object.select_set(False)
    wall.select_set(True)
    expect(bpy.ops.bsp2gltf.light_objects() == {"CANCELLED"}, "a part of the map was lit")
    clear()


def test_foreign_companions(program: str) -> None:
    """Light probes and OpenEXR lightmaps of another map are ignored, with a message. A file's own are used, also under another name."""
    with tempfile.TemporaryDirectory() as folder:
        def made(name: str, source: str) -> str:
            glb = os.path.join(folder, name)
            subprocess.run([program, "-q", "--preset", "blender", source, glb], check=True)
            return glb

        def brought(glb: str) -> str:
            clear()
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                bpy.ops.import_scene.gltf(filepath=glb)
            return said.getvalue()

        def floats() -> list:
            return [i for i in bpy.data.images if i.is_float]

        def module(name: str):
            return sys.modules[next(m for m in sys.modules if m.endswith(f"bsp2gltf_lightmaps.{name}"))]

        lights = module("ambient").lights
        probes, plain = made("a.glb", PROBES), made("b.glb", SHOWCASE)
        expect(brought(probes).count("another map") == 0 and len(lights()) == 1, "a file's own light probes are left out")
        shutil.copy(os.path.join(folder, "a_probes.json"), os.path.join(folder, "b_probes.json"))
        said = brought(plain)
        expect(not lights() and "b_probes.json belongs to another map and is left out" in said, f"probes of another map: {said}")
        shutil.copy(os.path.join(folder, "a_probes.json"), os.path.join(folder, "a_probes-00000000.json"))
        with open(os.path.join(folder, "a_probes.json"), "w", encoding="utf-8") as file:
            json.dump({"version": 1, "map": "0" * 64, "probes": [{"position": [0, 0, 0], "light": [[9, 9, 9]] * 6}]}, file)
        expect("another map" in brought(probes) and not lights(), "probes that state another map")
        for broken in ("[]", "{", '{"probes": 1}', ""):
            with open(os.path.join(folder, "a_probes.json"), "w", encoding="utf-8") as file:
                file.write(broken)
            expect("bsp2gltf: " in brought(probes) and not lights(), f"probes that are {broken!r}")
        taken = made("a.glb", PROBES)  # beside a file that is not ours: the probes get a name of their own
        expect(len(lights()) == 0 and not brought(taken).count("another") and len(lights()) == 1, "probes under a name of their own")

        brought(plain)
        bpy.ops.bsp2gltf.hdr()
        expect(len(floats()) == 1, "a file's own OpenEXR page is left out")
        made("c.glb", HDR)
        own, other = os.path.join(folder, "b_lightmap_0.exr"), os.path.join(folder, "c_lightmap_0.exr")
        shutil.move(own, own + ".kept")
        shutil.copy(other, own)
        brought(plain)
        try:
            result, said = bpy.ops.bsp2gltf.hdr(), ""
        except RuntimeError as e:  # a script sees a reported error as an exception
            result, said = {"CANCELLED"}, str(e)
        expect(result == {"CANCELLED"} and not floats(), f"an OpenEXR page of another map is shown: {said}")
        shutil.move(own + ".kept", own)
        bpy.ops.bsp2gltf.hdr()
        expect(len(floats()) == 1, "the page is back, and is not shown")
        # The same name for another map in the same session: it must not get the pixels that are loaded already.
        made("b.glb", HDR)
        with contextlib.redirect_stdout(io.StringIO()):
            bpy.ops.import_scene.gltf(filepath=plain)
        module("hdr").use()
        expect(len(floats()) == 2 and len({tuple(i.size) for i in floats()}) == 2, f"{floats()} of two maps")
    clear()


def test_ten_in_a_row() -> None:
    """Ten imports leave the same node groups as one, no unused data, no property on the scene, and no file."""
    before = set(glob.glob(os.path.join(tempfile.gettempdir(), "bsp2gltf-*")))
    counts = []
    for i in range(10):
        expect(not bring(DEMO, again="ADD"), "an import fails")
        counts.append({k: len(getattr(bpy.data, k)) for k in ("node_groups", "images", "materials", "meshes", "texts")})
        if i == 0:
            scene = dict(check.custom_properties(bpy.context.scene))
    expect(counts[0]["node_groups"] == counts[9]["node_groups"] <= 6, f"node groups: {counts[0]}, {counts[9]}")
    lights = [t for t in bpy.data.texts if t.name.startswith("Light of")]  # each map has its own
    expect(len(lights) == 10 and counts[9]["texts"] == counts[0]["texts"] + 9, f"texts: {counts[0]}, {counts[9]}")
    for kind in ("images", "materials", "meshes"):
        expect(counts[9][kind] == counts[0][kind], f"{kind} are not shared: {counts[0]}, {counts[9]}")
        unused = [x.name for x in getattr(bpy.data, kind) if x.users == 0]
        expect(not unused, f"{kind} without users: {unused[:5]}")
    expect(check.custom_properties(bpy.context.scene) == scene, "the scene's properties have changed")
    expect(set(glob.glob(os.path.join(tempfile.gettempdir(), "bsp2gltf-*"))) == before, "files are left behind")
    clear()
    left = {k: len(getattr(bpy.data, k)) for k in ("node_groups", "images", "materials", "meshes")}
    expect(not any(left.values()), f"after all is deleted there are still {left}")


def main() -> None:
    own = tempfile.TemporaryDirectory()
    tempfile.tempdir = own.name  # only our leftovers are here: other programs have files in the system's folder
    zipped, program = (os.path.abspath(a) for a in check.arguments()[:2])
    check.empty_file()
    check.install(zipped)
    bpy.context.preferences.filepaths.use_scripts_auto_execute = False
    with zipfile.ZipFile(zipped) as z:
        inside = [n for n in z.namelist() if "/bin/" in n]
    if inside:
        expect(not bring(DEMO), "the program inside the add-on")
        clear()
    else:
        test_program(program)
        test_build(program)
    for test in (test_errors, test_forms, test_arranged, test_camera, test_choices, test_map_light, test_ten_in_a_row):
        test()
    test_plain_gltf(program)
    test_foreign_companions(program)
    for failure in failures:
        print("FAIL", bpy.app.version_string, failure)
    if not failures:
        print("ok", f"Blender {bpy.app.version_string}: maps are imported, arranged, and leave nothing behind", flush=True)
    sys.stdout.flush()
    if bpy.app.binary_path:
        raise SystemExit(1 if failures else 0)
    os._exit(1 if failures else 0)


main()
