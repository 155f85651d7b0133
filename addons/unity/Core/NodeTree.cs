using System;
using System.Collections.Generic;
using Newtonsoft.Json.Linq;

namespace Bsp2Gltf
{
    /// <summary>The nodes of a file as a tree, with unique names, and which of them move.</summary>
    public sealed class NodeTree
    {
        /// <summary>The index of the parent, or -1.</summary>
        public readonly int[] Parents;

        /// <summary>Names that are unique among siblings, because animations find objects by their paths.</summary>
        public readonly string[] Names;

        readonly bool[] moving;
        readonly HashSet<int> joints = new HashSet<int>();

        public NodeTree(GltfFile file)
        {
            var nodes = file.List("nodes");
            Parents = new int[nodes.Count];
            Names = new string[nodes.Count];
            moving = new bool[nodes.Count];
            for (var i = 0; i < nodes.Count; i++) Parents[i] = -1;
            for (var i = 0; i < nodes.Count; i++)
                foreach (var child in Children(nodes[i])) Parents[child] = i;
            foreach (var scene in file.List("scenes"))
                Name(nodes, Numbers(scene["nodes"]));
            foreach (var node in nodes) Name(nodes, Children(node));
            for (var i = 0; i < nodes.Count; i++) Names[i] = Names[i] ?? "node_" + i;
            foreach (var skin in file.List("skins"))
                foreach (var joint in Numbers(skin["joints"])) joints.Add(joint);
            for (var i = 0; i < nodes.Count; i++)
                moving[i] = joints.Contains(i) || nodes[i]["skin"] != null || MapNode.Moves(nodes[i]);
            foreach (var animation in file.List("animations"))
                foreach (var channel in animation["channels"])
                    if (channel["target"]["node"] != null) moving[(int)channel["target"]["node"]] = true;
        }

        /// <summary>Reports whether a node may move, by itself or with a node above it.</summary>
        public bool Moves(int node)
        {
            for (; node >= 0; node = Parents[node])
                if (moving[node]) return true;
            return false;
        }

        /// <summary>The nearest node at or above one that may move, or -1.</summary>
        public int Mover(int node)
        {
            while (node >= 0 && !moving[node]) node = Parents[node];
            return node;
        }

        public bool IsJoint(int node)
        {
            return joints.Contains(node);
        }

        /// <summary>The names from below an object to a node, with slashes; "" for the object itself. above is -1 for the scene's root.</summary>
        public string Path(int node, int above)
        {
            var path = "";
            for (; node != above; node = Parents[node])
            {
                if (node < 0) throw new ArgumentException("a node is not below the other");
                path = path == "" ? Names[node] : Names[node] + "/" + path;
            }
            return path;
        }

        public static IEnumerable<int> Children(JToken node)
        {
            return Numbers(node["children"]);
        }

        static List<int> Numbers(JToken list)
        {
            var numbers = new List<int>();
            if (list is JArray all)
                foreach (var one in all) numbers.Add((int)one);
            return numbers;
        }

        void Name(IList<JToken> nodes, IEnumerable<int> siblings)
        {
            var used = new HashSet<string>();
            foreach (var node in siblings)
            {
                // A slash would separate two names in a path.
                var name = ((string)nodes[node]["name"] ?? "node_" + node).Replace('/', '_');
                var free = name;
                for (var i = 2; !used.Add(free); i++) free = name + " " + i;
                Names[node] = free;
            }
        }
    }
}
