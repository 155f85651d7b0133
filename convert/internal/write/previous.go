package write

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/regular"
)

// previous is the output of an earlier run with the same name. The new output replaces or removes its companions; all
// other existing files stay.
type previous struct {
	dir, name string   // its folder, and its name without extension
	ours      bool     // bsp2gltf wrote it
	mapHash   string   // SHA-256 of its map, or "" if it states none
	texts     [][]byte // texts that name its companions: the JSON, or the .obj and its libraries
	siblings  func() []*previous
}

// maxPrevious is the most bytes that are read of an old file. The JSON of a large map has about 20 MB.
const maxPrevious = 1 << 28

// readPrevious reads the existing output main. name is main without its extension.
func readPrevious(main, name string, format *Format) *previous {
	p := &previous{dir: filepath.Dir(main), name: name}
	p.texts, p.ours = format.previous(main, name)
	if p.ours {
		p.mapHash = statedMap(p.texts)
	}
	p.siblings = sync.OnceValue(func() (all []*previous) {
		for i := range formats {
			at := filepath.Join(p.dir, name+"."+formats[i].Name)
			if _, err := os.Lstat(at); err != nil || &formats[i] == format {
				continue
			}
			s := &previous{dir: p.dir, name: name}
			s.texts, s.ours = formats[i].previous(at, name)
			all = append(all, s)
		}
		return all
	})
	return p
}

// statedMap returns the hash of the map that an output states in its scene's extras or in a comment of an .obj, or
// "".
func statedMap(texts [][]byte) string {
	for _, text := range texts {
		for _, lead := range []string{quoted(mapExtra) + `:"`, quoted(mapExtra) + `: "`, "\n" + objMap} {
			if _, after, ok := bytes.Cut(text, []byte(lead)); ok && isHash(after) {
				return string(after[:hashSize])
			}
		}
	}
	return ""
}

// owns reports whether a companion belonged to the previous output and to no other known one. exclusive states that
// only outputs of this name use the image folder.
func (p *previous) owns(kind companionKind, name string, exclusive bool) bool {
	switch {
	case !p.ours || !p.names(name):
		return false
	case kind == sidecarFile:
		return !p.shares(name)
	case kind == imageFile:
		return exclusive && !p.shares(name)
	}
	return true
}

// shares reports whether an existing output of the same name in another format uses a file. An output of another
// program is assumed to.
func (p *previous) shares(name string) bool {
	return slices.ContainsFunc(p.siblings(), func(s *previous) bool { return !s.ours || s.names(name) })
}

// names reports whether the previous output names a file.
func (p *previous) names(name string) bool {
	for _, text := range p.texts {
		for _, n := range []string{`"` + escapeURI(name) + `"`, quoted(name), listed(name), " " + name + "\n"} {
			if bytes.Contains(text, []byte(n)) {
				return true
			}
		}
	}
	return false
}

// readStart returns at most the first most bytes of a file, or nothing if it can't be read.
func readStart(name string, most int64) []byte {
	f, err := regular.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, most))
	return text
}

// readJSONChunk returns the JSON of a .glb, or nothing if it can't be read.
func readJSONChunk(name string) []byte {
	f, err := regular.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	var head [20]byte
	if _, err := io.ReadFull(f, head[:]); err != nil || string(head[:4]) != "glTF" || string(head[16:]) != "JSON" {
		return nil
	}
	text, _ := io.ReadAll(io.LimitReader(f, min(maxPrevious, int64(binary.LittleEndian.Uint32(head[12:])))))
	return text
}
