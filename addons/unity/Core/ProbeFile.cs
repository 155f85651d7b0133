using System;
using System.IO;
using Newtonsoft.Json.Linq;

namespace Bsp2Gltf
{
    /// <summary>
    /// Light probes of a map (docs/internals/readers.md, "Light probes"), in Unity's axes, as the seven vectors by which Unity's shaders light moving
    /// objects: unity_SHAr, SHAg, SHAb, SHBr, SHBg, SHBb, SHC.
    /// </summary>
    public sealed class ProbeFile
    {
        public const int Numbers = 28;
        public float[] Positions; // three numbers a probe
        public float[] Light;     // 28 numbers a probe

        public static ProbeFile Open(string path)
        {
            var probes = JObject.Parse(File.ReadAllText(path))["probes"] as JArray;
            if (probes == null) throw new InvalidDataException(path + " has no probes");
            var read = new ProbeFile { Positions = new float[3 * probes.Count], Light = new float[Numbers * probes.Count] };
            for (var i = 0; i < probes.Count; i++)
            {
                var position = probes[i]["position"];
                for (var c = 0; c < 3; c++) read.Positions[3 * i + c] = (float)position[c] * (c == 0 ? -1 : 1);
                var light = probes[i]["light"];
                var sides = new float[6][];
                for (var s = 0; s < 6; s++)
                {
                    sides[s] = new float[3];
                    for (var c = 0; c < 3; c++) sides[s][c] = (float)light[s][c];
                }
                Array.Copy(Coefficients(sides), 0, read.Light, Numbers * i, Numbers);
            }
            return read;
        }

        /// <summary>
        /// The spherical harmonics nearest to a cube of light, in which a normal n gets the light of each side that it faces times the square of its
        /// component. Half the sum of two opposite sides is exact. Half their difference is approximated linearly in n, best with a factor
        /// of three quarters. sides are glTF's +X, -X, +Y, -Y, +Z, -Z; X points the other way in Unity.
        /// </summary>
        public static float[] Coefficients(float[][] sides)
        {
            var all = new float[Numbers];
            for (var c = 0; c < 3; c++)
            {
                float x = (sides[0][c] + sides[1][c]) / 2, y = (sides[2][c] + sides[3][c]) / 2, z = (sides[4][c] + sides[5][c]) / 2;
                var upright = (z - (x + y) / 2) / 3;
                all[4 * c] = 0.75f * (sides[1][c] - sides[0][c]) / 2;
                all[4 * c + 1] = 0.75f * (sides[2][c] - sides[3][c]) / 2;
                all[4 * c + 2] = 0.75f * (sides[4][c] - sides[5][c]) / 2;
                all[4 * c + 3] = (x + y + z) / 3 - upright;
                all[12 + 4 * c + 2] = 3 * upright;
                all[24 + c] = (x - y) / 2;
            }
            return all;
        }

        /// <summary>The light that Unity's shaders compute from these numbers for a normal (ShadeSH9 of UnityCG.cginc): red, green, blue.</summary>
        public static float[] Shade(float[] c, float x, float y, float z)
        {
            var shown = new float[3];
            for (var i = 0; i < 3; i++)
                shown[i] = c[4 * i] * x + c[4 * i + 1] * y + c[4 * i + 2] * z + c[4 * i + 3] +
                    c[12 + 4 * i] * x * y + c[13 + 4 * i] * y * z + c[14 + 4 * i] * z * z + c[15 + 4 * i] * z * x + c[24 + i] * (x * x - y * y);
            return shown;
        }
    }
}
