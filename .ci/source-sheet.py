#!/usr/bin/env python3
"""Writes VMTs with random combinations of features of Source's shaders, and the textures that they name: source-sheet.py FOLDER [SEED] [COUNT]

The features are rows of tables, by shader. A VMT has two or three of them. The same seed gives the same files. `.ci/run source` makes the
probe compare them with Source's own shaders. Needs numpy.
"""
import os, random, struct, sys
import numpy as np

CENTRE = 'center .5 .5 scale {} {} rotate {} translate {} {}'
# Each row is a group; a VMT has at most one feature of a group.
COMMON = [
    [dict(color='[.5 .25 .75]'), dict(color='{200 100 50}'), dict(color='[1.5 1 .5]')],
    [dict(color2='[.3 .9 .6]'), dict(color2='{128 64 192}')],
    [dict(alpha='.6')],
    [dict(translucent=1), dict(alphatest=1), dict(alphatest=1, alphatestreference='.3'), dict(additive=1)],
    [dict(basetexturetransform=CENTRE.format(2, 2, 0, .25, 0)), dict(basetexturetransform=CENTRE.format(1, 1, 90, 0, .5))],
    [dict(detail='x/detail', detailscale=s, detailblendmode=m, detailblendfactor=f) for m in range(10) for s, f in ((2, 1), (4, ".6"), (".5", 1), ("1.5", ".8"))],
    [dict(nocull=1), dict(vertexcolor=1), dict(vertexalpha=1), dict(decal=1), dict(model=1), dict(ignorez=1), dict(nofog=1), dict(halflambert=1)],
]
LIT = [
    [dict(bumpmap='x/flat'), dict(bumpmap='x/normal'), dict(bumpmap='x/normal', normalmapalphaenvmapmask=1, envmap='env_cubemap')],
    [dict(selfillum=1), dict(selfillum=1, selfillumtint='[.4 .8 1]'), dict(selfillum=1, selfillumtint='[1.5 1 1]'), dict(selfillum=1, selfillummask='x/mask')],
    [dict(envmap='env_cubemap', envmaptint='[.2 .3 .4]'), dict(envmap='env_cubemap', envmapmask='x/mask'), dict(envmap='env_cubemap', basealphaenvmapmask=1),
     dict(envmap='env_cubemap', envmapcontrast=1, envmapsaturation='.5')],
]
PHONG = [[dict(phong=1, bumpmap='x/normal', phongexponent=20, phongboost=2), dict(phong=1, bumpmap='x/flat', basemapalphaphongmask=1),
          dict(phong=1, bumpmap='x/normal', rimlight=1), dict(phong=1, phongexponenttexture='x/mask', bumpmap='x/flat')],
         [dict(blendtintbybasealpha=1), dict(blendtintbybasealpha=1, blendtintcoloroverbase='.4')]]
WORLD = [[dict(basetexture2='x/second')], [dict(blendmodulatetexture='x/blend')]]
TWO = [[dict(texture2='x/second'), dict(texture2='x/base'), dict(texture2='x/second', texture2transform=CENTRE.format(2, 2, 0, 0, 0))],
       [dict(color='[.5 .25 .75]'), dict(color2='[.3 .9 .6]')], [dict(alpha='.6'), dict(translucent=1), dict(additive=1)],
       [dict(basetexturetransform=CENTRE.format(2, 2, 0, .25, 0))]]
BLEND = [[dict(basetexture2='x/second'), dict(basetexture2='x/base'), dict(basetexture2='x/dark')], [dict(blendmodulatetexture='x/blend'), dict(blendmodulatetexture='x/hard'), dict(blendmodulatetexture='x/soft', maskedblending=1)],
         [dict(bumpmap='x/flat'), dict(bumpmap='x/flat', bumpmap2='x/flat'), dict(detail='x/mild', detailscale=4)],
         [dict(color='[.5 .25 .75]'), dict(selfillum=1), dict(envmap='env_cubemap', envmaptint='[.1 .1 .1]'), dict(basetexturetransform=CENTRE.format(2, 2, 0, .25, 0))]]
SHADERS = {  # tables, and the share of the VMTs in percent
    'LightmappedGeneric': (COMMON + LIT, 32), 'VertexLitGeneric': (COMMON + LIT + PHONG, 32), 'UnlitGeneric': (COMMON, 14),
    'UnlitTwoTexture': (TWO, 6), 'WorldTwoTextureBlend': ([[dict(detail='x/detail', detailscale=1)], [dict(selfillum=1), dict(alphatest=1), dict(translucent=1)],
                                                          [dict(detail_alpha_mask_base_texture=1)]], 3),
    'WorldVertexTransition': (BLEND, 10), 'Modulate': ([[dict(mod2x=1)], [dict(color='[.5 .25 .75]'), dict(alpha='.6')]], 2), 'DecalModulate': ([[dict(decal=1)]], 1),
}
ALWAYS = {'WorldVertexTransition': 0, 'UnlitTwoTexture': 0, 'WorldTwoTextureBlend': 0}  # the row that every VMT of a shader has


def texture(folder, name, pixels, flags=0):
    h, w = pixels.shape[:2]
    head = bytearray(80)
    head[:4] = b'VTF\0'
    struct.pack_into('<3I', head, 4, 7, 2, 80)
    struct.pack_into('<2HI2H', head, 16, w, h, flags, 1, 0)
    linear = ((pixels[:, :, :3] / 255) ** 2.2).mean((0, 1))
    struct.pack_into('<3ff', head, 32, *linear, 1)
    head[56] = 1
    struct.pack_into('<i', head, 57, -1)
    struct.pack_into('<H', head, 63, 1)
    with open(f'{folder}/{name}.vtf', 'wb') as f:
        f.write(bytes(head) + np.clip(np.round(pixels), 0, 255).astype(np.uint8).tobytes())


def textures(folder, seed):
    rng = np.random.default_rng(seed)

    def blocks(low, high, alpha=None):
        px = np.kron(rng.uniform(low, high, (8, 8, 4)), np.ones((8, 8, 1)))
        if alpha is not None:
            px[:, :, 3] = alpha
        return px
    base = blocks(20, 235)
    base[:, :, 3] = np.kron(rng.choice([0, 70, 150, 200, 255], (8, 8)), np.ones((8, 8)))
    texture(folder, 'base', base, 0x2000)
    base = blocks(30, 220, 255)
    texture(folder, 'solid', base)
    x = np.linspace(0, 6.283, 128, endpoint=False)
    waves = np.stack([120 + 60 * np.sin(x[:, None] * k + x[None, :] * j) for k, j in ((1, 2), (3, 1), (2, 4), (1, 1))], 2)
    texture(folder, 'waves', waves, 0x2000)
    texture(folder, 'second', blocks(20, 235, 255))
    texture(folder, 'dark', blocks(5, 60, 255))
    texture(folder, 'detail', blocks(70, 190), 0x2000)
    texture(folder, 'mild', blocks(100, 155, 255))
    texture(folder, 'mask', blocks(0, 255, 255))
    flat = np.zeros((64, 64, 4))
    flat[:] = (128, 128, 255, 255)
    texture(folder, 'flat', flat, 0x80)
    n = rng.normal(0, .3, (8, 8, 2))
    n = np.concatenate([n, np.sqrt(np.maximum(.2, 1 - (n ** 2).sum(2)))[:, :, None]], 2)
    n /= np.linalg.norm(n, axis=2, keepdims=True)
    texture(folder, 'normal', np.kron(np.concatenate([n * 127.5 + 127.5, rng.uniform(0, 255, (8, 8, 1))], 2), np.ones((8, 8, 1))), 0x2080)
    for name, soft in (('blend', (10, 60)), ('hard', (0, 10)), ('soft', (90, 200))):
        px = blocks(40, 215, 255)
        px[:, :, 0] = np.kron(rng.uniform(*soft, (8, 8)), np.ones((8, 8)))
        texture(folder, name, px)


def main():
    given = dict(enumerate(sys.argv))
    folder, seed, count = given[1] + '/materials/x', int(given.get(2, 2024)), int(given.get(3, 300))
    os.makedirs(folder, exist_ok=True)
    textures(folder, seed)
    pick = random.Random(seed)
    for shader, (rows, share) in SHADERS.items():
        seen = set()
        for _ in range(40 * count):
            if len(seen) >= max(1, round(count * share / 100)):
                break
            first = ALWAYS.get(shader)
            list_ = [] if first is None else [first]
            others = [i for i in range(len(rows)) if i not in list_]
            list_ += pick.sample(others, min(len(others), pick.choice((0, 1, 1, 2) if first is not None else (2, 2, 3))))
            params = {'basetexture': pick.choice(('x/base', 'x/solid', 'x/waves'))}
            for i in sorted(list_):
                params |= pick.choice(rows[i])
            text = f'"{shader}"\n{{\n' + ''.join(f'\t"${k}" "{v}"\n' for k, v in params.items()) + '}\n'
            if text in seen:
                continue
            seen.add(text)
            with open(f'{folder}/{shader.lower()}_{len(seen):03}.vmt', 'w') as f:
                f.write(text)


main()
