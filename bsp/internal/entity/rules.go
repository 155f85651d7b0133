package entity

import (
	"context"
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/movers"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// ShownModel is a brush model as an entity shows it: record Record of the map's models with the appearance L.
type ShownModel[L any] struct {
	Record     int
	Appearance L
}

// ShownModels returns the brush models of a map with the appearances of their entities. Several entities may share a model, for
// instance a breakable wall and a trigger. The first are the map's models, each as shown by the first entity that
// draws it, else by its first entity; for an entity that shows it differently, one more is appended and becomes the entity's
// model.
func ShownModels[L comparable](entities []world.Entity, models int, look func(*world.Entity) L, drawn func(L) bool) []ShownModel[L] {
	out := make([]ShownModel[L], models)
	known, shown := make([]bool, models), make([]bool, models)
	looks := make([]L, len(entities))
	for i := range entities {
		m := entities[i].Model
		if m <= 0 {
			continue
		}
		looks[i] = look(&entities[i])
		if visible := drawn(looks[i]); !known[m] || visible && !shown[m] {
			out[m].Appearance, known[m], shown[m] = looks[i], true, visible
		}
	}
	for i := range out {
		out[i].Record = i
	}
	return addShownModels(out, entities, looks)
}

// addShownModels appends shown models for the entities that show their model differently from the first.
func addShownModels[L comparable](out []ShownModel[L], entities []world.Entity, looks []L) []ShownModel[L] {
	others := map[ShownModel[L]]int{}
	for i := range entities {
		e := &entities[i]
		if e.Model <= 0 || looks[i] == out[e.Model].Appearance {
			continue
		}
		v := ShownModel[L]{e.Model, looks[i]}
		if _, ok := others[v]; !ok {
			others[v] = len(out)
			out = append(out, v)
		}
		e.Model = others[v]
	}
	return out
}

// CopyName returns the name of model i, which shows a record once more. It does not start with *, because its faces are not
// counted again.
func CopyName(i, record int) string { return fmt.Sprintf("model %d (*%d)", i, record) }

// AddCopies adds the models of the appended shown models. They share their data.
func AddCopies[L any](ctx context.Context, w *world.World, b *limit.Budget, shown []ShownModel[L]) error {
	for i := len(w.Models); i < len(shown); i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		from := &w.Models[shown[i].Record]
		surfaces, err := limit.Make[world.Surface](b, len(from.Surfaces), from.Name)
		if err != nil {
			return err
		}
		copy(surfaces, from.Surfaces)
		m := world.Model{Name: CopyName(i, shown[i].Record), Mins: from.Mins, Maxs: from.Maxs, Surfaces: surfaces}
		if w.Models, err = limit.Append(b, w.Models, from.Name, m); err != nil {
			return err
		}
	}
	return nil
}

// ApplyRules sets how the game turns, places and moves entities, and how it drops them. What the game alone draws or moves is an issue. It
// must be called after the models and the props are set. It fails if a limit is exceeded.
func ApplyRules(w *world.World, f classes.Family, b *limit.Budget, is *world.Issues) error {
	tellEffects(w.Entities, f, is)
	movers.ReportUnsupported(w, f, is)
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

// tellEffects adds an issue for each class of entities that the game draws and that are not shown.
func tellEffects(entities []world.Entity, f classes.Family, is *world.Issues) {
	count, order := map[string]int{}, []string{}
	for i := range entities {
		class := strings.ToLower(entities[i].Class())
		if count[class] == 0 {
			order = append(order, class)
		}
		count[class]++
	}
	for _, class := range order {
		if what := classes.Effect(f, class); what != "" {
			is.Add("entity-effect", class, "%s: not shown for %s", what, Number(count[class]))
		}
	}
	if len(entities) > 0 {
		for _, k := range classes.UnshownKeys(f, &entities[0]) {
			is.Add("entity-effect", "worldspawn", "key %s: in the game %s, which is not shown", k.Key, k.What)
		}
	}
}

// Number returns the number of entities of a class, as the end of an issue's sentence.
func Number(n int) string {
	if n == 1 {
		return "1 entity of this class"
	}
	return fmt.Sprintf("%d entities of this class", n)
}
