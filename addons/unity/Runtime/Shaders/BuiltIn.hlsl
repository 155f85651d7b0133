// What bsp2gltf/Baked needs of the built-in pipeline.
#include "UnityCG.cginc"
#include "AutoLight.cginc"
#include "UnityLightingCommon.cginc"
#define BSP2GLTF_SAMPLE(name, uv) tex2D(name, uv)
#if defined(_LAMPS) && !defined(BSP2GLTF_CASTS)
#define BSP2GLTF_INTERPOLATORS UNITY_SHADOW_COORDS(5)
#endif
sampler2D _BaseMap;
sampler2D _EmissionMap;
sampler2D _BakedMap;
sampler2D _NormalMap;
sampler2D _BakedMap1;
sampler2D _BakedMap2;
sampler2D _BakedMap3;
#include "BakedProperties.hlsl"
#define BSP2GLTF_TO_OBJECT ((float3x3)unity_WorldToObject)
#define BSP2GLTF_TO_WORLD ((float3x3)unity_ObjectToWorld)
#define BSP2GLTF_EYE (mul(unity_WorldToObject, float4(_WorldSpaceCameraPos, 1.0)).xyz)
#include "BakedPass.hlsl"

BakedOut BakedVertex(BakedIn v)
{
    BakedMoved(v);
    BakedOut o = BakedInterpolated(v);
    o.world = mul(unity_ObjectToWorld, float4(v.vertex.xyz, 1.0)).xyz;
    o.normal = UnityObjectToWorldNormal(v.normal);
    o.pos = UnityObjectToClipPos(v.vertex);
    if (_Sky > 0.5)
        o.pos = BakedFarAway(mul(UNITY_MATRIX_VP, float4(mul((float3x3)unity_ObjectToWorld, v.vertex.xyz) + _WorldSpaceCameraPos, 1.0)));
#if defined(_LAMPS) && !defined(BSP2GLTF_CASTS)
    UNITY_TRANSFER_SHADOW(o, v.uv2);
#endif
    return o;
}

#if !defined(BSP2GLTF_CASTS)
// The light of the lamp of this pass.
float3 BakedLampAt(BakedOut i, float3 normal)
{
#if defined(_LAMPS)
    UNITY_LIGHT_ATTENUATION(attenuation, i, i.world);
    return _LightColor0.rgb * (attenuation * saturate(dot(normal, normalize(UnityWorldSpaceLightDir(i.world)))));
#else
    return float3(0.0, 0.0, 0.0);
#endif
}

float4 BakedFragment(BakedOut i, float face : VFACE) : SV_Target
{
    UNITY_SETUP_STEREO_EYE_INDEX_POST_VERTEX(i);
    float4 base = BakedBase(i);
    return BakedFinished(i, BakedShown(i, base) + base.rgb * BakedLampAt(i, BakedFacing(i.normal, face >= 0.0)), base.a);
}

// What is added to what is behind it fades to black in fog.
float4 BakedLamp(BakedOut i, float face : VFACE) : SV_Target
{
    UNITY_SETUP_STEREO_EYE_INDEX_POST_VERTEX(i);
    float4 base = BakedBase(i);
    float3 shown = base.rgb * BakedLampAt(i, BakedFacing(i.normal, face >= 0.0)) * BakedClear(i);
    return float4(BakedStored(shown), base.a);
}
#else
struct BakedShadowOut
{
    V2F_SHADOW_CASTER;
    float4 uv : TEXCOORD1;
    float4 color : COLOR;
    UNITY_VERTEX_OUTPUT_STEREO
};

BakedShadowOut BakedShadowVertex(BakedIn v)
{
    BakedShadowOut o = (BakedShadowOut)0;
    UNITY_SETUP_INSTANCE_ID(v);
    UNITY_INITIALIZE_VERTEX_OUTPUT_STEREO(o);
    BakedMoved(v);
    TRANSFER_SHADOW_CASTER_NORMALOFFSET(o)
    BakedOut of = BakedInterpolated(v);
    o.uv = of.uv;
    o.color = of.color;
    return o;
}

float4 BakedShadow(BakedShadowOut i) : SV_Target
{
    clip(0.5 - _Sky); // it is around the map, and would keep all light out
    BakedOut of = (BakedOut)0;
    of.uv = i.uv;
    of.color = i.color;
    BakedBase(of);
    SHADOW_CASTER_FRAGMENT(i)
}
#endif
