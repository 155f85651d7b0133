#!/usr/bin/env python3
"""Work in proportion to the input: twice as many entities, or keys, run at most 2.3 times as many statements.

usage: work.py [--only REGEXP] [--count N]

The program is built with Go's coverage, which counts how often each statement runs; on one core, that is the same in each run, however
busy the machine is. Maps of the repository get N and 2 N entities (N is 1500 by default) of many classes of their game, with each kind
of keys below: names, targets, parents, teams and paths, as chains, rings and stars. A case fails if all statements together run more than
2.3 times as often, or those of one line more than 2.6 times and often enough to count. Use at least some hundred entities: below that, the
bound for movers (bsp/internal/movers, minPassed) allows more than proportional work.
"""
import argparse, concurrent.futures, os, re, shutil, struct, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# By game: a map, its lump directory's entry for entities, how many brush models it has, the version to write, and classes.
GAMES = {
    'quake3': ('features/maps/brushmodels.bsp', 8, 9, None, '''func_door func_button func_plat func_train func_rotating func_bobbing func_pendulum
        func_static trigger_multiple light misc_model item_quad target_speaker path_corner target_position info_player_deathmatch'''),
    'wolfenstein': ('features/maps/brushmodels.bsp', 8, 9, 47, 'func_door func_door_rotating func_secret func_train_rotating func_explosive misc_gamemodel'),
    'quake': ('goldsrc/maps/version29.bsp', 4, 1, None, 'func_door func_door_secret func_button func_plat func_train trigger_multiple light monster_army'),
    'quake2': ('goldsrc/maps/version38.bsp', 8, 1, None, '''func_door func_door_rotating func_train func_plat func_water func_button trigger_multiple
        target_laser misc_model light'''),
    'goldsrc': ('goldsrc/maps/entities.bsp', 4, 7, None, '''func_door func_door_rotating momentary_door func_button func_rot_button momentary_rot_button
        func_plat func_platrot func_trackchange func_train func_tracktrain func_rotating func_pendulum func_breakable trigger_multiple multi_manager
        env_beam env_sprite env_glow monster_barney light light_spot cycler path_corner path_track scripted_sequence env_laser'''),
    'source': ('source/maps/entities.bsp', 8, 9, None, '''func_door func_door_rotating prop_door_rotating func_movelinear func_button func_rot_button
        momentary_rot_button func_plat func_trackchange func_train func_tracktrain move_keyframed func_rotating func_breakable func_brush
        trigger_multiple logic_relay logic_auto env_sprite prop_dynamic prop_physics light light_spot keyframe_rope move_rope env_beam
        env_fog_controller info_target point_camera path_track keyframe_track sky_camera point_template env_projectedtexture infodecal
        npc_citizen env_cubemap point_spotlight'''),
}
FILES = re.compile('light|item|path|info|env_|target|monster|npc|misc|prop|keyframe_|move_|logic|sky_|point|multi|scripted|cycler')
CORNERS = {'func_tracktrain': 'path_track', 'move_keyframed': 'keyframe_track'}
ALL = ['parentname', 'movewith', 'master', 'lightingorigin', 'NextKey', 'm_iszEntity', 'slavename', 'filtername', 'killtarget', 'LightningEnd']
# By kind: the keys of entity i of n.
KINDS = {
    'alone': lambda i, n: {'targetname': f't{i}'},
    'team': lambda i, n: {'team': 'x', 'targetname': 'x', 'killtarget': 'x'},
    'pairs': lambda i, n: {'team': f'x{i // 2}', 'targetname': f'p{i // 2}'},
    'one place': lambda i, n: {'targetname': 'x', 'spawnflags': '4', 'origin': '0 0 0'},
    'chain': lambda i, n: {'targetname': f't{i}', 'target': f't{i + 1}'},
    'ring': lambda i, n: {'targetname': f't{i}', 'target': f't{(i + 1) % n}'},
    'all to one': lambda i, n: {'targetname': f't{i}', 'target': 't0', **{k: 't0' for k in ALL}},
    'all to all': lambda i, n: {'targetname': 'x', 'target': 'x', **{k: 'x' for k in ALL}},
    'below the last': lambda i, n: {'targetname': f't{i}', **{k: f't{i - 1}' for k in ALL}},
    'below the next': lambda i, n: {'targetname': f't{i}', **{k: f't{i + 1}' for k in ALL}},
    'outputs': lambda i, n: {'targetname': f't{i}', 'OnOpen': 'x*,Open,,0,-1', 'OnTrigger': 't*,Open,,0,-1', 'OnMapSpawn': f't{n - i},Toggle,,0,-1'},
    'patterns': lambda i, n: {'targetname': f't{i}', 'target': 't*', **{k: 't*' for k in ALL}},
    'long names': lambda i, n: {'targetname': 'x' * 57 + f'{i // 2:06}'},
    'one has all keys': lambda i, n: {'targetname': 'hub' if i == 0 else f't{i}', **{f'k{j}': '' for j in range(n if i == 0 else 0)}, 'target': 'hub',
                                      **{k: 'hub' for k in ALL if i}},
    'scripts': lambda i, n: {'targetname': f't{i}', 'm_iszEntity': 'monster_barney', 'm_flRadius': '1', 'm_iszIdle': 'x'},
}


def block(keys):
    return '{\n' + ''.join(f'"{k}" "{v}"\n' for k, v in keys.items()) + '}\n'


def entities(game, kind, n):
    """The text of a map's entities."""
    _, _, models, _, classes = GAMES[game]
    text = block({'classname': 'worldspawn'}) + block({'classname': 'info_player_start', 'origin': '0 0 64'})
    if kind in KINDS:
        classes = classes.split()
        for i in range(n):
            c = classes[i % len(classes)]
            model = 'models/a.mdl' if FILES.match(c) else f'*{1 + i % models}'
            text += block({'classname': c, 'model': model, 'angle': i * 37 % 360, 'speed': 50 + i % 7, 'spawnflags': i % 3,
                           'origin': f'{i % 40 * 64} {i // 40 % 40 * 64} {i // 1600 * 64}', **KINDS[kind](i, n)})
        return text
    mover = kind.split()[0]  # n of them on a path of n corners
    corner = CORNERS.get(mover, 'path_corner')
    for i in range(n):
        to = f'c{(i + 1) % n}'
        text += block({'classname': corner, 'targetname': f'c{i}', 'target': to, 'NextKey': to, 'origin': f'{i % 40 * 64} {i // 40 * 64} {i % 5 * 16}'})
    for i in range(n):
        text += block({'classname': mover, 'target': f'c{i}', 'NextKey': f'c{i}', 'speed': 100, 'MoveSpeed': 100, 'origin': '0 0 0', 'spawnflags': 1,
                       **({} if mover == 'move_keyframed' else {'model': f'*{1 + i % models}'})})
    return text


def count(folder, game, kind, n):
    """How often the statements of each block run."""
    path, at, _, version, _ = GAMES[game]
    with open(f'{ROOT}/testdata/{path}', 'rb') as f:
        data = bytearray(f.read())
    if version:
        struct.pack_into('<I', data, 4, version)
    data += bytes(-len(data) % 4)
    text = entities(game, kind, n).encode() + b'\0'
    struct.pack_into('<II', data, at, len(data), len(text))
    own = tempfile.mkdtemp(dir=folder)
    try:
        with open(own + '/a.bsp', 'wb') as f:
            f.write(data + text)
        os.mkdir(own + '/counts')
        subprocess.run([folder + '/bsp2gltf', '-q', own + '/a.bsp', own + '/a.glb'], check=True, capture_output=True,
                       env={**os.environ, 'GOCOVERDIR': own + '/counts', 'GOMAXPROCS': '1', 'BSP2GLTF_CACHE': 'none'})
        subprocess.run(['go', 'tool', 'covdata', 'textfmt', f'-i={own}/counts', f'-o={own}/text'], check=True, cwd=ROOT)
        with open(own + '/text') as f:
            next(f)  # mode: count
            return {where: int(statements) * int(times) for where, statements, times in (line.split() for line in f)}
    finally:
        shutil.rmtree(own)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--only', default='')
    p.add_argument('--count', type=int, default=1500)
    o = p.parse_args()
    folder = tempfile.mkdtemp()
    try:
        subprocess.run(['go', 'build', '-cover', '-covermode=count', '-coverpkg=./...', '-o', folder + '/bsp2gltf', './cmd/bsp2gltf'], check=True, cwd=ROOT)
        paths = [('quake3', 'func_train'), ('wolfenstein', 'func_train_rotating'), ('quake', 'func_train'), ('quake2', 'func_train'), ('goldsrc', 'func_train'),
                 ('goldsrc', 'func_tracktrain'), ('source', 'func_train'), ('source', 'func_tracktrain'), ('source', 'move_keyframed')]
        cases = [(g, k) for g in GAMES for k in KINDS] + [(g, c + 's on one path') for g, c in paths]
        cases = [c for c in cases if re.search(o.only, '/'.join(c))]
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            def both(case):
                n = o.count if case[1] in KINDS else o.count // 2
                kind = case[1].replace('s on one path', ' on one path')
                return case, count(folder, case[0], kind, n), count(folder, case[0], kind, 2 * n)
            failed, most = 0, 0
            for (game, kind), some, twice in pool.map(both, cases):
                ratio = sum(twice.values()) / sum(some.values())
                most = max(most, ratio)
                steep = sorted((b, b / max(some.get(where, 0), 1), where) for where, b in twice.items() if b > 2.6 * max(some.get(where, 0), 1) and b > sum(twice.values()) / 100)
                bad = ratio > 2.3 or steep
                failed += bool(bad)
                print(f'{"FAIL" if bad else "ok  "} {game:12} {kind:32} {sum(some.values()):11} to {sum(twice.values()):11}  x {ratio:.2f}', flush=True)
                for b, r, where in steep[-3:]:
                    print(f'       x {r:.1f}, {b} of them: {where}')
        print(f'{len(cases)} kinds of entities, {failed} failed, at most x {most:.2f}')
        return 1 if failed or not cases else 0
    finally:
        shutil.rmtree(folder)


sys.exit(main())
