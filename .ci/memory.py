#!/usr/bin/env python3
"""Peak memory of conversions beside the rule: 24 MiB + 2.5 x (map + its pages of light beside it + output).

usage: memory.py BSP2GLTF [--only REGEXP] [--all] [--jobs N] [--set KEY=VALUE]...

Twelve maps of Debian's OpenArena and Nexuiz and of BSP2GLTF_CORPUS, as far as they are there; with --all every one. A line for each:
peak MiB, what is allowed, its share, processor seconds, the bytes of the glb. The exit code is 1 where one takes more, 3 where there
are no maps. The peak is the kernel's, of the whole command, the larger of two runs where the first is above 0.97 of the rule.
"""
import argparse, glob, os, re, shutil, sys, tempfile, zipfile

TWELVE = '''oa_dm1 wrackdm17 ctf_inyard oa_spirit3 kaos oacmpctf3 dieselpower racetrack v20_css_gg_simpsons_arabtoon v21_csgo_aim_aztec_1v1
    v20_ricochet_rc_deathmatch1 ag_kzy_fastclimb'''.split()
MIB = 1 << 20


def maps():
    """Name, input, bytes of the map and of what lies beside it, arguments."""
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
            yield os.path.basename(path)[:-4], path, os.path.getsize(path), 0, []


def run(command):
    """The resources of a command and its exit code."""
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, '/dev/null', os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    return usage, os.waitstatus_to_exitcode(status)


def measure(program, path, size, arguments):
    out = tempfile.mkdtemp()
    try:
        usage, code = run([program, '-q', *arguments, path, out + '/map.glb'])
        if code:
            raise SystemExit(f'FAIL {path}: exit {code}')
        files = sum(os.path.getsize(os.path.join(d, f)) for d, _, names in os.walk(out) for f in names)
        return usage, 24 * MIB + 2.5 * (size + files), os.path.getsize(out + '/map.glb')
    finally:
        shutil.rmtree(out)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('program')
    p.add_argument('--only', default='')
    p.add_argument('--all', action='store_true')
    p.add_argument('--set', action='append', default=[])
    p.add_argument('--jobs')
    o = p.parse_args()
    count, over = 0, []
    for name, path, size, beside, arguments in maps():
        if not (o.all or o.only or name in TWELVE) or not re.search(o.only, name):
            continue
        arguments += [x for s in o.set for x in ('--set', s)] + (['--jobs', o.jobs] if o.jobs else [])
        usage, allowed, glb = measure(os.path.abspath(o.program), path, size + beside, arguments)
        peak, cpu = usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime
        if peak > 0.97 * allowed:
            peak = max(peak, measure(os.path.abspath(o.program), path, size + beside, arguments)[0].ru_maxrss * 1024)
        count += 1
        if peak > allowed:
            over.append(name)
        print(f'{name:34} {peak / MIB:6.1f} of {allowed / MIB:6.1f} MiB {peak / allowed:5.2f}  {cpu:6.3f} s {glb:9}', flush=True)
    print(f'{count} maps, {len(over)} over the rule: {" ".join(over)}')
    return 3 if count == 0 else 1 if over else 0


sys.exit(main())
