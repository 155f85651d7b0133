// Signatures of github.com/Unity-Technologies/UnityCsReference at d253e09acffc, each below its file and line. Made by signatures.py: do not edit.
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
    // Editor/Mono/GameObjectUtility.bindings.cs:13
    public sealed class GameObjectUtility
    {
        // Editor/Mono/GameObjectUtility.bindings.cs:18
        public static void SetStaticEditorFlags(GameObject go, StaticEditorFlags flags) { throw null; }
    }
    // Editor/Mono/AssetPipeline/AssetImporter.bindings.cs:16
    public class AssetImporter : Object
    {
        // Editor/Mono/AssetPipeline/AssetImporter.bindings.cs:61
        public string assetPath { get { throw null; } }
    }
    // Editor/Mono/EditorAssemblies.cs:36
    [AttributeUsage(AttributeTargets.Method)]
    public class InitializeOnLoadMethodAttribute : Attribute
    {
    }
    // Editor/Mono/AssetPostprocessor.cs:20
    public class AssetPostprocessor
    {
        // Editor/Mono/AssetPostprocessor.cs:63
        public string assetPath { get { throw null; } set { throw null; } }
        // Editor/Mono/AssetPostprocessor.cs:108
        public AssetImporter assetImporter { get { throw null; } }
    }
    // Editor/Mono/AssetPipeline/TextureImporterEnums.cs:325
    public enum TextureImporterType
    {
        // Editor/Mono/AssetPipeline/TextureImporterEnums.cs:328
        Default = 0,
    }
    // Editor/Mono/AssetPipeline/TextureImporterEnums.cs:353
    public enum TextureImporterCompression
    {
        // Editor/Mono/AssetPipeline/TextureImporterEnums.cs:355
        Uncompressed = 0,
    }
    // Editor/Mono/AssetPipeline/TextureImporterEnums.cs:284
    public enum TextureImporterNPOTScale
    {
        // Editor/Mono/AssetPipeline/TextureImporterEnums.cs:287
        None = 0,
    }
    // Editor/Mono/AssetPipeline/TextureImporterEnums.cs:306
    public enum TextureImporterAlphaSource
    {
        // Editor/Mono/AssetPipeline/TextureImporterEnums.cs:309
        None = 0,
    }
    // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:17
    public sealed class TextureImporter : AssetImporter
    {
        // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:42
        public int maxTextureSize { get { throw null; } set { throw null; } }
        // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:49
        public TextureImporterCompression textureCompression { get { throw null; } set { throw null; } }
        // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:50
        public TextureImporterAlphaSource alphaSource { get { throw null; } set { throw null; } }
        // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:234
        public TextureImporterNPOTScale npotScale { get { throw null; } set { throw null; } }
        // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:257
        public bool mipmapEnabled { get { throw null; } set { throw null; } }
        // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:261
        public bool sRGBTexture { get { throw null; } set { throw null; } }
        // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:344
        public FilterMode filterMode { get { throw null; } set { throw null; } }
        // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:347
        public TextureWrapMode wrapMode { get { throw null; } set { throw null; } }
        // Editor/Mono/AssetPipeline/TextureImporter.bindings.cs:440
        public TextureImporterType textureType { get { throw null; } set { throw null; } }
    }
    // Editor/Mono/AssetDatabase/AssetDatabase.cs:13
    public sealed class AssetDatabase
    {
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:331
        public static bool DeleteAsset(string path) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:374
        public static void CreateAsset(Object asset, string path) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:387
        public static void AddObjectToAsset(Object objectToAdd, string path) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:391
        static public void AddObjectToAsset(Object objectToAdd, Object assetObject) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:408
        public static string GetAssetPath(Object assetObject) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:411
        public static string GetAssetPath(int instanceID) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:443
        public static Object LoadAssetAtPath(string assetPath, Type type) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:450
        public static T LoadAssetAtPath<T>(string assetPath) where T : Object { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:537
        public static Object[] LoadAllAssetsAtPath(string assetPath) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:544
        public static void Refresh() { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:628
        public static string AssetPathToGUID(string path) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:667
        public static void SaveAssets() { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:1270
        public static void RegisterCustomDependency(string dependency, Hash128 hashOfValue) { throw null; }
        // Modules/AssetDatabase/Editor/ScriptBindings/AssetDatabase.bindings.cs:1280
        public static bool IsAssetImportWorkerProcess() { throw null; }
    }
    // Editor/Mono/Prefabs/PrefabUtility.bindings.cs:15
    public sealed class PrefabUtility
    {
        // Editor/Mono/Prefabs/PrefabUtility.cs:2086
        public static GameObject SaveAsPrefabAsset(GameObject instanceRoot, string assetPath, out bool success) { throw null; }
        // Editor/Mono/Prefabs/PrefabUtility.cs:2093
        public static GameObject SaveAsPrefabAsset(GameObject instanceRoot, string assetPath) { throw null; }
        // Editor/Mono/Prefabs/PrefabUtility.cs:2182
        public static Object InstantiatePrefab(Object assetComponentOrGameObject) { throw null; }
        // Editor/Mono/Prefabs/PrefabUtility.cs:2193
        public static Object InstantiatePrefab(Object assetComponentOrGameObject, Transform parent) { throw null; }
    }
    // Editor/Mono/Selection/Selection.bindings.cs:37
    public sealed class Selection
    {
        // Editor/Mono/Selection/Selection.bindings.cs:76
        public static Object activeObject { get { throw null; } set { throw null; } }
    }
    // Editor/Mono/EditorUtility.bindings.cs:18
    public class EditorUtility
    {
        // Editor/Mono/EditorUtility.bindings.cs:25
        public static string OpenFilePanel(string title, string directory, string extension) { throw null; }
        // Editor/Mono/EditorUtility.bindings.cs:41
        public static string OpenFolderPanel(string title, string folder, string defaultName) { throw null; }
        // Editor/Mono/EditorUtility.bindings.cs:151
        public static bool DisplayCancelableProgressBar(string title, string info, float progress) { throw null; }
        // Editor/Mono/EditorUtility.bindings.cs:153
        public static void ClearProgressBar() { throw null; }
        // Editor/Mono/EditorUtility.cs:201
        public static bool DisplayDialog(string title, string message, string ok, string cancel) { throw null; }
        // Editor/Mono/EditorUtility.cs:206
        public static bool DisplayDialog(string title, string message, string ok) { throw null; }
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
    // Editor/Mono/EditorGUI.EnumMaskField.deprecated.cs:13
    public class EditorGUI
    {
        // Editor/Mono/EditorGUI.cs:482
        public static void BeginChangeCheck() { throw null; }
        // Editor/Mono/EditorGUI.cs:496
        public static bool EndChangeCheck() { throw null; }
    }
    // Editor/Mono/EditorGUI.EnumMaskField.deprecated.cs:154
    public class EditorGUILayout
    {
        // Editor/Mono/EditorGUILayout.cs:114
        public static void LabelField(string label, params GUILayoutOption[] options) { throw null; }
        // Editor/Mono/EditorGUILayout.cs:134
        public static void LabelField(string label, string label2, params GUILayoutOption[] options) { throw null; }
        // Editor/Mono/EditorGUILayout.cs:247
        public static string TextField(string text, params GUILayoutOption[] options) { throw null; }
        // Editor/Mono/EditorGUILayout.cs:259
        public static string TextField(string label, string text, params GUILayoutOption[] options) { throw null; }
        // Editor/Mono/EditorGUILayout.cs:352
        public static string TextArea(string text, params GUILayoutOption[] options) { throw null; }
        // Editor/Mono/EditorGUILayout.cs:1778
        public static Rect BeginHorizontal(params GUILayoutOption[] options) { throw null; }
        // Editor/Mono/EditorGUILayout.cs:1806
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
        // Editor/Mono/Settings/SettingsProvider.cs:55
        public Action<string> guiHandler { get { throw null; } set { throw null; } }
        // Editor/Mono/Settings/SettingsProvider.cs:63
        public SettingsProvider(string path, SettingsScope scopes, IEnumerable<string> keywords = null) { throw null; }
    }
    // Editor/Mono/MenuItem.cs:15
    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public sealed class MenuItem : Attribute
    {
        // Editor/Mono/MenuItem.cs:22
        public MenuItem(string itemName) { throw null; }
        // Editor/Mono/MenuItem.cs:25
        public MenuItem(string itemName, bool isValidateFunction) { throw null; }
        // Editor/Mono/MenuItem.cs:31
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
        // Editor/Mono/SerializedObject.bindings.cs:75
        public SerializedProperty FindProperty(string propertyPath) { throw null; }
    }
    // Editor/Mono/SerializedProperty.bindings.cs:126
    public class SerializedProperty
    {
        // Editor/Mono/SerializedProperty.bindings.cs:1147
        public bool boolValue { get { throw null; } set { throw null; } }
    }
}

namespace UnityEditor.AssetImporters
{
    // Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs:24
    public class AssetImportContext
    {
        // Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs:35
        public string assetPath { get { throw null; } }
        // Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs:43
        public void SetMainObject(Object obj) { throw null; }
        // Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs:47
        public void AddObjectToAsset(string identifier, Object obj) { throw null; }
        // Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs:55
        public void AddObjectToAsset(string identifier, Object obj, Texture2D thumbnail) { throw null; }
        // Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs:174
        public void DependsOnArtifact(string path) { throw null; }
        // Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs:187
        public void DependsOnCustomDependency(string dependency) { throw null; }
        // Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs:214
        public void LogImportError(string msg, UnityEngine.Object obj = null) { throw null; }
        // Editor/Mono/AssetPipeline/AssetImportContext.bindings.cs:224
        public void LogImportWarning(string msg, UnityEngine.Object obj = null) { throw null; }
    }
    // Modules/AssetPipelineEditor/Public/ScriptedImporter.cs:17
    public abstract class ScriptedImporter : AssetImporter
    {
        // Modules/AssetPipelineEditor/Public/ScriptedImporter.cs:32
        public abstract void OnImportAsset(AssetImportContext ctx);
    }
    // Modules/AssetPipelineEditor/Public/ScriptedImporter.cs:231
    [AttributeUsage(AttributeTargets.Class, Inherited = false)]
    public class ScriptedImporterAttribute : Attribute
    {
        // Modules/AssetPipelineEditor/Public/ScriptedImporter.cs:251
        public ScriptedImporterAttribute(int version, string ext) { throw null; }
        // Modules/AssetPipelineEditor/Public/ScriptedImporter.cs:256
        public ScriptedImporterAttribute(int version, string ext, int importQueueOffset) { throw null; }
        // Modules/AssetPipelineEditor/Public/ScriptedImporter.cs:261
        public ScriptedImporterAttribute(int version, string[] exts) { throw null; }
        // Modules/AssetPipelineEditor/Public/ScriptedImporter.cs:266
        public ScriptedImporterAttribute(int version, string[] exts, string[] overrideExts) { throw null; }
        // Modules/AssetPipelineEditor/Public/ScriptedImporter.cs:271
        public ScriptedImporterAttribute(int version, string[] exts, int importQueueOffset) { throw null; }
        // Modules/AssetPipelineEditor/Public/ScriptedImporter.cs:276
        public ScriptedImporterAttribute(int version, string[] exts, string[] overrideExts, int importQueueOffset) { throw null; }
    }
}
