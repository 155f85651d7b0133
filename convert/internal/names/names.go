package names

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
)

// nameBytes is the length in bytes of the longest name that Blender before 5.0 keeps.
const nameBytes = 63

// Namer makes names that every importer keeps unchanged: printable ASCII without the characters that three.js and
// Godot strip ([ ] . : / @ " %), unique ignoring case, at most 63 bytes.
type Namer struct {
	taken map[string]bool
	last  map[string]int // the last number behind names of the same start
}

// NewNamer returns a Namer without used names.
func NewNamer() *Namer { return &Namer{map[string]bool{}, map[string]int{}} }

// Node returns a unique name for a node.
func (n *Namer) Node(s string) string {
	return n.unique(strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`[].:/\@"%`, r), r <= ' ', r == 127:
			return '_'
		}
		return r
	}, fold(s)))
}

// Material returns a unique name for a material or image. Paths keep their slashes.
func (n *Namer) Material(s string) string {
	return n.unique(strings.Map(func(r rune) rune {
		if r < ' ' || r == 127 {
			return '_'
		}
		return r
	}, fold(s)))
}

// withoutAccents takes the accents off letters: München is Munchen.
func withoutAccents(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
}

// fold converts a string to ASCII: it removes accents and replaces other characters with "_".
func fold(s string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		switch {
		case r < 128:
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r):
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}

func (n *Namer) unique(s string) string {
	if s == "" {
		s = "unnamed"
	}
	if len(s) > nameBytes {
		s = s[:nameBytes-9] + "-" + Hash8(s)
	}
	base, key := s, strings.ToLower(s)
	// Long names lose their ends to the number, so those with the same start count together.
	start := key[:min(len(key), nameBytes-len("_123456"))]
	for n.taken[key] {
		n.last[start] = max(n.last[start], 1) + 1
		tail := fmt.Sprintf("_%d", n.last[start])
		s = base[:min(len(base), nameBytes-len(tail))] + tail
		key = strings.ToLower(s)
	}
	n.taken[key] = true
	return s
}

// Hash8 returns eight hex digits of a name's hash.
func Hash8(s string) string {
	sum := sha256.Sum256([]byte(s))
	return fmt.Sprintf("%x", sum[:4])
}

// maxPath is the most bytes of an image's path without its extension and the suffix that makes it unique. Windows
// allows 260 for the whole path.
const maxPath = 150

// FileNames makes file names for images: a readable path, with a hash of the original only if another has it.
type FileNames struct{ taken map[string]bool }

// NewFileNames returns FileNames without used names.
func NewFileNames() *FileNames { return &FileNames{map[string]bool{}} }

// Image returns the path of an image's file in the folder dir. If a name starts with the folder, the folder is not
// repeated: textures/wall becomes wall in both textures/ and q3dm1_textures/.
func (f *FileNames) Image(im *scene.Image, dir string) string {
	name := im.Name
	if dir != "" {
		name = strings.TrimPrefix(name, dir+"/")
	}
	if strings.HasSuffix(dir, "_textures") {
		name = strings.TrimPrefix(name, "textures/")
	}
	return path.Join(dir, f.Path(name)) + extension(im.MIME)
}

// Path returns a relative path with forward slashes, without an extension: valid for fs.ValidPath, without parts
// that Windows refuses or that have a special meaning in a shell or an .mtl file, and unique ignoring case. Folders
// have no dots, so that none has the name of a file.
func (f *FileNames) Path(name string) string {
	parts := strings.Split(strings.ReplaceAll(withoutAccents(name), `\`, "/"), "/")
	safe := parts[:0:0]
	for i, p := range parts {
		p = strings.Map(func(r rune) rune {
			switch {
			case '0' <= r && r <= '9', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', strings.ContainsRune("_-+,()=~!{}", r):
				return r
			case r == '.' && i == len(parts)-1:
				return r
			}
			return '_'
		}, strings.Trim(p, "."))
		if p == "" {
			continue
		}
		if stem, _, _ := strings.Cut(strings.ToUpper(p), "."); reserved[stem] || p[0] == '-' || p[0] == '~' {
			p = "_" + p
		}
		safe = append(safe, p)
	}
	out := path.Join(safe...)
	for len(safe) > 1 && len(out) > maxPath { // the end is more descriptive than the start
		safe = safe[1:]
		out = path.Join(safe...)
	}
	out = strings.TrimRight(out[:min(len(out), maxPath)], ".")
	if out == "" {
		out = "image"
	}
	if f.taken[strings.ToLower(out)] {
		out += "-" + Hash8(name)
	}
	for base, i := out, 2; f.taken[strings.ToLower(out)]; i++ {
		out = fmt.Sprintf("%s-%d", base, i)
	}
	f.taken[strings.ToLower(out)] = true
	return out
}

// Stem returns the name of an output as its companions and its folder of images have it: the same, as blanks and letters with accents are
// read from glTF and from OBJ to the end of a line. A name that some reader or system would misread becomes a readable one with a hash, so
// that no two outputs share a folder.
func Stem(name string) string {
	safe := NewFileNames().Path(name)
	blanks := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || strings.ContainsRune(`\/:*?"<>|`, r) { // of blanks only U+0020 is printed
			return -1
		}
		return r
	}, name)
	upper, _, _ := strings.Cut(strings.ToUpper(name), ".")
	if name == safe || blanks == name && utf8.ValidString(name) && strings.Join(strings.Fields(name), " ") == name &&
		!reserved[upper] && strings.Trim(name, ".") == name && strings.TrimLeft(name, "-~") == name && name != "" {
		return name
	}
	return safe + "-" + Hash8(name)
}

// reserved holds the names that Windows reserves for devices.
var reserved = map[string]bool{
	"CON": true, "PRN": true, "AUX": true, "NUL": true,
	"COM1": true, "COM2": true, "COM3": true, "COM4": true, "COM5": true, "COM6": true, "COM7": true, "COM8": true, "COM9": true,
	"LPT1": true, "LPT2": true, "LPT3": true, "LPT4": true, "LPT5": true, "LPT6": true, "LPT7": true, "LPT8": true, "LPT9": true,
}

// extension returns the extension of an image file.
func extension(mime string) string {
	return cmp.Or(picture.OfMIME(mime).Extension(), picture.PNG.Extension())
}
