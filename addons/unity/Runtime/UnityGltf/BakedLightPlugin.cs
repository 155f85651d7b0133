using System.Collections.Generic;
using GLTF.Schema;
using UnityEngine;
using UnityGLTF.Plugins;

namespace Bsp2Gltf
{
    /// <summary>
    /// Extends UnityGLTF's import, in the editor only: baked materials get our shader, and objects their entities' keys. It reads the file itself,
    /// because UnityGLTF passes unknown extensions on without the types of their content.
    /// </summary>
    public sealed class BakedLightPlugin : GLTFImportPlugin
    {
        public override string DisplayName { get { return "MOZ_lightmap (bsp2gltf)"; } }
        public override string Description { get { return "Shows the baked light of maps from bsp2gltf, and keeps their entities' keys."; } }

        public override GLTFImportPluginContext CreateInstance(GLTFImportContext context)
        {
#if UNITY_EDITOR
            if (context.AssetContext != null) return new BakedLightContext(context);
#endif
            return null;
        }
    }

#if UNITY_EDITOR
    sealed class BakedLightContext : GLTFImportPluginContext
    {
        readonly GLTFImportContext context;
        readonly Dictionary<int, Texture> textures = new Dictionary<int, Texture>();
        GltfFile file; // null for files of other programs
        TiltedTextures tilted;
        MapScene scene;

        public BakedLightContext(GLTFImportContext context)
        {
            this.context = context;
        }

        public override void OnAfterImportRoot(GLTFRoot root)
        {
            var used = root.ExtensionsUsed; // an unlit material may have its light in the vertices
            if (used == null || !used.Contains("MOZ_lightmap") && !used.Contains("KHR_materials_unlit")) return;
            var read = GltfFile.Open(context.FilePath);
            var generator = (string)(read.Root["asset"] ?? new Newtonsoft.Json.Linq.JObject())["generator"] ?? "";
            if (!used.Contains("MOZ_lightmap") && !generator.StartsWith("bsp2gltf ", System.StringComparison.Ordinal)) return;
            file = read;
            scene = MapScene.Read(read);
            tilted = new TiltedTextures(file, t => context.AssetContext.AddObjectToAsset("bsp2gltf_texture " + t.name, t));
            // The importer's class is internal, so its setting is read by the name that it is stored under.
            var unwraps = new UnityEditor.SerializedObject(context.SourceImporter).FindProperty("_generateLightmapUVs");
            if (unwraps != null && unwraps.boolValue)
                context.AssetContext.LogImportWarning("\"Generate Lightmap UVs\" replaces the UVs of the baked light, and the map is shown wrong: " +
                    "switch it off in the import settings of " + context.FilePath);
        }

        /// <summary>
        /// UnityGLTF makes two materials of one and passes the first to its plugins, but its renderers use the second, for
        /// meshes with and without vertex colours (ConstructMaterial and ConstructNode of 2.9 to 2.21). Unity's shaders read white
        /// if a mesh has no colours.
        /// </summary>
        public override void OnAfterImportMaterial(GLTFMaterial material, int index, Material made)
        {
            Bake(index, made, false);
            var cache = context.SceneImporter.MaterialCache;
            if (index < 0 || index >= cache.Length || cache[index] == null) return;
            var colored = cache[index].UnityMaterialWithVertexColor;
            if (colored != made) Bake(index, colored, true);
        }

        public override void OnAfterImportNode(Node node, int index, GameObject made)
        {
            if (file == null) return;
            var scenes = file.List("scenes");
            if (scenes.Count > 0 && (int?)scenes[0]["nodes"]?[0] == index)
            {
                made.AddComponent<MapSurroundings>().Set(scene);
                MapProbes.Add(made, null, LightGrid.Read(file));
            }
            var keys = MapNode.Keys(file.List("nodes")[index]);
            if (keys.Count > 0) made.AddComponent<MapEntity>().Set(keys);
        }

        void Bake(int index, Material made, bool vertexColors)
        {
            if (file == null || made == null || index < 0 || index >= file.List("materials").Count) return;
            var material = MapMaterial.Read(file.List("materials")[index]);
            if (!material.Baked) return;
            var shader = Shader.Find(BakedMaterial.ShaderName);
            if (shader == null) return;
            // UnityGLTF has set these two; changing the shader would drop them.
            var base0 = made.HasProperty("baseColorTexture") ? made.GetTexture("baseColorTexture") : null;
            var emission = made.HasProperty("emissiveTexture") ? made.GetTexture("emissiveTexture") : null;
            BakedMaterial.Fill(made, material, shader,
                t => t == material.BaseTexture && base0 != null ? base0 : t == material.EmissionTexture && emission != null ? emission : Texture(t),
                vertexColors);
            BakedMaterial.Surround(made, material, scene, false);
            tilted.Fill(made, material);
        }

        /// <summary>A texture that UnityGLTF did not load, because only an unknown extension refers to it.</summary>
        Texture Texture(int index)
        {
            if (textures.TryGetValue(index, out var texture)) return texture;
            var path = file.ImagePath(index);
            if (path != null) texture = UnityEditor.AssetDatabase.LoadAssetAtPath<Texture2D>(path.Replace('\\', '/'));
            if (texture == null)
            {
                var made = BakedMaterial.Load(file, index, !file.IsPage(index));
                context.AssetContext.AddObjectToAsset("bsp2gltf_texture_" + index, made);
                texture = made;
            }
            return textures[index] = texture;
        }
    }
#endif
}
