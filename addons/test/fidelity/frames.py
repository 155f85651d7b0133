#!/usr/bin/python3
"""Pictures of .md3 models in several frames by OpenArena, and of `bsp2gltf model`'s by three.js with our plugin, in the same map and light.

usage: frames.py OUT --maps DIR [--models players/sarge/lower…] [--only MAP…] [--each 3] [--seed 1] [--again]

The engine's command testmodel puts a model 100 units ahead of the eye, facing it, and nextframe shows its next frame. For each model the
seed draws a map of DIR, an eye in it and --each frames. Files of players name no textures: their .skin does. So both read copies in
which each surface has its name of NAME_default.skin. The light on ours is that of the map's light grid, as our plugin reads it. The figures
are those of the pixels that show the model in our picture, with an edge of three pixels, and of the whole picture. OUT keeps the pictures
(MODEL-FRAME: engine | ours | difference × 4).
"""
import argparse
import json
import os
import pathlib
import random
import struct
import subprocess
import math
import zipfile

import numpy as np
from PIL import Image
from skimage.metrics import structural_similarity
from skimage.morphology import binary_dilation

import engines
import eyes as places
from beside import difference, shoot
from measure import read

GAME = pathlib.Path('/usr/share/games/openarena/baseoa')
MODELS = ('players/sarge/lower players/smarine/upper players/smarine/lower players/gargoyle/lower players/skelebot/upper '
          'players/sergei/upper players/penguin/lower players/major/lower players/merman/upper').split()
AHEAD = 100  # units: CG_TestModel_f of Quake III's cgame
DETAIL = dict(r_picmip=0, r_lodbias=-2, cg_marks=0, cg_shadows=0).items()


def arguments():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument('out', type=pathlib.Path)
    p.add_argument('--maps', type=pathlib.Path, required=True)
    p.add_argument('--models', nargs='*', default=MODELS)
    p.add_argument('--only', nargs='*', default=[])
    p.add_argument('--each', type=int, default=3)
    p.add_argument('--seed', default='1')
    p.add_argument('--again', action='store_true')
    return p.parse_args()


def packed():
    """The files of the game's archives, by their names in lower case: the last archive counts."""
    return {n.lower(): (p, n) for p in sorted(GAME.glob('*.pk3')) for n in zipfile.ZipFile(p).namelist()}


def content(files, name):
    archive, inside = files[name]
    return zipfile.ZipFile(archive).read(inside)


def dressed(files, model):
    """An .md3 whose surfaces have the textures of its skin, and the number of its frames."""
    data, skin = bytearray(content(files, f'models/{model}.md3')), {}
    if f'models/{model}_default.skin' in files:
        text = content(files, f'models/{model}_default.skin').decode('latin1')
        skin = {k.strip().lower(): v.strip() for k, v in (line.split(',', 1) for line in text.splitlines() if ',' in line)}
    frames, _, surfaces, _, _, _, at, _ = struct.unpack_from('<8i', data, 76)
    for _ in range(surfaces):
        name = data[at + 4:at + 68].split(b'\0')[0].decode('latin1').lower()
        shader = skin.get(name.rsplit('_', 1)[0] if name not in skin and name[-2:-1] == '_' else name)
        count, place, after = (struct.unpack_from('<i', data, at + k)[0] for k in (76, 92, 104))
        if shader and count:
            data[at + place:at + place + 64] = shader.encode('latin1')[:63].ljust(64, b'\0')
        at += after
    return bytes(data), frames


def drawn(a, model, name, files, number):
    """Has the engine draw frames of a model, and returns a view for each."""
    out = a.out / name
    out.mkdir(parents=True, exist_ok=True)
    data, count = dressed(files, model)
    (out / f'models/fidelity/{name}.md3').parent.mkdir(parents=True, exist_ok=True)
    (out / f'models/fidelity/{name}.md3').write_bytes(data)
    kept = out / 'views.json'
    if a.again and kept.exists():
        return json.loads(kept.read_text())
    maps = sorted(p for p in a.maps.glob('*.bsp') if not a.only or p.stem in a.only)
    mapfile = maps[number % len(maps)]
    eye = places.choose(mapfile.stem, mapfile.read_bytes(), 1, f'{a.seed} {model}')[0]
    frames = sorted(random.Random(f'{a.seed} {model}').sample(range(1, count), min(a.each, count - 1)))
    show = [f'testmodel models/fidelity/{name}.md3', 'wait 2']
    views = [dict(eye, pitch=0, name=f'{f}', do=show + ['nextframe'] * f + ['wait 10'], frame=f, map=str(mapfile)) for f in frames]
    engines.openarena(mapfile, views, out, ['played'], [(f'models/fidelity/{name}.md3', out / f'models/fidelity/{name}.md3')], DETAIL)
    said = (out / 'engine-played.log').read_text()
    if any(f'frame {f}\n' not in said for f in frames):
        raise RuntimeError(f'{model}: the engine did not show frames {frames}')
    for v in views:
        del v['do']
    kept.write_text(json.dumps(views))
    return views


def ours(out, name, views):
    """Draws the same with ours."""
    program, mapfile = os.environ.get('BSP2GLTF', 'bsp2gltf'), views[0]['map']
    run = lambda *command: subprocess.run([program, *command], check=True, capture_output=True)
    run(mapfile, out / 'map.glb', '--game', GAME, '--set', 'sky.mode=mesh')
    run('model', out / f'models/fidelity/{name}.md3', out / 'model.glb', '--game', out, '--game', GAME)
    shots = []
    for v in views:
        turn = math.radians(v['yaw'])
        at = [v['eye'][0] + AHEAD * math.cos(turn), v['eye'][1] + AHEAD * math.sin(turn), v['eye'][2]]
        model = dict(file=str((out / 'model.glb').resolve()), at=at, yaw=v['yaw'] + 180, frame=v['frame'])
        shots += [dict({k: v[k] for k in ('eye', 'yaw', 'pitch', 'time')}, model=model, name=f'{v["name"]}{"-m" * only}',
                       **({'only': 'model'} if only else {})) for only in (False, True)]
    shoot(out / 'map.glb', out / 'ours', shots)


def compare(a, model, name, view):
    out = a.out / name
    p, q = read(out / f'engine-played-{view["name"]}.png'), read(out / f'ours-{view["name"]}.png')
    seen = read(out / f'ours-{view["name"]}-m.png').max(axis=2) > 127
    near = binary_dilation(seen, np.ones((7, 7)))
    whole, each = structural_similarity(p, q, channel_axis=2, data_range=255, full=True)
    Image.fromarray(np.concatenate([p, q, np.clip(np.abs(p - q) * 4, 0, 255)], 1).astype('u1')).save(a.out / f'{name}-{view["name"]}.png')
    return dict(model=model, map=pathlib.Path(view['map']).stem, frame=view['frame'], share=float(seen.mean()), moved=view['moved'],
                ssim=float(each[near].mean()) if near.any() else 0, off=float(difference(p, q, near)), whole=float(whole),
                whole_off=float(np.abs(p - q).mean()))


def main():
    a, files, rows = arguments(), packed(), []
    a.out.mkdir(parents=True, exist_ok=True)
    for i, model in enumerate(a.models):
        name = model.replace('players/', '').replace('/', '-')
        views = drawn(a, model, name, files, i)
        ours(a.out / name, name, views)
        rows += [compare(a, model, name, v) for v in views]
        (a.out / 'scores.json').write_text(json.dumps(rows))
        print(model, *(f'{r["ssim"]:.3f}' for r in rows if r['model'] == model), flush=True)
    print('| model | map | frame | seen | SSIM | apart | whole picture |\n| --- | --- | --- | --- | --- | --- | --- |')
    for r in rows:
        print(f'| {r["model"]} | {r["map"]} | {r["frame"]}{" moved" * r["moved"]} | {100 * r["share"]:.0f} % | {r["ssim"]:.3f} '
              f'| {r["off"]:.1f} | {r["whole"]:.3f} {r["whole_off"]:.1f} |')


if __name__ == '__main__':
    main()
