package assets

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/regular"
)

// vpkChunk is a file of content.
type vpkChunk struct {
	once  sync.Once
	file  *os.File // nil if it can't be read
	bytes int64
}

// chunk returns the file of a chunk and its size, or nil if there is none.
func (v *vpk) chunk(n uint16) (io.ReaderAt, int64) {
	c := &v.chunks[n]
	c.once.Do(func() {
		var err error
		at := v.chunkPath(n)
		if c.file, err = regular.Open(at); err == nil {
			var info os.FileInfo
			if info, err = c.file.Stat(); err == nil && info.Mode().IsRegular() {
				c.bytes = info.Size()
				return
			}
			c.file.Close()
			c.file = nil
		}
		why := "it is not a file"
		if err != nil {
			why = err.Error()
		}
		v.note("chunk-missing", at, "the files in it are lost: "+why)
	})
	if c.file == nil {
		return nil, 0
	}
	return c.file, c.bytes
}

// chunkPath returns the path of a chunk, ignoring case: pak01_003.vpk for pak01_dir.vpk.
func (v *vpk) chunkPath(n uint16) string {
	stem, ext := v.where[:len(v.where)-len(inputfile.VPK)], v.where[len(v.where)-len(inputfile.VPK):]
	if hasExt(stem, vpkDirectory) {
		stem = stem[:len(stem)-len(vpkDirectory)]
	}
	at := fmt.Sprintf("%s_%03d%s", stem, n, ext)
	if found, ok := v.beside()[lower(filepath.Base(at))]; ok {
		return found
	}
	return at
}

// chunksBeside lists the chunks in an archive's folder. The directory may refer to 32,000 chunks, so the folder is
// listed once.
func chunksBeside(where string) map[string]string {
	dir := filepath.Dir(where)
	entries, err := regular.ReadDir(dir)
	if err != nil {
		return nil
	}
	found := map[string]string{}
	for i := len(entries) - 1; i >= 0; i-- { // backwards, because capitals come first and take precedence
		if name := entries[i].Name(); isChunk(name) {
			found[lower(name)] = filepath.Join(dir, name)
		}
	}
	return found
}

// content locates a record's bytes after the preload, and returns how many of them exist. ok is false if nothing of
// the file exists.
func (v *vpk) content(e *vpkRecord) (r io.ReaderAt, at, n int64, ok bool) {
	r, at, size := v.r, v.data+e.offset, v.bytes
	switch {
	case e.length == 0:
		return nil, 0, 0, true
	case e.chunk != vpkHere:
		at = e.offset
		if r, size = v.chunk(e.chunk); r == nil {
			return nil, 0, 0, false
		}
	}
	n = max(0, min(e.length, size-at))
	return r, at, n, n > 0 || len(e.preload) > 0
}

// noteCut adds an issue for an incomplete file.
func (v *vpk) noteCut(name string, e *vpkRecord, n int64) {
	in := v.where
	if e.chunk != vpkHere {
		if v.chunks[e.chunk].file == nil {
			return // chunk reported it for all of its files
		}
		in = v.chunks[e.chunk].file.Name()
	}
	v.note("entry-cut", v.where+":"+name, fmt.Sprintf("%d bytes at %d exceed %s, which has %d of them", e.length, e.offset,
		filepath.Base(in), n))
}

// cutEntry returns the error for a file of which only n bytes exist.
func (v *vpk) cutEntry(e *vpkRecord, n int64) error {
	in := filepath.Base(v.where)
	if e.chunk != vpkHere {
		in = filepath.Base(v.chunkPath(e.chunk))
		if v.chunks[e.chunk].file == nil {
			return limit.Errorf(limit.ErrCorrupt, "its content lies in %s, which is missing or can't be read", in)
		}
	}
	return incomplete("vpk", "%s has %d of its %d bytes", in, n, e.length)
}

// isChunk reports whether a VPK's name is that of a chunk: x_000.vpk.
func isChunk(name string) bool {
	stem := strings.TrimSuffix(lower(name), inputfile.VPK)
	i := strings.LastIndexByte(stem, '_')
	return i >= 0 && len(stem)-i > 3 && isDigits(stem[i+1:])
}
