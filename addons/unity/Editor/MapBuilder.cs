using System;
using System.Collections.Generic;
using Newtonsoft.Json.Linq;
using UnityEditor;
using UnityEngine;
using UnityEngine.Rendering;
using Object = UnityEngine.Object;

namespace Bsp2Gltf
{
    /// <summary>The import settings of a map.</summary>
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
        [Tooltip("Lamps of the scene light the map, on top of its baked light, and it casts and receives their shadows.")]
        public bool lamps;
        [Tooltip("Doors, lifts, fans and models with sequences, as clips of Animation components.")]
        public bool motion = true;
        [Tooltip("The map's light for what moves (probes of Source, the grid of Quake III): the component MapProbes.")]
        public bool probes = true;
        [Tooltip("Coarser models at a distance, as the game shows them: LODGroup.")]
        public bool levels;
    }

    /// <summary>
    /// Makes game objects of a converted map. Each object that the asset keeps (meshes, materials, textures) is passed to keep with a name
    /// that stays the same for the same map, so that links of scenes survive a new import.
    /// </summary>
    public sealed class MapBuilder
    {
        // No ContributeGI: Unity would bake lightmaps of its own.
        const StaticEditorFlags Static = StaticEditorFlags.BatchingStatic | StaticEditorFlags.OccludeeStatic | StaticEditorFlags.OccluderStatic;

        readonly GltfFile file;
        readonly MapSettings settings;
        readonly Shader shader;
        readonly Action<string, Object> keep;
        readonly Dictionary<int, Texture> textures = new Dictionary<int, Texture>();
        readonly Dictionary<string, Material> materials = new Dictionary<string, Material>();
        readonly Dictionary<string, Mesh> meshes = new Dictionary<string, Mesh>();
        readonly HashSet<string> names = new HashSet<string>();
        readonly List<TextureFrames.Surface> frames = new List<TextureFrames.Surface>();
        readonly TiltedTextures tilted;
        readonly NodeTree tree;
        readonly MapScene scene;
        readonly GameObject[] made; // by node; null for what is left out
        readonly Dictionary<int, SkinnedMeshRenderer> skinned = new Dictionary<int, SkinnedMeshRenderer>();
        readonly HashSet<int> bodies = new HashSet<int>(); // nodes with a Rigidbody

        /// <summary>What a node has of those above it.</summary>
        struct Place
        {
            public bool InSkybox;
            public int Turns;  // MapNode.Turns
            public bool Glows;

            public string Suffix { get { return (InSkybox ? " box" : "") + (Turns > 0 ? " sprite " + Turns + (Glows ? " glow" : "") : ""); } }
        }

        public MapBuilder(GltfFile file, MapSettings settings, Shader shader, Action<string, Object> keep)
        {
            this.file = file;
            this.settings = settings;
            this.shader = shader;
            this.keep = keep;
            tilted = new TiltedTextures(file, t => keep(Unique("texture " + t.name), t));
            tree = new NodeTree(file);
            scene = MapScene.Read(file);
            made = new GameObject[file.List("nodes").Count];
        }

        /// <summary>The map as an object of the given name.</summary>
        public GameObject Build(string name)
        {
            var root = new GameObject(name);
            foreach (var node in (JArray)file.List("scenes")[(int?)file.Root["scene"] ?? 0]["nodes"]) Node((int)node, -1, root.transform, new Place());
            foreach (var one in skinned) Rig(one.Value, file.List("nodes")[one.Key]);
            if (frames.Count > 0) root.AddComponent<TextureFrames>().surfaces = frames;
            if (settings.motion) new ClipMaker(file, tree, made, bodies, keep).Make(root);
            root.AddComponent<MapSurroundings>().Set(scene);
            return root;
        }

        void Node(int index, int above, Transform parent, Place place)
        {
            var node = file.List("nodes")[index];
            var collider = MapNode.IsCollider(node);
            var contents = collider ? Contents.Kind(node, above < 0 ? null : file.List("nodes")[above]) : ContentsKind.Nothing;
            if (collider && (!settings.colliders || contents == ContentsKind.Nothing)) return;
            var on = made[index] = new GameObject(tree.Names[index]);
            on.transform.SetParent(parent, false);
            Put(on.transform, node);
            place.InSkybox |= index == scene.Skybox;
            if (MapNode.Turns(node) > 0)
            {
                place.Turns = MapNode.Turns(node);
                place.Glows = MapNode.Glows(node);
            }
            if (node["mesh"] != null)
            {
                if (collider) Collide(on, index, contents);
                else if (node["skin"] != null) Dress(on, index, node, place);
                else Draw(on, node, place);
            }
            if (settings.levels) Levels(on, node, place);
            if (settings.cameras && node["camera"] != null) Look(on, file.List("cameras")[(int)node["camera"]]);
            // What stops players only, or nobody, is told from a wall by its contents.
            if (settings.entities && (!collider || (Contents.Names(node) ?? "solid") != "solid"))
            {
                var keys = MapNode.Keys(node);
                if (keys.Count > 0) on.AddComponent<MapEntity>().Set(keys);
            }
            // No batching: the shader needs the own transform of the sky, and of what it moves or turns.
            if (settings.markStatic && node["mesh"] != null && !tree.Moves(index) && !MapNode.IsSky(node) && place.Turns == 0 && !ShaderMoves((int)node["mesh"]))
                GameObjectUtility.SetStaticEditorFlags(on, Static);
            foreach (var child in NodeTree.Children(node)) Node(child, index, on.transform, place);
        }

        bool ShaderMoves(int mesh)
        {
            foreach (var primitive in file.List("meshes")[mesh]["primitives"])
            {
                if (primitive["material"] == null) continue;
                var motion = MapMaterial.Read(file.List("materials")[(int)primitive["material"]]).Motion;
                if (motion.Turns || motion.Deformed.Count > 0) return true;
            }
            return false;
        }

        static void Put(Transform to, JToken node)
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

        /// <summary>Unity shows blend shapes by a SkinnedMeshRenderer only, which needs no bones.</summary>
        void Draw(GameObject on, JToken node, Place place)
        {
            var index = (int)node["mesh"];
            var mesh = MeshOf(index, null);
            Renderer renderer;
            if (MorphTargets.Names(file.List("meshes")[index]).Length > 0)
            {
                var morphed = on.AddComponent<SkinnedMeshRenderer>();
                morphed.sharedMesh = mesh;
                morphed.localBounds = mesh.bounds;
                Weigh(morphed, node);
                renderer = morphed;
            }
            else
            {
                on.AddComponent<MeshFilter>().sharedMesh = mesh;
                renderer = on.AddComponent<MeshRenderer>();
            }
            Wear(renderer, index, place);
            if (place.Turns == 0) return;
            // It turns about its origin. A glow is the larger the farther away it is.
            var reach = place.Glows ? 1e5f : mesh.bounds.center.magnitude + mesh.bounds.extents.magnitude;
            renderer.localBounds = new Bounds(new Vector3(0, 0, 0), new Vector3(2 * reach, 2 * reach, 2 * reach));
        }

        void Weigh(SkinnedMeshRenderer renderer, JToken node)
        {
            var weights = MorphTargets.Weights(node, file.List("meshes")[(int)node["mesh"]]);
            for (var i = 0; i < weights.Length; i++) renderer.SetBlendShapeWeight(i, 100 * weights[i]);
        }

        void Wear(Renderer renderer, int mesh, Place place)
        {
            var primitives = (JArray)file.List("meshes")[mesh]["primitives"];
            var used = new Material[primitives.Count];
            for (var i = 0; i < used.Length; i++) used[i] = MaterialOf(primitives[i], place);
            renderer.sharedMaterials = used;
            for (var i = 0; i < used.Length; i++) Animate(renderer, i, primitives[i]);
            // The baked light already contains the shadows of the map's own lamps.
            renderer.shadowCastingMode = settings.lamps && !HasSky(primitives) ? ShadowCastingMode.TwoSided : ShadowCastingMode.Off;
            renderer.receiveShadows = settings.lamps;
            renderer.lightProbeUsage = LightProbeUsage.Off;
        }

        void Animate(Renderer renderer, int slot, JToken primitive)
        {
            if (primitive["material"] == null) return;
            var motion = MapMaterial.Read(file.List("materials")[(int)primitive["material"]]).Motion;
            if (motion.Frames.Length == 0) return;
            var textures = new Texture[motion.Frames.Length];
            for (var i = 0; i < textures.Length; i++) textures[i] = TextureOf(motion.Frames[i]);
            frames.Add(new TextureFrames.Surface { renderer = renderer, slot = slot, frames = textures, framesPerSecond = motion.FramesPerSecond, clock = motion.Clock });
        }

        /// <summary>A sky surrounds the map, so its shadow would block the scene's sun.</summary>
        bool HasSky(JArray primitives)
        {
            foreach (var primitive in primitives)
                if (primitive["material"] != null && MapNode.IsSky(file.List("materials")[(int)primitive["material"]])) return true;
            return false;
        }

        /// <summary>A mesh that bones move. The bones are assigned when all objects exist.</summary>
        void Dress(GameObject on, int index, JToken node, Place place)
        {
            var mesh = (int)node["mesh"];
            var renderer = skinned[index] = on.AddComponent<SkinnedMeshRenderer>();
            renderer.sharedMesh = MeshOf(mesh, MapSkin.Read(file, (int)node["skin"]));
            Weigh(renderer, node);
            Wear(renderer, mesh, place);
        }

        void Rig(SkinnedMeshRenderer renderer, JToken node)
        {
            var skin = MapSkin.Read(file, (int)node["skin"]);
            var bones = new Transform[skin.Joints.Length];
            for (var i = 0; i < bones.Length; i++) bones[i] = made[skin.Joints[i]] == null ? null : made[skin.Joints[i]].transform;
            if (bones.Length == 0) return;
            renderer.bones = bones;
            renderer.rootBone = bones[0];
            // Unity culls by this box, which moves with the root bone; sequences may reach beyond the rest pose.
            var positions = new List<float>();
            foreach (var primitive in file.List("meshes")[(int)node["mesh"]]["primitives"])
                positions.AddRange(Axes.Vectors(file.Floats((int)primitive["attributes"]["POSITION"])));
            var box = MapSkin.Bounds(positions, skin.BindPoses[0]);
            renderer.localBounds = new Bounds(new Vector3(box[0], box[1], box[2]), new Vector3(2 * box[3], 2 * box[4], 2 * box[5]));
        }

        /// <summary>
        /// Coarser levels are nodes outside the tree, at the same place. Unity chooses a level by the share of the screen's height. It is
        /// computed for a camera of 60 degrees at the distance that the file states.
        /// </summary>
        void Levels(GameObject on, JToken node, Place place)
        {
            var ids = (node["extensions"] as JObject)?["MSFT_lod"]?["ids"] as JArray;
            if (ids == null || on.GetComponent<Renderer>() == null) return;
            var group = on.AddComponent<LODGroup>();
            var shown = new List<Renderer> { on.GetComponent<Renderer>() };
            var distances = new List<float>();
            foreach (var id in ids)
            {
                var level = file.List("nodes")[(int)id];
                if (level["mesh"] == null || level["skin"] != null) continue;
                var coarse = made[(int)id] = new GameObject(tree.Names[(int)id]);
                coarse.transform.SetParent(on.transform, false); // the node itself is at the same place as this one
                Draw(coarse, level, place);
                shown.Add(coarse.GetComponent<Renderer>());
                distances.Add((float?)(level["extras"] as JObject)?["lod_distance"] ?? 0);
            }
            group.RecalculateBounds();
            var levels = new LOD[shown.Count];
            for (var i = 0; i < levels.Length; i++)
                levels[i] = new LOD(i < distances.Count ? LevelHeight(group.size, distances[i], i) : 0, new[] { shown[i] });
            group.SetLODs(levels);
        }

        /// <summary>The share of the screen's height at which the next level is shown. Unity requires descending values.</summary>
        static float LevelHeight(float size, float distance, int level)
        {
            var height = distance > 0 ? size / (distance * 2 * (float)Math.Tan(Math.PI / 6)) : 0.5f;
            return Math.Min(height, 0.99f - 0.01f * level);
        }

        /// <summary>A collider. What moves is a kinematic body: it then carries others, and Unity need not build its static colliders again.</summary>
        void Collide(GameObject on, int index, ContentsKind contents)
        {
            var node = file.List("nodes")[index];
            var collider = on.AddComponent<MeshCollider>();
            collider.convex = MapNode.IsConvex(node) || contents == ContentsKind.Volume; // a trigger must be convex
            collider.isTrigger = contents == ContentsKind.Volume;
            collider.sharedMesh = MeshOf((int)node["mesh"], null);
            var mover = tree.Mover(index);
            if (mover >= 0 && bodies.Add(mover)) made[mover].AddComponent<Rigidbody>().isKinematic = true;
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

        /// <summary>A mesh, with bones if it has a skin.</summary>
        Mesh MeshOf(int index, MapSkin skin)
        {
            var key = index + (skin == null ? "" : " skin " + skin.Binds);
            if (meshes.TryGetValue(key, out var mesh)) return mesh;
            var json = file.List("meshes")[index];
            mesh = meshes[key] = new MeshMaker(file).Make(json, skin);
            // The shader draws the sky around the camera, so Unity must not cull it by its mesh's position.
            if (HasSky((JArray)json["primitives"])) mesh.bounds = new Bounds(new Vector3(0, 0, 0), new Vector3(1e5f, 1e5f, 1e5f));
            mesh.name = Unique("mesh " + ((string)json["name"] ?? index.ToString()));
            keep(mesh.name, mesh);
            return mesh;
        }

        /// <summary>
        /// A material has variants: with and without vertex colours, for the 3D skybox, which has its own fog, and for pictures that turn to the
        /// viewer.
        /// </summary>
        Material MaterialOf(JToken primitive, Place place)
        {
            var index = (int?)primitive["material"] ?? -1;
            var colored = primitive["attributes"]["COLOR_0"] != null;
            var variant = (colored ? " colored" : "") + place.Suffix;
            var key = index + variant;
            if (materials.TryGetValue(key, out var material)) return material;
            var from = index < 0 ? new MapMaterial { Name = "none", Unlit = true } : MapMaterial.Read(file.List("materials")[index]);
            material = materials[key] = new Material(shader);
            BakedMaterial.Fill(material, from, shader, TextureOf, colored);
            BakedMaterial.Surround(material, from, scene, place.InSkybox);
            if (place.Turns > 0 || from.Motion.Turns) BakedMaterial.Turn(material, place.Turns > 0 ? place.Turns : 1, place.Glows ? scene.Unit : 0);
            if (settings.lamps && !from.Sky && !from.Multiplies) BakedMaterial.Lamps(material, true);
            tilted.Fill(material, from);
            material.SetFloat("_Strength", from.Light == null && !colored ? 1 : settings.strength);
            keep(Unique("material " + from.Name + variant), material);
            return material;
        }

        Texture TextureOf(int index)
        {
            if (textures.TryGetValue(index, out var known)) return known;
            var page = file.IsPage(index);
            var texture = BakedMaterial.Load(file, index, !page);
            texture.anisoLevel = page ? 1 : 8;
            // Compressed blocks of 4 x 4 pixels would be visible in the gradients of a lightmap.
            if (settings.compress && !page && texture.width % 4 == 0 && texture.height % 4 == 0) texture.Compress(true);
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
