// Package inputfile classifies paths, by name and by what is on disk: a map, a model, an archive, a file in an
// archive. Packages assets and models use it to read them, the command to sort its arguments and the files of
// folders.
package inputfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/safename"
)

// Extensions of the archives that are read.
const (
	Pk3 = ".pk3"
	Dpk = ".dpk" // Daemon's
	Pkz = ".pkz" // Q2PRO's
	Kpf = ".kpf" // of the re-releases of Quake and Quake II
	Pak = ".pak"
	VPK = ".vpk"
	GMA = ".gma"
	// WorkshopGMA ends the names of add-ons as the Workshop keeps older ones: a .gma, compressed.
	WorkshopGMA = "_legacy.bin"
	Zip         = ".zip"
	Wad         = ".wad"
)

var archives = []string{Pk3, Dpk, Pkz, Kpf, Pak, VPK, GMA, WorkshopGMA, Zip, Wad}

// models are the extensions of models.
var models = []string{".md3", ".mdl", ".md2", ".spr", ".zym", ".dpm", ".iqm", ".md5mesh"}

// packings are the extensions of compressed maps.
var packings = []string{".bz2", ".gz", ".xz", ".lzma"}

// foreign lists, by extension, archives that people have maps in but that are not read.
var foreign = []struct{ ext, what string }{
	{".7z", "a 7-Zip archive"}, {".rar", "a RAR archive"}, {".tar", "a tar archive"}, {".tgz", "a tar archive"},
	{".tar.gz", "a tar archive"},
	{".tar.bz2", "a tar archive"}, {".tar.xz", "a tar archive"}, {".zst", "a Zstandard file"}, {".cab", "a cabinet archive"},
}

// hasExt reports whether a name ends in ext, which is in lower case.
func hasExt(name, ext string) bool {
	return len(name) >= len(ext) && strings.EqualFold(name[len(name)-len(ext):], ext)
}

// IsMap reports whether a file of this name is a map, compressed or not: x.bsp, x.bsp.bz2. The hidden files that
// macOS adds to archives are not maps.
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

// MayHoldMaps reports whether a file of this name is an archive that may hold maps: neither one of textures (.wad),
// nor a numbered chunk of a VPK, whose directory is another file.
func MayHoldMaps(name string) bool {
	if !IsArchive(name) || hasExt(name, Wad) {
		return false
	}
	base := TrimExt(name)
	n := len(base)
	return !hasExt(name, VPK) || n < 4 || base[n-4] != '_' || strings.Trim(base[n-3:], "0123456789") != ""
}

// HoldsTextures reports whether a file of this name holds several textures: a .wad, or a map, also one in an archive,
// which may be named by the archive or without its extension.
func HoldsTextures(name string) bool {
	if hasExt(name, Wad) || IsMap(name) {
		return true
	}
	_, member, packed := Split(name)
	return packed && filepath.Ext(member) == ""
}

// Foreign describes an archive that is not read, by its name, and says what to do with it. It returns "" for other
// names.
func Foreign(name string) string {
	for _, f := range foreign {
		if hasExt(name, f.ext) {
			return f.what + ", which is not read: unpack it, and convert the .bsp in it"
		}
	}
	return ""
}

// NotRegular describes a file system entry that can't be read as a file, for a message.
func NotRegular(info fs.FileInfo) string {
	if info.IsDir() {
		return "is a folder, not a file: name a file in it"
	}
	return "is a pipe or a device, not a file: a map from a pipe is read from standard input, named -"
}

// IsPacked reports whether a file of this name is compressed: x.bsp.bz2.
func IsPacked(name string) bool { return unpacked(name) != name }

// unpacked returns a name without the extension of a compression.
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

// Split splits a path after the first archive on it that is a file. member is "" if the path ends there. A file with
// exactly the path's name takes precedence, however odd the name. ok is false if the path contains no archive.
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

// Stem returns the name of the map at the end of a path, without folders, archive and extensions: "q3dm1" for
// "pak0.pk3:maps/q3dm1.bsp", "de_x" for "de_x.bsp.bz2".
func Stem(path string) string {
	if _, member, ok := Split(path); ok && member != "" {
		return TrimExt(member[strings.LastIndexAny(member, `/\:!`)+1:])
	}
	return TrimExt(filepath.Base(path))
}

// OutputStem returns the name of the output for a path, without an extension. A file keeps its own name as far as
// every operating system allows it; the name of a file in an archive comes from a stranger, and is reduced to safe
// characters.
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
