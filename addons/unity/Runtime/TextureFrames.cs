using System;
using System.Collections.Generic;
using UnityEngine;

namespace Bsp2Gltf
{
    /// <summary>On the root of a map: materials whose textures take turns, such as screens and Quake's animated walls.</summary>
    public sealed class TextureFrames : MonoBehaviour
    {
        [Serializable]
        public struct Surface
        {
            public Renderer renderer;
            [Tooltip("Which of the renderer's materials")]
            public int slot;
            public Texture[] frames;
            public float framesPerSecond, clock;
        }

        public List<Surface> surfaces = new List<Surface>();
        int[] shown;
        MaterialPropertyBlock block;

        // A property block leaves the material as it is, which other surfaces may share and which is a file of the project.
        void Update()
        {
            block = block ?? new MaterialPropertyBlock();
            if (shown == null || shown.Length != surfaces.Count) shown = new int[surfaces.Count];
            for (var i = 0; i < surfaces.Count; i++)
            {
                var surface = surfaces[i];
                if (surface.renderer == null || surface.frames.Length == 0) continue;
                var frame = (int)(Math.Floor((Time.time + surface.clock) * surface.framesPerSecond) % surface.frames.Length);
                if (shown[i] == frame + 1) continue;
                shown[i] = frame + 1;
                surface.renderer.GetPropertyBlock(block, surface.slot);
                block.SetTexture("_BaseMap", surface.frames[frame]);
                surface.renderer.SetPropertyBlock(block, surface.slot);
            }
        }
    }
}
