package buildid

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf"
)

// Program distinguishes versions of the tool, also those between releases: by the commit or the downloaded module that it was built
// from or, if it was changed or neither is known, by the program's own bytes. An image from the cache is then what this program would make.
func Program() string {
	if c := Commit(); Exact(c) {
		return bsp2gltf.Version + " " + c
	}
	if m := Module(); m != "" {
		return bsp2gltf.Version + " " + m
	}
	return strings.TrimSpace(bsp2gltf.Version + " " + Hash())
}
