#!/usr/bin/env python3
"""usage: containers.py MAP.bsp FOLDER  puts a map into FOLDER in every form in which people have maps, and lists them.

Each line has a path, a tab, and what the path stands for: "one" (a map called box), "two" (maps called box and other), or "none" (an
archive that is reported, not read).
"""

import bz2
import gzip
import io
import lzma
import os
import struct
import sys
import zipfile
import zlib


def zipped(**files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in files.items():
            z.writestr(name.replace("__", "/") + ".bsp", data)
    return out.getvalue()


def addon(**files):
    """A .gma of Garry's Mod, version 3."""
    head = b"GMAD\x03" + struct.pack("<QQ", 0, 0) + b"\0" + b"name\0text\0author\0" + struct.pack("<i", 1)
    for i, (name, data) in enumerate(files.items()):
        head += struct.pack("<I", i + 1) + name.replace("__", "/").encode() + b".bsp\0" + struct.pack("<qI", len(data), zlib.crc32(data))
    return head + struct.pack("<I", 0) + b"".join(files.values())


def forms(data):
    """Path in FOLDER, content, and what the path stands for; "" for a file that its folder stands for."""
    yield "plain/box.bsp", data, "one"
    yield "bz2/box.bsp.bz2", bz2.compress(data), "one"
    yield "gz/box.bsp.gz", gzip.compress(data, mtime=0), "one"
    yield "xz/box.bsp.xz", lzma.compress(data), "one"
    yield "zip/root.zip", zipped(box=data), "one"
    yield "zip/game.zip", zipped(cstrike__maps__box=data), "one"
    yield "zip/two.zip", zipped(cstrike__maps__box=data, cstrike__maps__other=data), "two"
    yield "gma/addon.gma", addon(maps__box=data), "one"
    yield "7z/box.7z", b"7z\xbc\xaf\x27\x1c\0\4" + bytes(100), "none"
    yield "rar/box.rar", b"Rar!\x1a\x07\x01\0" + bytes(100), "none"
    yield "folder/box.bsp", data, ""
    yield "folder/maps/other.bsp.bz2", bz2.compress(data), ""


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    for path, content, kind in forms(data):
        path = os.path.join(sys.argv[2], path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        if kind:
            print(path, kind, sep="\t")
    print(os.path.join(sys.argv[2], "folder"), "two", sep="\t")


main()
