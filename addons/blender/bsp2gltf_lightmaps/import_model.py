# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""File > Import > Game model and Game textures: models with skeletons, skins and sequences; textures as images and materials."""

import os
import subprocess
import tempfile

import bpy
import numpy
from bpy.props import BoolProperty, CollectionProperty, StringProperty

from . import compat, games, import_queue, jobs, materials, program, share
from .import_options import Source

MODELS = (".mdl", ".md2", ".md3", ".spr", ".iqm", ".md5mesh", ".zym", ".dpm")
TEXTURES = (".vtf", ".wad", ".wal", ".mip", ".lmp", ".qpic", ".pcx", ".dds", ".ktx", ".crn")
FULL = (".wad", ".bsp")  # hold several textures


class Files:
    """The choice of a file dialog."""

    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"SKIP_SAVE"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"SKIP_SAVE"})

    def invoke(self, context, event):
        if self.filepath and self.files:  # dropped on the window (since 4.1)
            return self.execute(context)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def chosen(self) -> list[str]:
        """The full paths. Raises ValueError if one does not exist, or if none is chosen."""
        names = [f.name for f in self.files if f.name]
        paths = [os.path.join(self.directory, n) for n in names] if names else [p for p in (self.filepath,) if p]
        paths = [games.full_path(p) for p in paths]
        for path in paths:
            if not os.path.isfile(program.split(path)[0]):
                raise ValueError(f"{path}: no such file")
        if not paths:
            raise ValueError("No file is chosen")
        return paths


class BSP2GLTF_OT_import_model(Files, Source, bpy.types.Operator):
    """Import models of Quake, Quake II, Quake III, GoldSrc, Source, DarkPlaces and their kin, with their skeletons and sequences"""

    bl_idname = "import_scene.bsp2gltf_model"
    bl_label = "Import Game Model"

    filter_glob: StringProperty(options={"HIDDEN"}, default=";".join("*" + s for s in MODELS))
    sequences: StringProperty(
        name="Sequences", default="*", description="Names of the sequences that become actions, separated by commas; * matches any letters. "
        "Empty: none")
    skins: BoolProperty(name="Skins", description="All skins of a model, to choose from in the sidebar", default=True)
    bodygroups: BoolProperty(name="Body Groups", description="All variants of body parts, in a collection each", default=True)
    attachments: BoolProperty(name="Attachments", description="The places where games attach things, as empties on their bones", default=True)
    hit_boxes: BoolProperty(name="Hit Boxes", description="The boxes that shots hit, on their bones", default=False)

    def settings(self) -> list[str]:
        return ["models.skins=" + ("variants" if self.skins else "used"), "model.bodygroups=" + ("all" if self.bodygroups else "default"),
                "model.attachments=" + str(self.attachments).lower(), "model.hitboxes=" + str(self.hit_boxes).lower()]

    def draw(self, context):
        layout = self.layout
        self.draw_source(layout)
        layout.prop(self, "sequences")
        column = layout.column(heading="Bring")
        for name in ("skins", "bodygroups", "attachments", "hit_boxes"):
            column.prop(self, name)
        self.draw_meshes(layout)
        self.draw_more(layout)

    def execute(self, context):
        try:
            chosen = self.chosen()
        except ValueError as e:
            self.report({"ERROR"}, str(e))
            return {"CANCELLED"}
        if not self.ready(self):
            return {"CANCELLED"}
        arguments = [*self.arguments(), "--sequences", self.sequences.strip() or "none"]
        return import_queue.start(self, context, [jobs.Wanted(p, arguments, self.meshes(), self.again, command=("model",)) for p in chosen])


class BSP2GLTF_OT_import_texture(Files, bpy.types.Operator):
    """Import textures of games as images: .vtf, .wad, .wal and others, or those inside a map"""

    bl_idname = "import_image.bsp2gltf"
    bl_label = "Import Game Textures"
    bl_options = {"UNDO"}

    filter_glob: StringProperty(options={"HIDDEN"}, default=";".join("*" + s for s in (*TEXTURES, ".bsp")))
    palette: StringProperty(name="Palette", description="The file with the colours of Quake's textures: palette.lmp, or colormap.pcx of Quake II. "
                            "Empty: Quake's are looked for beside them")
    with_materials: BoolProperty(name="Materials", description="A material for each image", default=True)

    def draw(self, context):
        self.layout.use_property_split = True
        self.layout.prop(self, "palette")
        self.layout.prop(self, "with_materials")

    def execute(self, context):
        before, problems = set(bpy.data.images), []
        try:
            for path in self.chosen():
                with tempfile.TemporaryDirectory(prefix="bsp2gltf-") as folder:
                    if problem := self.convert(path, folder):
                        problems.append(f"{os.path.basename(path)}: {problem}")
                    for picture in _pictures(folder):
                        _image(picture)
        except (ValueError, OSError, program.Missing) as e:
            self.report({"ERROR"}, str(e))
            return {"CANCELLED"}
        made = share.images(before)
        share.plain_names(made)
        if self.with_materials:
            for image in made:
                _material(image)
        if problems:
            self.report({"ERROR"}, problems[0] + (f", and {len(problems) - 1} more" if problems[1:] else ""))
        else:
            self.report({"INFO"}, f"{len(made)} images")
        return {"FINISHED"} if made else {"CANCELLED"}

    def convert(self, path: str, folder: str) -> str:
        """Writes the images of a file into a folder. Returns an error message, or ""."""
        inside = program.split(path)[1] or path
        stem = os.path.splitext(os.path.basename(inside))[0]
        out = folder if inside.lower().endswith(FULL) else os.path.join(folder, stem + ".png")
        command = [program.find(), "texture", path, out, "--color", "never"]
        if self.palette.strip():
            command += ["--palette", games.full_path(self.palette)]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace", **program.NO_WINDOW)
        return (program.last_line(done.stderr) or f"bsp2gltf ended with code {done.returncode}") if done.returncode else ""


def _pictures(folder: str) -> list[str]:
    return sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name.endswith((".png", ".exr")))


def _image(path: str) -> None:
    """Loads an image into the .blend, with a fake user."""
    image = bpy.data.images.load(path, check_existing=False)
    image.name = os.path.splitext(os.path.basename(path))[0]
    image.alpha_mode = "CHANNEL_PACKED"
    image.pack()
    image.filepath_raw = "//" + os.path.basename(path)
    image.use_fake_user = True


def _material(image):
    """Makes a diffuse material of an image, unless one exists. Transparent pixels are cut out."""
    if image.name in bpy.data.materials:
        return
    mat = bpy.data.materials.new(image.name)
    mat.use_fake_user = True
    compat.use_nodes(mat)
    bsdf = materials.node_of(mat.node_tree, "ShaderNodeBsdfPrincipled")
    bsdf.inputs["Roughness"].default_value = 1.0
    texture = mat.node_tree.nodes.new("ShaderNodeTexImage")
    texture.image, texture.location = image, (bsdf.location.x - 320, bsdf.location.y)
    mat.node_tree.links.new(texture.outputs["Color"], bsdf.inputs["Base Color"])
    pixels = numpy.empty(image.channels * image.size[0] * image.size[1], "f4")
    image.pixels.foreach_get(pixels)
    if image.channels == 4 and float(pixels[3::4].min(initial=1)) < 0.99:
        mat.node_tree.links.new(texture.outputs["Alpha"], bsdf.inputs["Alpha"])
        if hasattr(mat, "blend_method"):
            mat.blend_method = "CLIP"


def menu(self, context):
    self.layout.operator(BSP2GLTF_OT_import_model.bl_idname, text=f"Game model ({', '.join(MODELS[:4])}, …)")
    self.layout.operator(BSP2GLTF_OT_import_texture.bl_idname, text=f"Game textures ({', '.join(TEXTURES[:3])}, …)")


def register() -> None:
    bpy.types.TOPBAR_MT_file_import.append(menu)


def unregister() -> None:
    bpy.types.TOPBAR_MT_file_import.remove(menu)


CLASSES = [BSP2GLTF_OT_import_model, BSP2GLTF_OT_import_texture]

if hasattr(bpy.types, "FileHandler"):  # since 4.1: files dropped on the 3D view

    class BSP2GLTF_FH_model(bpy.types.FileHandler):
        bl_idname = "BSP2GLTF_FH_model"
        bl_label = "Game model"
        bl_import_operator = BSP2GLTF_OT_import_model.bl_idname
        bl_file_extensions = ";".join(MODELS)

        @classmethod
        def poll_drop(cls, context):
            return context.area and context.area.type == "VIEW_3D"

    class BSP2GLTF_FH_texture(bpy.types.FileHandler):
        bl_idname = "BSP2GLTF_FH_texture"
        bl_label = "Game textures"
        bl_import_operator = BSP2GLTF_OT_import_texture.bl_idname
        bl_file_extensions = ";".join(s for s in TEXTURES if s != ".dds")  # Blender itself imports that

        @classmethod
        def poll_drop(cls, context):
            return context.area and context.area.type in ("VIEW_3D", "IMAGE_EDITOR")

    CLASSES += [BSP2GLTF_FH_model, BSP2GLTF_FH_texture]
