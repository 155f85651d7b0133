# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Lists where textures and models come from: folders that were used before, and the games that Steam has installed."""

import os

from . import options, program

AROUND = "AROUND"
_items: list = []  # Blender keeps no reference to the texts of an enum
_steam: list | None = None


def steam() -> list[tuple[str, str]]:
    """The name and the folder of each game that Steam has installed and whose maps are read; asked once."""
    global _steam
    if _steam is None:
        try:
            _steam = [(g["name"], g["mod"]) for g in program.ask("games")["games"]]
        except (program.Missing, ValueError, KeyError, OSError):
            return []
    return _steam


def remembered() -> list[str]:
    return [f.path for f in options.get().game_folders]


def remember(paths) -> None:
    """Adds folders or archives to those in the preferences, the last used first."""
    folders = options.get().game_folders
    if isinstance(folders, tuple):
        return
    known = [p for p in remembered() if p not in paths]
    folders.clear()
    for path in [*paths, *known][:20]:
        folders.add().path = path


def items(_self=None, _context=None) -> list:
    """The choices for an enum."""
    global _items
    found = [(AROUND, "Around the Map", "Textures and models from the map's own folder, the game folder above it, and from "
              "Steam where the map says which game it is of")]
    found += [(p, os.path.basename(p.rstrip("/\\")) or p, p) for p in remembered()]
    found += [(mod, name, f"{mod}, as Steam has installed it") for name, mod in steam() if mod not in remembered()]
    _items = found
    return _items
