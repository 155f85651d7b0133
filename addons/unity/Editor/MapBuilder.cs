using System;
using System.Collections.Generic;
using Newtonsoft.Json.Linq;
using UnityEditor;
using UnityEngine;
using UnityEngine.Rendering;
using Object = UnityEngine.Object;

namespace Bsp2Gltf
{
    /// <summary>The import settings of a map: what it becomes in Unity.</summary>
    [Serializable]
    public sealed class MapSettings
    {
        [Tooltip("Mark what does not move as static for batching and occlusion.")]
        public bool markStatic = true;
        [Tooltip("Convex colliders of the map's solids.")]
        public bool colliders = true;
        [Tooltip("The map's keys and values on each object.")]
        public bool entities = true;
        [Tooltip("The map's cameras.")]
        public bool cameras;
        [Tooltip("Compress textures to a fourth of their memory or less. Lightmaps stay as they are.")]
        public bool compress;
        [Range(0, 4), Tooltip("A factor on all baked light.")]
        public float strength = 1;
    }

    /// <summary>
    /// Makes game objects of a converted map. Each object that a file keeps (meshes, materials, textures) is handed to keep with a name
    /// that stays the same for the same map, so that links of scenes survive a new import.
    /// </summary>
    public sealed class MapBuilder
    {
        // Baked light is no light of Unity's: ContributeGI would ask for lightmaps of its own.
        const StaticEditorFlags Static = StaticEditorFlags.BatchingStatic | StaticEditorFlags.OccludeeStatic | StaticEditorFlags.OccluderStatic;

        readonly GltfFile file;
        readonly MapSettings settings;
        readonly Shader shader;
        readonly Action<string, Object> keep;
        readonly Dictionary<int, Texture> textures = new Dictionary<int, Texture>();
        readonly Dictionary<string, Material> materials = new Dictionary<string, Material>();
        readonly Dictionary<int, Mesh> meshes = new Dictionary<int, Mesh>();
        readonly HashSet<string> names = new HashSet<string>();
        readonly TiltedTextures tilted;

        public MapBuilder(GltfFile file, MapSettings settings, Shader shader, Action<string, Object> keep)
        {
            this.file = file;
            this.settings = settings;
            this.shader = shader;
            this.keep = keep;
            tilted = new TiltedTextures(file, t => keep(Unique("texture " + t.name), t));
        }

        /// <summary>The map as an object of the given name.</summary>
        public GameObject Build(string name)
        {
            var root = new GameObject(name);
            var scene = file.List("scenes")[(int?)file.Root["scene"] ?? 0];
            foreach (var node in (JArray)scene["nodes"]) Node((int)node, root.transform);
            return root;
        }

        void Node(int index, Transform parent)
        {
            var node = file.List("nodes")[index];
            var collider = MapNode.IsCollider(node);
            if (collider && !settings.colliders) return;
            var made = new GameObject((string)node["name"] ?? "node_" + index);
            made.transform.SetParent(parent, false);
            Place(made.transform, node);
            if (node["mesh"] != null)
            {
                if (collider) Collide(made, (int)node["mesh"], MapNode.IsConvex(node));
                else Draw(made, (int)node["mesh"]);
            }
            if (settings.cameras && node["camera"] != null) Look(made, file.List("cameras")[(int)node["camera"]]);
            if (settings.entities && !collider)
            {
                var keys = MapNode.Keys(node);
                if (keys.Count > 0) made.AddComponent<MapEntity>().Set(keys);
            }
            // Batching would take the sky's mesh out of its node, around which the shader turns to the eye.
            var still = node["mesh"] != null && !MapNode.Moves(node) && !MapNode.IsSky(node);
            if (settings.markStatic && still) GameObjectUtility.SetStaticEditorFlags(made, Static);
            if (node["children"] == null) return;
            foreach (var child in (JArray)node["children"]) Node((int)child, made.transform);
        }

        static void Place(Transform to, JToken node)
        {
            var t = Axes.Vectors(Numbers(node["translation"], 0, 0, 0));
            var q = Axes.Quaternion(Numbers(node["rotation"], 0, 0, 0, 1));
            var s = Numbers(node["scale"], 1, 1, 1);
            to.localPosition = new Vector3(t[0], t[1], t[2]);
            to.localRotation = new Quaternion(q[0], q[1], q[2], q[3]);
            to.localScale = new Vector3(s[0], s[1], s[2]);
        }

        static float[] Numbers(JToken list, params float[] otherwise)
        {
            if (list == null) return otherwise;
            var all = new float[otherwise.Length];
            for (var i = 0; i < all.Length; i++) all[i] = (float)list[i];
            return all;
        }

        void Draw(GameObject on, int mesh)
        {
            on.AddComponent<MeshFilter>().sharedMesh = MeshOf(mesh);
            var renderer = on.AddComponent<MeshRenderer>();
            var primitives = (JArray)file.List("meshes")[mesh]["primitives"];
            var worn = new Material[primitives.Count];
            for (var i = 0; i < worn.Length; i++) worn[i] = MaterialOf(primitives[i]);
            renderer.sharedMaterials = worn;
            renderer.shadowCastingMode = ShadowCastingMode.Off; // the shadows are in the light already
            renderer.lightProbeUsage = LightProbeUsage.Off;
        }

        void Collide(GameObject on, int mesh, bool convex)
        {
            var collider = on.AddComponent<MeshCollider>();
            collider.convex = convex;
            collider.sharedMesh = MeshOf(mesh);
        }

        /// <summary>glTF's camera looks along -Z, Unity's along +Z.</summary>
        static void Look(GameObject on, JToken camera)
        {
            var made = on.AddComponent<Camera>();
            var lens = camera["perspective"];
            if (lens != null)
            {
                made.fieldOfView = (float)lens["yfov"] * 180 / (float)Math.PI;
                made.nearClipPlane = (float)lens["znear"];
                made.farClipPlane = (float?)lens["zfar"] ?? 1000;
            }
            made.transform.localRotation = made.transform.localRotation * new Quaternion(0, 1, 0, 0);
            made.enabled = false;
        }

        Mesh MeshOf(int index)
        {
            if (meshes.TryGetValue(index, out var mesh)) return mesh;
            var json = file.List("meshes")[index];
            mesh = meshes[index] = new MeshMaker(file).Make((JArray)json["primitives"]);
            mesh.name = Unique("mesh " + ((string)json["name"] ?? index.ToString()));
            keep(mesh.name, mesh);
            return mesh;
        }

        /// <summary>A material may be worn with vertex colours and without: those are two.</summary>
        Material MaterialOf(JToken primitive)
        {
            var index = (int?)primitive["material"] ?? -1;
            var colored = primitive["attributes"]["COLOR_0"] != null;
            var key = index + (colored ? " colored" : "");
            if (materials.TryGetValue(key, out var material)) return material;
            var from = index < 0 ? new MapMaterial { Name = "none", Unlit = true } : MapMaterial.Read(file.List("materials")[index]);
            material = materials[key] = new Material(shader);
            BakedMaterial.Fill(material, from, shader, TextureOf, colored);
            tilted.Fill(material, from);
            material.SetFloat("_Strength", from.Light == null && !colored ? 1 : settings.strength);
            keep(Unique("material " + from.Name + (colored ? " colored" : "")), material);
            return material;
        }

        Texture TextureOf(int index)
        {
            if (textures.TryGetValue(index, out var known)) return known;
            var repeats = file.Repeats(index);
            var texture = BakedMaterial.Load(file, index, repeats[0] || repeats[1]);
            texture.anisoLevel = repeats[0] ? 8 : 1;
            // Blocks are of 4 x 4 pixels. A texture that does not repeat may be a lightmap, whose gradients would show the blocks.
            if (settings.compress && (repeats[0] || repeats[1]) && texture.width % 4 == 0 && texture.height % 4 == 0) texture.Compress(true);
            textures[index] = texture;
            keep(Unique("texture " + texture.name), texture);
            return texture;
        }

        /// <summary>A name that no other object of the file has.</summary>
        string Unique(string name)
        {
            var unique = name;
            for (var i = 2; !names.Add(unique); i++) unique = name + " " + i;
            return unique;
        }
    }
}
