#!/usr/bin/env python3
"""Compares the morph targets of Source's models with an independent reading of the models' files.

    flexes.py BSP2GLTF MODEL.mdl...

Every vertex that a flex moves must be in the target, at its position and with its offset, within 0.001 map units, and no other vertex.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile
from collections import defaultdict

UNIT = 0.0254


def number(b, form, at):
    return struct.unpack_from('<' + form, b, at)


def shown(path):
    """By mesh, in the file's order: the vertices that the finest level of detail shows."""
    b, meshes, groups = open(path, 'rb').read(), [], []
    parts, at = number(b, 'ii', 28)
    for part in range(at, at + 8 * parts, 8):
        models, ofs = number(b, 'ii', part)
        for model in range(part + ofs, part + ofs + 8 * models, 8):
            levels, ofs = number(b, 'ii', model)
            for level in range(model + ofs, model + ofs + 12 * levels, 12):
                n, ofs = number(b, 'ii', level)
                for mesh in range(level + ofs, level + ofs + 9 * n, 9):
                    count, first = number(b, 'ii', mesh)
                    groups += [(mesh + first, k) for k in range(count)]
                    if level == model + number(b, 'i', model + 4)[0]:
                        meshes.append((mesh + first, count))
    # All groups are stored one after the other, then all strips: from that follows the size of a group.
    lowest = min(at for at, _ in groups)
    size = 33 if number(b, 'i', lowest + 20)[0] == 33 * len(groups) else 25
    out = []
    for first, count in meshes:
        seen = set()
        for group in range(first, first + size * count, size):
            n, ofs = number(b, 'ii', group)
            seen |= {number(b, 'H', group + ofs + 9 * k + 4)[0] for k in range(n)}
        out.append(seen)
    return out


def stored(path):
    """By label and ramp: the moved vertices that are shown, as (position, offset) in the map's axes; flexes in two halves under both
    labels."""
    mdl, vvd, used = open(path, 'rb').read(), open(path[:-4] + '.vvd', 'rb').read(), iter(shown(path[:-4] + '.dx90.vtx'))
    text = lambda at: mdl[at:mdl.index(b'\0', at)].decode('latin1')
    count, names = number(mdl, 'ii', 260)
    labels = [text(names + 4 * i + number(mdl, 'i', names + 4 * i)[0]) for i in range(count)]
    total, fixups, fixup, start = number(vvd, 'i', 16)[0], *number(vvd, 'iii', 48)
    order = list(range(total))
    if fixups:
        order = []
        for i in range(fixups):
            _, first, n = number(vvd, 'iii', fixup + 12 * i)
            order += range(first, first + n)
    out, first_of = defaultdict(lambda: defaultdict(lambda: (0, 0, 0))), {}
    places = {}
    parts, at = number(mdl, 'ii', 232)
    for i in range(parts):
        _, models, _, ofs = number(mdl, '4i', at + 16 * i)
        for k in range(models):
            model = at + 16 * i + ofs + 148 * k
            meshes, mesh_at = number(mdl, 'ii', model + 72)
            vertices = number(mdl, 'i', model + 84)[0] // 48
            for j in range(meshes):
                mesh = model + mesh_at + 116 * j
                offset, flexes, flex_at = number(mdl, 'iii', mesh + 12)
                seen = next(used)
                for f in range(flexes):
                    flex = mesh + flex_at + 60 * f
                    label, *ramp, n, ofs, pair, kind = number(mdl, 'i4fiiiB', flex)
                    for v in range(n):
                        b = flex + ofs + (18 if kind == 1 else 16) * v
                        index, _, side = number(mdl, 'HBB', b)
                        by = number(mdl, '3e', b + 4)
                        vertex = vertices + offset + index
                        places[vertex] = number(vvd, '3f', start + 48 * order[vertex] + 16)
                        halves = [(label, 1 - side / 255), (pair, side / 255)] if pair else [(label, 1)]
                        for name, share in halves:
                            key = (name, tuple(ramp))
                            first_of.setdefault(key, labels[name])
                            if index in seen:
                                out[key][vertex] = tuple(share * x + y for x, y in zip(by, out[key][vertex]))
    return {key: [(places[v], by) for v, by in moved.items()] for key, moved in out.items()}, first_of


def written(path):
    """By the target's name: the moved vertices, as (position, offset) in the map's axes."""
    b = open(path, 'rb').read()
    size = struct.unpack_from('<I', b, 12)[0]
    doc, data = json.loads(b[20:20 + size]), b[28 + size:]

    def numbers(view, form, width, n, extra=0):
        at = doc['bufferViews'][view].get('byteOffset', 0) + extra
        return [struct.unpack_from('<' + form, data, at + width * i) for i in range(n)]

    def vectors(i):
        a = doc['accessors'][i]
        out = [(0, 0, 0)] * a['count']
        if 'bufferView' in a:
            out = numbers(a['bufferView'], '3f', 12, a['count'], a.get('byteOffset', 0))
        if 'sparse' in a:
            s = a['sparse']
            for (k,), v in zip(numbers(s['indices']['bufferView'], 'I', 4, s['count']),
                               numbers(s['values']['bufferView'], '3f', 12, s['count'])):
                out[k] = v
        return out

    back = lambda v: (v[0] / UNIT, -v[2] / UNIT, v[1] / UNIT)
    out = defaultdict(list)
    for mesh in doc.get('meshes', []):
        names = mesh.get('extras', {}).get('targetNames', [])
        for p in mesh['primitives']:
            if doc['materials'][p['material']]['name'].endswith(' iris'):
                continue  # the image of an iris lies over the white of its eye, and moves with it
            places = vectors(p['attributes']['POSITION'])
            for name, target in zip(names, p.get('targets', []), strict=True):
                out[name] += [(back(at), back(by)) for at, by in zip(places, vectors(target['POSITION'])) if any(by)]
    return out


def near(a, b):
    return all(abs(x - y) < 1e-3 for v, w in zip(a, b) for x, y in zip(v, w))


def cells(list_):
    out = defaultdict(list)
    for x in list_:
        out[tuple(round(c) for c in x[0])].append(x)
    return out


def find(x, grid):
    at = [round(c) for c in x[0]]
    return any(near(x, y) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)
               for y in grid.get((at[0] + i, at[1] + j, at[2] + k), []))


def main():
    program, *models = sys.argv[1:]
    targets = vertices = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'out.glb')
        for model in models:
            subprocess.run([program, 'model', model, out, '--sequences', 'none'], check=True, capture_output=True)
            want, labels = stored(model)
            got, seen = written(out), defaultdict(int)
            for key, label in labels.items():
                seen[label] += 1
                name = label if seen[label] == 1 else f'{label}_{seen[label]}'
                a, b = want.get(key, []), got.get(name, [])
                ga, gb = cells(a), cells(b)
                bad = sum(not find(x, gb) for x in a if any(abs(c) > 1e-3 for c in x[1])) + sum(not find(x, ga) for x in b)
                if bad:
                    print(f'{model}: {name}: {bad} of {len(a)} and {len(b)} vertices differ')
                targets, vertices, wrong = targets + 1, vertices + len(b), wrong + bad
    print(f'{len(models)} models, {targets} targets, {vertices} moved vertices: {wrong} differ')
    return wrong > 0 or not targets


if __name__ == '__main__':
    sys.exit(main())
