package goldsrc

import (
	"path"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// wads returns the archives of textures that worldspawn lists, without folders, in lower case, and that of decals if there are any.
func wads(dc *decoding.Context, v *variant, entities []world.Entity, decals []world.Decal) (wads []string, err error) {
	list := ""
	inMap := v.family == familyQuake || v.family == familyHexen2 // their compilers put all textures into the map
	if !inMap && len(entities) > 0 && strings.EqualFold(entities[0].Class(), "worldspawn") {
		list = entities[0].Value("wad")
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
	if len(decals) > 0 && !slices.Contains(wads, decalWad) {
		wads = append(wads, decalWad)
	}
	return wads, nil
}
