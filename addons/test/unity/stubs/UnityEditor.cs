// Signatures of UnityEditor that our files use, for compiling them without Unity. Nothing here does anything.
//
// Read in Unity's C# reference source (github.com/Unity-Technologies/UnityCsReference), file at commit:
//   ScriptedImporter, ScriptedImporterAttribute   Modules/AssetPipelineEditor/Public/ScriptedImporter.cs at 034434ba772a
//   AssetImportContext    Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs at 02f8e8ca594f (there in its older namespace)
//   GameObjectUtility     Editor/Mono/GameObjectUtility.bindings.cs at 1421005c15b0
//   EditorPrefs           Editor/Mono/EditorPrefs.bindings.cs at 02f8e8ca594f
//   SettingsProvider, SettingsScope   Editor/Mono/Settings/SettingsProvider.cs at 1421005c15b0
//   AssetDatabase         Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs at 034434ba772a
//   EditorUtility         Editor/Mono/EditorUtility.bindings.cs at 02f8e8ca594f
//   Selection             Editor/Mono/Selection.bindings.cs at 125a837346c3
//   MenuItem              Editor/Mono/MenuItem.cs at 0aa4923aa67e
//   SerializedObject      Editor/Mono/SerializedObject.bindings.cs at 034434ba772a
//   StaticEditorFlags, PrefabUtility.SaveAsPrefabAsset, AssetDatabase.IsAssetImportWorkerProcess   their lines in the same source
// Read in no source, but as Unity's API is generally known: PrefabUtility.InstantiatePrefab, EditorGUI, EditorGUILayout,
// SerializedProperty.
using System;
using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    [Flags]
    public enum StaticEditorFlags
    {
        ContributeGI = 1, OccluderStatic = 2, BatchingStatic = 4, NavigationStatic = 8, OccludeeStatic = 16, OffMeshLinkGeneration = 32,
        ReflectionProbeStatic = 64,
    }

    public sealed class GameObjectUtility { public static void SetStaticEditorFlags(GameObject go, StaticEditorFlags flags) { } }

    public class AssetImporter : Object { public string assetPath { get { return null; } } }

    public sealed class AssetDatabase
    {
        public static string AssetPathToGUID(string path) { return null; }
        public static string GetAssetPath(Object assetObject) { return null; }
        public static T LoadAssetAtPath<T>(string assetPath) where T : Object { return null; }
        public static void CreateAsset(Object asset, string path) { }
        public static void AddObjectToAsset(Object objectToAdd, string path) { }
        public static bool DeleteAsset(string path) { return false; }
        public static bool IsAssetImportWorkerProcess() { return false; }
    }

    public sealed class PrefabUtility
    {
        public static Object InstantiatePrefab(Object assetComponentOrGameObject) { return null; }
        public static GameObject SaveAsPrefabAsset(GameObject instanceRoot, string assetPath) { return null; }
    }

    public sealed class Selection { public static Object activeObject { get; set; } }

    public class EditorUtility
    {
        public static bool DisplayCancelableProgressBar(string title, string info, float progress) { return false; }
        public static void ClearProgressBar() { }
        public static bool DisplayDialog(string title, string message, string ok) { return false; }
    }

    public sealed class EditorPrefs
    {
        public static string GetString(string key, string defaultValue) { return null; }
        public static void SetString(string key, string value) { }
    }

    public sealed class EditorGUI
    {
        public static void BeginChangeCheck() { }
        public static bool EndChangeCheck() { return false; }
    }

    public sealed class EditorGUILayout
    {
        public static string TextField(string label, string text, params GUILayoutOption[] options) { return null; }
        public static string TextArea(string text, params GUILayoutOption[] options) { return null; }
        public static void LabelField(string label, params GUILayoutOption[] options) { }
    }

    public enum SettingsScope { User, Project }
    [AttributeUsage(AttributeTargets.Method)]
    public class SettingsProviderAttribute : Attribute { }
    public class SettingsProvider
    {
        public SettingsProvider(string path, SettingsScope scopes, IEnumerable<string> keywords = null) { }
        public Action<string> guiHandler { get; set; }
    }

    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public sealed class MenuItem : Attribute
    {
        public MenuItem(string itemName) { }
        public MenuItem(string itemName, bool isValidateFunction) { }
    }

    public class SerializedObject
    {
        public SerializedObject(Object obj) { }
        public SerializedProperty FindProperty(string propertyPath) { return null; }
    }
    public class SerializedProperty { public bool boolValue { get; set; } }
}

namespace UnityEditor.AssetImporters
{
    public class AssetImportContext
    {
        AssetImportContext() { }
        public string assetPath { get { return null; } }
        public void SetMainObject(Object obj) { }
        public void AddObjectToAsset(string identifier, Object obj) { }
        public void LogImportError(string msg, Object obj = null) { }
        public void LogImportWarning(string msg, Object obj = null) { }
    }

    public abstract class ScriptedImporter : AssetImporter { public abstract void OnImportAsset(AssetImportContext ctx); }

    [AttributeUsage(AttributeTargets.Class, Inherited = false)]
    public class ScriptedImporterAttribute : Attribute { public ScriptedImporterAttribute(int version, string ext) { } }
}
