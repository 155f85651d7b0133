// Package safename makes names of files out of names that a stranger chose: in an archive, in a store, in a folder.
//
// Such a name may move a terminal's cursor, read as an option or as a shell's substitution, or be a device or a stream on Windows. What is
// made of it is the same on every system, because the machine that converts is not the one that opens the file.
package safename

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The lengths in bytes of the longest part without its hash and extension: of Part, which has at most 120 with both, and of FilePart, which
// leaves room for what companions append.
const (
	most     = 100
	mostFile = 180
)

// Path returns a relative path with forward slashes in which every part is safe.
func Path(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = Part(p)
	}
	return strings.Join(parts, "/")
}

// Part returns a safe name for a file without its extension, or for a folder: letters and digits of ASCII, and _-+,()=~!{}. but no dot at
// an end, no dash or tilde at the start, and no name of a device. A name that is safe stays as it is. One that has to be changed gets a
// hash of the original, so that different names stay different.
func Part(name string) string {
	return part(name, most, func(r rune) bool {
		return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("_-+,()=~!{}.", r)
	})
}

// FilePart is Part for the name of a file on the user's disk, which a person chose or has accepted: it also keeps spaces, the letters of
// every script and all punctuation but what Windows refuses and what substitutes in a shell.
func FilePart(name string) string {
	return part(name, mostFile, func(r rune) bool {
		return r != utf8.RuneError && unicode.IsPrint(r) && !strings.ContainsRune(`<>:"/\|?*$`+"`", r)
	})
}

// FilePath is Path with FilePart.
func FilePath(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = FilePart(p)
	}
	return strings.Join(parts, "/")
}

func part(name string, most int, keep func(rune) bool) string {
	safe := strings.Map(func(r rune) rune {
		if keep(r) {
			return r
		}
		return '_'
	}, name)
	safe = strings.TrimLeft(strings.TrimRight(safe, ". "), ".")
	if len(safe) > most {
		safe = strings.TrimRight(strings.ToValidUTF8(safe[:most], ""), ". ")
	}
	if safe == "" || safe[0] == '-' || safe[0] == '~' || isDevice(safe) {
		safe = "_" + safe
	}
	if safe == name {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return fmt.Sprintf("%s-%x", safe, sum[:4])
}

// isDevice reports whether Windows takes a name for a device, whatever its extension.
func isDevice(name string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(name), ".")
	switch stem = strings.TrimRight(stem, "_ "); stem { // "AUX .x" is a device, too, and Part makes its space _
	case "CON", "PRN", "AUX", "NUL", "CLOCK$", "CONIN", "CONOUT":
		return true
	}
	digit, ok := strings.CutPrefix(stem, "COM")
	if !ok {
		digit, ok = strings.CutPrefix(stem, "LPT")
	}
	return ok && utf8.RuneCountInString(digit) == 1 && strings.Contains("0123456789¹²³", digit)
}
