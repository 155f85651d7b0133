#!/usr/bin/env python3
"""usage: programs_test.py DIST BSP2GLTF   follows the pages of docs/guide, as far as a shell can.

DIST is a release (release/README.md). The commands of each page are run as they are, in an empty folder that has the files that they name:
a map, the game's folder, the files of the release. Commands of npm are run only for local files, because there may be no registry. Every
release file that a page names must be in the release, and every setting and link must exist.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
dist, program = (os.path.abspath(a) for a in sys.argv[1:3])
pages = os.path.join(root, "docs", "guide")
maps = {"start.bsp": "goldsrc/maps/version29.bsp", "map.bsp": "demo/maps/demo.bsp"}
problems = []


def expect(ok, message):
    if not ok:
        problems.append(message)


def commands(text):
    """The shell lines that are indented as code, and commands between backquotes that begin with bsp2gltf."""
    lines = [line.strip() for line in text.splitlines() if re.match(r"    (npm|bsp2gltf|npx|pip|blender|cp) ", line)]
    return lines + [c.replace("\n", " ") for c in re.findall(r"`(bsp2gltf --[^`]*)`", text)]


def run(page, command, folder):
    """Runs a command in a folder; for npm, without packages that only the registry has."""
    words = command.split()
    if words[0] == "npm":
        words = [w for w in words if w in ("npm", "install") or w.startswith("./")] + ["--offline", "--no-audit", "--no-fund", "--legacy-peer-deps"]
    elif words[0] == "bsp2gltf":
        words[0] = program
    elif words[0] == "cp":
        pass
    else:
        return expect(False, f"{page}: no command that is known: {command}")
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=240, stdin=subprocess.DEVNULL, check=False)
    expect(done.returncode == 0, f"{page}: {command}: exit {done.returncode}: {(done.stderr or done.stdout)[-400:]}")
    print("ran ", command)


def prepare(folder):
    for name, source in maps.items():
        shutil.copy(os.path.join(root, "testdata", source), os.path.join(folder, name))
    os.makedirs(os.path.join(folder, "id1"))
    with open(os.path.join(folder, "package.json"), "w", encoding="utf-8") as file:
        file.write('{"private": true, "type": "module"}')
    for name in os.listdir(dist):
        if name.endswith(".tgz"):
            shutil.copy(os.path.join(dist, name), folder)


settings = open(os.path.join(root, "pipeline.yaml"), encoding="utf-8").read()
released = set(os.listdir(dist))
for page in ("blender.md", "godot.md", "unity.md", "unreal.md", "web.md"):
    text = open(os.path.join(pages, page), encoding="utf-8").read()
    for name in sorted(set(re.findall(r"\b(?:bsp2gltf|com\.bsp2gltf)[\w.-]*?-\d+\.\d+\.\d+[\w.-]*\.(?:zip|tgz|html|tar\.gz)", text))):
        expect(name in released, f"{page}: the release has no {name}")
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        expect(os.path.exists(os.path.join(pages, link)), f"{page}: there is no {link}")
    for section, key in re.findall(r"\b(geometry|lightmap|materials|models|sky|entities|output)\.([a-z_]+)=", text):
        expect(re.search(rf"^{section}:.*?^  {key}:", settings, re.M | re.S), f"{page}: there is no setting {section}.{key}")
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        for command in commands(text):
            run(page, command, folder)
        made = {n for n in os.listdir(folder) if n.endswith((".glb", ".html"))}
    print("ok  ", page, "made", " ".join(sorted(made)) or "nothing")

# What Godot's page says about the archive: it is unpacked into the project.
for name in released:
    if re.match(r"bsp2gltf-godot-.*\.zip$", name):
        inside = zipfile.ZipFile(os.path.join(dist, name)).namelist()
        expect("addons/bsp2gltf/plugin.cfg" in inside and "post_import.gd" in inside, f"{name} is not laid out as godot.md says")
for problem in problems:
    print("FAIL", problem)
sys.exit(bool(problems))
