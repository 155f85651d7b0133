package convert

import (
	"runtime/debug"

	"github.com/bsp2gltf/bsp2gltf"
	"github.com/bsp2gltf/bsp2gltf/internal/cache"
	"github.com/bsp2gltf/bsp2gltf/materials"
)

// Cache keeps images that were read, drawn and encoded, so that other maps and later conversions need not do so again. It is
// a folder that many processes may share.
type Cache = cache.Store

// OpenCache opens the cache in a folder, which is made where there is none. It holds at most max bytes; 0 is 4 GiB.
func OpenCache(dir string, max int64) (*Cache, error) { return cache.Open(dir, max, buildID()) }

// buildID tells versions of the tool apart, those between releases too.
func buildID() string {
	version := bsp2gltf.Version
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" || s.Key == "vcs.modified" {
				version += " " + s.Value
			}
		}
	}
	return version
}

// imageCache is a cache as materials wants it, nil where there is none. Its keys get the version of the tool.
func imageCache(c *Cache) *materials.Cache {
	if c == nil {
		return nil
	}
	return &materials.Cache{
		Get: func(k materials.CacheKey) ([]byte, bool) { return c.Get(c.KeyOf(k[:])) },
		Put: func(k materials.CacheKey, data []byte) {
			_ = c.Put(c.KeyOf(k[:]), data) // a full disk costs time, and nothing else
		},
	}
}
