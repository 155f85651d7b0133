// What the passes of bsp2gltf/Baked share in all pipelines. A pipeline's file includes its own headers before this one, and says how to
// read a texture. The names vertex, pos and _ShadowCoord are those that the macros of the built-in pipeline read.
#include "Light.hlsl"
#include "Motion.hlsl"

struct BakedIn
{
    float4 vertex : POSITION;
    float3 normal : NORMAL;
    float2 uv : TEXCOORD0;
    float2 uv2 : TEXCOORD1;
    float4 square : TEXCOORD2;     // the middle of its square, its place to the right
    float4 squareAxis : TEXCOORD3; // the axis of that or zeros, its place upwards
    float4 color : COLOR;
    UNITY_VERTEX_INPUT_INSTANCE_ID
};

struct BakedOut
{
    float4 pos : SV_POSITION;
    float4 uv : TEXCOORD0; // of the base map, of the emission map
    float2 uv2 : TEXCOORD1;
    float4 color : COLOR;
    float3 world : TEXCOORD2;
    float3 normal : TEXCOORD3;
#if defined(BSP2GLTF_INTERPOLATORS)
    BSP2GLTF_INTERPOLATORS
#endif
    UNITY_VERTEX_OUTPUT_STEREO
};

// Materials with two sides turn their normals to the side that is seen.
float3 BakedFacing(float3 normal, bool front)
{
    return normalize(normal) * (front ? 1.0 : -1.0);
}

// The sky is around the eye, and as far away as can be. Clip space ends at 0 or at w there, by the graphics interface.
float4 BakedFarAway(float4 clip)
{
#if defined(UNITY_REVERSED_Z) && UNITY_REVERSED_Z
    clip.z = 0.0;
#else
    clip.z = clip.w;
#endif
    return clip;
}

float BakedTime()
{
    return _Time.y + _Motion.x;
}

// A glow of Half-Life is as large from everywhere as from 200 map units. The file has its light at 400.
float BakedGlowDistance(float3 toEye)
{
    return max(length(toEye) / _Turns.y, 1.0);
}

// A vertex as it is turned to the viewer (_Turns, of BakedMaterial.Turn) and moved, in its object's space. A pipeline's BSP2GLTF_TO_OBJECT and
// BSP2GLTF_TO_WORLD turn directions, BSP2GLTF_EYE is the camera in that space.
void BakedMoved(inout BakedIn v)
{
    UNITY_SETUP_INSTANCE_ID(v);
    float3 right = mul(BSP2GLTF_TO_OBJECT, UNITY_MATRIX_V[0].xyz);
    float3 up = mul(BSP2GLTF_TO_OBJECT, UNITY_MATRIX_V[1].xyz);
    if (_Turns.x > 1.5)
    {
        // A picture is seen from its own X, with Z to the right.
        float3 toEye = mul(BSP2GLTF_TO_WORLD, BSP2GLTF_EYE);
        float3x3 world = BSP2GLTF_TO_WORLD;
        float2 size = float2(length(mul(world, float3(0.0, 0.0, 1.0))), length(mul(world, float3(0.0, 1.0, 0.0))));
        if (_Turns.x > 2.5)
        {
            float3 aside = _Turns.x > 3.5 ? float3(-toEye.z, 0.0, toEye.x) : float3(UNITY_MATRIX_V[0].x, 0.0, UNITY_MATRIX_V[0].z);
            right = mul(BSP2GLTF_TO_OBJECT, normalize(aside + float3(0.0, 0.0, 1e-6)));
            up = mul(BSP2GLTF_TO_OBJECT, float3(0.0, 1.0, 0.0));
        }
        if (_Turns.y > 0.0) size *= BakedGlowDistance(toEye) / 200.0;
        v.vertex.xyz = right * (v.vertex.z * size.x) + up * (v.vertex.y * size.y);
    }
    else if (_Turns.x > 0.5)
    {
        right = normalize(right);
        up = normalize(up);
        if (dot(v.squareAxis.xyz, v.squareAxis.xyz) > 0.0)
        {
            up = v.squareAxis.xyz;
            right = normalize(cross(BSP2GLTF_EYE - v.square.xyz, up));
        }
        v.vertex.xyz = v.square.xyz + right * v.square.w + up * v.squareAxis.w;
    }
    v.vertex.xyz = Bsp2GltfDeformed(v.vertex.xyz, v.normal, v.uv.x, _Deform0A, _Deform0B, _Deform0C, _Motion.y, BakedTime());
    v.vertex.xyz = Bsp2GltfDeformed(v.vertex.xyz, v.normal, v.uv.x, _Deform1A, _Deform1B, _Deform1C, _Motion.y, BakedTime());
}

// A vertex's coordinates as its textures move. Those of the file point down.
float4 BakedCoordinates(float2 uv, float3 vertex)
{
    float2 at = float2(vertex.y - vertex.x, -vertex.z) * _Motion.y;
    float2 down = float2(uv.x, 1.0 - uv.y);
    float time = BakedTime();
    float2 base = Bsp2GltfMoved(down, _BaseChange0A, _BaseChange0B, at, time);
    base = Bsp2GltfMoved(base, _BaseChange1A, _BaseChange1B, at, time);
    base = Bsp2GltfMoved(base, _BaseChange2A, _BaseChange2B, at, time);
    base = Bsp2GltfMoved(base, _BaseChange3A, _BaseChange3B, at, time);
    float2 glow = Bsp2GltfMoved(down, _GlowChange0A, _GlowChange0B, at, time);
    glow = Bsp2GltfMoved(glow, _GlowChange1A, _GlowChange1B, at, time);
    glow = Bsp2GltfMoved(glow, _GlowChange2A, _GlowChange2B, at, time);
    glow = Bsp2GltfMoved(glow, _GlowChange3A, _GlowChange3B, at, time);
    return float4(base.x, 1.0 - base.y, glow.x, 1.0 - glow.y);
}

// A pixel's coordinates: Quake's liquids move at each, after what happens at the vertices.
float2 BakedWarped(float2 uv, float4 warp)
{
    if (warp.w < 0.5) return uv;
    float2 down = float2(uv.x, 1.0 - uv.y);
    down += warp.x * sin(down.yx * warp.y + warp.z * BakedTime());
    return float2(down.x, 1.0 - down.y);
}

// All of a vertex but where it is. Light beyond white is stored divided by its greatest channel, with that channel's inverse as alpha.
BakedOut BakedInterpolated(BakedIn v)
{
    BakedOut o = (BakedOut)0;
    UNITY_SETUP_INSTANCE_ID(v);
    UNITY_INITIALIZE_VERTEX_OUTPUT_STEREO(o);
    o.uv = BakedCoordinates(v.uv * _BaseMap_ST.xy + _BaseMap_ST.zw, v.vertex.xyz);
    o.uv2 = v.uv2;
    float4 color = v.color;
    if (_OverAlpha > 0.5) color = float4(color.rgb / max(color.a, 0.001), 1.0);
    o.color = lerp(float4(1.0, 1.0, 1.0, 1.0), color, _VertexColor);
    if (_Turns.y > 0.0)
    {
        float far = BakedGlowDistance(mul(BSP2GLTF_TO_WORLD, BSP2GLTF_EYE));
        o.color.a *= clamp(19000.0 / (far * far), 0.05, 1.0) / 0.11875;
    }
    return o;
}

// Where the project's colour space is Gamma, a texture is read as it is stored.
float3 BakedLinear(float3 texel)
{
#ifdef UNITY_COLORSPACE_GAMMA
    return Bsp2GltfDecode(texel);
#else
    return texel;
#endif
}

// A linear colour as the render target holds it.
float3 BakedStored(float3 shown)
{
#ifdef UNITY_COLORSPACE_GAMMA
    return Bsp2GltfEncode(shown);
#else
    return shown;
#endif
}

float4 BakedBase(BakedOut i)
{
    float4 texel = BSP2GLTF_SAMPLE(_BaseMap, BakedWarped(i.uv.xy, _BaseWarp));
    float3 color = lerp(i.color.rgb, float3(1.0, 1.0, 1.0), _VertexLight);
    float4 base = float4(BakedLinear(texel.rgb) * color, texel.a * i.color.a) * float4(Bsp2GltfTinted(_BaseColor.rgb, _BaseWave, _BaseRate, BakedTime()), _BaseColor.a);
    clip(base.a - _Cutoff);
    return base;
}

// The light of a texel: that of its page, or where the material has a normal map and the file light of three tilted directions,
// those by how far the normal leans to each.
float3 BakedLight(BakedOut i)
{
    float3 flat = BakedLinear(BSP2GLTF_SAMPLE(_BakedMap, i.uv2).rgb);
    if (_Tilted < 0.5) return flat;
    float3 shares = Bsp2GltfShares(BSP2GLTF_SAMPLE(_NormalMap, i.uv.xy).rgb);
    float3 one = BakedLinear(BSP2GLTF_SAMPLE(_BakedMap1, i.uv2).rgb);
    float3 two = BakedLinear(BSP2GLTF_SAMPLE(_BakedMap2, i.uv2).rgb);
    float3 three = BakedLinear(BSP2GLTF_SAMPLE(_BakedMap3, i.uv2).rgb);
    // A face that the map's compiler lit flat is black on all three.
    float lit = dot(one + two + three, float3(1.0, 1.0, 1.0)) * (shares.r + shares.g + shares.b);
    return lit > 0.0 ? one * shares.r + two * shares.g + three * shares.b : flat;
}

// The linear colour without lamps and fog.
float3 BakedShown(BakedOut i, float4 base)
{
    float3 light = BakedLight(i) * (_BakedIntensity * _Strength);
    light *= lerp(float3(1.0, 1.0, 1.0), i.color.rgb, _VertexLight);
    float3 emission = BakedLinear(BSP2GLTF_SAMPLE(_EmissionMap, BakedWarped(i.uv.zw, _GlowWarp)).rgb) *
        Bsp2GltfTinted(_EmissionLight.rgb, _GlowWave, _GlowRate, BakedTime());
    return Bsp2GltfShown(base.rgb, light, emission, _Curve, _EmissionScale.xyz);
}

// The part of a colour that the scene's fog leaves, as Unity's keywords describe it. The map's own fog takes its place, and a sky has none.
float BakedScenesFog(float depth)
{
    if (_RangeFog.w > 0.5 || _Sky > 0.5) return 1.0;
#if defined(FOG_LINEAR)
    return saturate(depth * unity_FogParams.z + unity_FogParams.w);
#elif defined(FOG_EXP)
    return saturate(exp2(-unity_FogParams.y * depth));
#elif defined(FOG_EXP2)
    float x = unity_FogParams.x * depth;
    return saturate(exp2(-x * x));
#else
    return 1.0;
#endif
}

// The part of the map's fog by distance: of light if the first number says so, else of what is displayed.
float2 BakedRangeFog(float depth, float distance)
{
    return Bsp2GltfRangeFog(_RangeFog.w > 1.5 ? distance : depth, _RangeFog, _RangeFogLaw, _Sky);
}

// The part that all fog leaves of what is added to the background.
float BakedClear(BakedOut i)
{
    float3 view = mul(UNITY_MATRIX_V, float4(i.world, 1.0)).xyz;
    return BakedScenesFog(-view.z) * (1.0 - BakedRangeFog(-view.z, length(view)).y);
}

// The colour that is written: with the exposure, in fog, as the game's display shows it.
float4 BakedFinished(BakedOut i, float3 shown, float alpha)
{
    float3 view = mul(UNITY_MATRIX_V, float4(i.world, 1.0)).xyz;
    // Blending doubles it. In linear light the factor is that of the display, decoded, which is near what the game shows.
    if (_Multiplies > 0.5)
    {
        float3 factor = Bsp2GltfFactor(shown, alpha, BakedClear(i), _Gamma);
#ifndef UNITY_COLORSPACE_GAMMA
        factor = Bsp2GltfDecode(factor);
#endif
        return float4(0.5 * factor, 1.0);
    }
    float3 ahead = -normalize(UNITY_MATRIX_V[2].xyz);
    shown *= _Exposure;
    float3 fog = Bsp2GltfFogColor(_RangeFogColor.rgb, _RangeFogSecond, dot(ahead, _RangeFogDirection.xyz));
    shown = Bsp2GltfFogged(shown, fog, BakedRangeFog(-view.z, length(view)));
    shown = BakedStored(Bsp2GltfDisplayed(shown, _Gamma));
#if defined(FOG_LINEAR) || defined(FOG_EXP) || defined(FOG_EXP2)
    float3 scenes = unity_FogColor.rgb * (_RangeFogColor.a > 0.5 ? 0.0 : 1.0); // black for what is added
    shown = lerp(scenes, shown, BakedScenesFog(-view.z));
#endif
    return float4(shown, alpha);
}
