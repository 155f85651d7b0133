# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Imports a map again: the new import replaces the old one. The user's own objects stay, and so do materials that the user changed or
assigned instead of others, collections and their visibility, the transform of the whole map, and references to its parts.

Imported objects are marked with the map's name and their own. A copy that the user made has the same mark but another name.
"""

import json

import bpy

from . import ambient, arrange, materials, relight, share, sky, world_sky

MARK = "bsp2gltf_import"  # on objects: the root's name at the import, a tab, the object's
SLOTS = "bsp2gltf_slots"  # on meshes: the names of their materials at the import
HIDDEN = ("hide_viewport", "hide_render", "hide_select")


def root_of(name: str):
    """The root of a map or model in the scene that this add-on's dialogs imported, or None."""
    return next((o for o in bpy.context.scene.objects if o.parent is None and o.get("bsp2gltf_map") == name and o.get(MARK)), None)


def parts_of(root) -> dict:
    """The objects that were imported with a root, by their names in the file."""
    found: dict = {}
    token = root[MARK].partition("\t")[0]
    for obj in bpy.data.objects:
        of, _, name = str(obj.get(MARK, "")).partition("\t")
        if name and of == token and (name not in found or obj.name == name):
            found[name] = obj
    return {share.base(name): obj for name, obj in found.items()}


def materials_of(root) -> set:
    """The materials that were imported with a root."""
    objects = parts_of(root).values() if root is not None else ()
    return {bpy.data.materials[name] for o in objects if o.type == "MESH" for name in json.loads(o.data.get(SLOTS, "[]"))
            if name in bpy.data.materials}


def arrived(objects: list) -> None:
    """Marks imported objects. A camera that the import added at a player's start belongs to the user from now on."""
    root = next((o for o in objects if o.parent is None and o.get("bsp2gltf_map")), None)
    for obj in objects if root is not None else ():
        if not obj.name.startswith("camera at "):
            obj[MARK] = f"{root.name}\t{obj.name}"
        if obj.type == "MESH" and not obj.data.get(SLOTS):
            obj.data[SLOTS] = json.dumps([m.name if m else "" for m in obj.data.materials])


def keep_changed(root, both: list) -> None:
    """Puts materials that the user changed in place of the new ones. If the map's light was compiled anew, they get the new lightmaps."""
    for new, old in both if root is not None else ():
        pages = [m.node_tree and materials.lightmap_node(m.node_tree) for m in (old, new)]
        if all(pages):
            pages[0].image = pages[1].image
        old[share.PRINT] = new[share.PRINT]
        new.user_remap(old)
        bpy.data.materials.remove(new)


def replace(root, objects: list) -> None:
    """Replaces the objects that were imported with a root by new ones, and removes the root."""
    scene = bpy.context.scene
    old = parts_of(root)
    new = {share.base(o.name): o for o in objects if o.get(MARK)}
    here = new[next(k for k, o in new.items() if o.parent is None and o.get("bsp2gltf_map"))]
    gone = {o for o in old.values()} | {o for o in bpy.data.objects if o.get(relight.MADE) and o.parent in old.values()}
    names = {n: o.name for n, o in old.items()}
    bpy.context.view_layer.update()
    children = [(c, c.matrix_world.copy(), share.base(str(o[MARK]).partition("\t")[2])) for o in old.values() for c in o.children if c not in gone]
    here.parent, here.matrix_parent_inverse, here.matrix_basis = root.parent, root.matrix_parent_inverse, root.matrix_basis
    _collections(root, here)
    users = bpy.data.user_map(subset=gone)
    ours = gone | set(objects)
    for name, obj in old.items():
        after = new.get(name)
        if after is None:
            continue
        _slots(obj, after)
        for key in HIDDEN:
            setattr(after, key, getattr(obj, key))
        if obj.hide_get() and after.name in bpy.context.view_layer.objects:
            after.hide_set(True)
        if any(not isinstance(u, (bpy.types.Collection, bpy.types.Scene)) and u not in ours or u == scene and scene.camera == obj for u in users[obj]):
            linked = set(after.users_collection)
            obj.user_remap(after)
            for collection in set(after.users_collection) - linked:
                collection.objects.unlink(after)
    _remove(gone)
    for name, obj in new.items():
        obj.name = names.get(name, name)
    share.plain_names(o.data for o in objects if o.type == "MESH")
    share.plain_names(t for t in (here.get(ambient.LIGHT),) if t)
    share.plain_names(s.material for o in objects for s in o.material_slots if s.material)
    arrived([o for o in objects if o.get(MARK)])
    bpy.context.view_layer.update()
    for child, place, name in children:
        if name in new:
            child.parent = new[name]
        child.matrix_world = place
    if world_sky.shown(scene):
        skies = [o for o in scene.objects if sky.is_sky(o)]
        world_sky.leave(scene, skies)
        sky.around_the_eye(scene, skies, True)


def _slots(old, new) -> None:
    """Gives a new object the materials that the user assigned to slots of the old one."""
    if old.type != "MESH" or new.type != "MESH":
        return
    for name, slot in zip(json.loads(old.data.get(SLOTS, "[]")), old.material_slots):
        mat = slot.material
        # A material of the map, renamed or not, is not the user's; a copy of it is.
        if mat is not None and (mat.name == name or mat.get(share.PRINT) and name not in bpy.data.materials):
            continue
        if mat is not None and slot.link == "OBJECT" and mat.get(share.PRINT):
            continue  # in another fog
        for there in new.material_slots:
            if there.material is not None and share.base(there.material.name) == share.base(name):
                there.link = slot.link
                there.material = mat


def _collections(root, here) -> None:
    """Links new objects to the collections of the old ones, which keep their other objects."""
    tops = [next((c for c in bpy.data.collections if c.get(arrange.PLACE) == "" and o.name in c.all_objects), None) for o in (root, here)]
    if all(tops):
        _merge(*tops)


def _merge(target, other) -> None:
    for obj in list(other.objects):
        if obj.name not in target.objects:
            target.objects.link(obj)
    for child in list(other.children):
        same = next((c for c in target.children if arrange.PLACE in c and c[arrange.PLACE] == child.get(arrange.PLACE)), None)
        if same is not None:
            _merge(same, child)
        else:
            target.children.link(child)
            other.children.unlink(child)
            child.name = share.base(child.name)
    bpy.data.collections.remove(other)


def _remove(gone: set) -> None:
    """Removes objects and the data that only they used."""
    data = {o.data for o in gone if o.data is not None}
    actions = {s.action for o in gone if o.animation_data for t in o.animation_data.nla_tracks for s in t.strips if s.action}
    texts = {v for o in gone for v in (o.get(ambient.LIGHT),) if isinstance(v, bpy.types.Text)}
    own = {m for d in data if isinstance(d, bpy.types.Mesh) for m in d.materials if m is not None and m.get(share.PRINT)}
    bpy.data.batch_remove(gone)
    for items in (data, actions, own, texts):
        bpy.data.batch_remove([i for i in items if i.users == 0])
    bpy.data.batch_remove([i for i in bpy.data.images if i.users == 0 and i.packed_file])
