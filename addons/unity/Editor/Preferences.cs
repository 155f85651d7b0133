using System.Collections.Generic;
using UnityEditor;
using UnityEngine;

namespace Bsp2Gltf
{
    /// <summary>Preferences > bsp2gltf: the program, and the games' folders for all maps. They are this machine's, not the project's.</summary>
    static class Preferences
    {
        const string ProgramKey = "bsp2gltf.program", GamesKey = "bsp2gltf.games";

        /// <summary>The program's file; without one the name is looked for on PATH.</summary>
        public static string Program
        {
            get
            {
                var named = EditorPrefs.GetString(ProgramKey, "");
                return named == "" ? "bsp2gltf" : named;
            }
        }

        public static IEnumerable<string> Games
        {
            get { return EditorPrefs.GetString(GamesKey, "").Split('\n'); }
        }

        [SettingsProvider]
        static SettingsProvider Provider()
        {
            return new SettingsProvider("Preferences/bsp2gltf", SettingsScope.User) { guiHandler = _ => Draw() };
        }

        static void Draw()
        {
            EditorGUI.BeginChangeCheck();
            var program = EditorGUILayout.TextField("Program", EditorPrefs.GetString(ProgramKey, ""));
            EditorGUILayout.LabelField("Game folders and archives, one a line");
            var games = EditorGUILayout.TextArea(EditorPrefs.GetString(GamesKey, ""));
            if (EditorGUI.EndChangeCheck())
            {
                EditorPrefs.SetString(ProgramKey, program.Trim());
                EditorPrefs.SetString(GamesKey, games);
            }
            if (!GUILayout.Button("Test")) return;
            var version = Converter.Version(Program);
            EditorUtility.DisplayDialog("bsp2gltf", version == null ? "There is no bsp2gltf by the name " + Program : "bsp2gltf " + version + " is there", "OK");
        }
    }
}
