using UnityEditor;
using UnityEngine;

namespace Bsp2Gltf
{
    /// <summary>
    /// What a map depends on beside its file: the program's version and the games' folders of the preferences. Unity imports maps again
    /// when these change, and does not take another machine's result for them.
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
