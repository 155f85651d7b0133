# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Hooks into Blender's own glTF importer, through its interface for add-ons.

Blender's importer does not know MOZ_lightmap, and does not even load its image.
"""

import math
import os

import bpy

from . import movements, ambient, arrange, behind, map_files, compat, fog, hdr, materials, mirror, model_parts, moving, options, directed_light, sky, start, textures, weld
from .exporter import EXTENSION

# Blender's own view transforms for a new scene, up to 3.6 and from 4.0.
FACTORY_VIEWS = {"Filmic", "AgX"}


class glTF2ImportUserExtension:
    """The importer makes one of these per import and calls its hooks. If a hook raises an exception, it only prints that."""

    def __init__(self):
        self.extensions = [compat.new_extension(EXTENSION, {}, True)]  # so that files that require it can be opened
        self.uv_maps: dict[str, str] = {}  # the UV layer of the lightmap, by material
        self.arrived: list = []  # (glTF node or None, object), parents first
        self.scene_before: dict = {}
        self.found = False
        self.new, self.start = start.is_new(bpy.context.scene), start.left_over(bpy.context.scene)  # before the importer makes anything

    def gather_import_scene_before_hook(self, gltf_scene, scene, gltf):
        self.scene_before = arrange.properties(bpy.context.scene)

    def gather_import_image_after_hook(self, gltf_image, image, gltf):
        # If a material does not use the alpha, Cycles multiplies the colour by it. glTF never multiplies the two.
        if image is not None and is_ours(gltf):
            image.alpha_mode = "CHANNEL_PACKED"

    def gather_import_material_after_hook(self, gltf_material, vertex_color, mat, gltf):
        extensions, extras = gltf_material.extensions or {}, gltf_material.extras or {}
        cutoff = None
        if gltf_material.alpha_mode == "MASK":
            cutoff = 0.5 if gltf_material.alpha_cutoff is None else gltf_material.alpha_cutoff
        if "KHR_materials_unlit" in extensions:  # it takes precedence over a lightmap
            if is_ours(gltf) and not extras.get("bsp2gltf_sky"):
                if behind.show(gltf, mat, extras):
                    return
                moved = mirror.chrome(mat, extras) or moving.move(gltf, mat, extras, self.unit(gltf))
                shown = materials.show_vertex_light(
                    mat, materials.display_of(extensions["KHR_materials_unlit"]), cutoff, moved, bool(extras.get("over_alpha")))
                self.found |= shown
                if shown:
                    mirror.show(gltf, mat, extras)
                elif moved:
                    materials.show(mat, moved)
            return
        content = extensions.get(EXTENSION)
        if not isinstance(content, dict) or "KHR_materials_transmission" in extensions:
            return  # a transmissive material shows what is behind it
        index = textures.index(gltf, content.get("index"))
        image = _page(gltf, index)
        if image is None:
            print(f"bsp2gltf: {mat.name}: the lightmap is missing")
            return
        lightmap = materials.Lightmap(content, image)
        moved = mirror.chrome(mat, extras) or moving.move(gltf, mat, extras, self.unit(gltf))
        if materials.show_lightmap(mat, lightmap, cutoff, moved):
            directed_light.show(gltf, mat, extras)
            mirror.show(gltf, mat, extras)
            self.uv_maps[mat.name] = lightmap.uv_map
            self.found = True
            hdr.remember(mat, gltf, index, map_files.map_of(_scene_extras(gltf)))

    def unit(self, gltf) -> float:
        """The metres per map unit."""
        stated = _scene_extras(gltf).get("bsp2gltf_unit")
        return float(stated) if isinstance(stated, (int, float)) and stated > 0 else 0.03125

    def _fogs(self, gltf) -> dict:
        """The fog of each mesh object. The 3D skybox has its own."""
        found, below = {}, {}
        own = fog.of(_scene_extras(gltf))
        for node, obj in self.arrived:
            below[obj] = below.get(obj.parent) or (obj if obj.get("bsp2gltf_skybox_3d") else None)
            if obj.type == "MESH":
                found[obj] = fog.of((below[obj] or {})) if below[obj] else own
        return found if any(found.values()) else {}

    def gather_import_mesh_after_hook(self, gltf_mesh, mesh, gltf):
        for i, mat in enumerate(mesh.materials):
            uv_map = mat and self.uv_maps.get(mat.name)
            if uv_map and uv_map not in mesh.uv_layers:
                print(f"bsp2gltf: {mesh.name}: no UV layer {uv_map} for the lightmap of {mat.name}")
                mesh.materials[i] = materials.without_lightmap_uv(mat)
        if is_ours(gltf):
            weld.clean(mesh, options.get().weld, options.get().polygons)

    def gather_import_node_after_hook(self, vnode, gltf_node, obj, gltf):
        self.arrived.append((gltf_node, obj))
        if sky.is_sky(obj) and options.get().sky_camera_only:
            sky.camera_only(obj)

    def gather_import_scene_after_animation_hook(self, gltf_scene, scene, gltf):
        scene = bpy.context.scene
        if not is_ours(gltf):
            return
        chosen = options.get()
        skies = [o for _, o in self.arrived if sky.is_sky(o)]
        set_up = chosen.set_up_new_scene and self.new
        of_map = arrange.is_map([o for _, o in self.arrived], _scene_extras(gltf))
        if set_up:  # for a single model the lamp and the camera stay
            start.put_away([o for o in self.start if of_map or o.type == "MESH"])
        movements.settle(gltf, [o for _, o in self.arrived], set_up)
        if chosen.hdr:
            for line in hdr.use(os.path.dirname(gltf.filename or ""), self.uv_maps)[1]:
                print(f"bsp2gltf: {line}")
        arrange.arrange(gltf_scene, scene, self.arrived, self.scene_before)
        if not of_map:
            model_parts.settle(gltf, [o for _, o in self.arrived])
        if root := next((o for _, o in self.arrived if o.parent is None), None):
            fog.show(root, self._fogs(gltf))
            ambient.keep(gltf, (gltf_scene.extras if gltf_scene else None) or {}, root)
        if chosen.sky_around_the_eye and self.new:
            bpy.context.view_layer.update()  # the transforms of the skies
            sky.around_the_eye(scene, skies, chosen.sky_camera_only)
        if skies and chosen.world_from_sky:
            sky.world_from_sky(scene, skies)
        if self.found and set_up:
            if scene.view_settings.view_transform in FACTORY_VIEWS:
                scene.view_settings.view_transform = "Standard"
            scene.view_settings.exposure = exposure_of(_scene_extras(gltf))
            scene.view_settings.gamma = gamma_of(_scene_extras(gltf))
            arrange.show(scene, [o for _, o in self.arrived])


def is_ours(gltf) -> bool:
    asset = gltf.data.asset
    return "bsp2gltf" in (asset.generator or "") or EXTENSION in (gltf.data.extensions_used or [])


def exposure_of(extras: dict) -> float:
    """The game's initial exposure in stops; 0 if the file states none."""
    factor = extras.get("bsp2gltf_exposure")
    return math.log2(factor) if isinstance(factor, (int, float)) and 2 ** -6 <= factor <= 2 ** 6 else 0.0


def gamma_of(extras: dict) -> float:
    """The display gamma that the game ships with; 1 if the file states none."""
    gamma = extras.get("bsp2gltf_gamma")
    return float(gamma) if isinstance(gamma, (int, float)) and 0.2 <= gamma <= 5 else 1.0


def _scene_extras(gltf) -> dict:
    """The extras of the file's scene."""
    scenes, index = gltf.data.scenes or [], gltf.data.scene or 0
    extras = scenes[index].extras if 0 <= index < len(scenes) else None
    return extras if isinstance(extras, dict) else {}


def _page(gltf, index: int | None):
    """The image of a lightmap, loaded once per file."""
    image = compat.load_image(gltf, index) if index is not None else None
    if image is not None and not image.is_float:
        image.colorspace_settings.name = "sRGB"
    return image
