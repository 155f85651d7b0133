// What our shaders use of this header of Unity, each below its file and line. Made by shader_stubs.py: do not edit.
#pragma once
#define fixed4 float4
// CGIncludes/AutoLight.cginc:124
#define UNITY_SHADOW_COORDS(idx1) float4 _ShadowCoord : TEXCOORD##idx1;
// CGIncludes/AutoLight.cginc:125
#define UNITY_TRANSFER_SHADOW(a, coord) a._ShadowCoord = mul(unity_ObjectToWorld, v.vertex) + coord.x + a.pos;
// CGIncludes/AutoLight.cginc:169
#define UNITY_LIGHT_ATTENUATION(destName, input, worldPos) float destName = input._ShadowCoord.x + worldPos.x;
