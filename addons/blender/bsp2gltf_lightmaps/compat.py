# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Hides the differences between the versions of Blender, 3.4 to 5.x, and of the NumPy beside it."""

import importlib
import inspect
import math

import bpy

try:
    import numpy
except ImportError:  # Blender's own importer reports that
    numpy = None


def mend_numpy() -> None:
    """Restores NumPy's old name for bool.

    The glTF importer of Blender 3.4 and 3.5 uses numpy.bool, which NumPy 1.24 removed. Blender's own downloads contain an older NumPy,
    but Debian 12 has Blender 3.4 with NumPy 1.24, where no mesh would be imported.
    """
    if numpy is not None and "bool" not in vars(numpy):
        numpy.bool = bool


def io_module(*names: str):
    """The first of several modules of Blender's glTF add-on that this version has."""
    for name in names:
        try:
            return importlib.import_module("io_scene_gltf2." + name)
        except ImportError:
            continue
    raise ImportError("Blender's glTF add-on has none of " + ", ".join(names))


def new_extension(name: str, content, required: bool):
    """An entry for the "extensions" of something that is imported or exported."""
    return io_module("io.com.gltf2_io_extensions", "io.com.extensions").Extension(
        name=name, extension=content, required=required)


def load_image(gltf, index: int):
    """The Blender image of a glTF image, loaded by the importer itself, once per file."""
    importer = io_module("blender.imp.image", "blender.imp.gltf2_blender_image").BlenderImage
    more = len(inspect.signature(importer.create).parameters) - 2  # later versions have a flag for KTX
    importer.create(gltf, index, *[False] * more)
    return bpy.data.images.get(gltf.data.images[index].blender_image_name or "")


def buffer_view(gltf, index: int):
    """The bytes of a buffer view of the file being imported."""
    return io_module("io.imp.gltf2_io_binary").BinaryData.get_buffer_view(gltf, index)


def exported_image(data: bytes, mime: str, name: str, settings):
    """An image for the exporter: in a buffer view, or in a file of its own."""
    image = io_module("io.com.gltf2_io").Image
    if settings.get("gltf_format") == "GLTF_SEPARATE":
        uri = io_module("io.exp.image_data", "io.exp.gltf2_io_image_data").ImageData(data, mime, name)
        return image(buffer_view=None, extensions=None, extras=None, mime_type=mime, name=name, uri=uri)
    view = io_module("io.exp.binary_data", "io.exp.gltf2_io_binary_data").BinaryData(data)
    return image(buffer_view=view, extensions=None, extras=None, mime_type=mime, name=name, uri=None)


def exported_texture(image):
    """A texture for the exporter, with linear filtering and clamped edges."""
    io = io_module("io.com.gltf2_io")
    sampler = io.Sampler(extensions=None, extras=None, mag_filter=9729, min_filter=9729, name=None, wrap_s=33071,
                         wrap_t=33071)
    return io.Texture(extensions=None, extras=None, name=None, sampler=sampler, source=image)


def import_settings() -> dict:
    """The settings of Blender's importer for our files: no mesh that shows bones, of which each armature would get one."""
    known = bpy.ops.import_scene.gltf.get_rna_type().properties.keys()
    return {"disable_bone_shape": True} if "disable_bone_shape" in known else {}


def use_nodes(owner) -> None:
    """Enables nodes for a material or a World. Since 5.0 they are always enabled, and setting that is deprecated."""
    if owner.node_tree is None or bpy.app.version < (5, 0, 0) and not owner.use_nodes:
        owner.use_nodes = True


def area_watts(watts: float) -> float:
    """The watts to set on an area lamp: 3.4 shows a quarter of pi of them (measured; 4.5 and 5.0 show all)."""
    return watts if bpy.app.version >= (4, 0, 0) else watts * 4 / math.pi


def add_socket(group, kind: str, name: str, in_out: str):
    """Adds an input or output to a node group."""
    if hasattr(group, "interface"):  # 4.0 on
        return group.interface.new_socket(name=name, in_out=in_out, socket_type=kind)
    return (group.inputs if in_out == "INPUT" else group.outputs).new(kind, name)


def curves_of(action, slot) -> list:
    """The curves of an action for one of its users, which since 4.4 has a slot."""
    if slot is None:
        return list(action.fcurves)
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags if bag.slot_handle == slot.handle]
    return [curve for bag in bags for curve in bag.fcurves]


def corner_normals(mesh):
    """The normals of a mesh's corners, one row each."""
    values = numpy.empty(3 * len(mesh.loops), "f4")
    if hasattr(mesh, "corner_normals"):  # 4.1 on
        mesh.corner_normals.foreach_get("vector", values)
    else:
        mesh.calc_normals_split()
        mesh.loops.foreach_get("normal", values)
    return values.reshape(-1, 3)


def emission_input(bsdf):
    """The emission colour of a Principled BSDF, which 4.0 renamed."""
    return bsdf.inputs["Emission Color" if "Emission Color" in bsdf.inputs else "Emission"]


def show_to_camera(obj, shown: bool) -> None:
    """Hides an object from the camera only, if this version can: exporters to USD leave out objects that are not rendered at all."""
    obj.visible_camera = shown
    if bpy.app.version < (4, 2, 0):  # EEVEE ignored ray visibility
        obj.hide_render = not shown


def keep_from_light_sampling(mat) -> None:
    """In Cycles, the map still lights what rays hit, but its 100,000 triangles are not sampled as lamps."""
    cycles = getattr(mat, "cycles", None)
    if hasattr(cycles, "emission_sampling"):  # 3.5 on
        cycles.emission_sampling = "NONE"
    elif hasattr(cycles, "sample_as_light"):
        cycles.sample_as_light = False
