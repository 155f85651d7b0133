#!/usr/bin/env python3
"""Makes motion-clients.jpg: a door and a train at three moments from one eye, a row for each client. The map is the demo of testdata with a
func_train on two corners in its entities.

usage: /usr/bin/python3 docs/pictures/motion.py BSP2GLTF [KEPT]     KEPT is a folder for the single pictures

Needs what addons/test/README.md lists, Godot 3 and 4, and python3-pil. BPY names a python that has Blender as a module (pip install bpy):
one more row.
"""
import dataclasses
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
TEST = os.path.join(ROOT, "addons", "test")
SIZE, SMALL = (480, 270), (240, 135)


@dataclasses.dataclass
class Series:
    """Pictures from one eye, in map units and degrees as the game has them, at moments in seconds since an animation began."""
    eye: tuple
    yaw: float
    moments: tuple
    act: str
    unit: float = 1 / 32  # metres per map unit
    fov: float = 60  # vertical degrees
    more: tuple = ()  # animations that play besides
    play: str = "play"  # what shot.mjs calls it: "play" an act, "clip" another animation

    def metres(self):
        x, y, z = self.eye
        return [x * self.unit, z * self.unit, -y * self.unit]


DOOR = Series((-350, 40, 70), 180, (0, 0.3, 1), "func_door_door cycle", more=("map start",))
TRAIN = """
{ "classname" "func_train" "model" "*3" "origin" "-460 -110 40" "target" "a" "speed" "130" }
{ "classname" "path_corner" "origin" "-460 -70 40" "targetname" "a" "target" "b" }
{ "classname" "path_corner" "origin" "-460 110 40" "targetname" "b" "target" "a" }
"""


def run(*args, **more):
    done = subprocess.run([str(a) for a in args], capture_output=True, text=True, cwd=ROOT, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, args))}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def with_train(source, to):
    """Writes the map with TRAIN in its entities: lump 0, whose place and length stand at byte 8, goes to the end."""
    data = bytearray(open(source, "rb").read())
    at, length = struct.unpack_from("<2i", data, 8)
    text = bytes(data[at:at + length]).rstrip(b"\0\n") + TRAIN.encode() + b"\0"
    struct.pack_into("<2i", data, 8, len(data), len(text))
    open(to, "wb").write(data + text)


def web(client, series, glb, work):
    """Pictures by three.js or Babylon.js."""
    views = [{"name": i, "eye": series.eye, "yaw": series.yaw, "time": t, series.play: series.act, "after": t}
             for i, t in enumerate(series.moments)]
    json.dump(views, open(f"{work}/{client}.json", "w"))
    run("node", f"{TEST}/shot.mjs", client, glb, f"{work}/{client}", f"--views={work}/{client}.json", f"--fov={series.fov}",
        f"--unit={series.unit}", "--size=%dx%d" % SIZE)


def blender(command, name, series, glb, work):
    eye = ",".join(f"{v:.4f}" for v in series.metres())
    for i, t in enumerate(series.moments):
        run(*command, glb, f"{work}/{name}-{i}.png", "--lm", f"--eye={eye}", f"--yaw={series.yaw - 90}", f"--fov={series.fov}",
            "--size=%dx%d" % SIZE, "--samples=16", f"--time={t}", f"--play={series.act}")


def godot_views(folder, name, series):
    views = [{"file": f"{name}-{i}.png", "eye": series.metres(), "yaw": series.yaw - 90, "pitch": 0, "fov": series.fov,
              "near": 4 * series.unit, "acts": {act: t for act in (*series.more, series.act)}} for i, t in enumerate(series.moments)]
    json.dump(views, open(f"{folder}/views.json", "w"))


def godot4(series, glb, work):
    project = f"{work}/godot4"
    shutil.copytree(f"{TEST}/godot4", project)
    shutil.copytree(f"{ROOT}/addons/godot/godot4/addons", f"{project}/addons")
    shutil.copy(glb, f"{project}/map.glb")
    godot_views(project, "godot4", series)
    run(f"{TEST}/godot4.sh", project, "godot", "--headless", "--path", "/p", "--import")
    run(f"{TEST}/godot4.sh", project, "/window", "godot", "--path", "/p", "--resolution", "%dx%d" % SIZE, "--rendering-method",
        "gl_compatibility", "-s", "views.gd")
    for i in range(len(series.moments)):
        shutil.move(f"{project}/godot4-{i}.png", work)


def godot3(series, glb, work):
    project = f"{work}/godot3"
    shutil.copytree(f"{TEST}/godot", project)
    shutil.copy(f"{ROOT}/addons/godot/post_import.gd", project)
    shutil.move(f"{project}/test.glb.import", f"{project}/map.glb.import")
    shutil.copy(glb, f"{project}/map.glb")
    os.mkdir(f"{project}/home")
    godot_views(project, "godot3", series)
    home, program = {**os.environ, "HOME": f"{project}/home"}, os.environ.get("GODOT", "godot3")
    subprocess.run(["xvfb-run", "-a", program, "--path", project, "-e", "-q"], env=home, capture_output=True)  # its exit code says nothing
    run("xvfb-run", "-a", "-s", "-screen 0 640x360x24", program, "--path", project, "--resolution", "%dx%d" % SIZE,
        "-s", "views.gd", env=home)
    for i in range(len(series.moments)):
        shutil.move(f"{project}/godot3-{i}.png", work)


def modelviewer(series, glb, work):
    x, y, z = series.metres()  # the camera looks along -X at what is a metre before it
    run("node", f"{HERE}/motion.mjs", glb, f"{work}/modelviewer", "%dx%d" % SIZE, ",".join(map(str, series.moments)), json.dumps({
        "act": series.act, "orbit": "90deg 90deg 1m", "target": f"{x - 1}m {y}m {z}m", "fov": f"{series.fov}deg"}))


def blenders(series, glb, work):
    """Pictures by Blender, and by the module of Blender that BPY names; returns their names."""
    script = ["-b", "--factory-startup", "-noaudio", "--python-exit-code", "1", "-P", f"{TEST}/blender_check.py", "--"]
    blender([os.environ.get("BLENDER", "blender"), *script], "blender", series, glb, work)
    if not os.environ.get("BPY"):
        return ["blender"]
    blender([os.environ["BPY"], f"{TEST}/blender_check.py"], "bpy", series, glb, work)
    return ["blender", "bpy"]


def sheet(rows, series, work, name):
    """Puts the pictures of each row's client side by side."""
    whole = Image.new("RGB", ((SMALL[0] + 4) * len(series.moments) - 4, (SMALL[1] + 4) * len(rows) - 4), "white")
    for y, row in enumerate(rows):
        for x in range(len(series.moments)):
            picture = Image.open(f"{work}/{row}-{x}.png").convert("RGB").resize(SMALL, Image.LANCZOS)
            whole.paste(picture, (x * (SMALL[0] + 4), y * (SMALL[1] + 4)))
    whole.save(f"{work}/sheet.png")
    whole.save(os.path.join(HERE, name), quality=80, optimize=True)


def main():
    program, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else tempfile.mkdtemp()
    os.makedirs(work, exist_ok=True)
    with_train(f"{ROOT}/testdata/demo/maps/demo.bsp", f"{work}/demo.bsp")
    game = ["--game", f"{ROOT}/testdata/demo", f"{work}/demo.bsp"]
    run(program, "-q", *game, f"{work}/map.glb", "--set", "sky.mode=mesh")
    run(program, "-q", *game, f"{work}/viewer.glb", "--preset", "viewer", "--set", "entities.motion=all")
    web("three", DOOR, f"{work}/map.glb", work)
    rows = ["three", *blenders(DOOR, f"{work}/map.glb", work)]
    godot3(DOOR, f"{work}/map.glb", work)
    godot4(DOOR, f"{work}/map.glb", work)
    modelviewer(DOOR, f"{work}/viewer.glb", work)
    sheet([*rows, "godot3", "godot4", "modelviewer"], DOOR, work, "motion-clients.jpg")


if __name__ == "__main__":
    main()
