# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""The map's own light with baked light off: emissive surfaces, the sun and the sky, in addition to the lamps in the file.

The rules of the compilers, as radiance of white (1 makes a white surface white; docs/guide/blender.md has them all):

  q3map, q3map2   a surface with q3map_surfacelight v emits 3 v / 255, by the share of a luxel's view that it fills; a sun of intensity v
                  gives v / 255 · cos; a sky's q3map_surfacelight emits like a surface's; q3map_skylight v gives v / 255 under an open sky
  GoldSrc, Source pieces of surfaces ("area") give their intensity at one unit, by the cosine at both ends; a sky light is uniform

Blender: a surface of radiance L emits L; a sun of L has the strength pi L; a flat lamp with pi L candela at a metre has pi² L watts.

The engines then multiply light in display space, and lamps in Blender add linear light, so no single factor is right in dark and bright
places. The operator finds the factor on all of a map's light at which the median pixel is as bright as with baked light.
"""

import math
import os
import tempfile

import bpy
import mathutils
import numpy

from . import ambient, grid_lamps, world_sky, node_copies, compat, start_camera, groups, materials, mixed, sky

GLOW, WORLD, OWN = "bsp2gltf Map's Emission", "bsp2gltf_map_sky", "bsp2gltf_energy"
MADE = "bsp2gltf_lamp_of_light"  # on objects and nodes that stand for light of the map
GUESS = "guess"
KIND = "bsp2gltf_group"
LUMENS = 683.0  # in files of the Blender preset: lumens per watt
SPREAD = 255.0
SAID = {"guesses": "lamps guessed from the light grid"}  # of what prepare counts
VIEWS, SIZE, SAMPLES = 6, (48, 27), 16


def root_of(obj):
    while obj.parent is not None:
        obj = obj.parent
    return obj


def maps(scene) -> list:
    return [o for o in scene.objects if o.parent is None and o.get("bsp2gltf_map")]


def prepare(scene) -> dict:
    """Adds the light for which glTF has no lamps. Returns how many there are of each kind, lamps included."""
    found = {"lamps": 0, "pieces": 0, "surfaces": 0, "suns": 0, "skies": 0, "guesses": 0}
    parts = [o for o in scene.objects if root_of(o).get("bsp2gltf_map")]
    for obj in parts:
        if obj.type == "LIGHT":
            found["guesses" if obj.get(MADE) == GUESS else "lamps"] += 1
            _keep(obj.data)
        elif obj.get("bsp2gltf_light") == "area" and not any(c.get(MADE) for c in obj.children):
            _disc(obj)
            found["pieces"] += 1
        elif obj.get("bsp2gltf_light") == "ambient":
            colour = [float(obj.get(f"color_{c}", 1)) for c in "rgb"]
            _ambient(scene, [c * float(obj.get("intensity", 0)) / LUMENS / math.pi for c in colour])
            found["skies"] += 1
        elif sky.is_sky(obj):
            found["suns"] += _suns(obj)
            found["skies"] += _script_sky(scene, obj)
    for mat in {s.material for o in parts for s in o.material_slots if s.material}:
        if not mat.get("bsp2gltf_sky") and _shine(mat):
            found["surfaces"] += 1
    lit = {root_of(o) for o in parts if o.type == "LIGHT" and o.data.type != "SUN"}
    found["guesses"] += sum(_guesses(root) for root in maps(scene) if root not in lit)
    return found


def _guesses(root) -> int:
    """Lamps where the light grid of a map without lamps says that light comes from."""
    light = ambient.Light(root) if root.get(ambient.LIGHT) else None
    if light is None or not light.parts:
        return 0
    parts = [numpy.frombuffer(part, "i1" if k == "toward" else "u1").reshape(-1, 3) for k, part in zip(ambient.PARTS, light.parts)]
    curve = numpy.array([ambient.linear(v) for v in range(256)]) * light.content.get("scale", 1)
    guesses = grid_lamps.guess(*(light.content[k] for k in ("size", "origin", "steps")), curve[parts[0]], curve[parts[1]], parts[2] / 127.0)
    for place, colour, strength in guesses:
        data = bpy.data.lights.new(f"{root.name} guessed lamp", "POINT")
        data.color, data.energy, data.shadow_soft_size = colour, 4 * math.pi ** 2 * strength, 0.3
        data[OWN] = data.energy
        lamp = bpy.data.objects.new(data.name, data)
        lamp[MADE] = GUESS
        for collection in root.users_collection:
            collection.objects.link(lamp)
        lamp.parent, lamp.location = root, (place[0], -place[2], place[1])
    return len(guesses)


def _keep(light) -> None:
    if OWN not in light:
        light[OWN] = light.energy


def _disc(obj) -> None:
    """Makes a lamp of a piece of an emissive surface. The file states its candela straight ahead."""
    light = bpy.data.lights.new(obj.name, "AREA")
    light.shape, light.size = "SQUARE", 0.2
    light.energy = compat.area_watts(math.pi * float(obj.get("intensity", 0)) / LUMENS)
    light.color = [min(float(obj.get(f"color_{c}", 1)), 1) for c in "rgb"]
    light[OWN] = light.energy
    lamp = bpy.data.objects.new(obj.name + " lamp", light)
    lamp[MADE] = True
    lamp.visible_camera = False
    for collection in obj.users_collection:
        collection.objects.link(lamp)
    lamp.parent = obj
    lamp.location = 0, 0, 0
    # The node points along glTF's -Z, which the importer turns into -Z of a lamp or Y of an empty.
    lamp.matrix_local = mathutils.Matrix.Rotation(math.radians(90), 4, "X") @ mathutils.Matrix.Translation((0, 0, -0.02))


def _suns(obj) -> int:
    """Makes the suns of a sky's shader: colour, intensity, yaw in degrees, elevation. Returns how many."""
    if any(c.get(MADE) for c in obj.children):
        return 0
    count = 0
    for key in ("q3map_sun", "sun", "q3map_sunext"):
        try:
            r, g, b, intensity, degrees, elevation = map(float, str(obj.get(key) or _words(obj, key)).split()[:6])
        except (ValueError, TypeError):
            continue
        most = max(r, g, b)
        if most <= 0 or intensity <= 0:
            continue
        light = bpy.data.lights.new(f"{obj.name} sun", "SUN")
        light.color = r / most, g / most, b / most
        light.energy = math.pi * intensity / SPREAD
        light.angle = math.radians(0.53)
        light[OWN] = light.energy
        lamp = bpy.data.objects.new(f"{obj.name} sun", light)
        lamp[MADE] = True
        a, e = math.radians(degrees), math.radians(elevation)
        toward = mathutils.Vector((math.cos(a) * math.cos(e), math.sin(a) * math.cos(e), math.sin(e)))
        for collection in obj.users_collection:
            collection.objects.link(lamp)
        lamp.parent = obj
        lamp.matrix_parent_inverse = obj.matrix_world.inverted()
        lamp.rotation_euler = toward.to_track_quat("Z", "Y").to_euler()
        count += 1
    return count


def _words(obj, key: str):
    for mat in obj.data.materials:
        if mat and mat.get(key):
            return mat[key]
    return ""


def _script_sky(scene, obj) -> int:
    """Makes the light of a sky by its shader."""
    value = 0.0
    for key, factor in (("q3map_surfacelight", 3.0), ("q3map_skylight", 1.0)):
        try:
            value += factor * float(str(obj.get(key) or _words(obj, key) or 0).split()[0]) / SPREAD
        except (ValueError, IndexError):
            continue
    if value <= 0:
        return 0
    images = {n.image for m in obj.data.materials if m and m.node_tree for n in m.node_tree.nodes
              if n.bl_idname == "ShaderNodeTexImage" and n.image}
    means = [c for c in map(sky._mean_colour, images) if c]
    mean = [sum(c[i] for c in means) / len(means) for i in range(3)] if means else [1, 1, 1]
    _ambient(scene, [value * c / max(*mean, 1e-6) for c in mean])
    return 1


def _ambient(scene, colour) -> None:
    """Makes the World light objects with a colour, invisible to the camera."""
    tree = world_sky.world_tree(scene)
    if any(n.get(WORLD) for n in tree.nodes):
        return
    background = next((n for n in tree.nodes if n.bl_idname == "ShaderNodeBackground" and not n.get(world_sky.MARK)), None)
    if background is None:
        background = tree.nodes.new("ShaderNodeBackground")
        output = materials.node_of(tree, "ShaderNodeOutputWorld") or tree.nodes.new("ShaderNodeOutputWorld")
        mix = next((n for n in tree.nodes if n.get(world_sky.MARK) and n.bl_idname == "ShaderNodeMixShader"), None)
        tree.links.new(background.outputs[0], mix.inputs[1] if mix else output.inputs["Surface"])
    background[WORLD] = True
    most = max(*colour, 1e-9)
    background.inputs["Color"].default_value = *(c / most for c in colour), 1.0
    background.inputs["Strength"].default_value = most
    background[OWN] = most


def _shine(mat) -> bool:
    """Makes a material with a shader's surface light emit it, with baked light off."""
    try:
        value = float(str(mat.get("q3map_surfacelight")).split()[0])
    except (TypeError, ValueError, IndexError):
        return False
    tree = mat.node_tree
    if value <= 0 or tree is None or any(n.get(MADE) for n in tree.nodes):
        return False
    output = materials.active_output(tree)
    shown = [n for n in tree.nodes if n.bl_idname == "ShaderNodeOutputMaterial" and n.get(materials.OUTPUT)]
    before = materials.source((shown or [output])[0].inputs["Surface"]) if output else None
    if before is None:
        return False
    b = groups.Steps(tree, output.location.x + 100, output.location.y - 500)
    glow = b.group(_glow_group(), 0, 0)
    both = b.node("ShaderNodeAddShader", 1, 0)
    glow[MADE] = both[MADE] = True
    glow.inputs["Color"].default_value = *_colour(mat), 1.0
    glow.inputs["Light"].default_value = 3.0 * value / SPREAD
    tree.links.new(before, both.inputs[0])
    tree.links.new(glow.outputs[0], both.inputs[1])
    if shown:
        for node in shown:
            tree.links.new(both.outputs[0], node.inputs["Surface"])
    else:
        materials.show(mat, both.outputs[0])
    if hasattr(mat.cycles, "emission_sampling"):
        mat.cycles.emission_sampling = "FRONT_BACK"
    elif hasattr(mat.cycles, "sample_as_light"):
        mat.cycles.sample_as_light = True
    return True


def _colour(mat) -> list:
    """The colour of a surface's light, scaled to a maximum of 1: what the shader says, or the mean of the image."""
    said = str(mat.get("q3map_lightrgb") or "").split()
    try:
        colour = [float(v) for v in said[:3]]
    except ValueError:
        colour = []
    if len(colour) != 3:
        start = materials.node_of(mat.node_tree, "ShaderNodeBsdfPrincipled") or materials.node_of(mat.node_tree, "ShaderNodeEmission")
        texture = None
        for socket in ([compat.emission_input(start), start.inputs["Base Color"]] if start and "Base Color" in start.inputs else start.inputs[:1] if start else ()):
            texture = texture or node_copies.above(socket, "ShaderNodeTexImage") if socket.is_linked else texture
        colour = list(sky._mean_colour(texture.image) or (1, 1, 1)) if texture and texture.image else [1, 1, 1]
    return [c / max(*colour, 1e-6) for c in colour]


def _glow_group():
    """The group for a surface's emission with baked light off. The camera does not see it, because the surface would be white."""
    if group := groups.found(GLOW):
        return group
    b = groups.Builder(GLOW, (("Color", "Color", groups.WHITE), ("Float", "Light", 1.0)), (("Shader", "Light"),))
    b.tree[KIND] = GLOW
    colour, light = b.input.outputs[:2]
    factor = b.node("ShaderNodeValue", 0, 2, "Factor")
    factor.name, factor.outputs[0].default_value = "Factor", 1.0
    off = b.number("SUBTRACT", 1, 3, 1.0, b.group(groups.switch_group(), 0, 3).outputs["Baked"])
    unseen = b.number("SUBTRACT", 1, 4, 1.0, b.node("ShaderNodeLightPath", 0, 4).outputs["Is Camera Ray"])
    strength = b.number("MULTIPLY", 3, 2, b.number("MULTIPLY", 2, 2, light, factor.outputs[0]), b.number("MULTIPLY", 2, 3, off, unseen))
    emission = b.node("ShaderNodeEmission", 4, 0)
    b.link(colour, emission.inputs["Color"])
    b.link(strength, emission.inputs["Strength"])
    b.finish(emission.outputs[0])
    return b.tree


def scale(scene, factor: float) -> None:
    """Sets the factor on all light of the maps."""
    for obj in scene.objects:
        if obj.type == "LIGHT" and OWN in obj.data:
            obj.data.energy = obj.data[OWN] * factor
    if group := groups.found(GLOW):
        group.nodes["Factor"].outputs[0].default_value = factor
    for node in (scene.world.node_tree.nodes if scene.world and scene.world.node_tree else ()):
        if node.get(WORLD):
            node.inputs["Strength"].default_value = node[OWN] * factor
    for root in maps(scene):
        root["bsp2gltf_light_factor"] = factor


# The reference: the baked light


def match(scene) -> tuple[float, float, float] | None:
    """Finds the factor at which lamps are as bright as the baked light in the middle of what is seen from many places. Returns it, the
    correlation of both, and the share of what is seen that lamps reach, or None where there is no light."""
    views = places(scene)
    if not views or not groups.switches():
        return None
    switch = [groups.value(g, "Baked") for g in groups.switches()]
    before = [s.default_value for s in switch]
    factor = 1.0
    kept = _settings(scene)
    try:
        scale(scene, 1.0)
        pictures = {}
        for value in (1.0, 0.0):
            for s in switch:
                s.default_value = value
            pictures[value] = numpy.concatenate([_picture(scene, v, 1 if value else SAMPLES) for v in views])
        baked, lit = (p[:, :3] @ (0.2126, 0.7152, 0.0722) for p in (pictures[1.0], pictures[0.0]))
        use = (pictures[1.0][:, 3] > 0.99) & (baked > 0.002) & (baked < 0.9)
        if use.sum() < 50 or lit[use].max() <= 0:
            return None
        # The median of the ratios where lamps reach. Where most is dark, the map's lamps are missing, and no factor helps.
        ratios = lit[use] / baked[use]
        reached = ratios > 0.02 * numpy.percentile(ratios, 90)
        ratio, share = float(numpy.median(ratios[reached])), float(reached.mean())
        factor = min(max(1 / max(ratio, 1e-9), 1e-4), 1e4)
        correlation = float(numpy.corrcoef(numpy.cbrt(baked[use]), numpy.cbrt(lit[use]))[0, 1])
    finally:
        scale(scene, factor)
        for s, v in zip(switch, before):
            s.default_value = v
        _restore(scene, kept)
    return factor, correlation, share


def places(scene, count: int = VIEWS) -> list:
    """Where players start and look, and places near entities, as camera matrices."""
    found = [o for o in scene.objects if o.get("classname") and o.type == "EMPTY" and not str(o["classname"]).startswith(("trigger", "light", "path_"))]
    found.sort(key=lambda o: (start_camera._rank(o), o.name))
    starts = [o for o in found if start_camera._rank(o) < len(start_camera.STARTS)] or found
    starts = starts[::max(1, len(starts) // count)][:count]
    views = []
    for i in range(count if starts else 0):
        obj = starts[i % len(starts)]
        turn = math.radians(90 * (i // len(starts)))
        place = mathutils.Matrix.LocRotScale(*obj.matrix_world.decompose()[:2], None)
        views.append(place @ mathutils.Matrix.Translation((0, 0, start_camera.EYE)) @ mathutils.Matrix.Rotation(math.radians(-90) + turn, 4, "Z") @
                     mathutils.Matrix.Rotation(math.radians(90), 4, "X"))
    return views


def _settings(scene) -> dict:
    render, cycles = scene.render, scene.cycles
    kept = {"engine": render.engine, "resolution_x": render.resolution_x, "resolution_y": render.resolution_y, "resolution_percentage":
            render.resolution_percentage, "film_transparent": render.film_transparent, "use_persistent_data": render.use_persistent_data, "filepath": render.filepath}
    more = {k: getattr(cycles, k) for k in ("samples", "use_denoising", "use_adaptive_sampling", "max_bounces")}
    image = {k: getattr(render.image_settings, k) for k in ("file_format", "color_mode", "color_depth")}
    camera = scene.camera
    data = bpy.data.cameras.new("bsp2gltf match")
    data.angle, data.clip_start, data.clip_end = math.radians(90), 0.05, 5000
    made = bpy.data.objects.new("bsp2gltf match", data)
    scene.collection.objects.link(made)
    scene.camera, render.engine = made, "CYCLES"
    render.resolution_x, render.resolution_y, render.resolution_percentage, render.film_transparent = *SIZE, 100, True
    render.use_persistent_data = True  # the map is sent to Cycles only once
    cycles.use_denoising = cycles.use_adaptive_sampling = False
    render.image_settings.file_format, render.image_settings.color_mode = "OPEN_EXR", "RGBA"
    return {"render": kept, "cycles": more, "image": image, "camera": camera, "made": made}


def _restore(scene, kept: dict) -> None:
    for owner, key in ((scene.render, "render"), (scene.cycles, "cycles"), (scene.render.image_settings, "image")):
        for name, value in kept[key].items():
            setattr(owner, name, value)
    scene.camera = kept["camera"]
    data = kept["made"].data
    bpy.data.objects.remove(kept["made"])
    bpy.data.cameras.remove(data)


def _picture(scene, view, samples: int):
    """The linear pixels of a small picture."""
    scene.camera.matrix_world = view
    scene.cycles.samples = samples
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = os.path.join(folder, "view.exr")
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath, check_existing=False)
        pixels = numpy.empty(4 * image.size[0] * image.size[1], "f4")
        image.pixels.foreach_get(pixels)
        bpy.data.images.remove(image)
    return pixels.reshape(-1, 4)


class BSP2GLTF_OT_relight(bpy.types.Operator):
    """Switch the baked light off and light the maps by their own lamps, emissive surfaces, sun and sky, as bright as the baked light was in
    the middle. It takes small pictures with Cycles: seconds to a minute"""

    bl_idname = "bsp2gltf.relight"
    bl_label = "The Map's Own Lamps"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return bool(maps(context.scene)) and bool(groups.switches())

    def execute(self, context):
        scene = context.scene
        found = prepare(scene)
        mixed.switch(scene, False)
        for group in groups.switches():
            groups.value(group, "Baked").default_value = 0.0
        named = ", ".join(f"{n} {SAID.get(k, k)}" for k, n in found.items() if n)
        if not any(found.values()):
            self.report({"WARNING"}, "The map says nothing of what lights it: its compiler had lists (lights.rad) or scripts that are not at hand")
            return {"FINISHED"}
        result = match(scene)
        if result is None:
            self.report({"WARNING"}, f"{named} light nothing that is seen from the places of the map's entities")
            return {"FINISHED"}
        factor, correlation, share = result
        said = f"{named}, times {factor:.3g}; correlation with the baked light {correlation:.2f}"
        if share < 0.6:
            self.report({"WARNING"}, said + f"; {1 - share:.0%} of what is seen is dark: the map has no more lamps. q3map2 takes the entities of "
                        "lamps out of maps, and lists (lights.rad) and shader scripts may be missing")
        else:
            self.report({"INFO"}, said)
        return {"FINISHED"}


CLASSES = (BSP2GLTF_OT_relight,)
