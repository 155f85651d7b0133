// The textures of bsp2gltf/Baked in a scriptable pipeline, whose macros these are.
#define BSP2GLTF_TEXTURE(name) TEXTURE2D(name); SAMPLER(sampler##name);
#define BSP2GLTF_SAMPLE(name, uv) SAMPLE_TEXTURE2D(name, sampler##name, uv)
BSP2GLTF_TEXTURE(_BaseMap)
BSP2GLTF_TEXTURE(_EmissionMap)
BSP2GLTF_TEXTURE(_BakedMap)
BSP2GLTF_TEXTURE(_NormalMap)
BSP2GLTF_TEXTURE(_BakedMap1)
BSP2GLTF_TEXTURE(_BakedMap2)
BSP2GLTF_TEXTURE(_BakedMap3)
