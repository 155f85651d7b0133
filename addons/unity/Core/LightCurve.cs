using System;

namespace Bsp2Gltf
{
    /// <summary>
    /// The formulas of Runtime/Shaders/Light.hlsl in C#, for one channel, for tests and tools. docs/internals/light.md explains them.
    /// </summary>
    public static class LightCurve
    {
        /// <summary>The texture brightness at which stored light is exact in a plain viewer.</summary>
        public const float DefaultAlbedo = 0.35f;

        /// <summary>sRGB to linear; the power continues beyond 1.</summary>
        public static double Decode(double c)
        {
            return c <= 0.04045 ? c / 12.92 : Math.Pow((c + 0.055) / 1.055, 2.4);
        }

        /// <summary>Linear to sRGB, the inverse of Decode.</summary>
        public static double Encode(double c)
        {
            return c <= 0.0031308 ? c * 12.92 : 1.055 * Math.Pow(c, 1 / 2.4) - 0.055;
        }

        /// <summary>The factor on a texel: a plain reader's intensity without the gain.</summary>
        public static double Intensity(BakedLight light)
        {
            return light.Intensity / Math.Pow(light.Gain, 2.2);
        }

        /// <summary>
        /// The share of each of the three tilted lights on a texel of a normal map, from its channels, 0 to 1. All are 0 if the normal faces
        /// none of them. glTF's green points up the texture; Source's directions are along U and down V.
        /// </summary>
        public static double[] Shares(double red, double green, double blue)
        {
            double u = (2 * red - 1) / Math.Sqrt(6), v = (1 - 2 * green) / Math.Sqrt(2), up = (2 * blue - 1) / Math.Sqrt(3);
            var shares = new[] { up + 2 * u, up - u + v, up - u - v };
            double sum = 0;
            for (var i = 0; i < 3; i++) sum += shares[i] = Math.Pow(Math.Max(shares[i], 0), 2);
            for (var i = 0; i < 3; i++) shares[i] = sum > 0 ? shares[i] / sum : 0;
            return shares;
        }

        /// <summary>
        /// The linear colour that is shown. All arguments are linear: the base colour (texture, factor, vertex colour unless that is light),
        /// the texel of the lightmap or the vertex's light, the emission. Strength is the user's factor.
        /// </summary>
        public static double Shown(BakedLight light, double baseColor, double texel, double emission, int channel, double strength)
        {
            var x = texel * Intensity(light) * strength;
            if (!light.Display) return baseColor * x + emission;
            var l = light.Gain * Encode(x * Decode(light.Albedo)) / Math.Pow(light.Albedo, light.Exponent);
            var shown = Math.Pow(Encode(baseColor), light.Exponent) * l + Encode(emission) * light.EmissionScale[channel];
            return Decode(Math.Min(shown, 1));
        }
    }

    /// <summary>
    /// Converts glTF's axes to Unity's: Unity's X points the other way, so the winding of triangles is reversed, and its images begin at the
    /// bottom.
    /// </summary>
    public static class Axes
    {
        /// <summary>Positions and normals, three numbers each, in place.</summary>
        public static float[] Vectors(float[] v)
        {
            for (var i = 0; i + 2 < v.Length; i += 3) v[i] = -v[i];
            return v;
        }

        /// <summary>A tangent's X and its sign, because mirroring changes handedness.</summary>
        public static float[] Tangents(float[] v)
        {
            for (var i = 0; i + 3 < v.Length; i += 4)
            {
                v[i] = -v[i];
                v[i + 3] = -v[i + 3];
            }
            return v;
        }

        public static float[] Quaternion(float[] q)
        {
            return new[] { q[0], -q[1], -q[2], q[3] };
        }

        /// <summary>A matrix of sixteen numbers, column by column, in place: the elements between X and another axis change their sign.</summary>
        public static float[] Matrix(float[] m)
        {
            foreach (var i in new[] { 1, 2, 3, 4, 8, 12 }) m[i] = -m[i];
            return m;
        }

        public static float[] UV(float[] v)
        {
            for (var i = 1; i < v.Length; i += 2) v[i] = 1 - v[i];
            return v;
        }

        public static int[] Triangles(int[] t)
        {
            for (var i = 0; i + 2 < t.Length; i += 3)
            {
                var swap = t[i + 1];
                t[i + 1] = t[i + 2];
                t[i + 2] = swap;
            }
            return t;
        }
    }
}
