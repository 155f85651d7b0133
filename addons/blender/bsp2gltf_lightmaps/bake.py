# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Bake Light for Export: makes copies of the imported maps whose light every exporter can write.

Exporters to FBX, USD and OBJ support one texture per input of a Principled BSDF, with one UV layer, and none of the nodes that show our
light. So the copies hold what the map looks like, in one of two ways:

  textures        each collection is unfolded anew (atlas.py), and Cycles bakes the emission of its materials into one image
  vertex colours  the light at each vertex; the program that reads the file must multiply it by the texture
"""

import os

import bpy

from . import arrange, compat, light_picture, sky, vertexlight

MARK = "bsp2gltf_export"  # on the collections of copies: the map's name


class BSP2GLTF_OT_bake_light(bpy.types.Operator):
    """Make copies of the maps with their light in textures or vertex colours, which exporters to FBX, USD, glTF and OBJ write"""

    bl_idname = "bsp2gltf.bake_light"
    bl_label = "Bake Light for Export"
    bl_options = {"REGISTER", "UNDO"}

    into: bpy.props.EnumProperty(name="Into", default="TEXTURES", items=(
        ("TEXTURES", "Textures", "One picture for each collection, with all that is seen: textures and light"),
        ("VERTICES", "Vertex Colours", "The light at each vertex; what reads the file multiplies it by the texture")))
    size: bpy.props.EnumProperty(name="Size", default="4096", items=[(s, s, f"{s} × {s} pixels") for s in ("1024", "2048", "4096", "8192")])
    as_emission: bpy.props.BoolProperty(
        name="As Emission", default=True, description="Looks the same under all lamps. Off: the pictures are the base colour")
    folder: bpy.props.StringProperty(name="Folder", subtype="DIR_PATH", description="Where the pictures go. Empty: beside the .blend")

    running = False  # one at a time
    doing = ""

    @classmethod
    def poll(cls, context):
        return not cls.running and bool(maps(context.scene)) and context.mode == "OBJECT"

    def invoke(self, context, event):
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, context):
        self.layout.prop(self, "into")
        if self.into == "TEXTURES":
            for name in ("size", "as_emission", "folder"):
                self.layout.prop(self, name)

    def execute(self, context):
        folder = bpy.path.abspath(self.folder or ("//" if bpy.data.is_saved else bpy.app.tempdir))
        os.makedirs(folder, exist_ok=True)
        self.steps = _steps(context, self.into, int(self.size), self.as_emission, folder)
        if bpy.app.background or not context.window:
            try:
                for _ in self.steps:
                    pass
            except TooSmall as e:
                self.report({"ERROR"}, str(e))
                return {"CANCELLED"}
            return self.done(context)
        BSP2GLTF_OT_bake_light.running = True
        self.timer = context.window_manager.event_timer_add(0.05, window=context.window)
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC" and event.value == "PRESS":
            return self.end(context, "Cancelled")
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        try:
            part, doing = next(self.steps)
            BSP2GLTF_OT_bake_light.doing = doing
            context.workspace.status_text_set(f"{doing}     Esc: cancel")
            context.window_manager.progress_update(100 * part)
        except StopIteration:
            self.end(context)
            return self.done(context)
        except Exception as e:  # the timer must end
            self.end(context)
            self.report({"ERROR"}, str(e))
            return {"CANCELLED"}
        return {"PASS_THROUGH"}

    def end(self, context, message: str = "") -> set:
        """Ends the run; what was made so far goes, unless all is there."""
        BSP2GLTF_OT_bake_light.running = False
        self.steps.close()
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        if message:
            self.report({"INFO"}, message)
        return {"CANCELLED"}

    def done(self, context) -> set:
        made = [o for c in bpy.data.collections if c.get(MARK) for o in c.objects]
        for obj in context.view_layer.objects:
            obj.select_set(obj in made)
        self.report({"INFO"}, f"{len(made)} objects are selected for export; the maps are switched off in the outliner")
        return {"FINISHED"}


class TooSmall(Exception):
    """The image has too few pixels. The message says what to do."""


def _steps(context, into: str, size: int, as_emission: bool, folder: str):
    """Bakes all maps. Yields the fraction that is done, and the current task. If it is closed early, it removes what it has made."""
    found = maps(context.scene)
    total, at, tops = sum(map(len, found.values())), 0, {}
    ready = False
    try:
        for root, parts in found.items():
            top = tops[root] = _new_top(context.scene, root)
            for name, objects in parts.items():
                yield at / total, f"{name}: copying"
                copies = _copies(top, name, objects)
                if into == "VERTICES":
                    vertexlight.into_vertices(copies)
                else:
                    picture = light_picture.into_picture(context, f"{top.name} {name}", copies, size, as_emission, folder)
                    while True:
                        try:
                            yield at / total, f"{name}: {next(picture)}"
                        except StopIteration as end:
                            if not end.value:
                                raise TooSmall(f"The parts of {name} don't fit into {size} pixels; choose a larger size") from None
                            break
                        except GeneratorExit:
                            picture.close()
                            raise
                at += 1
        ready = True
    finally:
        for root, top in tops.items():
            if ready:
                _switch_off(context, root, top)
            else:
                _remove(top[MARK])


# What is copied


def maps(scene) -> dict:
    """The roots of imported maps, each with its collections' names and the visible objects in them, including a sky shown by the World."""
    found: dict = {}
    for obj in scene.objects:
        hidden = obj.hide_render and not sky.is_sky(obj) or obj.get(arrange.MARKER)
        if obj.type != "MESH" or hidden or any(c.get(MARK) for c in obj.users_collection):
            continue
        root = obj
        while root.parent:
            root = root.parent
        if root.get("bsp2gltf_map") and obj.users_collection and len(obj.data.polygons):
            first = obj.users_collection[0]
            if first != scene.collection and not arrange.lies_in(obj, arrange.TRIGGERS):
                found.setdefault(root, {}).setdefault(first.get(arrange.PLACE) or first.name, []).append(obj)
    return found


def _new_top(scene, root):
    """An empty collection for the copies of a map. Earlier copies are deleted."""
    name = str(root["bsp2gltf_map"])
    _remove(name)
    top = bpy.data.collections.new(root.users_collection[0].name + " Export")
    top[MARK] = name
    scene.collection.children.link(top)
    return top


def _remove(name: str) -> None:
    """Deletes the copies of a map."""
    for old in [c for c in bpy.data.collections if c.get(MARK) == name]:
        for obj in list(old.objects):
            mesh = obj.data
            bpy.data.objects.remove(obj)
            if mesh.users == 0:
                bpy.data.meshes.remove(mesh)
        bpy.data.collections.remove(old)


def _copies(top, name: str, objects: list) -> list:
    """Copies of objects with meshes of their own, in a collection of their own. Objects that shared a mesh still do."""
    collection = bpy.data.collections.new(name + " Export")
    collection[MARK] = top[MARK]
    top.children.link(collection)
    meshes, copies = {}, []
    for obj in objects:
        copy = obj.copy()
        if obj.data not in meshes:
            meshes[obj.data] = obj.data.copy()
        copy.name, copy.data = obj.name + " Export", meshes[obj.data]
        copy.parent, copy.matrix_world = None, obj.matrix_world.copy()
        copy.display_type, copy.hide_select = "TEXTURED", False
        compat.show_to_camera(copy, True)
        collection.objects.link(copy)
        copies.append(copy)
    return copies


def _switch_off(context, root, top) -> None:
    """Excludes a map from the view layer, so that exporters see only its copies."""
    names = {c.name for c in root.users_collection} - {context.scene.collection.name, top.name}
    layers = [context.view_layer.layer_collection]
    while layers:
        layer = layers.pop()
        if layer.name in names:
            layer.exclude = True
        layers += layer.children


CLASSES = (BSP2GLTF_OT_bake_light,)
