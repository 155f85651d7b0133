# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""The sky: a box or dome around the map, the World's background, and the World's colour from the sky's images."""

from . import world_sky

RADIUS = 4096  # map units: radius of the sphere on which the viewer is, below the clouds (Quake III's tr_sky.c)


def is_sky(obj) -> bool:
    return obj.type == "MESH" and bool(obj.get("bsp2gltf_sky"))


def camera_only(obj) -> None:
    """Keeps the sky, which encloses the map, from shading and lighting it."""
    obj.visible_diffuse = obj.visible_glossy = obj.visible_transmission = False
    obj.visible_volume_scatter = obj.visible_shadow = False
    for mat in obj.data.materials:
        if mat and hasattr(mat, "shadow_method"):  # EEVEE up to 4.1
            mat.shadow_method = "NONE"


def around_the_eye(scene, skies, for_camera_only: bool) -> bool:
    """Makes a sky the background of a scene's World, and hides its mesh from the camera. Reports whether the World can show one of the
    skies."""
    return any(world_sky.show(scene, obj, RADIUS * _unit(obj), for_camera_only) for obj in skies)


def _unit(obj) -> float:
    """The metres per map unit of an object's map."""
    while obj.parent is not None:
        obj = obj.parent
    unit = obj.get("bsp2gltf_unit")
    return unit if isinstance(unit, float) and unit > 0 else 0.03125


def out_of_the_way(obj) -> None:
    """Displays the sky as its bounding box, and makes it unselectable. Renders show it."""
    obj.display_type = "BOUNDS"
    obj.hide_select = True


def _linear(v: float) -> float:
    return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4


def _mean_colour(image) -> tuple[float, float, float] | None:
    """The mean of about 4096 texels, in linear light."""
    pixels = image.pixels[:]  # a copy, because each access to image.pixels copies everything
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
    background = next((n for n in world_sky.world_tree(scene).nodes if n.bl_idname == "ShaderNodeBackground" and not n.get(world_sky.MARK)), None)
    if background is None:
        return False
    background.inputs["Color"].default_value = (*mean, 1.0)
    background.inputs["Strength"].default_value = 1.0
    return True
