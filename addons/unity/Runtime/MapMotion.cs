using System;
using System.Collections.Generic;
using UnityEngine;

namespace Bsp2Gltf
{
    /// <summary>
    /// Is on the root of a map and lists its movements. Each mover and each model with bones has its own Animation, which plays "map start" when
    /// the scene starts, if it has one. Play starts the other movements: doors, lifts, buttons.
    /// </summary>
    public sealed class MapMotion : MonoBehaviour
    {
        [Serializable]
        public struct Movement
        {
            [Tooltip("The file's name: that of the node, and open, close, cycle or path")]
            public string name;
            [Tooltip("The name of the node that moves")]
            public string node;
            [Tooltip("The clip's name in the Animation")]
            public string clip;
            public Animation player;
            [Tooltip("What begins it in the game: touch, use, damage or name")]
            public string trigger;
            [Tooltip("The nodes that move at once with it")]
            public string[] team;
        }

        public List<Movement> movements = new List<Movement>();

        /// <summary>Plays a movement by its name in the file, such as "func_door_gate cycle", with those of its team. Returns whether it exists.</summary>
        public bool Play(string name)
        {
            var found = false;
            foreach (var movement in movements)
            {
                if (movement.name != name) continue;
                found = true;
                Begin(movement);
                foreach (var mate in movements)
                    if (mate.node != movement.node && mate.clip == movement.clip && Array.IndexOf(movement.team, mate.node) >= 0) Begin(mate);
            }
            return found;
        }

        /// <summary>Plays a movement of a node: Play("func_door_gate", "open").</summary>
        public bool Play(string node, string clip)
        {
            return Play(node + " " + clip);
        }

        static void Begin(Movement movement)
        {
            if (movement.player != null) movement.player.Play(movement.clip);
        }
    }
}
