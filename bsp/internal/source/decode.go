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

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/entity"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lightstyle"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/solid"
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
// number of cores. If it fails after the directory was read, the map is as in decoding.Map.Refused.
func Decode(ctx context.Context, f *le.File, o Options) (*decoding.Map, error) {
	dc := decoding.NewContext(f.Budget())
	defer dc.Done()
	m, err := open(dc, f, o)
	if m == nil {
		return nil, err
	}
	w := &decoding.Map{World: &world.World{Name: o.Name, Unit: unit, Format: m.format()}}
	if err == nil {
		j := &joiner{dc: dc, file: m, w: w}
		err = j.join(ctx)
	}
	if err != nil {
		return w.Refused(), err
	}
	w.Issues, w.Apps = dc.Issues.List(), apps[o.Game]
	if w.Apps == nil {
		w.Apps = apps[w.Format.Game]
	}
	return w, nil
}

// joiner joins the results of the steps in the world. No step sees it.
type joiner struct {
	dc        *decoding.Context
	file      *file
	w         *decoding.Map
	variant   *variant
	lists     *lists
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
		j.readLumps, j.readRecords, j.entities, j.surfaces, j.overlays, j.gameLump, j.light, j.places, j.solids, j.carried,
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
	if err := m.dc.Complete(m.f, m.parts()); err != nil {
		return err
	}
	if err := m.readLumps(ctx); err != nil {
		return err
	}
	v, err := m.chooseVariant(ctx)
	if err != nil {
		return err
	}
	j.variant, j.lists = v.variant, &v.lists
	w.Format.Game = v.variant.game
	w.Format.Why += v.told
	v.lists.countRecords(w.Lumps, &m.entries)
	return nil
}

// readRecords decodes the records that surfaces are made of, and the names of their materials.
func (j *joiner) readRecords(context.Context) (err error) {
	m := j.file
	if j.records, err = readRecords(m, j.lists); err != nil {
		return err
	}
	j.w.Faces, j.w.Baked.HDR = len(j.records.faces), m.light.hdr
	j.materials, err = valve.NewMaterials(j.dc, j.records.texdatas, lumpName(lumpTexdata), m.lumps[lumpTexdataStrings].Data,
		m.lumps[lumpTexdataTable].Data)
	j.props = &valve.Props{Context: j.dc}
	return err
}

// entities decodes the entities, and the props and lamps that they place.
func (j *joiner) entities(ctx context.Context) (err error) {
	w, r := j.w, j.records
	if w.Entities, err = entities(j.file, j.variant); err != nil {
		return err
	}
	w.Volumes.Range = valve.MasterFog(w.Entities)
	if w.Baked.HDR {
		w.Baked.Exposure = valve.StartExposure(w.Entities)
	}
	placed, err := valve.Place(ctx, j.dc, w.Entities, len(r.models), j.materials, j.props)
	if err != nil {
		return err
	}
	w.Baked.Patterns, w.Baked.Smooth = lightstyle.Patterns(w.Entities), true // r_lightinterp
	w.Decals, w.Ropes, w.Sky.Name, w.Baked.Styles = placed.Decals, placed.Ropes, placed.Sky, lightstyle.Levels(w.Entities)
	j.box, err = findSkybox(ctx, j.dc, r.tree(), &j.lists.leafFaces, r.models, w.Entities, j.props.List)
	return err
}

// entities decodes the entity text.
func entities(m *file, v *variant) ([]world.Entity, error) {
	decoded := entity.Read
	if v.escapes {
		decoded = entity.ReadEscaped
	}
	list, err := decoded(m.lumps[lumpEntities], m.dc.Budget, &m.dc.Issues)
	if err != nil || v.entities == 0 {
		return list, err
	}
	more, err := decoded(m.lumps[v.entities], m.dc.Budget, &m.dc.Issues)
	return append(list, more...), err
}

// surfaces decodes the models with their faces and their light.
func (j *joiner) surfaces(ctx context.Context) error {
	m, w, r, l := j.file, j.w, j.records, j.lists
	light, err := newLightmaps(m, j.variant, r.faces, r.texinfos)
	if err != nil {
		return err
	}
	f := &faces{
		dc: j.dc, list: r.faces, texinfos: r.texinfos, planes: r.planes, materials: j.materials, light: light,
		edges:      &record.Edges{Surfedges: m.lumps[lumpSurfedges].Data, List: l.edges, Vertices: m.lumps[lumpVertices].Data},
		disps:      newDisplacements(j.dc, m, j.variant, r.disps),
		primitives: &primitives{dc: j.dc, indices: l.primIndices, vertices: m.lumps[lumpPrimVertices].Data},
	}
	if !m.o.Original { // the lumps are of the faces that the compiler split
		f.primitives.list = r.primitives
		if f.normals, err = findNormals(j.dc, r.faces, l.normalIndices, m.lumps[lumpNormals].Data); err != nil {
			return err
		}
	}
	if f.waters, err = undersides(ctx, r, f.edges); err != nil {
		return err
	}
	if w.Models, j.spots, err = decodeModels(ctx, j.dc, r, f, j.box); err != nil {
		return err
	}
	bothSides(w.Models, f.waters, j.materials.List)
	if j.box != nil {
		w.Sky.Skybox3D = &j.box.box
	}
	if err := applyDrawings(ctx, j.dc, w.World, j.materials); err != nil {
		return err
	}
	w.Baked.Charts, err = light.decode(ctx)
	return err
}

// overlays adds the overlays of surfaces and of water to the surfaces.
func (j *joiner) overlays(ctx context.Context) error {
	d := &overlays{dc: j.dc, texinfos: j.records.texinfos, materials: j.materials, models: j.w.Models, spots: j.spots, layers: layers{}}
	fades, err := decodeOptional(j.dc, &record.List[[2]float32]{Layout: fadeV1, Lump: j.file.lumps[lumpOverlayFades]})
	if err != nil {
		return err
	}
	if err := d.add(ctx, lumpOverlays, &j.lists.overlays, fades, len(j.records.faces)); err != nil {
		return err
	}
	return d.add(ctx, lumpWaterOverlays, &j.lists.waterOverlays, nil, len(j.records.faces))
}

// gameLump decodes the static props and the detail props.
func (j *joiner) gameLump(ctx context.Context) error {
	static := valve.StaticProps{Props: j.props, ScreenFade: j.file.version&0xffff <= lastScreenFade, InBox: j.box.holds}
	details := valve.DetailProps{Props: j.props, Materials: j.materials, Sheet: valve.SheetName(j.w.Entities), InBox: j.box.holds,
		Light: luxel}
	return j.file.gameLump().decode(ctx, j.variant.layouts.gameEntries, gameDecoders{
		{"sprp", func(ctx context.Context, version int, l le.Lump) error {
			game, err := static.Lump(ctx, version, l, j.variant.forms)
			j.static = propsFound{version, game}
			return err
		}},
		{"dprp", details.Lump},
	})
}

// light decodes the lamps and the light for moving objects.
func (j *joiner) light(ctx context.Context) error {
	m, w, r := j.file, j.w, j.records
	lamps := valve.NewLamps(j.dc, w.Entities, m.light.hdr, j.box.holds)
	if err := lamps.Lump(ctx, &j.lists.lamps); err != nil {
		return err
	}
	w.Lights = lamps.List
	tree, err := r.tree().world(ctx, j.dc)
	if err != nil {
		return err
	}
	w.Ambient.Leafs = tree
	w.Ambient.Probes, err = decodeProbes(ctx, j.dc, r.leafs, tree, m.lumps[m.light.ambient], &j.lists.ambient, lumpName(m.light.index))
	if err == nil && m.o.Areas {
		w.Volumes.Areas, err = decodeAreas(m, r.leafs, tree)
	}
	return err
}

// places decodes the positions of cubemaps and the bodies of water.
func (j *joiner) places(context.Context) (err error) {
	w := j.w
	if w.Cubemaps, err = cubemaps(j.dc, j.file.lumps[lumpCubemaps],
		"materials/maps/"+compiledName(j.file, j.materials.Names)); err != nil {
		return err
	}
	w.Volumes.Waters, err = waterBodies(j.dc, &j.lists.waters, j.records, j.materials, w.Models)
	return err
}

// solids decodes the brushes, which of them block light, and which displacements stop bodies.
func (j *joiner) solids(ctx context.Context) (err error) {
	w := j.w
	if w.Volumes.Brushes, err = decodeBrushes(ctx, j.dc, j.file.lumps[lumpBrushes], j.lists, j.records); err != nil {
		return err
	}
	if w.Ambient.Leafs != nil {
		if w.Ambient.Leafs.Brushes, err = shades(ctx, j.dc, j.records.leafs, &j.lists.leafBrushes, w.Volumes.Brushes); err != nil {
			return err
		}
	}
	w.Volumes.CollisionSurfaces, err = solid.CollisionSurfaces(j.dc, w.Models, contentsNames, func(s *world.Surface) uint32 {
		if _, ok := s.Shape.(*world.Displacement); !ok {
			return 0
		}
		return j.records.disps[j.records.faces[s.Record].disp].stops()
	})
	return err
}

// carried sets the map's pakfile, and names its game.
func (j *joiner) carried(context.Context) (err error) {
	m, w := j.file, j.w
	if x := m.entries[lumpXZip]; j.variant.pages && x.length > 0 {
		j.dc.Issue("lump-unsupported", lumpName(lumpXZip),
			"the archive of %d bytes in it is not read: its compression is unknown", x.length)
	}
	e := m.entries[lumpPakfile]
	if w.Files.Pak, err = valve.Pak(j.dc, m.f, lumpName(lumpPakfile), e.offset, e.length, m.big); err != nil {
		return err
	}
	w.Materials, w.Props = j.materials.List, j.props.List
	nameGame(&w.Format, m, j.variant, w.Entities, j.static)
	return entity.ApplyRules(w.World, classes.Source, j.dc.Budget, &j.dc.Issues)
}
