package goldsrc

import (
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
)

// wads returns the archives of textures that worldspawn lists, without folders, in lower case.
func wads(dc *decoding.Context, v *variant, list string) (wads []string, err error) {
	if !v.coloured {
		return nil, nil // Quake's compilers put all textures into the map
	}
	for name := range strings.SplitSeq(list, ";") {
		name = path.Base(strings.TrimSpace(entlump.Lower(name)))
		if path.Ext(name) != ".wad" {
			continue
		}
		if err := dc.Reserve(32 + int64(len(name))); err != nil {
			return nil, err
		}
		wads = append(wads, name)
	}
	return wads, nil
}
