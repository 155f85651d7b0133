#!/usr/bin/python3
"""Measures how far our readers agree as a player sees a map, with sky and entities: three.js (the reference), Babylon.js, the page and the
rasteriser of thumbnails draw it from several eyes, at several times; Blender (cycles, eevee) and Godot 4 (godot) draw it at rest.

usage: agree.py OUT MAP.bsp… [--eyes 4] [--seed 1] [--times 0,1,2.5] [--set KEY=VALUE…] [--with cycles,eevee,godot] [--again]

Eyes are those of eyes.py, and in Source's maps stand at player starts. OUT keeps the pictures; --again draws none that are there.
Prints a table of mean differences of 255, over the eyes: of each reader at each time, and the worst eye. $BSP2GLTF is the program.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys

import numpy as np
from PIL import Image

import eyes as places

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = os.environ.get('BSP2GLTF', 'bsp2gltf')
SIZE, FOV = '480x270', '58.7'


def at_starts(name, doc, unit, count, seed):
    """Eyes at player starts, for formats that eyes.py does not read."""
    rnd = random.Random(f'{name} {seed}')
    starts = [n['translation'] for n in doc['nodes']
              if re.match('info_player|info_vip|team_|info_coop', str(n.get('extras', {}).get('classname', ''))) and 'translation' in n] or [[0, 2, 0]]
    rnd.shuffle(starts)
    places_ = [starts[i % len(starts)] for i in range(count)]
    return [dict(name=f'v{i}', eye=[round(x / unit), round(-z / unit), round(y / unit) + 64], yaw=rnd.randrange(0, 360, 15), pitch=0) for i, (x, y, z) in enumerate(places_)]


def document(file):
    """The JSON of a .glb."""
    data = file.read_bytes()
    return json.loads(data[20:20 + struct.unpack_from('<I', data, 12)[0]])


def prepare(folder, mapfile, sets, a):
    """Converts a map and chooses its eyes; returns metres per map unit."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ('map.glb', 'map.html'):
        if not (a.again and (folder / name).exists()):
            subprocess.run([PROGRAM, mapfile, folder / name, *sets], check=True, capture_output=True)
    doc = document(folder / 'map.glb')
    unit = doc['scenes'][0]['extras']['bsp2gltf_unit']
    try:
        eyes = places.choose(mapfile.stem, mapfile.read_bytes(), a.eyes, a.seed)
    except ValueError:
        eyes = []
    eyes = eyes or at_starts(mapfile.stem, doc, unit, a.eyes, a.seed)
    (folder / 'views.json').write_text(json.dumps(dict(eyes=eyes, times=a.times)))
    return eyes, unit


def commands(client, folder, mapfile, sets, eyes, unit, a):
    """What draws the pictures CLIENT-EYE-TIME.png, as (names, command)."""
    if client in ('three', 'babylon', 'page'):
        names = [f'{client}-{e["name"]}-{t}.png' for e in eyes for t in a.times]
        return [(names, ['node', HERE / 'agree.mjs', client, folder / ('map.html' if client == 'page' else 'map.glb'), folder / client, folder / 'views.json', str(unit), SIZE, FOV])]
    if client == 'godot':
        project(folder, mapfile, sets, eyes, unit, a)
        shell = 'set -e; "$0" "$1" godot --headless --path /p --import; "$0" "$1" /window godot --path /p --resolution ' + SIZE + ' --rendering-method gl_compatibility -s views.gd; mv "$1"/godot-*.png "$2"'
        return [([f'godot-{e["name"]}-{a.times[0]}.png' for e in eyes], ['sh', '-c', shell, HERE.parent / 'godot4.sh', folder / 'godot', folder])]
    out = []
    for e, t in ((e, t) for e in eyes for t in (a.times if client == 'raster' else a.times[:1])):
        x, y, z = e['eye']
        name = f'{client}-{e["name"]}-{t}.png'
        if client == 'raster':
            command = [PROGRAM, 'thumb', mapfile, folder / name, '--size', SIZE, f'--eye={x},{y},{z},{e["pitch"]},{e["yaw"]}', f'--time={t}', *sets]
        else:
            screen, more = (['xvfb-run', '-a'], ['--eevee', '--samples=16']) if client == 'eevee' else ([], ['--samples=16'])
            command = [*screen, 'blender', '-b', '--factory-startup', '-noaudio', '--python-exit-code', '1', '-P', HERE.parent / 'blender_check.py', '--', folder / 'map.glb', folder / name, '--lm',
                       f'--eye={x * unit:.6f},{z * unit:.6f},{-y * unit:.6f}', f'--yaw={e["yaw"] - 90}', f'--fov={FOV}', f'--size={SIZE}', *more]
        out.append(([name], command))
    return out


def project(folder, mapfile, sets, eyes, unit, a):
    """Makes a project of Godot 4 with the map and what views.gd needs."""
    to = folder / 'godot'
    if to.exists():
        return
    shutil.copytree(HERE.parent / 'godot4', to)
    shutil.copytree(HERE.parent.parent / 'godot' / 'godot4' / 'addons', to / 'addons')
    subprocess.run([PROGRAM, '--preset', 'godot', mapfile, to / 'map.glb', *sets], check=True, capture_output=True)
    acts = {'map start': a.times[0]} if 'map start' in [m['name'] for m in document(to / 'map.glb').get('animations', [])] else {}
    views = [dict(file=f'godot-{e["name"]}-{a.times[0]}.png', eye=[e['eye'][0] * unit, e['eye'][2] * unit, -e['eye'][1] * unit], yaw=e['yaw'] - 90, pitch=-e['pitch'],
                  fov=float(FOV), near=4 * unit, acts=acts) for e in eyes]
    (to / 'views.json').write_text(json.dumps(views))


def read(file):
    return np.asarray(Image.open(file).convert('RGB')).astype(float)


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument('out', type=pathlib.Path)
    p.add_argument('maps', nargs='+', type=pathlib.Path)
    p.add_argument('--eyes', type=int, default=4)
    p.add_argument('--seed', default='1')
    p.add_argument('--times', type=lambda v: [int(t) if t.isdigit() else float(t) for t in v.split(',')], default=[0, 1, 2.5])
    p.add_argument('--set', action='append', default=[])
    p.add_argument('--with', dest='more', default='')
    p.add_argument('--again', action='store_true')
    a = p.parse_args()
    clients = ['three', 'babylon', 'page', 'raster', *filter(None, a.more.split(','))]
    sets = sum((['--set', s] for s in ['sky.mode=mesh', *a.set]), [])
    columns = [(c, t) for c in clients[1:] for t in (a.times if c in ('babylon', 'page', 'raster') else a.times[:1])]
    rows = {}
    for mapfile in a.maps:
        folder = a.out / mapfile.stem
        eyes, unit = prepare(folder, mapfile, sets, a)
        for client in clients:
            for names, command in commands(client, folder, mapfile, sets, eyes, unit, a):
                if a.again and all((folder / n).exists() for n in names):
                    continue
                run = subprocess.run(command, capture_output=True, text=True)
                if run.returncode:
                    print(mapfile.stem, client, (run.stderr or run.stdout)[-400:], file=sys.stderr)
        rows[mapfile.stem] = row = {}
        for client, t in columns:
            pairs = [(folder / f'{client}-{e["name"]}-{t}.png', folder / f'three-{e["name"]}-{t}.png') for e in eyes]
            row[client, t] = [float(np.abs(read(x) - read(y)).mean()) for x, y in pairs if x.exists() and y.exists()]
        print(mapfile.stem, {f'{c} {t}': [round(v, 2) for v in d] for (c, t), d in row.items()}, file=sys.stderr, flush=True)
    print('| map |', ' | '.join(f'{c}, {t:g} s' for c, t in columns), '| worst |\n|', ' --- |' * (len(columns) + 2))
    for name, row in rows.items():
        worst = max(((max(d), c) for (c, t), d in row.items() if d), default=(float('nan'), ''))
        print(f'| {name} |', ' | '.join(f'{np.mean(row[k]):.2f}' if row[k] else '' for k in columns), f'| {worst[0]:.2f} ({worst[1]}) |')


if __name__ == '__main__':
    main()
