// Package safename makes names of files out of names that a stranger chose: in an archive, in a store, in a folder.
//
// Such a name may move a terminal's cursor, read as an option or as a shell's substitution, or be a device or a stream on Windows. What is
// made of it is the same on every system, because the machine that converts is not the one that opens the file.
package safename

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// most is the length in bytes of the longest part without its hash and extension; with both it has at most 120.
const most = 100

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
	safe := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("_-+,()=~!{}.", r) {
			return r
		}
		return '_'
	}, name)
	safe = strings.Trim(safe, ".")
	if len(safe) > most {
		safe = strings.TrimRight(safe[:most], ".")
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
	switch stem = strings.TrimRight(stem, "_"); stem { // "AUX .x" is a device, too, and its space is _ here
	case "CON", "PRN", "AUX", "NUL", "CLOCK$", "CONIN", "CONOUT":
		return true
	}
	return len(stem) == 4 && (stem[:3] == "COM" || stem[:3] == "LPT") && stem[3] >= '0' && stem[3] <= '9'
}
