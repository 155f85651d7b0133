using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using Newtonsoft.Json.Linq;

namespace Bsp2Gltf
{
    /// <summary>
    /// A .gltf with its buffers, or a .glb. It reads what bsp2gltf writes: no compression, images in files or in the buffer. Anything else
    /// is an InvalidDataException.
    /// </summary>
    public sealed class GltfFile
    {
        const uint Magic = 0x46546C67, JsonChunk = 0x4E4F534A, BinaryChunk = 0x004E4942;

        public readonly JObject Root;
        readonly string folder;
        readonly byte[] binary; // of a .glb
        readonly Dictionary<int, byte[]> buffers = new Dictionary<int, byte[]>();

        GltfFile(JObject root, string folder, byte[] binary)
        {
            Root = root;
            this.folder = folder;
            this.binary = binary;
        }

        public static GltfFile Open(string path)
        {
            var data = File.ReadAllBytes(path);
            var folder = Path.GetDirectoryName(path);
            if (data.Length < 4 || BitConverter.ToUInt32(data, 0) != Magic)
                return new GltfFile(JObject.Parse(Encoding.UTF8.GetString(data)), folder, null);
            JObject root = null;
            byte[] binary = null;
            for (var at = 12; at + 8 <= data.Length;)
            {
                var length = BitConverter.ToUInt32(data, at);
                var kind = BitConverter.ToUInt32(data, at + 4);
                if (length > data.Length - at - 8) throw new InvalidDataException("a chunk ends after the file");
                if (kind == JsonChunk) root = JObject.Parse(Encoding.UTF8.GetString(data, at + 8, (int)length));
                if (kind == BinaryChunk)
                {
                    binary = new byte[length];
                    Buffer.BlockCopy(data, at + 8, binary, 0, (int)length);
                }
                at += 8 + (int)length;
            }
            if (root == null) throw new InvalidDataException("a .glb without JSON");
            return new GltfFile(root, folder, binary);
        }

        /// <summary>The objects of one of the file's lists, such as "nodes"; empty if the file has no such list.</summary>
        public IList<JToken> List(string name)
        {
            return Root[name] as JArray ?? (IList<JToken>)new JToken[0];
        }

        /// <summary>The numbers of an accessor in order; normalised integers as 0 to 1 or -1 to 1.</summary>
        public float[] Floats(int accessor)
        {
            var view = new View(this, List("accessors")[accessor], "accessor " + accessor);
            var all = new float[view.Count * view.Width];
            for (var i = 0; i < all.Length && view.HasBytes; i++) all[i] = view.Float(i);
            if (List("accessors")[accessor]["sparse"] is JObject sparse) Replace(all, view.Width, accessor, sparse);
            return all;
        }

        /// <summary>Replaces some elements of an accessor, as sparse accessors say.</summary>
        void Replace(float[] all, int width, int accessor, JObject sparse)
        {
            var places = new View(this, Part(sparse["indices"], sparse["count"], "SCALAR", sparse["indices"]["componentType"]), "indices of accessor " + accessor);
            var of = List("accessors")[accessor];
            var values = new View(this, Part(sparse["values"], sparse["count"], (string)of["type"], of["componentType"]), "values of accessor " + accessor);
            for (var i = 0; i < places.Count; i++)
            {
                var at = places.Integer(i);
                if (at < 0 || (long)(at + 1) * width > all.Length) throw new InvalidDataException("accessor " + accessor + " replaces element " + at);
                for (var c = 0; c < width; c++) all[at * width + c] = values.Float(i * width + c);
            }
        }

        static JObject Part(JToken of, JToken count, string type, JToken componentType)
        {
            var part = new JObject { ["bufferView"] = of["bufferView"], ["componentType"] = componentType, ["count"] = count, ["type"] = type };
            if (of["byteOffset"] != null) part["byteOffset"] = of["byteOffset"];
            return part;
        }

        public int[] Indices(int accessor)
        {
            var view = new View(this, List("accessors")[accessor], "accessor " + accessor);
            if (!view.HasBytes || List("accessors")[accessor]["sparse"] != null) throw new InvalidDataException("accessor " + accessor + " is sparse");
            var all = new int[view.Count];
            for (var i = 0; i < all.Length; i++) all[i] = view.Integer(i);
            return all;
        }

        /// <summary>The count of numbers in an element of an accessor: 3 for VEC3.</summary>
        public int Width(int accessor)
        {
            return new View(this, List("accessors")[accessor], "accessor " + accessor).Width;
        }

        /// <summary>The path of a texture's image beside the .gltf, or null if the image is in the buffer.</summary>
        public string ImagePath(int texture)
        {
            return PathOf(Image(texture));
        }

        string PathOf(JToken image)
        {
            var uri = (string)image["uri"];
            return uri == null ? null : Path.Combine(folder, Uri.UnescapeDataString(uri));
        }

        public string ImageName(int texture)
        {
            var image = Image(texture);
            return (string)image["name"] ?? (string)image["uri"] ?? "texture_" + texture;
        }

        /// <summary>Reports whether a texture is a page of light or of its directions, which must not be compressed or have mipmaps.</summary>
        public bool IsPage(int texture)
        {
            return IsPage(Image(texture));
        }

        static bool IsPage(JToken image)
        {
            return ((string)(image["extras"] as JObject)?["bsp2gltf"] ?? "").StartsWith("light", StringComparison.Ordinal);
        }

        /// <summary>The paths of the lightmap pages beside the file, and whether each has colours or directions.</summary>
        public Dictionary<string, bool> Pages()
        {
            var pages = new Dictionary<string, bool>();
            foreach (var image in List("images"))
                if (IsPage(image) && PathOf(image) != null)
                    pages[Path.GetFullPath(PathOf(image))] = !((string)image["extras"]["bsp2gltf"]).StartsWith("light direction", StringComparison.Ordinal);
            return pages;
        }

        /// <summary>The bytes of a texture's PNG or JPEG.</summary>
        public byte[] ImageBytes(int texture)
        {
            return BytesOf(Image(texture));
        }

        /// <summary>
        /// The bytes of the three pages with the light from tilted directions (lightmap.bump=pages) that belong to a page of light, or
        /// null. They have the layout of that page, and no texture refers to them.
        /// </summary>
        public byte[][] TiltedPages(int lightmap)
        {
            var name = (string)Image(lightmap)["name"];
            var pages = new byte[3][];
            foreach (var image in List("images"))
                for (var i = 0; i < 3; i++)
                    if (name != null && (string)image["name"] == name + "_bump" + (i + 1)) pages[i] = BytesOf(image);
            return Array.IndexOf(pages, null) < 0 ? pages : null;
        }

        byte[] BytesOf(JToken image)
        {
            var path = PathOf(image);
            if (path != null) return File.ReadAllBytes(path);
            var view = List("bufferViews")[(int)image["bufferView"]];
            var part = new byte[(int)view["byteLength"]];
            Buffer.BlockCopy(Bytes((int)view["buffer"]), (int?)view["byteOffset"] ?? 0, part, 0, part.Length);
            return part;
        }

        /// <summary>Reports whether a texture repeats, along u and along v.</summary>
        public bool[] Repeats(int texture)
        {
            var sampler = (int?)List("textures")[texture]["sampler"];
            var s = sampler == null ? new JObject() : List("samplers")[sampler.Value];
            return new[] { ((int?)s["wrapS"] ?? 10497) != 33071, ((int?)s["wrapT"] ?? 10497) != 33071 };
        }

        JToken Image(int texture)
        {
            return List("images")[(int)List("textures")[texture]["source"]];
        }

        byte[] Bytes(int buffer)
        {
            if (!buffers.TryGetValue(buffer, out var bytes))
            {
                var uri = (string)List("buffers")[buffer]["uri"];
                bytes = uri == null ? binary : File.ReadAllBytes(Path.Combine(folder, Uri.UnescapeDataString(uri)));
                if (bytes == null) throw new InvalidDataException("buffer " + buffer + " is nowhere");
                buffers[buffer] = bytes;
            }
            return bytes;
        }

        /// <summary>An accessor: elements of Width numbers each, Stride bytes apart.</summary>
        struct View
        {
            public readonly int Count, Width;
            readonly byte[] bytes;
            readonly int start, stride, type;
            readonly bool normalized;

            /// <summary>Reports whether the file has bytes of the elements. Otherwise they are all zero.</summary>
            public bool HasBytes { get { return bytes != null; } }

            public View(GltfFile file, JToken a, string name)
            {
                type = (int)a["componentType"];
                normalized = (bool?)a["normalized"] ?? false;
                Count = (int)a["count"];
                bytes = null;
                start = stride = 0;
                if (!Widths.TryGetValue((string)a["type"] ?? "", out Width)) throw new InvalidDataException(name + " is of type " + a["type"]);
                if (Count < 0 || Count > 1 << 24) throw new InvalidDataException(name + " has " + Count + " elements");
                if (a["bufferView"] == null) return;
                var view = file.List("bufferViews")[(int)a["bufferView"]];
                stride = (int?)view["byteStride"] ?? Width * Size(type);
                start = ((int?)view["byteOffset"] ?? 0) + ((int?)a["byteOffset"] ?? 0);
                bytes = file.Bytes((int)view["buffer"]);
                if (Count > 0 && start + (long)(Count - 1) * stride + Width * Size(type) > bytes.Length)
                    throw new InvalidDataException(name + " ends after its buffer");
            }

            static readonly Dictionary<string, int> Widths = new Dictionary<string, int>
                { { "SCALAR", 1 }, { "VEC2", 2 }, { "VEC3", 3 }, { "VEC4", 4 }, { "MAT4", 16 } };

            static int Size(int type)
            {
                switch (type)
                {
                    case 5120: case 5121: return 1;
                    case 5122: case 5123: return 2;
                    case 5125: case 5126: return 4;
                }
                throw new InvalidDataException("component type " + type);
            }

            public float Float(int i)
            {
                if (type == 5126) return BitConverter.ToSingle(bytes, At(i));
                var n = Integer(i);
                if (!normalized) return n;
                switch (type)
                {
                    case 5120: return Math.Max(n / 127f, -1);
                    case 5121: return n / 255f;
                    case 5122: return Math.Max(n / 32767f, -1);
                    case 5123: return n / 65535f;
                }
                return n;
            }

            public int Integer(int i)
            {
                var at = At(i);
                switch (type)
                {
                    case 5120: return (sbyte)bytes[at];
                    case 5121: return bytes[at];
                    case 5122: return BitConverter.ToInt16(bytes, at);
                    case 5123: return BitConverter.ToUInt16(bytes, at);
                    case 5125: return checked((int)BitConverter.ToUInt32(bytes, at));
                }
                throw new InvalidDataException("an index of component type " + type);
            }

            int At(int i)
            {
                return start + i / Width * stride + i % Width * Size(type);
            }
        }
    }
}
