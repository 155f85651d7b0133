package respawn

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// entityParts lists the entity files beside a map, NAME_env.ent and so on, for maps that don't list them.
var entityParts = []string{"env", "fx", "script", "snd", "spawn"}

// maxEntityParts is far more than any map lists.
const maxEntityParts = 32

// listedParts returns the entity files that the map lists. The first word of the list is not a file: "01* env
// spawn".
func (m *file) listedParts() []string {
	words := strings.Fields(strings.TrimRight(string(m.lumps[lumpEntityParts].Data), "\x00"))
	if len(words) < 2 || !strings.HasPrefix(words[0], "01") {
		return entityParts
	}
	return words[1:min(len(words), 1+maxEntityParts)]
}

// entityText returns the entity text of the map followed by that of the files beside it.
func (m *file) entityText() (le.Lump, error) {
	l := m.lumps[lumpEntities]
	text := bytes.TrimRight(l.Data, "\x00")
	seen := map[string]bool{}
	for _, part := range m.listedParts() {
		if seen[part] {
			continue
		}
		seen[part] = true
		more, found, err := m.beside("_" + part + ".ent")
		if err != nil {
			return l, err
		}
		if !found {
			continue
		}
		if err := m.dc.Borrow(int64(len(text) + len(more) + 1)); err != nil {
			return l, err
		}
		if head, rest, ok := bytes.Cut(more, []byte("\n")); ok && bytes.HasPrefix(head, []byte("ENTITIES")) {
			more = rest
		}
		text = slices.Concat(text, []byte("\n"), bytes.TrimRight(more, "\x00"))
	}
	l.Data = text
	return l, nil
}

// lampRows holds the layouts of lamps.
var lampRows = []record.Layout[valve.Lamp]{valve.LampV1, lampV2, lampV3}

// lamps decodes the lamps. If none of them is the sun, it adds one with the direction from the level info.
func (m *file) lamps(ctx context.Context, entities []world.Entity, sun [3]float32) ([]world.Light, error) {
	var best record.List[valve.Lamp]
	top := -1
	for _, row := range lampRows {
		l := record.List[valve.Lamp]{Layout: row, Lump: m.lumps[lumpWorldlightsHDR]}
		if fit := l.Score(ctx, valve.Known); fit > top {
			best, top = l, fit
		}
	}
	lamps := valve.NewLamps(m.dc, entities, true, func([3]float32) bool { return false })
	if err := lamps.Read(ctx, &best, m.version); err != nil {
		return nil, err
	}
	normal := record.UnitOrZero(sun)
	if normal == ([3]float32{}) || slices.ContainsFunc(lamps.List, func(l world.Light) bool { return l.Kind == world.SunLight }) {
		return lamps.List, nil
	}
	if normal[2] > 0 { // the light would come from below
		normal = [3]float32{0 - normal[0], 0 - normal[1], 0 - normal[2]}
	}
	err := lamps.Sun(normal)
	return lamps.List, err
}

// cubemaps decodes the positions of cubemaps. The map gives neither their sizes nor their files.
func (m *file) cubemaps() ([]world.Cubemap, error) {
	list := record.List[[3]int32]{Layout: cubemapV1, Lump: m.lumps[lumpCubemaps]}
	records, err := list.Optional(m.dc)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", list.Lump.Name, err)
	}
	if err := m.dc.Reserve(limit.Bytes[world.Cubemap](len(records))); err != nil {
		return nil, err
	}
	var out []world.Cubemap
	for i, at := range records {
		c := world.Cubemap{Origin: [3]float32{float32(at[0]), float32(at[1]), float32(at[2])}}
		if !record.Sane(c.Origin[:]...) {
			m.dc.Issue("cubemap", fmt.Sprintf("cubemap %d", i), "it is at %d", at)
			continue
		}
		out = append(out, c)
	}
	return out, nil
}
