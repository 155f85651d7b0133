// What bsp2gltf/Baked needs of the High Definition Render Pipeline. Its world is around the camera, and its exposure is taken out again,
// as for unlit materials.
#include "Packages/com.unity.render-pipelines.core/ShaderLibrary/Common.hlsl"
#include "Packages/com.unity.render-pipelines.high-definition/Runtime/ShaderLibrary/ShaderVariables.hlsl"
#include "BakedTextures.hlsl"
CBUFFER_START(UnityPerMaterial)
#include "BakedProperties.hlsl"
CBUFFER_END
#define BSP2GLTF_TO_OBJECT ((float3x3)GetWorldToObjectMatrix())
#define BSP2GLTF_TO_WORLD ((float3x3)GetObjectToWorldMatrix())
#define BSP2GLTF_EYE TransformWorldToObject(float3(0.0, 0.0, 0.0))
#include "BakedPass.hlsl"

BakedOut BakedVertex(BakedIn v)
{
    BakedMoved(v);
    BakedOut o = BakedInterpolated(v);
    o.world = TransformObjectToWorld(v.vertex.xyz);
    o.normal = TransformObjectToWorldNormal(v.normal);
    o.pos = TransformWorldToHClip(o.world);
#if !defined(BSP2GLTF_CASTS)
    if (_Sky > 0.5) o.pos = BakedFarAway(TransformWorldToHClip(mul((float3x3)GetObjectToWorldMatrix(), v.vertex.xyz)));
#endif
    return o;
}

float4 BakedFragment(BakedOut i) : SV_Target
{
    UNITY_SETUP_STEREO_EYE_INDEX_POST_VERTEX(i);
    float4 base = BakedBase(i);
    float4 shown = BakedFinished(i, BakedShown(i, base), base.a);
    return float4(shown.rgb * (_Multiplies > 0.5 ? 1.0 : _DeExposureMultiplier), shown.a); // a factor has no exposure
}

float4 BakedDepth(BakedOut i) : SV_Target
{
    UNITY_SETUP_STEREO_EYE_INDEX_POST_VERTEX(i);
    BakedBase(i);
#if defined(BSP2GLTF_CASTS)
    clip(0.5 - _Sky); // it is around the map, and would keep all light out
#endif
    return 0.0;
}
