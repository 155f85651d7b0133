"""The sky around the camera: the World shows a map's sky, and clouds on a mesh like bsp2gltf's, exactly as the meshes look from their
centre.

usage: blender -b --factory-startup -noaudio --python-exit-code 1 -P blender_sky_test.py -- DIR ADDON.zip FILE.glb [--eevee]
DIR gets the pictures. FILE.glb has a sky of six sides. The add-on is really installed, as run.sh does.
"""

import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import blender_check as check  # noqa: E402

import bpy  # noqa: E402
import mathutils  # noqa: E402
import numpy  # noqa: E402

SIZE, CLOUDS = "160x90", 40.0  # CLOUDS: metres above the camera
EYES = ((30, 20), (140, 50), (255, -30))  # yaw, pitch: sides, up, down
failures: list[str] = []


def expect(ok: bool, message: str) -> None:
    if not ok:
        failures.append(message)


class Pictures:
    """Renders pictures of the scene with one engine."""

    def __init__(self, folder: str, eevee: bool):
        self.path, self.eevee = os.path.join(folder, "blender-sky.png"), eevee

    def take(self, place, yaw: float, pitch: float) -> numpy.ndarray:
        camera = bpy.context.scene.camera
        if camera:
            bpy.data.objects.remove(camera)
        check.place_camera([place[0], place[2], -place[1]], yaw, pitch, 70)
        check.render(self.path, SIZE, 4, self.eevee)
        image = bpy.data.images.load(self.path, check_existing=False)
        values = numpy.array(image.pixels[:]).reshape(-1, 4)[:, :3] * 255
        bpy.data.images.remove(image)
        return values


def compare(name: str, pictures: Pictures, sky, most: float) -> None:
    """From its centre, a sky looks the same as a mesh and as a World. Elsewhere only the World does."""
    expect(bpy.context.scene.world is not None and not sky.visible_camera, f"{name}: the World does not show the sky")
    middle = sky.matrix_world.translation.copy()
    aside = middle + mathutils.Vector((sky.dimensions.x * 0.3, 0, 0))
    world = [(pictures.take(middle, *eye), pictures.take(aside, *eye)) for eye in EYES]
    expect(bpy.ops.bsp2gltf.sky_around() == {"FINISHED"}, f"{name}: the World keeps the sky")
    expect(sky.visible_camera and not sky.hide_render, f"{name}: the mesh stays hidden")
    for (yaw, pitch), (seen, moved) in zip(EYES, world):
        expect(seen.mean() > 10, f"{name}: the World is dark at {yaw}, {pitch}")
        away = numpy.abs(seen - pictures.take(middle, yaw, pitch)).mean()
        expect(away < most, f"{name}: the World is {away:.2f} of 255 from the mesh at {yaw}, {pitch}")
        away = numpy.abs(seen - moved).mean()
        expect(away < 0.1, f"{name}: the World changes by {away:.2f} with the eye")
    away = numpy.abs(world[0][0] - pictures.take(aside, *EYES[0])).mean()
    expect(away > 2 * most, f"{name}: from aside the mesh is only {away:.2f} from the World, so this shows nothing")
    expect(bpy.ops.bsp2gltf.sky_around() == {"FINISHED"} and not sky.visible_camera, f"{name}: not around the eye again")


def light(pictures: Pictures, place) -> None:
    """Objects that the World lights look the same with and without the sky."""
    bpy.ops.mesh.primitive_plane_add(size=4, location=place)
    plane = bpy.context.object
    plane.data.materials.append(bpy.data.materials.new("matt"))
    plane.data.materials[0].use_nodes = True
    before = bpy.data.worlds.new("grey")
    before.use_nodes = True
    next(n for n in before.node_tree.nodes if n.bl_idname == "ShaderNodeBackground").inputs["Color"].default_value = 0.3, 0.2, 0.1, 1
    bpy.ops.bsp2gltf.sky_around()
    bpy.context.scene.world = before
    eye = place + mathutils.Vector((0, 0, 1.5))
    grey = pictures.take(eye, 0, -90)
    bpy.ops.bsp2gltf.sky_around()
    with_sky = pictures.take(eye, 0, -90)
    away = numpy.abs(grey.mean(0) - with_sky.mean(0)).max()  # pixels have noise
    expect(grey.mean() > 20 and away < 2, f"a plane of {grey.mean():.1f} changes by {away:.2f} with the sky")
    bpy.data.objects.remove(plane)


def clouds(mixed: bool, ball: bool = False):
    """A mesh of clouds in 8 steps (convert/internal/nodes/skymesh.go). If mixed, a second layer covers it partly. If ball, it is Quake's
    dome."""
    corners, uv, faces = [], [], []
    r = 4096 * 0.03125
    for sheet in range(2 if mixed else 1):
        for axis, sign in ((0, 1), (0, -1), (1, 1), (1, -1), (2, 1)):
            first = len(corners)
            others = [k for k in range(3) if k != axis]
            for i in range(81):
                d = mathutils.Vector((0, 0, 0))
                d[axis], d[others[0]], d[others[1]] = sign, i % 9 / 4 - 1, i // 9 / 4 - 1
                corners.append(d * (50 - sheet))
                ray = d.normalized()
                if ball:
                    length = math.sqrt(ray.x ** 2 + ray.y ** 2 + 9 * ray.z ** 2)
                    uv.append([0.5 * ray.x / length + 0.3, 1 - 0.7 * ray.y / length])
                    continue
                way = -ray.z * r + math.sqrt((ray.z * r) ** 2 + 2 * r * CLOUDS + CLOUDS ** 2)
                uv.append([2 * math.acos(ray.x * way / (r + CLOUDS)) + 0.3, 1 - 3 * math.acos(ray.y * way / (r + CLOUDS))])
            cells = [(first + y * 9 + x) for y in range(8) for x in range(8)]
            faces += [((c, c + 1, c + 10, c + 9), sheet) for c in cells]
    mesh = bpy.data.meshes.new("clouds")
    mesh.from_pydata(corners, [], [f for f, _ in faces])
    layer = mesh.uv_layers.new(name="UVMap")
    for loop in mesh.loops:
        layer.data[loop.index].uv = uv[loop.vertex_index]
    for polygon, (_, sheet) in zip(mesh.polygons, faces):
        polygon.material_index = sheet
    for sheet in range(2 if mixed else 1):
        mesh.materials.append(unlit(f"clouds {sheet}", sheet == 1))
    obj = bpy.data.objects.new("sky", mesh)
    obj["bsp2gltf_sky"], obj["sky_clouds_flat" if ball else "sky_cloud_height"] = True, CLOUDS
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    return obj


def unlit(name: str, clear: bool):
    """An unlit material with a smooth image, as Blender's glTF importer makes it. If clear, its alpha is a half."""
    image = bpy.data.images.new(name, 16, 16, alpha=True)
    at = numpy.arange(16) / 16 * 2 * math.pi
    values = numpy.ones((16, 16, 4))
    values[..., 0], values[..., 1] = 0.5 + 0.3 * numpy.sin(at)[:, None], 0.5 + 0.3 * numpy.cos(at)[None]
    values[..., 2] = 0.6 if clear else 0.3
    values[..., 3] = 0.5 if clear else 1
    image.alpha_mode = "CHANNEL_PACKED"
    image.pixels = values.ravel().tolist()
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    tree = mat.node_tree
    tree.nodes.clear()
    texture, shine, output = (tree.nodes.new("ShaderNode" + kind) for kind in ("TexImage", "Emission", "OutputMaterial"))
    texture.image = image
    tree.links.new(texture.outputs[0], shine.inputs[0])
    shader = shine.outputs[0]
    if clear:
        behind, mix = tree.nodes.new("ShaderNodeBsdfTransparent"), tree.nodes.new("ShaderNodeMixShader")
        for source, target in ((texture.outputs[1], mix.inputs[0]), (behind.outputs[0], mix.inputs[1]), (shader, mix.inputs[2])):
            tree.links.new(source, target)
        shader = mix.outputs[0]
    tree.links.new(shader, output.inputs[0])
    return mat


def main() -> None:
    folder, zipped, glb, *more = check.arguments()
    pictures = Pictures(os.path.abspath(folder), "--eevee" in more)
    check.empty_file()
    check.install(zipped)
    bpy.ops.import_scene.gltf(filepath=os.path.abspath(glb))
    scene = bpy.context.scene
    sky = next(o for o in scene.objects if o.type == "MESH" and o.get("bsp2gltf_sky"))
    for obj in scene.objects:
        obj.hide_render = obj.hide_render or obj.type in ("MESH", "LIGHT") and obj != sky
    compare("six sides", pictures, sky, 1)
    light(pictures, sky.matrix_world.translation)

    # A box that is moved away from its node's origin is not a sky that the World can show.
    bpy.ops.bsp2gltf.sky_around()
    for vertex in sky.data.vertices:
        vertex.co.x += 1
    expect(bpy.ops.bsp2gltf.sky_around() == {"CANCELLED"} and sky.visible_camera, "a box beside its node is shown by the World")

    bpy.data.objects.remove(sky)
    sky = clouds(mixed=False)
    bpy.ops.bsp2gltf.sky_around()
    compare("clouds", pictures, sky, 3)  # the mesh is linear between its corners
    bpy.data.objects.remove(sky)
    sky = clouds(mixed=False, ball=True)
    bpy.ops.bsp2gltf.sky_around()  # removes the sky of a deleted mesh
    bpy.ops.bsp2gltf.sky_around()
    compare("clouds on a flattened ball", pictures, sky, 3)
    bpy.data.objects.remove(sky)
    sheets = clouds(mixed=True)
    bpy.ops.bsp2gltf.sky_around()  # removes the sky of a deleted mesh
    expect(bpy.ops.bsp2gltf.sky_around() == {"FINISHED"} and not sheets.visible_camera, "clouds of two sheets")
    seen = pictures.take(sheets.matrix_world.translation, *EYES[1]).mean(0)
    # Blue: 0.3 is covered to a half by 0.6, which is 0.45 in display space; in linear light it would be 0.48.
    expect(abs(seen[2] - 0.45 * 255) < 2, f"two sheets: blue is {seen[2]:.1f}, want {0.45 * 255:.1f}")

    for failure in failures:
        print("FAIL", failure)
    sys.stdout.flush()
    if not failures:
        print(f"ok Blender {bpy.app.version_string}{' EEVEE' if pictures.eevee else ''}: the sky around the eye", flush=True)
    if bpy.app.binary_path:
        raise SystemExit(1 if failures else 0)
    os._exit(1 if failures else 0)


main()
