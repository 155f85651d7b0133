package source

import (
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// cubemap is dcubemapsample_t.
type cubemap struct {
	origin [3]int32
	size   uint8 // n is 2^(n-1) pixels per side
}

var cubemapV1 = lift.Row[cubemap]{Size: 16, Fields: "4*3 1*4", Lift: func(b []byte) cubemap {
	return cubemap{[3]int32{le.Int32(b), le.Int32(b[4:]), le.Int32(b[8:])}, b[12]}
}}

// defaultCubemap is the games' default size in pixels.
const defaultCubemap = 32

// cubemaps lifts the positions of cubemaps. folder is the folder of the map's materials.
func cubemaps(job *lift.Job, l le.Lump, folder string) ([]world.Cubemap, error) {
	records, err := liftOptional(job, &lift.List[cubemap]{Row: cubemapV1, Lump: l})
	if err != nil {
		return nil, err
	}
	if err := job.Reserve(int64(len(records)) * int64(len(folder)+40)); err != nil {
		return nil, err
	}
	out, err := limit.Make[world.Cubemap](job.Budget, len(records), "")
	if err != nil {
		return nil, err
	}
	out = out[:0]
	for i, r := range records {
		c := world.Cubemap{
			Origin: [3]float32{float32(r.origin[0]), float32(r.origin[1]), float32(r.origin[2])}, Size: defaultCubemap,
			Files: fmt.Sprintf("%s/c%d_%d_%d", folder, r.origin[0], r.origin[1], r.origin[2]),
		}
		if !lift.Sane(c.Origin[:]...) || r.size > 13 {
			job.Issue("cubemap", fmt.Sprintf("cubemap %d", i), "it is at %d with size %d", r.origin, r.size)
			continue
		}
		if r.size > 0 {
			c.Size = 1 << (r.size - 1)
		}
		out = append(out, c)
	}
	return out, nil
}

// compiledName returns the map's name when it was compiled: its materials are in a folder of that name, even if the
// file was renamed.
func compiledName(m *file, names []string) string {
	for _, name := range names {
		if rest, ok := strings.CutPrefix(name, "maps/"); ok {
			if folder, _, ok := strings.Cut(rest, "/"); ok && folder != "" {
				return folder
			}
		}
	}
	name := entlump.Lower(m.o.Name)
	if m.big { // NAME.360.bsp and NAME.ps3.bsp
		name = strings.TrimSuffix(strings.TrimSuffix(name, ".360"), ".ps3")
	}
	return name
}

// waterBody is dleafwaterdata_t.
type waterBody struct {
	surface, bottom float32
	texinfo         int
}

var waterBodyV1 = lift.Row[waterBody]{Size: 12, Fields: "4*2 2*2", Lift: func(b []byte) waterBody {
	return waterBody{le.Float32(b), le.Float32(b[4:]), lift.I16(b[8:])}
}}

// waterBodyWide is the record of Strata.
var waterBodyWide = lift.Row[waterBody]{Size: 12, Fields: "4*3", Version: 1, Lift: func(b []byte) waterBody {
	return waterBody{le.Float32(b), le.Float32(b[4:]), lift.I32(b[8:])}
}}

// waterBodies lifts the bodies of water. Their materials are those of surfaces, if there are any.
func waterBodies(job *lift.Job, waters *lift.List[waterBody], r *records, materials *valve.Materials,
	models []world.Model) ([]world.Water, error) {
	records, err := liftOptional(job, waters)
	if err != nil || len(records) == 0 {
		return nil, err
	}
	out, err := limit.Make[world.Water](job.Budget, len(records), "")
	if err != nil {
		return nil, err
	}
	out = out[:0]
	drawn := drawnMaterials(r.faces, models)
	within, err := lift.Boxes(job, len(r.leafs), len(records), func(i int) (body int, lo, hi [3]float32) {
		return r.leafs[i].water, r.leafs[i].mins, r.leafs[i].maxs
	})
	if err != nil {
		return nil, err
	}
	for i, body := range records {
		if !lift.Sane(body.surface, body.bottom) {
			job.Issue("water", fmt.Sprintf("water %d", i), "it is from %g to %g", body.surface, body.bottom)
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
