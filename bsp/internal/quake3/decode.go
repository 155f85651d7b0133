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
	"errors"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
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

// directory reads the header and all lumps that are used.
func (d *decoder) directory(context.Context) error {
	head, err := d.f.Head(12 + 8*maxLumps)
	if err != nil {
		return err
	}
	c := le.NewCursor("header", head)
	ident, version := string(c.Bytes(4)), c.Uint32()
	for _, v := range variants {
		if v.ident == ident && v.version == version {
			d.v = v
		}
	}
	if d.v.lumps == 0 {
		return fmt.Errorf("%s version %d: %w", ident, version, errors.ErrUnsupported)
	}
	d.w = &lift.Map{World: &world.World{
		Name: d.o.Name, Unit: d.v.unit(),
		Format: world.Format{Family: "Quake III", Ident: ident, Version: int(version), Game: d.v.game,
			Why: fmt.Sprintf("the file starts with %s and version %d", ident, version)},
	}}
	if d.v.ritual != nil {
		c.Uint32() // a checksum
	}
	for i := range d.lumps {
		d.lumps[i].Name = fmt.Sprintf("lump %d (%s)", i, lumps[i].name)
	}
	var at [maxLumps]struct{ offset, length int32 }
	for place := range d.v.lumps {
		at[place].offset, at[place].length = c.Int32(), c.Int32()
	}
	if err := c.Err(); err != nil {
		return err
	}
	for place := range d.v.lumps {
		i, offset, length := d.v.lumpAt(place), int64(at[place].offset), int64(at[place].length)
		if i == otherLump {
			d.w.Lumps = append(d.w.Lumps, lift.Lump{Index: place, Name: d.v.ritual.others[place], Offset: offset, Size: length})
			continue
		}
		d.lumps[i].Name = fmt.Sprintf("lump %d (%s)", place, lumps[i].name)
		if err := d.readLump(i, place, offset, length); err != nil {
			return err
		}
	}
	return nil
}

// readLump reads lump i if it is used. One that is not in the file is an error, or an issue if the map can be drawn
// without it.
func (d *decoder) readLump(i, place int, offset, length int64) (err error) {
	l := &d.lumps[i]
	info := lift.Lump{Index: place, Name: lumps[i].name, Offset: offset, Size: length}
	if size := d.v.storedSize(i); size > 0 && length > 0 {
		info.Records = int(length) / size
	}
	d.w.Lumps = append(d.w.Lumps, info)
	switch {
	case length == 0:
		return nil
	case lumps[i].use == unused:
		err = d.f.Within(l.Name, offset, length)
	default:
		var read le.Lump
		if read, err = d.f.Lump(l.Name, offset, length); err == nil {
			d.Owe(length)
			*l, err = d.v.rearrange(i, read)
		}
	}
	var broken *le.FormatError
	if lumps[i].use != essential && errors.As(err, &broken) {
		d.Issue(broken.Code, l.Name, "%s", broken.Detail)
		return nil
	}
	return err
}

// readRecords reads the lumps that surfaces are made of.
func (d *decoder) readRecords(context.Context) (err error) {
	shaders, models, surfaces := d.lumps[lumpShaders], d.lumps[lumpModels], d.lumps[lumpSurfaces]
	// A surface costs its record, its place in a model (twice, for what a growing slice wastes) and its shape.
	n := len(surfaces.Data) / d.v.recordSize(lumpSurfaces)
	cost := limit.Bytes[surface](n) + limit.Bytes[int32](n) + limit.Bytes[world.Surface](2*n) + limit.Bytes[world.Triangles](n)
	if err := d.Borrow(int64(len(shaders.Data)+3*len(models.Data)) + cost); err != nil {
		return err
	}
	if d.shaders, err = le.Records[shaderRecord](shaders); err != nil {
		return err
	}
	if d.records, err = le.Records[modelRecord](models); err != nil {
		return err
	}
	if len(d.records) == 0 {
		return models.Fault("empty", -1, "the map has no models")
	}
	if d.surfaces, err = readSurfaces(surfaces, d.v); err != nil {
		return err
	}
	if len(d.surfaces) == 0 {
		return surfaces.Fault("empty", -1, "the map has no surfaces")
	}
	d.vertices = vertices{data: d.lumps[lumpVertices].Data, stride: d.v.recordSize(lumpVertices), slots: d.v.slots()}
	if d.vertices.count, err = d.lumps[lumpVertices].Count(d.vertices.stride); err != nil {
		return err
	}
	if _, err = d.lumps[lumpIndices].Count(4); err != nil {
		return err
	}
	d.indices = d.lumps[lumpIndices].Data
	for i := range d.records {
		if r := &d.records[i]; !lift.Sane(r.Mins[:]...) || !lift.Sane(r.Maxs[:]...) {
			d.Issue("model-box", fmt.Sprintf("model *%d", i), "the box from %g to %g was left out", r.Mins, r.Maxs)
			r.Mins, r.Maxs = [3]float32{}, [3]float32{}
		}
	}
	return nil
}
