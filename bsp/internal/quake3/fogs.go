package quake3

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// decodeFogs decodes the fog volumes, which are the boxes of their brushes or of the whole map, and returns them with their materials. A
// fog whose brush can't be read keeps its index and has no size.
func decodeFogs(dc *decoding.Context, l le.Lump, s *solids, whole *modelRecord) (fogs []world.Fog, materials []world.Material, err error) {
	if err := dc.Borrow(int64(len(l.Data)) * 4); err != nil { // records, fogs and materials
		return nil, nil, err
	}
	records, err := le.Records[fogRecord](l)
	if err != nil {
		dc.Issue("fog", l.Name, "%d bytes is not a multiple of the %d-byte record", len(l.Data), lumps[lumpFogs].narrow)
		return nil, nil, nil
	}
	index := map[string]int{} // of materials, by name
	for i, r := range records {
		name := materialName(le.String(r.Name[:]))
		m, ok := index[name]
		if !ok {
			m = len(materials)
			index[name] = m
			materials = append(materials, world.Material{Name: name, Lighting: world.Fullbright})
		}
		fog := world.Fog{Material: m, Global: r.Brush < 0}
		if fog.Global {
			fog.Mins, fog.Maxs = whole.Mins, whole.Maxs
			if a, b := fog.Mins, fog.Maxs; a[0] > b[0] || a[1] > b[1] || a[2] > b[2] {
				dc.Issue("fog", fmt.Sprintf("fog %d", i), "the world's box from %g to %g does not bound it", a, b)
				fog.Mins, fog.Maxs = [3]float32{}, [3]float32{}
			}
		} else if fog.Mins, fog.Maxs, ok = s.box(int64(r.Brush)); !ok {
			dc.Issue("fog", fmt.Sprintf("fog %d", i), "brush %d does not bound it", r.Brush)
		} else {
			fog.Normal, fog.Distance = s.plane(int64(r.Brush), int64(r.VisibleSide))
		}
		fogs = append(fogs, fog)
	}
	return fogs, materials, nil
}
