package write

import (
	"encoding/json"
	"strings"
)

// A sidecar states the SHA-256 of its map, and so does the output that it belongs to: light probes in a field, an
// OpenEXR file in an attribute, a PNG in a text chunk. See docs/reference/scene.md.
const (
	mapTag      = "bsp2gltf_map"
	mapExtra    = "bsp2gltf_map_sha256"
	besideExtra = "bsp2gltf_beside"
	objMap      = "# map "
)

// quoted returns a text as a JSON string.
func quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // encoding a string can't fail
	return strings.TrimSuffix(b.String(), "\n")
}

// listed returns a text as it stands in a JSON list that is itself a JSON string: \"text\".
func listed(text string) string {
	twice := quoted(quoted(text))
	return twice[1 : len(twice)-1]
}

// hashSize is the number of hex digits of a SHA-256.
const hashSize = 64

// isHash reports whether text begins with a SHA-256 in hex.
func isHash(text []byte) bool {
	if len(text) < hashSize {
		return false
	}
	for _, c := range text[:hashSize] {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f') {
			return false
		}
	}
	return true
}
