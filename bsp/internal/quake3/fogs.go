package quake3

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// fogs lifts the fog volumes: the boxes of their brushes. A fog whose brush can't be read keeps its index and has no
// size.
func (d *decoder) fogs(context.Context) error {
	l := d.lumps[lumpFogs]
	if err := d.Borrow(int64(len(l.Data)) * 4); err != nil { // records, fogs and materials
		return err
	}
	fogs, err := le.Records[fogRecord](l)
	if err != nil {
		d.Issue("fog", l.Name, "%d bytes is not a multiple of the %d-byte record", len(l.Data), d.v.recordSize(lumpFogs))
		return nil
	}
	materials := map[string]int{}
	for i, f := range fogs {
		name := materialName(le.String(f.Name[:]))
		m, ok := materials[name]
		if !ok {
			m = len(d.w.Materials)
			materials[name] = m
			d.w.Materials = append(d.w.Materials, world.Material{Name: name, Lighting: world.Fullbright})
		}
		fog := world.Fog{Material: m, Global: f.Brush < 0}
		if fog.Global {
			fog.Mins, fog.Maxs = d.records[0].Mins, d.records[0].Maxs
			if a, b := fog.Mins, fog.Maxs; a[0] > b[0] || a[1] > b[1] || a[2] > b[2] {
				d.Issue("fog", fmt.Sprintf("fog %d", i), "the world's box from %g to %g does not bound it", a, b)
				fog.Mins, fog.Maxs = [3]float32{}, [3]float32{}
			}
		} else if fog.Mins, fog.Maxs, ok = d.brushBox(int64(f.Brush)); !ok {
			d.Issue("fog", fmt.Sprintf("fog %d", i), "brush %d does not bound it", f.Brush)
		} else {
			fog.Normal, fog.Distance = d.brushPlane(int64(f.Brush), int64(f.VisibleSide))
		}
		d.w.Volumes.Fogs = append(d.w.Volumes.Fogs, fog)
	}
	return nil
}
