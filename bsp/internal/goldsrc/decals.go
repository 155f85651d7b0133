package goldsrc

import (
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// decalWad is the archive of decal images, which maps don't name.
const decalWad = "decals.wad"

// decodeDecals returns the decals that GoldSrc's entities project on nearby surfaces, with their materials. A decal with a name appears
// only when it is triggered. Half-Life SDK, dlls/world.cpp, CDecal.
func decodeDecals(v *variant, entities []world.Entity, d *materials) (list []world.Decal, err error) {
	if v.family != familyGoldSrc {
		return nil, nil
	}
	made := map[string]int{}
	for i := range entities {
		e := &entities[i]
		if !strings.EqualFold(e.Class(), "infodecal") || e.Value("targetname") != "" {
			continue
		}
		name := entlump.Lower(e.Value("texture"))
		at, ok := e.Vector("origin")
		if name == "" || !ok || !record.Sane(at[:]...) {
			d.dc.Issue("decal", fmt.Sprintf("entity %d", i), "it has no texture or no place")
			continue
		}
		m, ok := made[name]
		if !ok {
			m = len(d.list)
			made[name] = m
			if d.list, err = limit.Append(d.dc.Budget, d.list, "decals", world.Material{Name: name}); err != nil {
				return nil, err
			}
		}
		if list, err = limit.Append(d.dc.Budget, list, "decals", world.Decal{Material: m, Position: at, Entity: i}); err != nil {
			return nil, err
		}
	}
	return list, nil
}
