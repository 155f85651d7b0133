# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""The images of textures to which only extras refer: Blender's importer does not load them."""

from . import compat


def index(gltf, texture) -> int | None:
    """The image index of a texture, or None if the file has no such texture."""
    textures, images = gltf.data.textures or [], gltf.data.images or []
    if not isinstance(texture, int) or isinstance(texture, bool) or not 0 <= texture < len(textures):
        return None
    found = textures[texture].source
    if found is None:
        found = ((textures[texture].extensions or {}).get("EXT_texture_webp") or {}).get("source")
    return found if isinstance(found, int) and 0 <= found < len(images) else None


def sampled(gltf, texture, node) -> None:
    """Sets a node's interpolation and extension as the file's sampler states."""
    found = gltf.data.textures[texture].sampler
    sampler = gltf.data.samplers[found] if found is not None else None
    if sampler is not None and sampler.mag_filter == 9728:
        node.interpolation = "Closest"
    if sampler is not None and sampler.wrap_s == 33071:
        node.extension = "EXTEND"


def image(gltf, texture, colour: bool = True):
    """The Blender image of a texture, or None. With colour=False, its values are read as stored."""
    number = index(gltf, texture)
    found = compat.load_image(gltf, number) if number is not None else None
    if found is not None and not colour:
        found.colorspace_settings.name = "Non-Color"
    return found
