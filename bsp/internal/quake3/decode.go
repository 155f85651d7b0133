// Package quake3 reads the maps of Quake III and its kin: IBSP 46 and 47, RBSP, FBSP, FAKK and EF2!.
//
// A map is a directory of 17 or 18 lumps. Surfaces are polygons and meshes (vertices with draw indices), Bezier
// patches (a grid of control points) and flares; their vertices carry texture and lightmap coordinates, so no planes
// or edges are needed to draw them. Light is in square pages of 8-bit RGB, inside the file or beside it, stored darker
// than it is shown by an overbright shift.
//
// Raven's and QFusion's wide records have room for four lightmaps and colours per vertex, each with a light style.
// The narrow records are lifted to them, so that all code after the records knows one layout.
package quake3

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// unit makes a player of 56 units 1.75 metres tall, ritualUnit one of 96 units (F.A.K.K. 2's bg_public.h) 1.8.
const (
	unit       = 1.0 / 32
	ritualUnit = 0.01875
)

// Decode reads a map. It fails where the directory or an essential lump (entities, shaders, models, vertices, indices,
// surfaces, lightmaps) is broken, and on a limit; a broken surface, entity, fog or light is an issue, and the rest is
// kept. The result does not depend on the number of cores.
func Decode(ctx context.Context, f *le.File, o Options) (*lift.Map, error) {
	d := &decoder{Job: lift.NewJob(f.Budget()), o: o, f: f, materials: map[materialKey]int{}}
	defer d.Done()
	for _, step := range []func(context.Context) error{
		d.directory, d.readRecords, d.entities, d.findEngine, d.lamps, d.fogs, d.readLightmaps, d.models, d.hideVolumes, d.grid, d.brushes, d.areas,
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := step(ctx); err != nil {
			return d.w.Refused(), err
		}
	}
	if d.kept == 0 && len(d.w.Billboards) == 0 {
		return d.w.Refused(), &le.FormatError{Code: "empty", Index: -1, Offset: -1,
			Detail: fmt.Sprintf("none of the %d surfaces can be read", len(d.surfaces))}
	}
	d.w.Issues = d.Issues.List()
	return d.w, nil
}
