using System;

namespace Bsp2Gltf
{
    /// <summary>
    /// What the shader needs to turn each four vertices of a mesh to the viewer (docs/internals/readers.md, "facing"), in the file's axes: by
    /// vertex the middle of its square, its place to the right and up of that, and the axis about which the square turns, or zeros.
    /// </summary>
    public sealed class TurningSquares
    {
        public readonly float[] Middles, Axes, Places;

        /// <summary>The greatest distance of a vertex from the middle of its square.</summary>
        public readonly float Reach;

        public TurningSquares(float[] positions, float[] normals, bool aboutAxis)
        {
            var count = positions.Length / 3;
            Middles = new float[positions.Length];
            Axes = new float[positions.Length];
            Places = new float[2 * count];
            for (var first = 0; first < count; first += 4)
            {
                var n = Math.Min(4, count - first);
                var middle = new float[3];
                for (var i = 0; i < n; i++)
                    for (var c = 0; c < 3; c++) middle[c] += positions[3 * (first + i) + c] / n;
                var facing = At(normals, first);
                var along = aboutAxis && n == 4 ? LongAxis(positions, first) : null;
                var high = along ?? (Math.Abs(facing[1]) < 0.9f ? new float[] { 0, 1, 0 } : new float[] { 0, 0, -1 });
                var tilt = Dot(high, facing);
                var up = Unit(new[] { high[0] - facing[0] * tilt, high[1] - facing[1] * tilt, high[2] - facing[2] * tilt });
                var right = Unit(Cross(up, facing));
                for (var i = first; i < first + n; i++)
                {
                    var from = Minus(At(positions, i), middle);
                    Array.Copy(middle, 0, Middles, 3 * i, 3);
                    if (along != null) Array.Copy(along, 0, Axes, 3 * i, 3);
                    Places[2 * i] = Dot(from, right);
                    Places[2 * i + 1] = Dot(from, up);
                    Reach = Math.Max(Reach, (float)Math.Sqrt(Dot(from, from)));
                }
            }
        }

        /// <summary>The direction in which a square is longer. Of its six ways two are short, two long and two diagonal.</summary>
        static float[] LongAxis(float[] positions, int first)
        {
            var ways = new float[6][];
            var n = 0;
            for (var a = 0; a < 4; a++)
                for (var b = a + 1; b < 4; b++) ways[n++] = Minus(At(positions, first + b), At(positions, first + a));
            Array.Sort(ways, (p, q) => Dot(p, p).CompareTo(Dot(q, q)));
            return Unit(ways[2]);
        }

        static float[] At(float[] list, int i)
        {
            return new[] { list[3 * i], list[3 * i + 1], list[3 * i + 2] };
        }

        static float[] Minus(float[] a, float[] b)
        {
            return new[] { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
        }

        static float Dot(float[] a, float[] b)
        {
            return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        }

        static float[] Cross(float[] a, float[] b)
        {
            return new[] { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
        }

        static float[] Unit(float[] v)
        {
            var length = (float)Math.Sqrt(Dot(v, v));
            return length > 0 ? new[] { v[0] / length, v[1] / length, v[2] / length } : v;
        }
    }
}
