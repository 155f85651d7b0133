using System;
using System.Collections.Generic;
using System.IO;
using UnityEditor;
using UnityEditor.AssetImporters;
using UnityEngine;

namespace Bsp2Gltf
{
    /// <summary>
    /// A .bsp in the project: bsp2gltf converts it into Library, and the map is built from that. Needs the program, which
    /// Preferences > bsp2gltf names.
    /// </summary>
    [ScriptedImporter(2, "bsp")]
    public sealed class BspImporter : ScriptedImporter
    {
        [Tooltip("Folders and archives (.pk3, .vpk, .wad) with the game's textures. Those of the preferences come after them.")]
        public string[] games = new string[0];
        [Tooltip("Settings of bsp2gltf's pipeline.yaml, like lightmap.light=ldr")]
        public string[] settings = new string[0];
        public MapSettings map = new MapSettings();

        public override void OnImportAsset(AssetImportContext ctx)
        {
            // The result also depends on the program, the games' folders and the shader.
            ctx.DependsOnCustomDependency(Dependencies.Program);
            ctx.DependsOnCustomDependency(Dependencies.Games);
            ctx.DependsOnArtifact(BakedMaterial.ShaderPath);
            var project = Path.GetDirectoryName(Application.dataPath);
            var name = Path.GetFileNameWithoutExtension(ctx.assetPath);
            var folder = Path.Combine(project, "Library", "bsp2gltf", AssetDatabase.AssetPathToGUID(ctx.assetPath));
            var conversion = new Conversion
            {
                Program = Preferences.Program,
                Map = Path.Combine(project, ctx.assetPath),
                Output = Path.Combine(folder, name + ".gltf"),
                Report = Path.Combine(folder, "report.json"),
                Games = Together(games, Preferences.Games),
                Settings = settings,
                Colliders = map.colliders,
                Probes = map.probes,
                Levels = map.levels,
            };
            try
            {
                if (Directory.Exists(folder)) Directory.Delete(folder, true);
                Converter.Run(conversion, () => Cancelled(ctx.assetPath));
                var shader = AssetDatabase.LoadAssetAtPath<Shader>(BakedMaterial.ShaderPath);
                if (shader == null) throw new ConversionFailed("the shader is not at " + BakedMaterial.ShaderPath);
                var file = GltfFile.Open(conversion.Output);
                var builder = new MapBuilder(file, map, shader, (id, made) => ctx.AddObjectToAsset(id, made));
                var root = builder.Build(name);
                var probes = Path.Combine(folder, name + "_probes.json");
                if (map.probes) MapProbes.Add(root, File.Exists(probes) ? ProbeFile.Open(probes) : null, LightGrid.Read(file));
                ctx.AddObjectToAsset("map", root);
                ctx.SetMainObject(root);
                Tell(ctx, conversion.Report);
            }
            catch (Exception e) when (e is ConversionFailed || e is IOException || e is InvalidDataException || e is Newtonsoft.Json.JsonException)
            {
                ctx.LogImportError("bsp2gltf: " + e.Message.TrimEnd('.') + ". Then right-click the map > Reimport.");
            }
            finally
            {
                if (!AssetDatabase.IsAssetImportWorkerProcess()) EditorUtility.ClearProgressBar();
            }
        }

        static bool Cancelled(string map)
        {
            return !AssetDatabase.IsAssetImportWorkerProcess() && EditorUtility.DisplayCancelableProgressBar("bsp2gltf", "Converting " + map, 0.5f);
        }

        static List<string> Together(IEnumerable<string> first, IEnumerable<string> second)
        {
            var all = new List<string>(first);
            all.AddRange(second);
            return all;
        }

        /// <summary>Logs the report's missing files in one line.</summary>
        static void Tell(AssetImportContext ctx, string report)
        {
            var missing = Report.MissingMaterials(File.ReadAllText(report));
            if (missing.Count > 0)
                ctx.LogImportWarning("bsp2gltf: " + missing.Count + " materials are missing: " + Report.Some(missing, 5) +
                    ". Name the game's folder or archives in the import settings, or in Preferences > bsp2gltf; " +
                    "then right-click the map > Reimport.");
        }
    }
}
