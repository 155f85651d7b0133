using UnityEngine;

namespace Bsp2Gltf
{
    /// <summary>
    /// Is on the root of a map and has the map's light for moving objects: probes (Source) or a grid (Quake III). A script can't make LightProbes
    /// of Unity's, whose constructor is private, so LitByProbes passes this light to renderers.
    /// </summary>
    public sealed class MapProbes : MonoBehaviour
    {
        public const int Numbers = ProbeFile.Numbers;
        public Vector3[] positions = new Vector3[0];
        [HideInInspector]
        public float[] light = new float[0];
        [HideInInspector]
        public LightGrid grid = new LightGrid();

        public void Set(ProbeFile from)
        {
            positions = new Vector3[from.Positions.Length / 3];
            for (var i = 0; i < positions.Length; i++)
                positions[i] = new Vector3(from.Positions[3 * i], from.Positions[3 * i + 1], from.Positions[3 * i + 2]);
            light = from.Light;
        }

        /// <summary>Adds the component to the root of a map that has light for it. probes may be null.</summary>
        public static void Add(GameObject root, ProbeFile probes, LightGrid grid)
        {
            if (probes == null && !grid.HasSamples) return;
            var made = root.AddComponent<MapProbes>();
            made.grid = grid;
            if (probes != null) made.Set(probes);
        }

        /// <summary>The light at a place in the world, as 28 numbers: of the grid, or the sum of the three nearest probes, weighted by distance.</summary>
        public void At(Vector3 world, float[] into)
        {
            var at = transform.InverseTransformPoint(world);
            if (grid.HasSamples)
            {
                grid.At(at.x, at.y, at.z, into);
                return;
            }
            int[] nearest = { -1, -1, -1 };
            float[] far = { float.MaxValue, float.MaxValue, float.MaxValue };
            for (var i = 0; i < positions.Length; i++)
            {
                var apart = (positions[i] - at).sqrMagnitude;
                for (var k = 0; k < 3; k++)
                {
                    if (apart >= far[k]) continue;
                    for (var l = 2; l > k; l--)
                    {
                        far[l] = far[l - 1];
                        nearest[l] = nearest[l - 1];
                    }
                    far[k] = apart;
                    nearest[k] = i;
                    break;
                }
            }
            float sum = 0;
            for (var n = 0; n < Numbers; n++) into[n] = 0;
            for (var k = 0; k < 3 && nearest[k] >= 0; k++)
            {
                var weight = 1 / (far[k] + 0.01f);
                sum += weight;
                for (var n = 0; n < Numbers; n++) into[n] += weight * light[Numbers * nearest[k] + n];
            }
            for (var n = 0; n < Numbers && sum > 0; n++) into[n] /= sum;
        }
    }
}
