#!/usr/bin/python3
"""Pictures of single entities of GoldSrc's and OpenArena's maps by their engines, and by three.js with our plugin at the same moments.

usage: beside.py goldsrc|openarena OUT --maps DIR [--classes func_plat,func_train…] [--only MAP…] [--each 1] [--seed 1]
                 [--times 1,1.5,2] [--game DIR] [--fit SECONDS] [--set KEY=VALUE…] [--again]

Draws, by the seed, --each entities of each class from the maps, and an eye that sees them well: of those around the entity from which
most of the picture shows it. --times are those of Xash3D's map. OpenArena takes one picture, at the moment of its clock; it has the
maps, and --game is its folder. GoldSrc: textures that a map does not contain are patterns in the copy that the engine and bsp2gltf read.
Its monsters have the models of their classes, each with one idle sequence; the other kinds that live, and scripts, are left out; both
read the files of --game, and bsp2gltf those that the engine starts with. The figures are those of the pixels that show the
entity in our picture, with an edge of three pixels, and of the whole picture.
--fit: what a class starts at a random moment (monsters) is compared with the moment of ours, within so many seconds, at which the first
picture differs least; the others are as much later. OUT keeps the pictures (CLASS-MAP-MOMENT: engine | ours | difference × 4).
"""
import argparse
import json
import math
import os
import pathlib
import random
import re
import struct
import subprocess
import sys

import numpy as np
from PIL import Image
from skimage.metrics import structural_similarity
from skimage.morphology import binary_dilation

import engines
import eyes as places
import patterns
from measure import BACKGROUND, read

HERE = pathlib.Path(__file__).resolve().parent
MOVERS = dict(goldsrc='func_plat func_platrot func_door func_door_rotating func_water func_train func_tracktrain func_rotating func_pendulum '
                      'func_button func_rot_button momentary_door momentary_rot_button func_trackchange',
              openarena='func_plat func_door func_train func_rotating func_bobbing func_button func_pendulum func_static')
SMALL = (160, 120)
ACT_IDLE = 1
DARK = 8  # of 255: of what is darker in the mean, nothing is seen


def arguments():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument('engine', choices=('goldsrc', 'openarena'))
    p.add_argument('out', type=pathlib.Path)
    p.add_argument('--maps', type=pathlib.Path, required=True)
    p.add_argument('--classes')
    p.add_argument('--only', nargs='*', default=[])
    p.add_argument('--each', type=int, default=1)
    p.add_argument('--seed', default='1')
    p.add_argument('--times', default='1,1.5,2')
    p.add_argument('--game', type=pathlib.Path)
    p.add_argument('--fit', type=float, default=0)
    p.add_argument('--set', nargs='*', default=[])
    p.add_argument('--again', action='store_true')
    a = p.parse_args()
    a.classes = (a.classes or MOVERS[a.engine].replace(' ', ',')).split(',')
    a.times = [float(t) for t in a.times.split(',')] if a.engine == 'goldsrc' else [1.0]
    return a


def plain(entities, cls):
    """Entities as the Half-Life SDK's game knows them: its monsters have their own models, and a body that is not drawn by lot. Where a
    monster is looked at, nothing that lives, but its kind, and no script makes it do something."""
    def mend(found):
        block = found.group()
        of = re.search(r'"classname"\s+"(\w+)"', block)
        if of and re.match('monster_(?!generic|furniture)', of[1]):
            block = re.sub(r'"model"\s+"[^"]*"', '', block)
        if of and cls.startswith('monster_') and of[1] != cls and re.match('monster|(ai)?scripted_', of[1]) and not of[1].endswith('_dead'):
            return ''
        return re.sub(r'"body"\s+"-1"', '"body" "0"', block)
    return re.sub(r'\{(?:[^{}"]|"[^"]*")*\}', mend, entities.decode('latin1')).encode('latin1')


def copied(data, cls):
    """The map as both read it."""
    return patterns.with_lumps(data, {patterns.ENTITIES: plain(patterns.lump_of(data, patterns.ENTITIES), cls),
                                      patterns.TEXTURES: patterns.textures(patterns.lump_of(data, patterns.TEXTURES))[0]})


def one_idle(data):
    """A model in which one sequence, the first of those with the greatest weight, idles: of several the game draws one."""
    if data[:4] != b'IDST' or struct.unpack_from('<i', data, 4) != (10,):
        return data
    (count, first), out = struct.unpack_from('<2i', data, 164), bytearray(data)
    idle = [at for at in range(first, first + 176 * count, 176) if struct.unpack_from('<i', data, at + 40) == (ACT_IDLE,)]
    kept = max(idle, key=lambda at: struct.unpack_from('<i', data, at + 44), default=None)
    for at in idle:
        if at != kept:
            struct.pack_into('<i', out, at + 40, 0)
    return bytes(out)


def game_of(a):
    """A copy of the game's folder that both read."""
    if not a.game or a.engine != 'goldsrc':
        return a.game
    for p in a.game.rglob('*'):
        if p.is_file():
            to = a.out / 'game' / p.relative_to(a.game)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(one_idle(p.read_bytes()))
    return a.out / 'game'


def around(m, box, level):
    """Eyes around a box that have room for a body, and nothing of the world between them and the box; level ones do not look up or down."""
    centre = [(a + b) / 2 for a, b in zip(*box)]
    radius = max(24, math.dist(*box) / 2)
    for far in (1.4, 2, 3):
        for yaw in range(0, 360, 30):
            for up in (0.05, 0.2) if level else (0.2, 0.6, -0.2):
                turn, reach = math.radians(yaw), far * radius + 32
                p = [centre[0] - reach * math.cos(turn), centre[1] - reach * math.sin(turn), centre[2] + up * reach]
                if not (m.free(p) and m.free([p[0], p[1], p[2] - 66])) or min(m.far(p, a, 40) for a in range(0, 360, 45)) < 24:
                    continue
                way = [c - q for c, q in zip(centre, p)]
                steps = max(1, int((math.hypot(*way) - 0.7 * radius) / 8))
                if all(m.free([q + w * i * 8 / math.hypot(*way) for q, w in zip(p, way)]) for i in range(steps)):
                    pitch = round(-math.degrees(math.atan2(way[2], math.hypot(way[0], way[1]))))
                    yield dict(eye=[round(v) for v in p], yaw=yaw, pitch=0 if level else pitch)


def shoot(glb, prefix, views, size='640x480', background='000000'):
    file = pathlib.Path(f'{prefix}.json')
    file.write_text(json.dumps(views))
    done = subprocess.run(['node', HERE.parent / 'shot.mjs', 'three', glb, prefix, f'--views={file}', '--fov=73.7398', f'--size={size}',
                           '--aliased', f'--background={background}'], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def best(m, glb, out, name, box, time, level):
    """The eye from which most of a small picture shows the entity, and which share of it."""
    views = [dict(e, name=f'{i}', only=name, time=time) for i, e in enumerate(around(m, box, level))]
    if not views:
        return None
    shoot(glb, out / 'seen', views, '%dx%d' % SMALL)
    shares = [read(out / f'seen-{i}.png').mean() / 255 for i in range(len(views))]
    share, i = max((s if s < 0.5 else 0, i) for i, s in enumerate(shares))
    shoot(glb, out / 'lit', [{k: v for k, v in views[i].items() if k != 'only'}], '%dx%d' % SMALL)
    bright = read(out / f'lit-{i}.png')[read(out / f'seen-{i}.png').max(axis=2) > 127]
    return share > 0.01 and bright.mean() > DARK and {k: views[i][k] for k in ('eye', 'yaw', 'pitch')}


def difference(a, b, mask):
    return np.abs(a - b)[mask].mean() if mask.any() else 255


def fitted(a, glb, out, name, eye, times, engine):
    """The moment of ours at which the entity's pixels differ least from the engine's first picture."""
    start = times[0]
    for reach, step in ((a.fit / 2, 0.1), (0.1, 0.02)):
        moments = [round(start + k * step, 3) for k in range(-round(reach / step), round(reach / step) + 1) if start + k * step >= 0]
        views = [dict(eye, name=f'{t}{"-m" * only}', time=t, **({'only': name} if only else {})) for t in moments for only in (False, True)]
        shoot(glb, out / 'fit', views, '%dx%d' % SMALL)
        small = np.asarray(Image.open(engine).convert('RGB').resize(SMALL, Image.BOX)).astype(float)
        masks = np.max([read(out / f'fit-{t}-m.png').max(axis=2) > 127 for t in moments], axis=0)
        start = min(moments, key=lambda t: difference(read(out / f'fit-{t}.png'), small, masks))
    return start


def compare(a, mapfile, cls):
    """Rows of figures for an entity of a class, none if no eye sees one."""
    out = a.out / mapfile.stem
    out.mkdir(parents=True, exist_ok=True)
    glb, read_by_both = out / 'ours.glb', mapfile
    if a.engine == 'goldsrc':
        read_by_both = out / mapfile.name
        read_by_both.write_bytes(copied(mapfile.read_bytes(), cls))
    base = os.environ.get('XASH_GAME') or pathlib.Path(os.environ.get('XASH_HOME', pathlib.Path.home() / '.cache/bsp2gltf-xash')) / 'valve'
    games = [g for g in (a.game, base if a.engine == 'goldsrc' else None) if g]
    subprocess.run([os.environ.get('BSP2GLTF', 'bsp2gltf'), '-q', *sum((['--game', g] for g in games), []), read_by_both, glb,
                    *sum((['--set', s] for s in ['sky.mode=mesh', *a.set]), [])], check=True)
    found, m = shoot(glb, out / 'all', []), places.Map(mapfile.read_bytes())
    nodes = [n for n, e in found['entities'].items() if e['classname'] == cls and n in found['boxes']]
    random.Random(f'{a.seed} {mapfile.stem} {cls}').shuffle(nodes)
    for name in nodes[:5]:
        eye = best(m, glb, out, name, found['boxes'][name], a.times[0], a.engine == 'openarena')
        if not eye:
            continue
        kept = out / f'eye-{name}.json'
        if not a.again or not kept.exists():
            kept.write_text(json.dumps(drawn(a, read_by_both, dict(eye, name=name), out)))
        return rows(a, glb, out, mapfile.stem, cls, name, json.loads(kept.read_text()))
    return []


def drawn(a, mapfile, eye, out):
    """Has the engine draw an entity, engine-played-NAME-MOMENT.png, and returns the eye as it was."""
    if a.engine == 'goldsrc':
        files = [(str(p.relative_to(a.game)), str(p.resolve())) for p in sorted(a.game.rglob('*')) if p.is_file()] if a.game else []
        engines.goldsrc(mapfile, [eye], out, ['played'], files, a.times)
    else:
        eye = engines.openarena(mapfile, [eye], out, ['played'], [])[0]
        (out / f'engine-played-{eye["name"]}.png').rename(out / f'engine-played-{eye["name"]}-0.png')
    return {k: eye[k] for k in ('eye', 'yaw', 'pitch', 'time') if k in eye}


def rows(a, glb, out, mapname, cls, name, view):
    times = [view.pop('time')] if 'time' in view else a.times
    first = fitted(a, glb, out, name, view, times, out / f'engine-played-{name}-0.png') if a.fit else times[0]
    moments = [first + t - times[0] for t in times]
    shoot(glb, out / 'ours', [dict(view, name=f'{name}-{k}{"-m" * only}', time=t, **({'only': name} if only else {}))
                              for k, t in enumerate(moments) for only in (False, True)], background=BACKGROUND.get(a.engine, '000000'))
    result = []
    for k in range(len(times)):
        p, q = read(out / f'engine-played-{name}-{k}.png'), read(out / f'ours-{name}-{k}.png')
        seen = read(out / f'ours-{name}-{k}-m.png').max(axis=2) > 127
        near = binary_dilation(seen, np.ones((7, 7)))
        whole, each = structural_similarity(p, q, channel_axis=2, data_range=255, full=True)
        result.append(dict(cls=cls, map=mapname, name=name, moment=times[k], ours=round(moments[k], 3), share=float(seen.mean()),
                           ssim=float(each[near].mean()) if near.any() else 0, off=float(difference(p, q, near)), whole=float(whole),
                           whole_off=float(np.abs(p - q).mean())))
        three = np.concatenate([p, q, np.clip(np.abs(p - q) * 4, 0, 255)], 1)
        Image.fromarray(three.astype('u1')).save(a.out / f'{cls}-{mapname}-{name}-{k}.png')
    return result


def main():
    a, found = arguments(), []
    a.out.mkdir(parents=True, exist_ok=True)
    a.game = game_of(a)
    maps = [(p, set(re.findall(rb'"classname"\s+"(\w+)"', p.read_bytes())))
            for p in sorted(a.maps.glob('*.bsp')) if not a.only or p.stem in a.only]
    for cls in a.classes:
        able, have = [p for p, classes in maps if cls.encode() in classes], 0
        random.Random(f'{a.seed} {cls}').shuffle(able)
        for mapfile in able:
            if have == a.each:
                break
            try:
                of = compare(a, mapfile, cls)
            except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
                print(f'{cls} {mapfile.stem}: {error}', file=sys.stderr)
                continue
            have += bool(of)
            found += of
            print(cls, mapfile.stem, 'no eye' if not of else f'{of[0]["ssim"]:.3f}', file=sys.stderr, flush=True)
            (a.out / 'scores.json').write_text(json.dumps(found))
    print('| class | map | moment, ours | seen | SSIM | apart | whole picture |\n| --- | --- | --- | --- | --- | --- | --- |')
    for r in found:
        print(f'| {r["cls"]} | {r["map"]} | {r["moment"]} {r["ours"]} | {100 * r["share"]:.0f} % | {r["ssim"]:.3f} | {r["off"]:.1f} '
              f'| {r["whole"]:.3f} {r["whole_off"]:.1f} |')


if __name__ == '__main__':
    main()
