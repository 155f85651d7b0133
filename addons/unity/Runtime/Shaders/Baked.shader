// A material of a converted map: base colour x baked light + emission, by docs/internals/light.md. With _LAMPS the scene's lamps are added, with
// their shadows. Each pass includes what its pipeline needs: an HLSLINCLUDE would be part of every pass of all three SubShaders, and what
// one pipeline declares another declares too, or has no file for. All give linear light, or displayed values in a project whose
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
        [Toggle(_LAMPS)] _Lamps ("Realtime Lamps and Their Shadows", Float) = 0
        _Exposure ("Exposure", Float) = 1
        _Gamma ("Gamma of the Game's Display", Float) = 1
        _Curve ("Albedo, Exponent, As Displayed, Gain", Vector) = (0.35, 1, 0, 1)
        _EmissionScale ("Emission Scale", Vector) = (1, 1, 1, 0)
        _VertexColor ("Vertex Colours", Range(0, 1)) = 0
        _VertexLight ("Vertex Colours Are Light", Range(0, 1)) = 0
        _OverAlpha ("Vertex Colours Are Divided by Alpha", Range(0, 1)) = 0
        _Cutoff ("Alpha Cutoff", Range(0, 1)) = 0
        _RangeFog ("Fog: Start, 1 / (End - Start), Density, 1 by Depth or 2 by Distance", Vector) = (0, 0, 0, 0)
        _RangeFogLaw ("Fog: Thickness, Power, End, Part of the Sky", Vector) = (0, 1, 0, 0)
        _RangeFogColor ("Fog Colour (linear)", Vector) = (0, 0, 0, 0)
        _RangeFogSecond ("Fog's Second Colour (linear), 1 if There Is One", Vector) = (0, 0, 0, 0)
        _RangeFogDirection ("Direction Seen in the First Colour", Vector) = (1, 0, 0, 0)
        [HideInInspector] _Motion ("Seconds Before the Map Starts, 1 / Turbulence", Vector) = (0, 0, 0, 0)
        [HideInInspector] _Turns ("Turns to the Viewer, Size of a Glow's Unit", Vector) = (0, 0, 0, 0)
        [HideInInspector] _Deform0A ("Deform0A", Vector) = (0, 0, 0, 0)
        [HideInInspector] _Deform0B ("Deform0B", Vector) = (0, 0, 0, 0)
        [HideInInspector] _Deform0C ("Deform0C", Vector) = (0, 0, 0, 0)
        [HideInInspector] _Deform1A ("Deform1A", Vector) = (0, 0, 0, 0)
        [HideInInspector] _Deform1B ("Deform1B", Vector) = (0, 0, 0, 0)
        [HideInInspector] _Deform1C ("Deform1C", Vector) = (0, 0, 0, 0)
        [HideInInspector] _BaseChange0A ("BaseChange0A", Vector) = (0, 0, 0, 0)
        [HideInInspector] _BaseChange0B ("BaseChange0B", Vector) = (0, 0, 0, 0)
        [HideInInspector] _BaseChange1A ("BaseChange1A", Vector) = (0, 0, 0, 0)
        [HideInInspector] _BaseChange1B ("BaseChange1B", Vector) = (0, 0, 0, 0)
        [HideInInspector] _BaseChange2A ("BaseChange2A", Vector) = (0, 0, 0, 0)
        [HideInInspector] _BaseChange2B ("BaseChange2B", Vector) = (0, 0, 0, 0)
        [HideInInspector] _BaseChange3A ("BaseChange3A", Vector) = (0, 0, 0, 0)
        [HideInInspector] _BaseChange3B ("BaseChange3B", Vector) = (0, 0, 0, 0)
        [HideInInspector] _BaseWarp ("BaseWarp", Vector) = (0, 0, 0, 0)
        [HideInInspector] _BaseWave ("BaseWave", Vector) = (0, 0, 0, 0)
        [HideInInspector] _BaseRate ("BaseRate", Vector) = (0, 1, 0, 0)
        [HideInInspector] _GlowChange0A ("GlowChange0A", Vector) = (0, 0, 0, 0)
        [HideInInspector] _GlowChange0B ("GlowChange0B", Vector) = (0, 0, 0, 0)
        [HideInInspector] _GlowChange1A ("GlowChange1A", Vector) = (0, 0, 0, 0)
        [HideInInspector] _GlowChange1B ("GlowChange1B", Vector) = (0, 0, 0, 0)
        [HideInInspector] _GlowChange2A ("GlowChange2A", Vector) = (0, 0, 0, 0)
        [HideInInspector] _GlowChange2B ("GlowChange2B", Vector) = (0, 0, 0, 0)
        [HideInInspector] _GlowChange3A ("GlowChange3A", Vector) = (0, 0, 0, 0)
        [HideInInspector] _GlowChange3B ("GlowChange3B", Vector) = (0, 0, 0, 0)
        [HideInInspector] _GlowWarp ("GlowWarp", Vector) = (0, 0, 0, 0)
        [HideInInspector] _GlowWave ("GlowWave", Vector) = (0, 0, 0, 0)
        [HideInInspector] _GlowRate ("GlowRate", Vector) = (0, 1, 0, 0)
        [HideInInspector] _Sky ("Around the Eye", Float) = 0
        [HideInInspector] _Multiplies ("Multiplies What Is Behind It", Float) = 0
        [HideInInspector] _SrcBlend ("Source Blend", Float) = 1
        [HideInInspector] _DstBlend ("Destination Blend", Float) = 0
        [HideInInspector] _ZWrite ("Depth Write", Float) = 1
        [HideInInspector] _Cull ("Cull", Float) = 2
    }

    // The Universal Render Pipeline.
    SubShader
    {
        PackageRequirements { "com.unity.render-pipelines.universal": "12.0" }
        Tags { "RenderPipeline" = "UniversalPipeline" "RenderType" = "Opaque" "IgnoreProjector" = "True" }
        Cull [_Cull]

        // Forward only: in the deferred renderer, too, what is baked is drawn after the lamps' pass.
        Pass
        {
            Name "Baked"
            Tags { "LightMode" = "UniversalForwardOnly" }
            Blend [_SrcBlend] [_DstBlend]
            ZWrite [_ZWrite]

            HLSLPROGRAM
            #pragma target 3.5
            #pragma vertex BakedVertex
            #pragma fragment BakedFragment
            #pragma multi_compile_instancing
            #pragma multi_compile_fog
            #pragma shader_feature_local_fragment _LAMPS
            #pragma multi_compile _ _MAIN_LIGHT_SHADOWS _MAIN_LIGHT_SHADOWS_CASCADE _MAIN_LIGHT_SHADOWS_SCREEN
            #pragma multi_compile _ _ADDITIONAL_LIGHTS
            #pragma multi_compile _ _FORWARD_PLUS _CLUSTER_LIGHT_LOOP
            #pragma multi_compile_fragment _ _ADDITIONAL_LIGHT_SHADOWS
            #pragma multi_compile_fragment _ _SHADOWS_SOFT
            #include "Universal.hlsl"
            ENDHLSL
        }

        Pass
        {
            Name "DepthOnly"
            Tags { "LightMode" = "DepthOnly" }
            ColorMask R
            ZWrite On

            HLSLPROGRAM
            #pragma target 3.5
            #pragma vertex BakedVertex
            #pragma fragment BakedDepth
            #pragma multi_compile_instancing
            #include "Universal.hlsl"
            ENDHLSL
        }

        // For ambient occlusion and decals. Forward and deferred renderer both draw this one.
        Pass
        {
            Name "DepthNormalsOnly"
            Tags { "LightMode" = "DepthNormalsOnly" }
            ZWrite On

            HLSLPROGRAM
            #pragma target 3.5
            #pragma vertex BakedVertex
            #pragma fragment BakedNormals
            #pragma multi_compile_instancing
            #pragma multi_compile_fragment _ _GBUFFER_NORMALS_OCT
            #include "Universal.hlsl"
            ENDHLSL
        }

        Pass
        {
            Name "ShadowCaster"
            Tags { "LightMode" = "ShadowCaster" }
            ColorMask 0
            ZWrite On

            HLSLPROGRAM
            #pragma target 3.5
            #pragma vertex BakedVertex
            #pragma fragment BakedDepth
            #pragma multi_compile_instancing
            #pragma multi_compile_vertex _ _CASTING_PUNCTUAL_LIGHT_SHADOW
            #define BSP2GLTF_CASTS
            #include "Universal.hlsl"
            ENDHLSL
        }
    }

    // The High Definition Render Pipeline: baked light without the scene's lamps.
    SubShader
    {
        PackageRequirements { "com.unity.render-pipelines.high-definition": "12.0" }
        Tags { "RenderPipeline" = "HDRenderPipeline" "RenderType" = "Opaque" "IgnoreProjector" = "True" }
        Cull [_Cull]

        Pass
        {
            Name "Baked"
            Tags { "LightMode" = "ForwardOnly" }
            Blend [_SrcBlend] [_DstBlend]
            ZWrite [_ZWrite]

            HLSLPROGRAM
            #pragma target 4.5
            #pragma vertex BakedVertex
            #pragma fragment BakedFragment
            #pragma multi_compile_instancing
            #include "HighDefinition.hlsl"
            ENDHLSL
        }

        Pass
        {
            Name "DepthForwardOnly"
            Tags { "LightMode" = "DepthForwardOnly" }
            ColorMask 0
            ZWrite On

            HLSLPROGRAM
            #pragma target 4.5
            #pragma vertex BakedVertex
            #pragma fragment BakedDepth
            #pragma multi_compile_instancing
            #include "HighDefinition.hlsl"
            ENDHLSL
        }

        Pass
        {
            Name "ShadowCaster"
            Tags { "LightMode" = "ShadowCaster" }
            ColorMask 0
            ZWrite On

            HLSLPROGRAM
            #pragma target 4.5
            #pragma vertex BakedVertex
            #pragma fragment BakedDepth
            #pragma multi_compile_instancing
            #define BSP2GLTF_CASTS
            #include "HighDefinition.hlsl"
            ENDHLSL
        }
    }

    // The built-in pipeline.
    SubShader
    {
        Tags { "RenderType" = "Opaque" "IgnoreProjector" = "True" }
        Cull [_Cull]

        // The baked light, and the sun of the scene.
        Pass
        {
            Name "Baked"
            Tags { "LightMode" = "ForwardBase" }
            Blend [_SrcBlend] [_DstBlend]
            ZWrite [_ZWrite]

            HLSLPROGRAM
            #pragma target 3.5
            #pragma vertex BakedVertex
            #pragma fragment BakedFragment
            #pragma multi_compile_instancing
            #pragma multi_compile_fog
            #pragma multi_compile_fwdbase nolightmap nodirlightmap nodynlightmap novertexlight
            #pragma shader_feature_local _LAMPS
            #include "BuiltIn.hlsl"
            ENDHLSL
        }

        // Each other lamp of the scene. Materials without _LAMPS have this pass switched off.
        Pass
        {
            Name "Lamp"
            Tags { "LightMode" = "ForwardAdd" }
            Blend [_SrcBlend] One
            ZWrite Off

            HLSLPROGRAM
            #pragma target 3.5
            #pragma vertex BakedVertex
            #pragma fragment BakedLamp
            #pragma multi_compile_fog
            #pragma multi_compile_fwdadd_fullshadows
            #pragma shader_feature_local _LAMPS
            #include "BuiltIn.hlsl"
            ENDHLSL
        }

        // Shadows, and the camera's depth texture.
        Pass
        {
            Name "ShadowCaster"
            Tags { "LightMode" = "ShadowCaster" }
            ZWrite On

            HLSLPROGRAM
            #pragma target 3.5
            #pragma vertex BakedShadowVertex
            #pragma fragment BakedShadow
            #pragma multi_compile_instancing
            #pragma multi_compile_shadowcaster
            #define BSP2GLTF_CASTS
            #include "BuiltIn.hlsl"
            ENDHLSL
        }
    }
}
