package convert

import (
	"crypto/sha256"
	"fmt"
	"path"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// nameBytes is the longest name that Blender before 5.0 keeps.
const nameBytes = 63

// namer makes names that every importer keeps as they are: printable ASCII without the characters that three.js and
// Godot strip ([ ] . : / @ " %), unique without regard to case, at most 63 bytes.
type namer struct{ taken map[string]int }

func newNamer() *namer { return &namer{taken: map[string]int{}} }

// node returns the name of a node.
func (n *namer) node(s string) string {
	return n.unique(strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`[].:/\@"%`, r), r <= ' ', r == 127:
			return '_'
		}
		return r
	}, fold(s)))
}

// material returns the name of a material or image: a path keeps its slashes.
func (n *namer) material(s string) string {
	return n.unique(strings.Map(func(r rune) rune {
		if r < ' ' || r == 127 {
			return '_'
		}
		return r
	}, fold(s)))
}

// fold makes a string ASCII: letters lose their accents, what is left becomes "_".
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

func (n *namer) unique(s string) string {
	if s == "" {
		s = "unnamed"
	}
	if len(s) > nameBytes {
		s = s[:nameBytes-9] + "-" + hash8(s)
	}
	base, key := s, strings.ToLower(s)
	for n.taken[key] > 0 {
		n.taken[strings.ToLower(base)]++
		tail := fmt.Sprintf("_%d", n.taken[strings.ToLower(base)])
		s = base[:min(len(base), nameBytes-len(tail))] + tail
		key = strings.ToLower(s)
	}
	n.taken[key] = 1
	return s
}

// hash8 is eight hex digits of a name's hash.
func hash8(s string) string {
	sum := sha256.Sum256([]byte(s))
	return fmt.Sprintf("%x", sum[:4])
}

// maxFileName is the most bytes of a component of a path that file systems take, less room for an extension.
const maxFileName = 200

// fileNames gives images names of files: the readable path where it is safe, else with a hash of the original.
type fileNames struct{ taken map[string]bool }

// path returns a relative path with forward slashes, without an extension: valid for fs.ValidPath, with no part that
// Windows refuses, unique without regard to case.
func (f *fileNames) path(name string) string {
	parts := strings.Split(strings.ReplaceAll(name, `\`, "/"), "/")
	safe := parts[:0:0]
	for _, p := range parts {
		p = strings.Map(func(r rune) rune {
			if r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("_-+.,()=~#! $'&", r) {
				return r
			}
			return '_'
		}, p)
		p = strings.Trim(p, ". ")
		if p == "" {
			continue
		}
		if stem, _, _ := strings.Cut(strings.ToUpper(p), "."); reserved[stem] {
			p = "_" + p
		}
		safe = append(safe, p[:min(len(p), maxFileName)])
	}
	if len(safe) > 8 {
		safe = safe[len(safe)-8:]
	}
	out := path.Join(safe...)
	if out == "" {
		out = "image"
	}
	if out != name || f.taken[strings.ToLower(out)] {
		out += "-" + hash8(name)
	}
	for i := 2; f.taken[strings.ToLower(out)]; i++ {
		out = fmt.Sprintf("%s-%d", strings.TrimSuffix(out, fmt.Sprintf("-%d", i-1)), i)
	}
	f.taken[strings.ToLower(out)] = true
	return out
}

// reserved are the names that Windows keeps for devices.
var reserved = map[string]bool{
	"CON": true, "PRN": true, "AUX": true, "NUL": true,
	"COM1": true, "COM2": true, "COM3": true, "COM4": true, "COM5": true, "COM6": true, "COM7": true, "COM8": true, "COM9": true,
	"LPT1": true, "LPT2": true, "LPT3": true, "LPT4": true, "LPT5": true, "LPT6": true, "LPT7": true, "LPT8": true, "LPT9": true,
}
