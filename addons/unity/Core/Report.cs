using System.Collections.Generic;
using Newtonsoft.Json.Linq;

namespace Bsp2Gltf
{
    /// <summary>The parts of bsp2gltf's report that we read (docs/reference/report.md).</summary>
    public static class Report
    {
        public static List<string> MissingMaterials(string json)
        {
            var names = new List<string>();
            var materials = JObject.Parse(json)["materials"] as JObject;
            if (materials?["missing"] is JArray missing)
                foreach (var m in missing) names.Add((string)m["material"]);
            return names;
        }

        /// <summary>The first few names, and three dots if there are more.</summary>
        public static string Some(IList<string> names, int most)
        {
            var first = new List<string>();
            for (var i = 0; i < names.Count && i < most; i++) first.Add(names[i]);
            return string.Join(", ", first) + (names.Count > most ? ", …" : "");
        }
    }
}
