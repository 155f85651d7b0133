"""Imports models and textures by File > Import, as a script: skeletons, sequences, body groups, skins, images and materials.

usage: blender -b --factory-startup -noaudio --python-exit-code 1 -P blender_model_test.py -- ADDON.zip BSP2GLTF
The add-on is really installed, as run.sh does.
"""

import os
import sys
import tempfile
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import blender_check as check  # noqa: E402

import bpy  # noqa: E402

TESTDATA = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testdata"))
SIGNPOST = os.path.join(TESTDATA, "goldsrc", "models", "signpost.mdl")  # two bones, two sequences, two skins, a body group
WALKER = os.path.join(TESTDATA, "goldsrc", "models", "walker.mdl")
SPRITE = os.path.join(TESTDATA, "goldsrc", "sprites", "alpha.spr")
TABLE = os.path.join(TESTDATA, "source", "models", "ours", "table.mdl")
VTF = os.path.join(TESTDATA, "source", "materials", "ours", "brick.vtf")
MAP = os.path.join(TESTDATA, "goldsrc", "maps", "surfaces.bsp")
failures: list[str] = []


def expect(ok: bool, message: str) -> None:
    if not ok:
        failures.append(message)


def start_scene(zipped: str, program: str) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=False)
    bpy.ops.preferences.addon_enable(module="io_scene_gltf2")
    check.install(zipped)
    next(a for k, a in bpy.context.preferences.addons.items() if k.endswith("bsp2gltf_lightmaps")).preferences.bsp2gltf = program


def run(operator, path: str, **more) -> str:
    """Calls an operator. Returns the error, if any."""
    try:
        operator(filepath=path, **more)
    except RuntimeError as e:
        return str(e)
    return ""


def model(path: str, **more) -> str:
    return run(bpy.ops.import_scene.bsp2gltf_model, path, **more)


def texture(path: str, **more) -> str:
    return run(bpy.ops.import_image.bsp2gltf, path, **more)


def test_parts() -> None:
    """A rigged model: its variants are collections, its skins can be chosen, and its sequences are actions."""
    expect(not model(SIGNPOST), "a model")
    expect("Cube" not in bpy.data.objects, "the start scene's cube stands in the model")
    expect({"Light", "Camera"} <= {o.name for o in bpy.data.objects}, "a model alone has lost the start scene's lamp or camera")
    rig = next(o for o in bpy.data.objects if o.type == "ARMATURE")
    actions = sorted(a.name for a in bpy.data.actions)
    expect(actions == ["sequence", "sequence_2"] and rig.animation_data.action.name == "sequence", f"actions {actions}, shown {rig.animation_data.action}")
    props = bpy.data.collections["signpost Props"]
    loose = [o.name for o in bpy.data.objects if o.name not in ("Light", "Camera") and o.name not in props.all_objects]
    expect(not loose, f"beside Props: {loose}")
    part = props.children["part"]
    shown = {c.name: (len(c.objects), c.hide_viewport) for c in part.children}
    expect(shown == {"part 0": (1, False), "part 1": (1, True)}, f"variants: {shown}")
    ball = part.children["part 1"].objects[0]
    expect(ball.type == "MESH" and not ball.hide_viewport and ball.parent == rig, f"the hidden variant is {ball}")
    mesh = next(o for o in props.objects if o.type == "MESH").data
    expect(mesh.get("bsp2gltf_skins") == "skin 0\nskin 1", f"skins {mesh.get('bsp2gltf_skins')}")
    bpy.context.view_layer.objects.active = rig
    board = [m.name for m in mesh.materials]
    expect(bpy.ops.bsp2gltf.skin(skin=1) == {"FINISHED"}, "the other skin")
    other = [m.name for m in mesh.materials]
    expect(board != other and any(n.endswith("board2") for n in other), f"skin 1 has {other}, skin 0 {board}")
    expect(not model(SIGNPOST), "a model again")
    mesh = next(o for o in bpy.data.collections["signpost Props"].objects if o.type == "MESH").data
    expect([m.name for m in mesh.materials] == other, "imported again, the chosen skin is another")
    expect(len([o for o in bpy.data.objects if o.type == "ARMATURE"]) == 1 and len(bpy.data.actions) == 2, "imported again, it is there twice")
    expect(len(bpy.data.collections["signpost Props"].children) == 1, f"parts: {[c.name for c in bpy.data.collections]}")
    bpy.context.view_layer.objects.active = next(o for o in bpy.data.objects if o.type == "ARMATURE")
    bpy.ops.bsp2gltf.skin(skin=0)
    expect([m.name for m in mesh.materials] == board, f"skin 0 has {[m.name for m in mesh.materials]}")


def test_choices() -> None:
    expect(not model(WALKER, sequences="walk"), "one sequence")
    expect([a.name for a in bpy.data.actions] == ["walk"], f"actions {[a.name for a in bpy.data.actions]}")
    hand = bpy.data.objects.get("hand")
    expect(hand is not None and hand.type == "EMPTY" and hand.empty_display_type == "ARROWS" and hand.parent_bone == "forearm_r", f"the attachment is {hand}")
    expect(not model(WALKER, attachments=False) and "hand" not in bpy.data.objects, "a model without its attachments")
    expect(not model(TABLE, folder=os.path.join(TESTDATA, "source")), "a model of Source")
    expect(not model(SPRITE, unit=0.1), "a sprite")
    expect({"walker", "table", "alpha"} <= {c.name for c in bpy.data.collections}, f"collections {[c.name for c in bpy.data.collections]}")
    expect("no such file" in model(WALKER + "x"), "a model that is not there")
    expect("is no KEY=VALUE" in model(WALKER, more="x"), "an option without a value")
    expect(bool(model(VTF)), "a texture as a model")
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(os.path.join(folder, "pak0.pk3"), "w") as z:
            z.write(SIGNPOST, "models/inside.mdl")
        expect(not model(os.path.join(folder, "pak0.pk3:models/inside.mdl")) and "inside" in bpy.data.collections, "a model in an archive")


def test_textures() -> None:
    expect(not texture(VTF), "a .vtf")
    image = bpy.data.images.get("brick")
    expect(image is not None and image.packed_file is not None and image.use_fake_user and min(image.size) > 1, f"the image: {image}")
    nodes = bpy.data.materials["brick"].node_tree.nodes
    expect(any(n.bl_idname == "ShaderNodeTexImage" and n.image == image for n in nodes), "the material does not show the image")
    count = len(bpy.data.images)
    expect(not texture(VTF) and len(bpy.data.images) == count and "brick.001" not in bpy.data.materials, "a texture twice")
    expect(not texture(MAP, with_materials=False), "textures inside a map")
    expect(len(bpy.data.images) > count + 1 and len([m for m in bpy.data.materials if m.name in bpy.data.images]) == 1, "a map's textures")
    expect(bool(texture(SIGNPOST)), "a model as a texture")
    expect("no such file" in texture(VTF + "x"), "a texture that is not there")


def main() -> None:
    zipped, program = (os.path.abspath(a) for a in check.arguments()[:2])
    for test in (test_parts, test_choices, test_textures):
        start_scene(zipped, program)
        test()
    for failure in failures:
        print("FAIL", bpy.app.version_string, failure)
    if not failures:
        print("ok", f"Blender {bpy.app.version_string}: models with their parts and skins, textures", flush=True)
    sys.stdout.flush()
    if bpy.app.binary_path:
        raise SystemExit(1 if failures else 0)
    os._exit(1 if failures else 0)


main()
