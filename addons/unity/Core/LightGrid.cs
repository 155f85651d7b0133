using System;
using Newtonsoft.Json.Linq;

namespace Bsp2Gltf
{
    /// <summary>
    /// The grid of light by which Quake III lights what moves (docs/internals/readers.md, "The light grid"), as bytes, which keep an asset small.
    /// Unity stores it with a component.
    /// </summary>
    [Serializable]
    public sealed class LightGrid
    {
        public int[] size = new int[0];          // samples along three axes; none without a grid
        public float[] origin = new float[0];    // metres, in glTF's axes
        public float[] steps = new float[0];     // three vectors from a sample to the next
        public byte[] ambient = new byte[0], directed = new byte[0]; // sRGB, three a sample
        public byte[] toward = new byte[0];      // the direction to the light: 128 is 0
        public float scale = 1;
        public float albedo, exponent, share, least; // what the game shows of it on models; albedo is 0 where that is linear light

        public bool HasSamples { get { return size.Length == 3; } }

        /// <summary>The grid of a file; without samples where it has none.</summary>
        public static LightGrid Read(GltfFile file)
        {
            var scenes = file.List("scenes");
            var extras = scenes.Count == 0 ? null : scenes[(int?)file.Root["scene"] ?? 0]["extras"] as JObject;
            var grid = extras?["bsp2gltf_light_grid"] as JObject;
            var read = new LightGrid();
            if (grid == null) return read;
            var size = new[] { (int)grid["size"][0], (int)grid["size"][1], (int)grid["size"][2] };
            read.ambient = Bytes(file.Floats((int)grid["ambient"]), 255, 0);
            read.directed = Bytes(file.Floats((int)grid["directed"]), 255, 0);
            read.toward = Bytes(file.Floats((int)grid["toward"]), 127, 128);
            var all = 3L * size[0] * size[1] * size[2];
            if (all <= 0 || read.ambient.Length != all || read.directed.Length != all || read.toward.Length != all) return new LightGrid();
            read.size = size;
            read.origin = MapMaterial.Numbers(grid["origin"], new float[3]);
            read.steps = new float[9];
            for (var axis = 0; axis < 3; axis++) MapMaterial.Numbers(grid["steps"][axis], new float[3]).CopyTo(read.steps, 3 * axis);
            read.scale = (float?)grid["scale"] ?? 1;
            var shown = grid["shown"];
            if (shown == null) return read;
            read.albedo = (float?)shown["albedo"] ?? 0;
            read.exponent = (float?)shown["exponent"] ?? 1;
            read.share = (float?)shown["share"] ?? 1;
            read.least = (float?)shown["least"] ?? 0;
            return read;
        }

        static byte[] Bytes(float[] parts, float most, float zero)
        {
            var bytes = new byte[parts.Length];
            for (var i = 0; i < bytes.Length; i++) bytes[i] = (byte)Math.Round(parts[i] * most + zero);
            return bytes;
        }

        /// <summary>
        /// The light at a place in Unity's axes, as the 28 numbers of ProbeFile: that of the eight samples around it, each the more the nearer.
        /// Those in walls are black and don't count.
        /// </summary>
        public void At(float x, float y, float z, float[] into)
        {
            var from = new[] { -x - origin[0], y - origin[1], z - origin[2] };
            var low = new int[3];
            var part = new float[3];
            for (var axis = 0; axis < 3; axis++)
            {
                float along = 0, square = 0;
                for (var c = 0; c < 3; c++)
                {
                    along += from[c] * steps[3 * axis + c];
                    square += steps[3 * axis + c] * steps[3 * axis + c];
                }
                var place = Math.Max(0, Math.Min(square > 0 ? along / square : 0, size[axis] - 1));
                low[axis] = (int)place;
                part[axis] = place - low[axis];
            }
            float[] a = new float[3], d = new float[3], t = new float[3];
            float sum = 0;
            for (var corner = 0; corner < 8; corner++)
            {
                float weight = 1;
                var n = new int[3];
                for (var axis = 0; axis < 3; axis++)
                {
                    var high = corner >> axis & 1;
                    weight *= high == 1 ? part[axis] : 1 - part[axis];
                    n[axis] = Math.Min(low[axis] + high, size[axis] - 1);
                }
                if (weight > 0) sum += Add(3 * (n[0] + size[0] * (n[1] + size[1] * n[2])), weight, a, d, t);
            }
            for (var c = 0; c < 3 && sum > 0; c++)
            {
                a[c] *= scale / sum;
                d[c] *= scale / sum;
            }
            Shown(a, d);
            t[0] = -t[0];
            Array.Copy(Coefficients(a, d, t), into, ProbeFile.Numbers);
        }

        float Add(int at, float weight, float[] a, float[] d, float[] t)
        {
            var black = true;
            for (var c = 0; c < 3; c++) black &= ambient[at + c] == 0 && directed[at + c] == 0;
            if (black) return 0;
            for (var c = 0; c < 3; c++)
            {
                a[c] += weight * (float)LightCurve.Decode(ambient[at + c] / 255.0);
                d[c] += weight * (float)LightCurve.Decode(directed[at + c] / 255.0);
                t[c] += weight * (toward[at + c] - 128) / 127f;
            }
            return weight;
        }

        /// <summary>The game adds as displayed and ends at white. Both lights so that linear ones show the same without and in full directed light.</summary>
        void Shown(float[] a, float[] d)
        {
            if (albedo <= 0) return;
            double most = Math.Pow(albedo, exponent), one = LightCurve.Decode(albedo);
            for (var c = 0; c < 3; c++)
            {
                var dark = Math.Min(share * LightCurve.Encode(a[c] * one) / most + least, 1);
                var bright = Math.Min(dark + LightCurve.Encode(d[c] * one) / most, 1);
                a[c] = (float)(LightCurve.Decode(most * dark) / one);
                d[c] = (float)(LightCurve.Decode(most * bright) / one) - a[c];
            }
        }

        /// <summary>
        /// Ambient light, and light from a direction, of which a surface sees the cosine where that is above 0: to the second order
        /// 3/32 + cosine / 2 + 15/32 of its square.
        /// </summary>
        public static float[] Coefficients(float[] ambient, float[] directed, float[] toward)
        {
            var all = new float[ProbeFile.Numbers];
            var length = (float)Math.Sqrt(toward[0] * toward[0] + toward[1] * toward[1] + toward[2] * toward[2]);
            for (var c = 0; c < 3; c++)
            {
                all[4 * c + 3] = ambient[c];
                if (length < 1e-4f) continue;
                float x = toward[0] / length, y = toward[1] / length, z = toward[2] / length, d = directed[c], square = d * 15 / 32;
                all[4 * c] = d / 2 * x;
                all[4 * c + 1] = d / 2 * y;
                all[4 * c + 2] = d / 2 * z;
                all[4 * c + 3] += d * 3 / 32 + square * (x * x + y * y) / 2;
                all[12 + 4 * c] = 2 * square * x * y;
                all[13 + 4 * c] = 2 * square * y * z;
                all[14 + 4 * c] = square * (z * z - (x * x + y * y) / 2);
                all[15 + 4 * c] = 2 * square * z * x;
                all[24 + c] = square * (x * x - y * y) / 2;
            }
            return all;
        }
    }
}
