using System;
using System.Collections.Generic;
using Newtonsoft.Json.Linq;

namespace Bsp2Gltf
{
    /// <summary>The joints of a skinned mesh, with the matrix that transforms its vertices into each joint's space, in Unity's axes.</summary>
    public sealed class MapSkin
    {
        public int[] Joints;
        public float[][] BindPoses; // sixteen numbers each, column after column
        public int Binds;           // the accessor of the matrices, which identifies the skin; -1 for none

        public static MapSkin Read(GltfFile file, int index)
        {
            var json = file.List("skins")[index];
            var joints = (JArray)json["joints"];
            var skin = new MapSkin { Joints = new int[joints.Count], BindPoses = new float[joints.Count][], Binds = (int?)json["inverseBindMatrices"] ?? -1 };
            var all = skin.Binds < 0 ? null : file.Floats(skin.Binds);
            for (var i = 0; i < joints.Count; i++)
            {
                skin.Joints[i] = (int)joints[i];
                skin.BindPoses[i] = new float[] { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
                if (all != null) Buffer.BlockCopy(all, i * 64, skin.BindPoses[i], 0, 64);
                Axes.Matrix(skin.BindPoses[i]);
            }
            return skin;
        }

        /// <summary>
        /// The four joints that move a vertex the most, and their weights, which add up to 1; from all sets of joints of a primitive.
        /// The result is by vertex: four joints, four weights.
        /// </summary>
        public static void Weights(GltfFile file, JToken attributes, int count, out int[] joints, out float[] weights)
        {
            joints = new int[count * 4];
            weights = new float[count * 4];
            for (var set = 0; attributes["JOINTS_" + set] != null; set++)
            {
                var j = file.Floats((int)attributes["JOINTS_" + set]);
                var w = file.Floats((int)attributes["WEIGHTS_" + set]);
                for (var i = 0; i < count * 4; i++) Keep(joints, weights, i / 4 * 4, (int)j[i], w[i]);
            }
            for (var i = 0; i < count; i++)
            {
                var sum = weights[4 * i] + weights[4 * i + 1] + weights[4 * i + 2] + weights[4 * i + 3];
                if (sum <= 0) weights[4 * i] = sum = 1;
                for (var k = 0; k < 4; k++) weights[4 * i + k] /= sum;
            }
        }

        static void Keep(int[] joints, float[] weights, int start, int joint, float weight)
        {
            for (var k = start; k < start + 4 && weight > 0; k++)
            {
                if (weights[k] >= weight) continue;
                var j = joints[k];
                var w = weights[k];
                joints[k] = joint;
                weights[k] = weight;
                joint = j;
                weight = w;
            }
        }

        /// <summary>The bounding box, as centre and size, of positions in the space of a joint at rest.</summary>
        public static float[] Bounds(IList<float> positions, float[] bind)
        {
            float[] low = { float.MaxValue, float.MaxValue, float.MaxValue }, high = { float.MinValue, float.MinValue, float.MinValue };
            for (var i = 0; i + 2 < positions.Count; i += 3)
                for (var c = 0; c < 3; c++)
                {
                    var at = bind[c] * positions[i] + bind[4 + c] * positions[i + 1] + bind[8 + c] * positions[i + 2] + bind[12 + c];
                    low[c] = Math.Min(low[c], at);
                    high[c] = Math.Max(high[c], at);
                }
            var box = new float[6];
            for (var c = 0; c < 3 && positions.Count >= 3; c++)
            {
                box[c] = (low[c] + high[c]) / 2;
                box[3 + c] = high[c] - low[c];
            }
            return box;
        }
    }
}
