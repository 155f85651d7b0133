package materials

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// extensions are tried for an image in the order of ioquake3, after the one that a script gives.
var extensions = []string{".tga", ".jpg", ".jpeg", ".png", ".webp", ".pcx", ".bmp"}

// find returns the file of an image that a script or map names, or "".
func (fl *finder) find(name string) string {
	name = fold(name)
	if file, ok := fl.found[name]; ok || name == "" {
		return file
	}
	name0, given := name, path.Ext(name)
	file := ""
	if slices.Contains(extensions, given) {
		if fl.exists(name) {
			file = name
		}
		name = stem(name)
	}
	for i := 0; file == "" && i < len(extensions); i++ {
		if extensions[i] != given && fl.exists(name+extensions[i]) {
			file = name + extensions[i]
		}
	}
	fl.found[name0] = file
	return file
}

// exists tells whether there is a file of a name.
func (fl *finder) exists(file string) bool {
	info, err := fs.Stat(fl.fs, file)
	return err == nil && !info.IsDir()
}

// fold returns a name in lower case with forward slashes. Only ASCII has a case: names are bytes of an unknown encoding.
func fold(name string) string {
	b := []byte(name)
	for i, c := range b {
		switch {
		case 'A' <= c && c <= 'Z':
			b[i] += 'a' - 'A'
		case c == '\\':
			b[i] = '/'
		}
	}
	return string(b)
}

func stem(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

// textureEnds are how the files of textures end: on a PC, an Xbox 360 (as in the archive of v20be_x360_shack.360), a
// PlayStation 3 and the first Xbox (sourcepp). Materials leave them out.
var textureEnds = []string{".vtf", ".360.vtf", ".ps3.vtf", ".xtf"}

// texture returns the file of a texture that a material names, or "": that of a PC before those of consoles, and these
// before pictures, of those who convert their textures.
func (fl *finder) texture(name string) string {
	if name == "" {
		return ""
	}
	file, ok := fl.textures[name]
	if ok {
		return file
	}
	if i := slices.IndexFunc(textureEnds, func(end string) bool { return fl.exists(name + end) }); i >= 0 {
		file = name + textureEnds[i]
	} else {
		file = fl.find(name)
	}
	fl.textures[name] = file
	return file
}

func isVTF(file string) bool { return path.Ext(file) == ".vtf" || path.Ext(file) == ".xtf" }

// indexedFile returns the file of indices of a name, or "".
func (fl *finder) indexedFile(name string) string {
	for _, file := range []string{name + ".mip", "textures/" + name + ".wal"} {
		if info, err := fs.Stat(fl.fs, file); err == nil && !info.IsDir() {
			return file
		}
	}
	return ""
}

func isWAL(file string) bool { return strings.HasSuffix(file, ".wal") }

// indexedSource returns the picture of a material, or the file that has it, and what it is called. Of an animation it is
// the first: all are shown in turn, whichever a surface names.
func (fl *finder) indexedSource(wm *world.Material, frames map[string]*world.Texture) (name string, t *world.Texture, file string) {
	name = fold(wm.Name)
	if first, ok := firstFrame(name); ok && first != name {
		if t := frames[first]; t != nil {
			return first, t, ""
		}
		if file := fl.indexedFile(first); file != "" {
			return first, nil, file
		}
	}
	if wm.Texture != nil {
		return name, wm.Texture, ""
	}
	return name, nil, fl.indexedFile(name)
}

// firstFrame returns the name of the picture that an animation starts with: "+0lamp" of "+3lamp", "+alamp" of "+clamp".
func firstFrame(name string) (string, bool) {
	if len(name) < 2 || name[0] != '+' || strings.IndexByte(turns, name[1]) < 0 {
		return "", false
	}
	if name[1] >= 'a' {
		return "+a" + name[2:], true
	}
	return "+0" + name[2:], true
}

// turns are the second letters of the names of an animation, in their order: what is shown, then what a switched button
// shows. Quake, model.c, Mod_LoadTextures.
const turns = "0123456789abcdefghij"
