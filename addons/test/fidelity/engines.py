"""Pictures by real engines, without a screen: OpenArena (ioquake3), Nexuiz (DarkPlaces) and Half-Life (Xash3D in Chromium)."""
import json
import math
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
SIZE = (640, 480)
SKY, NODRAW = 0x4, 0x80  # surface flags of Quake III
LIQUID, FOG = 0x38, 0x40  # contents


def xvfb(home, seconds, *command):
    """Runs a game in a home of its own; it is stopped after so many seconds. Returns what it printed."""
    env = dict(os.environ, HOME=str(home), LIBGL_ALWAYS_SOFTWARE='1', LP_NUM_THREADS='1')
    run = subprocess.run(['timeout', str(seconds), 'xvfb-run', '-a', '-s', '-screen 0 1024x768x24', *map(str, command)],
                         env=env, capture_output=True, text=True, errors='replace')
    return run.stdout + run.stderr


def picture(source, target):
    from PIL import Image
    Image.open(source).convert('RGB').save(target)


def light_alone(game, mapfile):
    """Replaces all shader scripts by one where each shader of the map is its lightmap and nothing else. r_lightmap shows the other stages
    too. Sky, liquids and what is not drawn are left out by the flags in the map."""
    (game / 'scripts').mkdir()
    for pk3 in pathlib.Path('/usr/share/games/openarena/baseoa').glob('*.pk3'):
        for name in zipfile.ZipFile(pk3).namelist():
            if re.fullmatch(r'scripts/[^/]+\.shader', name, re.I):
                (game / name.lower()).write_text('// none\n')
    data, script = pathlib.Path(mapfile).read_bytes(), ''
    start, size = struct.unpack_from('<ii', data, 8 + 8)
    for at in range(start, start + size, 72):
        name, (flags, contents) = data[at:at + 64].split(b'\0')[0].decode('latin1'), struct.unpack_from('<2i', data, at + 64)
        if contents & FOG:
            stages = 'surfaceparm fog\nfogparms ( 0 0 0 ) 1000000'
        elif flags & (SKY | NODRAW) or contents & LIQUID:
            stages = 'surfaceparm sky\nskyparms - 512 -'
        else:
            stages = '{\nmap $lightmap\nrgbGen identity\n}'
        script += f'{name}\n{{\n{stages}\n}}\n'
    (game / 'scripts/light_alone.shader').write_text(script)


# What an engine shows of the player and of the screen, and never of the map.
HUD = dict(cg_draw2d=0, cg_drawgun=0, con_notifytime=0, cg_bobup=0, cg_bobpitch=0, cg_bobroll=0, cg_runpitch=0, cg_runroll=0)


FRAME = 16  # milliseconds of the game's time


def moments(log):
    """The game's clock at each picture, in seconds, by what OpenArena prints: the number of each frame (com_speeds), after a picture that
    of the next; and with each message of the server how much later its clock is (cl_showTimeDelta)."""
    found, later, name = {}, 0, None
    for line in log.splitlines():
        if wrote := re.fullmatch(r'Wrote screenshots/(\w+)\.tga', line):
            name = wrote[1]
        elif frame := re.match(r'(?:(-?\d+) )*frame:(\d+) ', line):
            if name:
                found[name] = round((int(frame[2]) * FRAME + later) / 1000, 3)
            name, later = None, int(frame[1] or later)
    return found


def openarena(mapfile, eyes, out, modes, files, settings=()):
    """The player flies (noclip) in steps of fixed length, so the eye is where setviewpos puts it: 36.09 units ahead, 1 up. A frame takes
    16 ms of the game's time, however long it takes to draw. settings has more pairs for the engine, files what its game folder gets, and
    "do" of an eye the commands before its picture."""
    played = 'played' in modes
    sets = HUD if played else HUD | dict(r_drawentities=0, r_flares=0, cg_marks=0, cg_shadows=0)
    detail = {} if played else dict(r_fastsky=1, r_picmip=0, r_subdivisions=4, r_lodbias=-2, r_lodCurveError=10000, r_gamma=1, r_textureMode='GL_LINEAR_MIPMAP_LINEAR')
    script = [f'set {k} {v}' for k, v in sets.items()] + ['wait 30', 'noclip', 'wait 10']
    for e in eyes:
        x, y, z = e['eye']
        script += [f'setviewpos {x} {y} {z - 26} {e["yaw"]}', 'wait 70', *e.get('do', []), f'screenshot {e["name"]}', 'wait 4', 'viewpos', 'wait 2']
    took = None
    for mode in modes:
        with tempfile.TemporaryDirectory() as home:
            game = pathlib.Path(home, '.openarena/baseoa')
            game.mkdir(parents=True)
            for to, source in files:
                (game / to).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, game / to)
            (game / 'shot.cfg').write_text('\n'.join(script + ['quit']))
            if mode == 'light':
                light_alone(game, mapfile)
            log = xvfb(home, 300, '/usr/games/openarena', '+set', 'r_mode', -1, '+set', 'r_customwidth', SIZE[0], '+set', 'r_customheight', SIZE[1],
                       *sum((['+set', k, v] for k, v in dict(r_fullscreen=0, s_initsound=0, in_mouse=0, com_introplayed=1, sv_pure=0,
                           cl_renderer='opengl1', com_maxfps=60, pmove_fixed=1, pmove_msec=8, fixedtime=FRAME, com_speeds=1, cl_showTimeDelta=1, **detail, **dict(settings),
                           **({'r_novis': 1} if mode == 'light' else {})).items()), []),
                       '+devmap', pathlib.Path(mapfile).stem, '+exec', 'shot.cfg')
            (out / f'engine-{mode}.log').write_text(log)
            took = re.findall(r'^\((-?\d+) (-?\d+) (-?\d+)\) : (-?\d+)', log, re.M)
            if len(took) != len(eyes):
                raise RuntimeError(f'the engine answered {len(took)} of {len(eyes)} eyes: see {out}/engine-{mode}.log')
            for e in eyes:
                picture(game / 'screenshots' / f'{e["name"]}.tga', out / f'engine-{mode}-{e["name"]}.png')
    times = moments(log)
    for e, t in zip(eyes, took):
        turn = math.radians(e['yaw'])
        if played:
            e['time'] = times[e['name']]
        e['eye'] = [e['eye'][0] + 36.09 * math.cos(turn), e['eye'][1] + 36.09 * math.sin(turn), e['eye'][2] + 1]
        # Something of the map (lava, a mover, a pusher) may have taken the player away: viewpos rounds, so a unit is allowed.
        e['moved'] = max(abs(a - float(b)) for a, b in zip(e['eye'], t[:3])) > 2
    return eyes


DARKPLACES_HUD = dict(v_kicktime=0, scr_centertime=0, scr_centerprinttime=0, cl_bob=0, cl_rollangle=0, crosshair=0, r_drawviewmodel=0, viewsize=120,
    scr_conheight=0, con_notify=0, scr_screenshot_jpeg=0, scr_screenshot_png=1, scr_screenshot_gammaboost=1, sbar_hudselector=0, showfps=0, sv_cheats=1,
    cl_hidewaypoints=1)
DARKPLACES = DARKPLACES_HUD | dict(r_glsl_deluxemapping=0, r_shadow_gloss=0, r_glsl_offsetmapping=0, r_drawdecals=0, cl_decals=0, r_drawparticles=0,
    r_drawentities=0)
# Settings that a game's own replace when it is played.
DARKPLACES_PLAIN = ('+gl_picmip 0 +r_picmipworld 0 +r_shadow_realtime_world 0 +r_shadow_realtime_dlight 0 +r_bloom 0 +r_hdr 0 '
                    '+gl_texture_anisotropy 1 +r_sky 0 +r_fog 1 +v_gamma 1 +v_contrast 1 +v_brightness 0')


def darkplaces(program, folder, mapfile, eyes, out, modes, height, ambient, beside=(), shipped=''):
    """The player is held where the server's own edict commands put it, without a move type. height is from its origin to its eye;
    ambient is r_ambient, of which a 64th is added to all light. shipped replaces settings of the program's game by
    those of another, as a player sees it."""
    for mode in modes:
        played = mode == 'played'
        plain = shipped if played else f'r_ambient {ambient}\nr_lightmapintensity 1\nr_fullbright 0\nr_showlightmaps {int(mode == "light")}\n'
        with tempfile.TemporaryDirectory() as home:
            game = pathlib.Path(home, folder)
            (game / 'maps').mkdir(parents=True)
            for to, source in beside:
                (game / to).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, game / to)
            (game / 'shot.cfg').write_text('\n'.join(f'{k} {v}' for k, v in (DARKPLACES_HUD if played else DARKPLACES).items())
                                           + f'\n{plain}defer 14 "exec shot0.cfg"\n')
            for i, e in enumerate(eyes):
                x, y, z = e['eye']
                (game / f'hold{i}.cfg').write_text('\n'.join(f'prvm_edictset server 1 {k} {v}' for k, v in (
                    ('movetype', 8), ('velocity', '"0 0 0"'), ('origin', f'"{x} {y} {z - height}"'), ('angles', f'"0 {e["yaw"]} 0"'),
                    ('v_angle', f'"0 {e["yaw"]} 0"'), ('fixangle', 1))) + '\n')
                # An angle that is set once is approached from the last one, and on a busy machine not reached.
                (game / f'shot{i}.cfg').write_text(
                    f'exec hold{i}.cfg\ndefer 0.8 "exec hold{i}.cfg"\ndefer 1.6 "exec hold{i}.cfg"\n'
                    f'defer 2.5 "screenshot screenshots/{e["name"]}.png; prvm_global server time; prvm_edict server 1 v_angle; prvm_edict server 1 origin"\n'
                    f'defer 3.3 "' + (f'exec shot{i + 1}.cfg' if i + 1 < len(eyes) else 'quit') + '"\n')
            log = xvfb(home, 80 + 6 * len(eyes), program, *f'+vid_width {SIZE[0]} +vid_height {SIZE[1]} +vid_conwidth {SIZE[0]} +vid_conheight {SIZE[1]} '
                       f'+vid_fullscreen 0 -nosound -window +sv_public 0 +menu_disable 1 +fov 90 {"" if played else DARKPLACES_PLAIN}'.split(), *(['-basedir', home] if folder == 'id1' else []), '+map', pathlib.Path(mapfile).stem, '+exec', 'shot.cfg')
            (out / f'engine-{mode}.log').write_text(log)
            # What is seen is a twentieth of a second behind the server's clock. A field that is zero is not printed.
            answers = re.split(r'^time: ', log, flags=re.M)[1:]
            if len(answers) != len(eyes):
                raise RuntimeError(f'the engine answered {len(answers)} of {len(eyes)} eyes: see {out}/engine-{mode}.log')
            for e, told in zip(eyes, answers):
                picture(next(pathlib.Path(home).rglob(f'screenshots/{e["name"]}.png')), out / f'engine-{mode}-{e["name"]}.png')
                at, turned = ([float(v) for v in m[1].split()] if (m := re.search(rf"^{field} +'([^']*)'", told, re.M)) else [0, 0, 0]
                              for field in ('origin', 'v_angle'))
                e['moved'] = (math.dist(at, [*e['eye'][:2], e['eye'][2] - height]) > 2
                              or max(abs((a - b + 180) % 360 - 180) for a, b in zip(turned, (0, e['yaw'], 0))) > 1)
                if played:
                    e['time'] = round(float(told.split()[0]) - 0.05, 3)
    return eyes


def nexuiz(mapfile, eyes, out, modes, _files):
    return darkplaces('/usr/games/nexuiz', '.nexuiz/data', mapfile, eyes, out, modes, 35, 4)


def quake(mapfile, eyes, out, modes, files):
    """DarkPlaces with the game that files give it, progs.dat, or else with Nexuiz' free one: it reads Quake's maps too, and shows them with
    Quake's palette, but knows few of their entities and none of their light switches. Nexuiz ends with an error on a map for which it knows
    no kind of game, so one is named beside it."""
    if any(to == 'progs.dat' for to, _ in files):
        return darkplaces('/usr/games/darkplaces', 'id1', mapfile, eyes, out, modes, 22, 0, [(f'maps/{pathlib.Path(mapfile).name}', mapfile), *files],
                          'r_ambient 0\nv_gamma 1\ngod\nnotarget\n')
    kind = out / 'kind.mapinfo'
    kind.write_text('title map\ntype dm 30 20\n')
    name = pathlib.Path(mapfile).stem
    beside = [(f'maps/{name}.bsp', mapfile), (f'maps/{name}.mapinfo', kind), *files]
    return darkplaces('/usr/games/nexuiz', '.nexuiz/data', mapfile, eyes, out, modes, 35, 0, beside, 'r_ambient 0\nv_gamma 1\ngl_picmip 0\n')


MOMENT = 3.0  # seconds since a map of GoldSrc began


def goldsrc(mapfile, eyes, out, modes, files, times=None):
    """Xash3D with the Half-Life SDK's game code. The map is copied with one start, whose eye is the eye. With times, in seconds since the
    map began, there is a picture for each. As a player sees it, the picture is of MOMENT."""
    if 'played' in modes and times is None:
        goldsrc(mapfile, eyes, out, modes, files, [MOMENT])
        for e, mode in ((e, mode) for e in eyes for mode in modes):
            if (drawn := out / f'engine-{mode}-{e["name"]}-0.png').exists():
                drawn.rename(out / f'engine-{mode}-{e["name"]}.png')
            e['time'] = MOMENT
        return eyes
    job = out / 'job.json'
    job.write_text(json.dumps(dict(map=str(pathlib.Path(mapfile).resolve()), eyes=eyes, out=str(out.resolve()) + '/engine', files=files, times=times,
        modes={m: ['r_lightmap 1' if m == 'light' else 'r_lightmap 0'] for m in modes})))
    run = subprocess.run(['timeout', str(240 + int(os.environ.get('XASH_WAIT', 60))), 'node', HERE / 'xash.mjs', job], capture_output=True, text=True)
    (out / 'engine.log').write_text(run.stdout + run.stderr)
    return eyes


ENGINES = dict(openarena=openarena, nexuiz=nexuiz, goldsrc=goldsrc, quake=quake)
