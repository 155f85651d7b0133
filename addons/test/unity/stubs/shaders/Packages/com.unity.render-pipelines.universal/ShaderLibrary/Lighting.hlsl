// What our shaders use of this header of Unity, each below its file and line. Made by shader_stubs.py: do not edit.
#pragma once
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/AmbientOcclusion.hlsl:11
struct AmbientOcclusionFactor { float indirectAmbientOcclusion; float directAmbientOcclusion; };
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/RealtimeLights.hlsl:26
struct Light { float3 direction; float3 color; float distanceAttenuation; float shadowAttenuation; uint layerMask; };
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/RealtimeLights.hlsl:114
Light GetMainLight() { return (Light)0; }
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/RealtimeLights.hlsl:135
Light GetMainLight(float4 shadowCoord) { return (Light)0; }
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/RealtimeLights.hlsl:142
Light GetMainLight(float4 shadowCoord, float3 positionWS, float4 shadowMask) { return (Light)0; }
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/RealtimeLights.hlsl:155
Light GetMainLight(InputData inputData, float4 shadowMask, AmbientOcclusionFactor aoFactor) { return (Light)0; }
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/RealtimeLights.hlsl:270
Light GetAdditionalLight(uint i, float3 positionWS) { return (Light)0; }
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/RealtimeLights.hlsl:280
Light GetAdditionalLight(uint i, float3 positionWS, float4 shadowMask) { return (Light)0; }
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/RealtimeLights.hlsl:303
Light GetAdditionalLight(uint i, InputData inputData, float4 shadowMask, AmbientOcclusionFactor aoFactor) { return (Light)0; }
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/RealtimeLights.hlsl:317
int GetAdditionalLightsCount() { return (int)0; }
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/Shadows.hlsl:285
float4 TransformWorldToShadowCoord(float3 positionWS) { return (float4)0; }
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/Shadows.hlsl:432
float3 ApplyShadowBias(float3 positionWS, float3 normalWS, float3 lightDirection) { return (float3)0; }
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/RealtimeLights.hlsl:44
#define LIGHT_LOOP_BEGIN(lightCount) for (uint lightIndex = 0u; lightIndex < lightCount; lightIndex++) { inputData.positionWS.x;
// Packages/com.unity.render-pipelines.universal/ShaderLibrary/RealtimeLights.hlsl:48
#define LIGHT_LOOP_END }
