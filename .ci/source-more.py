#!/usr/bin/env python3
"""Compares materials of Source's rarer shaders with those shaders, as the probe does for common ones: source-more.py PROBE BIN [ARGS...]

PROBE is probe.py. The folder above it has the shader compiler and the shaders' sources; shaders that are missing are skipped. The VMTs are
the rows below: eyes and teeth, sprites, decals, refraction, and water over a floor and with a reflection of one colour each. ARGS go to the probe.
"""
import importlib.util, os, sys, tempfile
import numpy as np

spec = importlib.util.spec_from_file_location('probe', sys.argv[1])
probe = importlib.util.module_from_spec(spec)
sys.path.insert(0, os.path.dirname(sys.argv[1]))
spec.loader.exec_module(probe)
const, affine = probe.const, probe.affine
FLOOR, AROUND = (.2, .1, .05), (.3, .4, .5)  # linear colours of the floor and of the surroundings

ROWS = {
    'teeth': ('Teeth', dict(basetexture='t/o')), 'teeth_alpha': ('Teeth', dict(basetexture='t/a')), 'teeth_color': ('Teeth', dict(basetexture='t/o', color2='[.5 .7 .3]')),
    'eyes_white': ('Eyes', dict(basetexture='t/o', iris='t/none')), 'eyes_iris': ('Eyes', dict(basetexture='t/o', iris='t/o2')),
    'sprite': ('Sprite', dict(basetexture='t/o')), 'sprite_srgb': ('Sprite', dict(basetexture='t/o', nosrgb=0)),  # its entity decides the mode
    'card': ('SpriteCard', dict(basetexture='t/a')), 'card_add': ('SpriteCard', dict(basetexture='t/a', additive=1)),
    'card_bright': ('SpriteCard', dict(basetexture='t/a', overbrightfactor=2)), 'card_self': ('SpriteCard', dict(basetexture='t/a', addself='.5')),
    'decal': ('LightmappedGeneric_Decal', dict(basetexture='t/a', translucent=1)), 'decal_opaque': ('LightmappedGeneric_Decal', dict(basetexture='t/a')),
    'decal_color': ('LightmappedGeneric_Decal', dict(basetexture='t/a', translucent=1, color='[.5 .7 .3]')), 'decal_alpha': ('LightmappedGeneric_Decal', dict(basetexture='t/a', alpha='.5')),
    'refract': ('Refract', dict(normalmap='t/flat')), 'refract_tint': ('Refract', dict(normalmap='t/flat', refracttint='[.5 .7 .3]')),
    'refract_tinttexture': ('Refract', dict(normalmap='t/flat', refracttinttexture='t/o')),
    'water_deep': ('Water', dict(normalmap='t/flat', fogcolor='{30 60 50}', abovewater=1)),
    'water_tint': ('Water', dict(normalmap='t/flat', fogcolor='{30 60 50}', refracttint='[.5 .7 .3]', abovewater=1)),
    'water_texture': ('Water', dict(basetexture='t/o', normalmap='t/flat', fogcolor='{30 60 50}', abovewater=1)),
    'water_cheap': ('Water', dict(normalmap='t/flat', fogcolor='{30 60 50}', forcecheap=1, envmap='env_cubemap', abovewater=1)),
}


class Engine(probe.Engine):
    def __init__(s, m, get, book, env=None, blend=0.):
        s.m, s.get, s.book, s.env, s.w = m, get, book, env, blend
        s.used, s.samplers, s.un, s.inp, s.combos, s.depth = [], {}, dict(probe.COMMON), {}, {}, 1.
        f = getattr(s, m.sh, None) if m.sh in ('teeth', 'eyes', 'sprite', 'spritecard', 'lightmappedgeneric_decal', 'refract', 'water') else None
        if not f:
            raise probe.Skip('shader '+m.sh)
        s.base, s.Tb = s.T('$basetexture') or s.T('$normalmap'), m.mat('$basetexturetransform')
        s.flags()
        s.inp = dict(i_worldPos_projPosZ=const(0, 0, 0, 1), i_baseTexCoord=affine(s.Tb))
        f()

    def teeth(s):  # the darkness of the mouth, $illumfactor and $forward, depends on the light at the place
        s.lit, s.mode, s.frag = 'eye', 'opaque', ('teeth_ps2x', {})
        s.put('BaseTextureSampler', s.base, True)

    def eyes(s):  # the iris at the centre of the eyeball, without a glint
        s.lit, s.mode, s.frag = 'eye', 'opaque', ('eyes_ps2x', {})
        s.put('BaseTextureSampler', s.base, True)
        s.put('IrisSampler', s.T('$iris'), True)
        s.samplers['GlintSampler'] = s.book.color(0, 0, 0)
        s.un['cEyeScalars'] = [0]*4
        s.inp |= dict(i_irisTexCoord=affine(s.Tb), i_glintTexCoord=const(.5, .5))

    def sprite(s):
        m, mode = s.m, s.m.int('$spriterendermode')
        srgb = '$nosrgb' in m.P and not m.on('$nosrgb')
        s.lit = 'none'
        s.mode = {0: 'opaque', 1: 'blend', 2: 'blend', 4: 'blend'}.get(mode, 'blendadd')
        s.frag = ('sprite_ps2x', dict(SRGB=srgb, VERTEXCOLOR=mode > 0, CONSTANTCOLOR=mode == 5))
        s.put('TexSampler', s.base, srgb)
        s.gamma = not srgb
        c = m.vec('$color')
        s.un |= dict(g_Color=(probe.g2l(c) if srgb else c)+[m.num('$alpha', 1)], g_HDRColorScale=[1]*4)
        s.inp['i_color'] = const(1, 1, 1, 1)

    def spritecard(s):  # with $addself, the result is already multiplied by alpha
        m = s.m
        s.lit, s.mode, s.times = 'none', 'blendadd' if m.on('$additive') else 'blend', m.num('$addself') != 0
        s.frag = ('spritecard_ps2x', dict(ADDSELF=m.num('$addself') != 0))
        s.put('BaseTextureSampler', s.base, True)
        s.un['g_Parameters'] = [m.num('$addbasetexture2'), m.num('$overbrightfactor', 1) or 1, m.num('$addself'), .5]
        s.inp |= dict(i_texCoord0=affine(s.Tb), i_texCoord1=affine(s.Tb), i_argbcolor=const(1, 1, 1, 1), i_blendfactor0=const(0, 0, 0, 0), i_vScreenPos=const(0, 0, 0, 1))

    def lightmappedgeneric_decal(s):
        s.lit, s.frag = 'three', ('lightmappedgeneric_decal_ps2x', {})
        s.evaluate(s.base, True)
        s.put('BaseTextureSampler', s.base, True)
        c, a = s.modcol()
        s.un |= dict(g_ModulationColor=c+[a])
        s.inp |= dict(i_vTexCoord0=affine(s.Tb), i_vTexCoord1=const(.5, .5), i_vTexCoord2=const(.5, .5), i_vTexCoord3=const(.5, .5), i_vColor=const(1, 1, 1, 1))

    def refract(s):
        m, tint = s.m, s.T('$refracttinttexture')
        s.lit, s.mode, s.frag = 'behind', 'opaque', ('refract_ps2x', dict(REFRACTTINTTEXTURE=bool(tint)))
        s.put('NormalSampler', s.base, False)
        s.put('RefractTintSampler', tint, True)
        s.samplers['RefractSampler'] = s.book.color(*FLOOR)
        s.un |= dict(g_RefractTint=probe.g2l(m.vec('$refracttint'))+[1], g_c5=[0, 0, 0, m.num('$refractamount', 2)])
        s.inp |= dict(i_vBumpTexCoord=affine(s.Tb), i_vRefractXYW=const(.5, .5, 1), i_vTangentVertToEyeVector=const(0, 0, 1))

    def water(s):
        m, fog = s.m, probe.g2l(s.m.vec('$fogcolor'))+[1]
        s.lit, s.mode = 'behind', 'opaque'
        s.samplers['RefractSampler'] = s.book.color(*FLOOR, s.depth)
        s.samplers['ReflectSampler'] = s.samplers['EnvmapSampler'] = s.book.color(*AROUND)
        s.put('NormalSampler', s.T('$normalmap'), False)
        s.samplers['NormalMapSampler'], s.samplers['NormalizeSampler'] = s.samplers['NormalSampler'], s.book.color(.5, .5, 1)
        textured = bool(m.tex('$basetexture'))
        s.un |= dict(vRefractTint=probe.g2l(m.vec('$refracttint'))+[1], vReflectTint=probe.g2l(m.vec('$reflecttint'))+[1], g_ReflectRefractScale=[0]*4, g_WaterFogColor=fog,
                     g_WaterFogParams=[0, 1, 1, 0], g_ReflectTint=m.vec('$reflecttint')+[m.num('$reflectblendfactor', 1)], g_CheapWaterParams=[0, 1, 1, 0])
        s.inp |= dict(i_vBumpTexCoord=affine(s.Tb), i_normalMapTexCoord=affine(s.Tb), i_vTangentEyeVect=const(0, 0, 1), i_worldSpaceEyeVect=const(0, 0, 1), i_vWorldPos=const(0, 0, 0),
                      i_vReflectXY_vRefractYX=const(.5, .5, .5, .5), i_vWorldPos_projPosW=const(0, 0, 0, 1), i_vProjPos=const(0, 0, 0, 1), i_tangentSpaceTranspose=probe.IDENT3,
                      i_vRefract_W_ProjZ=const(.5, .5, 1, 1), i_lightmapTexCoord1And2=const(.375, .5, .5, .625), i_lightmapTexCoord3=[[.875, .5, 0, 0], [0]*4, [0]*4], i_fogFactorW=const(0, 0, 0, 0))
        s.frag = ('water_ps2x', dict(REFRACT=not textured, REFLECT=1, ABOVEWATER=1, BASETEXTURE=textured))
        if m.on('$forcecheap'):  # the shader decodes the fog's colour
            s.un['g_WaterFogColor'] = m.vec('$fogcolor')+[1]
            s.frag = ('WaterCheap_ps2x', dict(FRESNEL=1, HDRTYPE=2, HDRENABLED=1))
        if textured:
            s.lit = 'lightmap'
            s.put('BaseTextureSampler', s.base, True)

    def jobs(s, frags, pts):
        out = super().jobs(frags, pts)
        for job, light in zip(out, probe.LIGHTS):
            if s.lit == 'eye':
                job['inputs']['i_vertAtten'] = const(*light)
            if s.lit == 'three':
                for k in range(3):
                    job['samplers'][f'LightMap{k}Sampler'] = s.book.color(*light)
                    job['uniforms'][f'g_LightMap{k}Color'] = [1/3]*4  # of a flat surface, from the three directions
        return out


plain = probe.compare
def compare(e, eng, ours, m, uv):
    """Like the probe's. Pixels of a sprite are display values; refraction is compared over the floor, blended as a viewer does."""
    if getattr(e, 'gamma', False):
        eng = np.concatenate([probe.lin(np.clip(eng[:, :, :3], 0, 1)), eng[:, :, 3:]], 2)
    if getattr(e, 'times', False):
        eng = np.concatenate([eng[:, :, :3]/np.maximum(eng[:, :, 3:], 1e-6), eng[:, :, 3:]], 2)
    if e.lit != 'behind':
        return plain(e, eng, ours, m, uv)

    class Over:  # our material over the floor, in display space
        def show(s, _, uv):
            b, a, em, unlit = ours.show(m, uv)
            a = a[:, None] if m.get('alphaMode', 'OPAQUE') == 'BLEND' else np.ones((len(b), 1))
            return probe.lin((a*probe.enc(b+em)+(1-a)*probe.enc(np.array(FLOOR)))/255), np.ones(len(b)), 0*b, True
    return plain(e, eng, Over(), dict(m, alphaMode='OPAQUE'), uv)


def sheet(folder):
    made(folder)
    for f in os.listdir(folder+'/materials/t'):
        if f.endswith('.vmt'):
            os.remove(f'{folder}/materials/t/{f}')
    clear = bytearray(open(folder+'/materials/t/o.vtf', 'rb').read())
    clear[83::4] = bytes(len(clear[83::4]))
    open(folder+'/materials/t/none.vtf', 'wb').write(clear)
    for name, (shader, params) in ROWS.items():
        open(f'{folder}/materials/t/{name}.vmt', 'w').write(f'"{shader}"\n{{\n'+''.join(f'\t"${k}" "{v}"\n' for k, v in params.items())+'}\n')


made, probe.sheet, probe.Engine, probe.compare = probe.sheet, sheet, Engine, compare
sys.argv = [sys.argv[1], *sys.argv[2:]]
probe.main()
