// Signatures of UnityEngine that our files use, for compiling them without Unity. Nothing here does anything.
//
// Read in Unity's C# reference source (github.com/Unity-Technologies/UnityCsReference), file at commit:
//   Mesh              Runtime/Export/Graphics/Mesh.cs at 02d565cf3dd0
//   Texture2D         Runtime/Export/Graphics/Texture.cs at 02d565cf3dd0
//   ImageConversion   Modules/ImageConversion/ScriptBindings/ImageConversion.bindings.cs at 172e148f0329
//   Material's Set.., Get.. as MaterialPropertyBlock's   Runtime/Export/Shaders/Shader.cs at 034434ba772a
//   Object            Runtime/Export/Scripting/UnityEngineObject.bindings.cs at 0262b696797e
//   GameObject        Runtime/Export/Scripting/GameObject.bindings.cs at 1421005c15b0
//   Component         Runtime/Export/Scripting/Component.bindings.cs at 053d3ce1c53e
//   Transform         Runtime/Transform/ScriptBindings/Transform.bindings.cs at 02f8e8ca594f
//   MeshCollider      Modules/Physics/ScriptBindings/MeshCollider.bindings.cs at 3c0289c22fdb
//   Gizmos            Runtime/Export/Gizmos/Gizmos.bindings.cs at 2ea5a242e1ec
//   TooltipAttribute, RangeAttribute   Runtime/Export/PropertyDrawer/PropertyAttribute.cs at 2a0e570122aa
//   FilterMode, TextureWrapMode, TextureFormat   Runtime/Export/Graphics/GraphicsEnums.cs at 0213090c1eda
// Read in no source, but as Unity's API is generally known: the vectors and Color, Renderer, MeshFilter, Camera, Shader, Debug,
// Application, GUILayout, and the values of the enumerations of UnityEngine.Rendering.
using System;
using System.Collections.Generic;

namespace UnityEngine
{
    public class Object
    {
        public string name { get; set; }
        public static void DestroyImmediate(Object obj) { }
        public static implicit operator bool(Object exists) { return exists != null; }
    }

    public class ScriptableObject : Object { }
    public class Component : Object
    {
        public GameObject gameObject { get { return null; } }
        public Transform transform { get { return null; } }
        public T GetComponent<T>() { return default(T); }
        public T[] GetComponentsInChildren<T>() { return null; }
    }
    public class Behaviour : Component { public bool enabled { get; set; } }
    public class MonoBehaviour : Behaviour { }

    public sealed class GameObject : Object
    {
        public GameObject(string name) { }
        public Transform transform { get { return null; } }
        public T AddComponent<T>() where T : Component { return default(T); }
        public T[] GetComponentsInChildren<T>(bool includeInactive) { return null; }
    }

    public class Transform : Component
    {
        public Vector3 position { get; set; }
        public Vector3 localPosition { get; set; }
        public Quaternion localRotation { get; set; }
        public Vector3 localScale { get; set; }
        public void SetParent(Transform parent, bool worldPositionStays) { }
    }

    public struct Vector2 { public Vector2(float x, float y) { } }
    public struct Vector3
    {
        public Vector3(float x, float y, float z) { }
        public static Vector3 operator +(Vector3 a, Vector3 b) { return a; }
    }
    public struct Vector4 { public Vector4(float x, float y, float z, float w) { } }
    public struct Color { public Color(float r, float g, float b, float a) { } }
    public struct Quaternion
    {
        public Quaternion(float x, float y, float z, float w) { }
        public static Quaternion operator *(Quaternion lhs, Quaternion rhs) { return lhs; }
    }

    public sealed class Mesh : Object
    {
        public Rendering.IndexFormat indexFormat { get; set; }
        public int subMeshCount { get; set; }
        public Color[] colors { get; set; }
        public void SetVertices(List<Vector3> inVertices) { }
        public void SetNormals(List<Vector3> inNormals) { }
        public void SetTangents(List<Vector4> inTangents) { }
        public void SetColors(List<Color> inColors) { }
        public void SetUVs(int channel, List<Vector2> uvs) { }
        public void SetTriangles(int[] triangles, int submesh) { }
        public void RecalculateBounds() { }
    }

    public sealed class MeshFilter : Component { public Mesh sharedMesh { get; set; } }
    public class Renderer : Component
    {
        public Material[] sharedMaterials { get; set; }
        public Rendering.ShadowCastingMode shadowCastingMode { get; set; }
        public Rendering.LightProbeUsage lightProbeUsage { get; set; }
    }
    public class MeshRenderer : Renderer { }
    public class Collider : Component { }
    public class MeshCollider : Collider
    {
        public Mesh sharedMesh { get; set; }
        public bool convex { get; set; }
    }
    public sealed class Camera : Behaviour
    {
        public float nearClipPlane { get; set; }
        public float farClipPlane { get; set; }
        public float fieldOfView { get; set; }
    }

    public sealed class Shader : Object { public static Shader Find(string name) { return null; } }
    public class Material : Object
    {
        public Material(Shader shader) { }
        public Shader shader { get; set; }
        public int renderQueue { get; set; }
        public bool HasProperty(string name) { return false; }
        public Texture GetTexture(string name) { return null; }
        public void SetTexture(string name, Texture value) { }
        public void SetFloat(string name, float value) { }
        public void SetVector(string name, Vector4 value) { }
        public void SetOverrideTag(string tag, string val) { }
    }

    public enum TextureWrapMode { Repeat = 0, Clamp = 1, Mirror = 2, MirrorOnce = 3 }
    public enum FilterMode { Point = 0, Bilinear = 1, Trilinear = 2 }
    public enum TextureFormat { RGBA32 = 4 }
    public class Texture : Object
    {
        public TextureWrapMode wrapModeU { get; set; }
        public TextureWrapMode wrapModeV { get; set; }
        public FilterMode filterMode { get; set; }
        public int anisoLevel { get; set; }
    }
    public sealed class Texture2D : Texture { public Texture2D(int width, int height, TextureFormat textureFormat, bool mipChain, bool linear) { } }
    public static class ImageConversion { public static bool LoadImage(this Texture2D tex, byte[] data, bool markNonReadable) { return false; } }

    public class Debug
    {
        public static void LogWarning(object message) { }
        public static void LogError(object message) { }
    }
    public class Application { public static string dataPath { get { return null; } } }
    public class GUILayoutOption { }
    public class GUILayout { public static bool Button(string text, params GUILayoutOption[] options) { return false; } }

    public sealed class Gizmos
    {
        public static Color color { get; set; }
        public static void DrawWireSphere(Vector3 center, float radius) { }
    }

    [AttributeUsage(AttributeTargets.All)]
    public class TooltipAttribute : Attribute { public TooltipAttribute(string tooltip) { } }
    [AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
    public sealed class RangeAttribute : Attribute { public RangeAttribute(float min, float max) { } }
}

namespace UnityEngine.Rendering
{
    public enum IndexFormat { UInt16 = 0, UInt32 = 1 }
    public enum ShadowCastingMode { Off = 0, On = 1, TwoSided = 2, ShadowsOnly = 3 }
    public enum LightProbeUsage { Off = 0, BlendProbes = 1, UseProxyVolume = 2, CustomProvided = 4 }
    public enum CullMode { Off = 0, Front = 1, Back = 2 }
    public enum RenderQueue { Background = 1000, Geometry = 2000, AlphaTest = 2450, GeometryLast = 2500, Transparent = 3000, Overlay = 4000 }
    public enum BlendMode { Zero = 0, One = 1, SrcAlpha = 5, OneMinusSrcAlpha = 10 }
}
