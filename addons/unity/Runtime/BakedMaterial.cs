using System;
using UnityEngine;
using UnityEngine.Rendering;

namespace Bsp2Gltf
{
    /// <summary>Fills materials of the shader bsp2gltf/Baked.</summary>
    public static class BakedMaterial
    {
        public const string ShaderName = "bsp2gltf/Baked";

        /// <summary>
        /// Makes a material what the file says: its shader becomes ours. Texture gives the texture of a number in the file; a base
        /// texture may have another name where an importer has one already.
        /// </summary>
        public static void Fill(Material to, MapMaterial from, Shader shader, Func<int, Texture> texture, bool vertexColors)
        {
            to.shader = shader;
            to.name = from.Name;
            to.SetVector("_BaseColor", Vector(from.BaseColor, from.BaseColor[3]));
            if (from.BaseTexture >= 0) to.SetTexture("_BaseMap", texture(from.BaseTexture));
            to.SetVector("_EmissionLight", Vector(from.Emission, 0));
            if (from.EmissionTexture >= 0) to.SetTexture("_EmissionMap", texture(from.EmissionTexture));
            to.SetFloat("_VertexColor", vertexColors ? 1 : 0);
            if (from.Light != null)
            {
                var ofVertices = from.Light.Texture < 0;
                if (!ofVertices) to.SetTexture("_BakedMap", texture(from.Light.Texture));
                to.SetFloat("_VertexLight", ofVertices && vertexColors ? 1 : 0);
                to.SetFloat("_BakedIntensity", (float)LightCurve.Intensity(from.Light));
                to.SetVector("_Curve", new Vector4(from.Light.Albedo, from.Light.Exponent, from.Light.Display ? 1 : 0, from.Light.Gain));
                to.SetVector("_EmissionScale", Vector(from.Light.EmissionScale, 0));
            }
            var blend = from.Alpha == AlphaMode.Blend;
            to.SetFloat("_Cutoff", from.Alpha == AlphaMode.Mask ? from.Cutoff : 0);
            to.SetFloat("_SrcBlend", (float)(blend ? BlendMode.SrcAlpha : BlendMode.One));
            to.SetFloat("_DstBlend", (float)(blend ? BlendMode.OneMinusSrcAlpha : BlendMode.Zero));
            to.SetFloat("_ZWrite", blend || from.Sky ? 0 : 1);
            to.SetFloat("_Sky", from.Sky ? 1 : 0);
            to.SetFloat("_Cull", (float)(from.DoubleSided ? CullMode.Off : CullMode.Back));
            to.SetOverrideTag("RenderType", blend ? "Transparent" : from.Alpha == AlphaMode.Mask ? "TransparentCutout" : "Opaque");
            to.renderQueue = from.Sky ? SkyQueue(blend, from.Sort)
                : (int)(blend ? RenderQueue.Transparent : from.Alpha == AlphaMode.Mask ? RenderQueue.AlphaTest : RenderQueue.Geometry);
        }

        /// <summary>
        /// When a part of a sky is drawn: after what is opaque and the scene's own skybox, which come up to 2500, and before all else
        /// that is blended, which comes at 3000; what covers in part after what does not.
        /// </summary>
        static int SkyQueue(bool blend, int sort)
        {
            return (int)RenderQueue.Transparent - 200 + (blend ? 1 + Math.Max(0, Math.Min(sort, 100)) : 0);
        }

        /// <summary>A texture with the image of a glTF texture. Colours are sRGB; a lightmap, which does not repeat, has no mipmaps.</summary>
        public static Texture2D Load(GltfFile file, int index, bool mipmaps)
        {
            var repeats = file.Repeats(index);
            var texture = new Texture2D(2, 2, TextureFormat.RGBA32, mipmaps, false) { name = file.ImageName(index) };
            if (!texture.LoadImage(file.ImageBytes(index), false)) Debug.LogWarning("bsp2gltf: " + texture.name + " is no PNG and no JPEG");
            texture.wrapModeU = repeats[0] ? TextureWrapMode.Repeat : TextureWrapMode.Clamp;
            texture.wrapModeV = repeats[1] ? TextureWrapMode.Repeat : TextureWrapMode.Clamp;
            texture.filterMode = mipmaps ? FilterMode.Trilinear : FilterMode.Bilinear;
            return texture;
        }

        static Vector4 Vector(float[] rgb, float w)
        {
            return new Vector4(rgb[0], rgb[1], rgb[2], w);
        }
    }
}
