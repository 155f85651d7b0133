// What our shaders use of this header of Unity, each below its file and line. Made by shader_stubs.py: do not edit.
#pragma once
#define fixed4 float4
// CGIncludes/UnityShaderVariables.cginc:30
#define UNITY_MATRIX_V unity_MatrixV
// CGIncludes/UnityShaderVariables.cginc:32
#define UNITY_MATRIX_VP unity_MatrixVP
// CGIncludes/UnityShaderVariables.cginc:167
float4x4 unity_ObjectToWorld;
// CGIncludes/UnityShaderVariables.cginc:168
float4x4 unity_WorldToObject;
// CGIncludes/UnityShaderVariables.cginc:225
float4x4 unity_MatrixV;
// CGIncludes/UnityShaderVariables.cginc:227
float4x4 unity_MatrixVP;
// CGIncludes/UnityShaderVariables.cginc:48
float3 _WorldSpaceCameraPos;
// CGIncludes/UnityShaderVariables.cginc:42
float4 _Time;
// CGIncludes/UnityShaderVariables.cginc:243
float4 unity_FogParams;
// CGIncludes/UnityShaderVariables.cginc:238
float4 unity_FogColor;
// CGIncludes/UnityShaderUtilities.cginc:46
float4 UnityObjectToClipPos(in float3 pos) { return (float4)0; }
// CGIncludes/UnityCG.cginc:177
float3 UnityObjectToWorldNormal(in float3 norm) { return (float3)0; }
// CGIncludes/UnityCG.cginc:188
float3 UnityWorldSpaceLightDir(in float3 worldPos) { return (float3)0; }
// CGIncludes/UnityCG.cginc:872
float4 UnityClipSpaceShadowCasterPos(float4 vertex, float3 normal) { return (float4)0; }
// CGIncludes/UnityCG.cginc:898
float4 UnityClipSpaceShadowCasterPos(float3 vertex, float3 normal) { return (float4)0; }
// CGIncludes/UnityInstancing.cginc:106
#define UNITY_VERTEX_INPUT_INSTANCE_ID
// CGIncludes/UnityInstancing.cginc:147
#define UNITY_VERTEX_OUTPUT_STEREO
// CGIncludes/UnityInstancing.cginc:212
#define UNITY_SETUP_INSTANCE_ID(input)
// CGIncludes/UnityInstancing.cginc:156
#define UNITY_INITIALIZE_VERTEX_OUTPUT_STEREO(output)
// CGIncludes/UnityInstancing.cginc:162
#define UNITY_SETUP_STEREO_EYE_INDEX_POST_VERTEX(input)
// CGIncludes/HLSLSupport.cginc:536
#define VFACE SV_IsFrontFace
// CGIncludes/UnityCG.cginc:932
#define V2F_SHADOW_CASTER float4 pos : SV_POSITION
// CGIncludes/UnityCG.cginc:958
#define TRANSFER_SHADOW_CASTER_NORMALOFFSET(o) o.pos = UnityClipSpaceShadowCasterPos(v.vertex, v.normal);
// CGIncludes/UnityCG.cginc:935
#define SHADOW_CASTER_FRAGMENT(i) return 0;
