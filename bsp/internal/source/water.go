package source

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/liquid"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// waterBody is dleafwaterdata_t.
type waterBody struct {
	surface, bottom float32
	texinfo         int
}

var waterBodyV1 = record.Layout[waterBody]{Size: 12, Fields: "4*2 2*2", Decode: func(b []byte) waterBody {
	return waterBody{le.Float32(b), le.Float32(b[4:]), record.I16(b[8:])}
}}

// waterBodyWide is the record of Strata.
var waterBodyWide = record.Layout[waterBody]{Size: 12, Fields: "4*3", Version: 1, Decode: func(b []byte) waterBody {
	return waterBody{le.Float32(b), le.Float32(b[4:]), record.I32(b[8:])}
}}

// waterBodies decodes the bodies of water. Their materials are those of surfaces, if there are any.
func waterBodies(dc *decoding.Context, waters *record.List[waterBody], r *records, materials *valve.Materials,
	models []world.Model) ([]world.Water, error) {
	records, err := decodeOptional(dc, waters)
	if err != nil || len(records) == 0 {
		return nil, err
	}
	out, err := limit.Make[world.Water](dc.Budget, len(records), "")
	if err != nil {
		return nil, err
	}
	out = out[:0]
	drawn := drawnMaterials(r.faces, models)
	within, err := liquid.Boxes(dc, len(r.leafs), len(records), func(i int) (body int, lo, hi [3]float32) {
		return r.leafs[i].water, r.leafs[i].mins, r.leafs[i].maxs
	})
	if err != nil {
		return nil, err
	}
	for i, body := range records {
		if !record.Sane(body.surface, body.bottom) {
			dc.Issue("water", fmt.Sprintf("water %d", i), "it is from %g to %g", body.surface, body.bottom)
			continue
		}
		w := world.Water{Surface: body.surface, Bottom: body.bottom, Material: -1, Boxes: within[i]}
		if m, ok := drawn[body.texinfo]; ok {
			w.Material = m
		} else if body.texinfo >= 0 && body.texinfo < len(r.texinfos) {
			if w.Material, _, err = r.texinfos[body.texinfo].material(materials, world.Fullbright); err != nil {
				return nil, err
			}
		}
		out = append(out, w)
	}
	return out, nil
}

// drawnMaterials returns, by texinfo, the material of its first surface.
func drawnMaterials(faces []face, models []world.Model) map[int]int {
	drawn := map[int]int{}
	for m := range models {
		for i := range models[m].Surfaces {
			s := &models[m].Surfaces[i]
			if _, ok := s.Shape.(*world.Overlay); ok {
				continue
			}
			info := faces[s.Record].texinfo
			if _, ok := drawn[info]; !ok {
				drawn[info] = s.Material
			}
		}
	}
	return drawn
}
