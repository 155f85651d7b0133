package quake3

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
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

// brushBox finds the box of a brush from its first six sides, which are -X +X -Y +Y -Z +Z
// (Quake III Arena, tr_bsp.c, R_LoadFogs).
func (d *decoder) brushBox(brush int64) (mins, maxs [3]float32, ok bool) {
	b, ok := stored(brushV46, d.lumps[lumpBrushes], brush)
	if !ok || b.sides < 6 {
		return [3]float32{}, [3]float32{}, false
	}
	for i := range 6 {
		p, ok := sidePlane(d.v, d.lumps[lumpBrushSides], d.lumps[lumpPlanes], b, int64(i))
		if !ok {
			return [3]float32{}, [3]float32{}, false
		}
		if i%2 == 0 {
			mins[i/2] = 0 - p.distance // never -0
		} else {
			maxs[i/2] = p.distance
		}
	}
	ok = lift.Sane(mins[:]...) && lift.Sane(maxs[:]...) && mins[0] <= maxs[0] && mins[1] <= maxs[1] && mins[2] <= maxs[2]
	if !ok {
		return [3]float32{}, [3]float32{}, false
	}
	return mins, maxs, true
}

// brushPlane returns the plane of a brush's side, or zero if it is missing or invalid.
func (d *decoder) brushPlane(brush, i int64) (normal [3]float32, distance float32) {
	b, ok := stored(brushV46, d.lumps[lumpBrushes], brush)
	if !ok || i < 0 || i >= int64(b.sides) {
		return [3]float32{}, 0
	}
	p, ok := sidePlane(d.v, d.lumps[lumpBrushSides], d.lumps[lumpPlanes], b, i)
	if !ok || !p.is() {
		return [3]float32{}, 0
	}
	return p.normal, p.distance
}

// sidePlane returns the plane of side i of a brush; ok is false if there is none.
func sidePlane(v variant, sides, planes le.Lump, b brush, i int64) (p plane, ok bool) {
	side, ok := stored(v.side(), sides, int64(b.firstSide)+i)
	if !ok {
		return p, false
	}
	return stored(planeV46, planes, int64(side))
}
