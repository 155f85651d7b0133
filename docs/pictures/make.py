#!/usr/bin/env python3
"""Makes the pictures of this folder: the demo map from the same eyes in the engine, three.js and Blender, and two of our
Source maps in three.js and Blender, the second with models that models.go writes. Those in games are of small maps of ours, drawn by
the program itself.

usage: /usr/bin/python3 docs/pictures/make.py [BSP2GLTF]     the program, or go run of this repository

The engine's pictures are testdata/engine. Needs what addons/test/README.md lists, and python3-pil.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile
import zipfile

from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
TEST = os.path.join(ROOT, "addons", "test")
UNIT = 1 / 32  # metres per map unit
INCH = 0.0254  # the same, of Source
FOV = 73.7398  # vertical, of 90 degrees at 4:3
SIZE = "640x480"
PROGRAM = [os.path.abspath(sys.argv[1])] if len(sys.argv) > 1 else ["go", "run", "./cmd/bsp2gltf"]
work = tempfile.mkdtemp()


def run(*args):
    done = subprocess.run(args, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        sys.exit(f"{' '.join(args)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def convert(name, *options, source="testdata/demo/maps/demo.bsp"):
    out = os.path.join(work, name)
    run(*PROGRAM, source, out, "-q", "--set", "sky.mode=mesh", *options)
    return out


def eye(view):
    x, y, z = (v * view.get("unit", UNIT) for v in view["pos"])
    return [f"--eye={x},{z},{-y}", f"--yaw={view['yaw'] - 90}", f"--pitch={view.get('pitch', 0)}", f"--fov={FOV}", f"--size={SIZE}"]


def three(glb, view, *options):
    out = tempfile.mktemp(".png", dir=work)
    run("node", os.path.join(TEST, "shot.mjs"), "three", glb, out, *eye(view), *options)
    return Image.open(out).convert("RGB")


def blender(glb, view):
    out = tempfile.mktemp(".png", dir=work)
    run("blender", "-b", "--factory-startup", "-noaudio", "--python-exit-code", "1", "-P",
        os.path.join(TEST, "blender_check.py"), "--", glb, out, "--lm", "--samples=48", *eye(view))
    return Image.open(out).convert("RGB")


def engine(view):
    return Image.open(os.path.join(ROOT, "testdata", "engine", view["name"] + ".jpg")).convert("RGB")


def side_by_side(name, images, width):
    height = width * 3 // 4
    sheet = Image.new("RGB", (len(images) * (width + 4) - 4, height), "white")
    for i, image in enumerate(images):
        sheet.paste(image.resize((width, height), Image.LANCZOS), (i * (width + 4), 0))
    sheet.save(os.path.join(HERE, name + ".jpg"), quality=82, optimize=True)


views = {v["name"]: v for v in json.load(open(os.path.join(ROOT, "testdata", "engine", "views.json")))}
lit, plain = convert("demo.glb"), convert("viewer.glb", "--preset", "viewer")
for name in ("hero", "stage", "vestibule", "pool"):
    view = views[name]
    side_by_side(name, [engine(view), three(lit, view), blender(lit, view)], 480)
side_by_side("viewer", [three(lit, views["stage"], "--plain"), three(plain, views["stage"], "--plain")], 480)

game = os.path.join(work, "game")
run("go", "run", "docs/pictures/models.go", game)
showcase = convert("showcase.glb", "--game", game, source="testdata/source/maps/showcase.bsp")
court = {"pos": [60, -440, 80], "yaw": 110, "unit": INCH}
above = {"pos": [470, -470, 214], "yaw": 135, "unit": INCH}
side_by_side("source", [three(showcase, court), three(showcase, above), blender(showcase, above)], 480)
mound = {"pos": [-380, -470, 130], "yaw": 58, "pitch": -14, "unit": INCH}
room = {"pos": [-330, 380, 64], "yaw": 222, "pitch": -10, "unit": INCH}
pool = {"pos": [130, 180, 80], "yaw": 38, "pitch": -8, "unit": INCH}
side_by_side("props", [three(showcase, mound), three(showcase, room), blender(showcase, pool)], 480)
bent = convert("displacements.glb", source="testdata/source/maps/displacements.bsp")
hill = {"pos": [0, -200, 80], "yaw": 90, "unit": INCH}
side_by_side("displacements", [three(bent, hill), blender(bent, hill)], 480)

# A platform of OpenArena's oa_dm7, if that is installed: when the map starts, and a second after it was triggered.
archives = sorted(glob.glob("/usr/share/games/openarena/baseoa/*.pk3"))
archive = next((a for a in reversed(archives) if "maps/oa_dm7.bsp" in zipfile.ZipFile(a).namelist()), None)
if archive:
    moving = convert("moving.glb", "--game", os.path.dirname(archive), source=archive + ":maps/oa_dm7.bsp")
    shaft = {"pos": [640, -936, 251], "yaw": 270}
    side_by_side("motion", [three(moving, shaft, "--time=0"), three(moving, shaft, "--time=0", "--play=func_plat cycle")], 480)

# The pages of docs/guide/games: name, map, more options.
for name, source, *options in (
    ("goldsrc", "goldsrc/maps/entities.bsp", "--game", "testdata/goldsrc"),
    ("quake", "goldsrc/maps/version29.bsp", "--game", "testdata/goldsrc/wads/pak0.pak"),
    ("blends", "source/maps/blends.bsp"),
    ("details", "source/maps/details.bsp"),
    ("l4d2", "source/maps/l4d2.bsp"),
):
    out = tempfile.mktemp(".png", dir=work)
    run(*PROGRAM, "thumb", "-q", "--size", "640x360", *options, "testdata/" + source, out)
    Image.open(out).convert("RGB").save(os.path.join(HERE, "games", name + ".jpg"), quality=82, optimize=True)
