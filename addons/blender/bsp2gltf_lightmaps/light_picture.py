# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Bakes what objects look like into one image, with Cycles, by the emission of their materials.

Long tasks are generators that yield what they are doing, so that the window can update between steps.
"""

import os

import bpy
import numpy

from . import atlas, bake_process, compat, export_meshes, groups, materials, moving

LAYER, UV = "bsp2gltf_export", "UVMap"  # the UV layer to bake to, and that of the copies


def into_picture(context, name: str, objects: list, side: int, as_emission: bool, folder: str):
    """Bakes objects into one image, and gives them materials that show it. Returns False if the image is too small."""
    meshes = export_meshes.meshes_of(objects)
    unfolded = atlas.Unfolded()
    for mesh, scale in meshes.items():
        unfolded.add(mesh, scale)
        yield "unfolding"
    uv = unfolded.pack(side)
    if uv is None:
        return False
    yield "unfolded"
    image = yield from _draw(context, name, list(meshes), uv, side, folder)
    shown, start = {}, 0
    for mesh in meshes:
        export_meshes.strip(mesh, 0)
        end = start + len(mesh.loops)
        mesh.uv_layers.new(name=UV).data.foreach_set("uv", uv[start:end].ravel())
        start = end
        chosen = []
        for mat in mesh.materials:
            kind = mat and (export_meshes.is_clear(mat), mat.use_backface_culling, getattr(mat, "blend_method", ""), getattr(mat, "alpha_threshold", 0))
            if kind and kind not in shown:
                shown[kind] = _picture_material(name, mat, image, as_emission)
            chosen.append(shown.get(kind))
        export_meshes.set_materials(mesh, chosen)
    return True


def _draw(context, name: str, meshes: list, uv, side: int, folder: str):
    """Bakes the emission of the meshes' materials into an image, where uv states the position of each corner."""
    path = os.path.join(folder, bpy.path.clean_name(name) + ".png")
    scene = bpy.data.scenes.new(name)
    joined = _joined(meshes, uv)
    obj = bpy.data.objects.new(name, joined)
    scene.collection.objects.link(obj)
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.device = 1, "CPU"
    scene.cycles.use_denoising = scene.cycles.use_adaptive_sampling = False
    image = bpy.data.images.new(name, side, side, alpha=True)
    image.alpha_mode = "CHANNEL_PACKED"  # set first, because setting it empties an image
    clear = bpy.data.images.new(name + " alpha", side, side) if any(m and export_meshes.is_clear(m) for m in joined.materials) else None
    try:
        yield from _shine(context, scene, obj, image, path, _colour_of)
        if clear:
            clear.colorspace_settings.name = "Non-Color"
            yield from _shine(context, scene, obj, clear, path + ".alpha.png", _alpha_of)
            _put_alpha(image, clear)
    finally:
        bpy.data.objects.remove(obj)
        bpy.data.meshes.remove(joined)
        bpy.data.scenes.remove(scene)
        if clear:
            bpy.data.images.remove(clear)
            if os.path.exists(path + ".alpha.png"):
                os.remove(path + ".alpha.png")
    image.file_format, image.filepath_raw = "PNG", path
    image.save()
    image.source = "FILE"
    return image


def _joined(meshes: list, uv):
    """One mesh with all that Cycles needs of many: faces, materials, UV layers, colours."""
    joined = bpy.data.meshes.new("joined")
    for kind, size, name in (("vertices", 3, "co"), ("loops", 1, "vertex_index"), ("polygons", 1, "loop_start"), ("polygons", 1, "loop_total"),
                             ("polygons", 1, "material_index")):
        parts, shift = [], 0
        for mesh in meshes:
            values = numpy.empty(size * len(getattr(mesh, kind)), "f4" if name == "co" else "i4")
            getattr(mesh, kind).foreach_get(name, values)
            parts.append(values + shift if name != "co" and name != "loop_total" else values)
            shift += {"vertex_index": len(mesh.vertices), "loop_start": len(mesh.loops), "material_index": max(len(mesh.materials), 1)}.get(name, 0)
        values = numpy.concatenate(parts)
        target = getattr(joined, kind)
        if not len(target):
            target.add(len(values) // size)
        target.foreach_set(name, values)
    for mesh in meshes:
        for mat in list(mesh.materials) or [None]:
            joined.materials.append(mat)
    for name in dict.fromkeys(layer.name for mesh in meshes for layer in mesh.uv_layers):
        joined.uv_layers.new(name=name).data.foreach_set("uv", numpy.concatenate([export_meshes.uv_of(m, name) for m in meshes]).ravel())
    for name in dict.fromkeys(c.name for mesh in meshes for c in mesh.color_attributes):
        joined.color_attributes.new(name, "FLOAT_COLOR", "CORNER").data.foreach_set(
            "color", numpy.concatenate([export_meshes.colours_of(m, name) for m in meshes]).ravel())
    layer = joined.uv_layers.new(name=LAYER)
    layer.data.foreach_set("uv", uv.ravel())
    joined.uv_layers.active = layer
    joined.update(calc_edges=True)
    return joined


def _shine(context, scene, obj, image, path: str, shader):
    """Bakes the emission shader(tree) of each material of the object. A second Blender saves the image at path."""
    before, mesh = list(obj.data.materials), obj.data
    made = {mat: _shining(mat, image, shader) for mat in dict.fromkeys(before)}
    for i, mat in enumerate(before):
        mesh.materials[i] = made[mat]
    layer = scene.view_layers[0]
    layer.objects.active = obj
    obj.select_set(True, view_layer=layer)
    try:
        if bpy.app.background or not context.window:
            with context.temp_override(scene=scene, view_layer=layer, object=obj, active_object=obj, selected_objects=[obj],
                                       selected_editable_objects=[obj]):
                bpy.ops.object.bake(**bake_process.HOW)
        else:
            for seconds in bake_process.bake(scene, image, path):
                yield f"drawing, {seconds:.0f} s"
    finally:
        for i, mat in enumerate(before):
            mesh.materials[i] = mat
        for mat in made.values():
            bpy.data.materials.remove(mat)


def _shining(mat, image, shader):
    """A copy of a material that only emits, to be baked into an image."""
    copy = mat.copy() if mat else bpy.data.materials.new("none")
    compat.use_nodes(copy)
    tree = copy.node_tree
    surface = shader(tree)
    for node in [n for n in tree.nodes if n.bl_idname == "ShaderNodeOutputMaterial"]:
        tree.nodes.remove(node)
    for node in [n for n in tree.nodes if n.bl_idname == "ShaderNodeGroup" and n.node_tree and n.node_tree.get(groups.KIND) == moving.TIME]:
        now = tree.nodes.new("ShaderNodeValue")  # the driver of the time refers to the scene, so all of it would go to the second Blender
        now.outputs[0].default_value = moving.seconds()
        for link in list(node.outputs[0].links):
            tree.links.new(now.outputs[0], link.to_socket)
        tree.nodes.remove(node)
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(surface, output.inputs["Surface"])
    target = tree.nodes.new("ShaderNodeTexImage")
    target.image = image
    tree.nodes.active = target
    return copy


def _colour_of(tree):
    """The shader of all light that a material emits: the map's light, or an unlit colour. Other materials get full light."""
    if light := materials.light_node(tree):
        return light.outputs["Light"]
    bsdf, unlit = materials.node_of(tree, "ShaderNodeBsdfPrincipled"), materials.node_of(tree, "ShaderNodeEmission")
    if bsdf is None:
        return (unlit or tree.nodes.new("ShaderNodeEmission")).outputs[0]
    total = tree.nodes.new("ShaderNodeAddShader")
    for i, name in enumerate(("Base Color", compat.emission_input(bsdf).name)):
        part = tree.nodes.new("ShaderNodeEmission")
        materials.copy_input(tree, bsdf.inputs[name], part.inputs["Color"])
        if i:
            materials.copy_input(tree, bsdf.inputs["Emission Strength"], part.inputs["Strength"])
        tree.links.new(part.outputs[0], total.inputs[i])
    return total.outputs[0]


def _alpha_of(tree):
    """An emission shader as bright as a material is opaque."""
    part = tree.nodes.new("ShaderNodeEmission")
    grey = tree.nodes.new("ShaderNodeCombineXYZ")
    if alpha := export_meshes.alpha_input(tree):
        for target in grey.inputs:
            materials.copy_input(tree, alpha, target)
    else:
        for target in grey.inputs:
            target.default_value = 1.0
    tree.links.new(grey.outputs[0], part.inputs["Color"])
    return part.outputs[0]


def _put_alpha(image, clear) -> None:
    """Sets the alpha of an image from the brightness of another."""
    pixels = numpy.empty(4 * image.size[0] * image.size[1], "f4")
    clear.pixels.foreach_get(pixels)
    alpha = pixels[0::4].copy()
    image.pixels.foreach_get(pixels)
    pixels[3::4] = alpha
    image.pixels.foreach_set(pixels)
    image.update()


def _picture_material(name: str, original, image, as_emission: bool):
    """A material that shows only an image, with the transparency of the original."""
    mat, bsdf, texture = export_meshes.plain(f"{name} {original.name}" if export_meshes.is_clear(original) else name, original)
    texture.image = image
    if as_emission:
        bsdf.inputs["Base Color"].default_value = groups.BLACK
        bsdf.inputs["Emission Strength"].default_value = 1.0
        mat.node_tree.links.new(texture.outputs["Color"], compat.emission_input(bsdf))
    else:
        mat.node_tree.links.new(texture.outputs["Color"], bsdf.inputs["Base Color"])
    if export_meshes.is_clear(original):
        mat.node_tree.links.new(texture.outputs["Alpha"], bsdf.inputs["Alpha"])
    return mat
