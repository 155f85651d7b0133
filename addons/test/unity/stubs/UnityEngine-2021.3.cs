// Signatures of github.com/Unity-Technologies/UnityCsReference at b052b1fe38b4, each below its file and line. Made by signatures.py: do not edit.
using System;
using System.Collections.Generic;
using UnityEngine;
using UnityEngine.Rendering;
using Object = UnityEngine.Object;

namespace UnityEngine
{
    // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:59
    public class Object
    {
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:112
        public static implicit operator bool(Object exists) { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:168
        public string name { get { throw null; } set { throw null; } }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:175
        public static Object Instantiate(Object original, Vector3 position, Quaternion rotation) { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:192
        public static Object Instantiate(Object original, Vector3 position, Quaternion rotation, Transform parent) { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:209
        public static Object Instantiate(Object original) { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:222
        public static Object Instantiate(Object original, Transform parent) { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:228
        public static Object Instantiate(Object original, Transform parent, bool instantiateInWorldSpace) { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:244
        public static T Instantiate<T>(T original) where T : UnityEngine.Object { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:255
        public static T Instantiate<T>(T original, Vector3 position, Quaternion rotation) where T : UnityEngine.Object { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:260
        public static T Instantiate<T>(T original, Vector3 position, Quaternion rotation, Transform parent) where T : UnityEngine.Object { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:265
        public static T Instantiate<T>(T original, Transform parent) where T : UnityEngine.Object { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:270
        public static T Instantiate<T>(T original, Transform parent, bool worldPositionStays) where T : UnityEngine.Object { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:287
        public static void DestroyImmediate(Object obj, bool allowDestroyingAssets) { throw null; }
        // Runtime/Export/Scripting/UnityEngineObject.bindings.cs:290
        public static void DestroyImmediate(Object obj) { throw null; }
    }
    // Runtime/Export/Scripting/ScriptableObject.bindings.cs:14
    public class ScriptableObject : Object
    {
    }
    // Runtime/Export/Scripting/Component.bindings.cs:15
    public class Component : UnityEngine.Object
    {
        // Runtime/Export/Scripting/Component.bindings.cs:20
        public Transform transform { get { throw null; } }
        // Runtime/Export/Scripting/Component.bindings.cs:26
        public GameObject gameObject { get { throw null; } }
        // Runtime/Export/Scripting/Component.bindings.cs:32
        public Component GetComponent(Type type) { throw null; }
        // Runtime/Export/Scripting/Component.bindings.cs:41
        public T GetComponent<T>() { throw null; }
        // Runtime/Export/Scripting/Component.bindings.cs:61
        public Component GetComponent(string type) { throw null; }
        // Runtime/Export/Scripting/Component.bindings.cs:87
        public Component[] GetComponentsInChildren(Type t, bool includeInactive) { throw null; }
        // Runtime/Export/Scripting/Component.bindings.cs:92
        public Component[] GetComponentsInChildren(Type t) { throw null; }
        // Runtime/Export/Scripting/Component.bindings.cs:98
        public T[] GetComponentsInChildren<T>(bool includeInactive) { throw null; }
        // Runtime/Export/Scripting/Component.bindings.cs:103
        public void GetComponentsInChildren<T>(bool includeInactive, List<T> result) { throw null; }
        // Runtime/Export/Scripting/Component.bindings.cs:108
        public T[] GetComponentsInChildren<T>() { throw null; }
        // Runtime/Export/Scripting/Component.bindings.cs:113
        public void GetComponentsInChildren<T>(List<T> results) { throw null; }
    }
    // Runtime/Export/Scripting/Behaviour.bindings.cs:11
    public class Behaviour : Component
    {
        // Runtime/Export/Scripting/Behaviour.bindings.cs:16
        public bool enabled { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Scripting/MonoBehaviour.bindings.cs:15
    public class MonoBehaviour : Behaviour
    {
    }
    // Runtime/Export/Scripting/GameObject.bindings.cs:19
    public sealed class GameObject : Object
    {
        // Runtime/Export/Scripting/GameObject.bindings.cs:27
        public T GetComponent<T>() { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:35
        public Component GetComponent(Type type) { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:46
        public Component GetComponent(string type) { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:118
        public Component[] GetComponentsInChildren(Type type) { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:125
        public Component[] GetComponentsInChildren(Type type, bool includeInactive) { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:130
        public T[] GetComponentsInChildren<T>(bool includeInactive) { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:135
        public void GetComponentsInChildren<T>(bool includeInactive, List<T> results) { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:140
        public T[] GetComponentsInChildren<T>() { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:145
        public void GetComponentsInChildren<T>(List<T> results) { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:226
        public Component AddComponent(Type componentType) { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:232
        public T AddComponent<T>() where T : Component { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:237
        public Transform transform { get { throw null; } }
        // Runtime/Export/Scripting/GameObject.bindings.cs:359
        public GameObject(string name) { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:364
        public GameObject() { throw null; }
        // Runtime/Export/Scripting/GameObject.bindings.cs:369
        public GameObject(string name, params Type[] components) { throw null; }
        // Runtime/Export/Scripting/GameObject.deprecated.cs:18
        public Component AddComponent(string className) { throw null; }
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
        // Runtime/Transform/ScriptBindings/Transform.bindings.cs:256
        public Vector3 TransformPoint(Vector3 position) { throw null; }
        // Runtime/Transform/ScriptBindings/Transform.bindings.cs:259
        public Vector3 TransformPoint(float x, float y, float z) { throw null; }
        // Runtime/Transform/ScriptBindings/Transform.bindings.cs:262
        public Vector3 InverseTransformPoint(Vector3 position) { throw null; }
        // Runtime/Transform/ScriptBindings/Transform.bindings.cs:265
        public Vector3 InverseTransformPoint(float x, float y, float z) { throw null; }
    }
    // Runtime/Export/Math/Vector2.cs:20
    public struct Vector2
    {
        // Runtime/Export/Math/Vector2.cs:60
        public Vector2(float x, float y) { throw null; }
    }
    // Runtime/Export/Math/Vector3.cs:17
    public struct Vector3
    {
        // Runtime/Export/Math/Vector3.cs:30
        public float x;
        // Runtime/Export/Math/Vector3.cs:32
        public float y;
        // Runtime/Export/Math/Vector3.cs:34
        public float z;
        // Runtime/Export/Math/Vector3.cs:197
        public Vector3(float x, float y, float z) { throw null; }
        // Runtime/Export/Math/Vector3.cs:200
        public Vector3(float x, float y) { throw null; }
        // Runtime/Export/Math/Vector3.cs:386
        public float magnitude { get { throw null; } }
        // Runtime/Export/Math/Vector3.cs:397
        public float sqrMagnitude { get { throw null; } }
        // Runtime/Export/Math/Vector3.cs:400
        public static Vector3 Min(Vector3 lhs, Vector3 rhs) { throw null; }
        // Runtime/Export/Math/Vector3.cs:407
        public static Vector3 Max(Vector3 lhs, Vector3 rhs) { throw null; }
        // Runtime/Export/Math/Vector3.cs:443
        public static Vector3 operator+(Vector3 a, Vector3 b) { throw null; }
        // Runtime/Export/Math/Vector3.cs:446
        public static Vector3 operator-(Vector3 a, Vector3 b) { throw null; }
        // Runtime/Export/Math/Vector3.cs:449
        public static Vector3 operator-(Vector3 a) { throw null; }
        // Runtime/Export/Math/Vector3.cs:452
        public static Vector3 operator*(Vector3 a, float d) { throw null; }
        // Runtime/Export/Math/Vector3.cs:455
        public static Vector3 operator*(float d, Vector3 a) { throw null; }
    }
    // Runtime/Export/Math/Vector4.cs:16
    public struct Vector4
    {
        // Runtime/Export/Math/Vector4.cs:68
        public Vector4(float x, float y, float z, float w) { throw null; }
        // Runtime/Export/Math/Vector4.cs:71
        public Vector4(float x, float y, float z) { throw null; }
        // Runtime/Export/Math/Vector4.cs:74
        public Vector4(float x, float y) { throw null; }
    }
    // Runtime/Export/Math/Color.cs:16
    public struct Color
    {
        // Runtime/Export/Math/Color.cs:36
        public Color(float r, float g, float b, float a) { throw null; }
        // Runtime/Export/Math/Color.cs:42
        public Color(float r, float g, float b) { throw null; }
        // Runtime/Export/Math/Color.cs:185
        public Color gamma { get { throw null; } }
    }
    // Runtime/Export/Math/Quaternion.cs:14
    public struct Quaternion
    {
        // Runtime/Export/Math/Quaternion.cs:60
        public Quaternion(float x, float y, float z, float w) { throw null; }
        // Runtime/Export/Math/Quaternion.cs:86
        public static Quaternion operator*(Quaternion lhs, Quaternion rhs) { throw null; }
        // Runtime/Export/Math/Quaternion.cs:97
        public static Vector3 operator*(Quaternion rotation, Vector3 point) { throw null; }
    }
    // Runtime/Export/Graphics/Mesh.cs:19
    public sealed class Mesh : Object
    {
        // Runtime/Export/Graphics/Mesh.bindings.cs:31
        public UnityEngine.Rendering.IndexFormat indexFormat { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.bindings.cs:174
        public void AddBlendShapeFrame(string shapeName, float frameWeight, Vector3[] deltaVertices, Vector3[] deltaNormals, Vector3[] deltaTangents) { throw null; }
        // Runtime/Export/Graphics/Mesh.bindings.cs:222
        public Matrix4x4[] bindposes { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.bindings.cs:246
        public int subMeshCount { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.bindings.cs:262
        public Bounds bounds { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.cs:198
        public Color[] colors { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.cs:217
        public void SetVertices(List<Vector3> inVertices) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:222
        public void SetVertices(List<Vector3> inVertices, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:232
        public void SetVertices(Vector3[] inVertices) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:237
        public void SetVertices(Vector3[] inVertices, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:272
        public void SetNormals(List<Vector3> inNormals) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:277
        public void SetNormals(List<Vector3> inNormals, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:287
        public void SetNormals(Vector3[] inNormals) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:292
        public void SetNormals(Vector3[] inNormals, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:327
        public void SetTangents(List<Vector4> inTangents) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:332
        public void SetTangents(List<Vector4> inTangents, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:342
        public void SetTangents(Vector4[] inTangents) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:347
        public void SetTangents(Vector4[] inTangents, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:382
        public void SetColors(List<Color> inColors) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:387
        public void SetColors(List<Color> inColors, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:397
        public void SetColors(Color[] inColors) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:402
        public void SetColors(Color[] inColors, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:480
        public void SetUVs(int channel, List<Vector2> uvs) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:485
        public void SetUVs(int channel, List<Vector3> uvs) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:490
        public void SetUVs(int channel, List<Vector4> uvs) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:495
        public void SetUVs(int channel, List<Vector2> uvs, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:505
        public void SetUVs(int channel, List<Vector3> uvs, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:515
        public void SetUVs(int channel, List<Vector4> uvs, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:532
        public void SetUVs(int channel, Vector2[] uvs) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:537
        public void SetUVs(int channel, Vector3[] uvs) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:542
        public void SetUVs(int channel, Vector4[] uvs) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:547
        public void SetUVs(int channel, Vector2[] uvs, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:557
        public void SetUVs(int channel, Vector3[] uvs, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:567
        public void SetUVs(int channel, Vector4[] uvs, int start, int length) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:973
        public void SetTriangles(int[] triangles, int submesh) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:979
        public void SetTriangles(int[] triangles, int submesh, bool calculateBounds) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:985
        public void SetTriangles(int[] triangles, int submesh, bool calculateBounds, int baseVertex) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:990
        public void SetTriangles(int[] triangles, int trianglesStart, int trianglesLength, int submesh, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:996
        public void SetTriangles(ushort[] triangles, int submesh, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1001
        public void SetTriangles(ushort[] triangles, int trianglesStart, int trianglesLength, int submesh, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1007
        public void SetTriangles(List<int> triangles, int submesh) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1013
        public void SetTriangles(List<int> triangles, int submesh, bool calculateBounds) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1019
        public void SetTriangles(List<int> triangles, int submesh, bool calculateBounds, int baseVertex) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1024
        public void SetTriangles(List<int> triangles, int trianglesStart, int trianglesLength, int submesh, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1030
        public void SetTriangles(List<ushort> triangles, int submesh, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1035
        public void SetTriangles(List<ushort> triangles, int trianglesStart, int trianglesLength, int submesh, bool calculateBounds = true, int baseVertex = 0) { throw null; }
        // Runtime/Export/Graphics/Mesh.cs:1206
        public BoneWeight[] boneWeights { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Graphics/Mesh.cs:1338
    public struct BoneWeight
    {
        // Runtime/Export/Graphics/Mesh.cs:1347
        public float weight0 { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.cs:1348
        public float weight1 { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.cs:1349
        public float weight2 { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.cs:1350
        public float weight3 { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.cs:1352
        public int boneIndex0 { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.cs:1353
        public int boneIndex1 { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.cs:1354
        public int boneIndex2 { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Mesh.cs:1355
        public int boneIndex3 { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Math/Matrix4x4.cs:17
    public struct Matrix4x4
    {
        // Runtime/Export/Math/Matrix4x4.cs:85
        public Matrix4x4(Vector4 column0, Vector4 column1, Vector4 column2, Vector4 column3) { throw null; }
    }
    // Runtime/Export/Geometry/Bounds.cs:16
    public struct Bounds
    {
        // Runtime/Export/Geometry/Bounds.cs:27
        public Bounds(Vector3 center, Vector3 size) { throw null; }
        // Runtime/Export/Geometry/Bounds.cs:53
        public Vector3 center { get { throw null; } set { throw null; } }
        // Runtime/Export/Geometry/Bounds.cs:59
        public Vector3 extents { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Graphics/GraphicsComponents.bindings.cs:120
    public sealed class MeshFilter : Component
    {
        // Runtime/Export/Graphics/GraphicsComponents.bindings.cs:127
        public Mesh sharedMesh { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:19
    public class Renderer : Component
    {
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:38
        public Bounds localBounds { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:63
        public void SetPropertyBlock(MaterialPropertyBlock properties) { throw null; }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:64
        public void SetPropertyBlock(MaterialPropertyBlock properties, int materialIndex) { throw null; }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:65
        public void GetPropertyBlock(MaterialPropertyBlock properties) { throw null; }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:66
        public void GetPropertyBlock(MaterialPropertyBlock properties, int materialIndex) { throw null; }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:77
        public ShadowCastingMode shadowCastingMode { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:78
        public bool receiveShadows { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:88
        public LightProbeUsage lightProbeUsage { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:163
        public Material[] sharedMaterials { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:389
    public class MeshRenderer : Renderer
    {
    }
    // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:342
    public class SkinnedMeshRenderer : Renderer
    {
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:349
        public Transform rootBone { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:351
        public Transform[] bones { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:353
        public Mesh sharedMesh { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsRenderers.bindings.cs:357
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
        // Runtime/Export/Graphics/LOD.bindings.cs:64
        public void RecalculateBounds() { throw null; }
        // Runtime/Export/Graphics/LOD.bindings.cs:74
        public void SetLODs(LOD[] lods) { throw null; }
    }
    // Runtime/Export/Graphics/Graphics.deprecated.cs:197
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
    // Runtime/Export/Animation/AnimationCurve.bindings.cs:118
    public enum WrapMode
    {
        // Runtime/Export/Animation/AnimationCurve.bindings.cs:124
        Loop = 2,
        // Runtime/Export/Animation/AnimationCurve.bindings.cs:133
        ClampForever = 8,
    }
    // Runtime/Export/Animation/AnimationCurve.bindings.cs:25
    public struct Keyframe
    {
        // Runtime/Export/Animation/AnimationCurve.bindings.cs:41
        public Keyframe(float time, float value) { throw null; }
        // Runtime/Export/Animation/AnimationCurve.bindings.cs:54
        public Keyframe(float time, float value, float inTangent, float outTangent) { throw null; }
        // Runtime/Export/Animation/AnimationCurve.bindings.cs:67
        public Keyframe(float time, float value, float inTangent, float outTangent, float inWeight, float outWeight) { throw null; }
    }
    // Runtime/Export/Animation/AnimationCurve.bindings.cs:143
    public class AnimationCurve
    {
        // Runtime/Export/Animation/AnimationCurve.bindings.cs:272
        public AnimationCurve(params Keyframe[] keys) { throw null; }
        // Runtime/Export/Animation/AnimationCurve.bindings.cs:275
        public AnimationCurve() { throw null; }
    }
    // Modules/Animation/ScriptBindings/Motion.bindings.cs:11
    public class Motion : Object
    {
    }
    // Modules/Animation/ScriptBindings/AnimationClip.bindings.cs:10
    public sealed class AnimationClip : Motion
    {
        // Modules/Animation/ScriptBindings/AnimationClip.bindings.cs:15
        public AnimationClip() { throw null; }
        // Modules/Animation/ScriptBindings/AnimationClip.bindings.cs:45
        public float frameRate { get { throw null; } set { throw null; } }
        // Modules/Animation/ScriptBindings/AnimationClip.bindings.cs:50
        public void SetCurve(string relativePath, Type type, string propertyName, AnimationCurve curve) { throw null; }
        // Modules/Animation/ScriptBindings/AnimationClip.bindings.cs:60
        public WrapMode wrapMode { get { throw null; } set { throw null; } }
        // Modules/Animation/ScriptBindings/AnimationClip.bindings.cs:67
        public new bool legacy { get { throw null; } set { throw null; } }
    }
    // Modules/Animation/ScriptBindings/Animation.bindings.cs:68
    public sealed class Animation : Behaviour
    {
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:71
        public AnimationClip clip { get { throw null; } set { throw null; } }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:72
        public bool playAutomatically { get { throw null; } set { throw null; } }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:88
        public bool Play() { throw null; }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:92
        public bool Play(string animation) { throw null; }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:114
        public void AddClip(AnimationClip clip, string newName) { throw null; }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:115
        public void AddClip(AnimationClip clip, string newName, int firstFrame, int lastFrame) { throw null; }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:116
        public void AddClip(AnimationClip clip, string newName, int firstFrame, int lastFrame, bool addLoopFrame) { throw null; }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:118
        public void RemoveClip(AnimationClip clip) { throw null; }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:120
        public void RemoveClip(string clipName) { throw null; }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:162
        public AnimationClip GetClip(string name) { throw null; }
        // Modules/Animation/ScriptBindings/Animation.bindings.cs:171
        public bool animatePhysics { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Graphics/GraphicsEnums.cs:101
    public enum FogMode
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:103
        Linear = 1,
        // Runtime/Export/Graphics/GraphicsEnums.cs:104
        Exponential = 2,
        // Runtime/Export/Graphics/GraphicsEnums.cs:105
        ExponentialSquared = 3,
    }
    // Runtime/Export/Graphics/GraphicsManagers.bindings.cs:16
    public sealed class RenderSettings : Object
    {
        // Runtime/Export/Graphics/GraphicsManagers.bindings.cs:23
        public static bool fog { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsManagers.bindings.cs:24
        public static float fogStartDistance { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsManagers.bindings.cs:25
        public static float fogEndDistance { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsManagers.bindings.cs:26
        public static FogMode fogMode { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsManagers.bindings.cs:27
        public static Color fogColor { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/GraphicsManagers.bindings.cs:28
        public static float fogDensity { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Hashing/Hash128.bindings.cs:16
    public struct Hash128
    {
        // Runtime/Export/Hashing/Hash128.bindings.cs:69
        public static Hash128 Compute(string data) { throw null; }
        // Runtime/Export/Hashing/Hash128.bindings.cs:92
        public static Hash128 Compute<T>(T[] data) where T : struct { throw null; }
        // Runtime/Export/Hashing/Hash128.bindings.cs:101
        public static Hash128 Compute<T>(T[] data, int start, int count) where T : struct { throw null; }
        // Runtime/Export/Hashing/Hash128.bindings.cs:112
        public static Hash128 Compute<T>(List<T> data) where T : struct { throw null; }
        // Runtime/Export/Hashing/Hash128.bindings.cs:121
        public static Hash128 Compute<T>(List<T> data, int start, int count) where T : struct { throw null; }
        // Runtime/Export/Hashing/Hash128.bindings.cs:142
        public static Hash128 Compute(int val) { throw null; }
        // Runtime/Export/Hashing/Hash128.bindings.cs:149
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
    // Modules/Physics/ScriptBindings/Dynamics.bindings.cs:291
    public class Collider : Component
    {
        // Modules/Physics/ScriptBindings/Dynamics.bindings.cs:299
        public bool isTrigger { get { throw null; } set { throw null; } }
    }
    // Modules/Physics/ScriptBindings/Dynamics.bindings.cs:94
    public class Rigidbody : UnityEngine.Component
    {
        // Modules/Physics/ScriptBindings/Dynamics.bindings.cs:106
        public bool isKinematic { get { throw null; } set { throw null; } }
    }
    // Modules/Physics/Managed/Dynamics.cs:276
    public enum CollisionFlags
    {
    }
    // Modules/Physics/ScriptBindings/Dynamics.bindings.cs:335
    public class CharacterController : Collider
    {
        // Modules/Physics/ScriptBindings/Dynamics.bindings.cs:339
        public CollisionFlags Move(Vector3 motion) { throw null; }
        // Modules/Physics/ScriptBindings/Dynamics.bindings.cs:341
        public bool isGrounded { get { throw null; } }
    }
    // Modules/Physics/Managed/Dynamics.cs:166
    public class ControllerColliderHit
    {
        // Modules/Physics/Managed/Dynamics.cs:180
        public Rigidbody rigidbody { get { throw null; } }
        // Modules/Physics/Managed/Dynamics.cs:184
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
    // Runtime/Export/Scripting/Attributes.cs:117
    [AttributeUsage(AttributeTargets.Class)]
    public class DefaultExecutionOrder : Attribute
    {
        // Runtime/Export/Scripting/Attributes.cs:121
        public DefaultExecutionOrder(int order) { throw null; }
    }
    // Modules/Physics/ScriptBindings/Dynamics.bindings.cs:354
    public class MeshCollider : Collider
    {
        // Modules/Physics/ScriptBindings/Dynamics.bindings.cs:359
        public Mesh sharedMesh { get { throw null; } set { throw null; } }
        // Modules/Physics/ScriptBindings/Dynamics.bindings.cs:360
        public bool convex { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Camera/Camera.bindings.cs:21
    public sealed class Camera : Behaviour
    {
        // Runtime/Export/Camera/Camera.bindings.cs:34
        public float nearClipPlane { get { throw null; } set { throw null; } }
        // Runtime/Export/Camera/Camera.bindings.cs:35
        public float farClipPlane { get { throw null; } set { throw null; } }
        // Runtime/Export/Camera/Camera.bindings.cs:36
        public float fieldOfView { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Shaders/Shader.bindings.cs:21
    public sealed class Shader : Object
    {
        // Runtime/Export/Shaders/Shader.bindings.cs:30
        public static Shader Find(string name) { throw null; }
    }
    // Runtime/Export/Shaders/Material.bindings.cs:14
    public class Material : Object
    {
        // Runtime/Export/Shaders/Material.bindings.cs:22
        public Material(Shader shader) { throw null; }
        // Runtime/Export/Shaders/Material.bindings.cs:25
        public Material(Material source) { throw null; }
        // Runtime/Export/Shaders/Material.bindings.cs:29
        public Material(string contents) { throw null; }
        // Runtime/Export/Shaders/Material.bindings.cs:37
        public Shader shader { get { throw null; } set { throw null; } }
        // Runtime/Export/Shaders/Material.bindings.cs:119
        public bool HasProperty(int nameID) { throw null; }
        // Runtime/Export/Shaders/Material.bindings.cs:120
        public bool HasProperty(string name) { throw null; }
        // Runtime/Export/Shaders/Material.bindings.cs:150
        public int renderQueue { get { throw null; } set { throw null; } }
        // Runtime/Export/Shaders/Material.bindings.cs:153
        public void EnableKeyword(string keyword) { throw null; }
        // Runtime/Export/Shaders/Material.bindings.cs:154
        public void DisableKeyword(string keyword) { throw null; }
        // Runtime/Export/Shaders/Material.bindings.cs:176
        public void SetShaderPassEnabled(string passName, bool enabled) { throw null; }
        // Runtime/Export/Shaders/Material.bindings.cs:181
        public void SetOverrideTag(string tag, string val) { throw null; }
        // Runtime/Export/Shaders/Material.cs:107
        public void SetFloat(string name, float value) { throw null; }
        // Runtime/Export/Shaders/Material.cs:108
        public void SetFloat(int nameID, float value) { throw null; }
        // Runtime/Export/Shaders/Material.cs:113
        public void SetVector(string name, Vector4 value) { throw null; }
        // Runtime/Export/Shaders/Material.cs:114
        public void SetVector(int nameID, Vector4 value) { throw null; }
        // Runtime/Export/Shaders/Material.cs:117
        public void SetTexture(string name, Texture value) { throw null; }
        // Runtime/Export/Shaders/Material.cs:118
        public void SetTexture(int nameID, Texture value) { throw null; }
        // Runtime/Export/Shaders/Material.cs:163
        public Texture GetTexture(string name) { throw null; }
        // Runtime/Export/Shaders/Material.cs:164
        public Texture GetTexture(int nameID) { throw null; }
    }
    // Runtime/Export/Graphics/GraphicsEnums.cs:305
    public enum TextureWrapMode
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:307
        Repeat = 0,
        // Runtime/Export/Graphics/GraphicsEnums.cs:308
        Clamp = 1,
    }
    // Runtime/Export/Graphics/GraphicsEnums.cs:298
    public enum FilterMode
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:301
        Bilinear = 1,
        // Runtime/Export/Graphics/GraphicsEnums.cs:302
        Trilinear = 2,
    }
    // Runtime/Export/Graphics/GraphicsEnums.cs:321
    public enum TextureFormat
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:326
        RGBA32 = 4,
    }
    // Runtime/Export/Graphics/Texture.bindings.cs:19
    public class Texture : Object
    {
        // Runtime/Export/Graphics/Texture.bindings.cs:43
        virtual public int width { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Texture.bindings.cs:44
        virtual public int height { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Texture.bindings.cs:54
        public TextureWrapMode wrapModeU { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Texture.bindings.cs:55
        public TextureWrapMode wrapModeV { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Texture.bindings.cs:57
        public FilterMode filterMode { get { throw null; } set { throw null; } }
        // Runtime/Export/Graphics/Texture.bindings.cs:58
        public int anisoLevel { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/Graphics/Texture.bindings.cs:182
    public sealed class Texture2D : Texture
    {
        // Runtime/Export/Graphics/Texture.bindings.cs:203
        public void Compress(bool highQuality) { throw null; }
        // Runtime/Export/Graphics/Texture.cs:768
        public Texture2D(int width, int height, TextureFormat textureFormat, int mipCount, bool linear) { throw null; }
        // Runtime/Export/Graphics/Texture.cs:773
        public Texture2D(int width, int height, TextureFormat textureFormat, bool mipChain, bool linear) { throw null; }
        // Runtime/Export/Graphics/Texture.cs:778
        public Texture2D(int width, int height, TextureFormat textureFormat, bool mipChain) { throw null; }
        // Runtime/Export/Graphics/Texture.cs:784
        public Texture2D(int width, int height) { throw null; }
    }
    // Modules/ImageConversion/ScriptBindings/ImageConversion.bindings.cs:14
    public static class ImageConversion
    {
        // Modules/ImageConversion/ScriptBindings/ImageConversion.bindings.cs:55
        public static bool LoadImage(this Texture2D tex, byte[] data, bool markNonReadable) { throw null; }
        // Modules/ImageConversion/ScriptBindings/ImageConversion.bindings.cs:57
        public static bool LoadImage(this Texture2D tex, byte[] data) { throw null; }
    }
    // Runtime/Export/Debug/Debug.bindings.cs:26
    public class Debug
    {
        // Runtime/Export/Debug/Debug.bindings.cs:134
        public static void LogError(object message) { throw null; }
        // Runtime/Export/Debug/Debug.bindings.cs:137
        public static void LogError(object message, Object context) { throw null; }
        // Runtime/Export/Debug/Debug.bindings.cs:184
        public static void LogWarning(object message) { throw null; }
        // Runtime/Export/Debug/Debug.bindings.cs:187
        public static void LogWarning(object message, Object context) { throw null; }
    }
    // Runtime/Export/Application/Application.bindings.cs:15
    public class Application
    {
        // Runtime/Export/Application/Application.bindings.cs:171
        public static string dataPath { get { throw null; } }
    }
    // Runtime/Export/Geometry/Rect.cs:14
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
        // Modules/IMGUI/GUILayout.cs:468
        static public GUILayoutOption ExpandWidth(bool expand) { throw null; }
    }
    // Runtime/Export/Gizmos/Gizmos.bindings.cs:14
    public sealed class Gizmos
    {
        // Runtime/Export/Gizmos/Gizmos.bindings.cs:21
        public static void DrawWireSphere(Vector3 center, float radius) { throw null; }
        // Runtime/Export/Gizmos/Gizmos.bindings.cs:51
        public static Color color { get { throw null; } set { throw null; } }
    }
    // Runtime/Export/PropertyDrawer/PropertyAttribute.cs:10
    [AttributeUsage(AttributeTargets.Field, Inherited = true, AllowMultiple = false)]
    public abstract class PropertyAttribute : Attribute
    {
    }
    // Runtime/Export/PropertyDrawer/PropertyAttribute.cs:40
    [AttributeUsage(AttributeTargets.All, Inherited = true, AllowMultiple = false)]
    public class TooltipAttribute : PropertyAttribute
    {
        // Runtime/Export/PropertyDrawer/PropertyAttribute.cs:45
        public TooltipAttribute(string tooltip) { throw null; }
    }
    // Runtime/Export/PropertyDrawer/PropertyAttribute.cs:83
    [AttributeUsage(AttributeTargets.Field, Inherited = true, AllowMultiple = false)]
    public sealed class RangeAttribute : PropertyAttribute
    {
        // Runtime/Export/PropertyDrawer/PropertyAttribute.cs:90
        public RangeAttribute(float min, float max) { throw null; }
    }
}

namespace UnityEngine.Rendering
{
    // Runtime/Export/Graphics/GraphicsEnums.cs:914
    public enum IndexFormat
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:916
        UInt16 = 0,
        // Runtime/Export/Graphics/GraphicsEnums.cs:917
        UInt32 = 1,
    }
    // Runtime/Export/Graphics/GraphicsEnums.cs:1281
    public enum ShadowCastingMode
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:1283
        Off = 0,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1285
        TwoSided = 2,
    }
    // Runtime/Export/Graphics/GraphicsEnums.cs:1791
    public enum LightProbeUsage
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:1793
        Off = 0,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1797
        CustomProvided = 4,
    }
    // Runtime/Export/Graphics/GraphicsEnums.cs:1101
    public enum CullMode
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:1104
        Off = 0,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1106
        Back = 2,
    }
    // Runtime/Export/Graphics/GraphicsEnums.cs:995
    public enum RenderQueue
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:998
        Geometry = 2000,
        // Runtime/Export/Graphics/GraphicsEnums.cs:999
        AlphaTest = 2450,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1001
        Transparent = 3000,
    }
    // Runtime/Export/Graphics/GraphicsEnums.cs:1030
    public enum BlendMode
    {
        // Runtime/Export/Graphics/GraphicsEnums.cs:1033
        Zero = 0,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1034
        One = 1,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1035
        DstColor = 2,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1036
        SrcColor = 3,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1038
        SrcAlpha = 5,
        // Runtime/Export/Graphics/GraphicsEnums.cs:1043
        OneMinusSrcAlpha = 10,
    }
}
