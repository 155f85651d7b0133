using System;
using System.Collections.Generic;
using Newtonsoft.Json.Linq;

namespace Bsp2Gltf
{
    /// <summary>What happens to the coordinates of one texture, and the wave that multiplies its colour.</summary>
    public sealed class TextureMotion
    {
        /// <summary>The most changes of coordinates that the shader makes.</summary>
        public const int Most = 4;

        /// <summary>Eight numbers a change: its kind (MaterialMotion.Kinds), then what the shader's BakedMoved reads.</summary>
        public readonly List<float[]> Changes = new List<float[]>();
        public float[] Warp = { 0, 0, 0, 0 }; // amplitude, angle for a length, speed; at each pixel
        public float[] Wave = { 0, 0, 0, 0 }; // shape, base, amplitude, phase
        public float[] Rate = { 0, 1, 0, 0 }; // frequency, value at rest, 1 if there is a wave
    }

    /// <summary>
    /// How a material moves (docs/internals/readers.md, "Motion"), for the shader. Coordinates point down, as in glTF.
    /// </summary>
    public sealed class MaterialMotion
    {
        static readonly string[] Kinds = { "", "transform", "scroll", "rotate", "stretch", "turb", "ripple" };
        static readonly string[] Deforms = { "", "wave", "move", "bulge", "swell" };
        static readonly string[] Shapes = { "sin", "triangle", "square", "sawtooth", "inversesawtooth", "noise" };

        public readonly TextureMotion Base = new TextureMotion(), Glow = new TextureMotion();
        /// <summary>The most movements of vertices that the shader makes.</summary>
        public const int MostDeforms = 2;

        /// <summary>Twelve numbers for each movement of the vertices: its kind (Deforms), then what the shader's Bsp2GltfDeformed reads.</summary>
        public readonly List<float[]> Deformed = new List<float[]>();

        /// <summary>The greatest distance by which Deformed moves a vertex.</summary>
        public float Reach;

        /// <summary>sprite: each four vertices are a square that faces the viewer; axis: it turns about its long axis; or empty.</summary>
        public string Facing = "";
        public bool Turns { get { return Facing == "sprite" || Facing == "axis"; } }
        public float Clock;
        public int[] Frames = new int[0]; // textures that take turns as base colour
        public float FramesPerSecond;

        /// <summary>Reads a material's extras.motion, and KHR_texture_transform of textures that have no motion of their own.</summary>
        public static MaterialMotion Read(JToken material)
        {
            var motion = (material["extras"] as JObject)?["motion"] as JObject ?? new JObject();
            var made = new MaterialMotion { Clock = (float?)motion["clock"] ?? 0, FramesPerSecond = (float?)motion["fps"] ?? 0 };
            var rest = Inverse(MapMaterial.Numbers(motion["rest"], Still()));
            Coordinates(made.Base, motion["base"] as JArray, rest, material["pbrMetallicRoughness"]?["baseColorTexture"]);
            Coordinates(made.Glow, motion["glow"] as JArray, rest, material["emissiveTexture"]);
            Color(made.Base, motion["color"] as JArray, (float?)motion["color_rest"] ?? 1);
            Color(made.Glow, motion["glow_color"] as JArray, (float?)motion["glow_color_rest"] ?? 1);
            made.Facing = (string)motion["facing"] ?? "";
            foreach (var deform in motion["deform"] as JArray ?? new JArray()) made.Deform(deform);
            var frames = motion["frames"] as JArray;
            if (frames == null || made.FramesPerSecond <= 0) return made;
            made.Frames = new int[frames.Count];
            for (var i = 0; i < frames.Count; i++) made.Frames[i] = (int)frames[i];
            return made;
        }

        static void Coordinates(TextureMotion of, JArray changes, float[] rest, JToken texture)
        {
            if (changes == null || changes.Count == 0)
            {
                Add(of, Transform(texture));
                return;
            }
            var gathered = rest; // maps without time between, as one
            foreach (var change in changes)
            {
                var kind = (string)change[0];
                var n = new float[change is JArray list ? list.Count - 1 : 0];
                for (var i = 0; i < n.Length; i++) n[i] = change[i + 1].Type == JTokenType.String ? Shape(change[i + 1]) : (float)change[i + 1];
                if (kind == "scale" && n.Length >= 2) gathered = After(new[] { n[0], 0, 0, 0, n[1], 0 }, gathered);
                else if (kind == "transform" && n.Length >= 6) gathered = After(n, gathered);
                else
                {
                    Add(of, gathered);
                    gathered = Still();
                    if (kind == "warp" && n.Length >= 3) of.Warp = new[] { n[0], n[1], n[2], 1 };
                    else if (kind == "stretch" && n.Length >= 5) of.Changes.Add(new[] { 4, n[1], n[2], n[3], n[4], n[0], 0, 0 });
                    else if (Array.IndexOf(Kinds, kind) > 1) of.Changes.Add(Numbered(Array.IndexOf(Kinds, kind), n));
                }
            }
            Add(of, gathered);
            if (of.Changes.Count > TextureMotion.Most) of.Changes.Clear(); // as it is at rest, rather than half of it
        }

        void Deform(JToken deform)
        {
            var kind = Array.IndexOf(Deforms, (string)deform[0]);
            var waves = kind == 1 || kind == 2;
            var n = new float[deform is JArray list ? list.Count - 1 : 0];
            for (var i = 0; i < n.Length; i++) n[i] = waves && i == 0 ? Shape(deform[1]) : (float)deform[i + 1];
            if (kind < 1 || n.Length < (kind == 1 ? 6 : kind == 2 ? 8 : kind == 3 ? 3 : 1) || Deformed.Count == MostDeforms) return;
            // Unity's X points the other way.
            Deformed.Add(waves ? new[] { kind, n[0], n[1], n[2], n[3], n[4], kind == 1 ? n[5] : 0, 0, kind == 2 ? -n[5] : 0, kind == 2 ? n[6] : 0, kind == 2 ? n[7] : 0, 0 }
                : new[] { kind, n[0], kind == 3 ? n[1] : 0, kind == 3 ? n[2] : 0, 0, 0, 0, 0, 0, 0, 0, 0 });
            var far = waves ? Math.Abs(n[1]) + Math.Abs(n[2]) : kind == 3 ? Math.Abs(n[1]) : 1.8f * Math.Abs(n[0]);
            Reach += kind == 2 ? far * (float)Math.Sqrt(n[5] * n[5] + n[6] * n[6] + n[7] * n[7]) : far;
        }

        static float[] Numbered(int kind, float[] n)
        {
            var all = new float[8];
            all[0] = kind;
            Array.Copy(n, 0, all, 1, Math.Min(n.Length, 7));
            return all;
        }

        /// <summary>Adds a map of coordinates, if it changes them.</summary>
        static void Add(TextureMotion of, float[] m)
        {
            var still = Still();
            for (var i = 0; i < 6; i++)
            {
                if (Math.Abs(m[i] - still[i]) < 1e-6f) continue;
                of.Changes.Add(Numbered(1, m));
                return;
            }
        }

        static void Color(TextureMotion of, JArray wave, float rest)
        {
            if (wave == null || wave.Count < 5) return;
            of.Wave = new[] { Shape(wave[0]), (float)wave[1], (float)wave[2], (float)wave[3] };
            of.Rate = new[] { (float)wave[4], rest > 0 ? rest : 1, 1, 0 };
        }

        static float Shape(JToken name)
        {
            return Math.Max(Array.IndexOf(Shapes, (string)name), 0);
        }

        /// <summary>KHR_texture_transform as a map of coordinates: scale, then rotation, then offset.</summary>
        static float[] Transform(JToken texture)
        {
            var of = (texture?["extensions"] as JObject)?["KHR_texture_transform"];
            if (of == null) return Still();
            var scale = MapMaterial.Numbers(of["scale"], new float[] { 1, 1 });
            var offset = MapMaterial.Numbers(of["offset"], new float[2]);
            var turn = (float?)of["rotation"] ?? 0;
            float cos = (float)Math.Cos(turn), sin = (float)Math.Sin(turn);
            return new[] { scale[0] * cos, scale[1] * sin, offset[0], -scale[0] * sin, scale[1] * cos, offset[1] };
        }

        static float[] Still()
        {
            return new float[] { 1, 0, 0, 0, 1, 0 };
        }

        /// <summary>The map that does one after another.</summary>
        static float[] After(float[] m, float[] first)
        {
            return new[]
            {
                m[0] * first[0] + m[1] * first[3], m[0] * first[1] + m[1] * first[4], m[0] * first[2] + m[1] * first[5] + m[2],
                m[3] * first[0] + m[4] * first[3], m[3] * first[1] + m[4] * first[4], m[3] * first[2] + m[4] * first[5] + m[5],
            };
        }

        static float[] Inverse(float[] m)
        {
            var n = m[0] * m[4] - m[1] * m[3];
            if (n == 0) return Still();
            return new[] { m[4] / n, -m[1] / n, (m[1] * m[5] - m[2] * m[4]) / n, -m[3] / n, m[0] / n, (m[2] * m[3] - m[0] * m[5]) / n };
        }
    }
}
