using System;
using System.Collections.Generic;
using Newtonsoft.Json.Linq;

namespace Bsp2Gltf
{
    /// <summary>The effect of one animation on one node, in Unity's axes.</summary>
    public sealed class Curve
    {
        public int Node;
        public string Property;  // translation, rotation, scale, weights
        public float[] Times;
        public float[][] Values; // by component, or by morph target: lists as long as Times
        public bool Steps;       // values hold until the next time
    }

    /// <summary>
    /// The part of an animation that moves one mover or one model with bones. The node of that is its head. Each head has its own clips, so that
    /// an opening door does not stop a fan.
    /// </summary>
    public sealed class MapAnimation
    {
        public const string Start = "map start";

        public string Name;  // Start, or the movement's name without the node's: "open", "cycle"
        public string Full;  // the name in the file: "func_door_gate cycle"
        public int Head;     // a node; -1 for nodes below no head
        public bool Starts;  // the game begins it when the map starts
        public bool Loops;
        public string Trigger;
        public string[] Team; // nodes that move at once
        public float Length;
        public readonly List<Curve> Curves = new List<Curve>();

        /// <summary>The animations of a file, by their heads. </summary>
        public static List<MapAnimation> Read(GltfFile file, NodeTree tree)
        {
            var heads = Heads(file);
            var all = new List<MapAnimation>();
            foreach (var animation in file.List("animations"))
            {
                var parts = new Dictionary<int, MapAnimation>();
                foreach (var channel in animation["channels"])
                {
                    var curve = ReadCurve(file, animation, channel);
                    if (curve == null) continue;
                    var head = curve.Node;
                    while (head >= 0 && !heads.Contains(head)) head = tree.Parents[head];
                    if (!parts.TryGetValue(head, out var part))
                    {
                        parts[head] = part = Described(animation, head);
                        all.Add(part);
                    }
                    part.Curves.Add(curve);
                    part.Length = Math.Max(part.Length, curve.Times[curve.Times.Length - 1]);
                }
                // All parts have the length of the whole animation, so that loops stay synchronous.
                float length = 0;
                foreach (var part in parts.Values) length = Math.Max(length, part.Length);
                foreach (var part in parts.Values) part.Length = length;
            }
            return all;
        }

        static HashSet<int> Heads(GltfFile file)
        {
            var named = new HashSet<string>();
            foreach (var animation in file.List("animations"))
            {
                var extras = animation["extras"] as JObject;
                if (extras?["node"] != null) named.Add((string)extras["node"]);
            }
            var heads = new HashSet<int>();
            var nodes = file.List("nodes");
            for (var i = 0; i < nodes.Count; i++)
                if (MapNode.ClassName(nodes[i]) != null || named.Contains((string)nodes[i]["name"] ?? "")) heads.Add(i);
            return heads;
        }

        static MapAnimation Described(JToken animation, int head)
        {
            var full = (string)animation["name"] ?? "";
            var extras = animation["extras"] as JObject ?? new JObject();
            var node = (string)extras["node"] ?? "";
            var team = (string)extras["team"] ?? "";
            return new MapAnimation
            {
                Full = full,
                Name = node != "" && full.StartsWith(node + " ", StringComparison.Ordinal) ? full.Substring(node.Length + 1) : full,
                Head = head,
                Starts = (bool?)extras["starts"] ?? false,
                Loops = (bool?)extras["loops"] ?? false,
                Trigger = (string)extras["trigger"],
                Team = team == "" ? new string[0] : team.Split(new[] { "; " }, StringSplitOptions.None),
            };
        }

        static Curve ReadCurve(GltfFile file, JToken animation, JToken channel)
        {
            var property = (string)channel["target"]["path"];
            var node = (int?)channel["target"]["node"] ?? -1;
            if (node < 0) return null;
            var sampler = animation["samplers"][(int)channel["sampler"]];
            var way = (string)sampler["interpolation"] ?? "LINEAR";
            var times = file.Floats((int)sampler["input"]);
            var values = file.Floats((int)sampler["output"]);
            var width = Width(file, property, node);
            if (width == 0 || times.Length == 0 || values.Length != times.Length * width || way == "CUBICSPLINE") return null;
            var curve = new Curve { Node = node, Property = property, Times = times, Steps = way == "STEP", Values = new float[width][] };
            for (var c = 0; c < width; c++)
            {
                curve.Values[c] = new float[times.Length];
                for (var i = 0; i < times.Length; i++) curve.Values[c][i] = values[i * width + c] * (Mirrored(property, c) ? -1 : 1);
            }
            if (property == "rotation") TakeShortWays(curve.Values);
            return curve;
        }

        /// <summary>The count of numbers that a channel sets at a time; 0 for a property that is not known.</summary>
        static int Width(GltfFile file, string property, int node)
        {
            switch (property)
            {
                case "translation": case "scale": return 3;
                case "rotation": return 4;
                case "weights":
                    var mesh = (int?)file.List("nodes")[node]["mesh"] ?? -1;
                    return mesh < 0 ? 0 : MorphTargets.Names(file.List("meshes")[mesh]).Length;
            }
            return 0;
        }

        static bool Mirrored(string property, int component)
        {
            return property == "translation" ? component == 0 : property == "rotation" && (component == 1 || component == 2);
        }

        /// <summary>A quaternion and its negative are the same rotation, but interpolation between them would add a turn.</summary>
        static void TakeShortWays(float[][] q)
        {
            for (var i = 1; i < q[0].Length; i++)
            {
                float dot = 0;
                for (var c = 0; c < 4; c++) dot += q[c][i - 1] * q[c][i];
                if (dot >= 0) continue;
                for (var c = 0; c < 4; c++) q[c][i] = -q[c][i];
            }
        }
    }
}
