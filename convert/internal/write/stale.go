package write

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/internal/regular"
)

// Companions of the previous output that the new one lacks are removed: a reader would take another map's light
// probes for this one's.
//
// A file is removed only if the previous output names it, no output of the same name in another format does, and its
// content shows that it is that output's: a sidecar states its map, a library or an .obj begins as ours do, an image
// lies in the image folder of this name and begins as a picture. So no file of another map and no file of a user is
// removed, even if a foreign output names it.

// companionEnds are the extensions of companions other than images.
var companionEnds = []string{".exr", ".json", ".gz", ".png", ".bin", ".mtl", ".obj"}

// candidates returns the files beside the output that may be companions of the previous output. folders are the image
// folders that only outputs of this name use.
func (p *previous) candidates(folders []string) (names []string) {
	if !p.ours {
		return nil
	}
	entries, err := regular.ReadDir(p.dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if _, ok := p.rest(e.Name()); ok && e.Type().IsRegular() && slices.Contains(companionEnds, path.Ext(e.Name())) {
			names = append(names, e.Name())
		}
	}
	for _, folder := range append(folders, besideName(p.name, cubemaps)) {
		_ = fs.WalkDir(os.DirFS(p.dir), folder, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				names = append(names, name)
			}
			return nil
		})
	}
	return names
}

// rest returns what follows the output's name, or its name in material libraries, in the name of a file.
func (p *previous) rest(file string) (rest string, ok bool) {
	if rest, ok = strings.CutPrefix(file, p.name); !ok {
		rest, ok = strings.CutPrefix(file, strings.TrimSuffix(libraryName(p.name), ".mtl"))
	}
	return rest, ok
}

// leftover reports whether a file that begins with head was a companion of the previous output, and of no other. It
// asks the cheap questions first: the texts that name files are long.
func (p *previous) leftover(folders []string, name string, head []byte) bool {
	var own bool
	if rest, ok := p.rest(name); slices.ContainsFunc(folders, func(dir string) bool { return strings.HasPrefix(name, dir+"/") }) {
		own = beginsPicture(head, path.Ext(name))
	} else if ok && partPattern().MatchString(rest) {
		own = path.Ext(name) == ".bin" || bytes.HasPrefix(head, []byte("# bsp2gltf "))
	} else {
		own = ok && strings.HasPrefix(rest, "_") && p.mapHash != "" && mapOf(head) == p.mapHash
	}
	return own && p.names(name) && !p.shares(name)
}

// partPattern matches what follows the output's name in the name of a .bin, .mtl or second .obj. A hash follows a
// name that was taken.
var partPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\.lightmap)?(?:-[0-9a-f]{8}(?:-[0-9]+)?)?\.(?:bin|mtl|obj)$`)
})

// mapOf returns the hash of the map that the start of a sidecar states, or "".
func mapOf(head []byte) string {
	if after, ok := bytes.CutPrefix(head, []byte(probesHead+probesMap)); ok && isHash(after) {
		return string(after[:hashSize])
	}
	if hash := propertiesMap(head); hash != "" {
		return hash
	}
	return picture.Tagged(head, mapTag)
}

// beginsPicture reports whether a file begins as a picture of its extension's format.
func beginsPicture(head []byte, ext string) bool {
	f := picture.Written(ext)
	return f == picture.PNG && bytes.HasPrefix(head, []byte("\x89PNG\r\n")) || f == picture.JPEG &&
		bytes.HasPrefix(head, []byte("\xff\xd8\xff")) ||
		f == picture.WebP && bytes.HasPrefix(head, []byte("RIFF"))
}
