// Package source reads the maps of Valve's Source engine and of its branches in various games.
//
// A map is a directory of 64 lumps, each of which may be packed with LZMA. Faces are polygons with shared edges; a
// texinfo projects their texture and their luxels, a texdata names the material. A face may have primitives, triangles
// that leave no gaps where a neighbour's corner touches its edge, or be the base of a displacement, a grid of displaced
// points. Light is stored per face as shared-exponent colours: once for low and once for high dynamic range, each with
// separate faces; faces with a normal map have it four times, flat and for three directions. Some entities are compiled
// into separate lumps: overlays, static props, lamps, cubemaps.
//
// A branch has different records, a different directory or byte order, and is often not identified by the version: many
// branches share one, and lump versions may be wrong. So a branch is a row of a table (variants.go) with the layouts of its
// records, and the branch is chosen whose records are consistent in the map: its faces refer to existing edges, and its
// displacements and faces refer to each other.
package source

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// lastScreenFade is the last map version whose static props may fade by their size on the screen; later the flag means that they
// are drawn in fast reflections.
const lastScreenFade = 20

// unit is an inch in metres: the games' people are 72 units tall.
const unit = 0.0254

// Decode reads a map. It fails if the directory or an essential lump (planes, texdata, vertices, texinfo, faces, edges,
// surfedges, models) is broken, or if a limit is exceeded; any other defect is an issue. The result does not depend on the
// number of cores. If it fails after the directory was read, the map is as in lift.Map.Refused.
func Decode(ctx context.Context, f *le.File, o Options) (*lift.Map, error) {
	job := lift.NewJob(f.Budget())
	defer job.Done()
	m, err := open(job, f, o)
	if m == nil {
		return nil, err
	}
	w := &lift.Map{World: &world.World{Name: o.Name, Unit: unit, Turns: true, Format: m.format()}}
	if err == nil {
		j := &joiner{Job: job, file: m, w: w}
		err = j.join(ctx)
	}
	if err != nil {
		return w.Refused(), err
	}
	w.Issues, w.Apps = job.Issues.List(), apps[o.Game]
	if w.Apps == nil {
		w.Apps = apps[w.Format.Game]
	}
	return w, nil
}

// joiner joins the results of the steps in the world. No step sees it.
type joiner struct {
	*lift.Job
	file      *file
	w         *lift.Map
	variant   *fitted
	records   *records
	materials *valve.Materials
	props     *valve.Props
	box       *skybox
	spots     []valve.Spot // by face
	static    propsFound
}

// join decodes the map, step by step.
func (j *joiner) join(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		j.readLumps, j.readRecords, j.entities, j.surfaces, j.onSurfaces, j.gameLump, j.light, j.places, j.solids, j.carried,
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

// readLumps reads the lumps, and finds the map's variant.
func (j *joiner) readLumps(ctx context.Context) (err error) {
	m, w := j.file, j.w
	w.Lumps = m.table()
	if err := m.lumpPatches(); err != nil {
		return err
	}
	if err := m.readLumps(ctx); err != nil {
		return err
	}
	if j.variant, err = m.chooseVariant(ctx); err != nil {
		return err
	}
	w.Format.Game = j.variant.game
	w.Format.Why += j.variant.told
	j.variant.countRecords(w.Lumps, &m.entries)
	return nil
}

// readRecords lifts the records that surfaces are made of, and the names of their materials.
func (j *joiner) readRecords(context.Context) (err error) {
	m := j.file
	if j.records, err = readRecords(m, &j.variant.lists); err != nil {
		return err
	}
	j.w.Faces, j.w.Baked.HDR = len(j.records.faces), m.light.hdr
	j.materials, err = valve.NewMaterials(j.Job, j.records.texdatas, lumpName(lumpTexdata), m.lumps[lumpTexdataStrings].Data, m.lumps[lumpTexdataTable].Data)
	j.props = &valve.Props{Job: j.Job}
	return err
}

// entities lifts the entities, and the props and lamps that they place.
func (j *joiner) entities(ctx context.Context) (err error) {
	w := j.w
	if w.Entities, err = entities(j.file, j.variant.variant); err != nil {
		return err
	}
	placed, err := valve.Place(ctx, j.Job, w.Entities, len(j.records.models), j.materials, j.props)
	if err != nil {
		return err
	}
	w.Decals, w.Ropes, w.Sky.Name, w.Baked.Styles = placed.Decals, placed.Ropes, placed.Sky, lift.Styles(w.Entities)
	j.box, err = findSkybox(ctx, j.Job, j.records, w.Entities, j.props.List)
	return err
}

// entities lifts the entity text.
func entities(m *file, v *variant) ([]world.Entity, error) {
	lifted := lift.Entities
	if v.escapes {
		lifted = lift.EscapedEntities
	}
	list, err := lifted(m.lumps[lumpEntities], m.Budget, &m.Issues)
	if err != nil || v.entities == 0 {
		return list, err
	}
	more, err := lifted(m.lumps[v.entities], m.Budget, &m.Issues)
	return append(list, more...), err
}

// surfaces lifts the models with their faces and their light.
func (j *joiner) surfaces(ctx context.Context) (err error) {
	m, w := j.file, j.w
	f := &faces{Job: j.Job, records: j.records, variant: j.variant.variant, version: m.version & 0xffff, original: m.o.Original, materials: j.materials}
	if f.light, err = newLightmaps(m, j.variant.variant, j.records); err != nil {
		return err
	}
	if !m.o.Original {
		if f.normalAt, err = j.records.findNormals(j.Job); err != nil {
			return err
		}
	}
	if w.Models, j.spots, err = f.surfaces(ctx, j.box); err != nil {
		return err
	}
	if j.box != nil {
		w.Sky.Box = &j.box.Box
	}
	if err := brushLooks(ctx, j.Job, w.World, j.materials); err != nil {
		return err
	}
	w.Baked.Charts, err = f.light.lift(ctx)
	return err
}

// onSurfaces adds the overlays to the surfaces.
func (j *joiner) onSurfaces(ctx context.Context) error {
	return layOverlays(ctx, j.Job, j.records, j.materials, j.w.Models, j.spots)
}

// gameLump lifts the static props and the detail props.
func (j *joiner) gameLump(ctx context.Context) error {
	static := valve.StaticProps{Props: j.props, ScreenFade: j.file.version&0xffff <= lastScreenFade, InBox: j.box.holds}
	details := detailProps{Job: j.Job, props: j.props, materials: j.materials, sheet: sheetName(j.w.Entities), inBox: j.box.holds}
	return j.file.gameLump(ctx, j.variant.variant, gameLifters{
		{"sprp", func(ctx context.Context, version int, l le.Lump) error {
			game, err := static.Lump(ctx, version, l, j.variant.forms)
			j.static = propsFound{version, game}
			return err
		}},
		{"dprp", details.lump},
	})
}

// light lifts the lamps and the light for moving objects.
func (j *joiner) light(ctx context.Context) (err error) {
	lamps := valve.NewLamps(j.Job, j.w.Entities, j.file.light.hdr, j.box.holds)
	if err := lamps.Lump(ctx, &j.records.lamps); err != nil {
		return err
	}
	j.w.Lights = lamps.List
	j.w.Ambient.Probes, j.w.Ambient.Leafs, err = j.records.liftProbes(ctx, j.Job, j.file.light)
	if err == nil && j.file.o.Areas {
		j.w.Volumes.Areas, err = j.records.areas(j.file, j.w.Ambient.Leafs)
	}
	return err
}

// places lifts the positions of cubemaps and the bodies of water.
func (j *joiner) places(context.Context) (err error) {
	w := j.w
	if w.Cubemaps, err = cubemaps(j.Job, j.file.lumps[lumpCubemaps], "materials/maps/"+compiledName(j.file, j.materials.Names)); err != nil {
		return err
	}
	w.Volumes.Waters, err = j.records.waterBodies(j.Job, j.materials, w.Models)
	return err
}

// solids lifts the brushes, and which of them block light.
func (j *joiner) solids(ctx context.Context) (err error) {
	w := j.w
	if w.Volumes.Brushes, err = j.records.liftBrushes(ctx, j.Job); err != nil {
		return err
	}
	if w.Ambient.Leafs != nil {
		w.Ambient.Leafs.Brushes, err = j.records.shades(ctx, j.Job, w.Volumes.Brushes)
	}
	return err
}

// carried sets the map's pakfile, and names its game.
func (j *joiner) carried(context.Context) (err error) {
	m, w := j.file, j.w
	if x := m.entries[lumpXZip]; j.variant.variant.pages && x.length > 0 {
		j.Issue("lump-unsupported", lumpName(lumpXZip), "the archive of %d bytes in it is not read: its compression is unknown", x.length)
	}
	e := m.entries[lumpPakfile]
	if w.Files.Pak, err = valve.Pak(j.Job, m.f, lumpName(lumpPakfile), e.offset, e.length, m.big); err != nil {
		return err
	}
	w.Materials, w.Props = j.materials.List, j.props.List
	nameGame(&w.Format, m, j.variant.variant, w.Entities, j.static)
	return nil
}
