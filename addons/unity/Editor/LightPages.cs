using System;
using System.Collections.Generic;
using System.IO;
using UnityEditor;
using UnityEngine;

namespace Bsp2Gltf
{
    /// <summary>
    /// Sets the import settings of the lightmap pages beside a .gltf of bsp2gltf, which glTFast and UnityGLTF leave to Unity. By default Unity
    /// would compress them, scale them to powers of two, and add mipmaps that mix the light of neighbouring surfaces.
    /// </summary>
    sealed class LightPages : AssetPostprocessor
    {
        static readonly Dictionary<string, Known> files = new Dictionary<string, Known>();

        struct Known
        {
            public DateTime Written;
            public Dictionary<string, bool> Pages;
        }

        void OnPreprocessTexture()
        {
            if (Path.GetFileName(assetPath).IndexOf("light", StringComparison.OrdinalIgnoreCase) < 0) return; // bsp2gltf names them so
            var path = Path.GetFullPath(assetPath);
            var folder = Path.GetDirectoryName(path);
            foreach (var place in new[] { folder, Path.GetDirectoryName(folder) })
                foreach (var file in Directory.GetFiles(place, "*.gltf"))
                    if (PagesOf(file).TryGetValue(path, out var colors)) Keep((TextureImporter)assetImporter, colors);
        }

        static void Keep(TextureImporter importer, bool colors)
        {
            importer.textureType = TextureImporterType.Default;
            importer.sRGBTexture = colors;
            importer.mipmapEnabled = false;
            importer.textureCompression = TextureImporterCompression.Uncompressed;
            importer.npotScale = TextureImporterNPOTScale.None;
            importer.wrapMode = TextureWrapMode.Clamp;
            importer.filterMode = FilterMode.Bilinear;
            importer.alphaSource = TextureImporterAlphaSource.None;
            importer.maxTextureSize = 8192;
        }

        static Dictionary<string, bool> PagesOf(string file)
        {
            var written = File.GetLastWriteTimeUtc(file);
            if (files.TryGetValue(file, out var known) && known.Written == written) return known.Pages;
            known = new Known { Written = written, Pages = new Dictionary<string, bool>() };
            try
            {
                known.Pages = GltfFile.Open(file).Pages();
            }
            catch (Exception e) when (e is IOException || e is InvalidDataException || e is Newtonsoft.Json.JsonException)
            {
                // The file's own importer reports a broken file.
            }
            return (files[file] = known).Pages;
        }
    }
}
