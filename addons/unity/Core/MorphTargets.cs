using System.Collections.Generic;
using Newtonsoft.Json.Linq;

namespace Bsp2Gltf
{
    /// <summary>The morph targets of a mesh: frames of models that move vertex by vertex (Quake's, .md2, .md3), and faces of Source's.</summary>
    public static class MorphTargets
    {
        /// <summary>The names of a mesh's targets. Each occurs once, because a clip finds a blend shape by its name.</summary>
        public static string[] Names(JToken mesh)
        {
            var targets = mesh["primitives"][0]["targets"] as JArray;
            var names = new string[targets == null ? 0 : targets.Count];
            var named = (mesh["extras"] as JObject)?["targetNames"] as JArray;
            var used = new HashSet<string>();
            for (var i = 0; i < names.Length; i++)
            {
                var name = named != null && i < named.Count ? (string)named[i] : "target_" + i;
                names[i] = name;
                for (var n = 2; !used.Add(names[i]); n++) names[i] = name + " " + n;
            }
            return names;
        }

        /// <summary>The weights of a node's mesh at rest, from 0 to 1.</summary>
        public static float[] Weights(JToken node, JToken mesh)
        {
            return MapMaterial.Numbers(node["weights"] ?? mesh["weights"], new float[Names(mesh).Length]);
        }
    }
}
