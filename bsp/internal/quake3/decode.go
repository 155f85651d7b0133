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

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/entity"
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
	w := &decoding.Map{World: &world.World{Name: o.Name, Unit: m.variant.unit(), Format: m.format}, Lumps: m.table,
		ReadLump: decoding.Stored(f)}
	if err == nil {
		err = m.decode(ctx, o, w)
	}
	if err != nil {
		return w.Refused(), err
	}
	w.Issues = dc.Issues.List()
	return w, nil
}

// decode fills in a world. The entities are set as soon as they are known: they describe also a map that is refused.
func (m *file) decode(ctx context.Context, o Options, w *decoding.Map) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	dc, v := m.dc, m.variant
	brushes := m.solids()
	r, err := readRecords(dc, m)
	if err != nil {
		return err
	}
	whole := &r.models[0]

	text := m.lumps[lumpEntities]
	if w.Entities, w.Props, err = readEntities(dc, text, v.classes, len(r.models)); err != nil {
		return err
	}
	engine := v.engine
	if mark, why := findMark(v, o, w.Entities); mark != nil {
		engine, w.Format.Game = mark.engine, mark.game
		w.Format.Why += why
	}
	if engine.patched {
		text, from, err := entity.External(dc, o.Files, o.Name, text)
		if err != nil {
			return err
		}
		if from != "" {
			w.Format.Why += from
			if w.Entities, w.Props, err = readEntities(dc, text, v.classes, len(r.models)); err != nil {
				return err
			}
		}
	}
	engine, w.Volumes.RangeFog = engine.withKeys(w.Entities)
	game := cmp.Or(engine.game, v.classes) // whose movers and items the map has
	if !engine.foreign {
		if w.Props, err = entity.AddItemProps(dc, game, w.Entities, w.Props); err != nil {
			return err
		}
	}

	styles := v.levels(w.Entities)
	curve := newCurve(engine.shifted(o.Overbright), o.Albedo, styles, v.slots())
	w.Baked = world.BakedLight{Gamma: engine.gamma, Filtered: engine.filtered, Styles: styles, Display: curve.display()}
	if w.Lights, err = decodeLamps(dc, v.classes, w.Entities); err != nil {
		return err
	}
	fogs, fogMaterials, err := decodeFogs(dc, m.lumps[lumpFogs], brushes, whole)
	if err != nil {
		return err
	}
	w.Volumes.Fogs = fogs
	pages, err := readPages(dc, m.lumps[lumpLightmaps], v.page, o, r.surfaces, w.Entities)
	if err != nil {
		return err
	}
	w.Baked.Display.Directed = engine.filtered && pages.deluxe
	charts, err := newLightmaps(ctx, dc, pages, curve, r, o)
	if err != nil {
		return err
	}

	materials := &materials{dc: dc, shaders: r.shaders, flags: v.flags, list: fogMaterials, index: map[materialKey]int{}}
	shapes := &shapes{dc: dc, curve: curve, vertices: &r.vertices, indices: r.indices, terrain: v.ritual != nil}
	surfaces := &surfaces{dc: dc, records: r, light: charts, materials: materials, shapes: shapes, fogs: len(fogs)}
	if w.Models, w.Billboards, err = surfaces.decode(ctx); err != nil {
		return err
	}
	w.Faces, w.Materials, w.Baked.Charts = len(r.surfaces), materials.list, charts.charts
	if surfaces.kept == 0 && len(w.Billboards) == 0 {
		return &le.FormatError{Code: "empty", Index: -1, Offset: -1, Detail: fmt.Sprintf("none of the %d surfaces can be read", w.Faces)}
	}
	if err := hideVolumes(ctx, dc, w.World, v.classes); err != nil {
		return err
	}
	if err := entity.ApplyRules(w.World, game, dc.Budget, &dc.Issues); err != nil {
		return err
	}

	if w.Ambient.Grid, err = decodeGrid(dc, m, whole, w.Entities, curve); err != nil {
		return err
	}
	if w.Volumes.Brushes, err = decodeBrushes(ctx, dc, brushes, r, v.contents()); err != nil {
		return err
	}
	if w.Volumes.CollisionSurfaces, err = solidPatches(dc, w.Models, w.Materials, v.contents()); err != nil {
		return err
	}
	if o.Areas {
		w.Volumes.Areas, err = decodeAreas(dc, m, &brushes.planes)
	}
	return err
}
