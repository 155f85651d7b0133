using System;
using Newtonsoft.Json.Linq;

namespace Bsp2Gltf
{
    public enum ContentsKind { Solid, Volume, Nothing }

    /// <summary>What a collision solid of the map is for: the extras contents_names.</summary>
    public static class Contents
    {
        static readonly string[] Solids = { "solid", "window", "grate", "terrain", "moveable", "playerclip" };
        static readonly string[] Volumes = { "water", "slime", "lava", "fog", "ladder", "trigger", "teleporter", "jumppad", "nodrop" };

        public static string Names(JToken node)
        {
            return (node["extras"] as JObject)?["contents_names"]?.ToString();
        }

        /// <summary>
        /// Solids stop a player, and volumes are triggers, as are all solids of trigger entities. The others are for bots and compilers.
        /// parent is the node that the solid belongs to.
        /// </summary>
        public static ContentsKind Kind(JToken node, JToken parent)
        {
            var trigger = parent != null && (MapNode.ClassName(parent) ?? "").StartsWith("trigger_", StringComparison.Ordinal);
            var names = Names(node);
            if (names == null) return trigger ? ContentsKind.Volume : ContentsKind.Solid;
            var words = names.Split(' ');
            if (!trigger && Array.Exists(words, w => Array.IndexOf(Solids, w) >= 0)) return ContentsKind.Solid;
            return trigger || Array.Exists(words, w => Array.IndexOf(Volumes, w) >= 0) ? ContentsKind.Volume : ContentsKind.Nothing;
        }
    }
}
