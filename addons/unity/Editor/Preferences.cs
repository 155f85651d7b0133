using System.Collections.Generic;
using UnityEditor;
using UnityEngine;

namespace Bsp2Gltf
{
    /// <summary>Preferences > bsp2gltf: the program, and the games' folders for all maps. They belong to this machine, not to the project.</summary>
    static class Preferences
    {
        const string ProgramKey = "bsp2gltf.program", GamesKey = "bsp2gltf.games";

        /// <summary>The program's file; if it is empty, the program is searched on PATH.</summary>
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

        static bool changed;

        static string With(string lines, string line)
        {
            return line == "" ? lines : lines.Trim() == "" ? line : lines.TrimEnd() + "\n" + line;
        }

        static void Draw()
        {
            EditorGUI.BeginChangeCheck();
            EditorGUILayout.BeginHorizontal();
            var program = EditorGUILayout.TextField("Program", EditorPrefs.GetString(ProgramKey, ""));
            if (GUILayout.Button("Browse…", GUILayout.ExpandWidth(false)))
            {
                var chosen = EditorUtility.OpenFilePanel("The program bsp2gltf", "", "");
                if (chosen != "") program = chosen;
            }
            EditorGUILayout.EndHorizontal();
            EditorGUILayout.LabelField("Game folders and archives, one a line");
            var games = EditorGUILayout.TextArea(EditorPrefs.GetString(GamesKey, ""));
            EditorGUILayout.BeginHorizontal();
            if (GUILayout.Button("Add a folder…"))
                games = With(games, EditorUtility.OpenFolderPanel("A game's folder", "", ""));
            if (GUILayout.Button("Add an archive…"))
                games = With(games, EditorUtility.OpenFilePanel("An archive of a game", "", ""));
            EditorGUILayout.EndHorizontal();
            if (EditorGUI.EndChangeCheck() || program != EditorPrefs.GetString(ProgramKey, "") || games != EditorPrefs.GetString(GamesKey, ""))
            {
                EditorPrefs.SetString(ProgramKey, program.Trim());
                EditorPrefs.SetString(GamesKey, games);
                changed = true;
            }
            // Not after each letter, because Unity imports all maps again.
            GUI.enabled = changed;
            if (GUILayout.Button("Import all maps again with these"))
            {
                changed = false;
                Dependencies.Register();
                AssetDatabase.Refresh();
            }
            GUI.enabled = true;
            if (!GUILayout.Button("Test")) return;
            var version = Converter.Version(Program);
            EditorUtility.DisplayDialog("bsp2gltf", version == null ? "There is no bsp2gltf by the name " + Program : "bsp2gltf " + version + " is there", "OK");
        }
    }
}
