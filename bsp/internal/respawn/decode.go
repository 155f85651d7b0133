// Package respawn reads the maps of Titanfall and Titanfall 2, rBSP, a format that Respawn derived from Valve's.
//
// A map has 128 lumps. Those of the first 64 that are still used have the same indices as in Valve's format. Each lump may be
// in a separate file beside the map. Instead of faces there are meshes: triangles of vertices of four kinds, two of which
// have light. A material sort gives a mesh its texture data and its page of light. Texture data, entities, static props,
// lamps and the archive have changed little: package valve decodes them.
//
// The sources are tools that were written by examining the games' maps (bsp_tool, MRVN-Radiant, SourceIO), and one
// map for Titanfall 2 from MRVN-Radiant as far as its contents go. The meaning of the light is not documented.
package respawn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/entity"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lightstyle"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// bigIdent is the ident of big-endian maps, rBSP in reverse.
const bigIdent = "PSBr"

// games maps each version that is read to its game.
var games = map[int]string{29: "Titanfall", 36: "Titanfall 2's technical test", 37: "Titanfall 2"}

// firstApex is the first version of Apex Legends, whose maps have different vertices, meshes and materials.
const firstApex = 47

// gameOf returns the game of a map's version. For other versions it returns an error that describes the map.
func gameOf(m *file) (string, error) {
	if game, ok := games[m.version]; ok {
		return game, nil
	}
	what := "a map of the engine of Titanfall"
	if m.version&0xffff >= firstApex { // later maps have a second number in the upper half
		what = "a map of Apex Legends"
	}
	if m.big {
		what += " for a big-endian console"
	}
	return "", fmt.Errorf("this is %s, %s version %s: %w", what, m.ident, decoding.VersionText(m.version), errors.ErrUnsupported)
}

// format describes the file. The lumps must have been read before.
func (m *file) format() world.Format {
	why := fmt.Sprintf("the file starts with %s and version %d", m.ident, m.version)
	if m.big {
		why += ", its numbers big-endian as on consoles"
	}
	if m.others > 0 {
		why += fmt.Sprintf(", with %d lumps in files beside it", m.others)
	}
	return world.Format{Family: "Titanfall", Ident: m.ident, Version: m.version, Game: m.game, Why: why}
}

// Options holds what the decoder needs to know and the file does not state.
type Options struct {
	Name  string // of the map, without folder and extension
	Files fs.FS  // file system with lumps and entities in separate files, or nil
}

// unit is the length of a map unit, an inch, in metres.
const unit = 0.0254

// Decode reads a map. It fails if the directory or an essential lump is broken or a limit is exceeded. Other broken parts are
// left out and reported as issues. The result does not depend on the number of cores. If it fails after the header, the map is
// as described at decoding.Map.Refused.
func Decode(ctx context.Context, f *le.File, o Options) (*decoding.Map, error) {
	dc := decoding.NewContext(f.Budget())
	defer dc.Done()
	m, err := open(dc, f, o)
	if m == nil {
		return nil, err
	}
	w := &decoding.Map{World: &world.World{Name: o.Name, Unit: unit,
		Format: world.Format{Family: "Titanfall", Ident: m.ident, Version: m.version}}}
	if err == nil {
		err = m.decode(ctx, w)
	}
	if err != nil {
		return w.Refused(), err
	}
	w.Issues = dc.Issues.List()
	return w, nil
}

// decode runs the steps and adds their results to the world.
func (m *file) decode(ctx context.Context, w *decoding.Map) error {
	err := m.readLumps(ctx)
	w.Lumps, w.ReadLump = m.table, m.lumpReader()
	if err != nil {
		return err
	}
	w.Format = m.format()
	r, err := readRecords(m.dc, &m.lumps)
	if err != nil {
		return err
	}
	w.Faces = len(r.meshes)
	materials, err := valve.NewMaterials(m.dc, r.texdatas, "lump 2 (texdata)", m.lumps[lumpTexdataStrings].Data,
		m.lumps[lumpTexdataTable].Data)
	if err != nil {
		return err
	}
	text, err := m.entityText()
	if err != nil {
		return err
	}
	if w.Entities, err = entity.Read(text, entlump.NoEscapes, m.dc.Budget, &m.dc.Issues); err != nil {
		return err
	}
	w.Volumes.RangeFog = valve.MasterFog(w.Entities)
	props := &valve.Props{Context: m.dc}
	placed, err := valve.Place(ctx, m.dc, w.Entities, len(r.models), materials, props)
	if err != nil {
		return err
	}
	w.Decals, w.Ropes, w.Sky.Name, w.Baked.Styles = placed.Decals, placed.Ropes, placed.Sky, lightstyle.Levels(w.Entities)
	light, err := findPages(m.dc, r.headers, &m.lumps)
	if err != nil {
		return err
	}
	decoder, err := newMeshes(m.dc, r, &m.lumps, materials, light)
	if err != nil {
		return err
	}
	if w.Models, _, err = valve.BuildModels(ctx, m.dc, r.models, valve.Faces{Count: len(r.meshes), Decode: decoder.mesh}); err != nil {
		return err
	}
	if !slices.ContainsFunc(w.Models, func(m world.Model) bool { return len(m.Surfaces) > 0 }) {
		return &le.FormatError{Code: "empty", Index: -1, Offset: -1, Detail: fmt.Sprintf("none of the %d faces can be read", len(r.meshes))}
	}
	if w.Baked.Charts, err = light.decode(ctx); err != nil {
		return err
	}
	if err := m.gameLump(ctx, props); err != nil {
		return err
	}
	if w.Lights, err = m.lamps(ctx, w.Entities, r.level.sun); err != nil {
		return err
	}
	if w.Cubemaps, err = m.cubemaps(); err != nil {
		return err
	}
	w.Materials, w.Props = materials.List, props.List
	if err := entity.ApplyRules(w.World, classes.Titanfall, m.dc.Budget, &m.dc.Issues); err != nil {
		return err
	}
	w.Files.Described = true
	w.Files.Pak, err = m.pak()
	return err
}
