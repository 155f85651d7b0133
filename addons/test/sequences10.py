#!/usr/bin/env python3
"""Compares the bones of GoldSrc's .mdl files with an independent reading of the files, which shares no code with the converter.

usage: sequences10.py BSP2GLTF [--every N] FOLDER...

Converts each model of version 10 in the folders with all keys and all blends. At five frames of every Nth animation, compares the
transforms of all bones with those that the engine's rules (Half-Life SDK, cl_dll/StudioModelRenderer.cpp, StudioCalcRotations) give for
the file, with controllers at 0. Prints the greatest differences in map units and in rows of rotations, and which features were used. Fails
if one is above the limits, or if the converter has other sequences than the file.
"""
import collections, struct, subprocess, sys, tempfile
from pathlib import Path

import numpy as np

from bones import Glb
from sequences import LIMIT, UNIT, euler, matrix

FAR = 4096  # map units; for bones farther away, where glTF's floats have no more digits, the difference is relative to the distance
AXES = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])


def track(d, at, frame):
    """The value of a track of runs in a frame. If a run covers fewer frames than it stores, its first value counts, as in the engine."""
    k = frame
    while True:
        valid, total = d[at], d[at + 1]
        if total < valid:
            k = 0
        if total > k:
            break
        if valid == total == 0:
            return 0
        k -= total
        at += 2 + 2 * valid
    return struct.unpack_from("<h", d, at + 2 + 2 * min(k, valid - 1))[0] if valid else 0


class Model:
    def __init__(self, path):
        self.path, self.d, self.used = path, path.read_bytes(), collections.Counter()
        count, at = struct.unpack_from("<2i", self.d, 140)
        self.bones = []
        for b in range(at, at + 112 * count, 112):
            parent, = struct.unpack_from("<i", self.d, b + 32)
            values = np.array(struct.unpack_from("<12f", self.d, b + 64), float)
            self.bones.append((parent, values[:6], values[6:]))
        count, at = struct.unpack_from("<2i", self.d, 164)
        self.sequences = [at + 176 * k for k in range(count)]
        self.groups = {0: self.d}

    def i(self, at):
        return struct.unpack_from("<i", self.d, at)[0]

    def group(self, n):
        if n not in self.groups:
            beside = {p.name.lower(): p for p in self.path.parent.iterdir()}
            found = beside.get("%s%02d.mdl" % (self.path.stem.lower(), n))
            self.groups[n] = found.read_bytes() if found else None
        return self.groups[n]

    def animations(self):
        """(label, sequence, index of the blend) in the file's order: of each sequence the blend at rest, then all, if there are several."""
        for s in self.sequences:
            n, label = self.i(s + 120), self.d[s:s + 32].split(b"\0")[0].decode("latin1")
            yield label, s, 4 if n == 9 else 0
            for blend in range(n if n in (2, 4, 9) else 0):
                yield label, s, blend

    def pose(self, s, blend, frame):
        d = self.group(self.i(s + 156))
        if d is None:
            return None
        if self.i(s + 156):
            self.used["groups"] += 1
        at, out = self.i(s + 124) + 12 * len(self.bones) * blend, []
        for k, (parent, value, step) in enumerate(self.bones):
            offsets = struct.unpack_from("<6H", d, at + 12 * k)
            v = value + step * [track(d, at + 12 * k + o, frame) if o else 0 for o in offsets]
            if k == self.i(s + 72):
                for axis in range(3):
                    if self.i(s + 68) >> axis & 1:
                        self.used["movements"] += v[axis] != 0
                        v[axis] = 0
            m = matrix(v[:3], euler(v[3:]))
            out.append(out[parent] @ m if parent >= 0 else m)
        return out


def compare(model, glb, every):
    worst, count = (0.0, 0.0, ""), 0
    made = [a for a in model.animations() if model.group(model.i(a[1] + 156)) is not None]
    animations = glb.json.get("animations", [])
    if not animations:  # the bones have the same pose in every frame
        animations = [dict(channels=[], extras=dict(fps=1))] * len(made)
    if len(made) != len(animations):
        return (np.inf, np.inf, "the number of sequences (%d, converted %d)" % (len(made), len(animations))), 0
    if "skins" not in glb.json:
        below = [i for i, n in enumerate(glb.json["nodes"]) if i and not {"attachment", "hitbox"} & set(n.get("extras", {}))]
        glb.json["skins"] = [{"joints": below[-len(model.bones):]}]
    for (label, s, blend), a in list(zip(made, animations))[::every]:
        n = max(1, model.i(s + 56))
        model.used["blends"] += " [" in a.get("name", "")
        for frame in sorted({0, n // 4, n // 2, 3 * n // 4, n - 1}):
            want, got = model.pose(s, blend, frame), glb.globals(glb.posed(a, frame))
            for i, (w, g) in enumerate(zip(want, got)):
                at = np.abs(AXES @ w[:3, 3] - g[:3, 3] / UNIT).max() / max(1, np.abs(w[:3, 3]).max() / FAR)
                turn = np.abs(AXES @ w[:3, :3] @ AXES.T - g[:3, :3]).max()
                count += 1
                if not max(at, turn) <= max(worst[:2]):
                    worst = at, turn, "%s frame %d bone %d" % (label, frame, i)
    return worst, count


def main():
    program, *folders = sys.argv[1:]
    every = 1
    if folders[0] == "--every":
        every, folders = int(folders[1]), folders[2:]
    total, models, failed, refused, worst, used = 0, 0, 0, 0, (0.0, 0.0), collections.Counter()
    with tempfile.TemporaryDirectory() as tmp:
        for path in sorted(p for f in folders for p in Path(f).rglob("*") if p.suffix.lower() == ".mdl"):
            d = path.read_bytes()
            if d[:8] != b"IDST\n\0\0\0" or struct.unpack_from("<i", d, 164)[0] == 0:
                continue
            made = subprocess.run([program, "model", str(path), f"{tmp}/m.glb", "--quiet", "--set", "model.keys=all",
                                   "--set", "model.blends=all"], capture_output=True, text=True)
            if made.returncode > 1 or not Path(f"{tmp}/m.glb").exists():
                refused += 1
                print(f"refused {path}: {made.stderr.strip()[-160:]}")
                continue
            model = Model(path)
            (at, turn, where), n = compare(model, Glb(f"{tmp}/m.glb"), every)
            Path(f"{tmp}/m.glb").unlink()
            Glb.accessor.cache_clear()
            models, total = models + (n > 0), total + n
            used.update(k for k, v in model.used.items() if v)
            worst = max(worst[0], at), max(worst[1], turn)
            if not max(at, turn) <= LIMIT:
                failed += 1
                print(f"FAIL {path}: {where} differs by {at:.2g} map units, {turn:.2g}")
    print(f"{models} models, {total} bones within {worst[0]:.2g} map units and {worst[1]:.2g}, {failed} failed, {refused} refused; "
          f"models with {dict(used)}")
    sys.exit(1 if failed or not total else 0)


if __name__ == "__main__":
    main()
