#!/usr/bin/env python3
"""Makes models-clients.jpg: the walking figure of testdata at three moments of a step, a row for each client.

usage: /usr/bin/python3 docs/pictures/models.py BSP2GLTF [KEPT [MODEL.mdl SEQUENCE]]

With a model and the label of one of its sequences, the pictures are of those, and in KEPT alone. Needs what motion.py needs.
"""
import os
import subprocess
import sys
import tempfile

import motion

WALKER = os.path.join(motion.ROOT, "testdata", "goldsrc", "models", "walker.mdl")


def main():
    program, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else tempfile.mkdtemp()
    model, act = sys.argv[3:5] if len(sys.argv) > 4 else (WALKER, "walk")
    os.makedirs(work, exist_ok=True)
    glb = f"{work}/model.glb"
    motion.run(program, "-q", "model", model, glb, *([] if model == WALKER else ["--sequences", act]))
    walk = motion.Series((75, -75, 38), 135, (0, 0.25, 0.6), act, unit=0.0254, fov=45, play="clip")
    motion.web("three", walk, glb, work)
    motion.web("babylon", walk, glb, work)
    rows = ["three", "babylon", *motion.blenders(walk, glb, work)]
    for name, client in (("godot3", motion.godot3), ("godot4", motion.godot4)):
        client(walk, glb, work)
        rows.append(name)
    motion.sheet(rows, walk, work, "models-clients.jpg" if model == WALKER else os.path.join(work, "sheet.jpg"))


if __name__ == "__main__":
    main()
