using System;
using UnityEngine;

namespace Bsp2Gltf.Samples
{
    /// <summary>Put this on a camera. When the game begins, it moves to where players start in a map of the scene.</summary>
    public sealed class PlayerStart : MonoBehaviour
    {
        [Tooltip("The map's root object")]
        public Transform map;

        [Tooltip("Metres from the start's origin to the eyes. Quake's is 0.7 above the floor already; Source's lies on it, so 1.6")]
        public float eyes = 0.7f;

        static readonly string[] Starts = { "info_player_start", "info_player_deathmatch", "info_player_" };

        void Start()
        {
            foreach (var start in Starts)
            foreach (var entity in map.GetComponentsInChildren<MapEntity>())
            {
                var name = entity.ClassName;
                if (name == null || !name.StartsWith(start, StringComparison.Ordinal) || name == "info_player_intermission") continue;
                transform.position = entity.transform.position + new Vector3(0, eyes, 0);
                return;
            }
            Debug.LogWarning("bsp2gltf: the map has no place where players start");
        }
    }
}
