// Package cache keeps converted data under the hash of everything that it was made from, in a folder that many
// processes share.
//
// A key is the hash of the source's bytes, the recipe, the options and the tool's version, so an entry is never out of date
// and never changes: two processes that make the same thing write the same file, and the last rename wins. An entry starts
// with its length and hash, so that one damaged by a full disk, a killed process or a failing disk is detected, removed and
// made again. When the folder exceeds its bound, the least recently used entries are removed first.
package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// Key identifies an entry.
type Key [sha256.Size]byte

func (k Key) String() string { return hex.EncodeToString(k[:]) }

// KeyOf returns the key of data that was made from parts. Different parts have different keys, even if their
// concatenation is the same.
func KeyOf(parts ...[]byte) (k Key) {
	h := sha256.New()
	var n [8]byte
	for _, p := range parts {
		binary.LittleEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write(p)
	}
	h.Sum(k[:0])
	return k
}

// KeyOf returns the key of what this version of the tool makes from parts.
func (s *Store) KeyOf(parts ...[]byte) Key { return KeyOf(append([][]byte{s.version}, parts...)...) }

// DefaultMax is the bound in bytes of a store for which none was given.
const DefaultMax = 4 << 30

// Store is a folder of entries. It is safe for concurrent use, even by many processes. A nil Store keeps nothing.
type Store struct {
	dir     string
	max     int64
	version []byte // of the tool
	far     *Far   // nil if there is none

	hits, misses, written atomic.Int64
	since                 atomic.Int64 // bytes written since this process last measured the store
	pruning               sync.Mutex
}

// An entry is a header and its data. The header is magic, the data's length and the data's SHA-256.
const (
	magic      = "b2gcach1"
	headerSize = len(magic) + 8 + sha256.Size
)

// A process measures the folder after it has written a 64th of the bound, and prunes it to three quarters: sixteen
// processes that write at the same time stay below the bound.
const (
	measureShare = 64
	entryShare   = 8 // an entry is at most the bound divided by this
)

// Open returns the store in a folder, and creates the folder if it is missing. Max is the bound of all entries together
// in bytes; 0 means DefaultMax. Version distinguishes tools and versions that make different data from the same parts.
// Open fails if the folder can't be created.
func Open(dir string, max int64, version string) (*Store, error) {
	if max <= 0 {
		max = DefaultMax
	}
	if err := os.MkdirAll(filepath.Join(dir, "v1"), 0o700); err != nil {
		return nil, err
	}
	s := &Store{dir: dir, max: max, version: []byte(version)}
	s.since.Store(max / measureShare) // makes the first Put measure the store
	return s, nil
}

// Dir returns the default folder of a store for the current user. It fails if the user has no cache folder.
func Dir() (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "bsp2gltf"), err
}

func (s *Store) path(k Key) string {
	name := k.String()
	return filepath.Join(s.dir, "v1", name[:2], name[2:])
}

// Get returns the entry of a key. It removes a damaged entry and reports it as missing.
func (s *Store) Get(k Key) (data []byte, ok bool) {
	if s == nil {
		return nil, false
	}
	name := s.path(k)
	all, err := os.ReadFile(name)
	if err == nil {
		if data, ok = unpack(all); !ok {
			os.Remove(name)
		}
	}
	if !ok {
		if data, ok = s.fetch(k); !ok {
			s.misses.Add(1)
			return nil, false
		}
	}
	s.hits.Add(1)
	s.touch(name)
	return data, true
}

// touch marks an entry as used, at most once an hour, which is precise enough for pruning.
func (s *Store) touch(name string) {
	now := time.Now()
	if info, err := os.Stat(name); err == nil && now.Sub(info.ModTime()) > time.Hour {
		_ = os.Chtimes(name, now, now) // fails if another user owns the file
	}
}

// unpack returns the data of an entry if its header matches.
func unpack(all []byte) ([]byte, bool) {
	if len(all) < headerSize || string(all[:len(magic)]) != magic {
		return nil, false
	}
	data := all[headerSize:]
	if binary.LittleEndian.Uint64(all[len(magic):]) != uint64(len(data)) {
		return nil, false
	}
	return data, sha256.Sum256(data) == [sha256.Size]byte(all[len(magic)+8:headerSize])
}

// Put stores data under a key. It ignores data larger than an eighth of the bound. If writing fails, it returns an
// error and leaves nothing behind.
func (s *Store) Put(k Key, data []byte) error {
	if s == nil || int64(headerSize+len(data)) > s.max/entryShare {
		return nil
	}
	if _, err := os.Stat(s.path(k)); err == nil {
		return nil // another process was faster
	}
	header := headerOf(data)
	s.far.put(k, header, data)
	return s.write(k, header, data)
}

// headerOf returns the header of an entry.
func headerOf(data []byte) []byte {
	header := make([]byte, 0, headerSize)
	header = append(header, magic...)
	header = binary.LittleEndian.AppendUint64(header, uint64(len(data)))
	sum := sha256.Sum256(data)
	return append(header, sum[:]...)
}

// write writes an entry to its file, after pruning the store if necessary.
func (s *Store) write(k Key, header, data []byte) error {
	size := int64(len(header) + len(data))
	if s.since.Add(size) >= s.max/measureShare {
		if err := s.bound(); err != nil {
			return err
		}
	}
	name := s.path(k)
	f, err := os.CreateTemp(filepath.Join(s.dir, "v1"), tempPrefix)
	if err != nil {
		return err
	}
	_, err = f.Write(header)
	if err == nil {
		_, err = f.Write(data)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		if err = os.Rename(f.Name(), name); errors.Is(err, fs.ErrNotExist) {
			if err = os.MkdirAll(filepath.Dir(name), 0o700); err == nil {
				err = os.Rename(f.Name(), name)
			}
		}
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	s.written.Add(size)
	return nil
}

// Remember returns the stored result for parts, or calls make and stores its result. Results that can't be stored
// are made again next time.
func (s *Store) Remember(make func() ([]byte, error), parts ...[]byte) ([]byte, error) {
	if s == nil {
		return make()
	}
	key := s.KeyOf(parts...)
	if data, ok := s.Get(key); ok {
		return data, nil
	}
	data, err := make()
	if err == nil {
		_ = s.Put(key, data) // a full disk only costs time
	}
	return data, err
}

// Counts holds what this process did with a store.
type Counts struct {
	Hits, Misses int64
	Written      int64 // bytes
}

// Counts returns the hits, misses and bytes written by this process.
func (s *Store) Counts() Counts {
	if s == nil {
		return Counts{}
	}
	return Counts{s.hits.Load(), s.misses.Load(), s.written.Load()}
}

func (c Counts) String() string {
	return fmt.Sprintf("%d hits, %d misses, %d bytes written", c.Hits, c.Misses, c.Written)
}
