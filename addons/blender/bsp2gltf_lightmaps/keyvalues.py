# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Key-values of entities. A map stores them as text; here those that are numbers or vectors become numbers.

Numbers can be dragged, driven and used by geometry nodes. Names stay text, whatever they look like.
"""

import re

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?\Z")
INTEGER = re.compile(r"[+-]?\d{1,9}\Z")  # custom properties have 32 bits

# Keys that hold names and text.
NAMES = {"classname", "targetname", "target", "killtarget", "parentname", "model", "message", "name", "team", "noise",
         "sounds", "hammerid", "skyname", "globalname", "master", "landmark", "map", "author", "material"}


def typed(key: str, text):
    """A value as a number or a list of numbers, or unchanged if it is neither."""
    if not isinstance(text, str) or key.lower() in NAMES or key.startswith("bsp2gltf_"):
        return text
    parts = text.split()
    if not 1 <= len(parts) <= 4 or not all(NUMBER.match(p) for p in parts):
        return text
    if len(parts) == 1:
        return int(text) if INTEGER.match(parts[0]) else float(text)
    return [float(p) for p in parts]


def type_keys(obj) -> None:
    """Converts those key-values of an entity that are numbers."""
    for key in list(obj.keys()):
        before = obj[key]
        after = typed(key, before)
        if after is not before:
            obj[key] = after
