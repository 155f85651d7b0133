package source

import (
	"context"
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
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

// defaultCubemap is the size in pixels that the games took where the map says none.
const defaultCubemap = 32

// landmarks lifts the places of cubemaps and the bodies of water.
func (d *decoder) landmarks(context.Context) error {
	if err := d.cubemaps(); err != nil {
		return err
	}
	return d.waterBodies()
}

func (d *decoder) cubemaps() error {
	records := optionalRecords(d, cubemapV1, lumpCubemaps)
	folder := "materials/maps/" + d.compiledName()
	if err := d.Reserve(int64(len(records)) * int64(len(folder)+40+48)); err != nil {
		return err
	}
	d.w.Cubemaps = make([]world.Cubemap, 0, len(records))
	for i, r := range records {
		c := world.Cubemap{
			Origin: [3]float32{float32(r.origin[0]), float32(r.origin[1]), float32(r.origin[2])}, Size: defaultCubemap,
			Files: fmt.Sprintf("%s/c%d_%d_%d", folder, r.origin[0], r.origin[1], r.origin[2]),
		}
		if !lift.Sane(c.Origin[:]...) || r.size > 13 {
			d.Issue("cubemap", fmt.Sprintf("cubemap %d", i), "it is at %d with size %d", r.origin, r.size)
			continue
		}
		if r.size > 0 {
			c.Size = 1 << (r.size - 1)
		}
		d.w.Cubemaps = append(d.w.Cubemaps, c)
	}
	return nil
}

// compiledName is the map's name when it was compiled: its materials are in a folder of that name, also where the file
// has been renamed.
func (d *decoder) compiledName() string {
	for _, name := range d.names {
		if rest, ok := strings.CutPrefix(name, "maps/"); ok {
			if folder, _, ok := strings.Cut(rest, "/"); ok && folder != "" {
				return folder
			}
		}
	}
	name := entlump.Lower(d.o.Name)
	if d.big { // NAME.360.bsp and NAME.ps3.bsp
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

// waterBodyWide is that of Strata.
var waterBodyWide = lift.Row[waterBody]{Size: 12, Fields: "4*3", Version: 1, Lift: func(b []byte) waterBody {
	return waterBody{le.Float32(b), le.Float32(b[4:]), lift.I32(b[8:])}
}}

func (d *decoder) waterBodies() error {
	records := optionalList(d, &d.lists.waters)
	if len(records) == 0 {
		return nil
	}
	if err := d.Reserve(int64(len(records)) * 16); err != nil {
		return err
	}
	d.w.Waters = make([]world.Water, 0, len(records))
	drawn := d.drawnMaterials()
	for i, r := range records {
		if !lift.Sane(r.surface, r.bottom) {
			d.Issue("water", fmt.Sprintf("water %d", i), "it is from %g to %g", r.surface, r.bottom)
			continue
		}
		w := world.Water{Surface: r.surface, Bottom: r.bottom, Material: -1}
		if m, ok := drawn[r.texinfo]; ok {
			w.Material = m
		} else if r.texinfo >= 0 && r.texinfo < len(d.texinfos) {
			var err error
			if w.Material, _, err = d.material(r.texinfo, world.Fullbright); err != nil {
				return err
			}
		}
		d.w.Waters = append(d.w.Waters, w)
	}
	return nil
}

// drawnMaterials are the materials of the first surfaces with their texinfos.
func (d *decoder) drawnMaterials() map[int]int {
	drawn := map[int]int{}
	for m := range d.w.Models {
		for i := range d.w.Models[m].Surfaces {
			s := &d.w.Models[m].Surfaces[i]
			if _, ok := s.Shape.(*world.Overlay); ok {
				continue
			}
			info := d.faces[s.Record].texinfo
			if _, ok := drawn[info]; !ok {
				drawn[info] = s.Material
			}
		}
	}
	return drawn
}
