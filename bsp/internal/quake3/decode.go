// Package quake3 reads the maps of Quake III and its kin: IBSP 46 and 47, RBSP, FBSP, FAKK and EF2!.
//
// A map is a directory of 17 or 18 lumps. Surfaces are polygons and meshes (vertices with draw indices), Bezier
// patches (a grid of control points) and flares; their vertices carry texture and lightmap coordinates, so no planes
// or edges are needed to draw them. Light is in square pages of 8-bit RGB, inside the file or beside it, stored darker
// than it is shown by an overbright shift.
//
// Raven's and QFusion's wide records have room for four lightmaps and colours per vertex, each with a light style.
// The narrow records are decoded to them, so that all code after the records knows one layout.
package quake3

import (
	"cmp"
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/entity"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/solid"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// unit makes a player of 56 units 1.75 metres tall, ritualUnit one of 96 units (F.A.K.K. 2's bg_public.h) 1.8.
const (
	unit       = 1.0 / 32
	ritualUnit = 0.01875
)

// Decode reads a map. It fails if the directory or an essential lump (entities, shaders, models, vertices, indices, surfaces,
// lightmaps) is broken, or if a limit is exceeded; a broken surface, entity, fog or light is an issue, and the rest is kept. The
// result does not depend on the number of cores. If it fails after the header, the map is as in decoding.Map.Refused.
func Decode(ctx context.Context, f *le.File, o Options) (*decoding.Map, error) {
	dc := decoding.NewContext(f.Budget())
	defer dc.Done()
	m, err := open(dc, f)
	if m == nil {
		return nil, err
	}
	w := &decoding.Map{World: &world.World{Name: o.Name, Unit: m.variant.unit(), Format: m.format}, Lumps: m.table}
	if err == nil {
		j := &joiner{dc: dc, options: o, file: m, w: w}
		err = j.join(ctx)
	}
	if err != nil {
		return w.Refused(), err
	}
	w.Issues = dc.Issues.List()
	return w, nil
}

// joiner joins the results of the steps in the world. No step sees it.
type joiner struct {
	dc      *decoding.Context
	options Options
	file    *file
	w       *decoding.Map
	records *records
	solids  *solids
	curve   *curve
	light   *lightmaps
	game    classes.Family // whose movers and items the map has
	foreign bool           // or of items that are not known
}

// join decodes the map, step by step.
func (j *joiner) join(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		j.readRecords, j.entities, j.engine, j.items, j.lamps, j.fogs, j.lightmaps, j.surfaces, j.grid, j.brushes, j.areas,
	} {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// readRecords decodes the records that surfaces are made of.
func (j *joiner) readRecords(context.Context) (err error) {
	j.solids = j.file.solids()
	j.records, err = readRecords(j.dc, j.file)
	return err
}

// entities decodes the entities and the props that they place.
func (j *joiner) entities(context.Context) (err error) {
	w := j.w
	w.Entities, w.Props, err = readEntities(j.dc, j.file.lumps[lumpEntities], j.file.variant.classes, len(j.records.models))
	return err
}

// engine finds how the map's engine shows light.
func (j *joiner) engine(context.Context) error {
	w := j.w
	e := j.file.variant.engine
	if j.file.variant.marked() {
		if m, why := findMark(j.options, w.Entities); m != nil {
			e, w.Format.Game = m.engine, m.game
			w.Format.Why += why
		}
	}
	if len(w.Entities) > 0 {
		if e.fog != nil {
			w.Volumes.Range = e.fog(&w.Entities[0])
		}
		e = e.of(&w.Entities[0])
	}
	j.game, j.foreign = cmp.Or(e.game, j.file.variant.classes), e.foreign
	w.Baked.Gamma = e.gamma
	if j.options.Overbright > ownOverbright {
		e = e.shifted(j.options.Overbright)
	}
	w.Baked.Filtered, w.Baked.Styles = e.filtered, j.file.variant.levels(w.Entities)
	j.curve = newCurve(e, j.options.Albedo, w.Baked.Styles, j.file.variant.slots())
	w.Baked.Display = j.curve.display()
	return nil
}

// items adds the props of entities whose models the game's code names.
func (j *joiner) items(context.Context) (err error) {
	if !j.foreign {
		j.w.Props, err = entity.AddItemProps(j.dc, j.game, j.w.Entities, j.w.Props)
	}
	return err
}

// lamps decodes the lamps.
func (j *joiner) lamps(context.Context) (err error) {
	j.w.Lights, err = decodeLamps(j.dc, j.file.variant.classes, j.w.Entities)
	return err
}

// fogs decodes the volumes of fog, with their materials.
func (j *joiner) fogs(context.Context) (err error) {
	j.w.Volumes.Fogs, j.w.Materials, err = decodeFogs(j.dc, j.file.lumps[lumpFogs], j.solids, &j.records.models[0])
	return err
}

// lightmaps reads the pages of light, and decodes those that surfaces show as a whole.
func (j *joiner) lightmaps(ctx context.Context) error {
	p, err := readPages(j.dc, j.file.lumps[lumpLightmaps], j.file.variant.page, j.options, j.records.surfaces, j.w.Entities)
	if err != nil {
		return err
	}
	j.w.Baked.Display.Directed = j.curve.engine.filtered && p.deluxe
	j.light, err = newLightmaps(ctx, j.dc, p, j.curve, j.records, j.options)
	return err
}

// surfaces decodes the models with their surfaces, and shows them as their entities do.
func (j *joiner) surfaces(ctx context.Context) error {
	w, v := j.w, j.file.variant
	d := &surfaces{
		dc: j.dc, records: j.records, light: j.light, fogs: len(w.Volumes.Fogs),
		materials: &materials{dc: j.dc, shaders: j.records.shaders, flags: v.flags, list: w.Materials, index: map[materialKey]int{}},
		shapes:    &shapes{dc: j.dc, curve: j.curve, vertices: &j.records.vertices, indices: j.records.indices, terrain: v.ritual != nil},
	}
	var err error
	if w.Models, w.Billboards, err = d.decode(ctx); err != nil {
		return err
	}
	w.Faces, w.Materials, w.Baked.Charts = len(j.records.surfaces), d.materials.list, j.light.charts
	if d.kept == 0 && len(w.Billboards) == 0 {
		return &le.FormatError{Code: "empty", Index: -1, Offset: -1, Detail: fmt.Sprintf("none of the %d surfaces can be read", w.Faces)}
	}
	if err := hideVolumes(ctx, j.dc, w.World, v.classes); err != nil {
		return err
	}
	return entity.ApplyRules(w.World, j.game, j.dc.Budget, &j.dc.Issues)
}

// grid decodes the light of moving objects.
func (j *joiner) grid(context.Context) (err error) {
	j.w.Ambient.Grid, err = decodeGrid(j.dc, j.file, &j.records.models[0], j.w.Entities, j.curve)
	return err
}

// brushes decodes the solids: the brushes, and the patches that have contents.
func (j *joiner) brushes(ctx context.Context) (err error) {
	w, names := j.w, j.file.variant.contents()
	if w.Volumes.Brushes, err = decodeBrushes(ctx, j.dc, j.solids, j.records, names); err != nil {
		return err
	}
	w.Volumes.CollisionSurfaces, err = solid.CollisionSurfaces(j.dc, w.Models, names, func(s *world.Surface) uint32 {
		if _, ok := s.Shape.(*world.Patch); !ok {
			return 0
		}
		return w.Materials[s.Material].Contents
	})
	return err
}

// areas decodes the areas, if the options ask for them.
func (j *joiner) areas(context.Context) (err error) {
	if j.options.Areas {
		j.w.Volumes.Areas, err = decodeAreas(j.dc, j.file, &j.solids.planes)
	}
	return err
}
