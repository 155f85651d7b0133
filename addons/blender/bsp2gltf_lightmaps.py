# SPDX-License-Identifier: MIT
"""Shows the baked light of bsp2gltf's .glb files after a plain File > Import > glTF 2.0.

Blender's importer does not know MOZ_lightmap: it does not even load the image. It does let add-ons finish its
work, through a class named glTF2ImportUserExtension. Ours puts a Mix Shader in front of the material output:

    what the importer built ------------------------------------> [Mix Shader] -> Material Output
    base colour, lightmap, intensity, emission -> [Baked Light] ->     ^
                                                        Baked ---------'

"Baked Light" is one node group, shared by every material of the .blend. It holds two values, Baked (0 or 1) and
Strength, so the whole map is switched in one place, the values can be keyframed, and the .blend looks the same
where this add-on is not installed. What the importer built is not changed: the glTF exporter still finds it.
"""

import inspect

import bpy
from bpy.props import BoolProperty, FloatProperty

bl_info = {
    "name": "bsp2gltf Lightmaps",
    "author": "The bsp2gltf authors",
    "version": (1, 0, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > glTF 2.0, and View3D > Sidebar > bsp2gltf",
    "description": "Shows the baked light (MOZ_lightmap) of imported glTF files",
    "category": "Import-Export",
}

EXTENSION = "MOZ_lightmap"
GROUP = "bsp2gltf Baked Light"
MARK = "bsp2gltf_baked_light"  # custom property of our node group; names get .001 when files are appended
WHITE = (1.0, 1.0, 1.0, 1.0)

# Blender's own view transforms for a new scene, up to 3.6 and from 4.0.
FACTORY_VIEWS = {"Filmic", "AgX"}


# The node group


def baked_groups() -> list:
    """The Baked Light groups of this .blend: none before the first import, more than one only after appending."""
    return [g for g in bpy.data.node_groups if g.get(MARK)]


def _value(group, name: str):
    """The socket that holds "Baked" or "Strength"."""
    return group.nodes[name].outputs[0]


def _add_socket(group, kind: str, name: str, in_out: str):
    if hasattr(group, "interface"):  # 4.0 on
        return group.interface.new_socket(name=name, in_out=in_out, socket_type=kind)
    return (group.inputs if in_out == "INPUT" else group.outputs).new(kind, name)


def _baked_group():
    """The Baked Light group, made at the first import: base × lightmap × intensity × strength + emission."""
    for group in baked_groups():
        return group
    group = bpy.data.node_groups.new(GROUP, "ShaderNodeTree")
    group[MARK] = True
    for kind, name, default in (
        ("NodeSocketColor", "Base Color", WHITE),
        ("NodeSocketColor", "Lightmap", WHITE),
        ("NodeSocketFloat", "Intensity", 1.0),
        ("NodeSocketColor", "Emission", (0.0, 0.0, 0.0, 1.0)),
        ("NodeSocketFloat", "Emission Strength", 1.0),
    ):
        _add_socket(group, kind, name, "INPUT").default_value = default
    _add_socket(group, "NodeSocketShader", "Light", "OUTPUT")
    _add_socket(group, "NodeSocketFloat", "Baked", "OUTPUT")

    def node(kind: str, x: int, y: int, name: str = "", operation: str = ""):
        n = group.nodes.new(kind)
        n.location = x, y
        if name:
            n.name = n.label = name
        if operation:
            n.operation = operation
        return n

    # Vector maths, because it never clamps: a lightmap times its intensity is often above 1.
    inputs, outputs = node("NodeGroupInput", -800, 0), node("NodeGroupOutput", 600, 0)
    baked, strength = node("ShaderNodeValue", 200, 220, "Baked"), node("ShaderNodeValue", -800, -260, "Strength")
    base = node("ShaderNodeVectorMath", -520, 120, "Base × Lightmap", "MULTIPLY")
    scale = node("ShaderNodeMath", -520, -120, "Intensity × Strength", "MULTIPLY")
    light = node("ShaderNodeVectorMath", -260, 60, "Baked Light", "SCALE")
    glow = node("ShaderNodeVectorMath", -260, -160, "Emission", "SCALE")
    total = node("ShaderNodeVectorMath", 0, 0, "Sum", "ADD")
    emission = node("ShaderNodeEmission", 240, 0)
    for out, into in (
        (inputs.outputs["Base Color"], base.inputs[0]),
        (inputs.outputs["Lightmap"], base.inputs[1]),
        (inputs.outputs["Intensity"], scale.inputs[0]),
        (strength.outputs[0], scale.inputs[1]),
        (base.outputs["Vector"], light.inputs["Vector"]),
        (scale.outputs[0], light.inputs["Scale"]),
        (inputs.outputs["Emission"], glow.inputs["Vector"]),
        (inputs.outputs["Emission Strength"], glow.inputs["Scale"]),
        (light.outputs["Vector"], total.inputs[0]),
        (glow.outputs["Vector"], total.inputs[1]),
        (total.outputs["Vector"], emission.inputs["Color"]),
        (emission.outputs[0], outputs.inputs["Light"]),
        (baked.outputs[0], outputs.inputs["Baked"]),
    ):
        group.links.new(out, into)
    preferences = _preferences()
    baked.outputs[0].default_value = 1.0 if preferences.show_baked else 0.0
    strength.outputs[0].default_value = preferences.strength
    return group


# Materials


def _source(socket):
    """The output linked to an input socket, or None."""
    return socket.links[0].from_socket if socket.is_linked else None


def _copy_input(tree, source, target) -> None:
    """Makes an input read what another input reads."""
    if source.is_linked:
        tree.links.new(_source(source), target)
    else:
        target.default_value = source.default_value


def _repair_factor(tree, socket) -> None:
    """Blender 3.4's importer takes a coloured emissive factor from the Float output of its Mix, which stays 0."""
    source = _source(socket)
    if source and source.node.bl_idname == "ShaderNodeMix" and source.node.data_type == "RGBA" and not source.enabled:
        tree.links.new(next(o for o in source.node.outputs if o.enabled), socket)


def _node(tree, kind: str):
    return next((n for n in tree.nodes if n.bl_idname == kind), None)


def _add_group(tree, x: float, y: float):
    node = tree.nodes.new("ShaderNodeGroup")
    node.node_tree = _baked_group()
    node.label = GROUP
    node.location = x, y
    node.width = 180
    return node


def _switch(tree, before, light, baked, socket) -> None:
    """Puts [Mix Shader] on the way into socket: what was there (before) when Baked is 0, light when it is 1."""
    mix = tree.nodes.new("ShaderNodeMixShader")
    mix.location = socket.node.location.x - 200, socket.node.location.y + 160
    tree.links.new(baked, mix.inputs[0])
    tree.links.new(before, mix.inputs[1])
    tree.links.new(light, mix.inputs[2])
    tree.links.new(mix.outputs[0], socket)


def _cut(tree, socket, cutoff: float) -> None:
    """Makes an input that reads an alpha 1 from cutoff on and 0 below. Up to 4.1 only EEVEE knows alphaMode MASK."""
    source = _source(socket)
    if source:
        cut = tree.nodes.new("ShaderNodeMath")
        cut.operation = "GREATER_THAN"
        cut.location = socket.node.location.x - 180, socket.node.location.y + 160
        tree.links.new(source, cut.inputs[0])
        cut.inputs[1].default_value = cutoff - 0.001  # a quarter of what an 8-bit alpha can differ by: "from" means >=
        tree.links.new(cut.outputs[0], socket)


def _no_light_sampling(mat) -> None:
    """Cycles: the map still lights what its rays meet, but its 100,000 triangles are not lamps to aim at."""
    cycles = getattr(mat, "cycles", None)
    if hasattr(cycles, "emission_sampling"):  # 3.5 on
        cycles.emission_sampling = "NONE"
    elif hasattr(cycles, "sample_as_light"):
        cycles.sample_as_light = False


def show_lightmap(mat, image, uv_map: str, intensity: float, cutoff: float | None = None) -> bool:
    """Adds the baked light to a material with a Principled BSDF. Reports whether it could. Of a mask there is a cutoff."""
    tree = mat.node_tree
    bsdf = _node(tree, "ShaderNodeBsdfPrincipled")
    output = _node(tree, "ShaderNodeOutputMaterial")
    before = output and _source(output.inputs["Surface"])
    if bsdf is None or before is None:
        return False

    output.location.x += 400
    x, y = bsdf.location.x, bsdf.location.y + 620
    uv = tree.nodes.new("ShaderNodeUVMap")
    uv.uv_map = uv_map
    uv.location = x - 520, y - 180
    texture = tree.nodes.new("ShaderNodeTexImage")
    texture.image = image
    texture.label = "LIGHTMAP"
    texture.extension = "EXTEND"
    texture.location = x - 320, y
    group = _add_group(tree, x, y)
    tree.links.new(uv.outputs[0], texture.inputs[0])
    tree.links.new(texture.outputs["Color"], group.inputs["Lightmap"])
    group.inputs["Intensity"].default_value = intensity
    _copy_input(tree, bsdf.inputs["Base Color"], group.inputs["Base Color"])
    emission = bsdf.inputs["Emission Color" if "Emission Color" in bsdf.inputs else "Emission"]  # 4.0 renamed it
    _repair_factor(tree, emission)
    _copy_input(tree, emission, group.inputs["Emission"])
    _copy_input(tree, bsdf.inputs["Emission Strength"], group.inputs["Emission Strength"])

    # Alpha is inside the Principled BSDF; the Emission shader needs its own. Opaque materials do without, because
    # a Transparent BSDF anywhere makes Cycles test every shadow ray.
    light = group.outputs["Light"]
    alpha = bsdf.inputs["Alpha"]
    if alpha.is_linked or alpha.default_value < 1.0:
        clear = tree.nodes.new("ShaderNodeBsdfTransparent")
        clear.location = x, y + 120
        mix = tree.nodes.new("ShaderNodeMixShader")
        mix.location = x + 220, y + 60
        _copy_input(tree, alpha, mix.inputs[0])
        if cutoff is not None:
            _cut(tree, mix.inputs[0], cutoff)
        tree.links.new(clear.outputs[0], mix.inputs[1])
        tree.links.new(light, mix.inputs[2])
        light = mix.outputs[0]
    _switch(tree, before, light, group.outputs["Baked"], output.inputs["Surface"])
    _no_light_sampling(mat)
    return True


def show_vertex_light(mat, cutoff: float | None = None) -> bool:
    """Puts an unlit material with vertex colours under the same switch and strength. Reports whether it could.

    The importer multiplies the vertex colour into an Emission shader. We take it out of there, give it to the
    group as the lightmap, and make the material a plain diffuse one for when the baked light is off.
    """
    tree = mat.node_tree
    colour, emission = _node(tree, "ShaderNodeVertexColor"), _node(tree, "ShaderNodeEmission")
    if colour is None or emission is None or not emission.outputs[0].is_linked:
        return False
    # The importer shows unlit surfaces to the camera only: [Emission] -> [Mix by Light Path] -> ...
    unlit = emission.outputs[0].links[0].to_node
    if unlit.bl_idname != "ShaderNodeMixShader" or not unlit.outputs[0].is_linked:
        return False
    target = unlit.outputs[0].links[0].to_socket

    for link in list(colour.outputs["Color"].links):
        socket = link.to_socket
        tree.links.remove(link)
        socket.default_value = WHITE
    x, y = emission.location
    group = _add_group(tree, x, y - 120)
    diffuse = tree.nodes.new("ShaderNodeBsdfDiffuse")
    diffuse.location = x, y - 360
    tree.links.new(colour.outputs["Color"], group.inputs["Lightmap"])
    _copy_input(tree, emission.inputs["Color"], group.inputs["Base Color"])
    _copy_input(tree, emission.inputs["Color"], diffuse.inputs["Color"])
    for node in {emission, unlit, unlit.inputs[0].links[0].from_node}:
        tree.nodes.remove(node)
    if cutoff is not None and target.node.bl_idname == "ShaderNodeMixShader":
        _cut(tree, target.node.inputs[0], cutoff)
    _switch(tree, diffuse.outputs[0], group.outputs["Light"], group.outputs["Baked"], target)
    _no_light_sampling(mat)
    return True


def _without_lightmap_uv(mat):
    """A copy of a lightmapped material for meshes that lack its UV layer: full light instead of a stray texel."""
    name = mat.name + " (no lightmap UV)"
    if name in bpy.data.materials:
        return bpy.data.materials[name]
    copy = mat.copy()
    copy.name = name
    for node in copy.node_tree.nodes:
        if node.bl_idname == "ShaderNodeGroup" and node.node_tree and node.node_tree.get(MARK):
            for link in list(node.inputs["Lightmap"].links):
                copy.node_tree.links.remove(link)
            node.inputs["Lightmap"].default_value = WHITE
            node.inputs["Intensity"].default_value = 1.0
    return copy


# Sky


def _camera_only(obj) -> None:
    """Keeps the sky from shading and lighting the map: it is a box around everything."""
    obj.visible_diffuse = obj.visible_glossy = obj.visible_transmission = False
    obj.visible_volume_scatter = obj.visible_shadow = False
    for mat in obj.data.materials:
        if mat and hasattr(mat, "shadow_method"):  # EEVEE up to 4.1
            mat.shadow_method = "NONE"


def _linear(v: float) -> float:
    return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4


def _mean_colour(image) -> tuple[float, float, float] | None:
    """The mean of about 4096 texels, linear."""
    pixels = image.pixels[:]  # one copy: indexing image.pixels copies it all every time
    count = len(pixels) // image.channels if image.channels >= 3 else 0
    if count == 0:
        return None
    chosen = range(0, count, max(1, count // 4096) | 1)
    sums = [sum(pixels[i * image.channels + c] for i in chosen) / len(chosen) for c in range(3)]
    return tuple(sums) if image.is_float else tuple(map(_linear, sums))


def world_from_sky(scene, objects) -> bool:
    """Gives the world the mean colour of the sky's images. Reports whether the sky had any."""
    images = {n.image for o in objects for m in o.data.materials if m and m.node_tree
              for n in m.node_tree.nodes if n.bl_idname == "ShaderNodeTexImage" and n.image}
    colours = [c for c in map(_mean_colour, images) if c]
    if not colours:
        return False
    mean = [sum(c[i] for c in colours) / len(colours) for i in range(3)]
    world = scene.world or bpy.data.worlds.new("World")
    scene.world = world
    world.use_nodes = True
    background = _node(world.node_tree, "ShaderNodeBackground")
    if background is None:
        return False
    background.inputs["Color"].default_value = (*mean, 1.0)
    background.inputs["Strength"].default_value = 1.0
    return True


# The importer's hook


def _image(gltf, index: int):
    """The Blender image of a glTF image, loaded once per file, by the importer itself."""
    try:
        from io_scene_gltf2.blender.imp.image import BlenderImage  # 4.2 on
    except ImportError:
        from io_scene_gltf2.blender.imp.gltf2_blender_image import BlenderImage
    more = len(inspect.signature(BlenderImage.create).parameters) - 2  # later versions add a flag for KTX
    BlenderImage.create(gltf, index, *[False] * more)
    image = bpy.data.images.get(gltf.data.images[index].blender_image_name or "")
    if image is not None and not image.is_float:
        image.colorspace_settings.name = "sRGB"
    return image


def _lightmap_image(gltf, index):
    """The image of texture index, or None when the file is wrong about it."""
    textures, images = gltf.data.textures or [], gltf.data.images or []
    if not isinstance(index, int) or not 0 <= index < len(textures):
        return None
    source = textures[index].source
    if source is None:
        source = ((textures[index].extensions or {}).get("EXT_texture_webp") or {}).get("source")
    if source is None or not 0 <= source < len(images):
        return None
    return _image(gltf, source)


def _extension(name: str):
    try:
        from io_scene_gltf2.io.com.gltf2_io_extensions import Extension
    except ImportError:
        from io_scene_gltf2.io.com.extensions import Extension
    return Extension(name=name, extension={}, required=True)


class glTF2ImportUserExtension:
    """The importer makes one of these per import, and calls its hooks. An exception in a hook is only printed."""

    def __init__(self):
        self.extensions = [_extension(EXTENSION)]  # also opens files that require it
        self.uv_maps: dict[str, str] = {}  # lightmapped material to its UV layer
        self.objects: set = set()
        self.skies: list = []
        self.found = False

    def gather_import_image_after_hook(self, gltf_image, image, gltf):
        # Where a material doesn't use the alpha, Cycles shows a colour times it. In glTF the two are never multiplied.
        if image is not None and _is_ours(gltf):
            image.alpha_mode = "CHANNEL_PACKED"

    def gather_import_material_after_hook(self, gltf_material, vertex_color, mat, gltf):
        extensions = gltf_material.extensions or {}
        cutoff = None
        if gltf_material.alpha_mode == "MASK":
            cutoff = 0.5 if gltf_material.alpha_cutoff is None else gltf_material.alpha_cutoff
        if "KHR_materials_unlit" in extensions:  # wins over a lightmap
            sky = (gltf_material.extras or {}).get("bsp2gltf_sky")
            if _is_ours(gltf) and not sky:
                self.found |= show_vertex_light(mat, cutoff)
            return
        lightmap = extensions.get(EXTENSION)
        if not isinstance(lightmap, dict) or "KHR_materials_transmission" in extensions:
            return  # what lets light through shows what is behind it
        image = _lightmap_image(gltf, lightmap.get("index"))
        if image is None:
            print(f"bsp2gltf: {mat.name}: the lightmap is missing")
            return
        channel = lightmap.get("texCoord") or 0
        uv_map = f"UVMap.{channel:03d}" if channel else "UVMap"
        if show_lightmap(mat, image, uv_map, float(lightmap.get("intensity", 1.0)), cutoff):
            self.uv_maps[mat.name] = uv_map
            self.found = True

    def gather_import_mesh_after_hook(self, gltf_mesh, mesh, gltf):
        for i, mat in enumerate(mesh.materials):
            uv_map = mat and self.uv_maps.get(mat.name)
            if uv_map and uv_map not in mesh.uv_layers:
                print(f"bsp2gltf: {mesh.name}: no UV layer {uv_map} for the lightmap of {mat.name}")
                mesh.materials[i] = _without_lightmap_uv(mat)

    def gather_import_node_after_hook(self, vnode, gltf_node, obj, gltf):
        self.objects.add(obj.name)
        if obj.type == "MESH" and (obj.get("bsp2gltf_sky") or (getattr(gltf_node, "extras", None) or {}).get("bsp2gltf_sky")):
            self.skies.append(obj)
            if _preferences().sky_camera_only:
                _camera_only(obj)

    def gather_import_scene_after_animation_hook(self, gltf_scene, scene, gltf):
        preferences = _preferences()
        if self.skies and preferences.world_from_sky:
            world_from_sky(scene, self.skies)
        if self.found and preferences.set_up_new_scene and self._is_new(scene):
            if scene.view_settings.view_transform in FACTORY_VIEWS:
                scene.view_settings.view_transform = "Standard"
            show_in_viewports()

    def _is_new(self, scene) -> bool:
        """A file never saved, with no mesh in it but ours and the start-up cube: its settings are nobody's choice."""
        return not bpy.data.is_saved and not any(
            o.type == "MESH" and o.name != "Cube" and o.name not in self.objects for o in scene.objects)


def _is_ours(gltf) -> bool:
    asset = gltf.data.asset
    return "bsp2gltf" in (asset.generator or "") or EXTENSION in (gltf.data.extensions_used or [])


def show_in_viewports() -> None:
    """Turns 3D views from Solid to Material Preview; Solid shows no light at all."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D" and area.spaces.active.shading.type == "SOLID":
                area.spaces.active.shading.type = "MATERIAL"


def draw_import(context, layout):
    """The add-on's part of the import dialog (4.2 on)."""
    header, body = layout.panel("bsp2gltf_import", default_closed=True)
    header.label(text="bsp2gltf Lightmaps")
    if body:
        _preferences().draw_options(body)


# Preferences, operators and the panel


class BSP2GLTF_Preferences(bpy.types.AddonPreferences):
    bl_idname = __name__

    show_baked: BoolProperty(
        name="Show Baked Light",
        description="Show the map under its baked light. Off: under the lights of the scene",
        default=True,
    )
    strength: FloatProperty(
        name="Strength", description="Factor on the baked light of the first map in a file", default=1.0, min=0.0,
        soft_max=4.0,
    )
    set_up_new_scene: BoolProperty(
        name="Set Up New Scenes",
        description="In a file never saved, with no other mesh: use the Standard view transform, the one the light "
        "was made for, and turn Solid views to Material Preview",
        default=True,
    )
    sky_camera_only: BoolProperty(
        name="Sky for the Camera Only", description="Keep the sky mesh out of shadows, bounces and reflections",
        default=True,
    )
    world_from_sky: BoolProperty(
        name="World from Sky", description="Give the world the mean colour of the sky's images", default=False,
    )

    def draw_options(self, layout):
        layout.use_property_split = True
        for name in ("show_baked", "strength", "set_up_new_scene", "sky_camera_only", "world_from_sky"):
            layout.prop(self, name)

    def draw(self, context):
        self.draw_options(self.layout)


def _preferences():
    """The add-on's preferences, or their defaults when it was imported without being enabled."""
    addon = bpy.context.preferences.addons.get(__name__)
    return addon.preferences if addon else _Defaults


class _Defaults:
    show_baked, strength, set_up_new_scene, sky_camera_only, world_from_sky = True, 1.0, True, True, False


class BSP2GLTF_OT_baked_light(bpy.types.Operator):
    """Switch all imported maps between their baked light and the lights of the scene"""

    bl_idname = "bsp2gltf.baked_light"
    bl_label = "Baked Light"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return bool(baked_groups())

    def execute(self, context):
        groups = baked_groups()
        value = 0.0 if _value(groups[0], "Baked").default_value else 1.0
        for group in groups:
            _value(group, "Baked").default_value = value
        return {"FINISHED"}


class BSP2GLTF_OT_standard_view(bpy.types.Operator):
    """Use the Standard view transform: colours as in the game, instead of a film's"""

    bl_idname = "bsp2gltf.standard_view"
    bl_label = "Colours as in the Game"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        context.scene.view_settings.view_transform = "Standard"
        return {"FINISHED"}


class BSP2GLTF_OT_show(bpy.types.Operator):
    """Turn Solid 3D views to Material Preview"""

    bl_idname = "bsp2gltf.show"
    bl_label = "Show in the 3D Views"

    def execute(self, context):
        show_in_viewports()
        return {"FINISHED"}


class BSP2GLTF_OT_world_from_sky(bpy.types.Operator):
    """Give the world the mean colour of the sky's images, to light the scene with"""

    bl_idname = "bsp2gltf.world_from_sky"
    bl_label = "World from Sky"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        skies = [o for o in context.scene.objects if o.type == "MESH" and o.get("bsp2gltf_sky")]
        if not world_from_sky(context.scene, skies):
            self.report({"WARNING"}, "The scene has no sky with images")
            return {"CANCELLED"}
        return {"FINISHED"}


class BSP2GLTF_PT_panel(bpy.types.Panel):
    bl_label = "Baked Light"
    bl_idname = "BSP2GLTF_PT_panel"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "bsp2gltf"

    def draw(self, context):
        layout = self.layout
        groups = baked_groups()
        if not groups:
            layout.label(text="Import a map: File > Import > glTF 2.0", icon="INFO")
            return
        on = bool(_value(groups[0], "Baked").default_value)
        layout.operator("bsp2gltf.baked_light", depress=on, icon="LIGHT_SUN")
        column = layout.column()
        column.active = on
        for group in groups:
            column.prop(_value(group, "Strength"), "default_value", text="Strength")
        if context.space_data.shading.type == "SOLID":
            layout.operator("bsp2gltf.show", icon="SHADING_TEXTURE")
        if context.scene.view_settings.view_transform != "Standard":
            layout.operator("bsp2gltf.standard_view", icon="COLOR")
        if any(o.get("bsp2gltf_sky") for o in context.scene.objects):
            layout.operator("bsp2gltf.world_from_sky", icon="WORLD")


CLASSES = (
    BSP2GLTF_Preferences,
    BSP2GLTF_OT_baked_light,
    BSP2GLTF_OT_standard_view,
    BSP2GLTF_OT_show,
    BSP2GLTF_OT_world_from_sky,
    BSP2GLTF_PT_panel,
)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)


def unregister():
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)


if __name__ == "__main__":
    register()
