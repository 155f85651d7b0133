using System;
using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Bsp2Gltf
{
    /// <summary>Makes clips of a file's animations, and an Animation on each head that plays them (MapAnimation).</summary>
    sealed class ClipMaker
    {
        readonly GltfFile file;
        readonly NodeTree tree;
        readonly GameObject[] objects;
        readonly HashSet<int> bodies;
        readonly Action<string, Object> keep;
        readonly HashSet<string> names = new HashSet<string>();

        /// <summary>objects is by node; bodies are the nodes with a Rigidbody; keep receives each clip with a name that stays the same.</summary>
        public ClipMaker(GltfFile file, NodeTree tree, GameObject[] objects, HashSet<int> bodies, Action<string, Object> keep)
        {
            this.file = file;
            this.tree = tree;
            this.objects = objects;
            this.bodies = bodies;
            this.keep = keep;
        }

        public void Make(GameObject root)
        {
            var movements = new List<MapMotion.Movement>();
            var players = new Dictionary<int, Animation>();
            foreach (var animation in MapAnimation.Read(file, tree))
            {
                var on = animation.Head < 0 ? root : objects[animation.Head];
                if (on == null) continue;
                var clip = Clip(animation);
                if (!players.TryGetValue(animation.Head, out var player))
                {
                    players[animation.Head] = player = on.AddComponent<Animation>();
                    player.playAutomatically = false;
                }
                if (animation.Curves.Exists(c => bodies.Contains(c.Node))) MoveInPhysics(player);
                // A clip would replace another of the same name.
                for (var i = 2; player.GetClip(clip.name) != null; i++) clip.name = animation.Name + " " + i;
                player.AddClip(clip, clip.name);
                if (animation.Starts && animation.Name == MapAnimation.Start)
                {
                    player.clip = clip;
                    player.playAutomatically = true;
                }
                var full = on.name + " " + animation.Name;
                var id = "clip " + full;
                for (var i = 2; !names.Add(id); i++) id = "clip " + full + " " + i;
                keep(id, clip);
                movements.Add(new MapMotion.Movement
                {
                    name = animation.Full, node = animation.Head < 0 ? "" : (string)file.List("nodes")[animation.Head]["name"] ?? "", clip = clip.name,
                    player = player, trigger = animation.Trigger ?? "", team = animation.Team,
                });
            }
            if (movements.Count > 0) root.AddComponent<MapMotion>().movements = movements;
        }

        /// <summary>A kinematic body then pushes and carries others.</summary>
        static void MoveInPhysics(Animation player)
        {
            player.animatePhysics = true;
#if UNITY_2023_1_OR_NEWER
            player.updateMode = AnimationUpdateMode.Fixed;
#endif
        }

        AnimationClip Clip(MapAnimation animation)
        {
            var clip = new AnimationClip
            {
                name = animation.Name, legacy = true, frameRate = 30, wrapMode = animation.Loops ? WrapMode.Loop : WrapMode.ClampForever,
            };
            foreach (var curve in animation.Curves)
            {
                var path = tree.Path(curve.Node, animation.Head);
                if (curve.Property == "weights")
                {
                    var names = MorphTargets.Names(file.List("meshes")[(int)file.List("nodes")[curve.Node]["mesh"]]);
                    for (var c = 0; c < names.Length; c++)
                        clip.SetCurve(path, typeof(SkinnedMeshRenderer), "blendShape." + names[c], Keys(curve, c, animation.Length, 100));
                    continue;
                }
                for (var c = 0; c < curve.Values.Length; c++)
                    clip.SetCurve(path, typeof(Transform), Properties[curve.Property] + "." + "xyzw"[c], Keys(curve, c, animation.Length, 1));
            }
            return clip;
        }

        static readonly Dictionary<string, string> Properties = new Dictionary<string, string>
            { { "translation", "localPosition" }, { "rotation", "localRotation" }, { "scale", "localScale" } };

        /// <summary>
        /// Straight lines between the keys, or steps, of the values times a factor. The last value holds until all parts of the animation end.
        /// </summary>
        static AnimationCurve Keys(Curve curve, int component, float length, float factor)
        {
            var times = curve.Times;
            var values = Array.ConvertAll(curve.Values[component], v => v * factor);
            var last = times.Length - 1;
            var keys = new List<Keyframe>();
            for (var i = 0; i <= last; i++)
            {
                // Most keys of a model's frames say that a frame is not shown.
                if (i > 0 && i < last && values[i] == values[i - 1] && values[i] == values[i + 1]) continue;
                keys.Add(new Keyframe(times[i], values[i], i == 0 ? 0 : Slope(curve, values, i - 1), i == last ? 0 : Slope(curve, values, i)));
            }
            if (length > times[last] + 1e-4f) keys.Add(new Keyframe(length, values[last], 0, 0));
            return new AnimationCurve(keys.ToArray());
        }

        static float Slope(Curve curve, float[] values, int i)
        {
            if (curve.Steps) return float.PositiveInfinity;
            var time = curve.Times[i + 1] - curve.Times[i];
            return time > 0 ? (values[i + 1] - values[i]) / time : 0;
        }
    }
}
