// What our shaders use of this header of Unity, each below its file and line. Made by shader_stubs.py: do not edit.
#pragma once
#define fixed4 float4
// CGIncludes/UnityLightingCommon.cginc:6
float4 _LightColor0;
