#!/usr/bin/env python3
"""Compares the bones of Source's .mdl files with an independent reading of the files, which shares no code with the converter.

usage: sequences.py BSP2GLTF ROOT [--every N] [--set KEY=VALUE]... [FILE]...

--set model.root_motion=true compares the movements of whole models, too. ROOT is a game's folder, FILE a path in it; without FILE, all of
its models are compared. Converts each with all keys. At five frames of every Nth sequence, compares the transforms of all bones with those
that the engine's rules (Source SDK 2013, public/bone_setup.cpp) give for the file: blends of animations, layers, bones that follow another
parent for a time, and bones that follow rules. Prints the greatest differences in map units and in rows of rotations, and which features
were used, and fails if one is above the limits.
"""
import collections, functools, math, struct, subprocess, sys, tempfile
from pathlib import Path

import numpy as np

from bones import Glb, quaternion

LIMIT = 1e-3  # map units; rows of matrices
UNIT = 0.0254
IDENTITY = np.array([0.0, 0, 0, 1])


def unit(q):
    n = np.linalg.norm(q)
    return q / n if n > 1e-9 else IDENTITY.copy()


def product(p, q):
    v = p[3] * q[:3] + q[3] * p[:3] + np.cross(p[:3], q[:3])
    return np.append(v, p[3] * q[3] - p[:3] @ q[:3])


def align(p, q):
    return q if p @ q >= 0 else -q


def blend(p, q, t):
    return unit((1 - t) * p + t * align(p, q))


def slerp(p, q, t):
    p, q = unit(p), unit(q)
    q = align(p, q)
    c = min(1, p @ q)
    if c > 1 - 1e-7:
        return unit((1 - t) * p + t * q)
    w = math.acos(c)
    return (math.sin((1 - t) * w) * p + math.sin(t * w) * q) / math.sin(w)


def scale(q, t):
    s = min(1, np.linalg.norm(q[:3]))
    if s < 1e-12:
        return q
    to = math.sin(math.asin(s) * t)
    return np.append(q[:3] * (to / s), math.copysign(math.sqrt(max(0, 1 - to * to)), q[3]))


def euler(a):
    q = IDENTITY
    for axis in (2, 1, 0):
        r = np.zeros(4)
        r[axis], r[3] = math.sin(a[axis] / 2), math.cos(a[axis] / 2)
        q = product(q, r)
    return q


def matrix(pos, q):
    m = np.eye(4)
    m[:3, :3], m[:3, 3] = quaternion(q), pos
    return m


def angles(m):
    """The quaternion of a rotation matrix."""
    w, v = np.linalg.eigh(np.array([
        [m[0, 0] - m[1, 1] - m[2, 2], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0], m[2, 1] - m[1, 2]],
        [0, m[1, 1] - m[0, 0] - m[2, 2], m[1, 2] + m[2, 1], m[0, 2] - m[2, 0]],
        [0, 0, m[2, 2] - m[0, 0] - m[1, 1], m[1, 0] - m[0, 1]],
        [0, 0, 0, m[0, 0] + m[1, 1] + m[2, 2]]]).T)
    return v[:, -1]


class File:
    def __init__(self, data):
        self.d = data
        assert data[:4] == b"IDST" and 44 <= self.i(4) <= 49
        self.bones = []
        for k in range(self.i(156)):
            b = self.i(160) + 216 * k
            self.bones.append(dict(
                name=self.s(b + self.i(b)).lower(), parent=self.i(b + 4), pos=self.v(b + 32, 3), q=self.v(b + 44, 4), rot=self.v(b + 60, 3),
                ps=self.v(b + 72, 3), rs=self.v(b + 84, 3), flags=self.i(b + 160), proc=self.i(b + 164), at=b + self.i(b + 168)))
        self.sequences = [self.i(192) + 212 * k for k in range(self.i(188))]
        self.animations = [self.i(184) + 100 * k for k in range(self.i(180))]

    def i(self, at):
        return struct.unpack_from("<i", self.d, at)[0]

    def h(self, at):
        return struct.unpack_from("<h", self.d, at)[0]

    def f(self, at):
        return struct.unpack_from("<f", self.d, at)[0]

    def v(self, at, n):
        return np.array(struct.unpack_from("<%df" % n, self.d, at), float)

    def s(self, at):
        return self.d[at:at + 260].split(b"\0")[0].decode("latin1")


def rle(d, at, k):
    """The value of a track in frame k."""
    while True:
        valid, total = d[at], d[at + 1]
        if total == 0:
            return 0
        if k < total:
            return struct.unpack_from("<h", d, at + 2 + 2 * min(k, valid - 1))[0] if valid else 0
        k -= total
        at += 2 + 2 * valid


def half3(d, at):
    return np.minimum(np.maximum(np.frombuffer(d, "<f2", 3, at).astype(float), -65504), 65504)


def float3(d, at):
    return np.frombuffer(d, "<f4", 3, at).astype(float)


def q48(d, at):
    x, y, z = struct.unpack_from("<3H", d, at)
    q = np.array([(x - 32768) / 32768, (y - 32768) / 32768, ((z & 0x7fff) - 16384) / 16384])
    w = math.sqrt(max(0, 1 - q @ q))
    return np.append(q, -w if z & 0x8000 else w)


def q64(d, at):
    n = struct.unpack_from("<Q", d, at)[0]
    q = np.array([((n >> s & 0x1fffff) - 1048576) / 1048576.5 for s in (0, 21, 42)])
    w = math.sqrt(max(0, 1 - q @ q))
    return np.append(q, -w if n >> 63 else w)


def smallest(d, at):
    """A quaternion that is stored without its greatest component."""
    v = struct.unpack_from("<3H", d, at)
    first, q = v[0] >> 15 << 1 | v[1] >> 15, np.zeros(4)
    for k in range(3):
        q[(first + k) % 4] = ((v[k] & 0x7fff) - 16384) / 23168
    w = math.sqrt(max(0, 1 - q @ q))
    q[(first + 3) % 4] = -w if v[2] >> 15 else w
    return q


def by_frames(f, d, at, frame, delta):
    """An animation that is stored frame by frame: first what all frames share, then each frame."""
    constants, first, size = struct.unpack_from("<3i", d, at)
    flags, out = d[at + 24:at + 24 + len(f.bones)], {}
    fields = {2: ("q", 6, q48), 8: ("q", 6, q48), 0x40: ("q", 6, smallest), 0x80: ("q", 6, smallest),
              1: ("p", 6, half3), 4: ("p", 6, half3),
              0x20: ("p", 12, float3), 0x10: ("p", 12, float3)}
    values = [dict(p=np.zeros(3), q=IDENTITY) if delta else dict(p=b["pos"], q=b["q"]) for b in f.bones]
    for here, order in (at + constants, (2, 0x40, 1, 0x20)), (at + first + frame * size, (8, 0x80, 4, 0x10)):
        for k, v in enumerate(values):
            for bit in order:
                if flags[k] & bit:
                    what, n, read = fields[bit]
                    v[what] = read(d, here)
                    here += n
    return {k: (v["p"], v["q"]) for k, v in enumerate(values) if flags[k]}


class Model:
    """The sequences of a file and of the files that it includes."""

    def __init__(self, root, name):
        self.root, self.groups, self.used = root, [], collections.Counter()
        self.labels, self.list, self.names, self.anims = {}, [], {}, []
        self.add(File(root[name]), {name})
        self.bones = self.groups[0]["file"].bones

    def add(self, f, seen):
        base = self.groups[0]["file"].bones if self.groups else f.bones
        index = {}
        for k, b in reversed(list(enumerate(f.bones))):
            index[b["name"]] = k
        to = [index.get(b["name"], -1) for b in base] if self.groups else list(range(len(base)))
        g = dict(file=f, to=to, back={k: i for i, k in reversed(list(enumerate(to))) if k >= 0}, seqs=[], anims=[])
        n = len(self.groups)
        self.groups.append(g)
        labels, names = dict(self.labels), dict(self.names)
        for k, b in enumerate(f.sequences):
            label = f.s(b + f.i(b + 4)).lower()
            if label in labels and labels[label] in self.labels.values():
                m = labels[label]
                old = self.list[m]
                if self.groups[old[0]]["file"].i(old[1] + 12) & 0x800:
                    self.list[m] = (n, b)
            else:
                m = len(self.list)
                self.list.append((n, b))
                self.labels.setdefault(label, m)
            g["seqs"].append(m)
        for k, b in enumerate(f.animations):
            name = f.s(b + f.i(b + 4)).lower()
            if name not in names:
                self.anims.append((n, b))
                g["anims"].append(len(self.anims) - 1)
                self.names.setdefault(name, len(self.anims) - 1)
            else:
                g["anims"].append(names[name])
        for k in range(f.i(336)):
            b = f.i(340) + 8 * k
            name = f.s(b + f.i(b + 4)).lower().replace("\\", "/").lstrip("/")
            if name in self.root and name not in seen:
                seen.add(name)
                self.add(File(self.root[name]), seen)

    # One animation

    @functools.lru_cache(4096)
    def block(self, n, number):
        f = self.groups[n]["file"]
        name = f.s(f.i(348)).lower().replace("\\", "/") if f.i(348) else ""
        return (self.root[name], f.i(f.i(356) + 8 * number)) if name in self.root else None

    def locate(self, n, b, frame):
        f = self.groups[n]["file"]
        size, count = f.i(b + 84), f.i(b + 16)
        block, at = f.i(b + 52), f.i(b + 56)
        if size:
            section = frame // size
            local = frame % size
            if count > size and frame == count - 1:
                section, local = count // size + 1, 0
            block, at = f.i(b + f.i(b + 80) + 8 * section), f.i(b + f.i(b + 80) + 8 * section + 4)
            frame = local
        if block < 0 or block == 0 and at == 0:
            return None
        if block == 0:
            return f.d, b + at, frame
        found = self.block(n, block)
        return (found[0], found[1] + at, frame) if found else None

    @functools.lru_cache(20000)
    def values(self, a, frame):
        """By bone of the animation's file: the position and rotation that the animation gives, or None if it has none."""
        n, b = self.anims[a]
        f = self.groups[n]["file"]
        delta = f.i(b + 12) & 4
        place = self.locate(n, b, frame)
        out = {}
        if place is None:
            count, span, at = f.h(b + 90), f.h(b + 88), b + f.i(b + 92)
            if count <= 0 or not f.i(b + 92):
                return None
            for k, bone in enumerate(f.bones):
                pos, q = (np.zeros(3), IDENTITY) if delta else (bone["pos"], bone["q"])
                if bone["flags"] & 0x200000:
                    pos = half3(f.d, at)
                    at += 6 * count
                if bone["flags"] & 0x400000:
                    q = q64(f.d, at)
                    at += 8 * count
                if bone["flags"] & 0x600000:
                    out[k] = (pos, q)
            return out or None
        d, at, frame = place
        if f.i(b + 12) & 0x40:
            return by_frames(f, d, at, frame, delta)
        for _ in f.bones:
            k, flags, step = struct.unpack_from("<BBh", d, at)
            if k == 255:
                break
            bone, here = f.bones[k], at + 4
            base, rot, pos, q = bone["pos"], bone["rot"], bone["pos"], bone["q"]
            if flags & 0x10:
                base, rot, pos, q = np.zeros(3), np.zeros(3), np.zeros(3), IDENTITY

            def track(at):
                offs = struct.unpack_from("<3h", d, at)
                return np.array([rle(d, at + o, frame) if o > 0 else 0 for o in offs], float)

            if flags & 8:
                q = euler(rot + track(here) * bone["rs"])
                here += 6
            if flags & 4:
                pos = base + track(here) * bone["ps"]
                here += 6
            if flags & 2:
                q = q48(d, here)
                here += 6
            if flags & 0x20:
                q = q64(d, here)
                here += 8
            if flags & 1:
                pos = half3(d, here)
            out[k] = (pos, q)
            if step == 0:
                break
            at += step
        return out or None

    def animation(self, m, a, at):
        """The model's bones at a time (in frames) of an animation of a sequence."""
        g, b = self.list[m]
        f, to = self.groups[g]["file"], self.groups[g]["to"]
        n, desc = self.anims[a]
        af, ato = self.groups[n]["file"], self.groups[n]["to"]
        flags, count = af.i(desc + 12), max(1, af.i(desc + 16))
        if flags & 0x20:
            return None
        whole = min(int(at + 1e-6), count - 1)
        part = at - whole
        one = self.values(a, whole)
        two = self.values(a, whole + 1) if part > 1e-3 and whole + 1 < count else None
        if one is None:
            return None
        pos, q = [], []
        for i, bone in enumerate(self.bones):
            k = to[i]
            p, r = bone["pos"], bone["q"]
            if flags & 4:
                p, r = np.zeros(3), IDENTITY
            if k >= 0 and self.weight(m, k) > 0:
                if not flags & 4:
                    p, r = f.bones[k]["pos"], f.bones[k]["q"]
                x = ato[i]
                if x in one:
                    p, r = one[x]
                    if two:
                        p, r = p * (1 - part) + two[x][0] * part, blend(r, two[x][1], part)
            pos.append(np.array(p, float))
            q.append(np.array(r, float))
        if af.i(desc + 72):
            self.hierarchy(n, desc, whole, whole / max(1, count - 1), pos, q)
        return pos, q

    def hierarchy(self, n, desc, frame, cycle, pos, q):
        f, back = self.groups[n]["file"], self.groups[n]["back"]
        for k in range(f.i(desc + 72)):
            h = desc + f.i(desc + 76) + 48 * k
            bone, above = f.i(h), f.i(h + 4)
            start, peak, tail, end = f.v(h + 8, 4)
            if bone not in back or above != -1 and above not in back:
                continue
            i, weight = back[bone], 1.0
            if tail - peak < 1:
                x = cycle + 1 if end > 1 and cycle < start else cycle
                if x < start or x >= end:
                    continue
                if x < peak and start != peak:
                    weight = (x - start) / (peak - start)
                elif x > tail and end != tail:
                    weight = (end - x) / (end - tail)
                weight = weight * weight * (3 - 2 * weight)
            c = h + f.i(h + 28)
            offs = [f.h(c + 24 + 2 * x) for x in range(6)]
            v = [f.f(c + 4 * x) * rle(f.d, c + o, max(0, frame - f.i(h + 24))) if o > 0 else 0 for x, o in enumerate(offs)]
            world = matrix(np.array(v[:3]), euler(v[3:]))
            if above != -1:
                world = self.chain(pos, q)[back[above]] @ world
            p = self.bones[i]["parent"]
            local = np.linalg.inv(self.chain(pos, q)[p]) @ world if p >= 0 else world
            if weight == 1:
                pos[i], q[i] = local[:3, 3], angles(local)
            else:
                q[i] = slerp(q[i], angles(local), weight)
                pos[i] = local[:3, 3] + (pos[i] - local[:3, 3]) * weight
            self.used["bones on others"] += 1

    # Sequences

    @functools.lru_cache(200000)
    def weight(self, m, k):
        g, b = self.list[m]
        f = self.groups[g]["file"]
        return min(1, max(0, f.f(b + f.i(b + 156) + 4 * k))) if f.i(b + 156) else 1.0

    def parameter(self, g, number):
        f = self.groups[g]["file"]
        if not 0 <= number < f.i(300):
            return 0.0
        lo, hi = f.v(f.i(304) + 20 * number + 8, 2)
        return min(max(0, min(lo, hi)), max(lo, hi))

    def setting(self, m, axis):
        g, b = self.list[m]
        f = self.groups[g]["file"]
        number, size = f.i(b + 76 + 4 * axis), max(1, f.i(b + 68 + 4 * axis))
        if not 0 <= number < f.i(300) or size < 2:
            return 0, 0.0
        value = self.parameter(g, number)
        if f.i(b + 160):
            keys = f.v(b + f.i(b + 160) + 4 * axis * f.i(b + 68), size)
            i = 0
            while i < size - 2 and value > keys[i + 1]:
                i += 1
            return i, min(1, max(0, (value - keys[i]) / (keys[i + 1] - keys[i])))
        start, end = f.f(b + 84 + 4 * axis), f.f(b + 92 + 4 * axis)
        s = min(1, max(0, (value - start) / (end - start))) * (size - 1)
        i = min(int(s), size - 2)
        return i, s - i

    def cells(self, m):
        """(animation, blend weight), in order."""
        g, b = self.list[m]
        f = self.groups[g]["file"]
        w, h = max(1, f.i(b + 68)), max(1, f.i(b + 72))
        at = lambda x, y: self.groups[g]["anims"][f.h(b + f.i(b + 60) + 2 * (min(y, h - 1) * w + min(x, w - 1)))]
        (x, s), (y, r) = self.setting(m, 0), self.setting(m, 1)
        if s > 0.999:
            x, s = x + 1, 0
        if r > 0.999:
            y, r = y + 1, 0
        s, r = (0 if s < 1e-3 else s), (0 if r < 1e-3 else r)
        if not s and not r:
            return [(at(x, y), 1)]
        if not r:
            return [(at(x, y), 1), (at(x + 1, y), s)]
        if not s:
            return [(at(x, y), 1), (at(x, y + 1), r)]
        if (x + y) % 2 == 0:
            c = [(0, 0, 1 - s), (1, 0, s - r), (1, 1, r)] if s > r else [(1, 1, s), (0, 1, r - s), (0, 0, 1 - r)]
        else:
            c = [(1, 0, 1 - r), (1, 1, s + r - 1), (0, 1, 1 - s)] if s + r > 1 else [(0, 1, r), (0, 0, 1 - s - r), (1, 0, s)]
        (a, b2, v), (d, e, u), (i, j, t) = c
        if u < 1e-3:
            return [(at(x + a, y + b2), 1), (at(x + i, y + j), t / (v + t))]
        return [(at(x + a, y + b2), 1), (at(x + d, y + e), u / (v + u)), (at(x + i, y + j), t)]

    def frames(self, m):
        out = 1
        for a, _ in self.cells(m):
            n, b = self.anims[a]
            out = max(out, self.groups[n]["file"].i(b + 16))
        return out

    def single(self, m, cycle):
        pos = q = None
        delta = self.flags(m) & 4
        cells = self.cells(m)
        for k, (a, share) in enumerate(cells):
            n, b = self.anims[a]
            one = self.animation(m, a, cycle * (max(1, self.groups[n]["file"].i(b + 16)) - 1))
            if one is None:
                if not delta:
                    return None
                one = [np.zeros(3) for _ in self.bones], [IDENTITY for _ in self.bones]
                if len(cells) == 1:
                    return None
            if pos is None:
                pos, q = one
            else:
                pos = [p * (1 - share) + r * share for p, r in zip(pos, one[0])]
                q = [blend(p, r, share) for p, r in zip(q, one[1])]
        return pos, q

    def flags(self, m):
        g, b = self.list[m]
        return self.groups[g]["file"].i(b + 12)

    def layers(self, m):
        g, b = self.list[m]
        f = self.groups[g]["file"]
        for k in range(f.i(b + 148)):
            at = b + f.i(b + 152) + 24 * k
            n = self.groups[g]["seqs"][f.h(at)]
            yield n, f.i(at + 4), self.parameter(self.list[n][0], f.h(at + 2)), *f.v(at + 8, 4)

    def locks(self, m):
        g, b = self.list[m]
        return self.groups[g]["file"].i(b + 164)

    def ramp(self, cycle, weight, flags, value, start, peak, tail, end, local):
        if start == end:
            return cycle, weight
        pose = flags & 0x4000 and not local
        x, s = value if pose else cycle, 1.0
        if x < start or x >= end and not (x == 1 and end == 1 and not pose):  # its end belongs to the ramp
            return 0, 0
        if x < peak and start != peak:
            s = (x - start) / (peak - start)
        elif x > tail and end != tail:
            s = (end - x) / (end - tail)
        if flags & 0x40:
            s = s * s * (3 - 2 * s)
        if flags & 0x80 and x > tail:
            w = s * weight / (1 - weight + s * weight)
        else:
            w = s if flags & 0x200 else weight * s
        return cycle if pose else (cycle - start) / (end - start), w

    def accumulate(self, pos, q, m, cycle, weight):
        made = self.single(m, cycle)
        if made:
            if self.flags(m) & 0x200:
                self.add_layers(*made, m, cycle, 1, True)
            self.mix(pos, q, m, *made, weight)
        self.add_layers(pos, q, m, cycle, weight, False)
        return made is not None

    def add_layers(self, pos, q, m, cycle, weight, local):
        if self.locks(m):
            return
        for n, flags, value, *times in self.layers(m):
            if bool(flags & 0x1000) != local or self.flags(n) & 0x180 and self.frames(n) > 1 or self.locks(n):
                continue
            at, w = self.ramp(cycle, weight, flags, value, *times, local)
            if w > 0:
                self.used["layers"] += 1
                self.accumulate(pos, q, n, min(1, max(0, at)), min(1, w))

    def mix(self, pos, q, m, pos2, q2, weight):
        g, _ = self.list[m]
        to, flags = self.groups[g]["to"], self.flags(m)
        share = [weight * self.weight(m, k) if k >= 0 else 0 for k in to]
        if flags & 0x4000:
            self.used["layers in the model's axes"] += 1
            dest, src, new = [], [], []
            for i, b in enumerate(self.bones):
                n = b["parent"]
                up = lambda l: l[n] if n >= 0 else np.eye(3)
                dest.append(up(dest) @ quaternion(q[i]))
                src.append(up(src) @ quaternion(q2[i]))
                if share[i] == 1 and n >= 0 and share[n] == 1:
                    pos[i], q[i] = pos2[i], q2[i]
                elif share[i] > 0:
                    target = quaternion(slerp(angles(dest[i]), angles(src[i]), share[i]))
                    q[i] = angles(up(new).T @ target)
                    if n >= 0:
                        pos[i] = pos[i] + (pos2[i] - pos[i]) * share[i]
                new.append(up(new) @ quaternion(q[i]))
            return
        for i, s in enumerate(share):
            if s <= 0:
                continue
            if flags & 4:
                by = scale(unit(q2[i]), s)
                q[i] = unit(product(q[i], by) if flags & 0x10 else product(by, q[i]))
                pos[i] = pos[i] + pos2[i] * s
            else:
                q[i] = slerp(q[i], q2[i], s)
                pos[i] = pos[i] * (1 - s) + pos2[i] * s

    # Bones that follow others

    def chain(self, pos, q):
        out = []
        for i, b in enumerate(self.bones):
            m = matrix(pos[i], q[i])
            out.append(out[b["parent"]] @ m if b["parent"] >= 0 else m)
        return out

    def world(self, pos, q):
        f, out = self.groups[0]["file"], []
        local = [matrix(p, r) for p, r in zip(pos, q)]
        for i, b in enumerate(self.bones):
            up = out[b["parent"]] if b["parent"] >= 0 else np.eye(4)
            if b["flags"] & 4 and b["proc"] in (1, 2, 3, 4) and b["at"]:
                made = getattr(self, "follow%d" % b["proc"])(f, b, local, out, up)
                if made is not None:
                    self.used["bones that follow, %d" % b["proc"]] += 1
                    local[i] = made
            out.append(up @ local[i])
        return out

    def follow1(self, f, b, local, out, up):
        control, axis = f.i(b["at"]), f.i(b["at"] + 4)
        v = local[control][:3, axis]
        pick = [(0 if v[0] >= 0 else 1), (2 if v[1] >= 0 else 3), (4 if v[2] >= 0 else 5)]
        a = np.abs(v)
        pos = [f.v(b["at"] + 8 + 12 * k, 3) for k in pick]
        q = [f.v(b["at"] + 80 + 16 * k, 4) for k in pick]
        if a[0] + a[1] > 0:
            t = 1 / a.sum()
            r = slerp(slerp(q[1], q[0], a[0] / (a[0] + a[1])), q[2], a[2] * t)
            return matrix(sum(p * x * t for p, x in zip(pos, a)), r)
        return matrix(pos[2], q[2])

    def follow2(self, f, b, local, out, up):
        control, n, at = f.i(b["at"]), f.i(b["at"] + 4), b["at"] + f.i(b["at"] + 8)
        if self.bones[control]["parent"] < 0:
            return None
        src, w = angles(local[control]), []
        for k in range(n):
            dot = min(1, abs(f.v(at + 48 * k + 4, 4) @ src))
            w.append(max(0, 1 - 2 * math.acos(dot) * f.f(at + 48 * k)))
        if sum(w) <= 1e-3:
            return matrix(f.v(at + 20, 3), f.v(at + 32, 4))
        q, pos = np.zeros(4), np.zeros(3)
        for k in range(n):
            if w[k]:
                s = w[k] / sum(w)
                q = align(f.v(at + 48 * k + 32, 4), q) + s * f.v(at + 48 * k + 32, 4)
                pos = pos + s * f.v(at + 48 * k + 20, 3)
        return matrix(pos, unit(q))

    def follow3(self, f, b, local, out, up, at=None):
        aim = f.i(b["at"] + 4)
        if at is None:
            at = out[aim][:3, 3]
        axis, above, base = f.v(b["at"] + 8, 3), f.v(b["at"] + 20, 3), f.v(b["at"] + 32, 3)
        here = (up @ np.append(base, 1))[:3]
        aimed = (at - here) / np.linalg.norm(at - here)
        turn = lambda v, a: np.append(v / max(np.linalg.norm(v), 1e-12) * math.sin(a / 2), math.cos(a / 2))
        r = turn(np.cross(axis, aimed), math.acos(max(-1, min(1, axis @ aimed))))
        if 1 - abs(above @ axis) > 1e-7:
            side = lambda v: (v - aimed * (aimed @ v)) / np.linalg.norm(v - aimed * (aimed @ v))
            mine = side(np.array(quaternion(r)) @ above)
            other = side((up @ matrix(base, b["q"]))[:3, :3] @ above)
            c = max(-1, min(1, mine @ other))
            if 1 - abs(c) > 1e-7:
                r = product(turn(np.cross(mine, other), math.acos(c)), r)
        return np.linalg.inv(up) @ matrix(here, r)

    def follow4(self, f, b, local, out, up):
        a = f.i(244) + 92 * f.i(b["at"] + 4)
        m = np.vstack([f.v(a + 12, 12).reshape(3, 4), [0, 0, 0, 1]])
        return self.follow3(f, b, local, out, up, (out[f.i(a + 8)] @ m)[:3, 3])

    def travel(self, m, cycle):
        """The model's movement since the start of a sequence, which the animations' bones leave out."""
        at, angle = np.zeros(3), 0.0
        for a, share in self.cells(m):
            n, d = self.anims[a]
            f = self.groups[n]["file"]
            frame, begin, to, by = cycle * (max(1, f.i(d + 16)) - 1), 0, np.zeros(3), 0.0
            for k in range(f.i(d + 20)):
                b = d + f.i(d + 24) + 44 * k
                if f.i(b) < frame:
                    begin, to, by = f.i(b), f.v(b + 32, 3), f.f(b + 16)
                    continue
                t = (frame - begin) / max(1, f.i(b) - begin)
                v0, v1 = f.v(b + 8, 2)
                to, by = to + (v0 * t + (v1 - v0) * t * t / 2) * f.v(b + 20, 3), by * (1 - t) + f.f(b + 16) * t
                break
            at, angle = at * (1 - share) + to * share, angle * (1 - share) + by * share
        if at.any() or angle:
            self.used["movements"] += 1
        return matrix(at, euler([0, 0, math.radians(angle)]))

    def pose(self, m, cycle, travels=False):
        pos, q = [b["pos"].copy() for b in self.bones], [b["q"].copy() for b in self.bones]
        if not self.accumulate(pos, q, m, cycle, 1.0):
            return None
        to = self.travel(m, cycle) if travels else np.eye(4)
        return [to @ w for w in self.world(pos, q)]


def compare(model, glb, every, travels):
    worst, count = (0.0, 0.0, "none"), 0
    if not glb.json.get("animations"):
        return worst, count
    if "skins" not in glb.json:  # without a mesh, the nodes below the root are its bones and what is attached to them
        below = [i for i, n in enumerate(glb.json["nodes"]) if i and not {"attachment", "hitbox", "flags"} & set(n.get("extras", {}))]
        glb.json["skins"] = [{"joints": below[:len(model.bones)]}]
    axes = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
    for k, a in enumerate(glb.json["animations"]):
        if k % every:
            continue
        name = a["name"].lower()
        if name not in model.labels:
            continue
        m, n = model.labels[name], a["extras"]["frames"]
        assert n == model.frames(m), (name, n, model.frames(m))
        for frame in sorted({0, n // 4, n // 2, 3 * n // 4, n - 1}):
            want = model.pose(m, frame / max(1, n - 1), travels)
            assert want is not None, name + " has no data"
            got = glb.globals(glb.posed(a, frame))
            for i, (w, g) in enumerate(zip(want, got)):
                at = np.abs(axes @ w[:3, 3] - g[:3, 3] / UNIT).max()
                r = np.abs(axes @ w[:3, :3] @ axes.T - g[:3, :3]).max()
                count += 1
                if not max(at, r) <= max(worst[:2]):
                    worst = (at, r, "%s frame %d bone %s" % (name, frame, model.bones[i]["name"]))
    return worst, count


def main():
    program, folder, *rest = sys.argv[1:]
    every, files, options = 1, [], []
    while rest:
        if rest[0] == "--every":
            every = int(rest[1])
            rest = rest[2:]
        elif rest[0] == "--set":
            options += rest[:2]
            rest = rest[2:]
        else:
            files.append(rest.pop(0).lower())
    paths = {str(p.relative_to(folder)).lower(): p for p in Path(folder).rglob("*") if p.suffix.lower() in (".mdl", ".ani")}

    class Root(dict):
        def __missing__(self, name):
            self[name] = paths[name].read_bytes()
            return self[name]

        def __contains__(self, name):
            return name in paths

    root, total, failed, worst, used = Root(), 0, 0, (0.0, 0.0), collections.Counter()
    models = 0
    with tempfile.TemporaryDirectory() as tmp:
        for name in files or sorted(n for n in paths if n.endswith(".mdl")):
            d = root[name]
            if d[:4] != b"IDST" or not 44 <= struct.unpack_from("<i", d, 4)[0] <= 49 or struct.unpack_from("<i", d, 152)[0] & 0x10:
                continue
            made = subprocess.run([program, "model", "--game", folder, str(paths[name]), f"{tmp}/m.glb", "--quiet",
                                   "--set", "model.keys=all", *options], capture_output=True, text=True)
            if made.returncode > 1 or not Path(f"{tmp}/m.glb").exists():
                print(f"skip {name}: {made.stderr.strip()[-120:]}")
                continue
            model = Model(root, name)
            (at, turn, where), n = compare(model, Glb(f"{tmp}/m.glb"), every, "model.root_motion=true" in options)
            Path(f"{tmp}/m.glb").unlink()
            models, total = models + (n > 0), total + n
            for k, v in model.used.items():
                used["models with " + k] += 1
                used[k] += v
            worst = max(worst[0], at), max(worst[1], turn)
            if not max(at, turn) <= LIMIT:
                failed += 1
                print(f"FAIL {name}: {where} differs by {at:.2g} map units, {turn:.2g}")
    print(f"{models} models, {total} bones within {worst[0]:.2g} map units and {worst[1]:.2g}, {failed} failed; {dict(used)}")
    sys.exit(1 if failed or not total else 0)


if __name__ == "__main__":
    main()
