// Signatures of github.com/Unity-Technologies/UnityCsReference at d253e09acffc, each below its file and line. Made by signatures.py: do not edit.
using System;
using System.Collections.Generic;
using UnityEngine;
using UnityEngine.Rendering;
using Object = UnityEngine.Object;

namespace UnityEngine
{
    // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:235
    public class Object
    {
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:300
        public static implicit operator bool(Object exists) { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:385
        public string name { get { throw null; } set { throw null; } }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:502
        public static Object Instantiate(Object original, Vector3 position, Quaternion rotation) { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:519
        public static Object Instantiate(Object original, Vector3 position, Quaternion rotation, Transform parent) { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:538
        public static Object Instantiate(Object original) { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:594
        public static Object Instantiate(Object original, Transform parent) { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:600
        public static Object Instantiate(Object original, Transform parent, bool instantiateInWorldSpace) { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:618
        public static T Instantiate<T>(T original) where T : UnityEngine.Object { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:629
        public static T Instantiate<T>(T original, Vector3 position, Quaternion rotation) where T : UnityEngine.Object { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:634
        public static T Instantiate<T>(T original, Vector3 position, Quaternion rotation, Transform parent) where T : UnityEngine.Object { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:639
        public static T Instantiate<T>(T original, Transform parent) where T : UnityEngine.Object { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:644
        public static T Instantiate<T>(T original, Transform parent, bool worldPositionStays) where T : UnityEngine.Object { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:661
        public static void DestroyImmediate(Object obj, bool allowDestroyingAssets) { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:664
        public static void DestroyImmediate(Object obj) { throw null; }
    }
    // Runtime/Export/Scripting/ScriptableObject.bindings.cs:14
    public class ScriptableObject : Object
    {
    }
    // Runtime/Export/Scripting/Component.bindings.cs:17
    public class Component : UnityEngine.Object
    {
        // Runtime/Export/Scripting/Component.bindings.cs:22
        public Transform transform { get { throw null; } }
        // Runtime/Export/Scripting/Component.bindings.cs:34
        public GameObject gameObject { get { throw null; } }
        // Runtime/Export/Scripting/Component.bindings.cs:40
        public Component GetComponent(Type type) { throw null; }
        // Runtime/Export/Scripting/Component.bindings.cs:50
        public T GetComponent<T>() { throw null; }
        // Runtime/Export/Scripting/Component.bindings.cs:73
        public Component GetComponent(string type) { throw null; }
        // Runtime/Export/Scripting/Component.bindings.cs:99
        public Component[] GetComponentsInChildren(Type t, bool includeInactive) { throw null; }
        // Runtime/Export/Scripting/Component.bindings.cs:104
        public Component[] GetComponentsInChildren(Type t) { throw null; }
        // Runtime/Export/Scripting/Component.bindings.cs:110
        public T[] GetComponentsInChildren<T>(bool includeInactive) { throw null; }
        // Runtime/Export/Scripting/Component.bindings.cs:115
        public void GetComponentsInChildren<T>(bool includeInactive, List<T> result) { throw null; }
        // Runtime/Export/Scripting/Component.bindings.cs:120
        public T[] GetComponentsInChildren<T>() { throw null; }
        // Runtime/Export/Scripting/Component.bindings.cs:125
        public void GetComponentsInChildren<T>(List<T> results) { throw null; }
    }
    // Runtime/Export/Scripting/Behaviour.bindings.cs:11
    public class Behaviour : Component
    {
        // Runtime/Export/Scripting/Behaviour.bindings.cs:16
        public bool enabled { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Scripting/MonoBehaviour.bindings.cs:16
    public class MonoBehaviour : Behaviour
    {
    }
    // Runtime/Export/Scripting/GameObject.bindings.cs:21
    public sealed class GameObject : Object
    {
        // Runtime/Export/Scripting/GameObject.bindings.cs:29
        public T GetComponent<T>() { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:40
        public Component GetComponent(Type type) { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:54
        public Component GetComponent(string type) { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:133
        public Component[] GetComponentsInChildren(Type type) { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:140
        public Component[] GetComponentsInChildren(Type type, bool includeInactive) { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:145
        public T[] GetComponentsInChildren<T>(bool includeInactive) { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:150
        public void GetComponentsInChildren<T>(bool includeInactive, List<T> results) { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:155
        public T[] GetComponentsInChildren<T>() { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:160
        public void GetComponentsInChildren<T>(List<T> results) { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:253
        public Component AddComponent(Type componentType) { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:259
        public T AddComponent<T>() where T : Component { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:285
        public Transform transform { get { throw null; } }
        // Runtime/Export/Scripting/GameObject.bindings.cs:406
        public GameObject(string name) { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:411
        public GameObject() { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:416
        public GameObject(string name, params Type[] components) { throw null; }
    }
    // Runtime/Transform/ScriptBindings/Transform.bindings.cs:17
    public class Transform : Component
    {
        // Runtime/Transform/ScriptBindings/Transform.bindings.cs:26
        public Vector3 position { get { throw null; } set { throw null; } }
        // Runtime/Transform/ScriptBindings/Transform.bindings.cs:29
        public Vector3 localPosition { get { throw null; } set { throw null; } }
        // Runtime/Transform/ScriptBindings/Transform.bindings.cs:60
        public Quaternion localRotation { get { throw null; } set { throw null; } }
        // Runtime/Transform/ScriptBindings/Transform.bindings.cs:78
        public Vector3 localScale { get { throw null; } set { throw null; } }
        // Runtime/Transform/ScriptBindings/Transform.bindings.cs:100
        public void SetParent(Transform p) { throw null; }
        // Runtime/Transform/ScriptBindings/Transform.bindings.cs:105
        public void SetParent(Transform parent, bool worldPositionStays) { throw null; }
        // Runtime/Transform/ScriptBindings/Transform.bindings.cs:318
        public Vector3 TransformPoint(Vector3 position) { throw null; }
        // Runtime/Transform/ScriptBindings/Transform.bindings.cs:321
        public Vector3 TransformPoint(float x, float y, float z) { throw null; }
        // Runtime/Transform/ScriptBindings/Transform.bindings.cs:340
        public Vector3 InverseTransformPoint(Vector3 position) { throw null; }
        // Runtime/Transform/ScriptBindings/Transform.bindings.cs:343
        public Vector3 InverseTransformPoint(float x, float y, float z) { throw null; }
    }
    // Runtime/Export/Math/Vector2.cs:20
    public struct Vector2
    {
        // Runtime/Export/Math/Vector2.cs:61
        public Vector2(float x, float y) { throw null; }
    }
    // Runtime/Export/Math/Vector3.cs:17
    public struct Vector3
    {
        // Runtime/Export/Math/Vector3.cs:31
        public float x;
        // Runtime/Export/Math/Vector3.cs:33
        public float y;
        // Runtime/Export/Math/Vector3.cs:35
        public float z;
        // Runtime/Export/Math/Vector3.cs:334
        public Vector3(float x, float y, float z) { throw null; }
        // Runtime/Export/Math/Vector3.cs:337
        public Vector3(float x, float y) { throw null; }
        // Runtime/Export/Math/Vector3.cs:674
        public float magnitude { get { throw null; } }
        // Runtime/Export/Math/Vector3.cs:689
        public float sqrMagnitude { get { throw null; } }
        // Runtime/Export/Math/Vector3.cs:696
        public static Vector3 Min(Vector3 lhs, Vector3 rhs) { throw null; }
        // Runtime/Export/Math/Vector3.cs:704
        public static Vector3 Max(Vector3 lhs, Vector3 rhs) { throw null; }
        // Runtime/Export/Math/Vector3.cs:781
        public static Vector3 operator+(Vector3 a, Vector3 b) { throw null; }
        // Runtime/Export/Math/Vector3.cs:784
        public static Vector3 operator-(Vector3 a, Vector3 b) { throw null; }
        // Runtime/Export/Math/Vector3.cs:787
        public static Vector3 operator-(Vector3 a) { throw null; }
        // Runtime/Export/Math/Vector3.cs:790
        public static Vector3 operator*(Vector3 a, float d) { throw null; }
        // Runtime/Export/Math/Vector3.cs:793
        public static Vector3 operator*(float d, Vector3 a) { throw null; }
    }
    // Runtime/Export/Math/Vector4.cs:16
    public struct Vector4
    {
        // Runtime/Export/Math/Vector4.cs:69
        public Vector4(float x, float y, float z, float w) { throw null; }
        // Runtime/Export/Math/Vector4.cs:72
        public Vector4(float x, float y, float z) { throw null; }
        // Runtime/Export/Math/Vector4.cs:75
        public Vector4(float x, float y) { throw null; }
    }
    // Runtime/Export/Math/Color.cs:17
    public struct Color
    {
        // Runtime/Export/Math/Color.cs:38
        public Color(float r, float g, float b, float a) { throw null; }
        // Runtime/Export/Math/Color.cs:44
        public Color(float r, float g, float b) { throw null; }
        // Runtime/Export/Math/Color.cs:191
        public Color gamma { get { throw null; } }
    }
    // Runtime/Export/Math/Quaternion.cs:14
    public struct Quaternion
    {
        // Runtime/Export/Math/Quaternion.cs:61
        public Quaternion(float x, float y, float z, float w) { throw null; }
        // Runtime/Export/Math/Quaternion.cs:84
        public static Quaternion operator*(Quaternion lhs, Quaternion rhs) { throw null; }
        // Runtime/Export/Math/Quaternion.cs:93
        public static Vector3 operator*(Quaternion rotation, Vector3 point) { throw null; }
    }
    // Runtime/Export/Graphics/Mesh.cs:20
    public sealed class Mesh : Object
    {
        // Runtime/Export/Graphics/Mesh.bindings.cs:33
        public UnityEngine.Rendering.IndexFormat indexFormat { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.bindings.cs:191
        public void AddBlendShapeFrame(string shapeName, float frameWeight, Vector3[] deltaVertices, Vector3[] deltaNormals, Vector3[] deltaTangents) { throw null; }
        // Runtime/Export/Graphics/Mesh.bindings.cs:245
        public Matrix4x4[] bindposes { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.bindings.cs:297
        public int subMeshCount { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.bindings.cs:349
        public Bounds bounds { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.cs:199
        public Color[] colors { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.cs:251
        public void SetVertices(List<Vector3> inVertices) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:256
        public void SetVertices(List<Vector3> inVertices, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:266
        public void SetVertices(Vector3[] inVertices) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:271
        public void SetVertices(Vector3[] inVertices, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:306
        public void SetNormals(List<Vector3> inNormals) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:311
        public void SetNormals(List<Vector3> inNormals, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:321
        public void SetNormals(Vector3[] inNormals) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:326
        public void SetNormals(Vector3[] inNormals, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:361
        public void SetTangents(List<Vector4> inTangents) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:366
        public void SetTangents(List<Vector4> inTangents, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:376
        public void SetTangents(Vector4[] inTangents) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:381
        public void SetTangents(Vector4[] inTangents, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:416
        public void SetColors(List<Color> inColors) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:421
        public void SetColors(List<Color> inColors, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:431
        public void SetColors(Color[] inColors) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:436
        public void SetColors(Color[] inColors, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:514
        public void SetUVs(int channel, List<Vector2> uvs) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:519
        public void SetUVs(int channel, List<Vector3> uvs) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:524
        public void SetUVs(int channel, List<Vector4> uvs) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:529
        public void SetUVs(int channel, List<Vector2> uvs, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:539
        public void SetUVs(int channel, List<Vector3> uvs, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:549
        public void SetUVs(int channel, List<Vector4> uvs, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:566
        public void SetUVs(int channel, Vector2[] uvs) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:571
        public void SetUVs(int channel, Vector3[] uvs) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:576
        public void SetUVs(int channel, Vector4[] uvs) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:581
        public void SetUVs(int channel, Vector2[] uvs, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:591
        public void SetUVs(int channel, Vector3[] uvs, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:601
        public void SetUVs(int channel, Vector4[] uvs, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1165
        public void SetTriangles(int[] triangles, int submesh) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1171
        public void SetTriangles(int[] triangles, int submesh, bool calculateBounds) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1177
        public void SetTriangles(int[] triangles, int submesh, bool calculateBounds, int baseVertex) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1182
        public void SetTriangles(int[] triangles, int submesh, int meshLod, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1187
        public void SetTriangles(int[] triangles, int trianglesStart, int trianglesLength, int submesh, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1192
        public void SetTriangles(int[] triangles, int trianglesStart, int trianglesLength, int submesh, int meshLod, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1198
        public void SetTriangles(ushort[] triangles, int submesh, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1203
        public void SetTriangles(ushort[] triangles, int submesh, int meshLod, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1208
        public void SetTriangles(ushort[] triangles, int trianglesStart, int trianglesLength, int submesh, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1213
        public void SetTriangles(ushort[] triangles, int trianglesStart, int trianglesLength, int submesh, int meshLod, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1219
        public void SetTriangles(List<int> triangles, int submesh) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1225
        public void SetTriangles(List<int> triangles, int submesh, bool calculateBounds) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1231
        public void SetTriangles(List<int> triangles, int submesh, bool calculateBounds, int baseVertex) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1236
        public void SetTriangles(List<int> triangles, int submesh, int meshLod, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1241
        public void SetTriangles(List<int> triangles, int trianglesStart, int trianglesLength, int submesh, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1246
        public void SetTriangles(List<int> triangles, int trianglesStart, int trianglesLength, int submesh, int meshLod, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1252
        public void SetTriangles(List<ushort> triangles, int submesh, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1257
        public void SetTriangles(List<ushort> triangles, int submesh, int meshLod, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1262
        public void SetTriangles(List<ushort> triangles, int trianglesStart, int trianglesLength, int submesh, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1267
        public void SetTriangles(List<ushort> triangles, int trianglesStart, int trianglesLength, int submesh, int meshLod, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1637
        public BoneWeight[] boneWeights { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Graphics/Mesh.cs:1835
    public struct BoneWeight
    {
        // Runtime/Export/Graphics/Mesh.cs:1844
        public float weight0 { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.cs:1845
        public float weight1 { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.cs:1846
        public float weight2 { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.cs:1847
        public float weight3 { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.cs:1849
        public int boneIndex0 { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.cs:1850
        public int boneIndex1 { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.cs:1851
        public int boneIndex2 { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.cs:1852
        public int boneIndex3 { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Math/Matrix4x4.cs:17
    public struct Matrix4x4
    {
        // Runtime/Export/Math/Matrix4x4.cs:86
        public Matrix4x4(Vector4 column0, Vector4 column1, Vector4 column2, Vector4 column3) { throw null; }
    }
    // Runtime/Export/Geometry/Bounds.cs:17
    public struct Bounds
    {
        // Runtime/Export/Geometry/Bounds.cs:29
        public Bounds(Vector3 center, Vector3 size) { throw null; }
        // Runtime/Export/Geometry/Bounds.cs:73
        public Vector3 center { get { throw null; } set { throw null; } }
        // Runtime/Export/Geometry/Bounds.cs:87
        public Vector3 extents { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Graphics/GraphicsComponents.bindings.cs:110
    public sealed class MeshFilter : Component
    {
        // Runtime/Export/Graphics/GraphicsComponents.bindings.cs:117
        public Mesh sharedMesh { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:21
    public class Renderer : Component
    {
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:40
        public Bounds localBounds { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:69
        public void SetPropertyBlock(MaterialPropertyBlock properties) { throw null; }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:70
        public void SetPropertyBlock(MaterialPropertyBlock properties, int materialIndex) { throw null; }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:71
        public void GetPropertyBlock(MaterialPropertyBlock properties) { throw null; }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:72
        public void GetPropertyBlock(MaterialPropertyBlock properties, int materialIndex) { throw null; }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:86
        public ShadowCastingMode shadowCastingMode { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:87
        public bool receiveShadows { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:99
        public LightProbeUsage lightProbeUsage { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:182
        public Material[] sharedMaterials { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:441
    public class MeshRenderer : Renderer
    {
    }
    // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:386
    public class SkinnedMeshRenderer : Renderer
    {
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:393
        public Transform rootBone { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:395
        public Transform[] bones { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:397
        public Mesh sharedMesh { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:401
        public void SetBlendShapeWeight(int index, float value) { throw null; }
    }
    // Runtime/Export/Graphics/LOD.bindings.cs:19
    public struct LOD
    {
        // Runtime/Export/Graphics/LOD.bindings.cs:23
        public LOD(float screenRelativeTransitionHeight, Renderer[] renderers) { throw null; }
    }
    // Runtime/Export/Graphics/LOD.bindings.cs:39
    public class LODGroup : Component
    {
        // Runtime/Export/Graphics/LOD.bindings.cs:49
        public float size { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/LOD.bindings.cs:95
        public void RecalculateBounds() { throw null; }
        // Runtime/Export/Graphics/LOD.bindings.cs:105
        public void SetLODs(LOD[] lods) { throw null; }
    }
    // Runtime/Export/Graphics/Graphics.deprecated.cs:199
    public class MaterialPropertyBlock
    {
        // Runtime/Export/Shaders/MaterialPropertyBlock.cs:85
        public MaterialPropertyBlock() { throw null; }
        // Runtime/Export/Shaders/MaterialPropertyBlock.cs:106
        public void SetVector(string name, Vector4 value) { throw null; }
        // Runtime/Export/Shaders/MaterialPropertyBlock.cs:107
        public void SetVector(int nameID, Vector4 value) { throw null; }
        // Runtime/Export/Shaders/MaterialPropertyBlock.cs:116
        public void SetTexture(string name, Texture value) { throw null; }
        // Runtime/Export/Shaders/MaterialPropertyBlock.cs:117
        public void SetTexture(int nameID, Texture value) { throw null; }
    }
    // Runtime/Export/Time/Time.bindings.cs:10
    public class Time
    {
        // Runtime/Export/Time/Time.bindings.cs:16
        public static float time { get { throw null; } }
    }
    // Runtime/Export/Animation/AnimationCurve.bindings.cs:121
    public enum WrapMode
    {
        // Runtime/Export/Animation/AnimationCurve.bindings.cs:127
        Loop = 2,
        // Runtime/Export/Animation/AnimationCurve.bindings.cs:136
        ClampForever = 8,
    }
    // Runtime/Export/Animation/AnimationCurve.bindings.cs:28
    public struct Keyframe
    {
        // Runtime/Export/Animation/AnimationCurve.bindings.cs:44
        public Keyframe(float time, float value) { throw null; }
        // Runtime/Export/Animation/AnimationCurve.bindings.cs:57
        public Keyframe(float time, float value, float inTangent, float outTangent) { throw null; }
        // Runtime/Export/Animation/AnimationCurve.bindings.cs:70
        public Keyframe(float time, float value, float inTangent, float outTangent, float inWeight, float outWeight) { throw null; }
    }
    // Runtime/Export/Animation/AnimationCurve.bindings.cs:146
    public class AnimationCurve
    {
        // Runtime/Export/Animation/AnimationCurve.bindings.cs:300
        public AnimationCurve(params Keyframe[] keys) { throw null; }
        // Runtime/Export/Animation/AnimationCurve.bindings.cs:307
        public AnimationCurve() { throw null; }
    }
    // Modules/Animation/ScriptBindings/Motion.bindings.cs:11
    public class Motion : Object
    {
    }
    // Modules/Animation/ScriptBindings/Animation.bindings.cs:60
    public enum AnimationUpdateMode
    {
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:63
        Fixed = 1,
    }
    // Modules/Animation/ScriptBindings/AnimationClip.bindings.cs:15
    public sealed class AnimationClip : Motion
    {
        // Modules/Animation/ScriptBindings/AnimationClip.bindings.cs:20
        public AnimationClip() { throw null; }
        // Modules/Animation/ScriptBindings/AnimationClip.bindings.cs:50
        public float frameRate { get { throw null; } set { throw null; } }
        // Modules/Animation/ScriptBindings/AnimationClip.bindings.cs:55
        public void SetCurve(string relativePath, Type type, string propertyName, AnimationCurve curve) { throw null; }
        // Modules/Animation/ScriptBindings/AnimationClip.bindings.cs:65
        public WrapMode wrapMode { get { throw null; } set { throw null; } }
        // Modules/Animation/ScriptBindings/AnimationClip.bindings.cs:72
        public new bool legacy { get { throw null; } set { throw null; } }
    }
    // Modules/Animation/ScriptBindings/Animation.bindings.cs:74
    public sealed class Animation : Behaviour
    {
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:77
        public AnimationClip clip { get { throw null; } set { throw null; } }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:78
        public bool playAutomatically { get { throw null; } set { throw null; } }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:94
        public bool Play() { throw null; }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:98
        public bool Play(string animation) { throw null; }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:122
        public void AddClip(AnimationClip clip, string newName) { throw null; }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:123
        public void AddClip(AnimationClip clip, string newName, int firstFrame, int lastFrame) { throw null; }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:124
        public void AddClip(AnimationClip clip, string newName, int firstFrame, int lastFrame, bool addLoopFrame) { throw null; }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:126
        public void RemoveClip(AnimationClip clip) { throw null; }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:128
        public void RemoveClip(string clipName) { throw null; }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:172
        public AnimationClip GetClip(string name) { throw null; }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:181
        public bool animatePhysics { get { throw null; } set { throw null; } }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:183
        public AnimationUpdateMode updateMode { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Graphics/GraphicsEnums.cs:106
    public enum FogMode
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:108
        Linear = 1,
        // Runtime/Export/Graphics/GraphicsEnums.cs:109
        Exponential = 2,
        // Runtime/Export/Graphics/GraphicsEnums.cs:110
        ExponentialSquared = 3,
    }
    // Runtime/Export/Graphics/GraphicsManagers.bindings.cs:30
    public sealed class RenderSettings : Object
    {
        // Runtime/Export/Graphics/GraphicsManagers.bindings.cs:37
        public static bool fog { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsManagers.bindings.cs:38
        public static float fogStartDistance { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsManagers.bindings.cs:39
        public static float fogEndDistance { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsManagers.bindings.cs:40
        public static FogMode fogMode { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsManagers.bindings.cs:41
        public static Color fogColor { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsManagers.bindings.cs:42
        public static float fogDensity { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Hashing/Hash128.bindings.cs:16
    public struct Hash128
    {
        // Runtime/Export/Hashing/Hash128.bindings.cs:71
        public static Hash128 Compute(string data) { throw null; }
        // Runtime/Export/Hashing/Hash128.bindings.cs:94
        public static Hash128 Compute<T>(T[] data) where T : struct { throw null; }
        // Runtime/Export/Hashing/Hash128.bindings.cs:103
        public static Hash128 Compute<T>(T[] data, int start, int count) where T : struct { throw null; }
        // Runtime/Export/Hashing/Hash128.bindings.cs:114
        public static Hash128 Compute<T>(List<T> data) where T : struct { throw null; }
        // Runtime/Export/Hashing/Hash128.bindings.cs:123
        public static Hash128 Compute<T>(List<T> data, int start, int count) where T : struct { throw null; }
        // Runtime/Export/Hashing/Hash128.bindings.cs:144
        public static Hash128 Compute(int val) { throw null; }
        // Runtime/Export/Hashing/Hash128.bindings.cs:151
        public static Hash128 Compute(float val) { throw null; }
    }
    // Runtime/Export/Scripting/Attributes.cs:62
    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public sealed class ContextMenu : Attribute
    {
        // Runtime/Export/Scripting/Attributes.cs:67
        public ContextMenu(string itemName) { throw null; }
        // Runtime/Export/Scripting/Attributes.cs:68
        public ContextMenu(string itemName, bool isValidateFunction) { throw null; }
        // Runtime/Export/Scripting/Attributes.cs:69
        public ContextMenu(string itemName, bool isValidateFunction, int priority) { throw null; }
    }
    // Runtime/Export/Scripting/Attributes.cs:93
    public sealed class HideInInspector : Attribute
    {
    }
    // Modules/Physics/ScriptBindings/Collider.bindings.cs:10
    public class Collider : Component
    {
        // Modules/Physics/ScriptBindings/Collider.bindings.cs:16
        public bool isTrigger { get { throw null; } set { throw null; } }
    }
    // Modules/Physics/ScriptBindings/Rigidbody.bindings.cs:32
    public class Rigidbody : Component
    {
        // Modules/Physics/ScriptBindings/Rigidbody.bindings.cs:43
        public bool isKinematic { get { throw null; } set { throw null; } }
    }
    // Modules/Physics/ScriptBindings/CharacterController.bindings.cs:13
    public enum CollisionFlags
    {
    }
    // Modules/Physics/ScriptBindings/CharacterController.bindings.cs:88
    public class CharacterController : Collider
    {
        // Modules/Physics/ScriptBindings/CharacterController.bindings.cs:92
        public CollisionFlags Move(Vector3 motion) { throw null; }
        // Modules/Physics/ScriptBindings/CharacterController.bindings.cs:94
        public bool isGrounded { get { throw null; } }
    }
    // Modules/Physics/ScriptBindings/CharacterController.bindings.cs:25
    public class ControllerColliderHit
    {
        // Modules/Physics/ScriptBindings/CharacterController.bindings.cs:42
        public Rigidbody rigidbody { get { throw null; } }
        // Modules/Physics/ScriptBindings/CharacterController.bindings.cs:46
        public Vector3 normal { get { throw null; } }
    }
    // Runtime/Export/Scripting/Attributes.cs:15
    [AttributeUsage(AttributeTargets.Class, AllowMultiple = true)]
    public sealed class RequireComponent : Attribute
    {
        // Runtime/Export/Scripting/Attributes.cs:27
        public RequireComponent(Type requiredComponent) { throw null; }
        // Runtime/Export/Scripting/Attributes.cs:29
        public RequireComponent(Type requiredComponent, Type requiredComponent2) { throw null; }
        // Runtime/Export/Scripting/Attributes.cs:31
        public RequireComponent(Type requiredComponent, Type requiredComponent2, Type requiredComponent3) { throw null; }
    }
    // Runtime/Export/Scripting/Attributes.cs:118
    [AttributeUsage(AttributeTargets.Class)]
    public class DefaultExecutionOrder : Attribute
    {
        // Runtime/Export/Scripting/Attributes.cs:122
        public DefaultExecutionOrder(int order) { throw null; }
    }
    // Modules/Physics/ScriptBindings/MeshCollider.bindings.cs:21
    public class MeshCollider : Collider
    {
        // Modules/Physics/ScriptBindings/MeshCollider.bindings.cs:26
        public Mesh sharedMesh { get { throw null; } set { throw null; } }
        // Modules/Physics/ScriptBindings/MeshCollider.bindings.cs:27
        public bool convex { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Camera/Camera.bindings.cs:22
    public sealed class Camera : Behaviour
    {
        // Runtime/Export/Camera/Camera.bindings.cs:55
        public float nearClipPlane { get { throw null; } set { throw null; } }
        // Runtime/Export/Camera/Camera.bindings.cs:56
        public float farClipPlane { get { throw null; } set { throw null; } }
        // Runtime/Export/Camera/Camera.bindings.cs:57
        public float fieldOfView { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Shaders/Shader.bindings.cs:25
    public sealed class Shader : Object
    {
        // Runtime/Export/Shaders/Shader.bindings.cs:34
        public static Shader Find(string name) { throw null; }
    }
    // Runtime/Export/Shaders/Material.bindings.cs:14
    public class Material : Object
    {
        // Runtime/Export/Shaders/Material.bindings.cs:21
        public Material(Shader shader) { throw null; }
        // Runtime/Export/Shaders/Material.bindings.cs:24
        public Material(Material source) { throw null; }
        // Runtime/Export/Shaders/Material.bindings.cs:28
        public Material(string contents) { throw null; }
        // Runtime/Export/Shaders/Material.bindings.cs:36
        public Shader shader { get { throw null; } set { throw null; } }
        // Runtime/Export/Shaders/Material.bindings.cs:121
        public bool HasProperty(int nameID) { throw null; }
        // Runtime/Export/Shaders/Material.bindings.cs:122
        public bool HasProperty(string name) { throw null; }
        // Runtime/Export/Shaders/Material.bindings.cs:152
        public int renderQueue { get { throw null; } set { throw null; } }
        // Runtime/Export/Shaders/Material.bindings.cs:155
        public void EnableKeyword(string keyword) { throw null; }
        // Runtime/Export/Shaders/Material.bindings.cs:156
        public void DisableKeyword(string keyword) { throw null; }
        // Runtime/Export/Shaders/Material.bindings.cs:178
        public void SetShaderPassEnabled(string passName, bool enabled) { throw null; }
        // Runtime/Export/Shaders/Material.bindings.cs:183
        public void SetOverrideTag(string tag, string val) { throw null; }
        // Runtime/Export/Shaders/Material.cs:120
        public void SetFloat(string name, float value) { throw null; }
        // Runtime/Export/Shaders/Material.cs:121
        public void SetFloat(int nameID, float value) { throw null; }
        // Runtime/Export/Shaders/Material.cs:126
        public void SetVector(string name, Vector4 value) { throw null; }
        // Runtime/Export/Shaders/Material.cs:127
        public void SetVector(int nameID, Vector4 value) { throw null; }
        // Runtime/Export/Shaders/Material.cs:130
        public void SetTexture(string name, Texture value) { throw null; }
        // Runtime/Export/Shaders/Material.cs:131
        public void SetTexture(int nameID, Texture value) { throw null; }
        // Runtime/Export/Shaders/Material.cs:176
        public Texture GetTexture(string name) { throw null; }
        // Runtime/Export/Shaders/Material.cs:177
        public Texture GetTexture(int nameID) { throw null; }
    }
    // Runtime/Export/Graphics/GraphicsEnums.cs:339
    public enum TextureWrapMode
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:341
        Repeat = 0,
        // Runtime/Export/Graphics/GraphicsEnums.cs:342
        Clamp = 1,
    }
    // Runtime/Export/Graphics/GraphicsEnums.cs:332
    public enum FilterMode
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:335
        Bilinear = 1,
        // Runtime/Export/Graphics/GraphicsEnums.cs:336
        Trilinear = 2,
    }
    // Runtime/Export/Graphics/GraphicsEnums.cs:355
    public enum TextureFormat
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:360
        RGBA32 = 4,
    }
    // Runtime/Export/Graphics/Texture.bindings.cs:19
    public class Texture : Object
    {
        // Runtime/Export/Graphics/Texture.bindings.cs:51
        virtual public int width { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Texture.bindings.cs:52
        virtual public int height { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Texture.bindings.cs:66
        public TextureWrapMode wrapModeU { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Texture.bindings.cs:67
        public TextureWrapMode wrapModeV { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Texture.bindings.cs:69
        public FilterMode filterMode { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Texture.bindings.cs:70
        public int anisoLevel { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Graphics/Texture.bindings.cs:211
    public sealed class Texture2D : Texture
    {
        // Runtime/Export/Graphics/Texture.bindings.cs:240
        public void Compress(bool highQuality) { throw null; }
        // Runtime/Export/Graphics/Texture.cs:884
        public Texture2D(int width, int height, TextureFormat textureFormat, int mipCount, bool linear) { throw null; }
        // Runtime/Export/Graphics/Texture.cs:889
        public Texture2D(int width, int height, TextureFormat textureFormat, int mipCount, bool linear, bool createUninitialized) { throw null; }
        // Runtime/Export/Graphics/Texture.cs:901
        public Texture2D(int width, int height, TextureFormat textureFormat, int mipCount, bool linear, bool createUninitialized, bool ignoreMipmapLimit, string mipmapLimitGroupName) { throw null; }
        // Runtime/Export/Graphics/Texture.cs:907
        public Texture2D(int width, int height, TextureFormat textureFormat, bool mipChain, bool linear) { throw null; }
        // Runtime/Export/Graphics/Texture.cs:912
        public Texture2D(int width, int height, TextureFormat textureFormat, bool mipChain, bool linear, bool createUninitialized) { throw null; }
        // Runtime/Export/Graphics/Texture.cs:917
        public Texture2D(int width, int height, TextureFormat textureFormat, bool mipChain) { throw null; }
        // Runtime/Export/Graphics/Texture.cs:922
        public Texture2D(int width, int height) { throw null; }
    }
    // Modules/ImageConversion/ScriptBindings/ImageConversion.bindings.cs:15
    public static class ImageConversion
    {
        // Modules/ImageConversion/ScriptBindings/ImageConversion.bindings.cs:62
        public static bool LoadImage(this Texture2D tex, byte[] data, bool markNonReadable) { throw null; }
        // Modules/ImageConversion/ScriptBindings/ImageConversion.bindings.cs:63
        public static bool LoadImage(this Texture2D tex, byte[] data) { throw null; }
    }
    // Runtime/Export/Debug/Debug.bindings.cs:52
    public class Debug
    {
        // Runtime/Export/Debug/Debug.bindings.cs:162
        public static void LogError(object message) { throw null; }
        // Runtime/Export/Debug/Debug.bindings.cs:165
        public static void LogError(object message, Object context) { throw null; }
        // Runtime/Export/Debug/Debug.bindings.cs:221
        public static void LogWarning(object message) { throw null; }
        // Runtime/Export/Debug/Debug.bindings.cs:226
        public static void LogWarning(object message, Object context) { throw null; }
    }
    // Runtime/Export/Application/Application.bindings.cs:16
    public class Application
    {
        // Runtime/Export/Application/Application.bindings.cs:186
        public static string dataPath { get { throw null; } }
    }
    // Runtime/Export/Geometry/Rect.cs:15
    public struct Rect
    {
    }
    // Modules/IMGUI/GUILayoutOption.cs:10
    public sealed class GUILayoutOption
    {
    }
    // Modules/IMGUI/GUI.bindings.cs:10
    public class GUI
    {
        // Modules/IMGUI/GUI.bindings.cs:18
        public static bool enabled { get { throw null; } set { throw null; } }
    }
    // Modules/IMGUI/GUILayout.cs:10
    public class GUILayout
    {
        // Modules/IMGUI/GUILayout.cs:32
        static public bool Button(Texture image, params GUILayoutOption[] options) { throw null; }
        // Modules/IMGUI/GUILayout.cs:33
        static public bool Button(string text, params GUILayoutOption[] options) { throw null; }
        // Modules/IMGUI/GUILayout.cs:473
        static public GUILayoutOption ExpandWidth(bool expand) { throw null; }
    }
    // Runtime/Export/Gizmos/Gizmos.bindings.cs:14
    public sealed class Gizmos
    {
        // Runtime/Export/Gizmos/Gizmos.bindings.cs:34
        public static void DrawWireSphere(Vector3 center, float radius) { throw null; }
        // Runtime/Export/Gizmos/Gizmos.bindings.cs:63
        public static Color color { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/PropertyDrawer/PropertyAttribute.cs:10
    [AttributeUsage(AttributeTargets.Field | AttributeTargets.Property, Inherited = true, AllowMultiple = false)]
    public abstract class PropertyAttribute : Attribute
    {
    }
    // Runtime/Export/PropertyDrawer/PropertyAttribute.cs:58
    [AttributeUsage(AttributeTargets.All, Inherited = true, AllowMultiple = false)]
    public class TooltipAttribute : PropertyAttribute
    {
        // Runtime/Export/PropertyDrawer/PropertyAttribute.cs:63
        public TooltipAttribute(string tooltip) { throw null; }
    }
    // Runtime/Export/PropertyDrawer/PropertyAttribute.cs:101
    [AttributeUsage(AttributeTargets.Field | AttributeTargets.Property, Inherited = true, AllowMultiple = false)]
    public sealed class RangeAttribute : PropertyAttribute
    {
        // Runtime/Export/PropertyDrawer/PropertyAttribute.cs:108
        public RangeAttribute(float min, float max) { throw null; }
    }
}

namespace UnityEngine.Rendering
{
    // Runtime/Export/Graphics/GraphicsEnums.cs:1042
    public enum IndexFormat
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:1044
        UInt16 = 0,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1045
        UInt32 = 1,
    }
    // Runtime/Export/Graphics/GraphicsEnums.cs:1410
    public enum ShadowCastingMode
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:1412
        Off = 0,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1414
        TwoSided = 2,
    }
    // Runtime/Export/Graphics/GraphicsEnums.cs:1935
    public enum LightProbeUsage
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:1937
        Off = 0,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1941
        CustomProvided = 4,
    }
    // Runtime/Export/Graphics/GraphicsEnums.cs:1230
    public enum CullMode
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:1233
        Off = 0,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1235
        Back = 2,
    }
    // Runtime/Export/Graphics/GraphicsEnums.cs:1124
    public enum RenderQueue
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:1127
        Geometry = 2000,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1128
        AlphaTest = 2450,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1130
        Transparent = 3000,
    }
    // Runtime/Export/Graphics/GraphicsEnums.cs:1159
    public enum BlendMode
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:1162
        Zero = 0,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1163
        One = 1,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1164
        DstColor = 2,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1165
        SrcColor = 3,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1167
        SrcAlpha = 5,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1172
        OneMinusSrcAlpha = 10,
    }
}
