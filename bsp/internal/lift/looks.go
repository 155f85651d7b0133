package lift

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/movers"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Variant is a brush model as an entity shows it: record Record of the map's models with the appearance L.
type Variant[L any] struct {
	Record int
	Look   L
}

// Variants returns the brush models of a map with the appearances of their entities. Several entities may share a model, for
// instance a breakable wall and a trigger. The first variants are the map's models, each as shown by the first entity that
// draws it, else by its first entity; for an entity that shows it differently, a variant is appended and becomes the entity's
// model.
func Variants[L comparable](entities []world.Entity, models int, look func(*world.Entity) L, drawn func(L) bool) []Variant[L] {
	out := make([]Variant[L], models)
	known, shown := make([]bool, models), make([]bool, models)
	looks := make([]L, len(entities))
	for i := range entities {
		m := entities[i].Model
		if m <= 0 {
			continue
		}
		looks[i] = look(&entities[i])
		if visible := drawn(looks[i]); !known[m] || visible && !shown[m] {
			out[m].Look, known[m], shown[m] = looks[i], true, visible
		}
	}
	for i := range out {
		out[i].Record = i
	}
	return addVariants(out, entities, looks)
}

// addVariants appends variants for the entities that show their model differently from the first.
func addVariants[L comparable](out []Variant[L], entities []world.Entity, looks []L) []Variant[L] {
	others := map[Variant[L]]int{}
	for i := range entities {
		e := &entities[i]
		if e.Model <= 0 || looks[i] == out[e.Model].Look {
			continue
		}
		v := Variant[L]{e.Model, looks[i]}
		if _, ok := others[v]; !ok {
			others[v] = len(out)
			out = append(out, v)
		}
		e.Model = others[v]
	}
	return out
}

// CopyName returns the name of model i, a variant of a record. It does not start with *, because its faces are not
// counted again.
func CopyName(i, record int) string { return fmt.Sprintf("model %d (*%d)", i, record) }

// Copies adds the models of the appended variants. They share their data.
func Copies[L any](ctx context.Context, w *world.World, b *limit.Budget, variants []Variant[L]) error {
	for i := len(w.Models); i < len(variants); i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		from := &w.Models[variants[i].Record]
		surfaces, err := limit.Make[world.Surface](b, len(from.Surfaces), from.Name)
		if err != nil {
			return err
		}
		copy(surfaces, from.Surfaces)
		m := world.Model{Name: CopyName(i, variants[i].Record), Mins: from.Mins, Maxs: from.Maxs, Surfaces: surfaces}
		if w.Models, err = limit.Append(b, w.Models, from.Name, m); err != nil {
			return err
		}
	}
	return nil
}

// Starts sets how the game turns, places and moves entities, and how it drops them. What moves in the game alone is an issue. It must be
// called after the models and the props are set. It fails if a limit is exceeded.
func Starts(w *world.World, f classes.Family, b *limit.Budget, is *world.Issues) error {
	movers.Still(w, f, is)
	for i := range w.Entities {
		e := &w.Entities[i]
		e.Drop = classes.DropOf(f, e)
	}
	if err := movers.Set(w, f, b); err != nil {
		return err
	}
	for i := range w.Props { // a mover's own model
		p := &w.Props[i]
		if p.Entity == world.NoEntity || p.Kind != world.EntityProp {
			continue
		}
		if e := &w.Entities[p.Entity]; e.Start != nil && e.Model == world.NoModel {
			p.Origin, p.Angles = e.Start.Origin, e.Start.Angles
		}
	}
	return nil
}
