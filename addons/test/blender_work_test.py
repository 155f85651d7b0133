"""Works on imported maps as an artist does: connected meshes, origins, parts, a map that is imported again, textures of several maps.

usage: blender -b --factory-startup -noaudio --python-exit-code 1 -P blender_work_test.py -- ADDON.zip BSP2GLTF
The add-on is really installed, as run.sh does.
"""

import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import blender_check as check  # noqa: E402

import bpy  # noqa: E402
import numpy  # noqa: E402
from mathutils import Vector  # noqa: E402

TESTDATA = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testdata"))
DEMO = os.path.join(TESTDATA, "demo", "maps", "demo.bsp")
SHOWCASE = os.path.join(TESTDATA, "source", "maps", "showcase.bsp")
BLENDS = os.path.join(TESTDATA, "source", "maps", "blends.bsp")
MOVERS = os.path.join(TESTDATA, "features", "maps", "brushmodels.bsp")
RIGGED = os.path.join(TESTDATA, "goldsrc", "maps", "entities.bsp")
failures: list[str] = []


def expect(ok: bool, message: str) -> None:
    if not ok:
        failures.append(message)


def preferences():
    return next(a for k, a in bpy.context.preferences.addons.items() if k.endswith("bsp2gltf_lightmaps")).preferences


def new_file(zipped: str, program: str) -> None:
    check.empty_file()
    check.install(zipped)
    preferences().bsp2gltf = program


def bring(path: str, **more) -> str:
    """Imports a map. Returns the error, if any."""
    try:
        bpy.ops.import_scene.bsp2gltf(filepath=path, **more)
    except RuntimeError as e:
        return str(e)
    return ""


def bounds(obj) -> list:
    corners = [obj.matrix_world @ Vector(c) for c in obj.bound_box]
    return [round(f(c[k] for c in corners), 3) for f in (min, max) for k in range(3)]


def picture(path: str):
    check.render(path, size="320x180", samples=1)
    image = bpy.data.images.load(path, check_existing=False)
    pixels = numpy.empty(4 * image.size[0] * image.size[1], "f4")
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(-1, 4)[:, :3] * 255


def test_weld(folder: str, zipped: str, program: str) -> None:
    """Vertices are fewer, faces are polygons, and the picture is the same."""
    seen = {}
    for name, chosen in (("plain", {"weld": False, "polygons": False}), ("welded", {"polygons": False}), ("polygons", {})):
        new_file(zipped, program)
        expect(not bring(DEMO, **chosen), name)
        mesh = bpy.data.objects["worldspawn"].data
        corners = len(mesh.loops)
        normals = numpy.empty(3 * corners, "f4")
        if hasattr(mesh, "corner_normals"):
            mesh.corner_normals.foreach_get("vector", normals)
        else:
            mesh.calc_normals_split()
            mesh.loops.foreach_get("normal", normals)
        kinds = {p.loop_total for p in mesh.polygons}
        seen[name] = (len(mesh.vertices), len(mesh.polygons), kinds, sum(p.area for p in mesh.polygons), numpy.sort(normals.reshape(-1, 3), axis=0),
                      picture(os.path.join(folder, name + ".png")))
        expect(not [a.name for a in mesh.attributes if "normal" in a.name and "custom" not in a.name], f"{name}: attributes {[a.name for a in mesh.attributes]}")
    plain, welded, polygons = (seen[n] for n in ("plain", "welded", "polygons"))
    expect(welded[0] < 0.8 * plain[0] and welded[1] == plain[1] and welded[2] == {3}, f"welded: {welded[:3]}, before {plain[:3]}")
    expect(polygons[0] <= welded[0] and polygons[1] < 0.75 * plain[1] and max(polygons[2]) > 4, f"polygons: {polygons[:3]}, before {plain[:3]}")
    expect(float(numpy.abs(plain[4] - welded[4]).max()) < 2e-3, "welding changes normals")  # 16 bits each
    for name, after in (("welded", welded), ("polygons", polygons)):
        expect(abs(after[3] / plain[3] - 1) < 1e-5, f"{name}: the area was {plain[3]}, is {after[3]}")
        away = numpy.abs(plain[5] - after[5]).max(axis=1)
        expect(float((away > 3).mean()) < 0.002, f"{name}: {(away > 3).sum()} pixels changed")


def test_rigged_weld(zipped: str, program: str) -> None:
    """A skinned mesh keeps its weights, whatever is welded."""
    new_file(zipped, program)
    expect(not bring(RIGGED), "rigged models")
    skinned = [o for o in bpy.data.objects if o.type == "MESH" and any(m.type == "ARMATURE" for m in o.modifiers)]
    for obj in skinned:
        sums = [sum(g.weight for g in v.groups) for v in obj.data.vertices]
        places = {(tuple(round(c, 5) for c in v.co), tuple((g.group, round(g.weight, 4)) for g in v.groups)) for v in obj.data.vertices}
        expect(min(sums) > 0.99, f"{obj.name}: weights {min(sums)}")
        expect(len(obj.data.vertices) <= 3 * len(places), f"{obj.name}: {len(obj.data.vertices)} vertices in {len(places)} places")
    expect(len(skinned) == 2, f"{len(skinned)} skinned meshes")


def test_origins(zipped: str, program: str) -> None:
    """A sliding door without an origin gets it at its centre, and moves as before. What rotates keeps its hinge."""
    moved = {}
    for centred in (False, True):
        new_file(zipped, program)
        preferences().origins = centred
        expect(not bring(MOVERS), "movers")
        scene = bpy.context.scene
        doors = [o for o in scene.objects if str(o.get("classname", "")).startswith("func_") and o.type == "MESH"]
        for obj in doors:
            for track in obj.animation_data.nla_tracks if obj.animation_data else ():
                track.mute = False
        bpy.context.view_layer.depsgraph.debug_tag_update()
        moved[centred] = []
        for frame in (1, 20, 45):
            scene.frame_set(frame)
            moved[centred].append({o.name: bounds(o) for o in doors})
        door = scene.objects["func_door"]
        scene.frame_set(1)
        expect((door.matrix_world.translation.length > 0.1) == centred, f"the door's origin is {tuple(door.matrix_world.translation)}")
        expect(tuple(round(v, 3) for v in scene.objects["func_door_rotating"].location) == (-2, 0, 1.5), "the hinge of a door that turns has moved")
    heights = {frame["func_door"][2] for frame in moved[True]}
    expect(moved[False] == moved[True] and len(heights) > 1, f"movements: {moved}")


def test_split(zipped: str, program: str) -> None:
    for split, least in (("AREAS", 3), ("CELLS", 8), ("MATERIALS", 20)):
        new_file(zipped, program)
        expect(not bring(DEMO, split=split, cell=16), split)
        world = [o for o in bpy.data.collections["demo World"].objects if o.type == "MESH"]
        expect(len(world) >= least, f"{split}: {len(world)} objects")
        expect(len([o for o in bpy.data.objects if o.get("classname") == "worldspawn"]) == 1, f"{split}: more than one worldspawn")
        if split == "MATERIALS":
            expect(all(len(o.data.materials) == 1 for o in world), "objects by material have several")
        expect(not bring(DEMO, split=split) and len([o for o in bpy.data.collections["demo World"].objects if o.type == "MESH"]) == len(world), f"{split} again")


def test_options(zipped: str, program: str) -> None:
    """Options without a button, and folders below the .blend."""
    new_file(zipped, program)
    expect("is no KEY=VALUE" in bring(DEMO, more="lightmap.padding"), "an option without a value")
    expect("unknown key" in bring(DEMO, more="lightmap.paddin=4"), "an option that is none")
    expect(not bring(DEMO, more="entities.skip='[info_*, light]' output.unit=0.5"), "two options")
    classes = {str(o.get("classname")) for o in bpy.data.objects}
    root = bpy.data.collections["demo"].objects[0]
    expect(not [c for c in classes if c.startswith("info_") or c == "light"] and "func_door" in classes, f"with classes left out there are {sorted(classes)}")
    expect(abs(root["bsp2gltf_unit"] - 0.5) < 1e-6, f"the unit is {root['bsp2gltf_unit']}")
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "game"))
        bpy.ops.wm.save_as_mainfile(filepath=os.path.join(folder, "here.blend"))
        expect("no such folder" in bring(DEMO, folder="//none"), "a folder below the .blend that is not there")
        expect(not bring(DEMO, folder="//game"), "a folder below the .blend")
        expect(bpy.ops.bsp2gltf.add_folder(directory=folder) == {"FINISHED"}, "a folder of the list")
        found = [f.path for f in preferences().game_folders]
        expect(found == [os.path.realpath(folder), os.path.realpath(os.path.join(folder, "game"))] or
               found == [folder, os.path.join(folder, "game")], f"the list has {found}")


def test_again(folder: str, zipped: str, program: str) -> None:
    """A map that is imported again replaces the old one. The user's changes stay."""
    new_file(zipped, program)
    expect(not bring(RIGGED), "a map")
    scene = bpy.context.scene
    counts = {kind: len(getattr(bpy.data, kind)) for kind in ("objects", "materials", "images", "collections", "armatures", "actions")}
    root = next(o for o in scene.objects if o.get("bsp2gltf_map"))
    props = bpy.data.collections["entities Props"]
    # The user moves the map; adds a lamp to its collection, a helmet on a prop, a copy of a prop, and a constraint; hides the props;
    # changes one material and replaces another.
    root.location = 5, 0, 0
    lamp = bpy.data.objects.new("my lamp", bpy.data.lights.new("my lamp", "POINT"))
    props.objects.link(lamp)
    post = next(o for o in props.objects if o.name.startswith("signpost"))
    bpy.context.view_layer.update()
    hat = bpy.data.objects.new("hat", bpy.data.meshes.new("hat"))
    scene.collection.objects.link(hat)
    hat.parent, hat.location = post, (0, 0, 2)
    copy = post.copy()
    copy.name = "my post"
    scene.collection.objects.link(copy)
    watcher = bpy.data.objects.new("watcher", None)
    scene.collection.objects.link(watcher)
    watcher.constraints.new("TRACK_TO").target = post
    props.hide_render = True
    world = scene.objects["worldspawn"]
    changed, replaced = (s.material for s in world.material_slots[:2])
    changed_name, replaced_name = changed.name, replaced.name
    changed.use_backface_culling = not changed.use_backface_culling
    node = changed.node_tree.nodes.new("ShaderNodeRGB")
    node.label = "mine"
    marble = bpy.data.materials.new("marble")
    world.material_slots[1].material = marble
    bpy.context.view_layer.update()
    before = {o.name: bounds(o) for o in (hat, copy, world)}
    kept = {o.name for o in (lamp, hat, copy, watcher)}
    slots = len(world.material_slots)
    for turn in ("first", "second"):
        if turn == "second":  # also from a file that was saved
            path = os.path.join(folder, "again.blend")
            bpy.ops.wm.save_as_mainfile(filepath=path)
            bpy.ops.wm.open_mainfile(filepath=path)
            scene = bpy.context.scene
        expect(not bring(RIGGED), f"{turn}: a map again")
        bpy.context.view_layer.update()
        after = {kind: len(getattr(bpy.data, kind)) for kind in counts}
        more = {"objects": 4, "materials": 1}  # marble
        expect(all(after[k] == counts[k] + more.get(k, 0) for k in counts), f"{turn}: {counts} became {after}")
        expect(kept <= {o.name for o in scene.objects}, f"{turn}: {kept - {o.name for o in scene.objects}} are gone")
        expect(not [o.name for o in scene.objects if o.name.endswith(".001")], f"{turn}: numbered: {[o.name for o in scene.objects if '.00' in o.name]}")
        world, post = scene.objects["worldspawn"], next(o for o in bpy.data.collections["entities Props"].objects if o.name.startswith("signpost"))
        seen = {n: bounds(scene.objects[n]) for n in before}
        expect(seen == before, f"{turn}: things were {before}, are {seen}")
        expect(scene.objects["hat"].parent == post and scene.objects["watcher"].constraints[0].target == post, f"{turn}: what hung on a prop hangs on "
               f"{scene.objects['hat'].parent} and {scene.objects['watcher'].constraints[0].target}")
        expect(bpy.data.collections["entities Props"].hide_render and "my lamp" in bpy.data.collections["entities Props"].objects, f"{turn}: the collection")
        names = [s.material.name for s in world.material_slots]
        expect(len(names) == slots and names[:2] == [changed_name, "marble"], f"{turn}: materials {names[:2]}, was {changed_name}, {replaced_name}")
        expect(any(n.label == "mine" for n in world.material_slots[0].material.node_tree.nodes), f"{turn}: a change of a material is lost")
    expect(not bring(RIGGED, again="ADD") and len([o for o in scene.objects if o.get("classname") == "worldspawn"]) == 2, "two copies of a map")
    again = os.path.join(folder, "again.glb")
    bpy.ops.export_scene.gltf(filepath=again, export_format="GLB", export_extras=True)
    data = open(again, "rb").read()
    expect(not [k for k in (b"bsp2gltf_import", b"bsp2gltf_slots", b"bsp2gltf_print") if k in data], "what the add-on notes is exported")


def test_compiled_anew(folder: str, zipped: str, program: str) -> None:
    """A map with other light: a material that the user changed keeps the change, and gets the new light."""
    new_file(zipped, program)
    expect(not bring(SHOWCASE), "a map")
    module = next(m for k, m in sys.modules.items() if k.endswith("bsp2gltf_lightmaps.materials"))
    brick = bpy.data.materials["ours/brick"]
    brick.node_tree.nodes.new("ShaderNodeRGB").label = "mine"
    page = module.lightmap_node(brick.node_tree).image
    stored = bytes(page.packed_file.data)
    expect(not bring(SHOWCASE, more="lightmap.padding=8"), "with other light")
    brick = bpy.data.materials["ours/brick"]
    after = module.lightmap_node(brick.node_tree).image
    expect(any(n.label == "mine" for n in brick.node_tree.nodes), "the change is lost")
    expect(bytes(after.packed_file.data) != stored, "the material has the old light")
    expect("ours/brick.001" not in bpy.data.materials and brick.users > 0, "there are two bricks")


def test_shared(zipped: str, program: str) -> None:
    """Maps of one game share their textures."""
    new_file(zipped, program)
    expect(not bring(SHOWCASE), "a map")
    alone = {i.name for i in bpy.data.images}
    expect(not bring(BLENDS), "another map of the game")
    twice = [i.name for i in bpy.data.images if i.name.endswith(".001") and "lightmap" not in i.name]
    bricks = {n.image for m in bpy.data.materials if m.node_tree for n in m.node_tree.nodes
              if n.bl_idname == "ShaderNodeTexImage" and n.image and n.image.name.split(".")[0].endswith("brick")}
    expect(not twice and len(bricks) <= 1, f"textures there are twice: {twice}, {bricks}, alone {len(alone)}")


def main() -> None:
    zipped, program = (os.path.abspath(a) for a in check.arguments()[:2])
    with tempfile.TemporaryDirectory() as folder:
        test_weld(folder, zipped, program)
        test_rigged_weld(zipped, program)
        test_origins(zipped, program)
        test_split(zipped, program)
        test_options(zipped, program)
        test_again(folder, zipped, program)
        test_compiled_anew(folder, zipped, program)
        test_shared(zipped, program)
    for failure in failures:
        print("FAIL", bpy.app.version_string, failure)
    if not failures:
        print("ok", f"Blender {bpy.app.version_string}: welded meshes, origins, parts, maps imported again", flush=True)
    sys.stdout.flush()
    if bpy.app.binary_path:
        raise SystemExit(1 if failures else 0)
    os._exit(1 if failures else 0)


main()
