// Signatures of UnityGLTF that our plugin uses, for compiling it without Unity. Nothing here does anything.
//
// Read in github.com/KhronosGroup/UnityGLTF, file at commit (its package.json says 2.16 there, later versions have the same):
//   GLTFImportPlugin, GLTFImportPluginContext   Runtime/Scripts/Plugins/Core/GltfImportPlugin.cs at 277948beb8f6
//   GLTFPlugin            Runtime/Scripts/Plugins/Core/GltfPlugin.cs at 550bc9e31fcd
//   GLTFImportContext     Runtime/Scripts/Plugins/Core/ImportContext.cs at 5db2486486a6
//   "baseColorTexture" of a material   its PBRGraphMap; "_generateLightmapUVs"   its GLTFImporterInspector
// Not read: GLTF.Schema, of which only names and GLTFRoot.ExtensionsUsed are needed.
using System.Collections.Generic;
using UnityEditor;
using UnityEditor.AssetImporters;
using UnityEngine;

namespace GLTF.Schema
{
    public class GLTFRoot { public List<string> ExtensionsUsed; }
    public class GLTFMaterial { }
    public class Node { }
}

namespace UnityGLTF.Plugins
{
    public abstract class GLTFPlugin : ScriptableObject
    {
        public abstract string DisplayName { get; }
        public virtual string Description { get { return null; } }
    }

    public abstract class GLTFImportPlugin : GLTFPlugin
    {
        public abstract GLTFImportPluginContext CreateInstance(GLTFImportContext context);
    }

    public abstract class GLTFImportPluginContext
    {
        public virtual void OnAfterImportRoot(GLTF.Schema.GLTFRoot gltfRoot) { }
        public virtual void OnAfterImportNode(GLTF.Schema.Node node, int nodeIndex, GameObject nodeObject) { }
        public virtual void OnAfterImportMaterial(GLTF.Schema.GLTFMaterial material, int materialIndex, Material materialObject) { }
        public virtual void OnAfterImportMaterialWithVertexColors(GLTF.Schema.GLTFMaterial material, int materialIndex, Material materialObject) { }
    }

    public class GLTFImportContext
    {
        public readonly AssetImportContext AssetContext;
        public string FilePath { get { return null; } }
        public readonly AssetImporter SourceImporter;
    }
}
