package convert

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf"
	"github.com/bsp2gltf/bsp2gltf/internal/buildid"
	"github.com/bsp2gltf/bsp2gltf/internal/cache"
	"github.com/bsp2gltf/bsp2gltf/materials"
)

// Cache keeps encoded images for other maps and later conversions. It is a folder that many processes may share.
type Cache = cache.Store

// OpenCache opens the cache in a folder, which is created if missing. It holds at most max bytes; 0 is 4 GiB.
func OpenCache(dir string, max int64) (*Cache, error) { return cache.Open(dir, max, buildID()) }

// buildID distinguishes versions of the tool, also those between releases: by the commit or the downloaded module that it was built
// from or, if it was changed or neither is known, by the program's own bytes. An image from the cache is then what this program would make.
func buildID() string {
	if c := buildid.Commit(); buildid.Exact(c) {
		return bsp2gltf.Version + " " + c
	}
	if m := buildid.Module(); m != "" {
		return bsp2gltf.Version + " " + m
	}
	return strings.TrimSpace(bsp2gltf.Version + " " + buildid.Hash())
}

// imageCache adapts a cache to materials, or returns nil if c is nil. It adds the tool's version to the keys.
func imageCache(c *Cache) *materials.Cache {
	if c == nil {
		return nil
	}
	return &materials.Cache{
		Get: func(k materials.CacheKey) ([]byte, bool) { return c.Get(c.KeyOf(k[:])) },
		Put: func(k materials.CacheKey, data []byte) {
			_ = c.Put(c.KeyOf(k[:]), data) // a full disk only costs time
		},
	}
}
