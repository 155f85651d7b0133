#!/usr/bin/env python3
"""Makes shaders.jpg: ten of our materials as Source's own pixel shaders draw them (above), and as our glTF shows them (below).

usage: FIDELITY_HOME=FOLDER /usr/bin/python3 docs/pictures/shaders.py PROBE BSP2GLTF
PROBE is the folder of the probe that `.ci/run source` uses, FOLDER the one with playwright-core. Needs python3-numpy and python3-pil.
"""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

import numpy
from PIL import Image

PROBE, PROGRAM = sys.argv[1:]
os.environ["PROBE_MAX"] = "4096"  # the textures as they are
sys.path.insert(0, PROBE)
import probe  # noqa: E402
import rd  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
OURS = os.path.join(HERE, "..", "..", "testdata", "source", "materials", "ours")
SIDE, CHUNK, SCALE = 72, 144, 2  # points on a side, points of a job, pixels of a point
LIGHT = (0.9, 0.8, 0.65)
SECOND = '"$basetexture2" "ours/dirt"'
MATERIALS = {
    "brick": ("LightmappedGeneric", '"$basetexture" "ours/brick" "$detail" "ours/sand" "$detailscale" 2'),
    "glow": ("VertexLitGeneric", '"$basetexture" "ours/lamp" "$selfillum" 1 "$selfillumtint" "[2 1.5 .5]"'),
    "mask": ("LightmappedGeneric", '"$basetexture" "ours/stone" "$selfillum" 1 "$selfillummask" "ours/brick_mask"'),
    "fence": ("LightmappedGeneric", '"$basetexture" "ours/fence" "$alphatest" 1'),
    "tint": ("VertexLitGeneric", '"$basetexture" "ours/plaster" "$color2" "[0.9 0.4 0.3]"'),
    "blendtint": ("VertexLitGeneric", '"$basetexture" "ours/leaves" "$blendtintbybasealpha" 1 "$color2" "[0.3 0.5 0.9]"'),
    "product": ("LightmappedGeneric", '"$basetexture" "ours/wood" "$detail" "ours/brick" "$detailblendmode" 8 "$detailscale" 1'),
    "two": ("UnlitTwoTexture", '"$basetexture" "ours/brick" "$texture2" "ours/plaster"'),
    "masked": ("WorldVertexTransition", f'"$basetexture" "ours/grass" {SECOND} "$blendmodulatetexture" "ours/blend_modulate" "$maskedblending" 1'),
    "colour": ("LightmappedGeneric", '"$basetexture" "ours/metal" "$color" "[1 0.9 0.6]"'),
}


def materials(folder: str) -> None:
    """Writes the materials, with our textures."""
    shutil.copytree(OURS, os.path.join(folder, "materials", "ours"))
    os.makedirs(os.path.join(folder, "materials", "x"))
    for name, (shader, content) in MATERIALS.items():
        with open(os.path.join(folder, "materials", "x", name + ".vmt"), "w", encoding="ascii") as file:
            file.write(f'"{shader}" {{ {content} }}')


def main() -> None:
    work = tempfile.mkdtemp()
    materials(work)
    mount, book, jobs, cases = rd.Mount([work]), probe.Book(work), [], []
    at = (numpy.arange(SIDE) + 0.5) / SIDE
    points = numpy.stack(numpy.meshgrid(at, at), axis=-1).reshape(-1, 2)

    def texture(name, frame):
        data = mount.get(f"materials/{name}.vtf")
        return probe.Texture(data, frame) if data else None

    def fragment(wanted):
        shader, combos = wanted
        key = shader + " " + " ".join(f"{k}={int(v)}" for k, v in sorted(combos.items()) if v)
        name = "f_" + hashlib.md5(key.encode()).hexdigest() + ".frag"
        path = os.path.join(work, name)
        if not os.path.exists(path):
            made = subprocess.run([os.path.join(probe.SHADERS, "compile.py"), *key.split()], capture_output=True, text=True, check=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(made.stdout)
        return name

    probe.LIGHTS = [LIGHT]
    for name in MATERIALS:
        shader, parameters = probe.load(mount, f"materials/x/{name}.vmt")
        engine = probe.Engine(probe.Mat(shader, parameters), texture, book, None)
        cases.append((name, engine, len(jobs)))
        for first in range(0, len(points), CHUNK):
            jobs += engine.jobs(fragment, [float(v) for v in points[first:first + CHUNK].ravel()])
    listed, drawn = os.path.join(work, "jobs.json"), os.path.join(work, "jobs.f32")
    with open(listed, "w", encoding="utf-8") as file:
        json.dump({"textures": book.list, "jobs": jobs}, file)
    subprocess.run(["node", os.path.join(PROBE, "probe.mjs"), listed, drawn], check=True)
    engines = numpy.fromfile(drawn, "<f4").reshape(len(jobs), CHUNK, 4)
    bsp = os.path.join(work, "map.bsp")
    probe.build([f"x/{n}" for n in MATERIALS], bsp)
    subprocess.run([PROGRAM, "-q", "--game", work, bsp, bsp[:-4] + ".glb"], check=True)
    ours = probe.Ours(rd.Glb(bsp[:-4] + ".glb"))
    ours.index()
    rows = [[], []]
    for name, engine, first in cases:
        theirs = engines[first:first + len(points) // CHUNK].reshape(-1, 4)
        material = next(m for m in ours.by[f"x/{name}"] if " layer " not in m["name"])
        base, alpha, glow, unlit = ours.show(material, points @ engine.Tb[:2, :2].T + engine.Tb[:2, 2])
        lit = base * (1 if unlit else numpy.array(LIGHT)) + glow
        seen = (numpy.ones(len(points)), numpy.ones(len(points)))
        if material.get("alphaMode") == "MASK":
            seen = (theirs[:, 3] >= engine.ref - 1 / 512, alpha >= material.get("alphaCutoff", 0.5))
        shown = [probe.enc(numpy.maximum(c, 0)) * v[:, None] for c, v in zip((theirs[:, :3], lit), seen)]
        print(f"{name}: mean {numpy.abs(shown[0] - shown[1]).max(1).mean():.2f}, most {numpy.abs(shown[0] - shown[1]).max():.0f}")
        for row, values in zip(rows, shown):
            tile = Image.fromarray(values.reshape(SIDE, SIDE, 3).clip(0, 255).round().astype("u1"))
            row.append(tile.resize((SIDE * SCALE, SIDE * SCALE), Image.NEAREST))
    edge, step = 6, SIDE * SCALE + 6
    sheet = Image.new("RGB", (step * len(cases) + edge, 2 * step + edge), (255, 255, 255))
    for y, row in enumerate(rows):
        for x, tile in enumerate(row):
            sheet.paste(tile, (edge + x * step, edge + y * step))
    sheet.save(os.path.join(HERE, "shaders.jpg"), quality=88)
    shutil.rmtree(work)


main()
