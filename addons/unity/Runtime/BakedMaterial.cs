using System;
using UnityEngine;
using UnityEngine.Rendering;

namespace Bsp2Gltf
{
    /// <summary>Fills materials of the shader bsp2gltf/Baked.</summary>
    public static class BakedMaterial
    {
        public const string ShaderName = "bsp2gltf/Baked";
        public const string ShaderPath = "Packages/com.bsp2gltf.unity/Runtime/Shaders/Baked.shader";

        /// <summary>
        /// Sets a material's shader to ours and its properties to the file's. Texture returns the texture for an index in the file. The property of
        /// the base texture may have another name, if an importer has set it already.
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
            to.SetFloat("_OverAlpha", from.OverAlpha && vertexColors ? 1 : 0);
            var blend = from.Alpha == AlphaMode.Blend;
            to.SetFloat("_Cutoff", from.Alpha == AlphaMode.Mask ? from.Cutoff : 0);
            var multiplies = blend && from.Multiplies;
            // The background times twice what is written, as its factor may be up to 2 and a target may end at 1.
            to.SetFloat("_SrcBlend", (float)(!blend ? BlendMode.One : multiplies ? BlendMode.DstColor : BlendMode.SrcAlpha));
            to.SetFloat("_DstBlend", (float)(!blend ? BlendMode.Zero : multiplies ? BlendMode.SrcColor : from.Adds ? BlendMode.One : BlendMode.OneMinusSrcAlpha));
            to.SetFloat("_Multiplies", multiplies ? 1 : 0);
            to.SetFloat("_ZWrite", blend || from.Sky ? 0 : 1);
            to.SetFloat("_Sky", from.Sky ? 1 : 0);
            to.SetFloat("_Cull", (float)(from.DoubleSided ? CullMode.Off : CullMode.Back));
            to.SetOverrideTag("RenderType", blend ? "Transparent" : from.Alpha == AlphaMode.Mask ? "TransparentCutout" : "Opaque");
            to.renderQueue = from.Sky ? SkyQueue(blend, from.Sort) : Queue(from, blend);
            Move(to, "_Base", from.Motion.Base);
            Move(to, "_Glow", from.Motion.Glow);
            for (var i = 0; i < MaterialMotion.MostDeforms; i++)
            {
                var n = i < from.Motion.Deformed.Count ? from.Motion.Deformed[i] : new float[12];
                for (var k = 0; k < 3; k++) to.SetVector("_Deform" + i + "ABC"[k], new Vector4(n[4 * k], n[4 * k + 1], n[4 * k + 2], n[4 * k + 3]));
            }
            Lamps(to, false);
        }

        /// <summary>
        /// Has the shader turn what a material is on: 1 each square, of a mesh that has them in its texture coordinates (MeshMaker); 2 to 4 the
        /// whole object (MapNode.Turns). glow is metres per map unit for a glow of Half-Life, else 0.
        /// </summary>
        public static void Turn(Material to, int mode, float glow)
        {
            to.SetVector("_Turns", new Vector4(mode, glow, 0, 0));
            to.SetFloat("_Cull", (float)CullMode.Off);
            to.SetOverrideTag("DisableBatching", "True"); // the shader needs each object's own transform
        }

        static void Move(Material to, string texture, TextureMotion motion)
        {
            for (var i = 0; i < TextureMotion.Most; i++)
            {
                var n = i < motion.Changes.Count ? motion.Changes[i] : new float[8];
                to.SetVector(texture + "Change" + i + "A", new Vector4(n[0], n[1], n[2], n[3]));
                to.SetVector(texture + "Change" + i + "B", new Vector4(n[4], n[5], n[6], n[7]));
            }
            to.SetVector(texture + "Warp", Vector(motion.Warp, motion.Warp[3]));
            to.SetVector(texture + "Wave", Vector(motion.Wave, motion.Wave[3]));
            to.SetVector(texture + "Rate", Vector(motion.Rate, motion.Rate[3]));
        }

        /// <summary>Sets whether the scene's lamps light a material and cast shadows on it. The built-in pipeline draws it again for each lamp.</summary>
        public static void Lamps(Material to, bool on)
        {
            to.SetFloat("_Lamps", on ? 1 : 0);
            if (on) to.EnableKeyword("_LAMPS");
            else to.DisableKeyword("_LAMPS");
            to.SetShaderPassEnabled("ForwardAdd", on);
        }

        /// <summary>Sets the exposure, distance fog and display gamma of a map. Additive materials fade to black in fog.</summary>
        public static void Surround(Material to, MapMaterial from, MapScene scene, bool inSkybox)
        {
            to.SetFloat("_Exposure", scene.Exposure);
            to.SetFloat("_Gamma", scene.Gamma);
            to.SetVector("_Motion", new Vector4(from.Motion.Clock, 1 / (1024 * scene.Unit), 0, 0));
            var fog = inSkybox && !from.Sky ? scene.SkyboxFog : scene.Fog;
            var adds = from.Alpha == AlphaMode.Blend && from.Adds;
            if (fog == null)
            {
                to.SetVector("_RangeFogColor", new Vector4(0, 0, 0, adds ? 1 : 0));
                return;
            }
            to.SetVector("_RangeFog", new Vector4(fog.Start, 1 / (fog.End - fog.Start), fog.Density, fog.Radial ? 2 : 1));
            to.SetVector("_RangeFogLaw", new Vector4(fog.Thickness, fog.Power, fog.End, fog.Sky));
            to.SetVector("_RangeFogColor", adds ? new Vector4(0, 0, 0, 1) : Vector(fog.Color, 0));
            if (fog.Second == null || adds) return;
            to.SetVector("_RangeFogSecond", Vector(fog.Second, 1));
            to.SetVector("_RangeFogDirection", Vector(fog.Direction, 0));
        }

        /// <summary>The render queue of a material: Unity's queues, and within them the game's order, so that decals are drawn before blended materials.</summary>
        static int Queue(MapMaterial from, bool blend)
        {
            if (blend) return (int)RenderQueue.Transparent + (from.Sorted ? Math.Max(-10, Math.Min(from.Sort - 9, 100)) : 0);
            var queue = (int)(from.Alpha == AlphaMode.Mask ? RenderQueue.AlphaTest : RenderQueue.Geometry);
            return queue + (from.Sorted ? Math.Max(0, Math.Min(from.Sort - 3, 40)) : 0);
        }

        /// <summary>
        /// The render queue of a part of a sky: after opaque materials and the scene's own skybox (up to 2500), and before other blended
        /// materials (3000). Translucent parts come after opaque ones.
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
