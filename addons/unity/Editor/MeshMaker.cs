using System.Collections.Generic;
using Newtonsoft.Json.Linq;
using UnityEngine;
using UnityEngine.Rendering;

namespace Bsp2Gltf
{
    /// <summary>
    /// Makes a mesh of glTF primitives, one submesh each, with their morph targets as blend shapes. If some have normals or colours, the others
    /// get default ones. Squares that turn to the viewer have what the shader needs for that in the third and fourth texture coordinates.
    /// </summary>
    sealed class MeshMaker
    {
        readonly GltfFile file;
        readonly List<Vector3> positions = new List<Vector3>(), normals = new List<Vector3>();
        readonly List<Vector4> tangents = new List<Vector4>();
        readonly List<Vector2> uv = new List<Vector2>(), uv2 = new List<Vector2>();
        readonly List<Color> colors = new List<Color>();
        readonly List<int[]> submeshes = new List<int[]>();
        readonly List<BoneWeight> bones = new List<BoneWeight>();
        readonly List<Vector4> squares = new List<Vector4>(), squareAxes = new List<Vector4>();
        List<Vector3>[] moved, turned; // by morph target: how far vertices and normals move
        bool anyTangent, anyColor, anySquare;
        float reach; // how far the shader moves a vertex at most

        public MeshMaker(GltfFile file)
        {
            this.file = file;
        }

        /// <summary>The mesh of a glTF mesh; skin is null for one without bones.</summary>
        public Mesh Make(JToken of, MapSkin skin)
        {
            var targets = MorphTargets.Names(of);
            moved = Lists(targets.Length);
            turned = Lists(targets.Length);
            foreach (var primitive in of["primitives"]) Add(primitive, skin != null);
            var mesh = new Mesh { indexFormat = positions.Count > 65535 ? IndexFormat.UInt32 : IndexFormat.UInt16 };
            mesh.SetVertices(positions);
            mesh.SetNormals(normals);
            if (anyTangent) mesh.SetTangents(tangents);
            mesh.SetUVs(0, uv);
            mesh.SetUVs(1, uv2);
            if (anySquare)
            {
                mesh.SetUVs(2, squares);
                mesh.SetUVs(3, squareAxes);
            }
            if (anyColor) mesh.SetColors(colors);
            mesh.subMeshCount = submeshes.Count;
            for (var i = 0; i < submeshes.Count; i++) mesh.SetTriangles(submeshes[i], i);
            if (skin != null)
            {
                mesh.boneWeights = bones.ToArray();
                mesh.bindposes = Poses(skin);
            }
            for (var i = 0; i < targets.Length; i++) mesh.AddBlendShapeFrame(targets[i], 100, moved[i].ToArray(), turned[i].ToArray(), null);
            mesh.bounds = Box();
            return mesh;
        }

        static List<Vector3>[] Lists(int count)
        {
            var lists = new List<Vector3>[count];
            for (var i = 0; i < count; i++) lists[i] = new List<Vector3>();
            return lists;
        }

        /// <summary>The box of all vertices, also where morph targets and the shader move them.</summary>
        Bounds Box()
        {
            if (positions.Count == 0) return new Bounds(new Vector3(0, 0, 0), new Vector3(0, 0, 0));
            Vector3 low = positions[0], high = positions[0];
            for (var i = 0; i < positions.Count; i++)
            {
                Vector3 at = positions[i], least = new Vector3(0, 0, 0), most = new Vector3(0, 0, 0);
                foreach (var target in moved)
                {
                    least = Vector3.Min(least, target[i]);
                    most = Vector3.Max(most, target[i]);
                }
                low = Vector3.Min(low, at + least);
                high = Vector3.Max(high, at + most);
            }
            var more = new Vector3(2 * reach, 2 * reach, 2 * reach);
            return new Bounds((low + high) * 0.5f, high - low + more);
        }

        static Matrix4x4[] Poses(MapSkin skin)
        {
            var poses = new Matrix4x4[skin.Joints.Length];
            for (var i = 0; i < poses.Length; i++)
            {
                var m = skin.BindPoses[i];
                poses[i] = new Matrix4x4(new Vector4(m[0], m[1], m[2], m[3]), new Vector4(m[4], m[5], m[6], m[7]),
                    new Vector4(m[8], m[9], m[10], m[11]), new Vector4(m[12], m[13], m[14], m[15]));
            }
            return poses;
        }

        void Weigh(JToken attributes, int count)
        {
            MapSkin.Weights(file, attributes, count, out var joints, out var weights);
            for (var i = 0; i < 4 * count; i += 4)
                bones.Add(new BoneWeight
                {
                    boneIndex0 = joints[i], boneIndex1 = joints[i + 1], boneIndex2 = joints[i + 2], boneIndex3 = joints[i + 3],
                    weight0 = weights[i], weight1 = weights[i + 1], weight2 = weights[i + 2], weight3 = weights[i + 3],
                });
        }

        void Add(JToken primitive, bool boned)
        {
            var attributes = primitive["attributes"];
            var start = positions.Count;
            var p = Axes.Vectors(file.Floats((int)attributes["POSITION"]));
            var count = p.Length / 3;
            var n = Axes.Vectors(Attribute(attributes, "NORMAL", count, 0, 1, 0));
            var t = Axes.Tangents(Attribute(attributes, "TANGENT", count, 1, 0, 0, 1));
            var a = Axes.UV(Attribute(attributes, "TEXCOORD_0", count, 0, 1));
            var b = Axes.UV(Attribute(attributes, "TEXCOORD_1", count, 0, 1));
            var c = Attribute(attributes, "COLOR_0", count, 1, 1, 1, 1);
            var width = c.Length / count;
            anyTangent |= attributes["TANGENT"] != null;
            anyColor |= attributes["COLOR_0"] != null;
            for (var i = 0; i < count; i++)
            {
                positions.Add(new Vector3(p[3 * i], p[3 * i + 1], p[3 * i + 2]));
                normals.Add(new Vector3(n[3 * i], n[3 * i + 1], n[3 * i + 2]));
                tangents.Add(new Vector4(t[4 * i], t[4 * i + 1], t[4 * i + 2], t[4 * i + 3]));
                uv.Add(new Vector2(a[2 * i], a[2 * i + 1]));
                uv2.Add(new Vector2(b[2 * i], b[2 * i + 1]));
                colors.Add(new Color(c[width * i], c[width * i + 1], c[width * i + 2], width == 4 ? c[width * i + 3] : 1));
            }
            if (boned) Weigh(attributes, count);
            Morph(primitive["targets"] as JArray, count);
            Turn(primitive, count);
            var triangles = Axes.Triangles(file.Indices((int)primitive["indices"]));
            for (var i = 0; i < triangles.Length; i++) triangles[i] += start;
            submeshes.Add(triangles);
        }

        void Morph(JArray targets, int count)
        {
            for (var i = 0; i < moved.Length; i++)
            {
                var target = targets == null || i >= targets.Count ? new JObject() : targets[i];
                var p = Axes.Vectors(Attribute(target, "POSITION", count, 0, 0, 0));
                var n = Axes.Vectors(Attribute(target, "NORMAL", count, 0, 0, 0));
                for (var k = 0; k < 3 * count; k += 3)
                {
                    moved[i].Add(new Vector3(p[k], p[k + 1], p[k + 2]));
                    turned[i].Add(new Vector3(n[k], n[k + 1], n[k + 2]));
                }
            }
        }

        void Turn(JToken primitive, int count)
        {
            var motion = primitive["material"] == null ? null : MapMaterial.Read(file.List("materials")[(int)primitive["material"]]).Motion;
            TurningSquares turning = null;
            if (motion != null && motion.Turns)
            {
                var attributes = primitive["attributes"];
                turning = new TurningSquares(file.Floats((int)attributes["POSITION"]), Attribute(attributes, "NORMAL", count, 0, 0, 1), motion.Facing == "axis");
                Axes.Vectors(turning.Middles);
                Axes.Vectors(turning.Axes);
                anySquare = true;
            }
            if (motion != null) reach = System.Math.Max(reach, motion.Reach + (turning == null ? 0 : 2 * turning.Reach));
            for (var i = 0; i < count; i++)
            {
                squares.Add(turning == null ? new Vector4() : new Vector4(turning.Middles[3 * i], turning.Middles[3 * i + 1], turning.Middles[3 * i + 2], turning.Places[2 * i]));
                squareAxes.Add(turning == null ? new Vector4() : new Vector4(turning.Axes[3 * i], turning.Axes[3 * i + 1], turning.Axes[3 * i + 2], turning.Places[2 * i + 1]));
            }
        }

        /// <summary>An attribute of count vertices; if the primitive lacks it, a default for each vertex.</summary>
        float[] Attribute(JToken attributes, string name, int count, params float[] plain)
        {
            if (attributes[name] != null) return file.Floats((int)attributes[name]);
            var all = new float[count * plain.Length];
            for (var i = 0; i < all.Length; i++) all[i] = plain[i % plain.Length];
            return all;
        }
    }
}
