// Package cache keeps encoded images and pages of light, so that other maps, later conversions and other processes need not make them
// again. Open opens a folder; a Cache of one's own keeps them elsewhere.
package cache

import (
	"crypto/sha256"

	"github.com/bsp2gltf/bsp2gltf/internal/buildid"
	"github.com/bsp2gltf/bsp2gltf/internal/diskcache"
)

// Key identifies a cached result: the SHA-256 of all that it was made from, except the program.
type Key = [sha256.Size]byte

// Cache keeps results. Its functions are called concurrently. The bytes are opaque; those that are damaged are detected and made again.
// A cache that outlives the process must separate different builds of the program, as that of Open does.
type Cache struct {
	Get func(Key) ([]byte, bool) // the bytes that Put was given for the key, or false
	Put func(Key, []byte)
}

// Open opens the cache in a folder, which is created if missing, and which many processes may share. When it has more than max bytes,
// the results that were not used for longest are removed; 0 is 4 GiB. It fails if the folder can't be created.
func Open(dir string, max int64) (*Cache, error) {
	s, err := diskcache.Open(dir, max, buildid.Program())
	if err != nil {
		return nil, err
	}
	get, put := s.Funcs()
	return &Cache{Get: get, Put: put}, nil
}
