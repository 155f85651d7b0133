using System;
using System.Collections.Generic;
using System.Globalization;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace Bsp2Gltf
{
    public enum AlphaMode { Opaque, Mask, Blend }

    /// <summary>The baked light of a material: the extension MOZ_lightmap, or light in its vertices' colours, with our extras.</summary>
    public sealed class BakedLight
    {
        public int Texture = -1; // -1: the light is in COLOR_0
        public int TexCoord = 1;
        public float Intensity = 1;

        /// <summary>The game multiplies texture and light in display space (docs/internals/light.md); false: in linear light, as Source does.</summary>
        public bool Display;
        public float Albedo = LightCurve.DefaultAlbedo;
        public float Exponent = 1;
        public float Gain = 1;
        public float[] EmissionScale = { 1, 1, 1 };

        /// <summary>With light in COLOR_0: the factor by which the file's texture is brighter than the game's, and its light darker.</summary>
        public float Brighter = 1;
    }

    /// <summary>A glTF material in the terms of our shaders. Colours are linear, as glTF has them; a texture of -1 is none.</summary>
    public sealed class MapMaterial
    {
        public string Name;
        public float[] BaseColor = { 1, 1, 1, 1 };
        public int BaseTexture = -1;
        public float[] Emission = { 0, 0, 0 };
        public int EmissionTexture = -1;
        public int NormalTexture = -1;
        public AlphaMode Alpha;
        public float Cutoff = 0.5f;
        public bool DoubleSided;
        public bool Unlit;

        /// <summary>A part of the sky's mesh: shown around the eye.</summary>
        public bool Sky;
        /// <summary>The engine's drawing order: 3 opaque, 4 decals, 9 and 10 blended. The layers of a sky are drawn in this order too.</summary>
        public int Sort;
        /// <summary>Reports whether the file states the order.</summary>
        public bool Sorted;
        /// <summary>The game adds it to the background, or multiplies the background by it, instead of blending.</summary>
        public bool Adds, Multiplies;
        public MaterialMotion Motion = new MaterialMotion();
        /// <summary>Light in the vertices may exceed white: it is the colour divided by its alpha.</summary>
        public bool OverAlpha;

        /// <summary>null for a material without baked light, or with linear light in its vertices, which is glTF's base colour.</summary>
        public BakedLight Light;

        /// <summary>A material that our shaders draw: baked or unlit. Others are lit by the scene's lamps.</summary>
        public bool Baked { get { return Light != null || Unlit; } }

        public static MapMaterial Read(JToken json)
        {
            var extensions = json["extensions"] ?? new JObject();
            var extras = json["extras"] as JObject;
            var pbr = json["pbrMetallicRoughness"] ?? new JObject();
            var m = new MapMaterial
            {
                Name = (string)json["name"] ?? "",
                BaseColor = Numbers(pbr["baseColorFactor"], new float[] { 1, 1, 1, 1 }),
                BaseTexture = Texture(pbr["baseColorTexture"]),
                Emission = Numbers(json["emissiveFactor"], new float[] { 0, 0, 0 }),
                EmissionTexture = Texture(json["emissiveTexture"]),
                NormalTexture = Texture(json["normalTexture"]),
                Cutoff = (float?)json["alphaCutoff"] ?? 0.5f,
                DoubleSided = (bool?)json["doubleSided"] ?? false,
                Unlit = extensions["KHR_materials_unlit"] != null,
                Sky = MapNode.IsSky(json),
                Sort = (int?)extras?["sort"] ?? 3,
                Sorted = extras?["sort"] != null,
                Adds = (string)extras?["blend"] == "add",
                Multiplies = (string)extras?["blend"] == "multiply",
                OverAlpha = extras?["over_alpha"] != null,
                Motion = MaterialMotion.Read(json),
            };
            switch ((string)json["alphaMode"])
            {
                case "MASK": m.Alpha = AlphaMode.Mask; break;
                case "BLEND": m.Alpha = AlphaMode.Blend; break;
            }
            var strength = (float?)(extensions["KHR_materials_emissive_strength"] ?? new JObject())["emissiveStrength"] ?? 1;
            for (var i = 0; i < 3; i++) m.Emission[i] *= strength;
            m.Light = ReadLight(extensions["MOZ_lightmap"]) ?? VertexLight(extensions["KHR_materials_unlit"]);
            if (m.Light != null && m.Light.Texture < 0)
                for (var i = 0; i < 3; i++) m.BaseColor[i] /= m.Light.Brighter;
            return m;
        }

        static BakedLight ReadLight(JToken json)
        {
            if (json == null || json["index"] == null) return null;
            var light = new BakedLight
            {
                Texture = (int)json["index"],
                TexCoord = (int?)json["texCoord"] ?? 0,
                Intensity = (float?)json["intensity"] ?? 1,
            };
            ReadDisplay(light, json);
            return light;
        }

        static BakedLight VertexLight(JToken unlit)
        {
            var light = new BakedLight();
            if (unlit != null) ReadDisplay(light, unlit);
            light.Intensity = light.Brighter;
            return light.Display ? light : null;
        }

        static void ReadDisplay(BakedLight light, JToken extension)
        {
            var display = (extension["extras"] ?? new JObject())["display"];
            if (display == null) return;
            light.Display = true;
            light.Albedo = (float?)display["albedo"] ?? light.Albedo;
            light.Exponent = (float?)display["exponent"] ?? light.Exponent;
            light.Gain = (float?)display["gain"] ?? light.Gain;
            light.Brighter = (float?)display["texture"] ?? light.Brighter;
            light.EmissionScale = Numbers(display["emission"], light.EmissionScale);
        }

        static int Texture(JToken info)
        {
            return info == null ? -1 : (int?)info["index"] ?? -1;
        }

        internal static float[] Numbers(JToken list, float[] otherwise)
        {
            var all = list as JArray;
            if (all == null || all.Count != otherwise.Length) return otherwise;
            var numbers = new float[all.Count];
            for (var i = 0; i < numbers.Length; i++) numbers[i] = (float)all[i];
            return numbers;
        }
    }

    /// <summary>The kind of a node in Unity.</summary>
    public static class MapNode
    {
        /// <summary>A collision solid (geometry.collision=brushes): a convex one, or a curved surface.</summary>
        public static bool IsCollider(JToken node)
        {
            var name = (string)node["name"] ?? "";
            return name.EndsWith("-convcolonly", StringComparison.Ordinal) || name.EndsWith("-colonly", StringComparison.Ordinal);
        }

        /// <summary>Reports whether a collider is a convex solid; otherwise it is a mesh of triangles.</summary>
        public static bool IsConvex(JToken node)
        {
            return ((string)node["name"] ?? "").EndsWith("-convcolonly", StringComparison.Ordinal);
        }

        /// <summary>Reports whether a node or a material is of the sky's mesh.</summary>
        public static bool IsSky(JToken of)
        {
            return (of["extras"] as JObject)?["bsp2gltf_sky"] != null;
        }

        /// <summary>Reports whether a node moves in the game, by its entity's class: it must not be static.</summary>
        public static bool Moves(JToken node)
        {
            var name = ClassName(node);
            if (name == null || name == "worldspawn") return false;
            foreach (var kind in Moving)
                if (name.StartsWith(kind, StringComparison.Ordinal)) return true;
            return false;
        }

        static readonly string[] Moving =
        {
            "func_door", "func_plat", "func_train", "func_track", "func_rotat", "func_button", "func_bobbing", "func_pendulum", "func_move",
            "func_break", "func_phys", "func_push", "func_tank", "func_vehicle", "momentary_", "prop_physics", "prop_dynamic", "prop_door",
        };

        /// <summary>
        /// How the picture of a node turns to the viewer: 0 not at all; 2 parallel to the screen; 3 about the vertical; 4 about the vertical,
        /// towards the eye. These are modes of the shader, whose mode 1 is MaterialMotion.Facing.
        /// </summary>
        public static int Turns(JToken node)
        {
            var extras = node["extras"] as JObject;
            if (!Says(extras, "bsp2gltf_sprite") || !Says(extras, "faces_viewer")) return 0;
            return !Says(extras, "upright") ? 2 : Says(extras, "toward_eye") ? 4 : 3;
        }

        /// <summary>Reports whether a picture has the same size on the screen from everywhere.</summary>
        public static bool Glows(JToken node)
        {
            return Says(node["extras"] as JObject, "glow");
        }

        static bool Says(JObject extras, string key)
        {
            var value = extras?[key];
            return value != null && (value.Type != JTokenType.Boolean || (bool)value);
        }

        public static string ClassName(JToken node)
        {
            return (node["extras"] as JObject)?["classname"]?.ToString();
        }

        /// <summary>An entity's keys and values in their order. Values that are no text keep their JSON form.</summary>
        public static List<KeyValuePair<string, string>> Keys(JToken node)
        {
            var keys = new List<KeyValuePair<string, string>>();
            var extras = node["extras"] as JObject;
            if (extras == null) return keys;
            foreach (var property in extras.Properties())
            {
                var v = property.Value;
                var text = v.Type == JTokenType.String ? (string)v
                    : v is JValue value ? Convert.ToString(value.Value, CultureInfo.InvariantCulture)
                    : v.ToString(Formatting.None);
                keys.Add(new KeyValuePair<string, string>(property.Name, text));
            }
            return keys;
        }
    }
}
