using UnityEditor;
using UnityEngine;

namespace Bsp2Gltf
{
    /// <summary>
    /// What a map depends on besides its file: the program's version and the games' folders in the preferences. Unity imports maps again
    /// when these change, and does not reuse another machine's result with different ones.
    /// </summary>
    static class Dependencies
    {
        public const string Program = "bsp2gltf/program", Games = "bsp2gltf/games";

        [InitializeOnLoadMethod]
        static void Start()
        {
            if (AssetDatabase.IsAssetImportWorkerProcess()) return; // its parent has registered them
            Register();
        }

        /// <summary>Not to be called during an import.</summary>
        public static void Register()
        {
            AssetDatabase.RegisterCustomDependency(Program, Hash128.Compute(Converter.Version(Preferences.Program) ?? "none"));
            AssetDatabase.RegisterCustomDependency(Games, Hash128.Compute(string.Join("\n", Preferences.Games)));
        }
    }
}
