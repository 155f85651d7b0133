// Signatures of github.com/KhronosGroup/UnityGLTF at 01aaa8f2a53c, each below its file and line. Made by signatures.py: do not edit.
using System;
using System.Collections.Generic;
using UnityEngine;
using UnityEngine.Rendering;
using UnityEditor;
using UnityEditor.AssetImporters;
using GLTF.Schema;
using UnityGLTF.Cache;
using UnityGLTF;
using UnityGLTF.Plugins;
using Object = UnityEngine.Object;

namespace GLTF.Schema
{
    // Runtime/Plugins/GLTFSerialization/Schema/GLTFRoot.cs:14
    public class GLTFRoot
    {
        // Runtime/Plugins/GLTFSerialization/Schema/GLTFRoot.cs:19
        public List<string> ExtensionsUsed;
    }
    // Runtime/Plugins/GLTFSerialization/Schema/GLTFMaterial.cs:10
    public class GLTFMaterial
    {
    }
    // Runtime/Plugins/GLTFSerialization/Schema/Node.cs:22
    public class Node
    {
    }
}

namespace UnityGLTF.Cache
{
    // Runtime/Scripts/Cache/MaterialCacheData.cs:7
    public class MaterialCacheData
    {
        // Runtime/Scripts/Cache/MaterialCacheData.cs:10
        public Material UnityMaterialWithVertexColor { get { throw null; } set { throw null; } }
    }
}

namespace UnityGLTF
{
    // Runtime/Scripts/GLTFSceneImporter.cs:137
    public class GLTFSceneImporter
    {
        // Runtime/Scripts/GLTFSceneImporter.cs:215
        public MaterialCacheData[] MaterialCache { get { throw null; } }
    }
}

namespace UnityGLTF.Plugins
{
    // Runtime/Scripts/Plugins/Core/GltfPlugin.cs:34
    public abstract class GLTFPlugin : ScriptableObject
    {
        // Runtime/Scripts/Plugins/Core/GltfPlugin.cs:36
        public abstract string DisplayName { get; }
        // Runtime/Scripts/Plugins/Core/GltfPlugin.cs:37
        public virtual string Description { get { throw null; } }
    }
    // Runtime/Scripts/Plugins/Core/GltfImportPlugin.cs:7
    public abstract class GLTFImportPlugin : GLTFPlugin
    {
        // Runtime/Scripts/Plugins/Core/GltfImportPlugin.cs:12
        public abstract GLTFImportPluginContext CreateInstance(GLTFImportContext context);
    }
    // Runtime/Scripts/Plugins/Core/GltfImportPlugin.cs:18
    public abstract class GLTFImportPluginContext
    {
        // Runtime/Scripts/Plugins/Core/GltfImportPlugin.cs:35
        public virtual void OnAfterImportRoot(GLTFRoot gltfRoot) { throw null; }
        // Runtime/Scripts/Plugins/Core/GltfImportPlugin.cs:44
        public virtual void OnAfterImportNode(Node node, int nodeIndex, GameObject nodeObject) { throw null; }
        // Runtime/Scripts/Plugins/Core/GltfImportPlugin.cs:48
        public virtual void OnAfterImportMaterial(GLTFMaterial material, int materialIndex, Material materialObject) { throw null; }
    }
    // Runtime/Scripts/Plugins/Core/ImportContext.cs:11
    public class GLTFImportContext
    {
        // Runtime/Scripts/Plugins/Core/ImportContext.cs:14
        public AssetImportContext AssetContext;
        // Runtime/Scripts/Plugins/Core/ImportContext.cs:15
        public string FilePath { get { throw null; } }
        // Runtime/Scripts/Plugins/Core/ImportContext.cs:16
        public AssetImporter SourceImporter;
        // Runtime/Scripts/Plugins/Core/ImportContext.cs:22
        public GLTFSceneImporter SceneImporter;
    }
}
