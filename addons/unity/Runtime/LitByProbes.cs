using UnityEngine;
using UnityEngine.Rendering;

namespace Bsp2Gltf
{
    /// <summary>On an object that moves in a map: its renderers are lit by the map's probes, with materials of Unity's own shaders.</summary>
    public sealed class LitByProbes : MonoBehaviour
    {
        static readonly string[] Names = { "unity_SHAr", "unity_SHAg", "unity_SHAb", "unity_SHBr", "unity_SHBg", "unity_SHBb", "unity_SHC" };

        public MapProbes probes;
        [Tooltip("Metres from the object's origin to where the light is taken")]
        public Vector3 offset = new Vector3(0, 0.5f, 0);

        readonly float[] light = new float[MapProbes.Numbers];
        MaterialPropertyBlock block;
        Vector3 last;
        bool lit;

        void LateUpdate()
        {
            var at = transform.position + offset;
            if (probes == null || lit && (at - last).sqrMagnitude < 0.01f) return;
            lit = true;
            last = at;
            probes.At(at, light);
            foreach (var renderer in GetComponentsInChildren<Renderer>())
            {
                block = block ?? new MaterialPropertyBlock();
                renderer.lightProbeUsage = LightProbeUsage.CustomProvided;
                renderer.GetPropertyBlock(block);
                for (var i = 0; i < Names.Length; i++)
                    block.SetVector(Names[i], new Vector4(light[4 * i], light[4 * i + 1], light[4 * i + 2], light[4 * i + 3]));
                renderer.SetPropertyBlock(block);
            }
        }
    }
}
