# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""The options of the import dialogs, as the program's arguments."""

import os
import re
import shlex

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from . import games, import_queue, jobs, options, program

# What to import: name, title, description, default, the setting for True and the one for False.
BRING = (
    ("sky", "Sky", "The sky as a box or a dome around the map", True, "sky.mode=mesh", "sky.mode=none"),
    ("skybox", "3D Skybox", "The scenery around the map at its scale (Source)", True, "sky.box=true", "sky.box=false"),
    ("lamps", "Lamps", "The map's lamps as lights", True, "entities.lights=true", "entities.lights=false"),
    ("props", "Props", "Models that stand in the map, grass, ropes and sprites", True, "", (
        "entities.props=none", "entities.details=none", "entities.characters=false", "entities.ropes=false",
        "entities.sprites=false")),
    ("collision", "Collision", "What physics knows of the map, as convex solids in a collection of their own", False,
     "geometry.collision=brushes", ""),
    ("hidden", "Hidden Surfaces", "Surfaces that the game never draws: clips, hints, triggers", False,
     "output.hidden=true", ""),
)
SETTING = re.compile(r"[a-z_]+(\.[a-z0-9_]+)+=.*", re.DOTALL)


class Source:
    """Where textures and models come from, and options without a button of their own; for all dialogs."""

    game: EnumProperty(name="Game", description="Where textures and models come from", items=games.items)
    folder: StringProperty(
        name="Folder", description="Another game folder (with gameinfo.txt, or with textures in it) or archive. It is "
        "remembered, and in the list above the next time. // is the folder of the .blend", subtype="NONE")
    weld: BoolProperty(name=options.ARRANGE["weld"][1], description=options.ARRANGE["weld"][2], default=True)
    polygons: BoolProperty(name=options.ARRANGE["polygons"][1], description=options.ARRANGE["polygons"][2], default=True)
    unit: FloatProperty(
        name="Metres per Unit", description="Metres per map unit. 0: the game's own (0.0254 for Source and GoldSrc, else 1/32)",
        default=0.0, min=0.0, soft_max=1.0, precision=4)
    again: EnumProperty(name="If It Is Here", description="What happens to the same map or model of an earlier import", default="ASK", items=(
        ("ASK", "Ask", "Ask; a script that can't be asked replaces it"),
        ("REPLACE", "Replace", "Replace it where it is. Your own objects stay, and materials that you changed"),
        ("ADD", "Keep Both", "Add another one")))
    more: StringProperty(
        name="More Options", description="Any options of bsp2gltf as KEY=VALUE, separated by spaces: lightmap.padding=4 sky.fog=false. "
        "\"bsp2gltf config list\" lists them, and docs/reference/options.md")

    def arguments(self) -> list[str]:
        """The program's arguments. Raises ValueError if an option is invalid."""
        found = self.settings()
        if self.unit > 0:
            found.append(f"output.unit={self.unit:.9g}")
        for word in shlex.split(self.more):
            if not SETTING.fullmatch(word):
                raise ValueError(f"{word}: is no KEY=VALUE like lightmap.padding=4")
            found.append(word)
        return [a for s in found if s for a in ("--set", s)] + [a for f in self.folders() for a in ("--game", f)]

    def settings(self) -> list[str]:
        return []

    def folders(self) -> list[str]:
        """The chosen game folders, which are remembered."""
        chosen = games.full_path(self.folder)
        return [f for f in (chosen, self.game if self.game not in ("", games.AROUND) else "") if f]

    def meshes(self) -> dict:
        """The preferences that the dialog sets for its import."""
        return {"weld": self.weld, "polygons": self.polygons}

    def draw_source(self, layout) -> None:
        layout.use_property_split = True
        box = layout.column(heading="Textures and Models")
        box.prop(self, "game")
        box.prop(self, "folder")
        if getattr(bpy.context.space_data, "type", "") == "FILE_BROWSER":
            box.operator("bsp2gltf.use_folder", icon="FILE_FOLDER")

    def draw_meshes(self, layout):
        column = layout.column(heading="Meshes")
        column.prop(self, "weld")
        column.prop(self, "polygons")
        return column

    def draw_more(self, layout) -> None:
        layout.prop(self, "again")
        layout.prop(self, "unit")
        layout.prop(self, "more")

    def ready(self, operator) -> bool:
        """Reports whether the import can begin. If not, it shows why. Chosen folders are remembered."""
        try:
            program.find()
            self.arguments()
            for folder in self.folders():
                if not os.path.exists(folder):
                    raise ValueError(f"{folder}: no such folder or archive")
        except (program.Missing, ValueError) as e:
            operator.report({"ERROR"}, str(e))
            return False
        if self.folders():
            games.remember(self.folders())
        return True


class Options(Source):
    """The options of both dialogs for maps."""

    light: EnumProperty(name="Light", description="Which light of a map that has two (Source)", default="hdr", items=(
        ("hdr", "HDR", "Calculated for high dynamic range, where the map has it"),
        ("ldr", "LDR", "Calculated for low dynamic range, where the map has it")))
    show_hdr: BoolProperty(
        name="Light above White", description="Bring the light as OpenEXR images too, packed into the .blend, and show it: "
        "nothing is cut off at white", default=False)
    split: EnumProperty(name="Split", description="Split the world into objects", default="NONE", items=(
        ("NONE", "One Mesh", "The world is one object"),
        ("AREAS", "Areas", "An object for each area of the map's visibility, else for each cell of 32 metres"),
        ("CELLS", "Cells", "An object for each cell of a grid"),
        ("MATERIALS", "Materials", "An object for each material")))
    cell: IntProperty(name="Cell", description="Metres of a cell's side", default=16, min=1, soft_max=256)

    def settings(self) -> list[str]:
        found = ["entities.start_camera=true", f"lightmap.light={self.light}", "lightmap.hdr=" + ("always" if self.show_hdr else "none"),
                 {"AREAS": "output.split=areas", "CELLS": f"output.split=grid:{self.cell}"}.get(self.split, "")]
        for name, _, _, _, on, off in BRING:
            chosen = on if getattr(self, name) else off
            found += [chosen] if isinstance(chosen, str) else chosen
        return found

    def draw_options(self, layout) -> None:
        self.draw_source(layout)
        column = layout.column(heading="Bring")
        for name, *_ in BRING:
            column.prop(self, name)
        column = self.draw_meshes(layout)
        column.prop(self, "split")
        if self.split == "CELLS":
            column.prop(self, "cell")
        layout.prop(self, "light")
        layout.prop(self, "show_hdr")
        self.draw_more(layout)

    def start(self, operator, context, maps: list[str]) -> set:
        """Converts and imports maps."""
        if not self.ready(operator):
            return {"CANCELLED"}
        return import_queue.start(operator, context, [jobs.Wanted(
            path, self.arguments(), self.meshes(), self.again, show_hdr=self.show_hdr, by_material=self.split == "MATERIALS") for path in maps])


for _name, _title, _text, _default, _, _ in BRING:
    Options.__annotations__[_name] = BoolProperty(name=_title, description=_text, default=_default)
NAMES = [n for cls in (Source, Options) for n in cls.__annotations__]
