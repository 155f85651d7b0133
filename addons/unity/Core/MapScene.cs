using System;
using Newtonsoft.Json.Linq;

namespace Bsp2Gltf
{
    /// <summary>Fog by distance, as docs/internals/materials.md describes it. Colours are linear, distances in metres.</summary>
    public sealed class RangeFog
    {
        public float Start, End, Density;
        public bool Radial;      // by distance from the camera, not by depth along the view
        public float Thickness;  // per metre, of fog that thickens exponentially; 0 for Source's
        public float Power = 1;
        public float Sky;        // the part of the sky that it covers
        public float[] Color;
        public float[] Second;    // colour for a camera that looks against Direction, or null
        public float[] Direction; // in Unity's axes

        public static RangeFog Read(JToken of)
        {
            var extras = of?["extras"] as JObject;
            var fog = extras?["bsp2gltf_range_fog"] as JObject;
            if (fog == null) return null;
            var read = new RangeFog
            {
                Start = (float?)fog["start"] ?? 0,
                End = (float?)fog["end"] ?? 0,
                Density = (float?)fog["density"] ?? 0,
                Radial = (bool?)fog["radial"] ?? false,
                Thickness = (float?)fog["thickness"] ?? 0,
                Power = (float?)fog["power"] ?? 1,
                Sky = (float?)fog["sky"] ?? 0,
                Color = MapMaterial.Numbers(fog["color"], new float[3]),
            };
            var second = fog["second"] as JObject;
            if (second != null)
            {
                read.Second = MapMaterial.Numbers(second["color"], new float[3]);
                read.Direction = Axes.Vectors(MapMaterial.Numbers(second["direction"], new float[] { 1, 0, 0 }));
            }
            return read.End > read.Start && read.Density > 0 ? read : null;
        }
    }

    /// <summary>The properties of the whole map.</summary>
    public sealed class MapScene
    {
        public float Exposure = 1; // multiplies the picture, but not fog
        public float Unit = 0.0254f; // metres per map unit
        public float Gamma = 1;    // the game's default display gamma
        public RangeFog Fog;       // or null
        public RangeFog SkyboxFog; // of the 3D skybox
        public int Skybox = -1;    // the node of the 3D skybox

        public static MapScene Read(GltfFile file)
        {
            var scenes = file.List("scenes");
            var scene = scenes.Count > 0 ? scenes[(int?)file.Root["scene"] ?? 0] : new JObject();
            var extras = scene["extras"] as JObject;
            var read = new MapScene
            {
                Exposure = Positive((float?)extras?["bsp2gltf_exposure"]),
                Unit = Positive((float?)extras?["bsp2gltf_unit"]),
                Gamma = Positive((float?)extras?["bsp2gltf_gamma"]),
                Fog = RangeFog.Read(scene),
            };
            var nodes = file.List("nodes");
            for (var i = 0; i < nodes.Count; i++)
            {
                var own = nodes[i]["extras"] as JObject;
                if (own?["bsp2gltf_skybox_3d"] == null) continue;
                read.Skybox = i;
                read.SkyboxFog = RangeFog.Read(nodes[i]);
            }
            return read;
        }

        static float Positive(float? value)
        {
            return value > 0 && !float.IsInfinity(value.Value) ? value.Value : 1;
        }
    }
}
