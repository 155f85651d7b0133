// Package diskcache keeps converted data under the hash of everything that it was made from, in a folder that many
// processes share.
//
// A key is the hash of the source's bytes, the recipe, the options and the tool's version, so an entry is never out of date
// and never changes: two processes that make the same thing write the same file, and the last rename wins. An entry starts
// with its length and a hash of its key and data, so that one damaged by a full disk, a killed process or a failing disk, or one
// under the name of another, is detected, removed and made again. When the folder exceeds its bound, the least recently used entries
// are removed first.
//
// Strangers may have prepared the folder. Only regular files of the size that Put allows are read, and no link in it is followed.
package diskcache

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bsp2gltf/bsp2gltf/internal/nolink"
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

// KeyOf returns the key of the result that this version of the tool makes from parts.
func (s *Store) KeyOf(parts ...[]byte) Key { return KeyOf(append([][]byte{s.version}, parts...)...) }

// DefaultMax is the bound in bytes of a store for which none was given.
const DefaultMax = 4 << 30

// Store is a folder of entries. It is safe for concurrent use, even by many processes. A nil Store keeps nothing.
type Store struct {
	dir     *os.Root // with the lock and the folder of the entries
	root    *os.Root // with the entries
	max     int64
	version []byte // of the tool
	far     *Far   // nil if there is none

	since   atomic.Int64 // bytes written since this process last measured the store
	pruning sync.Mutex
}

// An entry is a header and its data. The header is magic, the data's length and the SHA-256 of the key and the data.
const (
	magic      = "b2gcach2"
	headerSize = len(magic) + 8 + sha256.Size
)

// A process measures the folder after it has written a 64th of the bound, and prunes it to three quarters: sixteen
// processes that write at the same time stay below the bound.
const (
	measureShare = 64
	entryShare   = 8 // an entry is at most the bound divided by this
)

// folder is the name of the folder of the entries.
const folder = "v1"

// Open returns the store in a folder, and creates the folder if it is missing. Max is the bound of all entries together
// in bytes; 0 means DefaultMax. Version distinguishes tools and versions that make different data from the same parts.
// Open fails if the folder can't be created, and if the folder of the entries in it is a link.
func Open(dir string, max int64, version string) (*Store, error) {
	if max <= 0 {
		max = DefaultMax
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	top, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	root, err := nolink.Folder(top, folder, true, 0o700)
	if err != nil {
		top.Close()
		return nil, err
	}
	s := &Store{dir: top, root: root, max: max, version: []byte(version)}
	s.since.Store(max / measureShare) // makes the first Put measure the store
	return s, nil
}

// Dir returns the default folder of a store for the current user. It fails if the user has no cache folder.
func Dir() (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "bsp2gltf"), err
}

// nameOf returns the name of an entry's file.
func nameOf(k Key) string {
	name := k.String()
	return path.Join(name[:2], name[2:])
}

// most returns the size in bytes of the largest entry.
func (s *Store) most() int64 { return s.max / entryShare }

// Get returns the entry of a key. It removes a damaged entry and reports it as missing.
func (s *Store) Get(k Key) (data []byte, ok bool) {
	if s == nil {
		return nil, false
	}
	name := nameOf(k)
	f, err := nolink.Open(s.root, name, os.O_RDONLY, 0)
	if err == nil {
		if data, ok = s.read(k, f); !ok {
			_ = s.root.Remove(name)
		}
		f.Close()
	}
	if !ok {
		if data, ok = s.fetch(k); !ok {
			return nil, false
		}
	}
	s.touch(name)
	return data, true
}

// read returns the data of an entry's file if it is intact and not larger than Put allows.
func (s *Store) read(k Key, f *os.File) ([]byte, bool) {
	info, err := f.Stat()
	if err != nil || info.Size() < int64(headerSize) || info.Size() > s.most() {
		return nil, false
	}
	all := make([]byte, info.Size())
	if _, err := io.ReadFull(f, all[:headerSize]); err != nil || !begins(all, info.Size()) {
		return nil, false
	}
	if _, err := io.ReadFull(f, all[headerSize:]); err != nil {
		return nil, false
	}
	return unpack(k, all)
}

// touch marks an entry as used, at most once an hour, which is precise enough for pruning. A time that is to come is from a clock that was
// set back since.
func (s *Store) touch(name string) {
	now := time.Now()
	info, err := s.root.Lstat(name)
	if err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()).Abs() > time.Hour {
		_ = s.root.Chtimes(name, now, now) // fails if another user owns the file
	}
}

// begins reports whether an entry of a size starts with a header that fits it.
func begins(head []byte, size int64) bool {
	return string(head[:len(magic)]) == magic && binary.LittleEndian.Uint64(head[len(magic):]) == uint64(size)-uint64(headerSize)
}

// unpack returns the data of a key's entry if its header matches.
func unpack(k Key, all []byte) ([]byte, bool) {
	if len(all) < headerSize || !begins(all, int64(len(all))) {
		return nil, false
	}
	data := all[headerSize:]
	return data, sumOf(k, data) == [sha256.Size]byte(all[len(magic)+8:headerSize])
}

// sumOf returns the hash in an entry's header. It includes the key, or the entry of one key would be taken for that of another.
func sumOf(k Key, data []byte) (sum [sha256.Size]byte) {
	h := sha256.New()
	h.Write(k[:])
	h.Write(data)
	h.Sum(sum[:0])
	return sum
}

// Put stores data under a key and replaces an older entry: another process may have been faster, or the entry was of no use. It
// ignores data larger than an eighth of the bound. If writing fails, it returns an error and leaves nothing behind.
func (s *Store) Put(k Key, data []byte) error {
	if s == nil || int64(headerSize+len(data)) > s.most() {
		return nil
	}
	header := headerOf(k, data)
	s.far.put(k, header, data)
	return s.write(k, header, data)
}

// headerOf returns the header of an entry.
func headerOf(k Key, data []byte) []byte {
	header := make([]byte, 0, headerSize)
	header = append(header, magic...)
	header = binary.LittleEndian.AppendUint64(header, uint64(len(data)))
	sum := sumOf(k, data)
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
	temp, name := fmt.Sprint(tempPrefix, rand.Uint64()), nameOf(k)
	f, err := s.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(header)
	if err == nil {
		_, err = f.Write(data)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		if err = s.root.Rename(temp, name); errors.Is(err, fs.ErrNotExist) {
			if err = s.root.MkdirAll(path.Dir(name), 0o700); err == nil {
				err = s.root.Rename(temp, name)
			}
		}
	}
	if err != nil {
		_ = s.root.Remove(temp)
		return err
	}
	return nil
}

// Funcs returns functions that keep the results of this version of the tool, by the hashes of what they were made from.
func (s *Store) Funcs() (get func([sha256.Size]byte) ([]byte, bool), put func([sha256.Size]byte, []byte)) {
	get = func(k [sha256.Size]byte) ([]byte, bool) { return s.Get(s.KeyOf(k[:])) }
	put = func(k [sha256.Size]byte, data []byte) {
		_ = s.Put(s.KeyOf(k[:]), data) // a full disk only costs time
	}
	return get, put
}
