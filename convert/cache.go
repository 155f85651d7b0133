package convert

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"

	"github.com/bsp2gltf/bsp2gltf"
	"github.com/bsp2gltf/bsp2gltf/internal/cache"
	"github.com/bsp2gltf/bsp2gltf/materials"
)

// Cache keeps encoded images for other maps and later conversions. It is a folder that many processes may share.
type Cache = cache.Store

// OpenCache opens the cache in a folder, which is created if missing. It holds at most max bytes; 0 is 4 GiB.
func OpenCache(dir string, max int64) (*Cache, error) { return cache.Open(dir, max, buildID()) }

// buildID distinguishes versions of the tool, also those between releases: by the revision that it was built from or, if
// it was changed or is not known, by the program's own bytes. An image from the cache is then what this program would make.
var buildID = sync.OnceValue(func() string {
	settings := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
	}
	if revision := settings["vcs.revision"]; revision != "" && settings["vcs.modified"] == "false" {
		return bsp2gltf.Version + " " + revision
	}
	path, err := os.Executable()
	if err != nil {
		return bsp2gltf.Version
	}
	f, err := os.Open(path)
	if err != nil {
		return bsp2gltf.Version
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return bsp2gltf.Version
	}
	return fmt.Sprintf("%s %x", bsp2gltf.Version, h.Sum(nil))
})

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
