# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Lights objects that the user adds to a map by the map's light for moving objects: the light grid of Quake III, or the probes of Source.

A map's light is kept in a text of the .blend. The operator finds the light at an object's position and writes four custom properties on
the object, each a linear colour: map_light, from all sides, and map_light_x, _y and _z, which a surface facing that axis gets in
addition. A node group adds them by the normal, so that objects can share meshes and materials.
"""

import array
import base64
import json
import zlib

import bpy
import mathutils

from . import map_files, compat, groups, materials

NAME = "Light of "  # the map
NUMBERS = 3 + 6 * 3  # of a probe
EXTRA = "bsp2gltf_light_grid"  # extras of the scene: docs/internals/light.md
LIGHT = "bsp2gltf_light_text"  # on the map's root: its text. So the text goes where the map goes, into another .blend too
KEYS = ("map_light", "map_light_x", "map_light_y", "map_light_z")
PARTS = ("ambient", "directed", "toward")
PROBE = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))  # the sides of a probe, in its order


def keep(gltf, extras: dict, root) -> None:
    """Keeps the light grid of a file, or the probes beside it, in a text that belongs to the map's root."""
    grid, content = extras.get(EXTRA), None
    if isinstance(grid, dict):
        content = {k: list(map(list, grid[k])) if k == "steps" else list(grid[k]) for k in ("origin", "size", "steps")}
        content["scale"] = float(grid.get("scale", 1))  # linear light of the value 255
        content |= {k: _packed(_bytes(gltf, int(grid[k]))) for k in PARTS}
    elif gltf.filename and (found := map_files.probes(gltf.filename, extras)):
        content = {"probes": _packed(_numbers(found))}
    for text in [t for t in bpy.data.texts if t.name.startswith(NAME) and t.users == 0]:
        bpy.data.texts.remove(text)  # its map was deleted
    if content and content.get("probes", True):
        text = bpy.data.texts.new(NAME + str(extras.get("bsp2gltf_map") or root.name))
        text.write(json.dumps(content, indent=0))
        text.use_fake_user = False
        root[LIGHT] = text


def _packed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data)).decode() if data else ""


def _unpacked(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))


def _numbers(probes: list) -> bytes:
    """The position and the six colours of each probe, as 32-bit floats. Invalid probes are left out."""
    found = array.array("f")
    for probe in probes:
        try:
            found.extend([float(v) for v in (*probe["position"], *(c for side in probe["light"] for c in side))][:NUMBERS])
        except (TypeError, KeyError, ValueError):
            continue
        del found[len(found) // NUMBERS * NUMBERS:]
    return found.tobytes()


def _bytes(gltf, index: int) -> bytes:
    """The bytes of an accessor of three bytes per element, without padding."""
    accessor = gltf.data.accessors[index]
    begin, size = accessor.byte_offset or 0, 3 * accessor.count
    return bytes(compat.buffer_view(gltf, accessor.buffer_view)[begin:begin + size])


def lights() -> list:
    """The roots of the maps in this .blend that have light for moving objects."""
    return [o for o in bpy.data.objects if isinstance(o.get(LIGHT), bpy.types.Text)]


class Light:
    """A map's light for moving objects."""

    def __init__(self, root):
        self.root = root
        self.content = json.loads(root[LIGHT].as_string())
        self.parts = [_unpacked(self.content[k]) for k in PARTS] if "size" in self.content else None
        numbers = array.array("f", _unpacked(self.content["probes"])) if self.parts is None else ()
        self.probes = [numbers[i:i + NUMBERS] for i in range(0, len(numbers), NUMBERS)]

    def at(self, place):
        """The four colours of KEYS at a position in the world, or None if the map has no light there."""
        x, y, z = self.root.matrix_world.inverted() @ place
        found = self._grid((x, z, -y)) if self.parts else self._probe((x, z, -y))
        if found is None:
            return None
        flat, ways = found
        turn = self.root.matrix_world.to_quaternion()
        columns = [turn @ mathutils.Vector((w[0], -w[2], w[1])) for w in zip(*ways)]  # a vector for each channel
        return [list(flat), *([c[axis] for c in columns] for axis in range(3))]

    def _grid(self, place):
        """Interpolates between eight grid points. Half a unit of light from a direction d, max(0, n·d), is about 1/4 + n·d/2."""
        size, cell = self.content["size"], []
        for k, step in enumerate(map(mathutils.Vector, self.content["steps"])):
            v = (mathutils.Vector(place) - mathutils.Vector(self.content["origin"])).dot(step) / step.length_squared
            cell.append(min(max(v, 0.0), size[k] - 1.0))
        low = [min(int(v), max(n - 2, 0)) for v, n in zip(cell, size)]
        flat, ways, total = [0.0] * 3, [[0.0] * 3 for _ in range(3)], 0.0
        for corner in range(8):
            bits = [corner >> k & 1 for k in range(3)]
            weight = 1.0
            for v, at, bit in zip(cell, low, bits):
                weight *= v - at if bit else 1 - v + at
            if weight <= 0:
                continue
            i = [min(at + bit, n - 1) for at, bit, n in zip(low, bits, size)]
            first = 3 * (i[0] + size[0] * (i[1] + size[1] * i[2]))
            ambient, directed, toward = (part[first:first + 3] for part in self.parts)
            if not any(ambient) and not any(directed):
                continue  # inside a wall: the game leaves it out
            total += weight
            way = [max((v - 256 if v > 127 else v) / 127, -1.0) for v in toward]
            for c in range(3):
                light = linear(directed[c])
                flat[c] += weight * (linear(ambient[c]) + (light / 4 if any(way) else 0.0))
                for k in range(3):
                    ways[k][c] += weight * light * way[k] / 2
        if total <= 0:
            return None
        part = self.content.get("scale", 1) / total
        return [v * part for v in flat], [[v * part for v in w] for w in ways]

    def _probe(self, place):
        """The light of the nearest probe. A surface gets n² of each of its six sides; that is approximated by 3/8 of the difference of
        two sides, linear in n."""
        probe = min(self.probes, key=lambda p: (mathutils.Vector(p[:3]) - mathutils.Vector(place)).length_squared)
        flat, ways = [0.0] * 3, [[0.0] * 3 for _ in range(3)]
        for side, light in zip(PROBE, (probe[i:i + 3] for i in range(3, NUMBERS, 3))):
            for c in range(3):
                flat[c] += light[c] / 6
                for k in range(3):
                    ways[k][c] += 0.375 * side[k] * light[c]
        return flat, ways


def linear(byte: int) -> float:
    v = byte / 255
    return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4


class BSP2GLTF_OT_light_objects(bpy.types.Operator):
    """Light the selected objects as the game lights moving ones, by the map's light at their place. Run it again when they have moved"""

    bl_idname = "bsp2gltf.light_objects"
    bl_label = "Light by the Map"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return bool(lights()) and bool(context.selected_objects)

    def execute(self, context):
        found, lit, dark = [Light(root) for root in lights()], 0, 0
        for obj in context.selected_objects:
            if obj.type != "MESH" or any(f.root in _above(obj) for f in found):
                continue  # a part of a map has its own light
            box = [obj.matrix_world @ mathutils.Vector(c) for c in obj.bound_box]
            place = sum(box, mathutils.Vector()) / 8
            light = next((v for v in (f.at(place) for f in found) if v), None)
            if light is None:
                dark += 1
                continue
            for key, colour in zip(KEYS, light):
                obj[key] = colour
            if not any(obj.data.materials):
                obj.data.materials.clear()
                obj.data.materials.append(_white())
            lit += sum(materials.show_object_light(m, groups.object_group(KEYS)) for m in obj.data.materials if m) > 0
            obj.update_tag()
        if dark:
            self.report({"WARNING"}, f"{dark} objects are within walls, where the map has no light")
        if not lit:
            self.report({"WARNING"}, "Select objects of your own: a map's parts have their light")
            return {"CANCELLED"}
        self.report({"INFO"}, f"{lit} objects are lit by the map")
        return {"FINISHED"}


def _above(obj) -> list:
    above = []
    while obj and obj not in above:
        above.append(obj)
        obj = obj.parent
    return above


def _white():
    material = bpy.data.materials.new("Map Light")
    compat.use_nodes(material)
    return material


CLASSES = (BSP2GLTF_OT_light_objects,)
