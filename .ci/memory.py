#!/usr/bin/env python3
"""Peak memory of conversions compared with the rule: 28 MiB + 2.5 x (map + its light files + output) + for each job 8 x the pixels of the
largest picture.

usage: memory.py BSP2GLTF [--models] [--game FOLDER] [--only REGEXP] [--all] [--jobs N] [--set KEY=VALUE]...

Converts fifteen maps of Debian's OpenArena and Nexuiz and of BSP2GLTF_CORPUS, if present; with --all, every one. With --models it converts
models, with all sequences and without images, for which the rule is 24 MiB + 3 x (model + output): those of Debian's games, or of the game
in FOLDER. The bytes of a model are those of all files of its name and of the models that it includes. It prints a line for each: peak MiB,
MiB allowed, their ratio, processor seconds, and the bytes of the .glb. The exit code is 1 if one takes more, 3 if there are none. The peak
is the kernel's figure for the whole command; if the first run is above 0.97 of the rule, the greater of two runs.
"""
import argparse, glob, json, os, re, shutil, struct, subprocess, sys, tempfile, zipfile

CHOSEN = '''oa_dm1 ps37ctf2 wrackdm17 ctf_inyard oa_spirit3 kaos oacmpctf3 dieselpower racetrack v20_css_gg_simpsons_arabtoon v21_csgo_aim_aztec_1v1
    v20_ricochet_rc_deathmatch1 v20_ricochet_rc_arena_codetest ag_kzy_fastclimb'''.split()
CHOSEN += '''models/players/angelyss/lower.md3 models/players/gargoyle/upper.md3 models/players/sarge/upper.md3 models/weapons2/bfg/bfg.md3
    models/turrets/walker_body.md3 models/powerups/ammo/bfgam.md3 models/player/pyria.zym models/player/headhunter.zym models/player/visitant_lod2.zym
    models/player/specop.zym models/player/grunt.zym models/player/skadi.zym'''.split()
MIB = 1 << 20


def maps():
    """Name, input, bytes of the map and its light files, arguments."""
    for folder in '/usr/share/games/openarena/baseoa', '/usr/share/games/nexuiz/data':
        last = {}
        for pak in sorted(glob.glob(folder + '/*.pk3')):
            with zipfile.ZipFile(pak) as z:
                sizes = {i.filename: i.file_size for i in z.infolist()}
            for name, size in sizes.items():
                if m := re.fullmatch(r'maps/([^/]+)\.bsp', name):
                    beside = sum(n for f, n in sizes.items() if f.startswith(f'maps/{m[1]}/'))
                    last[m[1]] = m[1], f'{pak}:{name}', size, beside, ['--game', folder]
        yield from last.values()
    corpus = os.environ.get('BSP2GLTF_CORPUS', '')
    for path in sorted(glob.glob(corpus + '/**/*.bsp', recursive=True)) if corpus else []:
        if not re.search('/(malformed|othersibsp)/', path):
            name = os.path.basename(path)[:-4]
            game = f'{corpus}/source/_assets/{name.split("_")[1] if "_" in name else ""}_S'  # textures and models of that game's maps
            yield name, path, os.path.getsize(path), 0, ['--game', game] if os.path.isdir(game) else []


def models(game):
    """The same for models: the bytes are those of all files of a model's name."""
    for folder in ('/usr/share/games/openarena/baseoa', '/usr/share/games/nexuiz/data') if not game else ():
        last = {}
        for pak in sorted(glob.glob(folder + '/*.pk3')):
            with zipfile.ZipFile(pak) as z:
                last |= {i.filename: (pak, i.file_size) for i in z.infolist() if re.search(r'\.(md3|zym|dpm|iqm)$', i.filename)}
        yield from ((name, f'{pak}:{name}', size, 0, ['--game', folder]) for name, (pak, size) in sorted(last.items()))
    files = {p[len(game):].lower(): p for p in glob.glob(game + '/**/*', recursive=True) if os.path.isfile(p)} if game else {}

    def whole(name, seen):
        """The files of a Source model and of the models that it includes (number and offset of their names are at 336)."""
        seen.add(name)
        beside = [files[f] for f in files if f.startswith(name[:-3])]
        with open(files[name], 'rb') as f:
            data = f.read()
        n = 0
        if data[:4] == b'IDST' and data[4] >= 44 and len(data) > 344:
            count, at = struct.unpack_from('<2i', data, 336)
            for i in range(at, at + 8 * count, 8):
                label = i + struct.unpack_from('<i', data, i + 4)[0]
                other = '/' + data[label:label + 260].split(b'\0')[0].decode('latin1').lower().replace('\\', '/').lstrip('/')
                if other in files and other not in seen:
                    n += whole(other, seen)
        return n + sum(map(os.path.getsize, beside))

    for name in sorted(files):
        if name.endswith('.mdl'):
            yield name, files[name], whole(name, set()), 0, ['--game', game]


def run(command):
    """The resources used by a command, and its exit code."""
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, '/dev/null', os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    return usage, os.waitstatus_to_exitcode(status)


def pixels(glb):
    """The number of pixels of the largest PNG or JPEG in a .glb. Run in a process of its own, because a child's peak includes its
    parent's memory."""
    return int(subprocess.run([sys.executable, __file__, '--pixels', glb], check=True, capture_output=True, text=True).stdout)


def largest(glb):
    with open(glb, 'rb') as f:
        data = f.read()
    n = struct.unpack_from('<I', data, 12)[0]
    doc, start, most = json.loads(data[20:20 + n]), 28 + n, 0
    for image in doc.get('images', []):
        view = doc['bufferViews'][image['bufferView']]
        at = start + view.get('byteOffset', 0)
        if data[at:at + 4] == b'\x89PNG':
            width, height = struct.unpack_from('>II', data, at + 16)
            most = max(most, width * height)
            continue
        at += 2
        while data[at] == 0xff:  # the segments of a JPEG, up to the one with its size
            if 0xc0 <= data[at + 1] <= 0xc2:
                height, width = struct.unpack_from('>HH', data, at + 5)
                most = max(most, width * height)
                break
            at += 2 + struct.unpack_from('>H', data, at + 2)[0]
    return most


def measure(command, path, size, arguments, least, factor, jobs):
    out = tempfile.mkdtemp()
    try:
        usage, code = run([*command, '-q', *arguments, path, out + '/map.glb'])
        if code == 67:  # a model with nothing to show, or a map of an unsupported format
            return None
        if code:
            raise SystemExit(f'FAIL {path}: exit {code}')
        files = sum(os.path.getsize(os.path.join(d, f)) for d, _, names in os.walk(out) for f in names)
        return usage, least + factor * (size + files) + 8 * jobs * pixels(out + '/map.glb'), os.path.getsize(out + '/map.glb')
    finally:
        shutil.rmtree(out)


def main():
    if sys.argv[1:2] == ['--pixels']:
        print(largest(sys.argv[2]))
        return 0
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('program')
    p.add_argument('--models', action='store_true')
    p.add_argument('--game', default='')
    p.add_argument('--only', default='')
    p.add_argument('--all', action='store_true')
    p.add_argument('--set', action='append', default=[])
    p.add_argument('--jobs')
    o = p.parse_args()
    jobs = int(o.jobs or len(os.sched_getaffinity(0)))
    count, over, command = 0, [], [os.path.abspath(o.program)] + ['model'] * o.models
    least, factor = (24 * MIB, 3) if o.models else (28 * MIB, 2.5)
    if o.models:
        o.set.append('materials.images=none')
    for name, path, size, beside, arguments in models(o.game) if o.models else maps():
        if not (o.all or o.only or name in CHOSEN) or not re.search(o.only, name):
            continue
        arguments += [x for s in o.set for x in ('--set', s)] + (['--jobs', o.jobs] if o.jobs else [])
        measured = measure(command, path, size + beside, arguments, least, factor, jobs)
        if not measured:
            continue
        usage, allowed, glb = measured
        peak, cpu = usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime
        if peak > 0.97 * allowed:
            peak = max(peak, measure(command, path, size + beside, arguments, least, factor, jobs)[0].ru_maxrss * 1024)
        count += 1
        if peak > allowed:
            over.append(name)
        print(f'{name:40} {peak / MIB:6.1f} of {allowed / MIB:6.1f} MiB {peak / allowed:5.2f}  {cpu:6.3f} s {glb:9}', flush=True)
    print(f'{count} {"models" if o.models else "maps"}, {len(over)} over the rule: {" ".join(over)}')
    return 3 if count == 0 else 1 if over else 0


sys.exit(main())
