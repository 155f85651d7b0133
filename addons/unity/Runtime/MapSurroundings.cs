using UnityEngine;

namespace Bsp2Gltf
{
    /// <summary>
    /// Is on the root of a map and has its exposure, display gamma and fog. The map's own materials have them already. Apply sets the scene's
    /// fog, for objects that you add: RenderSettings belong to a scene, so an import can't set them.
    /// </summary>
    public sealed class MapSurroundings : MonoBehaviour
    {
        public float exposure = 1, gamma = 1;
        public bool fog;
        [Tooltip("Linear light")]
        public Color fogColor = new Color(0, 0, 0, 1);
        public float fogStart, fogEnd, fogThickness, fogPower = 1;
        [Tooltip("Give the fog to the scene when it starts")]
        public bool applyFog = true;

        /// <summary>Takes the values from a file.</summary>
        public void Set(MapScene from)
        {
            exposure = from.Exposure;
            gamma = from.Gamma;
            fog = from.Fog != null;
            if (!fog) return;
            fogColor = new Color(from.Fog.Color[0], from.Fog.Color[1], from.Fog.Color[2], 1);
            fogStart = from.Fog.Start;
            fogEnd = from.Fog.End;
            fogThickness = from.Fog.Thickness;
            fogPower = from.Fog.Power;
        }

        void OnEnable()
        {
            if (applyFog) Apply();
        }

        /// <summary>
        /// Sets RenderSettings. Unity's linear fog is linear, while Source's is its square; exponential fog is the same except for its start.
        /// </summary>
        [ContextMenu("Apply Fog to the Scene")]
        public void Apply()
        {
            if (!fog) return;
            RenderSettings.fog = true;
            RenderSettings.fogColor = fogColor.gamma;
            RenderSettings.fogMode = fogThickness <= 0 ? FogMode.Linear : fogPower > 1.5f ? FogMode.ExponentialSquared : FogMode.Exponential;
            RenderSettings.fogStartDistance = fogStart;
            RenderSettings.fogEndDistance = fogEnd;
            RenderSettings.fogDensity = fogThickness;
        }
    }
}
