using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Bsp2Gltf;
using Newtonsoft.Json.Linq;

/// <summary>Tests of addons/unity/Core that need no Unity. usage: Tests.exe BSP2GLTF MAP FOLDER</summary>
static class Tests
{
    static int failures;

    static void Check(bool ok, string what)
    {
        if (!ok) failures++;
        Console.WriteLine((ok ? "ok   " : "FAIL ") + what);
    }

    static void Near(double have, double want, string what)
    {
        Check(Math.Abs(have - want) < 1e-4, what + ": " + have + ", want " + want);
    }

    static int Main(string[] args)
    {
        Curve();
        Directions();
        Materials();
        Nodes();
        Tilted(args[0], Path.Combine(Path.GetDirectoryName(args[1]), "bump.bsp"), args[2]);
        Found(args[2]);
        CommandLine(Path.GetFullPath(args[0]));
        Conversion(args[0], args[1], args[2]);
        var testdata = Path.Combine(Path.GetDirectoryName(args[1]), "..", "..");
        Rigged(Converted(args[0], Path.Combine(testdata, "goldsrc", "maps", "entities.bsp"), args[2]));
        Doors(Converted(args[0], Path.Combine(testdata, "features", "maps", "playground.bsp"), args[2]));
        Surroundings(Converted(args[0], Path.Combine(testdata, "source", "maps", "sky3d.bsp"), args[2]));
        Probes(Converted(args[0], Path.Combine(testdata, "source", "maps", "litprops.bsp"), args[2]), Path.Combine(args[2], "litprops_probes.json"));
        Converter.Run(new Conversion { Program = args[0], Map = Path.Combine(testdata, "source", "maps", "models.bsp"), Output = Path.Combine(args[2], "models.gltf"), Levels = true },
            () => false); // for BuilderTests
        Grid(Converted(args[0], Path.Combine(testdata, "features", "maps", "lightgrid.bsp"), args[2]));
        Motion();
        Deforms();
        Squares();
        Solids();
        Sparse(args[2]);
        Converted(args[0], Path.Combine(testdata, "features", "maps", "billboards.bsp"), args[2]); // for BuilderTests
        Malformed(args[2]);
        return failures == 0 ? 0 : 1;
    }

    static void Curve()
    {
        foreach (var c in new[] { 0, 0.001, 0.02, 0.04045, 0.2, 0.5, 1, 2.5 }) Near(LightCurve.Encode(LightCurve.Decode(c)), c, "encode(decode(" + c + "))");
        Near(LightCurve.Decode(0.5), 0.21404, "decode(0.5)"); // ((0.5 + 0.055) / 1.055)^2.4

        // Linear light: 0.5 x 0.25 x 2 + 0.1.
        var linear = new BakedLight { Intensity = 2 };
        Near(LightCurve.Shown(linear, 0.5, 0.25, 0.1, 0, 1), 0.35, "linear light");

        // The writer stores d(albedo l) / d(albedo) for light l. A texture of any brightness t must then be shown as t l.
        foreach (var l in new[] { 0.1, 0.5, 1, 1.4 })
        foreach (var t in new[] { 0.1, 0.35, 0.6 })
        {
            var light = new BakedLight { Display = true, Albedo = 0.35f, Exponent = 1 };
            var stored = LightCurve.Decode(0.35 * l) / LightCurve.Decode(0.35);
            Near(LightCurve.Encode(LightCurve.Shown(light, LightCurve.Decode(t), stored, 0, 0, 1)), Math.Min(t * l, 1), "texture " + t + " in light " + l);
        }
        // The same with an exponent of 0.8, emission of 0.2 as displayed, and its factor of 0.5 in the second channel.
        var bent = new BakedLight { Display = true, Albedo = 0.35f, Exponent = 0.8f, EmissionScale = new[] { 1f, 0.5f, 1f } };
        var x = LightCurve.Decode(Math.Pow(0.35, 0.8) * 0.7) / LightCurve.Decode(0.35);
        Near(LightCurve.Encode(LightCurve.Shown(bent, LightCurve.Decode(0.5), x, LightCurve.Decode(0.2), 1, 1)), Math.Pow(0.5, 0.8) * 0.7 + 0.1, "exponent and emission");
        Near(LightCurve.Shown(bent, 1, 9, 1, 0, 1), 1, "the sum ends at white");
        // The table of docs/internals/light.md, and a gain of 2, which intensity has as 2^2.2.
        foreach (var row in new[] { new[] { 1, 1, 1, 0.4271 }, new[] { 4, 1, 1, 0.8347 }, new[] { 1, 0.8, 1, 0.3834 }, new[] { 4.59479, 1, 2, 0.8542 } })
        {
            var light = new BakedLight { Display = true, Albedo = 0.35f, Intensity = (float)row[0], Exponent = (float)row[1], Gain = (float)row[2] };
            Near(Math.Round(LightCurve.Encode(LightCurve.Shown(light, LightCurve.Decode(0.6), LightCurve.Decode(188 / 255.0), 0, 0, 1)), 3), Math.Round(row[3], 3), "a check of docs/internals/light.md");
        }
    }

    static void Directions()
    {
        // A triangle that is counter-clockwise seen from +Z stays one seen from its front after X is mirrored and it turns round.
        var p = Axes.Vectors(new float[] { 0, 0, 0, 1, 0, 0, 0, 1, 0 });
        Check(p[3] == -1 && p[7] == 1, "X points the other way");
        Check(Axes.Triangles(new[] { 0, 1, 2 }).SequenceEqual(new[] { 0, 2, 1 }), "triangles turn round");
        // A quarter turn about Y takes glTF's +Z to +X; mirrored it takes +Z to -X, which is the quarter turn back.
        var q = Axes.Quaternion(new float[] { 0, 0.7071068f, 0, 0.7071068f });
        Check(q[1] < 0 && q[3] > 0 && q[0] == 0 && q[2] == 0, "a turn about Y goes the other way");
        Check(Axes.UV(new[] { 0.25f, 0.25f }).SequenceEqual(new[] { 0.25f, 0.75f }), "V begins at the bottom");
        Check(Axes.Tangents(new float[] { 1, 0, 0, 1 }).SequenceEqual(new float[] { -1, 0, 0, -1 }), "a tangent changes hands");
    }

    static void Materials()
    {
        var m = MapMaterial.Read(JObject.Parse(@"{'name': 'a', 'alphaMode': 'MASK', 'alphaCutoff': 0.7, 'doubleSided': true, 'emissiveFactor': [1, 0.5, 0],
            'emissiveTexture': {'index': 4}, 'pbrMetallicRoughness': {'baseColorFactor': [0.5, 1, 1, 0.25], 'baseColorTexture': {'index': 3}},
            'extensions': {'KHR_materials_emissive_strength': {'emissiveStrength': 2}, 'MOZ_lightmap': {'index': 7, 'texCoord': 1, 'intensity': 2.5,
                'extras': {'display': {'albedo': 0.3, 'exponent': 0.9, 'emission': [1, 2, 3]}}}}}"));
        Check(m.Alpha == AlphaMode.Mask && m.Cutoff == 0.7f && m.DoubleSided && !m.Unlit && m.Baked, "mask, sides, baked");
        Check(m.BaseTexture == 3 && m.EmissionTexture == 4 && m.BaseColor[3] == 0.25f && m.Emission.SequenceEqual(new[] { 2f, 1f, 0f }), "textures and factors");
        Check(m.Light.Texture == 7 && m.Light.Intensity == 2.5f && m.Light.Display && m.Light.Albedo == 0.3f && m.Light.Exponent == 0.9f &&
            m.Light.EmissionScale.SequenceEqual(new[] { 1f, 2f, 3f }), "light with its curve");
        var plain = MapMaterial.Read(JObject.Parse("{'extensions': {'MOZ_lightmap': {'index': 0}}}"));
        Check(!plain.Light.Display && plain.Light.Intensity == 1 && plain.BaseTexture == -1 && plain.Alpha == AlphaMode.Opaque, "what is left out has glTF's defaults");
        var vertices = MapMaterial.Read(JObject.Parse("{'extensions': {'KHR_materials_unlit': {'extras': {'display': {'albedo': 0.35, 'exponent': 1, 'gain': 2}}}}}"));
        Check(vertices.Light.Texture == -1 && vertices.Light.Display && vertices.Light.Gain == 2, "light in the vertices");
        var brighter = MapMaterial.Read(JObject.Parse("{'pbrMetallicRoughness': {'baseColorFactor': [1, 0.5, 1, 0.5]}, 'extensions': {'KHR_materials_unlit': {'extras': {'display': {'albedo': 0.35, 'exponent': 1, 'texture': 2}}}}}"));
        Check(brighter.Light.Intensity == 2 && brighter.BaseColor.SequenceEqual(new[] { 0.5f, 0.25f, 0.5f, 0.5f }), "a texture that is brighter than the game's, and its light");
        Check(MapMaterial.Read(JObject.Parse("{'extensions': {'KHR_materials_unlit': {}}}")).Baked && !MapMaterial.Read(new JObject()).Baked, "unlit is ours, lit is the scene's");
        var sky = MapMaterial.Read(JObject.Parse("{'extras': {'bsp2gltf_sky': true, 'sort': 2}, 'extensions': {'KHR_materials_unlit': {}}}"));
        Check(sky.Sky && sky.Sort == 2 && sky.Baked && !plain.Sky && plain.Sort == 3, "a sheet of the sky, and its place among them");
    }

    static void Nodes()
    {
        Check(MapNode.IsCollider(JObject.Parse("{'name': 'brush_1-convcolonly'}")) && !MapNode.IsCollider(JObject.Parse("{'name': 'wall'}")), "colliders by name");
        Check(MapNode.IsConvex(JObject.Parse("{'name': 'brush_1-convcolonly'}")) && !MapNode.IsConvex(JObject.Parse("{'name': 'face_1-colonly'}"))
            && MapNode.IsCollider(JObject.Parse("{'name': 'face_1-colonly'}")), "curved surfaces by name");
        Check(MapNode.Moves(JObject.Parse("{'extras': {'classname': 'func_door_rotating'}}")) && !MapNode.Moves(JObject.Parse("{'extras': {'classname': 'worldspawn'}}")) &&
            !MapNode.Moves(new JObject()), "doors move, the world does not");
        Check(MapNode.IsSky(JObject.Parse("{'extras': {'bsp2gltf_sky': true}}")) && !MapNode.IsSky(JObject.Parse("{'extras': {}}")) && !MapNode.IsSky(new JObject()),
            "the sky by its key");
        var keys = MapNode.Keys(JObject.Parse("{'extras': {'classname': 'light', 'style': 3, 'on': true, 'scale': 0.5, 'list': [1, 2]}}"));
        Check(string.Join(";", keys.Select(k => k.Key + "=" + k.Value)) == "classname=light;style=3;on=True;scale=0.5;list=[1,2]", "keys in their order: " + string.Join(";", keys.Select(k => k.Key + "=" + k.Value)));
    }

    static GltfFile Converted(string program, string map, string folder)
    {
        var output = Path.Combine(folder, Path.GetFileNameWithoutExtension(map) + ".gltf");
        Converter.Run(new Conversion { Program = program, Map = map, Output = output, Colliders = true, Probes = true }, () => false);
        return GltfFile.Open(output);
    }

    // A model with bones that plays a sequence, in a lit map.
    static void Rigged(GltfFile file)
    {
        var nodes = file.List("nodes");
        var tree = new NodeTree(file);
        var dressed = Enumerable.Range(0, nodes.Count).Where(n => nodes[n]["skin"] != null).ToList();
        Check(dressed.Count > 0 && file.List("materials").Any(m => MapMaterial.Read(m).Light != null), dressed.Count + " models with bones in baked light");
        foreach (var n in dressed)
        {
            var skin = MapSkin.Read(file, (int)nodes[n]["skin"]);
            Check(skin.Joints.Length == skin.BindPoses.Length && skin.Joints.All(tree.IsJoint), "bones and bind poses of " + tree.Names[n]);
            Check(tree.Moves(n) && skin.Joints.All(tree.Moves), "it is not static, and neither are its bones");
            var world = skin.Joints.Select(j => World(nodes, tree, j)).ToArray();
            foreach (var p in file.List("meshes")[(int)nodes[n]["mesh"]]["primitives"])
            {
                var positions = Axes.Vectors(file.Floats((int)p["attributes"]["POSITION"]));
                MapSkin.Weights(file, p["attributes"], positions.Length / 3, out var joints, out var weights);
                double apart = 0;
                for (var v = 0; v < positions.Length / 3; v++)
                {
                    // Where Unity shows a vertex is the sum of its bones' matrices times their bind poses; glTF's is the mirror of it.
                    var shown = new double[3];
                    double sum = 0;
                    for (var k = 0; k < 4; k++)
                    {
                        sum += weights[4 * v + k];
                        var at = Times(world[joints[4 * v + k]], Times(Wide(skin.BindPoses[joints[4 * v + k]]), new double[] { positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], 1 }));
                        for (var c = 0; c < 3; c++) shown[c] += weights[4 * v + k] * at[c];
                    }
                    apart = Math.Max(apart, Math.Abs(sum - 1));
                    var plain = PlainSkin(file, nodes, n, p, v);
                    for (var c = 0; c < 3; c++) apart = Math.Max(apart, Math.Abs(shown[c] - plain[c] * (c == 0 ? -1 : 1)));
                }
                Check(apart < 1e-4, "vertices are where glTF has them, mirrored; apart by " + apart);
            }
        }
        var start = MapAnimation.Read(file, tree).Where(a => a.Name == MapAnimation.Start).ToList();
        Check(start.Count > 0 && start.All(a => a.Starts && a.Length > 0 && a.Curves.Count > 0), "\"map start\" plays, in " + start.Count + " parts");
        Check(start.All(a => a.Curves.All(c => tree.Path(c.Node, a.Head) != null && tree.Moves(c.Node))), "its nodes are below its heads, and not static");
        var still = Enumerable.Range(0, nodes.Count).Where(n => nodes[n]["mesh"] != null && !tree.Moves(n)).ToList();
        Check(still.Count > 0 && still.All(n => nodes[n]["skin"] == null), still.Count + " nodes stand still");
        // A weapon in a hand: what hangs on something that moves is not static.
        var hung = new JObject { ["nodes"] = JArray.Parse("[{'children': [1], 'extras': {'classname': 'func_door'}}, {'children': [2], 'name': 'a/b'}, {'mesh': 0}, {'mesh': 0}]"),
            ["scenes"] = JArray.Parse("[{'nodes': [0, 3]}]") };
        File.WriteAllText(Path.Combine(Path.GetTempPath(), "bsp2gltf_hung.gltf"), hung.ToString());
        var small = new NodeTree(GltfFile.Open(Path.Combine(Path.GetTempPath(), "bsp2gltf_hung.gltf")));
        File.Delete(Path.Combine(Path.GetTempPath(), "bsp2gltf_hung.gltf"));
        Check(small.Moves(2) && !small.Moves(3) && small.Path(2, 0) == "a_b/node_2", "what hangs on a door moves: " + small.Path(2, 0));
    }

    // glTF's own formula, in its axes.
    static double[] PlainSkin(GltfFile file, IList<JToken> nodes, int node, JToken primitive, int vertex)
    {
        var skin = file.List("skins")[(int)nodes[node]["skin"]];
        var binds = file.Floats((int)skin["inverseBindMatrices"]);
        var joints = file.Floats((int)primitive["attributes"]["JOINTS_0"]);
        var weights = file.Floats((int)primitive["attributes"]["WEIGHTS_0"]);
        var position = file.Floats((int)primitive["attributes"]["POSITION"]);
        var tree = new NodeTree(file);
        var shown = new double[3];
        for (var k = 0; k < 4; k++)
        {
            if (weights[4 * vertex + k] == 0) continue;
            var j = (int)joints[4 * vertex + k];
            var bind = new double[16];
            for (var i = 0; i < 16; i++) bind[i] = binds[16 * j + i];
            var at = Times(World(nodes, tree, (int)skin["joints"][j], false), Times(bind, new double[] { position[3 * vertex], position[3 * vertex + 1], position[3 * vertex + 2], 1 }));
            for (var c = 0; c < 3; c++) shown[c] += weights[4 * vertex + k] * at[c];
        }
        return shown;
    }

    static double[] Wide(float[] m)
    {
        return m.Select(x => (double)x).ToArray();
    }

    // Matrices are column after column; b may be a matrix or a vector.
    static double[] Times(double[] a, double[] b)
    {
        var c = new double[b.Length];
        for (var i = 0; i < b.Length; i++)
            for (var k = 0; k < 4; k++) c[i] += a[4 * k + i % 4] * b[i / 4 * 4 + k];
        return c;
    }

    static float[] Numbers(JToken list, params float[] otherwise)
    {
        return list == null ? otherwise : list.Select(v => (float)v).ToArray();
    }

    static double[] World(IList<JToken> nodes, NodeTree tree, int node, bool mirrored = true)
    {
        var world = new double[] { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
        for (; node >= 0; node = tree.Parents[node])
        {
            var t = Numbers(nodes[node]["translation"], 0, 0, 0);
            var q = Numbers(nodes[node]["rotation"], 0, 0, 0, 1);
            var s = Numbers(nodes[node]["scale"], 1, 1, 1);
            if (mirrored)
            {
                t = Axes.Vectors(t);
                q = Axes.Quaternion(q);
            }
            double x = q[0], y = q[1], z = q[2], w = q[3];
            world = Times(new[]
            {
                s[0] * (1 - 2 * (y * y + z * z)), s[0] * 2 * (x * y + z * w), s[0] * 2 * (x * z - y * w), 0,
                s[1] * 2 * (x * y - z * w), s[1] * (1 - 2 * (x * x + z * z)), s[1] * 2 * (y * z + x * w), 0,
                s[2] * 2 * (x * z + y * w), s[2] * 2 * (y * z - x * w), s[2] * (1 - 2 * (x * x + y * y)), 0, t[0], t[1], t[2], 1,
            }, world);
        }
        return world;
    }

    // Doors by their names, each with clips of its own; what starts by itself plays with "map start".
    static void Doors(GltfFile file)
    {
        var tree = new NodeTree(file);
        var all = MapAnimation.Read(file, tree);
        var door = all.Single(a => a.Full == "func_door_gate cycle");
        Check(door.Name == "cycle" && door.Trigger == "name" && !door.Loops && !door.Starts && (string)file.List("nodes")[door.Head]["name"] == "func_door_gate", "a door by its name");
        Check(door.Curves.All(c => tree.Path(c.Node, door.Head) == ""), "its clip moves the object that it is on");
        var sideways = door.Curves.Single(c => c.Property == "translation");
        var animation = file.List("animations").Single(a => (string)a["name"] == door.Full);
        var stored = file.Floats((int)animation["samplers"][0]["output"]);
        Check(Enumerable.Range(0, sideways.Times.Length).All(i => sideways.Values[0][i] == -stored[3 * i] && sideways.Values[1][i] == stored[3 * i + 1]), "it moves in Unity's axes");
        var train = all.Where(a => a.Head == all.Single(b => b.Full.EndsWith(" path")).Head).Select(a => a.Name).OrderBy(n => n);
        Check(string.Join(", ", train) == "map start, path", "a train starts with the map: " + string.Join(", ", train));
    }

    static void Surroundings(GltfFile file)
    {
        var scene = MapScene.Read(file);
        Check(scene.Skybox >= 0 && scene.Fog != null && scene.SkyboxFog != null && scene.Fog.End > scene.Fog.Start, "fog of the map, and of its 3D skybox");
        var json = (JObject)file.Root["scenes"][0]["extras"]["bsp2gltf_range_fog"];
        Check(scene.Fog.Start == (float)json["start"] && scene.Fog.Density == (float)json["density"] && scene.Fog.Color[0] == (float)json["color"][0], "its numbers");
        var both = RangeFog.Read(JObject.Parse("{'extras': {'bsp2gltf_range_fog': {'start': 1, 'end': 2, 'density': 0.5, 'radial': true, 'thickness': 3, 'power': 2, 'sky': 0.25, " +
            "'color': [1, 0, 0], 'second': {'color': [0, 1, 0], 'direction': [1, 0, 0]}}}}"));
        Check(both.Radial && both.Thickness == 3 && both.Power == 2 && both.Sky == 0.25f && both.Second[1] == 1 && both.Direction[0] == -1, "all keys of a fog");
        Check(RangeFog.Read(JObject.Parse("{'extras': {}}")) == null, "no fog");
        var bright = MapMaterial.Read(JObject.Parse("{'extras': {'over_alpha': true, 'blend': 'add', 'sort': 4}}"));
        var dark = MapMaterial.Read(JObject.Parse("{'extras': {'blend': 'multiply'}}"));
        Check(dark.Multiplies && !dark.Adds && !bright.Multiplies, "what multiplies the background");
        Check(bright.OverAlpha && bright.Adds && bright.Sorted && bright.Sort == 4 && !MapMaterial.Read(new JObject()).Sorted, "light beyond white, blending and order");
    }

    static void Probes(GltfFile file, string beside)
    {
        Check(file.List("materials").Any(m => MapMaterial.Read(m).OverAlpha), "a map with light beyond white in its vertices");
        var probes = ProbeFile.Open(beside);
        Check(probes.Positions.Length > 0 && probes.Light.Length == probes.Positions.Length / 3 * ProbeFile.Numbers, probes.Positions.Length / 3 + " probes");
        // A cube of light without difference between opposite sides is exact; each axis sees its two sides' mean. One that comes from +X alone in
        // glTF is seen in Unity from -X.
        var even = ProbeFile.Coefficients(new[] { 1f, 1f, 2f, 2f, 3f, 3f }.Select(v => new[] { v, v, v }).ToArray());
        Near(ProbeFile.Shade(even, 1, 0, 0)[0], 1, "light along X");
        Near(ProbeFile.Shade(even, 0, -1, 0)[1], 2, "light along Y");
        Near(ProbeFile.Shade(even, 0, 0, 1)[2], 3, "light along Z");
        Near(ProbeFile.Shade(even, 0.6f, 0, 0.8f)[0], 0.36 + 0.64 * 3, "light between");
        var side = ProbeFile.Coefficients(new[] { 1f, 0f, 0f, 0f, 0f, 0f }.Select(v => new[] { v, 0, 0 }).ToArray());
        Check(ProbeFile.Shade(side, -1, 0, 0)[0] > 0.8 && ProbeFile.Shade(side, 1, 0, 0)[0] < 0.2 && ProbeFile.Shade(side, -1, 0, 0)[1] == 0, "light from one side");
    }

    // What the shader does with a change of coordinates (Bsp2GltfMoved of Motion.hlsl).
    static double[] Moved(double[] p, float[] n, double time)
    {
        switch ((int)n[0])
        {
            case 1: return new[] { n[1] * p[0] + n[2] * p[1] + n[3], n[4] * p[0] + n[5] * p[1] + n[6] };
            case 2: return new[] { p[0] + n[1] * time, p[1] + n[2] * time };
        }
        return p;
    }

    static void Motion()
    {
        Func<string, MaterialMotion> read = text => MapMaterial.Read(JObject.Parse(text)).Motion;
        // Halved by rest, doubled, scrolled, and moved aside: (1, 0) was (0.5, 0) in the mesh before rest.
        var scrolls = read("{'extras': {'motion': {'clock': 3, 'rest': [2, 0, 0, 0, 2, 0], 'base': [['scale', 4, 4], ['scroll', 0.5, 0], ['transform', 1, 0, 0.25, 0, 1, 0]]}}}");
        var p = new[] { 1.0, 0.5 };
        foreach (var change in scrolls.Base.Changes) p = Moved(p, change, 0.5);
        Check(scrolls.Base.Changes.Count == 3 && scrolls.Clock == 3 && scrolls.Glow.Changes.Count == 0, "what has no time between is one change");
        Near(p[0], 2 + 0.25 + 0.25, "s after half a second");
        Near(p[1], 1, "t after half a second");
        var all = read("{'extras': {'motion': {'base': [['rotate', 90], ['stretch', 'square', 1, 0.5, 0.25, 2], ['turb', 0.1, 0.2, 0.3], ['ripple', 1, 2, 3]], 'glow': [['warp', 0.1, 6, 1]]}}}");
        Check(string.Join(" ", all.Base.Changes.Select(c => string.Join(",", c))) == "3,90,0,0,0,0,0,0 4,1,0.5,0.25,2,2,0,0 5,0.1,0.2,0.3,0,0,0,0 6,1,2,3,0,0,0,0",
            "the numbers of each kind of change");
        Check(all.Glow.Warp.SequenceEqual(new[] { 0.1f, 6, 1, 1 }) && all.Glow.Changes.Count == 0, "a liquid moves at each pixel");
        var many = "['rotate', 1]" + string.Concat(Enumerable.Repeat(",['rotate', 1]", TextureMotion.Most));
        Check(read("{'extras': {'motion': {'base': [" + many + "]}}}").Base.Changes.Count == 0, "more changes than the shader makes are none");
        var waves = read("{'extras': {'motion': {'color': ['sawtooth', 0.5, 0.25, 0, 2], 'color_rest': 0.5, 'fps': 5, 'frames': [3, 4]}}}");
        Check(waves.Base.Wave.SequenceEqual(new[] { 3, 0.5f, 0.25f, 0 }) && waves.Base.Rate.SequenceEqual(new[] { 2, 0.5f, 1, 0 }) && waves.Glow.Rate[2] == 0, "a wave of colour");
        Check(waves.Frames.SequenceEqual(new[] { 3, 4 }) && waves.FramesPerSecond == 5, "frames");
        var placed = read("{'emissiveTexture': {'index': 0, 'extensions': {'KHR_texture_transform': {'scale': [4, 2], 'offset': [0.5, 0]}}}}");
        Check(placed.Glow.Changes.Single().SequenceEqual(new[] { 1, 4, 0, 0.5f, 0, 2, 0, 0 }) && placed.Base.Changes.Count == 0, "an emission of another size than the base colour");
    }

    static void Deforms()
    {
        Func<string, MaterialMotion> read = text => MapMaterial.Read(JObject.Parse("{'extras': {'motion': {'deform': [" + text + "]}}}")).Motion;
        var all = read("['wave', 'square', 1, 2, 0.25, 3, 0.5], ['bulge', 4, 5, 6], ['swell', 7]");
        Check(string.Join(" ", all.Deformed.Select(d => string.Join(",", d))) == "1,2,1,2,0.25,3,0.5,0,0,0,0,0 3,4,5,6,0,0,0,0,0,0,0,0", "as many movements of vertices as the shader makes");
        Near(all.Reach, 1 + 2 + 5, "how far a vertex moves");
        var move = read("['move', 'sin', 0, 2, 0, 1, 3, 0, 4]");
        Check(string.Join(",", move.Deformed.Single()) == "2,0,0,2,0,1,0,0,-3,0,4,0" && move.Reach == 10, "to Unity's side, by its way times its height");
        Check(read("['swell', 0.5]").Deformed.Single()[1] == 0.5f && read("['wave', 'sin', 1]").Deformed.Count == 0 && read("['new', 1, 2, 3]").Deformed.Count == 0, "what is not known does not move");
        Check(!read("").Turns && MapMaterial.Read(JObject.Parse("{'extras': {'motion': {'facing': 'axis'}}}")).Motion.Turns, "squares that turn");
    }

    // A square of 2 x 4 metres that looks along +X: seen from there, up is Y and right is -Z.
    static void Squares()
    {
        var positions = new float[] { 5, 0, 1, 5, 0, -1, 5, 4, -1, 5, 4, 1 };
        var normals = new float[] { 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0 };
        var free = new TurningSquares(positions, normals, false);
        Check(string.Join(",", free.Middles.Take(3)) == "5,2,0" && free.Axes.All(a => a == 0) && free.Places.SequenceEqual(new float[] { -1, -2, 1, -2, 1, 2, -1, 2 }),
            "where a square's corners are: " + string.Join(",", free.Places));
        var about = new TurningSquares(positions, normals, true);
        Check(Math.Abs(about.Axes[1]) == 1 && about.Axes[0] == 0, "it turns about its long axis");
        Near(free.Reach, Math.Sqrt(5), "how far its corners reach");
    }

    static void Solids()
    {
        Func<string, string, ContentsKind> kind = (contents, name) => Contents.Kind(JObject.Parse(contents == null ? "{}" : "{'extras': {'contents_names': '" + contents + "'}}"),
            JObject.Parse("{'extras': {'classname': '" + name + "'}}"));
        Check(kind("solid", "func_door") == ContentsKind.Solid && kind("playerclip", "worldspawn") == ContentsKind.Solid && kind(null, "worldspawn") == ContentsKind.Solid, "what stops a player");
        Check(kind("water", "worldspawn") == ContentsKind.Volume && kind("solid", "trigger_hurt") == ContentsKind.Volume && kind(null, "trigger_once") == ContentsKind.Volume, "volumes");
        Check(kind("botclip", "worldspawn") == ContentsKind.Nothing && kind("solid water", "worldspawn") == ContentsKind.Solid, "what stops nobody");
    }

    static void Sparse(string folder)
    {
        File.WriteAllBytes(Path.Combine(folder, "sparse.bin"), new byte[] { 2, 0, 0, 0 }.Concat(new[] { 1f, 2, 3 }.SelectMany(BitConverter.GetBytes)).ToArray());
        var path = Path.Combine(folder, "sparse.gltf");
        File.WriteAllText(path, "{'accessors': [{'componentType': 5126, 'count': 3, 'type': 'VEC3', 'sparse': {'count': 1, 'indices': {'bufferView': 0, 'componentType': 5125}," +
            "'values': {'bufferView': 0, 'byteOffset': 4}}}, {'componentType': 5126, 'count': 1, 'type': 'VEC3'}], 'bufferViews': [{'buffer': 0, 'byteLength': 16}], 'buffers': [{'uri': 'sparse.bin', 'byteLength': 16}]}");
        var file = GltfFile.Open(path);
        Check(file.Floats(0).SequenceEqual(new float[] { 0, 0, 0, 0, 0, 0, 1, 2, 3 }) && file.Floats(1).SequenceEqual(new float[3]), "an accessor of which few elements, or none, are in the file");
    }

    // The light of a grid on a model, against the formula of docs/internals/readers.md.
    static void Grid(GltfFile file)
    {
        var grid = LightGrid.Read(file);
        Check(grid.HasSamples && grid.toward.Length == 3 * grid.size[0] * grid.size[1] * grid.size[2] && !LightGrid.Read(Empty()).HasSamples, "a light grid of " + string.Join(" x ", grid.size));
        var one = new LightGrid
        {
            size = new[] { 2, 1, 1 }, origin = new[] { 1f, 0, 0 }, steps = new[] { 2f, 0, 0, 0, 2, 0, 0, 0, 2 },
            ambient = new byte[] { 128, 128, 128, 0, 0, 0 }, directed = new byte[] { 188, 0, 0, 0, 0, 0 }, toward = new byte[] { 255, 128, 128, 128, 128, 128 },
        };
        var light = new float[ProbeFile.Numbers];
        one.At(-2, 0, 0, light); // half way to a sample in a wall, which does not count; glTF's +X is Unity's -X
        double a = LightCurve.Decode(128 / 255.0), d = LightCurve.Decode(188 / 255.0);
        Near(ProbeFile.Shade(light, -1, 0, 0)[0], a + d * (3 / 32.0 + 0.5 + 15 / 32.0), "light of a grid, facing its direction");
        Near(ProbeFile.Shade(light, 1, 0, 0)[0], a + d * (3 / 32.0 - 0.5 + 15 / 32.0), "from behind");
        Near(ProbeFile.Shade(light, 0, 0.6f, 0.8f)[0], a + d * 3 / 32.0, "from the side");
        Near(ProbeFile.Shade(light, -1, 0, 0)[1], a, "a colour that has no direction");
        var slant = LightGrid.Coefficients(new float[3], new[] { 1f, 1, 1 }, new[] { 1f, 2, 2 });
        foreach (var n in new[] { new[] { 1f, 0, 0 }, new[] { 0, 0.6f, -0.8f }, new[] { 0.48f, 0.64f, 0.6f } })
        {
            var cosine = (n[0] + 2 * n[1] + 2 * n[2]) / 3.0;
            Near(ProbeFile.Shade(slant, n[0], n[1], n[2])[2], 3 / 32.0 + cosine / 2 + 15 / 32.0 * cosine * cosine, "a slanting direction");
        }
        one.albedo = 0.35f;
        one.exponent = 1;
        one.share = 1;
        one.least = 0.1f;
        one.At(-1, 0, 0, light);
        var dark = LightCurve.Encode(a * LightCurve.Decode(0.35)) / 0.35 + 0.1;
        Near(ProbeFile.Shade(light, -1, 0, 0)[1], LightCurve.Decode(0.35 * Math.Min(dark, 1)) / LightCurve.Decode(0.35), "what Quake III shows of it");
    }

    static GltfFile Empty()
    {
        var path = Path.GetTempFileName();
        File.WriteAllText(path, "{}");
        var file = GltfFile.Open(path);
        File.Delete(path);
        return file;
    }

    static void Malformed(string folder)
    {
        var path = Path.Combine(folder, "malformed.gltf");
        foreach (var accessor in new[] { "{'bufferView': 0, 'componentType': 5126, 'count': 1, 'type': 'MAT9'}", "{'componentType': 5126, 'count': 100000000, 'type': 'VEC3'}",
            "{'componentType': 5126, 'count': 1, 'type': 'VEC3', 'sparse': {'count': 1, 'indices': {'bufferView': 0, 'componentType': 5125}, 'values': {'bufferView': 0}}}" })
        {
            File.WriteAllText(path, "{'accessors': [" + accessor + "], 'bufferViews': [{'buffer': 0, 'byteLength': 4}], 'buffers': [{'byteLength': 4, 'uri': 'malformed.bin'}]}");
            File.WriteAllBytes(Path.Combine(folder, "malformed.bin"), new byte[] { 9, 0, 0, 0 }); // of one element, the tenth is replaced by what is not there
            try
            {
                GltfFile.Open(path).Floats(0);
                Check(false, "read " + accessor);
            }
            catch (InvalidDataException e)
            {
                Check(e.Message.Contains("accessor 0"), "what is said of " + accessor + ": " + e.Message);
            }
        }
    }

    static void Tilted(string program, string map, string folder)
    {
        // The plain normal leans to all three alike; a normal that is one of the three directions (√⅔ along U; -√⅙ along U and ±√½ along V)
        // sees that one alone, as they are at right angles to each other.
        foreach (var c in new[] { new[] { 0, 0, 1, 1 / 3.0, 1 / 3.0, 1 / 3.0 }, new[] { Math.Sqrt(2 / 3.0), 0, Math.Sqrt(1 / 3.0), 1, 0, 0 },
            new[] { -Math.Sqrt(1 / 6.0), Math.Sqrt(0.5), Math.Sqrt(1 / 3.0), 0, 1, 0 }, new[] { -Math.Sqrt(1 / 6.0), -Math.Sqrt(0.5), Math.Sqrt(1 / 3.0), 0, 0, 1 },
            new[] { 0, 0, -1.0, 0, 0, 0 } })
        {
            var shares = LightCurve.Shares((c[0] + 1) / 2, (1 - c[1]) / 2, (c[2] + 1) / 2); // green is up, V down
            for (var i = 0; i < 3; i++) Near(shares[i], c[3 + i], "share " + i + " of " + c[0] + " " + c[1] + " " + c[2]);
        }
        foreach (var extension in new[] { ".gltf", ".glb" })
        {
            var job = new Conversion { Program = program, Map = map, Output = Path.Combine(folder, "bump" + extension), Settings = new[] { "lightmap.bump=pages" } };
            Converter.Run(job, () => false);
            var file = GltfFile.Open(job.Output);
            var bumped = file.List("materials").Select(m => MapMaterial.Read(m)).Single(m => m.NormalTexture >= 0);
            var pages = file.TiltedPages(bumped.Light.Texture);
            Check(pages != null && pages.All(p => p.Length > 50 && p[0] == 0x89) && !pages[0].SequenceEqual(pages[1]), "three pages of tilted light in " + extension);
            Check(file.ImageName(bumped.NormalTexture) == "ours/brick_normal" && file.TiltedPages(bumped.NormalTexture) == null, "the normal map, which has none");
        }
    }

    // A program of that name in the current folder, Unity's project, is never run, whatever leads there.
    static void Found(string folder)
    {
        string project = Path.Combine(folder, "project"), tools = Path.Combine(folder, "tools"), separator = Path.PathSeparator.ToString();
        foreach (var f in new[] { project, tools })
        {
            Directory.CreateDirectory(f);
            File.WriteAllText(Path.Combine(f, "bsp2gltf"), "");
        }
        var before = Directory.GetCurrentDirectory();
        Directory.SetCurrentDirectory(project);
        foreach (var path in new[] { null, "", ".", "./", project, project + "/", "../project", string.Join(separator, ".", project) })
            Check(ProgramFile.Find("bsp2gltf", path, project) == null, "not in the current folder, PATH " + path);
        foreach (var named in new[] { "./bsp2gltf", "../tools/bsp2gltf", Path.Combine(tools, "other"), "" })
            Check(ProgramFile.Find(named, tools, project) == null, "not " + named);
        var there = Path.Combine(tools, "bsp2gltf");
        Check(ProgramFile.Find("bsp2gltf", string.Join(separator, ".", project, tools), project) == there, "behind the current folder");
        Check(ProgramFile.Find(there, "", project) == there, "by its full path");
        var path0 = Environment.GetEnvironmentVariable("PATH");
        Environment.SetEnvironmentVariable("PATH", project);
        try
        {
            Converter.Run(new Conversion { Program = "bsp2gltf", Map = "x", Output = Path.Combine(folder, "none.gltf") }, () => false);
            Check(false, "a program of the project was run");
        }
        catch (ConversionFailed e)
        {
            Check(e.Message.StartsWith("there is no bsp2gltf"), "what is said: " + e.Message);
        }
        Check(Converter.Version("bsp2gltf") == null, "the version of the project's");
        Environment.SetEnvironmentVariable("PATH", path0);
        Directory.SetCurrentDirectory(before);
    }

    static void CommandLine(string program)
    {
        foreach (var c in new[] { "a", "a b", "say \"hi\"", @"C:\maps\", @"back\\slash", "" })
        {
            // .NET's own parser takes the quotes off again.
            var start = new System.Diagnostics.ProcessStartInfo("printf", "%s " + Converter.Quoted(c)) { UseShellExecute = false, RedirectStandardOutput = true };
            using (var p = System.Diagnostics.Process.Start(start)) Check(p.StandardOutput.ReadToEnd() == c, "an argument comes through: " + c);
        }
        Check(Converter.Version(program) != null && Converter.Version("/nowhere/bsp2gltf") == null, "the version of a program, and of none");
    }

    static void Conversion(string program, string map, string folder)
    {
        var job = new Conversion { Program = program, Map = map, Output = Path.Combine(folder, "a folder", "map.gltf"), Report = Path.Combine(folder, "report.json"), Colliders = true };
        Converter.Run(job, () => false);
        var file = GltfFile.Open(job.Output);
        int triangles = 0, baked = 0, colliders = 0, keys = 0;
        foreach (var mesh in file.List("meshes"))
        foreach (var p in mesh["primitives"])
        {
            var count = file.Floats((int)p["attributes"]["POSITION"]).Length / 3;
            var indices = file.Indices((int)p["indices"]);
            if (indices.Any(i => i < 0 || i >= count)) Check(false, "an index is outside of " + mesh["name"]);
            triangles += indices.Length / 3;
            var normals = file.Floats((int)p["attributes"]["NORMAL"]);
            if (Math.Abs(normals[0] * normals[0] + normals[1] * normals[1] + normals[2] * normals[2] - 1) > 0.05) Check(false, "a normal has no length of 1");
        }
        foreach (var json in file.List("materials"))
        {
            var m = MapMaterial.Read(json);
            if (m.Light == null || m.Light.Texture < 0) continue;
            baked++;
            if (file.ImageBytes(m.Light.Texture).Length < 100 || !File.Exists(file.ImagePath(m.Light.Texture))) Check(false, m.Name + " has no lightmap");
        }
        foreach (var node in file.List("nodes"))
        {
            if (MapNode.IsCollider(node)) colliders++;
            if (MapNode.ClassName(node) != null) keys++;
        }
        Check(triangles > 1000 && baked > 5 && colliders > 10 && keys > 5, triangles + " triangles, " + baked + " baked materials, " + colliders + " colliders, " + keys + " entities");
        Check(Report.MissingMaterials(File.ReadAllText(job.Report)).All(n => n.Length > 0), "the report names what is missing");
        Check(Report.Some(new[] { "a", "b", "c" }, 2) == "a, b, …", "some names");

        foreach (var c in new[] { "no.bsp", typeof(Tests).Assembly.Location })
        {
            try
            {
                Converter.Run(new Conversion { Program = program, Map = c, Output = Path.Combine(folder, "bad.gltf") }, () => false);
                Check(false, c + " is converted");
            }
            catch (ConversionFailed e)
            {
                Check(e.Message.Contains("bsp2gltf: ") && !e.Message.Contains("\n") && !File.Exists(Path.Combine(folder, "bad.gltf")), "a failure is one line: " + e.Message);
            }
        }
        var slow = Path.Combine(folder, "slow");
        File.WriteAllText(slow, "#!/bin/sh\nexec sleep 60\n");
        System.Diagnostics.Process.Start("chmod", "+x " + Converter.Quoted(slow)).WaitForExit();
        var clock = System.Diagnostics.Stopwatch.StartNew();
        try
        {
            Converter.Run(new Conversion { Program = slow, Map = "x", Output = Path.Combine(folder, "x.gltf") }, () => true);
            Check(false, "cancelled");
        }
        catch (ConversionFailed e)
        {
            Check(e.Message == "cancelled" && clock.ElapsedMilliseconds < 10000, "cancelling ends the program: " + e.Message);
        }
    }
}
