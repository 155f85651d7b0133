// Package buildid tells builds of the program apart, also those of one version.
package buildid

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"
)

// commit is the commit that a release was built from, 12 hexadecimal digits, with "+" if files differed from it. The linker sets it:
// -ldflags "-X github.com/bsp2gltf/bsp2gltf/internal/buildid.commit=8edf821c1b2a".
var commit string

// digits is how many digits of a commit or of a hash name a build.
const digits = 12

// Name returns the name of this build: Commit; "m" and the start of Module after go install; or "x" and the start of Hash where neither
// is known. It is "unknown" if the program can't read its own file, as in a browser.
func Name() string {
	if c := Commit(); c != "" {
		return c
	}
	if m := Module(); m != "" {
		return "m" + m[:digits]
	}
	if h := Hash(); h != "" {
		return "x" + h[:digits]
	}
	return "unknown"
}

// Commit returns the commit that the program was built from, 12 hexadecimal digits, with "+" if files differed from it, or "" if it
// is not known.
func Commit() string {
	if commit != "" {
		return commit
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return ofSettings(info.Settings)
}

// ofSettings returns the commit that Go has recorded in a program.
func ofSettings(all []debug.BuildSetting) string {
	settings := map[string]string{}
	for _, s := range all {
		settings[s.Key] = s.Value
	}
	revision := settings["vcs.revision"]
	if len(revision) < digits {
		return ""
	}
	if settings["vcs.modified"] != "false" {
		return revision[:digits] + "+"
	}
	return revision[:digits]
}

// Module returns the checksum of the module that the program was built from, in hexadecimal, if Go downloaded it, as "go install
// MODULE@VERSION" does, or "". It determines all sources: those of the modules that this one requires have their checksums in it.
func Module() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return ofModule(&info.Main)
}

// ofModule returns the checksum that Go has recorded for a module: "h1:" and a SHA-256 in base 64 (go.dev/ref/mod, go.sum files).
func ofModule(m *debug.Module) string {
	encoded, ok := strings.CutPrefix(m.Sum, "h1:")
	sum, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(sum) != sha256.Size || m.Replace != nil {
		return ""
	}
	return hex.EncodeToString(sum)
}

// Exact reports whether a commit names all sources of a build.
func Exact(commit string) bool { return commit != "" && !strings.HasSuffix(commit, "+") }

// Hash returns 64 hexadecimal digits that programs of other contents don't have, or "" if the program can't read its own file.
var Hash = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	return hashOf(f)
})

// head is how much of a program the go command reads to find its build ID. Go, cmd/internal/buildid, ReadFile.
const head = 32 << 10

// hashOf returns the SHA-256 of a program's build ID, which has a hash of all its content, or, where it has none, of the whole file.
func hashOf(program io.Reader) string {
	h := sha256.New()
	start, err := io.ReadAll(io.LimitReader(program, head))
	if id := linked(start); id != nil {
		h.Write(id)
		return hex.EncodeToString(h.Sum(nil))
	}
	h.Write(start)
	if err == nil {
		_, err = io.Copy(h, program)
	}
	if err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}

// linked returns the build ID in the first bytes of a program, or nil: four hashes of 20 letters, of which the last one is that of the
// content. Go, cmd/go/internal/work, buildid.go.
func linked(start []byte) []byte {
	const part, parts = 20, 4
	const size = part*parts + parts - 1
	for i := 0; i+size <= len(start); i++ {
		if id := start[i : i+size]; id[part] == '/' && isID(id, part) {
			return id
		}
	}
	return nil
}

// isID reports whether a text is letters of base 64 for URLs, with a slash after each part.
func isID(id []byte, part int) bool {
	for i, c := range id {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
		if slash := i%(part+1) == part; slash != (c == '/') || !slash && !letter {
			return false
		}
	}
	return true
}
