// What our shaders use of this header of Unity, each below its file and line. Made by shader_stubs.py: do not edit.
#pragma once
// Packages/com.unity.render-pipelines.core/ShaderLibrary/UnityInstancing.hlsl:95
#define UNITY_VERTEX_INPUT_INSTANCE_ID
// Packages/com.unity.render-pipelines.core/ShaderLibrary/UnityInstancing.hlsl:149
#define UNITY_VERTEX_OUTPUT_STEREO
// Packages/com.unity.render-pipelines.core/ShaderLibrary/UnityInstancing.hlsl:213
#define UNITY_SETUP_INSTANCE_ID(input)
// Packages/com.unity.render-pipelines.core/ShaderLibrary/UnityInstancing.hlsl:152
#define UNITY_INITIALIZE_VERTEX_OUTPUT_STEREO(output)
// Packages/com.unity.render-pipelines.core/ShaderLibrary/UnityInstancing.hlsl:158
#define UNITY_SETUP_STEREO_EYE_INDEX_POST_VERTEX(input)
// Packages/com.unity.render-pipelines.high-definition/Runtime/ShaderLibrary/PickingSpaceTransforms.hlsl:33
#define UNITY_MATRIX_V _ViewMatrix
// Packages/com.unity.render-pipelines.high-definition/Runtime/ShaderLibrary/ShaderVariablesGlobal.cs.hlsl:20
float4x4 _ViewMatrix;
// Packages/com.unity.render-pipelines.high-definition/Runtime/ShaderLibrary/ShaderVariables.hlsl:59
float4x4 unity_ObjectToWorld;
// Packages/com.unity.render-pipelines.high-definition/Runtime/ShaderLibrary/ShaderVariables.hlsl:60
float4x4 unity_WorldToObject;
// Packages/com.unity.render-pipelines.high-definition/Runtime/ShaderLibrary/ShaderVariablesGlobal.cs.hlsl:47
float4 _Time;
// Packages/com.unity.render-pipelines.high-definition/Runtime/ShaderLibrary/ShaderVariablesGlobal.cs.hlsl:151
float _DeExposureMultiplier;
// Packages/com.unity.render-pipelines.high-definition/Runtime/ShaderLibrary/ShaderVariablesGlobal.cs.hlsl:57
float4 _FogColor;
// Packages/com.unity.render-pipelines.core/ShaderLibrary/SpaceTransforms.hlsl:11
float4x4 GetObjectToWorldMatrix() { return (float4x4)0; }
// Packages/com.unity.render-pipelines.core/ShaderLibrary/SpaceTransforms.hlsl:16
float4x4 GetWorldToObjectMatrix() { return (float4x4)0; }
// Packages/com.unity.render-pipelines.core/ShaderLibrary/SpaceTransforms.hlsl:83
float3 TransformWorldToObject(float3 positionWS) { return (float3)0; }
// Packages/com.unity.render-pipelines.core/ShaderLibrary/SpaceTransforms.hlsl:74
float3 TransformObjectToWorld(float3 positionOS) { return (float3)0; }
// Packages/com.unity.render-pipelines.core/ShaderLibrary/SpaceTransforms.hlsl:165
float3 TransformObjectToWorldNormal(float3 normalOS, bool doNormalize = true) { return (float3)0; }
// Packages/com.unity.render-pipelines.core/ShaderLibrary/SpaceTransforms.hlsl:105
float4 TransformWorldToHClip(float3 positionWS) { return (float4)0; }
