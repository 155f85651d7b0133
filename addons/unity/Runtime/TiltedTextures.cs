using System;
using System.Collections.Generic;
using UnityEngine;

namespace Bsp2Gltf
{
    /// <summary>
    /// Sets the normal maps of materials for which the file has light from three tilted directions (lightmap.bump=pages, Source's maps). Each
    /// texture is made once and passed to keep.
    /// </summary>
    public sealed class TiltedTextures
    {
        readonly GltfFile file;
        readonly Action<Texture2D> keep;
        readonly Dictionary<int, Texture2D> normals = new Dictionary<int, Texture2D>();
        readonly Dictionary<int, Texture2D[]> pages = new Dictionary<int, Texture2D[]>();

        public TiltedTextures(GltfFile file, Action<Texture2D> keep)
        {
            this.file = file;
            this.keep = keep;
        }

        public void Fill(Material to, MapMaterial from)
        {
            if (from.NormalTexture < 0 || from.Light == null || from.Light.Texture < 0) return;
            var tilted = PagesOf(from.Light.Texture);
            if (tilted == null) return;
            for (var i = 0; i < 3; i++) to.SetTexture("_BakedMap" + (i + 1), tilted[i]);
            to.SetTexture("_NormalMap", NormalOf(from.NormalTexture));
            to.SetFloat("_Tilted", 1);
        }

        Texture2D[] PagesOf(int lightmap)
        {
            if (pages.TryGetValue(lightmap, out var known)) return known;
            var bytes = file.TiltedPages(lightmap);
            if (bytes == null) return pages[lightmap] = null;
            known = new Texture2D[3];
            for (var i = 0; i < 3; i++)
            {
                known[i] = Made(file.ImageName(lightmap) + "_bump" + (i + 1), bytes[i], false, false);
                known[i].wrapModeU = known[i].wrapModeV = TextureWrapMode.Clamp;
                known[i].filterMode = FilterMode.Bilinear;
            }
            return pages[lightmap] = known;
        }

        Texture2D NormalOf(int texture)
        {
            if (normals.TryGetValue(texture, out var known)) return known;
            var repeats = file.Repeats(texture);
            known = Made(file.ImageName(texture), file.ImageBytes(texture), true, true); // directions are not colours: without sRGB
            known.wrapModeU = repeats[0] ? TextureWrapMode.Repeat : TextureWrapMode.Clamp;
            known.wrapModeV = repeats[1] ? TextureWrapMode.Repeat : TextureWrapMode.Clamp;
            known.filterMode = FilterMode.Trilinear;
            return normals[texture] = known;
        }

        Texture2D Made(string name, byte[] bytes, bool mipmaps, bool linear)
        {
            var texture = new Texture2D(2, 2, TextureFormat.RGBA32, mipmaps, linear) { name = name };
            if (!texture.LoadImage(bytes, false)) Debug.LogWarning("bsp2gltf: " + name + " is no PNG and no JPEG");
            keep(texture);
            return texture;
        }
    }
}
