"""Lamps for baked light switched off, and lamps with baked light, on white walls at known distances: each rule of relight.py.

usage: blender -b --factory-startup -noaudio --python-exit-code 1 -P blender_relight_test.py -- DIR ADDON.zip FILE.glb
FILE.glb is a map with lamps. The add-on is really installed, as run.sh does.
"""

import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import blender_check as check  # noqa: E402

import bpy  # noqa: E402
import mathutils  # noqa: E402
import numpy  # noqa: E402

failures: list[str] = []


def expect(ok: bool, message: str) -> None:
    if not ok:
        failures.append(message)


def module(name: str):
    return next(m for k, m in sys.modules.items() if k.endswith("bsp2gltf_lightmaps." + name))


def new_map():
    """An empty map with a small white floor at its origin, seen from the side."""
    check.empty_file()
    check.install(ZIP)
    scene = bpy.context.scene
    root = bpy.data.objects.new("map", None)
    root["bsp2gltf_map"] = "wall"
    scene.collection.objects.link(root)
    bpy.ops.mesh.primitive_plane_add(size=0.05)
    floor = bpy.context.object
    floor.parent = root
    white = bpy.data.materials.new("white")
    white.use_nodes = True
    nodes = white.node_tree.nodes
    nodes.clear()
    matt, out = nodes.new("ShaderNodeBsdfDiffuse"), nodes.new("ShaderNodeOutputMaterial")
    matt.inputs["Color"].default_value = 1, 1, 1, 1
    white.node_tree.links.new(matt.outputs[0], out.inputs["Surface"])
    floor.data.materials.append(white)
    module("groups").switch_group()
    module("groups").value(module("groups").switches()[0], "Baked").default_value = 0.0
    return scene, root


def brightness(scene) -> float:
    """The linear radiance of the floor's middle."""
    camera = bpy.data.objects.new("eye", bpy.data.cameras.new("eye"))
    scene.collection.objects.link(camera)
    camera.matrix_world = mathutils.Matrix.Translation((0, -0.3, 0.05)) @ mathutils.Matrix.Rotation(math.radians(80.5), 4, "X")
    camera.data.angle, camera.data.clip_start = math.radians(2), 0.001
    relight = module("relight")
    kept = relight._settings(scene)
    pixels = None
    try:
        made = scene.camera
        made.data.angle, made.data.clip_start = math.radians(2), 0.001
        pixels = relight._picture(scene, camera.matrix_world, 256)
    finally:
        relight._restore(scene, kept)
    return float(pixels[:, :3].mean())


def near(name: str, got: float, want: float) -> None:
    expect(abs(got - want) < 0.06 * want, f"{name}: the wall shines {got:.4f}, not {want:.4f}")


def test_piece() -> None:
    """A piece of a surface of intensity 0.5, a metre straight above."""
    scene, root = new_map()
    piece = bpy.data.objects.new("piece", None)
    for key, value in (("bsp2gltf_light", "area"), ("intensity", math.pi * 0.5 * 683), ("color_r", 1.0), ("color_g", 1.0), ("color_b", 1.0)):
        piece[key] = value
    piece.parent = root
    # The importer has rotated a glTF node that looks along -Z: it looks along its own Y.
    piece.matrix_world = mathutils.Matrix.Translation((0, 0, 1)) @ mathutils.Matrix.Rotation(math.radians(-90), 4, "X")
    scene.collection.objects.link(piece)
    bpy.context.view_layer.update()
    module("relight").prepare(scene)
    bpy.context.view_layer.update()
    near("a piece of a surface", brightness(scene), 0.5)


def test_surface() -> None:
    """A square of 2 by 2 metres, a metre above. It fills 0.554 of a luxel's cosine-weighted view. 3 · 85 / 255 is 1."""
    scene, root = new_map()
    bpy.ops.mesh.primitive_plane_add(size=2, location=(0, 0, 1), rotation=(math.pi, 0, 0))
    lamp = bpy.context.object
    lamp.parent = root
    mat = bpy.data.materials.new("light")
    mat.use_nodes = True
    mat.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = 0, 0, 0, 1
    mat["q3map_surfacelight"] = 85.0
    mat["q3map_lightrgb"] = "1 1 1"
    lamp.data.materials.append(mat)
    expect(module("relight").prepare(scene)["surfaces"] == 1, "no shining surface")
    a = 1 / math.sqrt(2)  # the form factor of four squares of 1 by 1, seen from their common corner
    near("a surface", brightness(scene), 4 * (2 * a * math.atan(a)) / (2 * math.pi))


def sky_of(root, scene, **keys):
    bpy.ops.mesh.primitive_cube_add(size=50)
    sky = bpy.context.object
    sky.parent = root
    sky["bsp2gltf_sky"] = True
    for key, value in keys.items():
        sky[key] = value
    sky.hide_render = True
    return sky


def test_sun() -> None:
    """A sun of 102, 30° above the horizon: 102 / 255 · sin 30° is 0.2."""
    scene, root = new_map()
    sky_of(root, scene, q3map_sun="1 1 1 102 40 30")
    expect(module("relight").prepare(scene)["suns"] == 1, "no sun")
    near("a sun", brightness(scene), 0.2)


def test_sky() -> None:
    """An open sky of q3map_skylight 51 gives 51 / 255."""
    scene, root = new_map()
    sky_of(root, scene, q3map_skylight="51 3")
    expect(module("relight").prepare(scene)["skies"] == 1, "no sky's light")
    near("a sky", brightness(scene), 0.2)
    module("relight").scale(scene, 2.0)
    near("a sky, doubled", brightness(scene), 0.4)


def test_guess() -> None:
    """A hall of 11 × 11 × 4 samples in walls, with a lamp of 9 under its ceiling: guessed from the grid alone, and in a map without lamps."""
    size, lamp = (13, 13, 6), numpy.array((12.5, 12.5, 15.0))
    i, j, k = numpy.unravel_index(numpy.arange(13 * 13 * 6), size, order="F")
    places = numpy.stack((2.0 * i, 2.0 * j, 4.0 * k), 1)
    room = (i > 0) & (i < 12) & (j > 0) & (j < 12) & (k > 0) & (k < 5)
    away = lamp - places
    far = numpy.linalg.norm(away, axis=1)
    light = numpy.where(room, 9 / far ** 2, 0)
    grid = (size, (0, 0, 0), ((2, 0, 0), (0, 2, 0), (0, 0, 4)), numpy.outer(room, (0.05,) * 3), numpy.outer(light, (1, 0.8, 0.5)), away / far[:, None])
    guess = module("grid_lamps").guess
    lamps = guess(*grid)
    expect(len(lamps) == 1, f"{len(lamps)} lamps are guessed in place of one")
    for place, colour, strength in lamps[:1]:
        expect(numpy.linalg.norm(place - lamp) < 2, f"the lamp at {lamp} is guessed at {place}")
        expect(numpy.allclose(colour, (1, 0.8, 0.5), atol=0.01) and 5 < strength < 13, f"the guess has colour {colour}, light {strength:.1f}")
    expect(not guess(*grid[:4], numpy.zeros_like(grid[4]), grid[5]), "lamps are guessed in the dark")
    even = numpy.outer(room, (0.5,) * 3)
    expect(not guess(*grid[:4], even, numpy.tile((0.0, 0.0, 1.0), (len(room), 1))), "lamps are guessed in a sun's light")


def test_guesses(glb: str) -> None:
    """A map whose lamps were taken out gets guesses, once."""
    check.empty_file()
    check.install(ZIP)
    bpy.ops.import_scene.gltf(filepath=glb)
    scene = bpy.context.scene
    for obj in [o for o in scene.objects if o.type == "LIGHT" or o.get("bsp2gltf_light") == "area"]:
        bpy.data.objects.remove(obj)
    first, second = (module("relight").prepare(scene) for _ in range(2))
    expect(first["guesses"] > 5 and first["lamps"] == 0, f"a map without lamps: {first}")
    expect(second["guesses"] == first["guesses"], f"asked again: {second}")


def picture(folder: str, name: str) -> numpy.ndarray:
    path = os.path.join(folder, f"relight-{name}.png")
    check.render(path, "160x90", 16)
    image = bpy.data.images.load(path, check_existing=False)
    values = numpy.array(image.pixels[:]).reshape(-1, 4)[:, :3] * 255
    bpy.data.images.remove(image)
    return values


def test_mixed(folder: str, glb: str) -> None:
    """Lamps in addition to baked light: the picture stays without a new lamp, a new one only brightens it, and the map's own do not count
    twice."""
    check.empty_file()
    check.install(ZIP)
    bpy.ops.import_scene.gltf(filepath=glb)
    scene = bpy.context.scene
    if scene.world:
        scene.world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0
    baked = picture(folder, "baked")
    expect(bpy.ops.bsp2gltf.mixed_light() == {"FINISHED"}, "no lamps on baked light")
    still = picture(folder, "still")
    expect(abs(still - baked).mean() < 1, f"without a lamp the picture changes by {abs(still - baked).mean():.2f} of 255")
    lamp = bpy.data.objects.new("mine", bpy.data.lights.new("mine", "POINT"))
    lamp.data.energy = 300
    lamp.location = scene.camera.matrix_world @ mathutils.Vector((0, 0.3, -1.5))
    scene.collection.objects.link(lamp)
    lit = picture(folder, "lit")
    expect((lit - still).mean() > 3 and (lit < still - 6).mean() < 0.02, f"a lamp adds {(lit - still).mean():.2f} of 255")
    bpy.ops.bsp2gltf.mixed_light()
    again = picture(folder, "again")
    expect(abs(again - baked).mean() < 0.3, "switched off, the lamp still lights the map")


def main() -> None:
    global ZIP
    folder, ZIP, glb = (os.path.abspath(a) for a in check.arguments()[:3])
    for test in (test_piece, test_surface, test_sun, test_sky, test_guess):
        test()
    test_guesses(glb)
    test_mixed(folder, glb)
    for failure in failures:
        print("FAIL", bpy.app.version_string, failure)
    if not failures:
        print("ok", f"Blender {bpy.app.version_string}: walls are as bright as the compilers' laws say; lamps add to baked light", flush=True)
    sys.stdout.flush()
    if bpy.app.binary_path:
        raise SystemExit(1 if failures else 0)
    os._exit(1 if failures else 0)


main()
