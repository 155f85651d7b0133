using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Text;

namespace Bsp2Gltf
{
    /// <summary>The options of a conversion.</summary>
    public sealed class Conversion
    {
        public string Program;               // bsp2gltf's full path, or a name on PATH
        public string Map, Output;           // the .bsp; the .gltf to write
        public string Report;                // file for the report, or null
        public IList<string> Games = new string[0];    // folders and archives with textures
        public IList<string> Settings = new string[0]; // KEY=VALUE of pipeline.yaml
        public bool Colliders, Probes, Levels; // also: light probes beside the output; coarser models
    }

    public sealed class ConversionFailed : Exception
    {
        public ConversionFailed(string message) : base(message) { }
    }

    /// <summary>Runs the program bsp2gltf.</summary>
    public static class Converter
    {
        /// <summary>The arguments in order.</summary>
        public static List<string> Arguments(Conversion c)
        {
            var args = new List<string> { "--preset", "unity", "--quiet" };
            foreach (var game in c.Games)
                if (!string.IsNullOrEmpty(game)) args.AddRange(new[] { "--game", game });
            if (c.Colliders) args.AddRange(new[] { "--set", "geometry.collision=brushes" });
            if (c.Probes) args.AddRange(new[] { "--set", "lightmap.probes=true" });
            if (c.Levels) args.AddRange(new[] { "--set", "models.lods=chain" });
            foreach (var setting in c.Settings)
                if (!string.IsNullOrEmpty(setting)) args.AddRange(new[] { "--set", setting });
            if (c.Report != null) args.AddRange(new[] { "--report", c.Report });
            args.AddRange(new[] { "--", c.Map, c.Output });
            return args;
        }

        /// <summary>
        /// One argument, quoted for .NET's command line. On Windows a backslash is literal unless a quote follows; elsewhere Mono
        /// reads quotes like a shell, so a backslash is always written twice.
        /// </summary>
        public static string Quoted(string argument)
        {
            if (Path.DirectorySeparatorChar == '/') return "\"" + argument.Replace("\\", "\\\\").Replace("\"", "\\\"") + "\"";
            var text = new StringBuilder("\"");
            var backslashes = 0;
            foreach (var c in argument)
            {
                if (c == '\\')
                {
                    backslashes++;
                    continue;
                }
                text.Append('\\', c == '"' ? 2 * backslashes + 1 : backslashes).Append(c);
                backslashes = 0;
            }
            return text.Append('\\', 2 * backslashes).Append('"').ToString();
        }

        /// <summary>
        /// Converts a map. It calls cancelled ten times a second. If the program fails, the exception has the program's message.
        /// </summary>
        public static void Run(Conversion c, Func<bool> cancelled)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(c.Output));
            var arguments = new List<string>();
            foreach (var argument in Arguments(c)) arguments.Add(Quoted(argument));
            var program = ProgramFile.Find(c.Program);
            if (program == null)
                throw new ConversionFailed("there is no bsp2gltf at " + c.Program + " nor on PATH. Name its full path in Preferences > bsp2gltf.");
            var start = new ProcessStartInfo(program, string.Join(" ", arguments))
            {
                UseShellExecute = false, CreateNoWindow = true, RedirectStandardError = true,
            };
            Process process;
            try
            {
                process = Process.Start(start);
            }
            catch (System.ComponentModel.Win32Exception e)
            {
                throw new ConversionFailed("bsp2gltf can't be started (" + program + "): " + e.Message + ". Name its file in Preferences > bsp2gltf.");
            }
            using (process)
            {
                var said = process.StandardError.ReadToEndAsync();
                while (!process.WaitForExit(100))
                {
                    if (!cancelled()) continue;
                    process.Kill();
                    process.WaitForExit();
                    throw new ConversionFailed("cancelled");
                }
                process.WaitForExit();
                if (process.ExitCode != 0)
                    throw new ConversionFailed(said.Result.Trim().Length > 0 ? said.Result.Trim() : "bsp2gltf ended with code " + process.ExitCode);
            }
        }

        /// <summary>The program's version and build ("0.1.0 (build 8edf821c1b2a)"), or null if there is none of that name.</summary>
        public static string Version(string named)
        {
            var program = ProgramFile.Find(named);
            if (program == null) return null;
            try
            {
                var start = new ProcessStartInfo(program, "--version") { UseShellExecute = false, CreateNoWindow = true, RedirectStandardOutput = true };
                using (var process = Process.Start(start))
                {
                    var said = process.StandardOutput.ReadToEnd().Trim();
                    process.WaitForExit();
                    return process.ExitCode == 0 && said.StartsWith("bsp2gltf ") ? said.Substring("bsp2gltf ".Length) : null;
                }
            }
            catch (System.ComponentModel.Win32Exception)
            {
                return null;
            }
        }
    }
}
