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
