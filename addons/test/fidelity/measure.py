#!/usr/bin/python3
"""Measures how much our pictures are the game's: docs/measurements/fidelity.md says how.

usage: measure.py openarena|nexuiz|goldsrc|quake OUT --maps DIR [--seed 1] [--count 20] [--eyes 5] [--only NAME…] [--modes lit,light]
                  [--set KEY=VALUE…] [--preset NAME] [--plain] [--files NAME=FILE…] [--engine KEY=VALUE…] [--again]
       measure.py … --modes played     as a player sees it: sky and entities on, the engine with the settings that the game ships

Draws maps of DIR and eyes in them by the seed, has a real engine draw them, converts each map with bsp2gltf ($BSP2GLTF, else the one
in PATH), draws the file by three.js with our plugin, and compares. OUT keeps the pictures (MAP/engine | ours | difference × 4) and
scores.json. Pictures of engines are kept; --again makes only ours anew.
Modes: lit and light leave sky and entities out on both sides. played has them, and counts pixels twice: all of them, and those that
the engine draws ("drawn": its picture has not the colour of nothing there, which is black, in GoldSrc grey); an eye that the engine moved counts and is named. What moves is shown at the
moment of the engine's clock.
GoldSrc: textures that neither a map nor a .wad of --files has are patterns in the copy that the engine and bsp2gltf read.
--engine changes settings of OpenArena. --preset converts with a preset, --plain shows the file without our plugin.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys

import numpy as np
from PIL import Image
from skimage.morphology import binary_erosion
from skimage.metrics import structural_similarity

import engines
import eyes as places
import patterns

# The colour where the engine draws nothing, and what its light alone is to be multiplied by.
BACKGROUND, DOUBLE = {'goldsrc': '7f7f7f'}, {'goldsrc': 2}
HERE = pathlib.Path(__file__).resolve().parent
MODES = dict(light=['--mode=lightmap'], mask=['--mode=mask'])
# Our file leaves out the same things as the pictures of the engines.
SETTINGS = {
    'openarena': ['sky.mode=none', 'entities.skip=["func_*"]'],
    'nexuiz': ['sky.mode=none', 'entities.skip=["func_*"]', 'lightmap.deluxe=false'],
    'goldsrc': ['sky.mode=none'],
    'quake': ['sky.mode=none', 'entities.skip=["func_*"]'],
}


# As a player sees it. Nexuiz starts in deathmatch, and removes what belongs to domination.
PLAYED = {game: ['sky.mode=mesh'] for game in engines.ENGINES} | {'nexuiz': ['sky.mode=mesh', 'entities.skip=["dom_*"]']}


def arguments():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument('game', choices=engines.ENGINES)
    p.add_argument('out', type=pathlib.Path)
    p.add_argument('--maps', type=pathlib.Path, required=True)
    p.add_argument('--seed', default='1')
    p.add_argument('--count', type=int, default=20)
    p.add_argument('--eyes', type=int, default=5)
    p.add_argument('--only', nargs='*')
    p.add_argument('--modes', default='lit,light')
    p.add_argument('--set', nargs='*', default=[])
    p.add_argument('--preset', default='')
    p.add_argument('--plain', action='store_true')
    p.add_argument('--files', nargs='*', default=[])
    p.add_argument('--engine', nargs='*', default=[])
    p.add_argument('--again', action='store_true')
    return p.parse_args()


def score(a, b, mask=None):
    """SSIM and mean difference of two pictures, over the pixels of a mask."""
    whole, each = structural_similarity(a, b, channel_axis=2, data_range=255, full=True)
    difference = np.abs(a - b)
    if mask is None:
        return whole, difference.mean()
    return (each[mask].mean(), difference[mask].mean()) if mask.sum() > 0.02 * mask.size else (None, None)


def read(file):
    return np.asarray(Image.open(file).convert('RGB')).astype(float)


def shoot(a, glb, prefix, views, size, *more):
    subprocess.run(['node', HERE.parent / 'shot.mjs', 'three', glb, prefix, f'--views={views}', '--fov=73.7398', f'--size={size}', '--aliased',
                    f'--background={BACKGROUND.get(a.game, "000000")}', *more, *(['--plain'] if a.plain else [])], check=True, capture_output=True)


def measure(a, out, mapfile):
    out.mkdir(parents=True, exist_ok=True)
    modes, kept = a.modes.split(','), out / 'eyes.json'
    if a.game == 'goldsrc':
        mapfile, made = patterns.completed(mapfile, out, [pathlib.Path(f.split('=', 1)[1]) for f in a.files if f.lower().endswith('.wad')])
        print(*(f'{mapfile.stem}: {len(made)} textures are patterns' for _ in made[:1]), file=sys.stderr)
    if a.game == 'quake' and any(f.startswith('progs.dat=') for f in a.files):
        mapfile = patterns.without_models(mapfile, out)
    if not a.again or not kept.exists():
        eyes = places.choose(mapfile.stem, mapfile.read_bytes(), a.eyes, a.seed)
        if not eyes:
            return []
        more = [[s.split('=', 1) for s in a.engine]] if a.engine else []
        eyes = engines.ENGINES[a.game](mapfile, eyes, out, modes, [f.split('=', 1) for f in a.files], *more)
        kept.write_text(json.dumps(eyes))
    eyes, glb = json.loads(kept.read_text()), out / 'ours.glb'
    command = [os.environ.get('BSP2GLTF', 'bsp2gltf'), mapfile, glb]
    if a.preset:
        command += ['--preset', a.preset]
    for s in (PLAYED[a.game] if 'played' in modes else SETTINGS[a.game]) + a.set:
        command += ['--set', s]
    subprocess.run(command, check=True, capture_output=True)
    for mode in modes + ['mask'] * ('light' in modes):
        shoot(a, glb, out / f'ours-{mode}', kept, '640x480', *MODES.get(mode, ()))
    return [compare(out, e, modes, mapfile.stem, a.game) for e in eyes if (out / f'engine-{modes[0]}-{e["name"]}.png').exists()]


def compare(out, eye, modes, name, game):
    row = dict(map=name, eye=eye['name'], moved=eye.get('moved', False))
    for mode in modes:
        a, b = (read(out / f'{who}-{mode}-{eye["name"]}.png') for who in ('engine', 'ours'))
        mask = None
        if mode == 'light':  # where our file has light; three pixels from the edge, because SSIM looks at 7 x 7
            a = np.minimum(a * DOUBLE.get(game, 1), 255)
            mask = binary_erosion(read(out / f'ours-mask-{eye["name"]}.png').min(axis=2) > 200, np.ones((7, 7)))
        row[mode], row[mode + '_mae'] = score(a, b, mask)
        if mode == 'played':
            nothing = list(bytes.fromhex(BACKGROUND.get(game, '000000')))
            drawn = np.abs(a - nothing).max(axis=2) > (1 if any(nothing) else 0)  # a half is 127 or 128
            row['drawn'], row['drawn_mae'], row['drawn_share'] = *score(a, b, drawn), float(drawn.mean())
        Image.fromarray(np.concatenate([a, b, np.clip(np.abs(a - b) * 4, 0, 255)], 1).astype('u1')).save(out / f'{mode}-{eye["name"]}.png')
    return row


def table(rows, modes):
    keys = [k for m in modes for k in (m, m + '_mae', *(['drawn', 'drawn_mae', 'drawn_share'] if m == 'played' else []))]
    worst = lambda of: min((r[modes[0]] for r in of if r[modes[0]] is not None), default=float('nan'))
    mean = lambda of, k: np.mean(v) if (v := [r[k] for r in of if r.get(k) is not None]) else float('nan')
    print('| map | eyes |', ' | '.join(keys), '| worst |\n|', ' --- |' * (len(keys) + 3))
    for name in sorted({r['map'] for r in rows}):
        of = [r for r in rows if r['map'] == name]
        print(f'| {name} | {len(of)} |', ' | '.join(f'{mean(of, k):.3f}' for k in keys), f'| {worst(of):.3f} |')
    print(f'| all | {len(rows)} |', ' | '.join(f'**{mean(rows, k):.3f}**' for k in keys), f'| {worst(rows):.3f} |')
    print('median', {k: round(float(np.median([r[k] for r in rows if r.get(k) is not None])), 3) for k in keys},
          'moved away:', [f'{r["map"]} {r["eye"]}' for r in rows if r['moved']])


def main():
    a = arguments()
    names = sorted(p.stem for p in a.maps.glob('*.bsp'))
    chosen = a.only or sorted(random.Random(f'{a.game} {a.seed}').sample(names, min(a.count, len(names))))
    rows = []
    for name in chosen:
        try:
            rows += measure(a, a.out / name, a.maps / f'{name}.bsp')
        except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
            print(f'{name}: {error} {getattr(error, "stderr", b"") or ""}', file=sys.stderr)
        print(name, len(rows), file=sys.stderr, flush=True)
        (a.out / 'scores.json').write_text(json.dumps(rows))
    if rows:
        table(rows, a.modes.split(','))


if __name__ == '__main__':
    main()
