using System;
using UnityEngine;

namespace Bsp2Gltf.Samples
{
    /// <summary>Put this on the map's root. It marks the entities of a class in the scene view, such as info_player or light.</summary>
    public sealed class EntityMarks : MonoBehaviour
    {
        [Tooltip("What the class's name starts with; nothing marks all")]
        public string startsWith = "info_player";

        [Tooltip("Metres")]
        public float radius = 0.3f;

        void OnDrawGizmos()
        {
            Gizmos.color = new Color(1, 0.6f, 0, 1);
            foreach (var entity in GetComponentsInChildren<MapEntity>())
                if ((entity.ClassName ?? "").StartsWith(startsWith, StringComparison.Ordinal)) Gizmos.DrawWireSphere(entity.transform.position, radius);
        }
    }
}
