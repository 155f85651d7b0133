package batch

import (
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
)

// ContentType returns the MIME type that a web server should send for a file that a batch wrote, by the file's
// name.
func ContentType(name string) string {
	ext := strings.ToLower(path.Ext(name))
	for _, f := range convert.Formats() {
		if ext == "."+f.Name {
			return f.MIME
		}
	}
	if f := picture.Written(ext); f != "" {
		return f.MIME()
	}
	return "application/octet-stream"
}
