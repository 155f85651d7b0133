// Package cached takes results from a cache, or makes them.
package cached

import (
	"github.com/bsp2gltf/bsp2gltf/cache"
	"github.com/bsp2gltf/bsp2gltf/internal/diskcache"
)

// Remember returns what the cache has for parts, or calls make and keeps its result. Fits reports whether a kept result may be what make
// returns; one that does not fit is made again. c may be nil.
func Remember(c *cache.Cache, make func() ([]byte, error), fits func([]byte) bool, parts ...[]byte) ([]byte, error) {
	if c == nil {
		return make()
	}
	key := cache.Key(diskcache.KeyOf(parts...))
	if data, ok := c.Get(key); ok && fits(data) {
		return data, nil
	}
	data, err := make()
	if err == nil {
		c.Put(key, data)
	}
	return data, err
}
