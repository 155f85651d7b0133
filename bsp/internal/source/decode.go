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
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

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
	w := &decoding.Map{World: &world.World{Name: o.Name, Unit: unit, Format: m.format(), Files: world.Files{Described: true}}}
	if err == nil {
		err = m.decode(ctx, w)
	}
	if err != nil {
		return w.Refused(), err
	}
	w.Issues, w.Apps = dc.Issues.List(), appsOf(o.Game)
	if w.Apps == nil {
		w.Apps = appsOf(w.Format.Game)
	}
	return w, nil
}

// decode fills in a world. The lumps, the number of faces and the entities are set as soon as they are known: they describe also a map
// that is refused.
func (m *file) decode(ctx context.Context, w *decoding.Map) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	dc := m.dc
	w.Lumps, w.ReadLump = m.table(), m.lumpReader()
	if err := m.readLumps(ctx); err != nil {
		return err
	}
	w.ReadLump = m.lumpReader() // with the patches
	fit, err := m.chooseVariant(ctx)
	if err != nil {
		return err
	}
	v, lists := fit.variant, &fit.lists
	w.Format.Game, w.Format.Why = v.game, w.Format.Why+fit.told
	lists.countRecords(w.Lumps, &m.entries)
	r, err := readRecords(m, lists)
	if err != nil {
		return err
	}
	w.Faces, w.Baked.HDR = len(r.faces), m.light.hdr
	materials, err := valve.NewMaterials(dc, r.texdatas, lumpName(lumpTexdata), m.lumps[lumpTexdataStrings].Data,
		m.lumps[lumpTexdataTable].Data)
	if err != nil {
		return err
	}
	props := &valve.Props{Context: dc}

	if w.Entities, err = readEntities(m, v); err != nil {
		return err
	}
	placed, err := valve.Place(ctx, dc, w.Entities, len(r.models), materials, props)
	if err != nil {
		return err
	}
	w.Decals, w.Ropes = placed.Decals, placed.Ropes
	w.Sky.Name, w.Sky.Painted = placed.Sky, valve.PaintedSky(placed.Sky, w.Entities)
	w.Volumes.RangeFog = valve.MasterFog(w.Entities)
	w.Baked.Styles, w.Baked.Patterns = lightstyle.Levels(w.Entities), lightstyle.Patterns(w.Entities)
	w.Baked.Smooth, w.Baked.Exposure = true, startExposure(m, w.Entities) // r_lightinterp
	box, err := findSkybox(ctx, dc, r.tree(), &lists.leafFaces, r.models, w.Entities, props.List)
	if err != nil {
		return err
	}

	charts, err := newLightmaps(m, v, r.faces, r.texinfos)
	if err != nil {
		return err
	}
	faces, err := newFaces(ctx, m, v, lists, r, materials, charts)
	if err != nil {
		return err
	}
	models, spots, err := decodeModels(ctx, dc, r, faces, box)
	if err != nil {
		return err
	}
	bothSides(models, faces.waters, materials.List)
	w.Models, w.Sky.Skybox3D = models, box.world()
	if err := applyStyles(ctx, dc, w.World, materials); err != nil {
		return err
	}
	if w.Baked.Charts, err = charts.decode(ctx); err != nil {
		return err
	}
	if err := addOverlays(ctx, m, lists, r, materials, w.Models, spots); err != nil {
		return err
	}
	static, err := readGameLump(ctx, m, v, w.Entities, materials, props, box)
	if err != nil {
		return err
	}

	if w.Lights, err = decodeLamps(ctx, m, lists, w.Entities, box); err != nil {
		return err
	}
	if w.Ambient.Leafs, err = r.tree().world(ctx, dc); err != nil {
		return err
	}
	w.Ambient.Probes, err = decodeProbes(ctx, dc, r.leafs, w.Ambient.Leafs, m.lumps[m.light.ambient], &lists.ambient,
		lumpName(m.light.index))
	if err != nil {
		return err
	}
	if m.o.Areas {
		if w.Volumes.Areas, err = decodeAreas(m, r.leafs, w.Ambient.Leafs); err != nil {
			return err
		}
	}
	if w.Cubemaps, err = cubemaps(dc, m.lumps[lumpCubemaps], "materials/maps/"+compiledName(m, materials.Names)); err != nil {
		return err
	}
	if w.Volumes.Waters, err = waterBodies(dc, &lists.waters, r, materials, w.Models); err != nil {
		return err
	}
	if w.Volumes.Brushes, err = decodeBrushes(ctx, dc, m.lumps[lumpBrushes], lists, r); err != nil {
		return err
	}
	if w.Ambient.Leafs != nil {
		if w.Ambient.Leafs.Brushes, err = shades(ctx, dc, r.leafs, &lists.leafBrushes, w.Volumes.Brushes); err != nil {
			return err
		}
	}
	if w.Volumes.CollisionSurfaces, err = solidDisplacements(dc, w.Models, r); err != nil {
		return err
	}

	if w.Files.Pak, err = readPakfile(m); err != nil {
		return err
	}
	w.Materials, w.Props = materials.List, props.List
	nameGame(&w.Format, m, v, w.Entities, static)
	return entity.ApplyRules(w.World, classes.Source, dc.Budget, &dc.Issues)
}
