"""Compares the pictures of "bsp2gltf thumb" with those of three.js.

usage: thumbs.py eye FILE.glb                      the view from a player's start: arguments for thumb, then for shot.mjs
       thumbs.py compare LEAST OURS.png THEIRS.png ...   pairs of pictures of one view: their mean SSIM must be LEAST or more
"""
import json
import math
import struct
import sys


def eye(name):
    with open(name, "rb") as f:
        head = f.read(20)
        nodes = json.loads(f.read(struct.unpack("<I", head[12:16])[0]))["nodes"]
    nodes.sort(key=lambda n: not str(n.get("extras", {}).get("classname", "")).startswith("info_player"))  # they first
    for node in nodes:
        keys = node.get("extras", {})
        if not any(float(x) for x in str(keys.get("origin", 0)).split()) or "translation" not in node:
            continue
        origin = [float(x) for x in str(keys["origin"]).split()]
        angles = str(keys.get("angles", "0 " + str(keys.get("angle", 0)) + " 0")).split()
        yaw, unit = float(angles[1]), math.hypot(*node["translation"]) / math.hypot(*origin)
        origin[2] += 40
        print("--eye=" + ",".join(f"{x:g}" for x in [*origin, 5, yaw]))
        print("--eye=" + ",".join(f"{x * unit:g}" for x in [origin[0], origin[2], -origin[1]]), f"--yaw={yaw - 90:g} --pitch=-5 --fov=58.7")
        return
    sys.exit(f"{name}: nothing in it has a place")


def compare(least, names):
    import numpy as np
    from PIL import Image
    from skimage.metrics import structural_similarity

    found = []
    for ours, theirs in zip(names[::2], names[1::2]):
        a, b = (np.asarray(Image.open(name).convert("RGB")) for name in (ours, theirs))
        found.append(structural_similarity(a, b, channel_axis=2, data_range=255))
        print(f"{ours}: SSIM {found[-1]:.3f}, mean difference {np.abs(a.astype(float) - b).mean():.2f} of 255")
    print(f"mean SSIM {np.mean(found):.3f} of {len(found)} views")
    sys.exit(not found or bool(np.mean(found) < least))


if sys.argv[1] == "eye":
    eye(sys.argv[2])
else:
    compare(float(sys.argv[2]), sys.argv[3:])
