#!/usr/bin/env python3
"""Compares the bones of .zym, .dpm and .iqm models with an independent reading of the files, which shares no code with the converter.

usage: bones.py BSP2GLTF ARCHIVE_OR_FOLDER...

Converts each model in the archives and folders with all keys. For each sequence, at five frames, compares the skinning matrices and the
positions of the bones with those of the file, and every corner of every triangle with where the file's own matrices put it. Prints the
greatest differences in map units, and fails if one is above the limits.
"""
import functools, json, struct, subprocess, sys, tempfile, zipfile
from pathlib import Path

import numpy as np

BONES, CORNERS = 1e-3, 2e-3  # map units
UNIT = 1 / 32
AXES = np.array([[UNIT, 0, 0, 0], [0, 0, UNIT, 0], [0, -UNIT, 0, 0], [0, 0, 0, 1]])  # Z up to Y up, metres


def text(b):
    return b.split(b"\0")[0].decode("latin1")


def whole(rows):
    return np.vstack([np.asarray(rows, float).reshape(3, 4), [0, 0, 0, 1]])


def rigid(m, scale, root):
    """The matrix as the engine uses it: rows of length 1, positions of children scaled like the first root. A zero matrix rotates by
    nothing."""
    m = m.copy()
    rows = np.linalg.norm(m[:3, :3], axis=1)[:, None]
    m[:3, :3] = m[:3, :3] / rows if rows.all() else np.eye(3)
    if not root:
        m[:3, 3] *= scale
    return m


class Model:
    """bones: (name, parent); poses: stored local matrices by pose and bone; scenes: name -> (first, count, loops);
    corners: by mesh, for each corner its list of (bone, weighted position, weight), or a position in base."""

    def globals(self, pose, stored=False):
        out = []
        for i, (_, parent) in enumerate(self.bones):
            m = self.poses[pose][i]
            if not stored and self.scale is not None:
                m = rigid(m, self.scale, parent < 0)
            out.append(out[parent] @ m if parent >= 0 else m)
        return np.array(out)


def zym(d):
    h = struct.unpack(">12s2i7f5i18i", d[:140])
    m = Model()
    nv, _, ns, nb, nscenes = h[10:15]
    at = [h[15 + 2 * i] for i in range(9)]
    size = [h[16 + 2 * i] for i in range(9)]
    m.bones = [(text(d[at[2] + 40 * i:][:32]), struct.unpack_from(">i", d, at[2] + 40 * i + 36)[0]) for i in range(nb)]
    raw = np.frombuffer(d, ">f4", size[1] // 4, at[1]).astype(float).reshape(-1, nb, 12)
    m.poses = [[whole(b) for b in p] for p in raw]
    m.scenes = []
    for i in range(nscenes):
        flags, first, count = struct.unpack_from(">3i", d, at[0] + 76 * i + 64)
        m.scenes.append((text(d[at[0] + 76 * i:][:32]), first, count, not flags & 1))
    m.scale = np.linalg.norm(m.poses[0][0][0, :3])
    vertices = [struct.unpack_from(">i3f", d, at[4] + 16 * i) for i in range(nv)]
    m.corners, at = [], at[6]
    for _ in range(ns):
        n = struct.unpack_from(">i", d, at)[0]
        corners = struct.unpack_from(">%di" % (3 * n), d, at + 4)
        at += 4 + 12 * n
        m.corners.append([(k, [(vertices[k][0], vertices[k][1:], 1.0)]) for k in corners])
    m.rest = m.globals(0)
    return m


def dpm(d):
    h = struct.unpack(">16s2i8f6i", d[:80])
    nb, nm, nf, ob, om, of = h[11:]
    m = Model()
    m.bones = [struct.unpack_from(">32si", d, ob + 40 * i) for i in range(nb)]
    m.bones = [(text(n), p) for n, p in m.bones]
    m.poses, names = [], []
    for i in range(nf):
        names.append(text(d[of + 68 * i:][:32]))
        at = struct.unpack_from(">i", d, of + 68 * i + 64)[0]
        m.poses.append([whole(b) for b in np.frombuffer(d, ">f4", 12 * nb, at).astype(float).reshape(nb, 12)])
    m.scenes = []
    for i, name in enumerate(names):
        stem = name.rstrip("0123456789").rstrip("_")
        if m.scenes and m.scenes[-1][0] == stem:
            m.scenes[-1] = (stem, m.scenes[-1][1], m.scenes[-1][2] + 1, False)
        else:
            m.scenes.append((stem, i, 1, False))
    m.scale = np.linalg.norm(m.poses[0][0][0, :3])
    m.corners = []
    for i in range(nm):
        _, nv, nt, ov, _, oi, _ = struct.unpack_from(">32s6i", d, om + 56 * i)
        vertices = []
        for _ in range(nv):
            n = struct.unpack_from(">i", d, ov)[0]
            ov += 4
            v = [struct.unpack_from(">7fi", d, ov + 32 * k) for k in range(n)]
            ov += 32 * n
            vertices.append([(b[7], b[:3], b[3]) for b in v])
        m.corners.append([(k, vertices[k]) for k in struct.unpack_from(">%di" % (3 * nt), d, oi)])
    m.rest = m.globals(0)
    return m


def quaternion(q):
    x, y, z, w = np.array(q) / np.linalg.norm(q)
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]


def iqm(d):
    h = struct.unpack("<16s27I", d[:124])
    version = h[1]
    otext, nmesh, omesh, nva, nvert, ova, ntri, otri, _, nj, oj, npose, opose, nanim, oanim, nf, nch, of = h[5:23]
    name = lambda at: text(d[otext + at:][:256])
    rotation = 3 if version == 1 else 4
    channels = 6 + rotation

    def local(c):
        q = list(c[3:3 + rotation])
        if rotation == 3:
            q.append(-max(0, 1 - sum(x * x for x in q)) ** 0.5)
        return np.vstack([np.hstack([quaternion(q), np.array(c[:3])[:, None]]), [0, 0, 0, 1]])

    m = Model()
    m.scale = None
    m.bones, rest = [], []
    for i in range(nj):
        r = struct.unpack_from("<Ii%df" % channels, d, oj + (8 + 4 * channels) * i)
        m.bones.append((name(r[0]), r[1]))
        rest.append(local(r[2:]))
    m.poses, at = [rest], of
    for i in range(nf):
        pose = []
        for k in range(npose):
            r = struct.unpack_from("<iI%df" % (2 * channels), d, opose + (8 + 8 * channels) * k)
            c = list(r[2:2 + channels])
            for x in range(channels):
                if r[1] >> x & 1:
                    c[x] += struct.unpack_from("<H", d, at)[0] * r[2 + channels + x]
                    at += 2
            pose.append(local(c))
        m.poses.append(pose)
    m.rest = m.globals(0)
    m.scenes = []
    for i in range(nanim):
        n, first, count, _, flags = struct.unpack_from("<3IfI", d, oanim + 20 * i)
        m.scenes.append((name(n), 1 + first, count, bool(flags & 1)))
    arrays = {}
    for i in range(nva):
        kind, _, form, size, at = struct.unpack_from("<5I", d, ova + 20 * i)
        arrays[kind] = np.frombuffer(d, {7: "<f4", 1: "u1"}.get(form, "u1"), nvert * size, at).reshape(nvert, size) if form in (1, 7) else None
    inverse = np.linalg.inv(m.rest) if nj else None
    vertices = []
    for k in range(nvert):
        p = np.append(arrays[0][k], 1).astype(float)
        if nj and 4 in arrays and 5 in arrays and arrays[5][k].any():
            w = arrays[5][k].astype(float)
            vertices.append([(b, tuple((inverse[b] @ p)[:3] * x), x) for b, x in zip(arrays[4][k], w / w.sum()) if x])
        else:
            vertices.append([(0, tuple((inverse[0] @ p)[:3]), 1.0)] if nj else [(None, tuple(p[:3]), 1.0)])
    tri = np.frombuffer(d, "<u4", 3 * ntri, otri).reshape(-1, 3)[:, ::-1]
    m.corners = []
    for i in range(nmesh):
        first, count = struct.unpack_from("<2I", d, omesh + 24 * i + 16)
        m.corners.append([(k, vertices[k]) for k in tri[first:first + count].ravel()])
    return m


READERS = {".zym": zym, ".dpm": dpm, ".iqm": iqm}


def groups(m, data):
    m.scenes = []
    for line in data.decode("latin1").splitlines():
        line, _, comment = line.partition("//")
        w = line.split()
        if len(w) >= 2:
            first = min(int(w[0]), len(m.poses) - 1)
            loops = len(w) < 4 or int(w[3]) != 0
            m.scenes.append((w[4] if len(w) > 4 else comment.strip(), first, min(int(w[1]), len(m.poses) - first), loops))


class Glb:
    """A .glb with all keys of its animations."""

    def __init__(self, path):
        d = Path(path).read_bytes()
        n = struct.unpack_from("<I", d, 12)[0]
        self.json, self.data = json.loads(d[20:20 + n]), d[28 + n:]

    @functools.cache
    def accessor(self, i):
        a = self.json["accessors"][i]
        n = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[a["type"]]
        kind = {5126: "<f4", 5125: "<u4", 5123: "<u2", 5121: "u1"}[a["componentType"]]
        v = self.json["bufferViews"][a["bufferView"]]
        width = n * np.dtype(kind).itemsize
        stride = v.get("byteStride", width)
        at = v.get("byteOffset", 0) + a.get("byteOffset", 0)
        raw = np.frombuffer(self.data, "u1", stride * (a["count"] - 1) + width, at)
        rows = np.lib.stride_tricks.as_strided(raw, (a["count"], width), (stride, 1))
        out = np.ascontiguousarray(rows).view(kind).astype(float).reshape(a["count"], n)
        return out / np.iinfo(kind).max if a.get("normalized") else out

    def locals(self):
        return [dict(t=np.array(x.get("translation", [0, 0, 0]), float), r=np.array(x.get("rotation", [0, 0, 0, 1]), float)) for x in self.json["nodes"]]

    def posed(self, animation, frame):
        """The nodes' transforms at a frame of an animation that has a key for each frame."""
        out = self.locals()
        fps = animation["extras"]["fps"]
        for c in animation["channels"]:
            s = animation["samplers"][c["sampler"]]
            times, values = self.accessor(s["input"])[:, 0], self.accessor(s["output"])
            i = min(np.searchsorted(times, frame / fps + 1e-4, side="right"), len(times)) - 1
            out[c["target"]["node"]]["t" if c["target"]["path"] == "translation" else "r"] = values[max(i, 0)]
        return out

    def globals(self, places):
        parents = {c: i for i, n in enumerate(self.json["nodes"]) for c in n.get("children", [])}

        known = {}

        def of(i):
            if i not in known:
                m = np.eye(4)
                m[:3, :3], m[:3, 3] = quaternion(places[i]["r"]), places[i]["t"]
                known[i] = of(parents[i]) @ m if i in parents else m
            return known[i]

        return np.array([of(i) for i in self.json["skins"][0]["joints"]])


def compare(m, glb):
    """The greatest differences of bones and of corners in map units, and how many of each were compared."""
    bones = corners = 0.0
    nb = nc = 0
    if "skins" not in glb.json or not m.scenes:
        return bones, corners, nb, nc
    skin = glb.json["skins"][0]
    bind = glb.accessor(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
    inverse, back = np.linalg.inv(m.rest), np.linalg.inv(AXES)
    primitives = glb.json["meshes"][0]["primitives"] if "meshes" in glb.json else []
    stored = [c for c in m.corners if c]
    animations = glb.json.get("animations", [])
    if not animations:  # a single pose
        assert all(s[2] == 1 for s in m.scenes), "sequences are missing"
        animations = [dict(channels=[], extras=dict(fps=1, frames=1))]
    for a, (name, first, count, loops) in zip(animations, m.scenes, strict=bool(glb.json.get("animations"))):
        frames = count + 1 if loops and count > 1 else count
        assert a["extras"]["frames"] == frames, (name, a["extras"]["frames"], frames)
        for frame in sorted({0, frames // 4, frames // 2, 3 * frames // 4, frames - 1}):
            pose = first + frame % count
            joints, want = glb.globals(glb.posed(a, frame)), m.globals(pose)
            moved = np.array([AXES @ w @ i @ back for w, i in zip(want, inverse)])
            got = joints @ bind
            bones = max(bones, np.abs(got[:, :3, 3] - moved[:, :3, 3]).max() / UNIT, np.abs(got[:, :3, :3] - moved[:, :3, :3]).max())
            bones = max(bones, np.abs(joints[:, :3, 3] - np.array([(AXES @ w)[:3, 3] for w in want])).max() / UNIT)
            nb += len(want)
            if frame not in (0, frames // 2):
                continue
            raw = m.globals(pose, stored=True)
            for p, list_ in zip(primitives, stored):
                at = glb.accessor(p["attributes"]["POSITION"])
                j, w = glb.accessor(p["attributes"]["JOINTS_0"]).astype(int), glb.accessor(p["attributes"]["WEIGHTS_0"])
                ones = np.hstack([at, np.ones((len(at), 1))])
                skinned = sum(w[:, k, None] * np.einsum("nij,nj->ni", got[j[:, k]], ones) for k in range(4))
                order = glb.accessor(p["indices"])[:, 0].astype(int)
                keep = [c for i in range(0, len(list_), 3) if len({x[0] for x in list_[i:i + 3]}) == 3 for c in list_[i:i + 3]]
                assert len(keep) == len(order), (len(keep), len(order))
                places = {k: sum(raw[b][:3, :3] @ v + x * raw[b][:3, 3] for b, v, x in ws) for k, ws in dict(keep).items()}
                should = np.array([places[k] for k, _ in keep]) @ AXES[:3, :3].T
                corners = max(corners, np.abs(skinned[order][:, :3] - should).max() / UNIT)
                nc += len(order)
    return bones, corners, nb, nc


def files(paths):
    for path in map(Path, paths):
        if path.is_dir():
            for f in sorted(path.rglob("*")):
                if f.suffix in READERS:
                    side = Path(str(f) + ".framegroups")
                    yield str(f), f.suffix, f.read_bytes(), side.read_bytes() if side.exists() else b""
        else:
            z = zipfile.ZipFile(path)
            for n in sorted(z.namelist()):
                if Path(n).suffix in READERS:
                    side = n + ".framegroups"
                    yield f"{path}:{n}", Path(n).suffix, z.read(n), z.read(side) if side in z.namelist() else b""


def main():
    program, worst, total, failed = sys.argv[1], [0.0, 0.0], [0, 0, 0], 0
    with tempfile.TemporaryDirectory() as tmp:
        for name, kind, data, side in files(sys.argv[2:]):
            subprocess.run([program, "model", name, f"{tmp}/m.glb", "--quiet", "--set", "model.keys=all"],
                           check=True)
            m = READERS[kind](data)
            if side:
                groups(m, side)
            b, c, nb, nc = compare(m, Glb(f"{tmp}/m.glb"))
            total = [total[0] + 1, total[1] + nb, total[2] + nc]
            worst = [max(worst[0], b), max(worst[1], c)]
            if b > BONES or c > CORNERS:
                failed += 1
                print(f"FAIL {name}: bones differ by {b:.2g}, corners by {c:.2g} map units")
    print(f"{total[0]} models, {total[1]} bone matrices within {worst[0]:.2g}, {total[2]} corners within {worst[1]:.2g} map units, {failed} failed")
    sys.exit(1 if failed or not total[0] else 0)


if __name__ == "__main__":
    main()
