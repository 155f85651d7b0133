// What our shaders use of this header of Unity, each below its file and line. Made by shader_stubs.py: do not edit.
#pragma once
// Packages/com.unity.render-pipelines.core/ShaderLibrary/API/D3D11.hlsl:49
#define TEXTURE2D(textureName) Texture2D textureName
// Packages/com.unity.render-pipelines.core/ShaderLibrary/API/D3D11.hlsl:76
#define SAMPLER(samplerName) SamplerState samplerName
// Packages/com.unity.render-pipelines.core/ShaderLibrary/API/D3D11.hlsl:119
#define SAMPLE_TEXTURE2D(textureName, samplerName, coord2) textureName.Sample(samplerName, coord2)
// Packages/com.unity.render-pipelines.core/ShaderLibrary/API/D3D11.hlsl:22
#define CBUFFER_START(name) cbuffer name {
// Packages/com.unity.render-pipelines.core/ShaderLibrary/API/D3D11.hlsl:23
#define CBUFFER_END };
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
// Packages/com.unity.render-pipelines.core/ShaderLibrary/API/D3D11.hlsl:11
#define FRONT_FACE_TYPE bool
// Packages/com.unity.render-pipelines.core/ShaderLibrary/API/D3D11.hlsl:10
#define FRONT_FACE_SEMANTIC SV_IsFrontFace
// Packages/com.unity.render-pipelines.core/ShaderLibrary/API/D3D11.hlsl:12
#define IS_FRONT_VFACE(VAL, FRONT, BACK) ((VAL) ? (FRONT) : (BACK))
// Packages/com.unity.render-pipelines.core/ShaderLibrary/API/D3D11.hlsl:5
#define UNITY_NEAR_CLIP_VALUE 1.0
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/Input.hlsl:142
#define UNITY_MATRIX_V unity_MatrixV
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/UnityInput.hlsl:206
float4x4 unity_MatrixV;
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/UnityInput.hlsl:104
float4x4 unity_ObjectToWorld;
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/UnityInput.hlsl:105
float4x4 unity_WorldToObject;
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/UnityInput.hlsl:40
float4 _Time;
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/UnityInput.hlsl:201
float4 unity_FogParams;
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/UnityInput.hlsl:202
float4 unity_FogColor;
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/UnityInput.hlsl:47
float3 _WorldSpaceCameraPos;
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/Input.hlsl:34
struct InputData { float3 positionWS; float4 positionCS; float3 normalWS; float3 viewDirectionWS; float4 shadowCoord; float fogCoord; float3 vertexLighting; float3 bakedGI; float2 normalizedScreenSpaceUV; float4 shadowMask; half3x3 tangentToWorld; };
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
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/ShaderVariablesFunctions.hlsl:367
float2 GetNormalizedScreenSpaceUV(float2 positionCS) { return (float2)0; }
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/ShaderVariablesFunctions.hlsl:374
float2 GetNormalizedScreenSpaceUV(float4 positionCS) { return (float2)0; }
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/ShaderVariablesFunctions.deprecated.hlsl:9
float4 ComputeScreenPos(float4 positionCS) { return (float4)0; }
// Packages/com.unity.render-pipelines.core/ShaderLibrary/Packing.hlsl:57
float2 PackNormalOctQuadEncode(float3 n) { return (float2)0; }
// Packages/com.unity.render-pipelines.core/ShaderLibrary/Packing.hlsl:543
float3 PackFloat2To888(float2 f) { return (float3)0; }
