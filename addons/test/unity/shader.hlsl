// The code of the shader bsp2gltf/Baked with the least of what Unity gives, so that a compiler of HLSL can read it.
#define UNITY_VERTEX_INPUT_INSTANCE_ID
#define UNITY_VERTEX_OUTPUT_STEREO
#define UNITY_SETUP_INSTANCE_ID(v)
#define UNITY_INITIALIZE_VERTEX_OUTPUT_STEREO(o)
#define BSP2GLTF_SAMPLE(name, uv) name.Sample(sampler##name, uv)
#define BSP2GLTF_CLIP(position) mul(matrix_, float4(position, 1.0))
#define BSP2GLTF_AROUND(way) mul(matrix_, float4(way, 1.0))
float4x4 matrix_;
float4 unity_FogParams;
float4 unity_FogColor;
Texture2D _BaseMap;
SamplerState sampler_BaseMap;
Texture2D _EmissionMap;
SamplerState sampler_EmissionMap;
Texture2D _BakedMap;
SamplerState sampler_BakedMap;
Texture2D _NormalMap;
SamplerState sampler_NormalMap;
Texture2D _BakedMap1;
SamplerState sampler_BakedMap1;
Texture2D _BakedMap2;
SamplerState sampler_BakedMap2;
Texture2D _BakedMap3;
SamplerState sampler_BakedMap3;
#include "../../unity/Runtime/Shaders/Light.hlsl"
#include "../../unity/Runtime/Shaders/BakedProperties.hlsl"
#include "../../unity/Runtime/Shaders/BakedPass.hlsl"
