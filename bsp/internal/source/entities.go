package source

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/entity"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// escapedEntities is the version of the entity lump in which backslashes escape, as in Strata's maps. StrataSource, issue 1188; sourcepp.
const escapedEntities = 1

// readEntities decodes the entity text, of branches that have two lumps of it that of both.
func readEntities(m *file, v *variant) ([]world.Entity, error) {
	escapes := v.escapes
	if m.entries[lumpEntities].version == escapedEntities {
		escapes = entlump.AllEscapes
	}
	list, err := entity.Read(m.lumps[lumpEntities], escapes, m.dc.Budget, &m.dc.Issues)
	if err != nil || v.entities == 0 {
		return list, err
	}
	more, err := entity.Read(m.lumps[v.entities], escapes, m.dc.Budget, &m.dc.Issues)
	return append(list, more...), err
}

// startExposure returns the exposure with which a map of high dynamic range starts, or nil.
func startExposure(m *file, entities []world.Entity) *world.Exposure {
	if !m.light.hdr {
		return nil
	}
	return valve.StartExposure(entities)
}

// decodeLamps returns the lamps of the compiler's lump, and those that only entities have.
func decodeLamps(ctx context.Context, m *file, l *lists, entities []world.Entity, box *skybox) ([]world.Light, error) {
	lamps := valve.NewLamps(m.dc, entities, m.light.hdr, box.holds)
	err := lamps.Read(ctx, &l.lamps, m.version&0xffff)
	return lamps.List, err
}
