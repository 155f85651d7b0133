# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Parts of models to choose from: variants of body parts, each in a collection, and skins."""

import bpy

from . import arrange

SKINS = "bsp2gltf_skins"  # on meshes: the names of the skins, by number in the file


def settle(gltf, objects: list) -> None:
    """Puts variants of body parts into collections, and stores the names of skins."""
    named = ((gltf.data.extensions or {}).get("KHR_materials_variants") or {}).get("variants") or []
    for obj in objects:
        if obj.type == "MESH" and len(named) > 1 and getattr(obj.data, "gltf2_variant_mesh_data", None):
            obj.data[SKINS] = "\n".join(str(v.get("name", "")) for v in named)
        if obj.get("attachment"):
            obj.empty_display_type, obj.empty_display_size = "ARROWS", 0.1
    _body_groups(sorted((o for o in objects if o.get("bodygroup") is not None), key=lambda o: o.name))


def _body_groups(variants: list) -> None:
    """Makes a collection for each body part, and in it one for each variant. The game shows one variant of each part."""
    parts: dict = {}
    for obj in variants:
        above = obj.users_collection[0]
        part = parts.get(obj["bodygroup"])
        if part is None:
            part = parts[obj["bodygroup"]] = bpy.data.collections.new(str(obj["bodygroup"]) or "part")
            part[arrange.PLACE] = f"part {obj['bodygroup']}"
            above.children.link(part)
        name = f"{part.name} {obj.get('variant') or len(part.children)}"
        variant = bpy.data.collections.new(name)
        variant[arrange.PLACE] = f"{part[arrange.PLACE]} {len(part.children)}"
        part.children.link(variant)
        for collection in list(obj.users_collection):
            collection.objects.unlink(obj)
        variant.objects.link(obj)
        variant.hide_viewport = variant.hide_render = bool(obj.get("bsp2gltf_hidden"))
        obj.hide_viewport = obj.hide_render = False


def meshes_of(obj) -> list:
    """The meshes of a model that have skins: the object's, or of objects that move with it."""
    if obj is None:
        return []
    root = obj.parent if obj.type == "MESH" and obj.parent is not None and obj.parent.type == "ARMATURE" else obj
    return list(dict.fromkeys(o.data for o in (root, *root.children_recursive) if o.type == "MESH" and o.data.get(SKINS)))


class BSP2GLTF_OT_skin(bpy.types.Operator):
    """Show this skin on the model"""

    bl_idname = "bsp2gltf.skin"
    bl_label = "Skin"
    bl_options = {"REGISTER", "UNDO"}

    skin: bpy.props.IntProperty(name="Skin", min=0)

    @classmethod
    def poll(cls, context):
        return bool(meshes_of(context.object))

    def execute(self, context):
        shown = 0
        for mesh in meshes_of(context.object):
            for piece in mesh.gltf2_variant_mesh_data:
                if any(v.variant.variant_idx == self.skin for v in piece.variants) and piece.material_slot_index < len(mesh.materials):
                    mesh.materials[piece.material_slot_index] = piece.material
                    shown += 1
        if not shown:
            self.report({"WARNING"}, f"The model has no skin {self.skin}")
        return {"FINISHED"} if shown else {"CANCELLED"}


def draw(layout, obj) -> None:
    """The part of the panel for a model with skins."""
    for mesh in meshes_of(obj)[:1]:
        column = layout.column(align=True)
        column.label(text="Skin")
        for i, name in enumerate(mesh[SKINS].split("\n")):
            column.operator("bsp2gltf.skin", text=name or str(i)).skin = i


CLASSES = (BSP2GLTF_OT_skin,)
