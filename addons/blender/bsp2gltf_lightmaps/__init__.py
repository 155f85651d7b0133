# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Game maps in Blender: File > Import > Game map (.bsp), and the baked light of bsp2gltf's glTF files.

import_map.py     the import of maps: dialog, list of maps
import_model.py   the import of models and textures
model_parts.py    skins and body groups of models
import_options.py the dialogs' options
import_queue.py   the run behind them
jobs.py           one map's way through the program
again.py          a map that is imported again
share.py          what several imports have in common
split.py          the world by materials
weld.py           meshes that can be worked on
origins.py        origins of brush entities
program.py        the program: where it is, what it is asked
games.py          where textures come from
report_text.py    the report, for people
compat.py         what differs between versions of Blender
options.py        preferences and their defaults
preferences.py    how they are drawn
groups.py         node groups that multiply light
materials.py      materials that use them
importer.py       hooks of Blender's glTF importer
exporter.py       hooks of its exporter
node_copies.py    copies of the importer's nodes
textures.py       images that extras number
directed_light.py light on slopes, highlights
mirror.py         reflections
behind.py         what multiplies what is behind it
moving.py         textures that move
fog.py            fog by distance
mixed.py          baked light and lamps
relight.py        the map's own lamps with the bake off
grid_lamps.py     lamps guessed from a light grid
start.py          Blender's start scene
movements.py      movements
start_camera.py   a player's camera
arrange.py        collections, looks, the view
keyvalues.py      numbers in entities' key-values
sky.py            the sky
world_sky.py      the sky around the eye, in the World
sky_mapping.py    how the mesh of a sky maps directions to its textures
hdr.py            OpenEXR pages of light
map_files.py      files of light that lie beside a map's file
panel.py          the sidebar
ambient.py        the light of objects that are put into a map
bake.py           copies whose light every exporter writes
bake_process.py   the second Blender that bakes them
atlas.py          meshes unfolded into a picture
light_picture.py  the light of copies, in pictures
vertexlight.py    their light in vertex colours
export_meshes.py  what both need
"""

bl_info = {
    "name": "bsp2gltf: Game Maps",
    "author": "The bsp2gltf authors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > Game map (.bsp) and glTF 2.0, and View3D > Sidebar > bsp2gltf",
    "description": "Imports compiled game maps with their baked light",
    "category": "Import-Export",
}

from . import compat

compat.mend_numpy()  # before Blender's importer is loaded

import bpy  # noqa: E402

from . import ambient, bake, games, import_map, import_model, import_queue, model_parts, panel, preferences, relight  # noqa: E402
from .exporter import glTF2ExportUserExtension  # noqa: E402,F401  Blender's glTF add-on looks for these names here
from .importer import glTF2ImportUserExtension  # noqa: E402,F401
from .preferences import draw_import  # noqa: E402,F401

CLASSES = [c for m in (preferences, games, import_queue, import_map, import_model, model_parts, ambient, bake, relight, panel) for c in m.CLASSES]


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    import_map.register()
    import_model.register()


def unregister():
    import_model.unregister()
    import_map.unregister()
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
