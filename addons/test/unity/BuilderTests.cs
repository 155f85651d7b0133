using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Bsp2Gltf;
using UnityEngine;
using UnityEngine.Rendering;
using Object = UnityEngine.Object;

/// <summary>Runs MapBuilder against the signatures that running.py lets run. usage: BuilderTests.exe FOLDER, with the files that Tests.exe left</summary>
static class BuilderTests
{
    static int failures;

    static void Check(bool ok, string what)
    {
        if (!ok) failures++;
        Console.WriteLine((ok ? "ok   " : "FAIL ") + what);
    }

    static int Main(string[] args)
    {
        Rigged(Path.Combine(args[0], "entities.gltf"));
        Doors(Path.Combine(args[0], "playground.gltf"));
        Surroundings(Path.Combine(args[0], "sky3d.gltf"), Path.Combine(args[0], "litprops.gltf"));
        Levels(Path.Combine(args[0], "models.gltf"));
        Blends(args[0]);
        Frames(args[0]);
        Bodies(Path.Combine(args[0], "playground.gltf"));
        Morphs(args[0]);
        Turning(args[0]);
        return failures == 0 ? 0 : 1;
    }

    static GameObject Built(string path, MapSettings settings, Dictionary<string, Object> kept)
    {
        return new MapBuilder(GltfFile.Open(path), settings, new Shader(), (name, made) => kept.Add(name, made)).Build("map");
    }

    static IEnumerable<GameObject> All(GameObject root)
    {
        return new[] { root }.Concat(root.below.SelectMany(All));
    }

    static GameObject Under(GameObject top, string path)
    {
        foreach (var name in path.Split(new[] { '/' }, StringSplitOptions.RemoveEmptyEntries)) top = top?.below.SingleOrDefault(c => c.name == name);
        return top;
    }

    // A lit map with models that have bones and play a sequence.
    static void Rigged(string path)
    {
        var kept = new Dictionary<string, Object>();
        var root = Built(path, new MapSettings(), kept);
        var all = All(root).ToList();
        var skinned = all.Select(o => o.GetComponent<SkinnedMeshRenderer>()).Where(r => r != null).ToList();
        Check(skinned.Count == 2 && skinned.All(r => r.bones.Length > 0 && r.bones.Length == r.sharedMesh.bindposes.Length && r.bones.All(b => b != null) && r.rootBone == r.bones[0]),
            skinned.Count + " models with their bones and bind poses");
        Check(skinned.All(r => r.sharedMesh.boneWeights.Length == r.sharedMesh.vertices && r.sharedMaterials.All(m => m != null)), "each vertex has its bones");
        Check(skinned.All(r => !r.gameObject.isStatic && r.bones.All(b => !b.gameObject.isStatic)) && all.Any(o => o.isStatic), "they are not static, and the map is");
        Clips(root, all);
        Check(all.Select(o => o.GetComponent<Animation>()).Where(a => a != null).All(a => a.playAutomatically && a.clip.name == "map start" && a.clip.wrapMode == WrapMode.Loop),
            "\"map start\" plays and repeats");
        Check(kept.Values.OfType<Material>().Any(m => m.values.ContainsKey("_BakedMap")), "baked light");
        Check(kept.Values.OfType<Material>().All(m => (float)m.values["_Lamps"] == 0), "no lamps");
        var lamps = new Dictionary<string, Object>();
        Built(path, new MapSettings { lamps = true }, lamps);
        Check(lamps.Values.OfType<Material>().Any(m => (float)m.values["_Lamps"] == 1) && lamps.Keys.SequenceEqual(kept.Keys), "lamps, by the same names");
    }

    static void Clips(GameObject root, List<GameObject> all)
    {
        var players = all.Where(o => o.GetComponent<Animation>() != null).ToList();
        var paths = players.SelectMany(o => o.GetComponent<Animation>().clips.Values.SelectMany(c => c.curves.Select(p => Tuple.Create(o, p[0])))).ToList();
        Check(paths.Count > 0 && paths.All(p => Under(p.Item1, p.Item2) != null), paths.Count + " curves of " + players.Count + " players reach their objects");
        Check(all.All(o => o.below.Select(c => c.name).Distinct().Count() == o.below.Count), "no two siblings have one name");
    }

    static void Doors(string path)
    {
        var kept = new Dictionary<string, Object>();
        var root = Built(path, new MapSettings(), kept);
        var all = All(root).ToList();
        Clips(root, all);
        var motion = root.GetComponent<MapMotion>();
        Check(motion.Play("func_door_gate cycle") && motion.Play("func_door_gate", "cycle") && !motion.Play("nothing"), "a door opens by its name");
        var door = all.Single(o => o.name == "func_door_gate");
        Check(door.GetComponent<Animation>().played.SequenceEqual(new[] { "cycle", "cycle" }) && all.Sum(o => o.GetComponent<Animation>()?.played.Count ?? 0) == 2, "and nothing else");
        Check(!door.GetComponent<Animation>().playAutomatically && !door.isStatic && door.below.All(b => !b.isStatic), "it waits, and neither it nor what hangs on it is static");
        Check(kept.Keys.Count(k => k.StartsWith("clip ")) == motion.movements.Count, "its clips are kept");
        Check(Built(path, new MapSettings { motion = false }, new Dictionary<string, Object>()).GetComponent<MapMotion>() == null, "without movements");
    }

    static void Surroundings(string fogged, string bright)
    {
        var kept = new Dictionary<string, Object>();
        var root = Built(fogged, new MapSettings(), kept);
        Check(root.GetComponent<MapSurroundings>().fog && root.GetComponent<MapSurroundings>().fogEnd > 0, "the map's fog is on its root");
        Check(kept.Keys.Any(k => k.StartsWith("material ") && k.EndsWith(" box")), "the 3D skybox has materials with a fog of its own");
        var drawn = All(Built(fogged, new MapSettings { lamps = true }, new Dictionary<string, Object>())).Select(o => o.GetComponent<MeshRenderer>()).Where(r => r != null).ToLookup(
            r => r.sharedMaterials.Any(m => (float)m.values["_Sky"] == 1));
        Check(drawn[true].Any() && drawn[true].All(r => r.shadowCastingMode == ShadowCastingMode.Off) && drawn[false].All(r => r.shadowCastingMode == ShadowCastingMode.TwoSided),
            "with lamps all but the sky casts shadows");
        kept = new Dictionary<string, Object>();
        Built(bright, new MapSettings(), kept);
        Check(kept.Values.OfType<Material>().Any(m => (float)m.values["_OverAlpha"] == 1) && kept.Values.OfType<Material>().Any(m => (float)m.values["_OverAlpha"] == 0),
            "light beyond white");
    }

    // What the shader and its blend states are told of what is blended, and when it is drawn.
    static void Blends(string folder)
    {
        var path = Path.Combine(folder, "blends.gltf");
        File.WriteAllText(path, "{'scenes': [{'nodes': [0]}], 'nodes': [{'mesh': 0}], 'meshes': [{'primitives': [" + string.Join(",", Enumerable.Range(0, 5).Select(i =>
            "{'attributes': {'POSITION': 0}, 'indices': 1, 'material': " + i + "}")) + "]}], 'materials': [" +
            "{'name': 'solid', 'alphaMode': 'OPAQUE'}, {'name': 'glass', 'alphaMode': 'BLEND', 'extras': {'sort': 9}}," +
            "{'name': 'flame', 'alphaMode': 'BLEND', 'extras': {'sort': 10, 'blend': 'add'}}, {'name': 'stain', 'alphaMode': 'BLEND', 'extras': {'sort': 4, 'blend': 'multiply'}}," +
            "{'name': 'shade', 'alphaMode': 'BLEND', 'extras': {'bsp2gltf_sky': true, 'sort': 10, 'blend': 'multiply'}}]," +
            "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}, {'bufferView': 0, 'componentType': 5125, 'count': 3, 'type': 'SCALAR'}]," +
            "'bufferViews': [{'buffer': 0, 'byteLength': 36}], 'buffers': [{'uri': 'blends.bin', 'byteLength': 36}]}");
        File.WriteAllBytes(Path.Combine(folder, "blends.bin"), new byte[36]);
        var kept = new Dictionary<string, Object>();
        Built(path, new MapSettings { lamps = true }, kept);
        var made = kept.Values.OfType<Material>().ToDictionary(m => m.name);
        Func<string, string> states = name => (BlendMode)(float)made[name].values["_SrcBlend"] + " " + (BlendMode)(float)made[name].values["_DstBlend"];
        Check(states("solid") == "One Zero" && states("glass") == "SrcAlpha OneMinusSrcAlpha" && states("flame") == "SrcAlpha One" && states("stain") == "DstColor SrcColor",
            "each way of blending has its blend states");
        Check(made.Values.All(m => (float)m.values["_Multiplies"] == (m.name == "stain" || m.name == "shade" ? 1 : 0)), "the shader knows what multiplies");
        Check((float)made["stain"].values["_Lamps"] == 0 && (float)made["flame"].values["_Lamps"] == 1, "lamps don't light what multiplies");
        var queues = new[] { "solid", "shade", "stain", "glass", "flame" }.Select(name => made[name].renderQueue).ToList();
        Check(queues.SequenceEqual(queues.OrderBy(q => q)) && queues.Distinct().Count() == 5 && queues[0] == 2000 && queues[1] > 2500,
            "the game's order of drawing: " + string.Join(", ", queues));
    }

    // Pictures that take turns on one of two surfaces.
    static void Frames(string folder)
    {
        var path = Path.Combine(folder, "frames.gltf");
        foreach (var name in new[] { "one.png", "two.png" }) File.WriteAllBytes(Path.Combine(folder, name), new byte[] { 0x89 });
        File.WriteAllText(path, "{'scenes': [{'nodes': [0]}], 'nodes': [{'mesh': 0}], 'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'indices': 1, 'material': 0}," +
            "{'attributes': {'POSITION': 0}, 'indices': 1, 'material': 1}]}], 'materials': [{'name': 'still'}, {'name': 'screen', 'pbrMetallicRoughness': {'baseColorTexture':" +
            "{'index': 0}}, 'extras': {'motion': {'fps': 5, 'frames': [0, 1], 'clock': 2, 'base': [['scroll', 0.5, 0]]}}}], 'images': [{'uri': 'one.png'}, {'uri': 'two.png'}]," +
            "'textures': [{'source': 0}, {'source': 1}]," +
            "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}, {'bufferView': 0, 'componentType': 5125, 'count': 3, 'type': 'SCALAR'}]," +
            "'bufferViews': [{'buffer': 0, 'byteLength': 36}], 'buffers': [{'uri': 'blends.bin', 'byteLength': 36}]}");
        var kept = new Dictionary<string, Object>();
        var surface = Built(path, new MapSettings(), kept).GetComponent<TextureFrames>().surfaces.Single();
        Check(surface.slot == 1 && surface.framesPerSecond == 5 && surface.clock == 2 && surface.renderer.sharedMaterials[1].name == "screen", "the surface whose pictures take turns");
        Check(surface.frames.Length == 2 && surface.frames.All(kept.Values.Contains) && kept.Values.OfType<Texture>().Count() == 2, "its pictures are kept, each once");
    }

    // What stops a player, what notices one, and what carries one.
    static void Bodies(string path)
    {
        var root = Built(path, new MapSettings(), new Dictionary<string, Object>());
        var all = All(root).ToList();
        Func<string, GameObject> named = start => all.Single(o => o.name.StartsWith(start));
        Func<GameObject, MeshCollider> collider = o => All(o).Select(b => b.GetComponent<MeshCollider>()).Single(c => c != null);
        Check(new[] { "trigger_hurt", "trigger_multiple" }.All(n => collider(named(n)).isTrigger && collider(named(n)).convex) && all.Count(o => o.GetComponent<MeshCollider>()?.isTrigger ?? false) == 2,
            "solids of trigger entities are triggers, no others are");
        Check(named("collision").below.Count == 2 && named("collision").below.Count(b => b.GetComponent<MapEntity>()?.Get("contents_names") == "playerclip") == 1, "a wall for players is told by its contents");
        foreach (var mover in new[] { "func_train", "func_plat", "func_door_gate" })
            Check(named(mover).GetComponent<Rigidbody>().isKinematic && named(mover).GetComponent<Animation>().animatePhysics, mover + " is a kinematic body that is animated in the physics step");
        Check(all.Count(o => o.GetComponent<Rigidbody>() != null) == 3, "nothing else is");
        var without = All(Built(path, new MapSettings { colliders = false }, new Dictionary<string, Object>())).ToList();
        Check(without.All(o => o.GetComponent<Rigidbody>() == null && !(o.GetComponent<Animation>()?.animatePhysics ?? false)), "without colliders there are no bodies");
    }

    // A triangle with two frames: the first moves all vertices along X, the second only the last, and is a sparse accessor.
    static void Morphs(string folder)
    {
        Func<float[], byte[]> bytes = f => f.SelectMany(BitConverter.GetBytes).ToArray();
        var data = new byte[36].Concat(new byte[] { 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0 }).Concat(bytes(new float[] { 1, 0, 0, 1, 0, 0, 1, 0, 0 }))
            .Concat(new byte[] { 2, 0, 0, 0 }).Concat(bytes(new float[] { 0, 2, 0 })).Concat(bytes(new float[] { 0, 1, 2 })).Concat(bytes(new float[] { 1, 0, 0, 1, 1, 0 })).ToArray();
        File.WriteAllBytes(Path.Combine(folder, "morphs.bin"), data);
        var path = Path.Combine(folder, "morphs.gltf");
        File.WriteAllText(path, "{'scenes': [{'nodes': [0]}], 'nodes': [{'name': 'torch', 'mesh': 0, 'extras': {'classname': 'light_torch'}}]," +
            "'meshes': [{'weights': [0.25, 0], 'extras': {'targetNames': ['flame', 'flame']}, 'primitives': [{'attributes': {'POSITION': 0}, 'indices': 1, 'targets': [{'POSITION': 2}, {'POSITION': 3}]}]}]," +
            "'animations': [{'name': 'map start', 'extras': {'starts': true, 'loops': true}, 'samplers': [{'input': 4, 'output': 5}], 'channels': [{'sampler': 0, 'target': {'node': 0, 'path': 'weights'}}]}]," +
            "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}, {'bufferView': 0, 'byteOffset': 36, 'componentType': 5125, 'count': 3, 'type': 'SCALAR'}," +
            "{'bufferView': 0, 'byteOffset': 48, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}," +
            "{'componentType': 5126, 'count': 3, 'type': 'VEC3', 'sparse': {'count': 1, 'indices': {'bufferView': 0, 'byteOffset': 84, 'componentType': 5125}, 'values': {'bufferView': 0, 'byteOffset': 88}}}," +
            "{'bufferView': 0, 'byteOffset': 100, 'componentType': 5126, 'count': 3, 'type': 'SCALAR'}, {'bufferView': 0, 'byteOffset': 112, 'componentType': 5126, 'count': 6, 'type': 'SCALAR'}]," +
            "'bufferViews': [{'buffer': 0, 'byteLength': " + data.Length + "}], 'buffers': [{'uri': 'morphs.bin', 'byteLength': " + data.Length + "}]}");
        var root = Built(path, new MapSettings(), new Dictionary<string, Object>());
        var torch = root.below.Single();
        var drawn = torch.GetComponent<SkinnedMeshRenderer>();
        Check(drawn != null && torch.GetComponent<MeshFilter>() == null && drawn.sharedMaterials.Length == 1 && !torch.isStatic, "a model whose vertices move is drawn by a SkinnedMeshRenderer, and not static");
        Check(drawn.sharedMesh.shapes.SequenceEqual(new[] { "flame", "flame 2" }) && drawn.weights[0] == 25 && drawn.weights[1] == 0, "its blend shapes and their weights at rest");
        var moves = drawn.sharedMesh.moves;
        Check(moves[0].All(m => m.x == -1) && moves[1][2].y == 2 && moves[1][0].y == 0, "how far each vertex moves, in Unity's axes");
        Check(drawn.localBounds.center.x == -0.5f && drawn.localBounds.extents.y == 1, "its box holds all frames");
        var curves = torch.GetComponent<Animation>().clips["map start"].curves;
        Check(curves.Select(c => c[1]).SequenceEqual(new[] { "blendShape.flame", "blendShape.flame 2" }), "a clip plays its frames");
    }

    // Squares of a material that turn one by one, and a picture that turns as a whole.
    static void Turning(string folder)
    {
        var kept = new Dictionary<string, Object>();
        var all = All(Built(Path.Combine(folder, "billboards.gltf"), new MapSettings(), kept)).ToList();
        Func<Material, float> mode = m => m.values.ContainsKey("_Turns") ? ((Vector4)m.values["_Turns"]).x : 0;
        var turning = all.Where(o => o.GetComponent<MeshRenderer>()?.sharedMaterials.Any(m => mode(m) == 1) ?? false).ToList();
        Check(turning.Count > 0 && turning.All(o => !o.isStatic && o.GetComponent<MeshFilter>().sharedMesh.coordinates[3].Any(a => a.x != 0 || a.y != 0 || a.z != 0) &&
            o.GetComponent<MeshFilter>().sharedMesh.coordinates[2].Count == o.GetComponent<MeshFilter>().sharedMesh.vertices), turning.Count + " objects with squares that turn have their middles and axes");
        Check(kept.Values.OfType<Material>().Where(m => mode(m) == 1).All(m => (float)m.values["_Cull"] == 0), "both sides are drawn");
        var path = Path.Combine(folder, "sprite.gltf");
        File.WriteAllText(path, "{'scenes': [{'nodes': [0, 1], 'extras': {'bsp2gltf_unit': 0.5}}], 'nodes': [{'mesh': 0, 'name': 'glow', 'extras': {'bsp2gltf_sprite': true, 'faces_viewer': true, 'glow': true}}," +
            "{'mesh': 0, 'name': 'flame', 'extras': {'bsp2gltf_sprite': true, 'faces_viewer': true, 'upright': true, 'toward_eye': true}}]," +
            "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'indices': 1, 'material': 0}]}], 'materials': [{'name': 'fire'}]," +
            "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}, {'bufferView': 0, 'componentType': 5125, 'count': 3, 'type': 'SCALAR'}]," +
            "'bufferViews': [{'buffer': 0, 'byteLength': 36}], 'buffers': [{'uri': 'blends.bin', 'byteLength': 36}]}");
        kept.Clear();
        var sprites = Built(path, new MapSettings(), kept).below;
        var turns = sprites.Select(s => (Vector4)s.GetComponent<MeshRenderer>().sharedMaterials[0].values["_Turns"]).ToList();
        Check(turns[0].x == 2 && turns[0].y == 0.5f && turns[1].x == 4 && turns[1].y == 0 && kept.Values.OfType<Material>().Count() == 2, "a glow turns to the viewer and keeps its size, a flame turns upright");
        Check(sprites.All(s => !s.isStatic) && sprites[0].GetComponent<MeshRenderer>().localBounds.extents.x > 1e4f, "neither is batched, and a glow is never culled");
    }

    static void Levels(string path)
    {
        var root = Built(path, new MapSettings { levels = true }, new Dictionary<string, Object>());
        var groups = All(root).Select(o => o.GetComponent<LODGroup>()).Where(g => g != null).ToList();
        Check(groups.Count > 0 && groups.All(g => g.lods.Length > 1), groups.Count + " models with levels of detail");
    }
}
