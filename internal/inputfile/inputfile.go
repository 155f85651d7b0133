// Package inputfile says what paths stand for, by their names and by what is on the disk: a map, a model, an archive, a file in an archive.
// Packages assets and models read them; the command sorts its arguments and the files of folders with it.
package inputfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/safename"
)

// Extensions of archives that are read.
const (
	Pk3 = ".pk3"
	Pak = ".pak"
	VPK = ".vpk"
	GMA = ".gma"
	Zip = ".zip"
	Wad = ".wad"
)

var archives = []string{Pk3, Pak, VPK, GMA, Zip, Wad}

// models are the extensions of models.
var models = []string{".md3", ".mdl", ".md2", ".spr", ".zym", ".dpm", ".iqm", ".md5mesh"}

// packings are the extensions of packed maps.
var packings = []string{".bz2", ".gz", ".xz"}

// foreign lists archives that people have maps in and that are not read, by extension.
var foreign = []struct{ ext, what string }{
	{".7z", "a 7-Zip archive"}, {".rar", "a RAR archive"}, {".tar", "a tar archive"}, {".tgz", "a tar archive"},
	{".tar.gz", "a tar archive"},
	{".tar.bz2", "a tar archive"}, {".tar.xz", "a tar archive"}, {".zst", "a Zstandard file"}, {".cab", "a cabinet archive"},
}

// hasExt reports whether a name ends in ext, which is in lower case.
func hasExt(name, ext string) bool {
	return len(name) >= len(ext) && strings.EqualFold(name[len(name)-len(ext):], ext)
}

// IsMap reports whether a file of this name is a map, packed or not: x.bsp, x.bsp.bz2. The hidden files that macOS adds to archives
// are none.
func IsMap(name string) bool {
	return hasExt(unpacked(name), ".bsp") && !strings.HasPrefix(name[strings.LastIndexAny(name, `/\`)+1:], "._")
}

// IsModel reports whether a file of this name is a model.
func IsModel(name string) bool {
	return slices.ContainsFunc(models, func(ext string) bool { return hasExt(name, ext) })
}

// ModelExtensions returns the extensions of models, for messages: ".md3, .mdl, .md2".
func ModelExtensions() string { return strings.Join(models, ", ") }

// IsArchive reports whether a file of this name is read as an archive.
func IsArchive(name string) bool {
	return slices.ContainsFunc(archives, func(ext string) bool { return hasExt(name, ext) })
}

// MayHoldMaps reports whether a file of this name is an archive that may hold maps: not one of textures (.wad), nor a numbered part of a
// VPK, whose directory is another file.
func MayHoldMaps(name string) bool {
	if !IsArchive(name) || hasExt(name, Wad) {
		return false
	}
	base := TrimExt(name)
	n := len(base)
	return !hasExt(name, VPK) || n < 4 || base[n-4] != '_' || strings.Trim(base[n-3:], "0123456789") != ""
}

// HoldsTextures reports whether a file of this name holds several textures: a .wad, or a map, also one in an archive, of which the
// archive, or its name without the extension, may be given.
func HoldsTextures(name string) bool {
	if hasExt(name, Wad) || IsMap(name) {
		return true
	}
	_, member, packed := Split(name)
	return packed && filepath.Ext(member) == ""
}

// Foreign describes a file with the name of an archive that is not read, and what to do with it, or returns "".
func Foreign(name string) string {
	for _, f := range foreign {
		if hasExt(name, f.ext) {
			return f.what + ", which is not read: unpack it, and convert the .bsp in it"
		}
	}
	return ""
}

// NotRegular says what something is that can't be read as a file.
func NotRegular(info fs.FileInfo) string {
	if info.IsDir() {
		return "is a folder, not a file: name a file in it"
	}
	return "is a pipe or a device, not a file: a map from a pipe is read from standard input, named -"
}

// IsPacked reports whether a file of this name is packed: x.bsp.bz2.
func IsPacked(name string) bool { return unpacked(name) != name }

// unpacked returns a name without the extension of a packing.
func unpacked(name string) string {
	for _, ext := range packings {
		if hasExt(name, ext) {
			return name[:len(name)-len(ext)]
		}
	}
	return name
}

// TrimExt returns the name or path of a map without its extensions: maps/x for maps/x.bsp and maps/x.bsp.bz2.
func TrimExt(name string) string {
	name = unpacked(name)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// Split splits a path at the first archive on it that is a file. Member is "" if the path ends there. A file with exactly the path's
// name takes precedence, however odd its name. ok is false if the path contains no archive.
func Split(path string) (archive, member string, ok bool) {
	if isFile(path) {
		return path, "", IsArchive(path)
	}
	for i := range path {
		if c := path[i]; c != ':' && c != '!' && c != '/' && c != filepath.Separator {
			continue
		}
		if IsArchive(path[:i]) && isFile(path[:i]) {
			return path[:i], path[i+1:], true
		}
	}
	return "", "", false
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Stem returns the name of the map that a path leads to, without folders, archive and extensions: "q3dm1" for
// "pak0.pk3:maps/q3dm1.bsp", "de_x" for "de_x.bsp.bz2".
func Stem(path string) string {
	if _, member, ok := Split(path); ok && member != "" {
		return TrimExt(member[strings.LastIndexAny(member, `/\:!`)+1:])
	}
	return TrimExt(filepath.Base(path))
}

// OutputStem returns the name of the output that a path's name becomes, without its extension. A file keeps its own name as far as every
// system can have it; the name of a file in an archive is a stranger's, and becomes plain.
func OutputStem(path string) string {
	if _, member, ok := Split(path); ok && member != "" {
		return safename.Part(Stem(path))
	}
	stem := Stem(path)
	if !isFile(path) { // a map in an archive that is missing
		stem = stem[strings.LastIndexByte(stem, ':')+1:]
	}
	return safename.FilePart(stem)
}
