# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Finds and runs the program bsp2gltf."""

import functools
import json
import os
import re
import stat
import subprocess
import sys

from . import options

OLDEST = (0, 1, 0)  # because of the options used here
ARCHIVES = (".pk3", ".dpk", ".pkz", ".kpf", ".zip", ".pak", ".vpk", ".gma")
PACKED = (".bz2", ".gz", ".xz")  # servers send maps so: x.bsp.bz2
_NAME = "bsp2gltf.exe" if sys.platform == "win32" else "bsp2gltf"
# Windows would open a console window for each call.
NO_WINDOW = {"creationflags": subprocess.CREATE_NO_WINDOW} if sys.platform == "win32" else {}


class Missing(Exception):
    """There is no usable program. The message says what to do."""


def candidates() -> list[str]:
    """The places to search for the program, in order: inside the add-on, the path in the preferences, PATH."""
    inside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", _NAME)
    chosen = os.path.expanduser(getattr(options.get(), "bsp2gltf", "") or "")
    if os.path.isabs(chosen) and os.path.isdir(chosen):
        chosen = os.path.join(chosen, _NAME)
    found = [inside] if os.path.isfile(inside) else []
    return found + [p for p in (chosen, on_path(_NAME)) if p]


def on_path(name: str) -> str:
    """The path of a program in PATH, or "". Relative entries and the current folder are ignored: a downloaded map's folder may contain a
    program of this name. On Windows shutil.which looks in the current folder first."""
    here = os.path.realpath(os.getcwd())
    for folder in os.get_exec_path():
        folder = folder.strip('"')
        if not os.path.isabs(folder) or os.path.realpath(folder) == here:
            continue
        path = os.path.join(folder, name)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return ""


def find() -> str:
    """The program's path. Raises Missing if there is none, if it does not run, or if it is too old."""
    tried = candidates()
    if not tried:
        raise Missing("bsp2gltf is not there: install the add-on's .zip for your platform, which has it inside, or name "
                      "the program in the add-on's preferences")
    problems = []
    for path in tried:
        version = _version(path, _changed(path))
        if isinstance(version, str):
            problems.append(f"{path}: {version}")
        elif version[0] < OLDEST:
            problems.append(f"{path}: version {_text(version)} is too old, {_dotted(OLDEST)} is needed")
        else:
            return path
    raise Missing("; ".join(problems))


def version_text(path: str) -> str:
    version = _version(path, _changed(path))
    return version if isinstance(version, str) else _text(version)


def _text(version: tuple) -> str:
    return _dotted(version[0]) + (f", build {version[1]}" if version[1] else "")


def _dotted(numbers: tuple) -> str:
    return ".".join(map(str, numbers))


@functools.lru_cache(maxsize=1)
def own_build() -> str:
    """The commit that the add-on was packed from, with "+" if files differed from it, or "" if it is unknown."""
    try:
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "BUILD"), encoding="ascii") as file:
            return file.read().strip()
    except (OSError, ValueError):
        return ""


def mismatch(path: str) -> str:
    """A message if the program is of another build than the add-on, whatever their versions, or ""."""
    version = _version(path, _changed(path))
    theirs, ours = ("" if isinstance(version, str) else version[1]), own_build()
    if not theirs or not ours or theirs.rstrip("+") == ours.rstrip("+"):  # for Go, files that Git does not track are changes
        return ""
    return f"the program is of build {theirs}, the add-on of build {ours}: take both from one release"


def _changed(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


@functools.lru_cache(maxsize=16)
def _version(path: str, changed: float) -> tuple | str:
    """The version as numbers, and the build ("" before builds had names); or an error message."""
    try:
        if not os.path.isabs(path):
            return "not a full path; give the program's, from the root or the drive on"
        if not os.path.isfile(path):
            return "no such file"
        if not os.access(path, os.X_OK):  # Blender before 4.2 unzips without execute permission
            os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20, **NO_WINDOW)
    except (OSError, subprocess.SubprocessError) as e:
        return str(e)
    match = re.match(r"bsp2gltf v?(\d+)\.(\d+)\.(\d+)(?:.*\(build ([0-9a-z+]+)\))?", done.stdout)
    return (tuple(map(int, match.groups()[:3])), match[4] or "") if match else "it does not say that it is bsp2gltf"


def ask(*args: str, timeout: float = 60):
    """The program's answer, from JSON. Raises ValueError with the program's own message if it fails."""
    done = subprocess.run([find(), *args, "--json"], capture_output=True, text=True, encoding="utf-8", errors="replace",
                          timeout=timeout, **NO_WINDOW)
    if done.returncode:
        raise ValueError(last_line(done.stderr) or f"bsp2gltf ended with code {done.returncode}")
    return json.loads(done.stdout)


def last_line(text: str) -> str:
    """The program's last message, below which it may point to a position, or else its last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = [line for line in lines if line.startswith("bsp2gltf: ")] or lines
    return said[-1].removeprefix("bsp2gltf: ") if said else ""


def is_map(path: str) -> bool:
    """Reports whether a path is that of a single map, by name: x.bsp, x.bsp.bz2, or a map in an archive."""
    return bool(split(path)[1]) or os.path.isfile(path) and _unpacked(path).lower().endswith(".bsp")


def _unpacked(path: str) -> str:
    return os.path.splitext(path)[0] if path.lower().endswith(PACKED) else path


def maps_of(path: str) -> list[str]:
    """The maps of an archive, a folder or a glob, each as a path for a conversion."""
    return [m["map"] for m in ask("info", "--maps", path)["maps"]]


def split(path: str) -> tuple[str, str]:
    """A map's path as the file that must exist, and the name inside it, or ""."""
    for suffix in ARCHIVES:
        at = path.lower().find(suffix + ":")
        if at >= 0:
            return path[:at + len(suffix)], path[at + len(suffix) + 1:]
    return path, ""


def map_name(path: str) -> str:
    """The name of a map: "q3dm1" for "maps/q3dm1.bsp" in an archive or a folder."""
    inside = split(path)[1] or path
    return os.path.splitext(_unpacked(os.path.basename(inside.replace("\\", "/"))))[0] or "map"
