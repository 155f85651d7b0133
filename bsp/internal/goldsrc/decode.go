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
	"slices"

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
	w := &decoding.Map{World: &world.World{Name: o.Name, Unit: m.v.unit, Format: m.format}, Lumps: m.table}
	if err == nil {
		j := &joiner{dc: dc, file: m, w: w}
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
	dc        *decoding.Context
	file      *file
	w         *decoding.Map
	records   *records
	textures  *textures
	materials *materials
	variants  []entity.ShownModel[entityStyle]
}

// join decodes the map, step by step.
func (j *joiner) join(ctx context.Context) error {
	for _, step := range []func(context.Context) error{j.readRecords, j.entities, j.surfaces, j.lamps, j.waters, j.areas, j.solids} {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// readRecords decodes the records and the textures that surfaces are made of.
func (j *joiner) readRecords(ctx context.Context) (err error) {
	if j.records, err = readRecords(j.file); err != nil {
		return err
	}
	j.w.Faces = len(j.records.faces)
	if j.textures, err = readTextures(ctx, j.file, j.records.texinfos); err != nil {
		return err
	}
	j.materials = &materials{dc: j.dc, texinfos: j.records.texinfos, textures: j.textures, index: map[materialKey]int{}}
	for _, t := range j.textures.list {
		if t.picture != nil {
			j.w.Pictures = append(j.w.Pictures, decoding.Picture{Name: t.name, Texture: t.picture})
		}
	}
	return nil
}

// entities decodes the entities, and the map's properties in worldspawn.
func (j *joiner) entities(context.Context) error {
	w, v := j.w, j.file.v
	e, err := readEntities(j.dc, j.file.lumps[lumpEntities], v, len(j.records.models))
	w.Entities, w.Props, j.variants = e.list, e.props, e.variants
	game, class := v.of(w.Entities)
	if j.file.v = game; class != "" {
		w.Format.Game = game.game
		w.Format.Why += ", and has entities of the class " + class
	}
	w.Baked.Styles, w.Baked.Patterns = lightstyle.Levels(w.Entities), lightstyle.Patterns(w.Entities)
	if err == nil {
		w.Props, err = entity.AddItemProps(j.dc, classesOf[v.family], w.Entities, w.Props)
	}
	if err != nil {
		return err
	}
	if v.family == familyGoldSrc {
		if w.Decals, err = j.materials.decals(w.Entities); err != nil {
			return err
		}
	}
	if entity.HasWorldspawn(w.Entities, &j.dc.Issues) {
		if v.fog != nil {
			w.Volumes.Range = v.fog(&w.Entities[0])
		}
		if w.Sky.Name = v.skyName(&w.Entities[0]); w.Sky.Name == "" && v.skies.none != "" && showsSky(v, j.records, j.textures) {
			w.Sky.Name = v.skies.folder + v.skies.none
		}
		if w.Files.Wads, err = wads(j.dc, v, w.Entities[0].Value("wad")); err != nil {
			return err
		}
	}
	if len(w.Decals) > 0 && !slices.Contains(w.Files.Wads, decalWad) {
		w.Files.Wads = append(w.Files.Wads, decalWad)
	}
	return nil
}

// surfaces decodes the models with their faces and their light.
func (j *joiner) surfaces(ctx context.Context) error {
	m, w, r := j.file, j.w, j.records
	l, err := readLight(m, r.faces)
	if err != nil {
		return err
	}
	w.Baked.Display = &world.DisplayLight{
		Albedo: l.curve.Albedo, Exponent: l.curve.Exponent, Most: l.slope.most, Whole: m.v.show.whole, Doubled: m.v.show.doubled,
	}
	w.Baked.HDR = l.packed()
	w.Ambient.Floor = m.v.floorLight(m.o.Overbright, w.Entities)
	charts := &lightmaps{
		dc: j.dc, light: l, resolution: resolution{xash: m.xash, faceinfos: r.faceinfos, shifts: l.shifts}, bright: m.v.bright,
		dark: world.NoChart,
	}
	below := *charts
	s := &surfaces{dc: j.dc, variant: m.v, records: r, textures: j.textures, materials: j.materials, light: charts, variants: j.variants}
	if w.Ambient.Floor != nil && l.any() {
		s.below = &below
	}
	if w.Models, err = s.decode(ctx); err != nil {
		return err
	}
	if s.below != nil {
		if err := s.lightsOfLiquids(ctx, w.Ambient.Floor, m.lumps[lumpLighting].Name); err != nil {
			return err
		}
	}
	if err := entity.ApplyRules(w.World, classesOf[m.v.family], m.dc.Budget, &m.dc.Issues); err != nil {
		return err
	}
	w.Baked.Charts, err = charts.decode(ctx, m.lumps[lumpLighting].Name)
	return err
}

// lamps decodes the lamps of entities and of emissive textures.
func (j *joiner) lamps(ctx context.Context) error {
	w := j.w
	lamps, err := decodeLamps(j.dc, j.file.v, w.Entities)
	if err != nil {
		return err
	}
	shine, err := j.file.shining(ctx)
	if err != nil {
		return err
	}
	w.Materials = j.materials.list
	err = lamps.areaLamps(ctx, shine, w.Models[:len(j.records.models)], w.Materials)
	w.Lights = lamps.list
	return err
}

// waters decodes where an eye is in a liquid.
func (j *joiner) waters(context.Context) (err error) {
	j.w.Volumes.Waters, err = decodeWaters(j.file, j.records)
	return err
}

// areas decodes the areas, if the options ask for them.
func (j *joiner) areas(context.Context) (err error) {
	if j.file.o.Areas {
		j.w.Volumes.Areas, err = decodeAreas(j.file, j.records)
	}
	return err
}

// solids decodes the solids of the map, if the options ask for them: Quake II's brushes, those that a compiler of Quake's maps added
// (BSPX BRUSHLIST), or else the leafs of the models' trees.
func (j *joiner) solids(ctx context.Context) (err error) {
	if !j.file.o.Solids {
		return nil
	}
	s := &solids{dc: j.dc, file: j.file, records: j.records}
	if j.file.v.family == familyQuake2 {
		err = s.brushes(ctx)
	} else if listed, listErr := s.listed(ctx); listErr != nil || !listed {
		if err = listErr; err == nil {
			err = s.cells(ctx)
		}
	}
	j.w.Volumes.Brushes = s.out
	return err
}
