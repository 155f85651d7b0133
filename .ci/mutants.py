#!/usr/bin/env python3
"""Mutants of all inputs of the program: none may crash it, hang it, or take too much memory or disk space.

usage: mutants.py PROGRAM [--count N] [--seed S] [--only KIND] [--seeds FOLDER] [--keep FOLDER] [--jobs N] [--number N] [--write FOLDER]

The seeds are the repository's maps, models, textures and scripts, the content of FOLDER (go run ./testdata/build -seeds FOLDER), small
files of BSP2GLTF_CORPUS and of Debian's OpenArena and Nexuiz, and a few that are written here. A mutant is a seed with changes in one file:
bytes changed, numbers set to extremes, parts cut, repeated or mixed with those of another file. A command gets each, with a MaxMemory of
256 MiB. It has failed if the command

  - ends by a signal, or with an exit code that is not one for bad input
  - takes more than 20 s of processor time, or 512 MiB
  - prints more than a line when it fails, or prints a control character
  - leaves an output when it fails, or makes one of more than 64 MiB and 100 times the input

The same seed S (by default the date) makes the same mutants of the same files; --number makes only one. A mutant that failed is kept, with
its command, in the folder of --keep. --write only writes the files of mutants that have a map or an archive, each into a folder of its own,
for webmutants.mjs. An interrupt ends it with the table of those that were tried.
"""
import argparse, bz2, collections, concurrent.futures, datetime, glob, gzip, io, json, lzma, os, random, re, shlex, shutil, signal, struct, sys, tempfile, threading, zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MIB = 1 << 20
GAMES = '/usr/share/games/openarena/baseoa', '/usr/share/games/nexuiz/data'
NUMBERS = [0, 1, -1, 2, 3, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, -0x80000000, 0x40000000, 0x20000000, 0x3f800000,
           0x7f800000, 0x7fc00000, 0x7f7fffff, 1, 4, 16, 255, 1000, 65535, 1 << 20]
WORDS = [b'{', b'}', b'"', b'\n', b'//', b'/*', b'map', b'$lightmap', b'-1', b'1e38', b'-1e38', b'nan', b'999999999999', b'*', b'*99999', b'0', b'\x00',
         b'\xff', b'../', b'\x1b[31m', b'\xe2\x80\xae', b'%s', b'\\', b'"origin" "1e9 1e9 1e9"', b'"model" "*1"', b'animMap 1e9 a b', b'include', b'patch']


class Seed:
    """Files by name, the names of those to change, and a function that makes the command's arguments for a folder with the files."""
    def __init__(self, kind, files, changed, arguments):
        self.kind, self.files, self.changed, self.arguments = kind, files, changed, arguments


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def small(paths, most):
    return [p for p in sorted(paths) if os.path.isfile(p) and 0 < os.path.getsize(p) <= most]


def iqm(frames=2, joints=2, poses=1):
    """An .iqm, version 2: a triangle with bones, and a sequence of frames."""
    texts = b'\0bone\0skin\0go\0'
    parts = [texts, struct.pack('<6I', 6, 6, 0, 3, 0, 1), struct.pack('<9f', 0, 0, 0, 4, 0, 0, 5, 0, 3), struct.pack('<6f', *[0] * 6),
             bytes(12), b'\xff\0\0\0' * 3, struct.pack('<3I', 2, 1, 0),
             b''.join(struct.pack('<Ii10f', 1, i - 1, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1) for i in range(joints)),
             b''.join(struct.pack('<iI20f', i - 1, 4, *[0] * 6, 1, 1, 1, 1, *[0] * 2, .01, *[0] * 7) for i in range(joints)),
             struct.pack('<IIIfI', 11, 0, frames, 10, 1) * poses, struct.pack('<H', 5000) * (joints * frames)]
    at, offsets = 124 + 80, []
    for p in parts:
        offsets.append(at)
        at += len(p)
    o = offsets
    head = b'INTERQUAKEMODEL\0' + struct.pack('<27I', 2, at, 0, len(texts), o[0], 1, o[1], 4, 3, 124, 1, o[6], 0, joints, o[7], joints, o[8], poses, o[9],
                                              frames, joints, o[10], 0, 0, 0, 0, 0)
    arrays = b''.join(struct.pack('<5I', kind, 0, form, size, o[n]) for kind, form, size, n in ((0, 7, 3, 2), (1, 7, 2, 3), (4, 1, 4, 4), (5, 1, 4, 5)))
    return head + arrays + b''.join(parts)


def md2():
    """An .md2: two triangles, two frames."""
    frame = struct.pack('<6f', 1, 1, 1, 0, 0, 0) + b'run1'.ljust(16, b'\0') + bytes([0, 0, 0, 0, 9, 0, 0, 0, 9, 9, 0, 0, 0, 9, 9, 0])
    skins, st, tri = b'models/skin.pcx'.ljust(64, b'\0'), struct.pack('<8h', 0, 0, 9, 0, 0, 9, 9, 9), struct.pack('<12h', 0, 1, 2, 0, 1, 2, 1, 2, 3, 1, 2, 3)
    at, o = 68, []
    for p in skins, st, tri, frame * 2:
        o.append(at)
        at += len(p)
    return b'IDP2' + struct.pack('<16i', 8, 16, 16, len(frame), 1, 4, 4, 2, 0, 2, *o, at, at) + skins + st + tri + frame * 2


MD5_MESH = b'''MD5Version 10
commandline ""
numJoints 2
numMeshes 1
joints {
	"root"	-1 ( 0 0 0 ) ( 0 0 0 )
	"tip"	0 ( 0 0 10 ) ( 0 0 0.5 )		// root
}
mesh {
	shader "flag"
	numverts 3
	vert 0 ( 0 0 ) 0 1
	vert 1 ( 1 0 ) 1 1
	vert 2 ( 0 1 ) 2 2
	numtris 1
	tri 0 0 2 1
	numweights 4
	weight 0 0 1 ( 0 0 10 )
	weight 1 0 1 ( 8 0 10 )
	weight 2 1 0.75 ( 0 4 0 )
	weight 3 0 0.25 ( 0 4 10 )
}
'''
MD5_ANIM = b'''MD5Version 10
commandline ""
numFrames 3
numJoints 2
frameRate 10
numAnimatedComponents 4
hierarchy {
	"root"	-1 32 0
	"tip"	0 4 1
}
bounds {
	( 0 0 0 ) ( 1 1 1 )
	( 0 0 0 ) ( 1 1 1 )
	( 0 0 0 ) ( 1 1 1 )
}
baseframe {
	( 0 0 0 ) ( 0 0 0 )
	( 0 0 10 ) ( 0 0 0 )
}
frame 0 {
	0 10 0 0
}
frame 1 {
	1 20 0 0
}
frame 2 {
	0.5 15 0 0
}
'''


def dds(flags, name, bits=0, masks=(0, 0, 0, 0), more=b'', side=16, levels=1):
    """A .dds of black and white blocks, or of pixels."""
    size = side * side * (bits or (4 if name in (b'DXT1', b'ATI1') else 8)) // 8
    return b'DDS ' + struct.pack('<7I', 124, 0x1007, side, side, size, 0, levels) + bytes(44) + struct.pack('<2I4s5I', 32, flags, name, bits, *masks) + \
        bytes(20) + more + (bytes(range(256)) * (1 + size // 128))[:2 * size]


def ktx(order, kind, form, internal, size, side=16):
    """A .ktx of one level."""
    return b'\xabKTX 11\xbb\r\n\x1a\n' + struct.pack(order + '14I', 0x04030201, kind, 1, form, internal, form, side, side, 0, 0, 1, 1, 8, 0x41424344) + \
        bytes(4) + struct.pack(order + 'I', size) + (bytes(range(256)) * (1 + size // 256))[:size]


PACKED = {'dxt1.dds': dds(4, b'DXT1'), 'dxt5.dds': dds(4, b'DXT5', levels=3), 'dxt3.dds': dds(4, b'DXT3'), 'bc5.dds': dds(4, b'ATI2'),
          'bc7.dds': dds(4, b'DX10', more=struct.pack('<5I', 98, 3, 0, 1, 0)), 'bgra.dds': dds(0x41, bytes(4), 32, (0xff0000, 0xff00, 0xff, 0xff000000)),
          'grey.dds': dds(0x20000, bytes(4), 8, (255, 0, 0, 0)), 'dxt1.ktx': ktx('<', 0, 0, 0x83f1, 128), 'rgba.ktx': ktx('>', 0x1401, 0x1908, 0x8058, 1024),
          'rgb.ktx': ktx('<', 0x1401, 0x1907, 0x8051, 768)}


def archive(name, members):
    """A .zip, or an archive of Quake, Garry's Mod or Valve."""
    out = io.BytesIO()
    if name.endswith('.pak'):
        at, table = 12, b''
        for n, data in members.items():
            table += n.encode().ljust(56, b'\0')[:56] + struct.pack('<ii', at, len(data))
            at += len(data)
        return b'PACK' + struct.pack('<ii', at, len(table)) + b''.join(members.values()) + table
    if name.endswith('.gma'):
        head = b'GMAD\3' + bytes(16) + b'\0name\0about\0author\0' + struct.pack('<i', 1)
        for i, (n, data) in enumerate(members.items()):
            head += struct.pack('<I', i + 1) + n.encode() + b'\0' + struct.pack('<qI', len(data), 0)
        return head + bytes(4) + b''.join(members.values()) + bytes(4)
    if name.endswith('.vpk'):
        tree, body = b'', b''
        for n, data in members.items():
            folder, base = os.path.split(n)
            stem, ext = base.rsplit('.', 1)
            tree += b''.join(t.encode() + b'\0' for t in (ext, folder, stem)) + struct.pack('<IHHIIH', 0, 0, 0x7fff, len(body), len(data), 0xffff) + b'\0\0'
            body += data
        return struct.pack('<III', 0x55aa1234, 1, len(tree) + 1) + tree + b'\0' + body
    with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED if 'stored' not in name else zipfile.ZIP_STORED) as z:
        for n, data in members.items():
            z.writestr(zipfile.ZipInfo(n), data, z.compression)
    return out.getvalue()


def seeds(folder):
    """All seeds, in the same order on every machine."""
    testdata, corpus = ROOT + '/testdata', os.environ.get('BSP2GLTF_CORPUS', '')
    made = lambda ext: lambda d, r: [d + '/out.' + ext]
    convert = lambda d, r: [d + '/out.' + r.choice(['glb', 'glb', 'gltf', 'obj', 'html'])] + r.choice(
        [[], [], ['--preset', 'web'], ['--preset', 'unity'], ['--preset', 'viewer'], ['--preset', 'godot'], ['--preset', 'blender', '--strict'],
         ['--set', 'geometry.collision=omi'], ['--set', 'output.split=grid:4'], ['--set', 'game.allow_incomplete=true'], ['--set', 'models.animations=all']])

    def command(first, name, more):
        return lambda d, r: [*first, f'{d}/{name}', *more(d, r), '--game', d]

    def any_of(name):
        ways = [command([], name, convert)] * 5 + [
            command(['thumb', '--size', '64x36'], name, made('png')), lambda d, r: ['info', '--json', f'{d}/{name}'],
            lambda d, r: ['doctor', f'{d}/{name}', '--game', d], lambda d, r: ['texture', f'{d}/{name}', d + '/out']]
        return lambda d, r: r.choice(ways)(d, r)

    # Maps: our own with the files around them, and small real ones.
    for path in small(glob.glob(testdata + '/*/maps/*.bsp') + glob.glob(testdata + '/*/variants/*.bsp'), 800_000):
        yield Seed('map', {'maps/a.bsp': read(path)}, ['maps/a.bsp'], any_of('maps/a.bsp'))
    if corpus:
        for path in small(glob.glob(corpus + '/**/*.bsp', recursive=True), 400_000):
            yield Seed('map', {'maps/a.bsp': read(path)}, ['maps/a.bsp'], any_of('maps/a.bsp'))
    demo = read(testdata + '/demo/maps/demo.bsp')
    yield Seed('map', {'maps/a.bsp.gz': gzip.compress(demo, mtime=0)}, ['maps/a.bsp.gz'], command([], 'maps/a.bsp.gz', convert))
    yield Seed('map', {'maps/a.bsp.bz2': bz2.compress(demo)}, ['maps/a.bsp.bz2'], command([], 'maps/a.bsp.bz2', convert))
    yield Seed('map', {'maps/a.bsp.xz': lzma.compress(demo)}, ['maps/a.bsp.xz'], command([], 'maps/a.bsp.xz', convert))

    # Models, each alone.
    model = lambda name: lambda d, r: r.choice([lambda: ['model', f'{d}/{name}', d + '/out.' + r.choice(['glb', 'gltf', 'obj']), '--game', d,
                                                        *r.choice([[], ['--set', 'model.skeleton=false'], ['--preset', 'unity'], ['--preset', 'blender']])],
                                               lambda: ['thumb', '--size', '64x36', f'{d}/{name}', d + '/out.png'],
                                               lambda: ['info', '--json', f'{d}/{name}']])()
    alone = [(os.path.basename(p), read(p)) for p in small(glob.glob(testdata + '/goldsrc/models/*.mdl') + glob.glob(testdata + '/**/*.spr', recursive=True), 300_000)]
    alone += [('a.iqm', iqm()), ('b.iqm', iqm(20, 8, 3)), ('a.md2', md2())]
    if corpus:
        alone += [(os.path.basename(p), read(p)) for p in small(glob.glob(corpus + '/assets/md3/**/*.md3', recursive=True) +
                                                               glob.glob(corpus + '/goldsrc/_engine_base/**/*.mdl', recursive=True), 400_000)]
    for game in GAMES:
        last = {}
        for pak in sorted(glob.glob(game + '/*.pk3')):
            with zipfile.ZipFile(pak) as z:
                for i in z.infolist():
                    if 0 < i.file_size < 150_000 and (m := re.search(r'\.(md3|zym|dpm|mdl|spr|iqm)$', i.filename)):
                        last.setdefault(m[1], []).append((pak, i.filename))
        for ext, list_ in sorted(last.items()):
            for pak, name in sorted(list_)[::max(1, len(list_) // 8)]:
                with zipfile.ZipFile(pak) as z:
                    alone.append((os.path.basename(name), z.read(name)))
    for name, data in alone:
        yield Seed('model', {name: data}, [name], model(name))
    md5 = {'progs/flag.md5mesh': MD5_MESH, 'progs/flag.md5anim': MD5_ANIM}
    for name in md5:
        for _ in range(6):
            yield Seed('md5', md5, [name], model('progs/flag.md5mesh'))

    # Source's models with their companions; each companion is also changed alone.
    for path in small(glob.glob(testdata + '/source/models/ours/*.mdl') + glob.glob(folder + '/models/*.mdl') +
                      (glob.glob(corpus + '/assets/mdl/v4*/S/*.mdl') if corpus else []), 1_000_000):
        name = 'models/' + os.path.basename(path)
        files = {'models/' + os.path.basename(p): read(p) for p in glob.glob(path[:-4] + '.*')}
        yield Seed('model', files, [name], model(name))
        for n in sorted(files):
            if n != name and not re.search(r'\.(dx80|sw)\.vtx$', n):
                yield Seed(n.rsplit('.', 1)[1], files, [n], model(name))
    # The collision models of props are read for a map that has such props.
    files = {'models/ours/' + os.path.basename(p): read(p) for p in glob.glob(testdata + '/source/models/ours/*')}
    for name in sorted(files):
        for _ in range(8 if name.endswith('.phy') else 1):
            yield Seed(name.rsplit('.', 1)[1], {**files, 'maps/a.bsp': read(testdata + '/source/maps/models.bsp')}, [name],
                       command([], 'maps/a.bsp', lambda d, r: [d + '/out.glb', '--set', 'geometry.collision=' + r.choice(['omi', 'none', 'unreal'])]))

    # Textures: alone, and used by a map.
    for path in small(glob.glob(testdata + '/**/*.vtf', recursive=True) + glob.glob(testdata + '/**/*.wad', recursive=True) + glob.glob(testdata + '/**/*.wal', recursive=True) +
                      glob.glob(testdata + '/**/*.tga', recursive=True) +
                      (glob.glob(corpus + '/assets/wad*/S/*') + glob.glob(corpus + '/assets/vtf/**/*.vtf', recursive=True)[:40] if corpus else []), 300_000):
        name = os.path.basename(path)
        out = 'out' if name.endswith('.wad') else 'out.' + ('exr' if 'hdr' in name else 'png')
        yield Seed('texture', {name: read(path)}, [name], lambda d, r, name=name, out=out: ['texture', f'{d}/{name}', f'{d}/{out}'])
    demos = {os.path.relpath(p, testdata + '/demo'): read(p) for p in small(glob.glob(testdata + '/demo/**/*', recursive=True), 10_000_000)}
    for name in sorted(demos):
        if name.endswith(('.tga', '.jpg', '.png')):
            for _ in range(2):
                yield Seed('image', {name: demos[name], 'maps/demo.bsp': demo, 'scripts/demo.shader': demos['scripts/demo.shader']}, [name],
                           command([], 'maps/demo.bsp', convert))
    for name in sorted(n for n in demos if n.startswith('scripts/')):
        for _ in range(20):
            yield Seed('script', {name: demos[name], 'maps/demo.bsp': demo, **{n: d for n, d in demos.items() if '/demo/' in n and len(d) < 4000}}, [name],
                       command([], 'maps/demo.bsp', convert))
    # DDS and KTX: DarkPlaces' compressed copies of a map's textures, and images themselves.
    for name, data in PACKED.items():
        ext = name[-4:]
        for place in 'textures/demo/brick' + ext, 'dds/textures/demo/brick.dds':
            yield Seed('packed', {place: data, 'maps/demo.bsp': demo}, [place], command([], 'maps/demo.bsp', convert))
        yield Seed('packed', {name: data}, [name], lambda d, r, name=name: ['texture', f'{d}/{name}', d + '/out.' + r.choice(['png', 'webp', 'jpg'])])
    source = {os.path.relpath(p, testdata + '/source'): read(p) for p in small(glob.glob(testdata + '/source/materials/**/*', recursive=True), 200_000)}
    for name in sorted(n for n in source if n.endswith('.vmt')):
        yield Seed('script', {**source, 'maps/a.bsp': read(testdata + '/source/maps/reflections.bsp')}, [name], command([], 'maps/a.bsp', convert))
    for name in sorted(n for n in source if n.endswith('.vtf')):
        yield Seed('texture', {name: source[name]}, [name], lambda d, r, name=name: ['texture', f'{d}/{name}', d + '/out.' + r.choice(['png', 'exr', 'webp', 'jpg'])])
    texts = small(glob.glob(testdata + '/**/*.ent', recursive=True) + glob.glob(testdata + '/**/*.lit', recursive=True) + glob.glob(testdata + '/**/*.lmp', recursive=True) +
                  glob.glob(testdata + '/**/*.bsp_lump', recursive=True), 300_000)
    for path in texts:
        around = {'maps/' + os.path.basename(p): read(p) for p in small(glob.glob(os.path.dirname(path) + '/' + re.split(r'[._]', os.path.basename(path))[0] + '*'), 900_000)}
        maps = sorted(n for n in around if n.endswith('.bsp'))
        if maps:
            yield Seed('beside', around, ['maps/' + os.path.basename(path)], command([], maps[0], convert))
    yield Seed('beside', {'game/gameinfo.txt': b'"GameInfo"\n{\n game "x"\n FileSystem { SteamAppId 220 SearchPaths { game |gameinfo_path|. game hl2 game+mod x/*\n } }\n}\n',
                          'game/maps/a.bsp': read(testdata + '/source/maps/models.bsp')}, ['game/gameinfo.txt'], command([], 'game/maps/a.bsp', convert))

    # Games that mount addons and other games, also by texts in UTF-16.
    vmt = {n: d for n, d in source.items() if n.endswith('.vmt')}
    addon = archive('a.gma', vmt)
    texts = {'gm/gameinfo.txt': b'"GameInfo"\n{\n FileSystem { SteamAppId 4000 SearchPaths { game |gameinfo_path|. } }\n}\n',
             'gm/cfg/mount.cfg': b'// games\n"mountcfg"\n{\n "css" "../other"\n "tf" "other/tf/"\n}\n', 'gm/cfg/mountdepots.txt': b'"gamedepotsystem" { "cstrike" "1" "tf" "0" }',
             'l4d/gameinfo.txt': b'"GameInfo" { FileSystem { SteamAppId 550 SearchPaths { game |gameinfo_path|. } } }',
             'l4d/addonlist.txt': b'"AddonList"\n{\n "some.vpk" "1"\n "other.vpk" "0"\n}\n'}
    for name in texts:
        game = name.split('/')[0]
        for wide in False, True:
            files = {**texts, 'gm/addons/some.gma': addon, 'gm/addons/folder/materials/x.vmt': vmt[sorted(vmt)[0]], 'l4d/addons/some.vpk': archive('a.vpk', vmt),
                     name: texts[name].decode().encode('utf-16') if wide else texts[name], game + '/maps/a.bsp': read(testdata + '/source/maps/reflections.bsp')}
            yield Seed('mounts', files, [name], lambda d, r, game=game: [f'{d}/{game}/maps/a.bsp', *convert(d, r), '--game', f'{d}/{game}'])
    yield Seed('mounts', {**texts, 'gm/addons/some.gma': addon, 'gm/maps/a.bsp': read(testdata + '/source/maps/reflections.bsp')}, ['gm/addons/some.gma'],
               lambda d, r: [f'{d}/gm/maps/a.bsp', *convert(d, r), '--game', f'{d}/gm'])
    for name in sorted(vmt)[:4]:
        yield Seed('script', {**source, name: vmt[name].decode('latin1').encode('utf-16'), 'maps/a.bsp': read(testdata + '/source/maps/reflections.bsp')}, [name],
                   command([], 'maps/a.bsp', convert))

    # Archives.
    few = {n: d for n, d in demos.items() if len(d) < 3000 and '/' in n}
    few['maps/demo.bsp'] = demo
    for name in 'a.pk3', 'stored.zip', 'a.pak', 'a.gma', 'a_dir.vpk':
        data = archive(name, few)
        for first in [], ['batch'], ['info', '--json'], ['thumb', '--size', '64x36']:
            out = {'batch': ['-o', '{}/out', '--no-pictures', '--jobs', '1'], 'info': []}.get((first or [''])[0], ['{}/out.png'] if first else ['{}/out.glb'])
            yield Seed('archive', {name: data}, [name], lambda d, r, name=name, first=first, out=out: [*first, f'{d}/{name}', *(o.format(d) for o in out)])
            if first != ['info', '--json']:
                yield Seed('archive', {name: data, 'maps/demo.bsp': demo}, [name],
                           lambda d, r, name=name: [d + '/maps/demo.bsp', d + '/out.glb', '--game', f'{d}/{name}'])


def mutate(data, other, r):
    """A mutant of data."""
    b = bytearray(data)
    text = len(b) < 1 << 20 and b[:400].isascii() and b'\0' not in b[:400]
    for _ in range(r.choice([1, 1, 1, 2, 3, 6, 20])):
        if not b:
            break
        # Half of the changes are in the header, where sizes and offsets are; the others anywhere.
        at = r.randrange(min(len(b), r.choice([64, 256, 1200]))) if r.random() < .5 else r.randrange(len(b))
        how = r.randrange(12)
        if text and how < 6:
            word = r.choice(WORDS) if r.random() < .7 else bytes(b[at:at + r.randrange(1, 40)]) * r.choice([1, 2, 50])
            if r.random() < .5:
                m = re.compile(rb'[-\w.*/$]+').search(b, at)
                b[m.start() if m else at:m.end() if m else at] = word
            else:
                b[at:at] = word
        elif how == 0:
            b[at] ^= 1 << r.randrange(8)
        elif how == 1:
            b[at] = r.randrange(256)
        elif how <= 5:
            at, n = at & ~3, r.choice(NUMBERS + [len(b), len(b) - 1, len(b) // 2, r.randrange(len(b)), -r.randrange(len(b)), len(b) // 4])
            b[at:at + 4] = struct.pack('>I' if r.random() < .15 else '<I', n & 0xffffffff)[:max(0, len(b) - at)]
        elif how == 6:
            at &= ~1
            b[at:at + 2] = struct.pack('<H', r.choice([0, 1, 0x7fff, 0x8000, 0xffff, r.randrange(65536)]))[:max(0, len(b) - at)]
        elif how == 7:
            del b[at:at + r.choice([1, 2, 4, 16, 100, 1000, len(b)])]
        elif how == 8:
            b[at:at] = b[at:at + r.choice([1, 4, 40, 400, 4000])]
        elif how == 9:
            to, n = r.randrange(len(b)) & ~3, r.choice([4, 8, 16, 64, 512])
            b[to:to + n] = b[at & ~3:(at & ~3) + n]
        elif how == 10:
            n = r.choice([4, 16, 64, 512, 4096])
            b[at:at + n] = other[at:at + n]
        else:
            # A field of many records: the same four bytes at regular steps.
            step, n = r.choice([4, 8, 12, 16, 20, 24, 28, 32, 44, 48, 56, 60, 72, 104, 148]), struct.pack('<I', r.choice(NUMBERS) & 0xffffffff)
            for i in range(at & ~3, min(len(b) - 4, at + 200 * step), step):
                b[i:i + 4] = n
    return bytes(b)


BAD_INPUT = {0, 65, 66, 67, 68}
CONTROL = re.compile(r'[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]')


def sizes(folder):
    return sum(os.path.getsize(os.path.join(d, f)) for d, _, names in os.walk(folder) for f in names)


def judge(o, number, seed, files, r):
    """Runs a mutant. Returns what is wrong with it, the exit code, and the resources used."""
    top = tempfile.mkdtemp(prefix='mutant')
    try:
        for name, data in files.items():
            path = os.path.join(top, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'wb') as f:
                f.write(data)
        before = sizes(top)
        arguments = seed.arguments(top, r)
        command = [o.program, *arguments, '--limit', 'MaxMemory=256M']
        if arguments[0] != 'batch' and arguments[0] not in ('info', 'doctor', 'texture', 'thumb'):
            command.append('-q')
        out, err = open(os.path.join(top, '..', os.path.basename(top) + '.out'), 'w+b'), open(os.path.join(top, '..', os.path.basename(top) + '.err'), 'w+b')
        try:
            pid = os.posix_spawn(command[0], command, {**os.environ, 'BSP2GLTF_CACHE': 'none', 'HOME': top + '.home'}, file_actions=[
                (os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, err.fileno(), 2), (os.POSIX_SPAWN_OPEN, 0, '/dev/null', 0, 0)])
            killer = threading.Timer(120, lambda: os.kill(pid, 9))
            killer.start()
            _, status, usage = os.wait4(pid, 0)
            killer.cancel()
            code = os.waitstatus_to_exitcode(status)
            said, printed = [(f.seek(0), f.read(1 << 20).decode('utf-8', 'replace'))[1] for f in (err, out)]
        finally:
            for f in out, err:
                f.close()
                os.unlink(f.name)
        cpu, peak, size = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, sizes(top) - before
        wrong = []
        lines = [l for l in said.splitlines() if not l.startswith('warning: ')]
        batch = arguments[0] == 'batch'
        if code not in BAD_INPUT and not (batch and code == 1):
            wrong.append(f'exit code {code}')
        if batch:
            for manifest in glob.glob(top + '/out/.bsp2gltf/manifest.jsonl'):
                if m := re.search(rb'"reason":"(crash|internal|memory|timeout)"', read(manifest)):
                    wrong.append('reason ' + m[1].decode())
        if cpu > 20:
            wrong.append(f'{cpu:.1f} s')
        if peak > 512:
            wrong.append(f'{peak:.0f} MiB')
        if code not in (0, 1) and len(lines) != 1:
            wrong.append(f'{len(lines)} lines')
        if m := CONTROL.search(said + (printed if 'out.' not in ' '.join(arguments) else '')):
            wrong.append(f'says {m[0]!r}')
        if code not in (0, 1) and size > 0 and not batch and '--strict' not in arguments and not (arguments[0] == 'texture'):
            wrong.append(f'left {size} bytes')
        if size > 64 * MIB and size > 100 * before:
            wrong.append(f'{size / MIB:.0f} MiB of output of {before} bytes')
        if wrong and o.keep:
            kept = os.path.join(o.keep, str(number))
            shutil.copytree(top, kept, dirs_exist_ok=True)
            with open(kept + '.txt', 'w') as f:
                f.write(f'{", ".join(wrong)}\n{shlex.join(command).replace(top, kept)}\n{said[:4000]}\n')
        return ', '.join(wrong) + ': ' + said[:300].replace('\n', ' | ') if wrong else '', code, cpu, peak, size / max(before, 1), size
    finally:
        shutil.rmtree(top, ignore_errors=True)
        shutil.rmtree(top + '.home', ignore_errors=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('program')
    p.add_argument('--count', type=int, default=10_000)
    p.add_argument('--seed', default=datetime.date.today().isoformat())
    p.add_argument('--only', default='')
    p.add_argument('--seeds', default='')
    p.add_argument('--keep', default='')
    p.add_argument('--jobs', type=int, default=len(os.sched_getaffinity(0)))
    p.add_argument('--number', type=int)
    p.add_argument('--write', default='')
    o = p.parse_args()
    o.program = os.path.abspath(o.program)
    if o.keep:
        os.makedirs(o.keep, exist_ok=True)
    kinds = collections.defaultdict(list)
    for s in seeds(o.seeds):
        if re.search(o.only, s.kind):
            kinds[s.kind].append(s)
    if not kinds:
        raise SystemExit('there are no seeds')
    share = {'map': 34, 'model': 22, 'archive': 10, 'texture': 8, 'image': 8, 'script': 6, 'packed': 3, 'md5': 3}  # the others: 2 each
    names = sorted(kinds)
    weights = [share.get(k, 2) for k in names]

    def made(number):
        r = random.Random(f'{o.seed}/{number}')
        kind = r.choices(names, weights)[0]
        seed = r.choice(kinds[kind])
        other = r.choice(kinds[kind])
        name = r.choice(seed.changed)
        return kind, seed, {**seed.files, name: mutate(seed.files[name], other.files[other.changed[0]], r)}, r

    def one(number):
        kind, seed, files, r = made(number)
        return number, kind, judge(o, number, seed, files, r)

    if o.write:
        for number in range(o.count):
            _, _, files, _ = made(number)
            for name, data in files.items() if any(re.search(r'\.(bsp|pk3|zip|pak)(\.\w+)?$', n) for n in files) else ():
                path = os.path.join(o.write, str(number), name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, 'wb') as f:
                    f.write(data)
        return 0

    table = collections.defaultdict(lambda: [0, 0, 0, 0., 0., 0., 0])
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        stop = threading.Event()
        for s in signal.SIGINT, signal.SIGTERM:
            signal.signal(s, lambda *_: stop.set())
        numbers = [o.number] if o.number is not None else range(o.count)
        for done in pool.map(lambda n: None if stop.is_set() else one(n), numbers):
            if done is None:
                break
            number, kind, (wrong, code, cpu, peak, ratio, size) = done
            t = table[kind]
            t[0] += 1
            t[1] += code == 0
            t[2] += bool(wrong)
            t[3], t[4] = max(t[3], cpu), max(t[4], peak)
            if size > 4 * MIB:
                t[5] = max(t[5], ratio)
            if wrong:
                failed += 1
                print(f'FAIL {o.seed}/{number} {kind}: {wrong}', flush=True)
    print(f'{"kind":8} mutants  converted  failed  most s   MiB  times the input (outputs above 4 MiB)')
    for kind in sorted(table):
        n, ok, bad, cpu, peak, ratio, _ = table[kind]
        print(f'{kind:8} {n:7} {ok:10} {bad:7} {cpu:7.2f} {peak:5.0f} {ratio:6.1f}')
    print(f'{sum(t[0] for t in table.values())} mutants of the seed {o.seed}, {failed} failed')
    return 1 if failed else 0


sys.exit(main())
