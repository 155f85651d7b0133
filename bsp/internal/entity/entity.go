// Package entity reads the entity text of maps of all families, and applies the rules of the games to the entities: which models they show,
// where they start, and how they move.
package entity

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Read decodes the entity text, without models. It fails if a limit is exceeded; mistakes in the text are issues.
func Read(l le.Lump, escapes entlump.Escapes, b *limit.Budget, is *world.Issues) ([]world.Entity, error) {
	blocks, faults, err := entlump.Parse(l.Data, escapes, b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.Name, err)
	}
	for _, f := range faults {
		is.Add("entity-text", fmt.Sprintf("entity %d", f.Entity), "%s", f.Detail)
	}
	pairs := 0
	for _, block := range blocks {
		pairs += len(block)
	}
	if err := b.Reserve(limit.Bytes[world.Entity](len(blocks)) + limit.Bytes[world.Pair](pairs)); err != nil {
		return nil, fmt.Errorf("%s: %w", l.Name, err)
	}
	out := make([]world.Entity, len(blocks))
	for i, block := range blocks {
		e := &out[i]
		e.Pairs, e.Model = make([]world.Pair, len(block)), world.NoModel
		for k, p := range block {
			e.Pairs[k] = world.Pair{Key: entlump.Text(p[0]), Value: entlump.Text(p[1])}
		}
	}
	return out, nil
}

// SetBrushModel sets the model of entity i, given the number of models. The first entity is always the world.
func SetBrushModel(i int, e *world.Entity, models int, is *world.Issues) {
	if i == 0 {
		e.Model = 0
		return
	}
	name, ok := strings.CutPrefix(e.Value("model"), "*")
	if !ok {
		return
	}
	n, err := strconv.ParseUint(name, 10, 31)
	if err != nil || n == 0 || int(n) >= models {
		is.Add("entity-model", fmt.Sprintf("entity %d", i), "%.40q has model %.40q, the map has *1 to *%d", e.Class(), "*"+name, models-1)
		return
	}
	e.Model = int(n)
}

// HasWorldspawn reports whether the first entity is the world's, as it should be.
func HasWorldspawn(entities []world.Entity, is *world.Issues) bool {
	if len(entities) > 0 && strings.EqualFold(entities[0].Class(), "worldspawn") {
		return true
	}
	is.Add("entity-worldspawn", "entity 0", "the first entity is not worldspawn")
	return false
}
