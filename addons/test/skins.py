#!/usr/bin/env python3
"""Compares a model's skinned vertices with the vertices that the converter writes without a skeleton.

usage: skins.py BSP2GLTF FOLDER...

Converts each .mdl of Source and GoldSrc in the folders with its skeleton, and with model.skeleton=false, which has the pose of a map's
prop. Compares the corners of all triangles, skinned by the joints at rest of the first file, with those of the second. Prints the greatest
difference in map units, and fails if one is above the limit, or if the files have different triangles.
"""
import subprocess, sys, tempfile
from pathlib import Path

import numpy as np

from bones import Glb
from sequences import UNIT

LIMIT = 1e-4  # map units, up to 100 from the origin; farther away, floats of 24 bits are less exact


def corners(glb, node):
    """By primitive, the corners of its triangles as the node shows them, in metres."""
    joints = None
    if "skin" in node:
        skin = glb.json["skins"][node["skin"]]
        bind = glb.accessor(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
        joints = glb.globals(glb.locals()) @ bind
    for p in glb.json["meshes"][node["mesh"]]["primitives"]:
        at = glb.accessor(p["attributes"]["POSITION"])
        if joints is not None:
            j, w = (glb.accessor(p["attributes"][x]) for x in ("JOINTS_0", "WEIGHTS_0"))
            one = np.hstack([at, np.ones((len(at), 1))])
            at = sum(w[:, k, None] * np.einsum("nij,nj->ni", joints[j[:, k].astype(int)], one)[:, :3] for k in range(4))
        yield at[glb.accessor(p["indices"])[:, 0].astype(int)]


def meshes(glb):
    return [n for n in glb.json["nodes"] if "mesh" in n and "hitbox" not in n.get("extras", {})]


def differ(skinned, baked):
    """The greatest difference in map units (beyond 100 from the origin, in proportion to the distance), and how many corners were compared."""
    worst, count = 0.0, 0
    for a, b in zip(meshes(skinned), meshes(baked), strict=True):
        for p, q in zip(corners(skinned, a), corners(baked, b), strict=True):
            if len(p) != len(q):
                return np.inf, 0
            far = np.maximum(100, np.abs(q).max(axis=1, initial=0) / UNIT) / 100
            worst = max(worst, (np.abs(p - q).max(axis=1) / UNIT / far).max(initial=0))
            count += len(p)
    return worst, count


def main():
    program, *folders = sys.argv[1:]
    models = still = failed = refused = total = 0
    worst = 0.0
    with tempfile.TemporaryDirectory() as tmp:
        for path in sorted(p for f in folders for p in Path(f).rglob("*") if p.suffix.lower() == ".mdl"):
            with path.open("rb") as f:
                if f.read(4) != b"IDST":
                    continue
            made = []
            for name, skeleton in ("skinned", "true"), ("baked", "false"):
                out = Path(tmp, name + ".glb")
                out.unlink(missing_ok=True)
                run = subprocess.run([program, "model", str(path), str(out), "--quiet", "--sequences", "none",
                                      "--set", "model.skeleton=" + skeleton], capture_output=True, text=True)
                if out.exists():
                    made.append(Glb(out))
            if len(made) < 2:
                refused += 1
                print(f"refused {path}: {run.stderr.strip()[-160:]}")
                continue
            if "skins" not in made[0].json:
                still += 1
                continue
            try:
                d, n = differ(*made)
            except ValueError as e:
                d, n = np.inf, 0
                print(f"{path}: {e}")
            Glb.accessor.cache_clear()
            models, total, worst = models + 1, total + n, max(worst, d)
            if not d <= LIMIT:
                failed += 1
                print(f"FAIL {path}: {d:.2g}")
    print(f"{models} models with skins, {total} corners within {worst:.2g} map units, {still} without, {failed} failed, {refused} refused")
    sys.exit(1 if failed or not total else 0)


if __name__ == "__main__":
    main()
