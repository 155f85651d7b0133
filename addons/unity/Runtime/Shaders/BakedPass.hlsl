// The passes of bsp2gltf/Baked. The pipeline's part says how to read a texture, where a point is on the screen, and where a way from the
// eye leads to.
struct BakedIn
{
    float3 position : POSITION;
    float2 uv : TEXCOORD0;
    float2 uv2 : TEXCOORD1;
    float4 color : COLOR;
    UNITY_VERTEX_INPUT_INSTANCE_ID
};

struct BakedOut
{
    float4 position : SV_POSITION;
    float2 uv : TEXCOORD0;
    float2 uv2 : TEXCOORD1;
    float4 color : COLOR;
    float depth : TEXCOORD2; // metres from the eye, along where it looks
    UNITY_VERTEX_OUTPUT_STEREO
};

// The sky is around the eye, and as far away as can be. Clip space ends at 0 or at w there, by the graphics interface.
float4 BakedFarAway(float3 way)
{
    float4 clip = BSP2GLTF_AROUND(way);
#if defined(UNITY_REVERSED_Z)
    clip.z = 0.0;
#else
    clip.z = clip.w;
#endif
    return clip;
}

BakedOut BakedVertex(BakedIn v)
{
    BakedOut o = (BakedOut)0;
    UNITY_SETUP_INSTANCE_ID(v);
    UNITY_INITIALIZE_VERTEX_OUTPUT_STEREO(o);
    o.position = BSP2GLTF_CLIP(v.position);
    o.depth = o.position.w;
    if (_Sky > 0.5)
    {
        o.position = BakedFarAway(v.position);
        o.depth = 0.0; // the scene's fog does not cover a sky
    }
    o.uv = v.uv * _BaseMap_ST.xy + _BaseMap_ST.zw;
    o.uv2 = v.uv2;
    o.color = lerp(float4(1.0, 1.0, 1.0, 1.0), v.color, _VertexColor);
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

float4 BakedBase(BakedOut i)
{
    float4 texel = BSP2GLTF_SAMPLE(_BaseMap, i.uv);
    float3 color = lerp(i.color.rgb, float3(1.0, 1.0, 1.0), _VertexLight);
    float4 base = float4(BakedLinear(texel.rgb) * color, texel.a * i.color.a) * _BaseColor;
    clip(base.a - _Cutoff);
    return base;
}

// The scene's fog, as both pipelines hand it to shaders: 1 where there is none, 0 where nothing is seen through it.
float BakedFog(float depth)
{
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

// The light of a texel: that of its page, or where the material has a normal map and the file light of three tilted directions,
// those by how far the normal leans to each.
float3 BakedLight(BakedOut i)
{
    float3 flat = BakedLinear(BSP2GLTF_SAMPLE(_BakedMap, i.uv2).rgb);
    if (_Tilted < 0.5) return flat;
    float3 shares = Bsp2GltfShares(BSP2GLTF_SAMPLE(_NormalMap, i.uv).rgb);
    float3 one = BakedLinear(BSP2GLTF_SAMPLE(_BakedMap1, i.uv2).rgb);
    float3 two = BakedLinear(BSP2GLTF_SAMPLE(_BakedMap2, i.uv2).rgb);
    float3 three = BakedLinear(BSP2GLTF_SAMPLE(_BakedMap3, i.uv2).rgb);
    // A face that the map's compiler lit flat is black on all three.
    float lit = dot(one + two + three, float3(1.0, 1.0, 1.0)) * (shares.r + shares.g + shares.b);
    return lit > 0.0 ? one * shares.r + two * shares.g + three * shares.b : flat;
}

float4 BakedFragment(BakedOut i) : SV_Target
{
    float4 base = BakedBase(i);
    float3 light = BakedLight(i) * (_BakedIntensity * _Strength);
    light *= lerp(float3(1.0, 1.0, 1.0), i.color.rgb, _VertexLight);
    float3 emission = BakedLinear(BSP2GLTF_SAMPLE(_EmissionMap, i.uv).rgb) * _EmissionLight.rgb;
    float3 shown = Bsp2GltfShown(base.rgb, light, emission, _Curve, _EmissionScale.xyz);
#ifdef UNITY_COLORSPACE_GAMMA
    shown = Bsp2GltfEncode(shown);
#endif
    shown = lerp(unity_FogColor.rgb, shown, BakedFog(i.depth));
    return float4(shown, base.a);
}

float4 BakedDepth(BakedOut i) : SV_Target
{
    return BakedBase(i).a;
}
