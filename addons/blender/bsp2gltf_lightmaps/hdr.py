# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""The OpenEXR lightmaps beside a file: linear light, where PNG lightmaps are clipped at white."""

import os

import bpy

from . import map_files, materials

NAME = "exr"  # on the node of the lightmap's image: the name of its OpenEXR file
FOLDER = "folder"  # likewise: the folder of the map's file
MAP = "bsp2gltf_map"  # likewise, and on the OpenEXR image: the map's hash
MARK = "bsp2gltf_exr"  # on the node of the OpenEXR image


def remember(mat, gltf, index: int, own: str) -> None:
    """Keeps the name of the OpenEXR file of a material's lightmap, and the hash of the map."""
    name = (gltf.data.images[index].extras or {}).get("exr")
    node = materials.lightmap_node(mat.node_tree)
    if isinstance(name, str) and node is not None:
        node[NAME] = os.path.basename(name.replace("\\", "/"))
        node[FOLDER] = os.path.dirname(gltf.filename or "")
        node[MAP] = own


def lit_materials() -> list:
    """The materials whose lightmap has an OpenEXR file."""
    found = []
    for mat in bpy.data.materials:
        node = materials.lightmap_node(mat.node_tree) if mat.node_tree else None
        if node is not None and node.get(NAME):
            found.append(mat)
    return found


def _exr_node(tree):
    return next((n for n in tree.nodes if n.get(MARK)), None)


def in_use() -> bool:
    """Reports whether any material shows its OpenEXR lightmap."""
    return any(_exr_node(m.node_tree) for m in lit_materials())


def use(folder: str = "", names=None, pack: bool = False) -> tuple[int, list[str]]:
    """Shows the OpenEXR pages, of all materials or of those named. Returns how many materials do, and what is wrong with the
    others. Without a folder each page is looked for where its map came from; packed, it is kept in the .blend."""
    shown, wrong = 0, set()
    for mat in lit_materials():
        if names is not None and mat.name not in names:
            continue
        tree = mat.node_tree
        node, light = materials.lightmap_node(tree), materials.light_node(tree)
        path = os.path.join(folder or node.get(FOLDER, ""), node[NAME])
        if light is None or _exr_node(tree):
            continue
        if not os.path.isfile(path):
            wrong.add(f"{path} is not there")
            continue
        stated = map_files.exr_map(path)
        if map_files.foreign(stated, node.get(MAP, "")):
            wrong.add(f"{path} belongs to another map")
            continue
        page = tree.nodes.new("ShaderNodeTexImage")
        page[MARK] = True
        page.image = _load(path, stated)
        if pack and not page.image.packed_file:
            page.image.pack()
        page.label, page.extension = "LIGHTMAP HDR", "EXTEND"
        page.location = node.location.x, node.location.y + 300
        tree.links.new(materials.source(node.inputs[0]), page.inputs[0])
        tree.links.new(page.outputs["Color"], light.inputs["Lightmap"])
        node["intensity"] = light.inputs["Intensity"].default_value
        light.inputs["Intensity"].default_value = 1.0
        shown += 1
    return shown, sorted(wrong)


def _load(path: str, stated: str):
    """The image of a file. An image that was loaded before is used again, unless the file belonged to another map then."""
    full = os.path.abspath(path)
    loaded = (i for i in bpy.data.images if i.source == "FILE" and os.path.abspath(bpy.path.abspath(i.filepath)) == full)
    image = next((i for i in loaded if i.get(MAP, stated) == stated), None) or bpy.data.images.load(path, check_existing=False)
    image[MAP] = stated
    return image


def leave() -> int:
    """Shows the lightmaps of the file again. Returns how many materials changed."""
    count = 0
    for mat in lit_materials():
        tree = mat.node_tree
        page, node, light = _exr_node(tree), materials.lightmap_node(tree), materials.light_node(tree)
        if page is None or light is None:
            continue
        tree.links.new(node.outputs["Color"], light.inputs["Lightmap"])
        light.inputs["Intensity"].default_value = node.get("intensity", 1.0)
        image = page.image
        tree.nodes.remove(page)
        if image and image.users == 0:
            bpy.data.images.remove(image)
        count += 1
    return count
