// A material of a converted map: base colour x baked light + emission, by docs/internals/light.md. No lamp of the scene adds to it.
// The first SubShader is for URP, the second for the built-in pipeline. Both give linear light, or displayed values in a project whose
// colour space is Gamma, where textures are not decoded when they are read.
Shader "bsp2gltf/Baked"
{
    Properties
    {
        _BaseColor ("Base Colour (linear)", Vector) = (1, 1, 1, 1)
        [MainTexture] _BaseMap ("Base Map", 2D) = "white" {}
        _EmissionLight ("Emission (linear)", Vector) = (0, 0, 0, 0)
        _EmissionMap ("Emission Map", 2D) = "white" {}
        _BakedMap ("Baked Light (UV2)", 2D) = "white" {}
        [HideInInspector] _NormalMap ("Normal Map", 2D) = "bump" {}
        [HideInInspector] _BakedMap1 ("Baked Light, Tilted 1", 2D) = "white" {}
        [HideInInspector] _BakedMap2 ("Baked Light, Tilted 2", 2D) = "white" {}
        [HideInInspector] _BakedMap3 ("Baked Light, Tilted 3", 2D) = "white" {}
        _Tilted ("Normal Map in the Baked Light", Range(0, 1)) = 0
        _BakedIntensity ("Intensity", Float) = 1
        _Strength ("Strength", Range(0, 4)) = 1
        _Curve ("Albedo, Exponent, As Displayed, Gain", Vector) = (0.35, 1, 0, 1)
        _EmissionScale ("Emission Scale", Vector) = (1, 1, 1, 0)
        _VertexColor ("Vertex Colours", Range(0, 1)) = 0
        _VertexLight ("Vertex Colours Are Light", Range(0, 1)) = 0
        _Cutoff ("Alpha Cutoff", Range(0, 1)) = 0
        [HideInInspector] _Sky ("Around the Eye", Float) = 0
        [HideInInspector] _SrcBlend ("Source Blend", Float) = 1
        [HideInInspector] _DstBlend ("Destination Blend", Float) = 0
        [HideInInspector] _ZWrite ("Depth Write", Float) = 1
        [HideInInspector] _Cull ("Cull", Float) = 2
    }

    SubShader
    {
        PackageRequirements { "com.unity.render-pipelines.universal": "12.0" }
        Tags { "RenderPipeline" = "UniversalPipeline" "RenderType" = "Opaque" "IgnoreProjector" = "True" }
        Cull [_Cull]

        HLSLINCLUDE
        #include "Packages/com.unity.render-pipelines.universal/ShaderLibrary/Core.hlsl"
        #include "Light.hlsl"
        #define BSP2GLTF_TEXTURE(name) TEXTURE2D(name); SAMPLER(sampler##name);
        #define BSP2GLTF_SAMPLE(name, uv) SAMPLE_TEXTURE2D(name, sampler##name, uv)
        #define BSP2GLTF_CLIP(position) TransformObjectToHClip(position)
        #define BSP2GLTF_AROUND(way) TransformWorldToHClip(mul((float3x3)GetObjectToWorldMatrix(), way) + _WorldSpaceCameraPos)
        BSP2GLTF_TEXTURE(_BaseMap)
        BSP2GLTF_TEXTURE(_EmissionMap)
        BSP2GLTF_TEXTURE(_BakedMap)
        BSP2GLTF_TEXTURE(_NormalMap)
        BSP2GLTF_TEXTURE(_BakedMap1)
        BSP2GLTF_TEXTURE(_BakedMap2)
        BSP2GLTF_TEXTURE(_BakedMap3)
        CBUFFER_START(UnityPerMaterial)
        #include "BakedProperties.hlsl"
        CBUFFER_END
        #include "BakedPass.hlsl"
        ENDHLSL

        Pass
        {
            Name "Baked"
            Tags { "LightMode" = "UniversalForward" }
            Blend [_SrcBlend] [_DstBlend]
            ZWrite [_ZWrite]

            HLSLPROGRAM
            #pragma target 3.0
            #pragma vertex BakedVertex
            #pragma fragment BakedFragment
            #pragma multi_compile_instancing
            #pragma multi_compile_fog
            ENDHLSL
        }

        Pass
        {
            Name "DepthOnly"
            Tags { "LightMode" = "DepthOnly" }
            ColorMask 0
            ZWrite On

            HLSLPROGRAM
            #pragma target 3.0
            #pragma vertex BakedVertex
            #pragma fragment BakedDepth
            #pragma multi_compile_instancing
            ENDHLSL
        }
    }

    SubShader
    {
        Tags { "RenderType" = "Opaque" "IgnoreProjector" = "True" }
        Cull [_Cull]

        Pass
        {
            Blend [_SrcBlend] [_DstBlend]
            ZWrite [_ZWrite]

            HLSLPROGRAM
            #pragma target 3.0
            #pragma vertex BakedVertex
            #pragma fragment BakedFragment
            #pragma multi_compile_instancing
            #pragma multi_compile_fog
            #include "UnityCG.cginc"
            #include "Light.hlsl"
            #define BSP2GLTF_SAMPLE(name, uv) tex2D(name, uv)
            #define BSP2GLTF_CLIP(position) UnityObjectToClipPos(float4(position, 1.0))
            #define BSP2GLTF_AROUND(way) mul(UNITY_MATRIX_VP, float4(mul((float3x3)unity_ObjectToWorld, way) + _WorldSpaceCameraPos, 1.0))
            sampler2D _BaseMap;
            sampler2D _EmissionMap;
            sampler2D _BakedMap;
            sampler2D _NormalMap;
            sampler2D _BakedMap1;
            sampler2D _BakedMap2;
            sampler2D _BakedMap3;
            #include "BakedProperties.hlsl"
            #include "BakedPass.hlsl"
            ENDHLSL
        }
    }
}
