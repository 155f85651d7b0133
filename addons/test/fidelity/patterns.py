"""Copies of maps that an engine and bsp2gltf read alike: of GoldSrc's with a pattern for each texture that is missing, of Quake's without
entities whose models are missing."""
import re
import struct
import zlib

import numpy as np

ENTITIES, TEXTURES = 0, 2  # lumps


def pattern(name, width, height):
    """A miptex with a pattern of two colours that its name decides. Tiles among which the game chooses by lot (-0name) are alike."""
    seed = zlib.crc32(re.sub(rb'^-\d', b'', name))
    y, x = np.mgrid[0:height, 0:width]
    pixels = ((x // 16 + y // 16) % 2 + 2 * ((x * 7 + y * 3) // 32 % 2)).astype('u1')
    colours = [[60 + (seed >> s) % 120 + 12 * i for s in (0, 8, 16)] for i in range(4)]
    levels = [pixels[::1 << k, ::1 << k].tobytes() for k in range(4)]
    at = [40 + sum(map(len, levels[:k])) for k in range(4)]
    return (name.ljust(16, b'\0') + struct.pack('<6I', width, height, *at) + b''.join(levels) + struct.pack('<H', 256)
            + bytes(v for c in colours for v in c) + bytes(3 * 252) + bytes(2))


def in_wad(data):
    """The names of a .wad's textures, in lower case."""
    count, at = struct.unpack_from('<2i', data, 4)
    return {data[o + 16:o + 32].split(b'\0')[0].lower() for o in range(at, at + 32 * count, 32)}


def textures(lump, elsewhere=()):
    """The textures of a map, with a pattern for each that it does not contain and whose name is not elsewhere, and the names of these."""
    count, = struct.unpack_from('<i', lump)
    offsets, parts, end, made = [], [], 4 + 4 * count, []
    for at in struct.unpack_from(f'<{count}i', lump, 4):
        if at < 0:
            offsets.append(-1)
            continue
        name = lump[at:at + 16].split(b'\0')[0]
        width, height, first = struct.unpack_from('<3I', lump, at + 16)
        part = lump[at:at + 40 + (width * height // 64 * 85 + 2 + 768 + 2 if first else 0)]
        if not first and name.lower() not in elsewhere:
            part = pattern(name, width, height)
            made.append(name.decode('latin1'))
        part += bytes(-len(part) % 4)
        offsets.append(end)
        parts.append(part)
        end += len(part)
    return struct.pack(f'<i{count}i', count, *offsets) + b''.join(parts), made


def with_lumps(data, changed):
    """A map whose lumps, by their numbers, are replaced: their places and lengths stand from byte 4 on, and they go to the end."""
    out = bytearray(data)
    for lump, text in changed.items():
        out += bytes(-len(out) % 4)
        struct.pack_into('<2i', out, 4 + 8 * lump, len(out), len(text))
        out += text
    return bytes(out)


def lump_of(data, lump):
    at, size = struct.unpack_from('<2i', data, 4 + 8 * lump)
    return data[at:at + size]


MODELS = re.compile(rb'"classname"\s+"(monster_|item_|weapon_|light_(flame|torch)|misc_(fireball|explobox|model|noisemaker)|air_bubbles|trap_|ambient_)')


def without_models(mapfile, out):
    """A copy in out of a map of Quake without the entities that its game shows by models: id's are not free."""
    data, copy = mapfile.read_bytes(), out / mapfile.name
    kept = re.sub(rb'\{(?:[^{}"]|"[^"]*")*\}', lambda m: b'' if MODELS.search(m.group()) else m.group(), lump_of(data, ENTITIES))
    copy.write_bytes(with_lumps(data, {ENTITIES: kept}))
    return copy


def completed(mapfile, out, wads):
    """A map whose textures are in it, in wads or patterns: the file itself or a copy in out. Also the names of the patterns."""
    data = mapfile.read_bytes()
    if not lump_of(data, TEXTURES):
        return mapfile, []
    lump, made = textures(lump_of(data, TEXTURES), set().union(*(in_wad(w.read_bytes()) for w in wads)))
    if not made:
        return mapfile, []
    copy = out / mapfile.name
    copy.write_bytes(with_lumps(data, {TEXTURES: lump}))
    return copy, made
