// What bsp2gltf/Baked needs of the Universal Render Pipeline.
#include "Packages/com.unity.render-pipelines.universal/ShaderLibrary/Core.hlsl"
#include "Packages/com.unity.render-pipelines.universal/ShaderLibrary/Lighting.hlsl"
#include "BakedTextures.hlsl"
CBUFFER_START(UnityPerMaterial)
#include "BakedProperties.hlsl"
CBUFFER_END
#define BSP2GLTF_TO_OBJECT ((float3x3)GetWorldToObjectMatrix())
#define BSP2GLTF_TO_WORLD ((float3x3)GetObjectToWorldMatrix())
#define BSP2GLTF_EYE TransformWorldToObject(_WorldSpaceCameraPos)
#include "BakedPass.hlsl"

// URP sets these for each lamp whose shadows it draws (Shaders/ShadowCasterPass.hlsl).
float3 _LightDirection;
float3 _LightPosition;

BakedOut BakedVertex(BakedIn v)
{
    BakedMoved(v);
    BakedOut o = BakedInterpolated(v);
    o.world = TransformObjectToWorld(v.vertex.xyz);
    o.normal = TransformObjectToWorldNormal(v.normal);
    o.pos = TransformWorldToHClip(o.world);
#if defined(BSP2GLTF_CASTS)
#if defined(_CASTING_PUNCTUAL_LIGHT_SHADOW)
    float3 toward = normalize(_LightPosition - o.world);
#else
    float3 toward = _LightDirection;
#endif
    o.pos = TransformWorldToHClip(ApplyShadowBias(o.world, o.normal, toward));
#if UNITY_REVERSED_Z
    o.pos.z = min(o.pos.z, UNITY_NEAR_CLIP_VALUE);
#else
    o.pos.z = max(o.pos.z, UNITY_NEAR_CLIP_VALUE);
#endif
#else
    if (_Sky > 0.5)
        o.pos = BakedFarAway(TransformWorldToHClip(mul((float3x3)GetObjectToWorldMatrix(), v.vertex.xyz) + _WorldSpaceCameraPos));
#endif
    return o;
}

float3 BakedLampLight(Light lamp, float3 normal)
{
    return lamp.color * (lamp.distanceAttenuation * lamp.shadowAttenuation * saturate(dot(normal, lamp.direction)));
}

// The light of all lamps of the scene that reach a point.
float3 BakedLampsAt(BakedOut i, float3 normal)
{
#if defined(_MAIN_LIGHT_SHADOWS_SCREEN)
    float4 shadow = ComputeScreenPos(TransformWorldToHClip(i.world));
#else
    float4 shadow = TransformWorldToShadowCoord(i.world);
#endif
    half4 unmasked = half4(1.0, 1.0, 1.0, 1.0);
    float3 sum = BakedLampLight(GetMainLight(shadow, i.world, unmasked), normal);
#if defined(_ADDITIONAL_LIGHTS) || defined(_FORWARD_PLUS) || defined(_CLUSTER_LIGHT_LOOP)
    InputData inputData = (InputData)0; // the macros of the loop read this name
    inputData.positionWS = i.world;
    inputData.normalizedScreenSpaceUV = GetNormalizedScreenSpaceUV(i.pos);
#if defined(URP_FP_DIRECTIONAL_LIGHTS_COUNT) && (defined(_FORWARD_PLUS) || defined(_CLUSTER_LIGHT_LOOP))
    for (uint sun = 0; sun < min(URP_FP_DIRECTIONAL_LIGHTS_COUNT, MAX_VISIBLE_LIGHTS); sun++)
        sum += BakedLampLight(GetAdditionalLight(sun, i.world, unmasked), normal);
#endif
    uint count = GetAdditionalLightsCount();
    LIGHT_LOOP_BEGIN(count)
        sum += BakedLampLight(GetAdditionalLight(lightIndex, i.world, unmasked), normal);
    LIGHT_LOOP_END
#endif
    return sum;
}

float4 BakedFragment(BakedOut i, FRONT_FACE_TYPE face : FRONT_FACE_SEMANTIC) : SV_Target
{
    UNITY_SETUP_STEREO_EYE_INDEX_POST_VERTEX(i);
    float4 base = BakedBase(i);
    float3 shown = BakedShown(i, base);
#if defined(_LAMPS)
    shown += base.rgb * BakedLampsAt(i, BakedFacing(i.normal, IS_FRONT_VFACE(face, true, false)));
#endif
    return BakedFinished(i, shown, base.a);
}

float4 BakedDepth(BakedOut i) : SV_Target
{
    UNITY_SETUP_STEREO_EYE_INDEX_POST_VERTEX(i);
    BakedBase(i);
#if defined(BSP2GLTF_CASTS)
    clip(0.5 - _Sky); // it is around the map, and would keep all light out
#endif
    return i.pos.z;
}

float4 BakedNormals(BakedOut i, FRONT_FACE_TYPE face : FRONT_FACE_SEMANTIC) : SV_Target
{
    UNITY_SETUP_STEREO_EYE_INDEX_POST_VERTEX(i);
    BakedBase(i);
    float3 normal = BakedFacing(i.normal, IS_FRONT_VFACE(face, true, false));
#if defined(_GBUFFER_NORMALS_OCT)
    return float4(PackFloat2To888(saturate(PackNormalOctQuadEncode(normal) * 0.5 + 0.5)), 0.0);
#else
    return float4(normal, 0.0);
#endif
}
