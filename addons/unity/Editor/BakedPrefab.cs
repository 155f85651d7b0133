using System;
using System.Collections.Generic;
using System.IO;
using Newtonsoft.Json.Linq;
using UnityEditor;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Bsp2Gltf
{
    /// <summary>
    /// glTFast does not know MOZ_lightmap and can't be extended in the editor. So this makes a prefab beside a .gltf or .glb that glTFast has
    /// imported, with our materials and the entities' keys. Materials and objects are found by name, which is glTF's name in both.
    /// </summary>
    public static class BakedPrefab
    {
        const string Menu = "Assets/bsp2gltf/Prefab with Baked Light";

        [MenuItem(Menu, true)]
        static bool CanMake()
        {
            var path = AssetDatabase.GetAssetPath(Selection.activeObject);
            return path.EndsWith(".gltf", StringComparison.OrdinalIgnoreCase) || path.EndsWith(".glb", StringComparison.OrdinalIgnoreCase);
        }

        [MenuItem(Menu)]
        static void MakeOfSelected()
        {
            var path = AssetDatabase.GetAssetPath(Selection.activeObject);
            var made = Make(path);
            if (made == null) Debug.LogError("bsp2gltf: " + path + " has no scene, or the shader " + BakedMaterial.ShaderName + " is missing");
            else Selection.activeObject = made;
        }

        /// <summary>The prefab, or null if the file is not imported as a scene.</summary>
        public static GameObject Make(string path)
        {
            var source = AssetDatabase.LoadAssetAtPath<GameObject>(path);
            var shader = Shader.Find(BakedMaterial.ShaderName);
            if (source == null || shader == null) return null;
            var stem = Path.ChangeExtension(path, null) + " baked";
            AssetDatabase.DeleteAsset(stem + ".asset");
            var instance = (GameObject)PrefabUtility.InstantiatePrefab(source);
            try
            {
                new Baking(GltfFile.Open(path), path, shader, stem + ".asset").Apply(instance);
                AssetDatabase.SaveAssets(); // otherwise the materials and textures are lost when the editor closes
                return PrefabUtility.SaveAsPrefabAsset(instance, stem + ".prefab");
            }
            finally
            {
                Object.DestroyImmediate(instance);
            }
        }

        /// <summary>One prefab's materials and textures, kept in an asset beside it.</summary>
        sealed class Baking
        {
            readonly GltfFile file;
            readonly string container, path;
            readonly Shader shader;
            readonly Dictionary<string, int> materials = new Dictionary<string, int>();
            readonly Dictionary<string, int> nodes = new Dictionary<string, int>();
            readonly Dictionary<string, Material> made = new Dictionary<string, Material>();
            readonly Dictionary<int, Texture> textures = new Dictionary<int, Texture>();
            readonly TiltedTextures tilted;
            readonly MapScene scene;
            bool contained;

            public Baking(GltfFile file, string path, Shader shader, string container)
            {
                this.path = path;
                this.file = file;
                scene = MapScene.Read(file);
                tilted = new TiltedTextures(file, Contain);
                this.shader = shader;
                this.container = container;
                Number(file.List("materials"), materials);
                Number(file.List("nodes"), nodes);
            }

            static void Number(IList<JToken> list, Dictionary<string, int> numbers)
            {
                for (var i = 0; i < list.Count; i++) numbers[(string)list[i]["name"] ?? ""] = i;
            }

            public void Apply(GameObject root)
            {
                foreach (var renderer in root.GetComponentsInChildren<Renderer>(true))
                {
                    var used = renderer.sharedMaterials;
                    var mesh = MeshOf(renderer);
                    var colored = mesh != null && mesh.colors.Length > 0;
                    for (var i = 0; i < used.Length; i++) used[i] = Baked(used[i], colored);
                    renderer.sharedMaterials = used;
                }
                root.AddComponent<MapSurroundings>().Set(scene);
                var probes = Path.ChangeExtension(path, null) + "_probes.json";
                MapProbes.Add(root, File.Exists(probes) ? ProbeFile.Open(probes) : null, LightGrid.Read(file));
                foreach (var place in root.GetComponentsInChildren<Transform>(true))
                {
                    if (!nodes.TryGetValue(place.name, out var index)) continue;
                    var keys = MapNode.Keys(file.List("nodes")[index]);
                    if (keys.Count > 0) place.gameObject.AddComponent<MapEntity>().Set(keys);
                }
            }

            static Mesh MeshOf(Renderer renderer)
            {
                var skinned = renderer as SkinnedMeshRenderer;
                var filter = renderer.GetComponent<MeshFilter>();
                return skinned != null ? skinned.sharedMesh : filter != null ? filter.sharedMesh : null;
            }

            Material Baked(Material from, bool colored)
            {
                if (from == null || !materials.TryGetValue(from.name, out var index)) return from;
                var said = MapMaterial.Read(file.List("materials")[index]);
                if (!said.Baked) return from;
                var key = from.name + (colored ? " colored" : "");
                if (made.TryGetValue(key, out var material)) return material;
                material = new Material(shader);
                BakedMaterial.Fill(material, said, shader, TextureOf, colored);
                BakedMaterial.Surround(material, said, scene, false);
                tilted.Fill(material, said);
                material.name = key;
                Contain(material);
                return made[key] = material;
            }

            /// <summary>A separate image file is an asset of the project; an image in a .glb is read again.</summary>
            Texture TextureOf(int index)
            {
                if (textures.TryGetValue(index, out var texture)) return texture;
                var image = file.ImagePath(index); // beside the file, whose path begins at the project's folder
                if (image != null) texture = AssetDatabase.LoadAssetAtPath<Texture2D>(image.Replace('\\', '/'));
                if (texture == null)
                {
                    texture = BakedMaterial.Load(file, index, !file.IsPage(index));
                    Contain(texture);
                }
                return textures[index] = texture;
            }

            void Contain(Object part)
            {
                if (contained) AssetDatabase.AddObjectToAsset(part, container);
                else AssetDatabase.CreateAsset(part, container);
                contained = true;
            }
        }
    }
}
