"""Checks the outputs of real programs for .ci/run; exits with 1 and says why if one is wrong.

  picture FILE.png             a lit room: neither dark, nor bright, nor uniform
  three STEM                   STEM.three.{png,json} with our plugin, STEM.plain.{png,json} without
  blender STEM                 STEM.blender.{png,log} of addons/test/blender_check.py
  alike STEM                   STEM.{three,babylon,blender}.png show the same, and three.js and Babylon.js as many meshes
  instances STEM CLIENT        CLIENT's picture of STEM-gpu.glb is that of STEM-nodes.glb, by fewer meshes
  assimp FILE                  assimp reads it and counts the triangles that are in it
  ssim LEAST TEXT...           the mean of what compare.py printed is LEAST at least
"""

import json
import re
import subprocess
import sys

problems = []


def expect(ok, message):
    if not ok:
        problems.append(message)


def pixels(path):
    import numpy
    from PIL import Image
    return numpy.asarray(Image.open(path).convert("RGB"), dtype=float)


def lit(path):
    p = pixels(path)
    print(f"{path}: mean {p.mean():.1f}, deviation {p.std():.1f}")
    expect(15 < p.mean() < 230, f"{path}: the mean of the pixels is {p.mean():.1f}: no lit room")
    expect(p.std() > 10, f"{path}: the pixels deviate by {p.std():.1f} only: a plain picture")
    return p


def picture(path):
    lit(path)


def three(stem):
    with_plugin, plain = (json.load(open(f"{stem}.{k}.json", encoding="utf-8")) for k in ("three", "plain"))
    print(json.dumps({k: v for k, v in with_plugin.items() if k not in ("materials", "entities")}))
    expect(with_plugin["meshes"] > 0 and with_plugin["triangles"] > 0, "nothing is drawn")
    expect(any("lightmap on uv1" in m for m in with_plugin["materials"].values()), "no material has a light map on the second UV set")
    expect(with_plugin["uv1"] > 0, "no mesh has a second UV set")
    expect(with_plugin["entities"], "no entity has its class name")
    a, b = lit(f"{stem}.three.png"), pixels(f"{stem}.plain.png")
    expect(abs(a - b).mean() > 2, f"the plugin changes the picture by {abs(a - b).mean():.2f} only")
    expect(not any("lightmap" in m for m in plain["materials"].values()), "there is light without the plugin, too")


def blender(stem):
    log = open(f"{stem}.blender.log", encoding="utf-8", errors="replace").read()
    have = json.loads(next(line for line in log.splitlines() if line.startswith("JSON:"))[5:])
    two = [m for m in have["meshes"] if len(m["uv_layers"]) >= 2]
    entities = [o for o in have["objects"] if o["properties"].get("classname")]
    keys = [o for o in entities if len(o["properties"]) > 1]
    print(f"Blender {have['blender']}: {len(have['meshes'])} meshes, {len(two)} with two UV layers, {len(entities)} entities, {len(have['images'])} images")
    expect(two, "no mesh has two UV layers")
    expect(keys, "no entity has key-values beside its class name")
    expect(any(o["properties"].get("classname", "").startswith("info_player") for o in entities), "no player start")
    expect(any(m["images"] and any(layer.endswith("001") for layer in m["images"].values()) for m in have["materials"]), "no material reads an image by the second UV layer")
    lit(f"{stem}.blender.png")


def alike(stem):
    found = {k: json.load(open(f"{stem}.{k}.json", encoding="utf-8")) for k in ("three", "babylon")}
    print({k: {what: v[what] for what in ("meshes", "instances", "triangles")} for k, v in found.items()})
    expect(found["three"]["meshes"] == found["babylon"]["meshes"] > 0, "three.js and Babylon.js have other meshes")
    a = lit(f"{stem}.three.png")
    for client, most in (("babylon", 4), ("blender", 12)):  # Blender blends without mipmaps, and with noise
        difference = abs(a - pixels(f"{stem}.{client}.png")).mean()
        print(f"{client}: differs from three.js by {difference:.2f} of 255")
        expect(difference < most, f"{client}'s picture differs from that of three.js by {difference:.2f}, {most} at most is wanted")


def instances(stem, client):
    nodes, gpu = (json.load(open(f"{stem}-{k}.{client}.json", encoding="utf-8")) for k in ("nodes", "gpu"))
    print({k: [v[k] for v in (nodes, gpu)] for k in ("meshes", "instances")})
    expect(gpu["meshes"] < nodes["meshes"], "there are no instances")
    expect(gpu["instances"] == nodes["instances"], f"{gpu['instances']} instances of {nodes['instances']}")
    difference = abs(pixels(f"{stem}-nodes.{client}.png") - pixels(f"{stem}-gpu.{client}.png")).mean()
    expect(difference < 0.1, f"the pictures differ by {difference:.2f}")


def triangles(path):
    """The number of triangles in the meshes of a .glb, or in an .obj; our writer's faces are all triangles."""
    data = open(path, "rb").read()
    if data[:4] != b"glTF":
        return sum(line.startswith(b"f ") for line in data.splitlines())
    g = json.loads(data[20:20 + int.from_bytes(data[12:16], "little")])
    return sum(g["accessors"][p["indices"]]["count"] // 3 for m in g["meshes"] for p in m["primitives"])


def assimp(path):
    # Raw, because otherwise assimp joins meshes that differ only in their colours, such as one prop at two places.
    done = subprocess.run(["assimp", "info", path, "--raw"], capture_output=True, text=True, errors="replace", timeout=120)
    expect(done.returncode == 0, f"assimp exits with {done.returncode}: {done.stdout[-300:]}")
    found = {k: int(v) for k, v in re.findall(r"^(Meshes|Faces|Materials|Nodes):\s+(\d+)", done.stdout, re.M)}
    want = triangles(path)
    print(found, "in the file:", want, "triangles")
    expect(want > 0 and found.get("Faces") == want, f"assimp finds {found.get('Faces')} triangles, the file has {want}")


def ssim(least, *paths):
    texts = [open(p, encoding="utf-8").read() for p in paths]
    means = [float(m[1]) for m in (re.search(r"^mean ssim (\d\.\d+)", t, re.M) for t in texts) if m]
    print("\n".join(texts))
    expect(means and len(means) == len(paths), f"{len(means)} of {len(paths)} comparisons have a result")
    if means:
        mean = sum(means) / len(means)
        expect(mean >= float(least), f"SSIM {mean:.3f}, {least} at least is wanted")


globals()[sys.argv[1]](*sys.argv[2:])
for problem in problems:
    print("FAIL", problem)
sys.exit(bool(problems))
