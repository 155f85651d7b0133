// Signatures of github.com/Unity-Technologies/UnityCsReference at b052b1fe38b4, each below its file and line. Made by signatures.py: do not edit.
using System;
using System.Collections.Generic;
using UnityEngine;
using UnityEngine.Rendering;
using UnityEditor;
using UnityEditor.AssetImporters;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    // Editor/Mono/StaticEditorFlags.cs:10
    public enum StaticEditorFlags
    {
        // Editor/Mono/StaticEditorFlags.cs:17
        OccluderStatic = 2,
        // Editor/Mono/StaticEditorFlags.cs:19
        OccludeeStatic = 16,
        // Editor/Mono/StaticEditorFlags.cs:21
        BatchingStatic = 4,
    }
    // Editor/Mono/GameObjectUtility.bindings.cs:14
    public sealed class GameObjectUtility
    {
        // Editor/Mono/GameObjectUtility.bindings.cs:18
        public static void SetStaticEditorFlags(GameObject go, StaticEditorFlags flags) { throw null; }
    }
    // Editor/Mono/AssetPipeline/AssetImporter.bindings.cs:15
    public class AssetImporter : Object
    {
        // Editor/Mono/AssetPipeline/AssetImporter.bindings.cs:61
        public string assetPath { get { throw null; } }
    }
    // Editor/Mono/EditorAssemblies.cs:34
    [AttributeUsage(AttributeTargets.Method)]
    public class InitializeOnLoadMethodAttribute : Attribute
    {
    }
    // Editor/Mono/AssetPostprocessor.cs:20
    public class AssetPostprocessor
    {
        // Editor/Mono/AssetPostprocessor.cs:59
        public string assetPath { get { throw null; } set { throw null; } }
        // Editor/Mono/AssetPostprocessor.cs:88
        public AssetImporter assetImporter { get { throw null; } }
    }
    // Editor/Mono/AssetPipeline/TextureImporterEnums.cs:297
    public enum TextureImporterType
    {
        // Editor/Mono/AssetPipeline/TextureImporterEnums.cs:300
        Default = 0,
    }
    // Editor/Mono/AssetPipeline/TextureImporterEnums.cs:325
    public enum TextureImporterCompression
    {
        // Editor/Mono/AssetPipeline/TextureImporterEnums.cs:327
        Uncompressed = 0,
    }
    // Editor/Mono/AssetPipeline/TextureImporterEnums.cs:256
    public enum TextureImporterNPOTScale
    {
        // Editor/Mono/AssetPipeline/TextureImporterEnums.cs:259
        None = 0,
    }
    // Editor/Mono/AssetPipeline/TextureImporterEnums.cs:278
    public enum TextureImporterAlphaSource
    {
        // Editor/Mono/AssetPipeline/TextureImporterEnums.cs:281
        None = 0,
    }
    // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:17
    public sealed class TextureImporter : AssetImporter
    {
        // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:41
        public int maxTextureSize { get { throw null; } set { throw null; } }
        // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:48
        public TextureImporterCompression textureCompression { get { throw null; } set { throw null; } }
        // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:49
        public TextureImporterAlphaSource alphaSource { get { throw null; } set { throw null; } }
        // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:237
        public TextureImporterNPOTScale npotScale { get { throw null; } set { throw null; } }
        // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:259
        public bool mipmapEnabled { get { throw null; } set { throw null; } }
        // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:263
        public bool sRGBTexture { get { throw null; } set { throw null; } }
        // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:325
        public FilterMode filterMode { get { throw null; } set { throw null; } }
        // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:328
        public TextureWrapMode wrapMode { get { throw null; } set { throw null; } }
        // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:419
        public TextureImporterType textureType { get { throw null; } set { throw null; } }
    }
    // Editor/Mono/AssetDatabase/AssetDatabase.cs:13
    public sealed class AssetDatabase
    {
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:174
        public static bool DeleteAsset(string path) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:195
        public static void CreateAsset(Object asset, string path) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:200
        public static void AddObjectToAsset(Object objectToAdd, string path) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:203
        static public void AddObjectToAsset(Object objectToAdd, Object assetObject) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:210
        public static string GetAssetPath(Object assetObject) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:212
        public static string GetAssetPath(int instanceID) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:228
        public static Object LoadAssetAtPath(string assetPath, Type type) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:234
        public static T LoadAssetAtPath<T>(string assetPath) where T : Object { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:257
        public static Object[] LoadAllAssetsAtPath(string assetPath) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:267
        public static void Refresh() { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:316
        public static string AssetPathToGUID(string path) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:348
        public static void SaveAssets() { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:806
        public static void RegisterCustomDependency(string dependency, Hash128 hashOfValue) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:814
        public static bool IsAssetImportWorkerProcess() { throw null; }
    }
    // Editor/Mono/Prefabs/PrefabUtility.bindings.cs:15
    public sealed class PrefabUtility
    {
        // Editor/Mono/Prefabs/PrefabUtility.cs:1846
        public static GameObject SaveAsPrefabAsset(GameObject instanceRoot, string assetPath, out bool success) { throw null; }
        // Editor/Mono/Prefabs/PrefabUtility.cs:1853
        public static GameObject SaveAsPrefabAsset(GameObject instanceRoot, string assetPath) { throw null; }
        // Editor/Mono/Prefabs/PrefabUtility.cs:1935
        public static Object InstantiatePrefab(Object assetComponentOrGameObject) { throw null; }
        // Editor/Mono/Prefabs/PrefabUtility.cs:1946
        public static Object InstantiatePrefab(Object assetComponentOrGameObject, Transform parent) { throw null; }
    }
    // Editor/Mono/Selection.bindings.cs:37
    public sealed class Selection
    {
        // Editor/Mono/Selection.bindings.cs:76
        public static Object activeObject { get { throw null; } set { throw null; } }
    }
    // Editor/Mono/EditorUtility.bindings.cs:17
    public class EditorUtility
    {
        // Editor/Mono/EditorUtility.bindings.cs:22
        public static string OpenFilePanel(string title, string directory, string extension) { throw null; }
        // Editor/Mono/EditorUtility.bindings.cs:38
        public static bool DisplayDialog(string title, string message, string ok, string cancel) { throw null; }
        // Editor/Mono/EditorUtility.bindings.cs:56
        public static bool DisplayDialog(string title, string message, string ok) { throw null; }
        // Editor/Mono/EditorUtility.bindings.cs:79
        public static string OpenFolderPanel(string title, string folder, string defaultName) { throw null; }
        // Editor/Mono/EditorUtility.bindings.cs:177
        public static bool DisplayCancelableProgressBar(string title, string info, float progress) { throw null; }
        // Editor/Mono/EditorUtility.bindings.cs:179
        public static void ClearProgressBar() { throw null; }
    }
    // Editor/Mono/EditorPrefs.bindings.cs:11
    public sealed class EditorPrefs
    {
        // Editor/Mono/EditorPrefs.bindings.cs:55
        public static void SetString(string key, string value) { throw null; }
        // Editor/Mono/EditorPrefs.bindings.cs:62
        public static string GetString(string key, string defaultValue) { throw null; }
        // Editor/Mono/EditorPrefs.bindings.cs:63
        public static string GetString(string key) { throw null; }
    }
    // Editor/Mono/EditorGUI.EnumMaskField.deprecated.cs:14
    public class EditorGUI
    {
        // Editor/Mono/EditorGUI.cs:442
        public static void BeginChangeCheck() { throw null; }
        // Editor/Mono/EditorGUI.cs:456
        public static bool EndChangeCheck() { throw null; }
    }
    // Editor/Mono/EditorGUI.EnumMaskField.deprecated.cs:155
    public class EditorGUILayout
    {
        // Editor/Mono/EditorGUILayout.cs:113
        public static void LabelField(string label, params GUILayoutOption[] options) { throw null; }
        // Editor/Mono/EditorGUILayout.cs:133
        public static void LabelField(string label, string label2, params GUILayoutOption[] options) { throw null; }
        // Editor/Mono/EditorGUILayout.cs:246
        public static string TextField(string text, params GUILayoutOption[] options) { throw null; }
        // Editor/Mono/EditorGUILayout.cs:258
        public static string TextField(string label, string text, params GUILayoutOption[] options) { throw null; }
        // Editor/Mono/EditorGUILayout.cs:350
        public static string TextArea(string text, params GUILayoutOption[] options) { throw null; }
        // Editor/Mono/EditorGUILayout.cs:1769
        public static Rect BeginHorizontal(params GUILayoutOption[] options) { throw null; }
        // Editor/Mono/EditorGUILayout.cs:1797
        public static void EndHorizontal() { throw null; }
    }
    // Editor/Mono/Settings/SettingsProvider.cs:15
    public enum SettingsScope
    {
        // Editor/Mono/Settings/SettingsProvider.cs:17
        User = 0,
    }
    // Editor/Mono/Settings/SettingsProviderAttribute.cs:9
    [AttributeUsage(AttributeTargets.Method)]
    public sealed class SettingsProviderAttribute : Attribute
    {
    }
    // Editor/Mono/Settings/SettingsProvider.cs:21
    public class SettingsProvider
    {
        // Editor/Mono/Settings/SettingsProvider.cs:54
        public Action<string> guiHandler { get { throw null; } set { throw null; } }
        // Editor/Mono/Settings/SettingsProvider.cs:62
        public SettingsProvider(string path, SettingsScope scopes, IEnumerable<string> keywords = null) { throw null; }
    }
    // Editor/Mono/MenuItem.cs:16
    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public sealed class MenuItem : Attribute
    {
        // Editor/Mono/MenuItem.cs:23
        public MenuItem(string itemName) { throw null; }
        // Editor/Mono/MenuItem.cs:26
        public MenuItem(string itemName, bool isValidateFunction) { throw null; }
        // Editor/Mono/MenuItem.cs:32
        public MenuItem(string itemName, bool isValidateFunction, int priority) { throw null; }
    }
    // Editor/Mono/SerializedObject.bindings.cs:12
    public class SerializedObject
    {
        // Editor/Mono/SerializedObject.bindings.cs:24
        public SerializedObject(Object obj) { throw null; }
        // Editor/Mono/SerializedObject.bindings.cs:29
        public SerializedObject(Object obj, Object context) { throw null; }
        // Editor/Mono/SerializedObject.bindings.cs:35
        public SerializedObject(Object[] objs) { throw null; }
        // Editor/Mono/SerializedObject.bindings.cs:40
        public SerializedObject(Object[] objs, Object context) { throw null; }
        // Editor/Mono/SerializedObject.bindings.cs:71
        public SerializedProperty FindProperty(string propertyPath) { throw null; }
    }
    // Editor/Mono/SerializedProperty.bindings.cs:88
    public class SerializedProperty
    {
        // Editor/Mono/SerializedProperty.bindings.cs:813
        public bool boolValue { get { throw null; } set { throw null; } }
    }
}

namespace UnityEditor.AssetImporters
{
    // Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs:23
    public class AssetImportContext
    {
        // Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs:34
        public string assetPath { get { throw null; } }
        // Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs:44
        public void SetMainObject(Object obj) { throw null; }
        // Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs:48
        public void AddObjectToAsset(string identifier, Object obj) { throw null; }
        // Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs:56
        public void AddObjectToAsset(string identifier, Object obj, Texture2D thumbnail) { throw null; }
        // Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs:147
        public void DependsOnArtifact(string path) { throw null; }
        // Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs:160
        public void DependsOnCustomDependency(string dependency) { throw null; }
        // Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs:173
        public void LogImportError(string msg, UnityEngine.Object obj = null) { throw null; }
        // Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs:183
        public void LogImportWarning(string msg, UnityEngine.Object obj = null) { throw null; }
    }
    // Modules/AssetPipelineEditor/Public/ScriptedImporter.cs:15
    public abstract class ScriptedImporter : AssetImporter
    {
        // Modules/AssetPipelineEditor/Public/ScriptedImporter.cs:29
        public abstract void OnImportAsset(AssetImportContext ctx);
    }
    // Modules/AssetPipelineEditor/Public/ScriptedImporter.cs:167
    [AttributeUsage(AttributeTargets.Class, Inherited = false)]
    public class ScriptedImporterAttribute : Attribute
    {
        // Modules/AssetPipelineEditor/Public/ScriptedImporter.cs:187
        public ScriptedImporterAttribute(int version, string ext) { throw null; }
        // Modules/AssetPipelineEditor/Public/ScriptedImporter.cs:192
        public ScriptedImporterAttribute(int version, string ext, int importQueueOffset) { throw null; }
        // Modules/AssetPipelineEditor/Public/ScriptedImporter.cs:197
        public ScriptedImporterAttribute(int version, string[] exts) { throw null; }
        // Modules/AssetPipelineEditor/Public/ScriptedImporter.cs:202
        public ScriptedImporterAttribute(int version, string[] exts, string[] overrideExts) { throw null; }
        // Modules/AssetPipelineEditor/Public/ScriptedImporter.cs:207
        public ScriptedImporterAttribute(int version, string[] exts, int importQueueOffset) { throw null; }
        // Modules/AssetPipelineEditor/Public/ScriptedImporter.cs:212
        public ScriptedImporterAttribute(int version, string[] exts, string[] overrideExts, int importQueueOffset) { throw null; }
    }
}
