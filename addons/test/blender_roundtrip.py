"""Imports .glb files with the packed add-on, exports each again, and compares all materials with the first file's.

usage: blender -b --factory-startup -noaudio --python-exit-code 1 -P blender_roundtrip.py -- ADDON.zip FILE.glb...
Compared: base colour, emission, alpha, sides, unlit, motion, the lightmap with the bytes of its image, and for each material which of
TEXCOORD_0, TEXCOORD_1 and COLOR_0 its triangles have. In Blender a whole mesh has them, so a material may get more of them: then its
COLOR_0 must be white.
"""

import collections
import hashlib
import json
import os
import struct
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import blender_check as check  # noqa: E402

import bpy  # noqa: E402

failures: list[str] = []


class Glb:
    def __init__(self, path: str):
        with open(path, "rb") as file:
            data = file.read()
        length = int.from_bytes(data[12:16], "little")
        self.json, self.binary = json.loads(data[20:20 + length]), data[28 + length:]

    def image(self, info) -> str | None:
        """The name of a texture's image, or None."""
        if info is None:
            return None
        return self.json["images"][self._source(info["index"])].get("name")

    def image_bytes(self, index: int) -> str:
        view = self.json["bufferViews"][self.json["images"][self._source(index)]["bufferView"]]
        start = view.get("byteOffset", 0)
        return hashlib.sha256(self.binary[start:start + view["byteLength"]]).hexdigest()[:12]

    def _source(self, texture: int) -> int:
        t = self.json["textures"][texture]
        return t["source"] if "source" in t else t["extensions"]["EXT_texture_webp"]["source"]

    def materials(self) -> dict:
        return {m["name"]: self._material(m) for m in self.json.get("materials", [])}

    def _material(self, m: dict) -> dict:
        pbr, extensions = m.get("pbrMetallicRoughness", {}), m.get("extensions", {})
        strength = extensions.get("KHR_materials_emissive_strength", {}).get("emissiveStrength", 1)
        emission = [round(v * strength, 3) for v in m.get("emissiveFactor", [0, 0, 0])]
        mode = m.get("alphaMode", "OPAQUE")
        lightmap = extensions.get("MOZ_lightmap")
        return {
            "base factor": [round(v, 3) for v in pbr.get("baseColorFactor", [1, 1, 1, 1])][:4 if mode != "OPAQUE" else 3],
            "base texture": self.image(pbr.get("baseColorTexture")),
            "base UV": pbr.get("baseColorTexture", {}).get("texCoord", 0),
            "emission": emission,
            "emission texture": self.image(m.get("emissiveTexture")) if any(emission) else None,
            "alpha": mode,
            "cutoff": round(m.get("alphaCutoff", 0.5), 3) if mode == "MASK" else None,
            "double-sided": m.get("doubleSided", False),
            "unlit": "KHR_materials_unlit" in extensions,
            "motion": {k: v for k, v in (m.get("extras", {}).get("motion") or {}).items() if k not in ("frames", "fps")},
            "light of vertices": extensions.get("KHR_materials_unlit", {}).get("extras", {}).get("display"),
            "lightmap": lightmap and {**lightmap, "index": self.image_bytes(lightmap["index"])},
        }

    def primitives(self) -> dict:
        """The attributes of primitives, by material."""
        found = collections.defaultdict(list)
        for mesh in self.json["meshes"]:
            for p in mesh["primitives"]:
                found[self.json["materials"][p["material"]]["name"]].append(p["attributes"])
        return found

    def white(self, attributes: dict) -> bool:
        """Reports whether all vertex colours of a primitive, if there are any, are white."""
        if "COLOR_0" not in attributes:
            return True
        accessor = self.json["accessors"][attributes["COLOR_0"]]
        kind = {5121: "B", 5123: "H", 5126: "f"}[accessor["componentType"]]
        view = self.json["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        parts = {"VEC3": 3, "VEC4": 4}[accessor["type"]]
        values = memoryview(self.binary)[start:start + accessor["count"] * parts * struct.calcsize(kind)].cast(kind)
        return min(values) >= {"B": 254, "H": 65500, "f": 0.999}[kind]


def differences(first: Glb, again: Glb) -> list[str]:
    found = []
    have = again.materials()
    for name, want in first.materials().items():
        got = have.get(name)
        if got is None:
            found.append(f"{name}: not exported")
            continue
        found += [f"{name}: {k}: want {v}, have {got[k]}" for k, v in want.items() if got[k] != v]
    for m in again.json["materials"]:  # texture indices of the first file no longer fit
        extras = m.get("extras", {})
        found += [f"{m['name']}: exported with {k}" for k in ("details", "environment", "behind") if k in extras]
        found += [f"{m['name']}: exported with frames"] if "frames" in extras.get("motion", {}) else []
    scene, exported_scene = ({k: v for k, v in g.json["scenes"][0].get("extras", {}).items() if k.startswith("bsp2gltf_") and
                              k != "bsp2gltf_light_grid"} for g in (first, again))
    found += [f"scene: {k}: want {v}, have {exported_scene.get(k)}" for k, v in scene.items() if exported_scene.get(k) != v]
    exported = again.primitives()
    for name, primitives in first.primitives().items():
        want = {a for p in primitives for a in p if a.startswith(("TEXCOORD", "COLOR_0"))}
        found += [f"{name}: exported without {sorted(want - set(p))}" for p in exported[name] if want - set(p)]
        if "COLOR_0" not in want:
            found += [f"{name}: exported with vertex colours" for p in exported[name] if not again.white(p)]
    return found


def main() -> None:
    zipped, *files = check.arguments()
    check.empty_file()
    check.install(zipped)
    for path in files:
        for group in (bpy.data.objects, bpy.data.meshes, bpy.data.materials, bpy.data.images, bpy.data.collections):
            for item in list(group):
                group.remove(item)
        bpy.ops.import_scene.gltf(filepath=os.path.abspath(path))
        if path == files[-1]:  # as after a click on the add-on's own outputs in the shader editor
            for mat in bpy.data.materials:
                for node in mat.node_tree.nodes if mat.node_tree else ():
                    if node.get("bsp2gltf_output"):
                        node.is_active_output = True
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "again.glb")
            bpy.ops.export_scene.gltf(filepath=out, export_format="GLB", export_extras=True, export_cameras=True)
            first, again = Glb(path), Glb(out)
        wrong = differences(first, again)
        name = os.path.basename(path)
        failures.extend(f"{name}: {w}" for w in wrong)
        print("ok" if not wrong else "FAIL", f"Blender {bpy.app.version_string}: {name} exported again:",
              f"{len(first.materials())} materials, {len(wrong)} differences", flush=True)
    for failure in failures[:200]:
        print("FAIL", failure)
    sys.stdout.flush()
    if bpy.app.binary_path:
        raise SystemExit(1 if failures else 0)
    os._exit(1 if failures else 0)  # Blender as a Python module crashes on exit after any glTF export


main()
