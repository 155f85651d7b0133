using System;
using System.IO;

namespace Bsp2Gltf
{
    /// <summary>Finds the program bsp2gltf.</summary>
    public static class ProgramFile
    {
        /// <summary>
        /// The full path of a program: named, if that is a full path, else the first file of that name in the folders of path (PATH), or null.
        /// Relative entries and the current folder, here, are skipped: Unity's current folder is the project's, and an untrusted project may
        /// have a program of that name. Windows itself would search there first.
        /// </summary>
        public static string Find(string named, string path, string here)
        {
            if (IsFull(named)) return File.Exists(named) ? named : null;
            if (Path.GetFileName(named) != named) return null;
            foreach (var entry in (path ?? "").Split(Path.PathSeparator))
            {
                var folder = entry.Trim('"');
                if (!IsFull(folder) || Same(folder, here)) continue;
                var file = Path.Combine(folder, named + (Path.DirectorySeparatorChar == '\\' && !Path.HasExtension(named) ? ".exe" : ""));
                if (File.Exists(file)) return file;
            }
            return null;
        }

        /// <summary>Find in this process.</summary>
        public static string Find(string named)
        {
            return Find(named, Environment.GetEnvironmentVariable("PATH"), Directory.GetCurrentDirectory());
        }

        // On Windows "\tools" and "C:tools" depend on the current drive and folder.
        static bool IsFull(string path)
        {
            if (path.IndexOfAny(Path.GetInvalidPathChars()) >= 0 || path.Length == 0) return false;
            return Path.DirectorySeparatorChar == '/' ? path[0] == '/' : path.StartsWith(@"\\") || path.Length > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/');
        }

        static bool Same(string a, string b)
        {
            var ignore = Path.DirectorySeparatorChar == '\\' ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;
            return string.Equals(Path.GetFullPath(a).TrimEnd('/', '\\'), Path.GetFullPath(b).TrimEnd('/', '\\'), ignore);
        }
    }
}
