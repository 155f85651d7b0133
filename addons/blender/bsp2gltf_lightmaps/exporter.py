# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Writes MOZ_lightmap when a scene is exported to glTF again, through the exporter's interface for add-ons.

All versions from 3.4 on call gather_material_hook. The lightmap's image is written byte for byte as it was imported, if it is packed or
its file exists.
"""

import ast
import json
import os
import tempfile

import bpy

from . import again, ambient, arrange, compat, materials, share

EXTENSION = "MOZ_lightmap"
# Extras of materials that refer to textures: the lists and objects in internal/extras/extras.json that contain a texture.
NUMBERED = {"details", "directed", "environment", "behind", "mix"}
OWN = (ambient.LIGHT, again.MARK, again.SLOTS, share.PRINT)  # notes of the add-on in a .blend
_SIGNATURES = ((b"\x89PNG", "image/png"), (b"\xff\xd8\xff", "image/jpeg"))


class glTF2ExportUserExtension:
    """The exporter makes one of these per export and calls its methods. If one raises an exception, it only prints that."""

    def __init__(self):
        self.without: set[str] = set()  # materials that lose the extras that refer to textures
        self.textures: dict = {}  # by image that was written: one texture serves all materials
        for mat in bpy.data.materials:
            materials.keep_active_output(mat)

    def gather_material_hook(self, gltf2_material, blender_material, export_settings):
        _take_own(gltf2_material.extras)
        if gltf2_material.extras and _renumber(gltf2_material.extras):
            self.without.add(blender_material.name)
        tree = blender_material.node_tree
        node = materials.lightmap_node(tree) if tree else None
        _write_display(materials.light_node(tree) if tree else None, gltf2_material)
        if node is None or node.image is None or export_settings.get("gltf_image_format") == "NONE":
            return
        texture = self._texture(node.image, export_settings)
        if texture is None:
            print(f"bsp2gltf: {blender_material.name}: the image of its lightmap is gone, so it is exported without light")
            return
        content = {"index": texture, "texCoord": _channel(blender_material, node), "intensity": _intensity(tree, node),
                   **_more(node)}
        extensions = gltf2_material.extensions or {}
        extensions[EXTENSION] = compat.new_extension(EXTENSION, content, False)
        gltf2_material.extensions = extensions

    def gather_scene_hook(self, gltf2_scene, blender_scene, export_settings):
        if self.without:
            print(f"bsp2gltf: {len(self.without)} materials are exported without the extras that number textures "
                  f"({', '.join(sorted(NUMBERED))}, and frames of motion): Blender does not export those")
        roots = [o for o in blender_scene.objects if o.parent is None and o.get("bsp2gltf_map")]
        if len(roots) == 1 and export_settings.get("gltf_extras"):  # a file with one map states so in its scene
            stated = arrange.properties(roots[0]).items()
            gltf2_scene.extras = {**{k: v for k, v in stated if k.startswith("bsp2gltf_") and k not in OWN}, **(gltf2_scene.extras or {})}

    def gather_node_hook(self, gltf2_node, blender_object, export_settings):
        _take_own(gltf2_node.extras)

    def gather_mesh_hook(self, gltf2_mesh, *_):
        _take_own(gltf2_mesh.extras)

    def gather_tree_filter_tag_hook(self, tree, export_settings):
        for node in tree.nodes.values():  # boxes that only show an entity's size
            if node.blender_object is not None and node.blender_object.get(arrange.MARKER):
                node.keep_tag = False

    def _texture(self, image, settings):
        if image.name not in self.textures:
            data, mime = _encoded(image)
            self.textures[image.name] = compat.exported_texture(
                compat.exported_image(data, mime, image.name, settings)) if data else None
        return self.textures[image.name]


def _take_own(extras: dict | None) -> None:
    for key in OWN if extras else ():
        extras.pop(key, None)


def _renumber(extras: dict) -> bool:
    """Takes out the extras that number textures of the imported file: Blender exports others, in another order. It keeps lists of
    several types as text, so motion becomes an object again. Returns whether anything was taken out."""
    found = [extras.pop(key, None) is not None for key in NUMBERED]
    motion = extras.get("motion")
    if isinstance(motion, str):
        try:
            motion = ast.literal_eval(motion)
        except (ValueError, SyntaxError):
            motion = None
    if isinstance(motion, dict):
        found.append(motion.pop("frames", None) is not None)
        motion.pop("fps", None)
    if motion:
        extras["motion"] = motion
    else:
        extras.pop("motion", None)
    return any(found)


def _write_display(light, material) -> None:
    """Writes on KHR_materials_unlit how vertex light is multiplied."""
    unlit = (material.extensions or {}).get("KHR_materials_unlit")
    if unlit is not None and light is not None and light.get(materials.DISPLAY):
        unlit.extension = {"extras": {"display": json.loads(light[materials.DISPLAY])}}


def _more(node) -> dict:
    """Returns the members of MOZ_lightmap besides the three values."""
    try:
        more = json.loads(node[materials.LIGHTMAP])
    except (TypeError, ValueError):
        return {}
    return more if isinstance(more, dict) else {}


def _intensity(tree, node) -> float:
    """The intensity of the 8-bit lightmap: as set by the user, or as it was before an EXR image replaced the lightmap."""
    light = materials.light_node(tree)
    shown = materials.source(light.inputs["Lightmap"]) if light else None
    if shown is not None and shown.node == node:
        return _short(light.inputs["Intensity"].default_value)
    return _short(node.get("intensity", 1.0))


def _short(v: float) -> float:
    """The shortest decimal that gives the same 32-bit float."""
    for digits in range(1, 10):
        short = float(f"{v:.{digits}g}")
        if abs(short - v) <= abs(v) * 6e-8:
            return short
    return float(v)


def _channel(mat, node) -> int:
    """The index of the lightmap's UV layer, as the exporter counts them."""
    uv = materials.source(node.inputs[0])
    name = uv.node.uv_map if uv and uv.node.bl_idname == "ShaderNodeUVMap" else ""
    for mesh in bpy.data.meshes:
        if name in mesh.uv_layers and mat.name in mesh.materials:
            return mesh.uv_layers.find(name)
    return 1


def _encoded(image) -> tuple[bytes, str]:
    """The bytes of the image's file and its MIME type, both empty if there is no file."""
    data = bytes(image.packed_file.data) if image.packed_file else b""
    path = bpy.path.abspath(image.filepath, library=image.library) if image.filepath else ""
    if not data and os.path.isfile(path):
        with open(path, "rb") as file:
            data = file.read()
    for signature, mime in _SIGNATURES:
        if data.startswith(signature) and not image.is_dirty:
            return data, mime
    return _as_png(image), "image/png"


def _as_png(image) -> bytes:
    """An image that was painted on, or that has another format, as PNG."""
    if not image.has_data and not image.size[0]:
        return b""
    copy = image.copy()
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.png")
            copy.file_format = "PNG"
            copy.filepath_raw = path
            copy.save()
            with open(path, "rb") as file:
                return file.read()
    except (OSError, RuntimeError):
        return b""
    finally:
        bpy.data.images.remove(copy)
