// Package goldsrc reads the maps of Quake's engine and its descendants: Quake (version 29, BSP2 and 2PSB), GoldSrc (30,
// Half-Life and Counter-Strike), Xash3D (31) and Quake II (IBSP 38).
//
// A map is a directory of lumps without names. Faces are polygons of edges that they share; a texinfo projects their
// texture. Textures are pictures in the map (Quake), in archives that the map names (GoldSrc may have both) or files
// (Quake II). The number of luxels of a face is not stored: it follows from its corners, a luxel for 16 texels, and
// different rounding gives a different picture. The name of its texture, in Quake II a flag, makes a surface a sky, a
// liquid or a grate; the entity determines how a brush model is drawn.
//
// Light is stored in gamma space, grey in Quake and coloured later. Files beside the map and blocks behind its last lump
// (BSPX) may replace it.
package goldsrc

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/entity"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lightstyle"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Decode reads a map. It fails if the directory or an essential lump (planes, vertices, texinfo, faces, edges, surfedges,
// models) is broken, or if a limit is exceeded; any other defect is an issue. The result does not depend on the number of
// cores. If it fails after the header, the map is as in decoding.Map.Refused.
func Decode(ctx context.Context, f *le.File, o Options) (*decoding.Map, error) {
	dc := decoding.NewContext(f.Budget())
	defer dc.Done()
	m, err := open(dc, f, o)
	if m == nil {
		return nil, err
	}
	w := &decoding.Map{World: &world.World{Name: o.Name, Unit: m.v.unit, Format: m.format}, Lumps: m.table,
		ReadLump: decoding.Stored(f)}
	if err == nil {
		err = m.decode(ctx, w)
	}
	if err != nil {
		return w.Refused(), err
	}
	w.Issues = dc.Issues.List()
	return w, nil
}

// decode fills in a world. The entities and the number of faces are set as soon as they are known: they describe also a map that is
// refused.
func (m *file) decode(ctx context.Context, w *decoding.Map) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r, err := readRecords(m)
	if err != nil {
		return err
	}
	w.Faces, w.Apps = len(r.faces), m.v.apps
	textures, err := readTextures(ctx, m, r.texinfos)
	if err != nil {
		return err
	}
	w.Pictures = textures.pictures()
	materials := newMaterials(m.dc, r.texinfos, textures)

	text, from, err := entity.External(m.dc, m.o.Files, m.o.Name, m.lumps[lumpEntities])
	if err != nil {
		return err
	}
	w.Format.Why += from
	entities, err := readEntities(m.dc, text, m.v, len(r.models))
	w.Entities = entities.list
	v, class := m.v.detectGame(w.Entities)
	if class != "" {
		w.Format.Game = v.game
		w.Format.Why += ", and has entities of the class " + class
	}
	if err != nil {
		return err
	}
	if w.Props, err = entity.AddItemProps(m.dc, classesOf[v.family], w.Entities, entities.props); err != nil {
		return err
	}
	if w.Decals, err = decodeDecals(v, w.Entities, materials); err != nil {
		return err
	}
	if entity.HasWorldspawn(w.Entities, &m.dc.Issues) {
		v = v.withLiquidKeys(&w.Entities[0])
		w.Volumes.RangeFog = v.fogOf(&w.Entities[0])
		w.Sky.Name = v.skyOf(&w.Entities[0], r, textures)
	}
	if w.Files.Wads, err = wads(m.dc, v, w.Entities, w.Decals); err != nil {
		return err
	}
	w.Files.Replacements, w.Files.GlowMasks = v.replacements(m.o.Name), v.family == familyQuake2
	if v.family == familyGoldSrc {
		_, name, err := m.beside(m.o.Name+"_detail.txt", "maps/")
		if err != nil {
			return err
		}
		if name != "" { // Xash3D, mod_bmodel.c, Mod_ParseDetailTextures
			m.dc.Issue("detail-textures", name, "the fine patterns that the game multiplies textures by are not shown")
		}
	}

	light, err := readLight(m, v.show, r)
	if err != nil {
		return err
	}
	w.Baked = light.baked(v.show)
	w.Baked.Styles, w.Baked.Patterns = lightstyle.Levels(w.Entities), lightstyle.Patterns(w.Entities)
	if w.Ambient.Grid, err = readLightGrid(m, light, v.show, w.Baked.Styles); err != nil {
		return err
	}
	charts := newLightmaps(m, v, r, light)
	w.Ambient.Floor = v.floorLight(m.o.Overbright, w.Entities)
	normals, err := readNormals(m, r)
	if err != nil {
		return err
	}
	models := &modelDecoder{
		dc: m.dc, variant: v, records: r, textures: textures, materials: materials, light: charts, normals: normals, shown: entities.shown,
	}
	if w.Ambient.Floor != nil && light.any() {
		models.below = newLightmaps(m, v, r, light)
	}
	if w.Models, err = models.decode(ctx); err != nil {
		return err
	}
	if models.below != nil {
		if w.Ambient.Floor.Hidden, err = models.hiddenLiquids(ctx); err != nil {
			return err
		}
	}
	if err := entity.ApplyRules(w.World, classesOf[v.family], m.dc.Budget, &m.dc.Issues); err != nil {
		return err
	}
	if w.Baked.Charts, err = charts.decode(ctx); err != nil {
		return err
	}
	w.Materials = materials.list
	if w.Lights, err = decodeLights(ctx, m, v, w.Entities, w.Models[:len(r.models)], w.Materials); err != nil {
		return err
	}

	if w.Volumes.Waters, err = decodeWaters(m, r); err != nil {
		return err
	}
	if m.o.Areas {
		if w.Volumes.Areas, err = decodeAreas(m, r); err != nil {
			return err
		}
	}
	if m.o.Solids {
		w.Volumes.Brushes, err = decodeSolids(ctx, m, r)
	}
	return err
}
