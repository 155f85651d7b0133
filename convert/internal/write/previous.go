package write

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// previous describes the output of an earlier run with the same name. Its companions may be replaced with it; all
// other existing files must stay.
type previous struct {
	dir      string
	ours     bool     // bsp2gltf wrote it
	siblings bool     // another format of the same name exists, which may refer to the same files
	texts    [][]byte // texts that name its companions: the JSON, or the .obj and its libraries
}

// maxPrevious is how many bytes of an old file are read at most. The JSON of a large map has about 20 MB.
const maxPrevious = 1 << 28

// readPrevious reads the existing output at main. Name is main's without extension.
func readPrevious(main, name string, format *Format) *previous {
	p := &previous{dir: filepath.Dir(main)}
	for i := range formats {
		if _, err := os.Lstat(filepath.Join(p.dir, name+"."+formats[i].Name)); err == nil && &formats[i] != format {
			p.siblings = true
		}
	}
	p.texts, p.ours = format.previous(main, name)
	return p
}

// owns reports whether a companion belonged to the old output and to no other known one. Own says that no other map uses the
// image folder.
func (p *previous) owns(kind companion, name string, own bool) bool {
	switch {
	case !p.ours:
		return false
	case kind == sidecarFile:
		return !p.siblings && (p.names(name) || p.probes(name))
	case kind == imageFile:
		return own && !p.siblings && p.names(name)
	}
	return p.names(name)
}

// names reports whether the old output names a file.
func (p *previous) names(name string) bool {
	quoted, err := json.Marshal(name) // in extras
	if err != nil {
		return false
	}
	for _, text := range p.texts {
		for _, n := range []string{`"` + escapeURI(name) + `"`, string(quoted), " " + name + "\n"} {
			if bytes.Contains(text, []byte(n)) {
				return true
			}
		}
	}
	return false
}

// probes reports whether a file holds light probes. It is needed because a glTF file does not name its probes file.
func (p *previous) probes(name string) bool {
	head := readStart(filepath.Join(p.dir, name), int64(len(probesHead)))
	return strings.HasSuffix(name, "_probes.json") && string(head) == probesHead
}

// readStart returns the first bytes of a file, or nothing.
func readStart(name string, most int64) []byte {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	text, _ := io.ReadAll(io.LimitReader(f, most))
	return text
}

// readJSONChunk returns the JSON of a .glb, or nothing.
func readJSONChunk(name string) []byte {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	var head [20]byte
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if _, err := io.ReadFull(f, head[:]); err != nil || string(head[:4]) != "glTF" || string(head[16:]) != "JSON" {
		return nil
	}
	text, _ := io.ReadAll(io.LimitReader(f, min(maxPrevious, int64(binary.LittleEndian.Uint32(head[12:])))))
	return text
}
