# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""The files beside a map's file. Each states its map (docs/reference/scene.md); those of another map are ignored."""

import json
import os

MAP, NAMES = "bsp2gltf_map_sha256", "bsp2gltf_beside"  # extras of the scene
ATTRIBUTE = b"bsp2gltf_map"  # in an OpenEXR file
HEAD = 1 << 12  # its header ends within this many bytes


def map_of(extras) -> str:
    """The map's hash that a file states, or "": then no file beside it belongs to it."""
    stated = (extras or {}).get(MAP)
    return stated if isinstance(stated, str) else ""


def foreign(stated, own: str) -> bool:
    """Reports whether a file that states a map's hash, or none, belongs to another map."""
    return isinstance(stated, str) and stated not in ("", own)


def probes(filename: str, extras) -> list | None:
    """The light probes beside a file, or None. A reason for ignoring them is printed."""
    path = _probes_path(filename, extras)
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        print(f"bsp2gltf: {path} can't be read: {error}")
        return None
    if not isinstance(content, dict) or not isinstance(content.get("probes"), list):
        print(f"bsp2gltf: {path} has no light probes")
        return None
    if foreign(content.get("map"), map_of(extras)):
        print(f"bsp2gltf: {path} belongs to another map and is left out")
        return None
    return content["probes"]


def _probes_path(filename: str, extras) -> str:
    """The path that the file states, or the usual one: a file that was renamed states its former name."""
    stem = os.path.splitext(filename)[0]
    usual = stem + "_probes.json"
    try:
        names = json.loads((extras or {}).get(NAMES) or "[]")
    except (TypeError, ValueError):
        names = []
    for name in names if isinstance(names, list) else []:
        if isinstance(name, str) and name == os.path.basename(name) and name.endswith(".json") and "_probes" in name:
            path = os.path.join(os.path.dirname(filename), name)
            if os.path.isfile(path) and not ("\\" in name or ":" in name):
                return path
    return usual


def exr_map(path: str) -> str:
    """The map's hash that an OpenEXR file states, or ""."""
    try:
        with open(path, "rb") as file:
            head = file.read(HEAD)
    except OSError:
        return ""
    at = 8  # after the magic and the version
    while True:
        name, at = _text(head, at)
        if not name:
            return ""
        kind, at = _text(head, at)
        size = int.from_bytes(head[at:at + 4], "little")
        value, at = head[at + 4:at + 4 + size], at + 4 + size
        if name == ATTRIBUTE and kind == b"string":
            return value.decode("ascii", "replace")


def _text(data: bytes, at: int) -> tuple[bytes, int]:
    """A zero-terminated string, and the offset behind it; both empty at the end of the data."""
    end = data.find(b"\0", at)
    return (b"", len(data)) if end < 0 else (data[at:end], end + 1)
