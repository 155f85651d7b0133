#!/usr/bin/python3
"""Measures how far our readers agree: three.js (the reference), Babylon.js, the page, Blender (Cycles and EEVEE, with the add-on) and
the rasteriser of thumbnails draw each map from one eye.

usage: agree.py OUT MAP.bsp… [--seed 1] [--set KEY=VALUE…] [--without cycles,…]

The eye stands at a player start that the seed draws and looks along its angle turned by what the seed draws. OUT keeps the pictures.
Prints a table of mean differences of 255. $BSP2GLTF is the program.
"""
import argparse
import json
import os
import pathlib
import random
import struct
import subprocess
import sys

import numpy as np
from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
TEST = HERE.parent
PROGRAM = os.environ.get('BSP2GLTF', 'bsp2gltf')
SIZE, FOV = '480x270', '58.7'


def eye_of(glb, seed):
    """A place in metres and a yaw as shot.mjs has it, at a start of the map."""
    data = glb.read_bytes()
    doc = json.loads(data[20:20 + struct.unpack_from('<I', data, 12)[0]])
    scene = doc['scenes'][0]['extras']
    starts = [n for n in doc['nodes'] if str(n.get('extras', {}).get('classname', '')).startswith(('info_player', 'info_vip', 'team_', 'info_coop'))]
    starts = [n for n in starts if 'translation' in n] or [{'translation': [0, 2, 0]}]
    start = random.Random(f'{glb.parent.name} {seed}')
    node = start.choice(starts)
    high = 64 if str(scene['bsp2gltf_format']).startswith('VBSP') else 26
    x, y, z = node['translation']
    return [x, y + high * scene['bsp2gltf_unit'], z], start.randrange(0, 360, 15), scene['bsp2gltf_unit']


def draw(client, folder, mapfile, glb, sets, eye, yaw, unit):
    out = folder / f'{client}.png'
    place = ','.join(f'{v:.6f}' for v in eye)
    if client in ('three', 'babylon'):
        return ['node', TEST / 'shot.mjs', client, glb, out, f'--eye={place}', f'--yaw={yaw}', f'--fov={FOV}', f'--size={SIZE}', '--aliased']
    if client == 'page':
        page = folder / 'map.html'
        subprocess.run([PROGRAM, mapfile, page, *sets], check=True, capture_output=True)
        return ['node', HERE / 'pageshot.mjs', page, out, place, str(yaw), FOV, SIZE]
    if client == 'raster':
        x, y, z = eye[0] / unit, -eye[2] / unit, eye[1] / unit
        return [PROGRAM, 'thumb', mapfile, out, '--size', SIZE, f'--eye={x:.3f},{y:.3f},{z:.3f},0,{yaw + 90}', *sets]
    screen, more = (['xvfb-run', '-a'], ['--eevee', '--samples=16']) if client == 'eevee' else ([], ['--samples=16'])
    return [*screen, 'blender', '-b', '--factory-startup', '-noaudio', '-P', TEST / 'blender_check.py', '--', glb, out, '--lm',
            f'--eye={place}', f'--yaw={yaw}', f'--fov={FOV}', f'--size={SIZE}', *more]


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument('out', type=pathlib.Path)
    p.add_argument('maps', nargs='+', type=pathlib.Path)
    p.add_argument('--seed', default='1')
    p.add_argument('--set', action='append', default=[])
    p.add_argument('--without', default='')
    a = p.parse_args()
    clients = [c for c in ('three', 'babylon', 'page', 'cycles', 'eevee', 'raster') if c not in a.without.split(',')]
    sets = sum((['--set', s] for s in ['sky.mode=none', *a.set]), [])
    rows = {}
    for mapfile in a.maps:
        folder = a.out / mapfile.stem
        folder.mkdir(parents=True, exist_ok=True)
        glb = folder / 'map.glb'
        subprocess.run([PROGRAM, mapfile, glb, *sets], check=True, capture_output=True)
        eye, yaw, unit = eye_of(glb, a.seed)
        rows[mapfile.stem] = {}
        for client in clients:
            run = subprocess.run(draw(client, folder, mapfile, glb, sets, eye, yaw, unit), capture_output=True, text=True)
            if run.returncode or not (folder / f'{client}.png').exists():
                print(mapfile.stem, client, run.stderr[-400:], file=sys.stderr)
                continue
            picture = np.asarray(Image.open(folder / f'{client}.png').convert('RGB')).astype(float)
            if client == 'three':
                reference = picture
            else:
                rows[mapfile.stem][client] = float(np.abs(picture - reference).mean())
        print(mapfile.stem, rows[mapfile.stem], file=sys.stderr, flush=True)
    print('| map |', ' | '.join(clients[1:]), '|\n|', ' --- |' * len(clients))
    for name, row in rows.items():
        print(f'| {name} |', ' | '.join(f'{row[c]:.2f}' if c in row else '' for c in clients[1:]), '|')


if __name__ == '__main__':
    main()
