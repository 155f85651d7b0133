"""Eyes in a map that are no player starts, chosen by a seed: half stand by things and look at them or past them, half in open places.

An eye is {"name", "eye": [x, y, z], "yaw", "pitch"} in map units and degrees as the game has them. It stands in a leaf that can be
reached from the starts by the map's visibility, away from walls, and looks at least 200 units far.
"""
import math
import random
import re
import struct

# Lumps of each format: entities, planes, nodes, leafs, visibility; the size of a plane, a node, a leaf; struct of node and leaf
# (children and bounds first), and which leafs are empty space.
FORMATS = {
    b'IBSP\x2e\0\0\0': dict(at=8, lumps=(0, 2, 3, 4, 16), plane=16, node=('<3i', 36), leaf=('<8i', 48), q3=True),
    b'IBSP\x2f\0\0\0': dict(at=8, lumps=(0, 2, 3, 4, 16), plane=16, node=('<3i', 36), leaf=('<8i', 48), q3=True),
    b'\x1e\0\0\0': dict(at=4, lumps=(0, 1, 5, 10, 4), plane=20, node=('<ihh', 24), leaf=('<ii6h', 28), q3=False),
    b'\x1d\0\0\0': dict(at=4, lumps=(0, 1, 5, 10, 4), plane=20, node=('<ihh', 24), leaf=('<ii6h', 28), q3=False),
    b'BSP2': dict(at=4, lumps=(0, 1, 5, 10, 4), plane=20, node=('<3i', 44), leaf=('<ii6f', 44), q3=False),
}
THINGS = re.compile(r'item_|weapon_|ammo_|holdable_|misc_teleporter_dest|target_position|path_corner|team_CTF_.*flag|info_notnull|'
                    r'env_sprite|env_glow|cycler|monster_|func_|infodecal|light_torch|light_flame|dom_')
STARTS = ('info_player', 'team_ctf', 'info_vip')


class Map:
    def __init__(self, data):
        self.format = f = next((v for k, v in FORMATS.items() if data.startswith(k)), None)
        if f is None:
            raise ValueError('not a map of Quake, GoldSrc or Quake III')
        lump = lambda i: data[(o := struct.unpack_from('<ii', data, f['at'] + 8 * i))[0]:o[0] + o[1]]
        entities, planes, nodes, leafs, self.vis = (lump(i) for i in f['lumps'])
        rows = lambda b, fmt, size: [struct.unpack_from(fmt, b, o) for o in range(0, len(b) - size + 1, size)]
        self.planes = rows(planes, '<4f', f['plane'])
        self.nodes, self.leafs = rows(nodes, *f['node']), rows(leafs, *f['leaf'])
        self.entities = [{k.lower(): v for k, v in re.findall(r'"([^"]*)"\s+"([^"]*)"', block)}
                         for block in re.findall(r'\{((?:[^{}"]|"[^"]*")*)\}', entities.decode('latin1'), re.S)]
        self.reached = self.reach()

    def leaf(self, p):
        i = 0
        while i >= 0:
            node = self.nodes[i]
            a, b, c, d = self.planes[node[0]]
            i = node[1] if a * p[0] + b * p[1] + c * p[2] >= d else node[2]
        return -1 - i

    def empty(self, i):
        return self.leafs[i][0] >= 0 if self.format['q3'] else self.leafs[i][0] == -1

    def bounds(self, i):
        leaf = self.leafs[i]
        return (leaf[2:5], leaf[5:8])

    # seen lists the clusters (Quake III) or leafs that one sees.
    def seen(self, c):
        if self.format['q3']:
            size = struct.unpack_from('<i', self.vis, 4)[0]
            row = self.vis[8 + c * size:8 + (c + 1) * size]
            return [i for i in range(8 * len(row)) if row[i >> 3] >> (i & 7) & 1]
        at, row = self.leafs[c][1], bytearray()
        while 0 <= at < len(self.vis) and len(row) * 8 < len(self.leafs):
            if self.vis[at]:
                row.append(self.vis[at])
                at += 1
            else:
                row += bytes(self.vis[at + 1] if at + 1 < len(self.vis) else 1)
                at += 2
        return [i + 1 for i in range(8 * len(row)) if row[i >> 3] >> (i & 7) & 1 and i + 1 < len(self.leafs)]

    # reach returns the places that can be reached from the starts, by seeing from one to the next; None where the map does not say.
    def reach(self):
        starts = [origin(e) for e in self.entities if e.get('classname', '').startswith(STARTS) and origin(e)]
        if len(self.vis) < 8 or not starts:
            return None
        key = (lambda i: self.leafs[i][0]) if self.format['q3'] else (lambda i: i)
        todo, found = [key(self.leaf([p[0], p[1], p[2] + 20])) for p in starts], set()
        while todo:
            c = todo.pop()
            if c < 0 or c in found or not self.format['q3'] and not self.empty(c):
                continue
            found.add(c)
            todo += [i for i in self.seen(c) if i not in found]
        return found

    def free(self, p):
        i = self.leaf(p)
        return self.empty(i) and (self.reached is None or (self.leafs[i][0] if self.format['q3'] else i) in self.reached)

    # far returns how far one sees from p, in a direction of yaw degrees.
    def far(self, p, yaw, most=1500):
        c, s, d = math.cos(math.radians(yaw)), math.sin(math.radians(yaw)), 0
        while d < most and self.free((p[0] + c * d, p[1] + s * d, p[2])):
            d += 8
        return d


def origin(entity):
    try:
        p = [float(v) for v in entity['origin'].split()]
        return p if len(p) == 3 else None
    except (KeyError, ValueError):
        return None


def choose(name, data, count, seed):
    """count eyes of a map, the same for the same name and seed."""
    rnd, m, eyes = random.Random(f'{name} {seed}'), Map(data), []
    stand = 0 if m.format['q3'] else 66  # units below an eye that a body takes, where it can't fly through the floor

    def add(p, what):
        if not m.free(p) or not m.free([p[0], p[1], p[2] - stand]) or min(m.far(p, a, 40) for a in range(0, 360, 45)) < 32:
            return
        if any(math.dist(p, e['eye']) < 200 for e in eyes):
            return
        for yaw in rnd.sample(range(0, 360, 15), 10):
            if m.far(p, yaw) >= 200:
                eyes.append(dict(name=f'v{len(eyes)}', eye=[round(v) for v in p], yaw=yaw, pitch=0, by=what))
                return

    things = [(e['classname'], origin(e)) for e in m.entities if THINGS.match(e.get('classname', '')) and origin(e)]
    rnd.shuffle(things)
    for what, p in things:
        if 2 * len(eyes) >= count:
            break
        away, turn = rnd.uniform(0, 160), rnd.uniform(0, 2 * math.pi)
        add([p[0] + away * math.cos(turn), p[1] + away * math.sin(turn), p[2] + rnd.choice([30, 46, 70, 110])], what)
    places = [b for i in range(len(m.leafs)) if m.empty(i) for b in [m.bounds(i)] if all(b[1][k] - b[0][k] > 48 for k in range(3))]
    for _ in range(4000):
        if len(eyes) >= count or not places:
            break
        low, high = rnd.choice(places)
        room = max(25, high[2] - low[2] - 8)
        add([rnd.uniform(low[0] + 16, high[0] - 16), rnd.uniform(low[1] + 16, high[1] - 16),
             low[2] + (stand + rnd.uniform(0, min(96, room)) if stand else rnd.uniform(24, min(120, room)))], 'open place')
    return eyes
