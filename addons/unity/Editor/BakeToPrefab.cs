using System;
using System.Collections.Generic;
using System.IO;
using UnityEditor;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Bsp2Gltf
{
    /// <summary>
    /// Makes a prefab of an imported .bsp that needs neither the .bsp nor the program: its meshes, materials, textures and clips are
    /// copied into an asset beside it. Teammates and build servers need only these two files.
    /// </summary>
    public static class BakeToPrefab
    {
        const string Menu = "Assets/bsp2gltf/Bake to Prefab";
        static readonly string[] Textures = { "_BaseMap", "_EmissionMap", "_BakedMap", "_NormalMap", "_BakedMap1", "_BakedMap2", "_BakedMap3" };

        [MenuItem(Menu, true)]
        static bool CanMake()
        {
            return AssetDatabase.GetAssetPath(Selection.activeObject).EndsWith(".bsp", StringComparison.OrdinalIgnoreCase);
        }

        [MenuItem(Menu)]
        static void MakeOfSelected()
        {
            var path = AssetDatabase.GetAssetPath(Selection.activeObject);
            var made = Make(path);
            if (made == null) Debug.LogError("bsp2gltf: " + path + " is not imported. Right-click it > Reimport, and see the console.");
            else Selection.activeObject = made;
        }

        /// <summary>The prefab, or null where the map is not imported.</summary>
        public static GameObject Make(string path)
        {
            var source = AssetDatabase.LoadAssetAtPath<GameObject>(path);
            if (source == null) return null;
            var stem = Path.ChangeExtension(path, null) + " baked";
            AssetDatabase.DeleteAsset(stem + ".asset");
            var copies = Copies(path, stem + ".asset");
            var instance = Object.Instantiate(source);
            instance.name = source.name;
            try
            {
                Replace(instance, copies);
                AssetDatabase.SaveAssets();
                return PrefabUtility.SaveAsPrefabAsset(instance, stem + ".prefab");
            }
            finally
            {
                Object.DestroyImmediate(instance);
            }
        }

        /// <summary>A copy of each mesh, material, texture and clip of an asset, in a new one.</summary>
        static Dictionary<Object, Object> Copies(string path, string container)
        {
            var copies = new Dictionary<Object, Object>();
            foreach (var part in AssetDatabase.LoadAllAssetsAtPath(path))
            {
                if (!(part is Mesh || part is Material || part is Texture2D || part is AnimationClip)) continue;
                var copy = Object.Instantiate(part);
                copy.name = part.name;
                if (copies.Count == 0) AssetDatabase.CreateAsset(copy, container);
                else AssetDatabase.AddObjectToAsset(copy, container);
                copies[part] = copy;
            }
            foreach (var copy in copies.Values)
                if (copy is Material material)
                    foreach (var name in Textures)
                        material.SetTexture(name, Copy(copies, material.GetTexture(name)));
            return copies;
        }

        static T Copy<T>(Dictionary<Object, Object> copies, T of) where T : Object
        {
            return of != null && copies.TryGetValue(of, out var copy) ? (T)copy : of;
        }

        static void Replace(GameObject root, Dictionary<Object, Object> copies)
        {
            foreach (var filter in root.GetComponentsInChildren<MeshFilter>(true)) filter.sharedMesh = Copy(copies, filter.sharedMesh);
            foreach (var collider in root.GetComponentsInChildren<MeshCollider>(true)) collider.sharedMesh = Copy(copies, collider.sharedMesh);
            foreach (var renderer in root.GetComponentsInChildren<Renderer>(true))
            {
                if (renderer is SkinnedMeshRenderer skinned) skinned.sharedMesh = Copy(copies, skinned.sharedMesh);
                var materials = renderer.sharedMaterials;
                for (var i = 0; i < materials.Length; i++) materials[i] = Copy(copies, materials[i]);
                renderer.sharedMaterials = materials;
            }
            var animated = root.GetComponent<TextureFrames>();
            if (animated != null)
                foreach (var surface in animated.surfaces)
                    for (var i = 0; i < surface.frames.Length; i++) surface.frames[i] = Copy(copies, surface.frames[i]);
            var motion = root.GetComponent<MapMotion>();
            if (motion == null) return;
            foreach (var movement in motion.movements)
            {
                var player = movement.player;
                var before = player.clip;
                var clip = player.GetClip(movement.clip);
                player.RemoveClip(clip);
                player.AddClip(Copy(copies, clip), movement.clip);
                if (clip == before) player.clip = Copy(copies, before);
            }
        }
    }
}
