using System;
using System.Collections.Generic;
using UnityEngine;

namespace Bsp2Gltf
{
    /// <summary>The keys and values of an entity, or of a sky, a fog, a prop, in their order.</summary>
    public sealed class MapEntity : MonoBehaviour
    {
        [Serializable]
        public struct Pair
        {
            public string key, value;
        }

        public List<Pair> keys = new List<Pair>();

        public string ClassName { get { return Get("classname"); } }

        /// <summary>The value of a key, or null. If a key occurs twice, it is the first value.</summary>
        public string Get(string key)
        {
            foreach (var pair in keys)
                if (pair.key == key) return pair.value;
            return null;
        }

        public void Set(IEnumerable<KeyValuePair<string, string>> from)
        {
            keys.Clear();
            foreach (var pair in from) keys.Add(new Pair { key = pair.Key, value = pair.Value });
        }
    }
}
