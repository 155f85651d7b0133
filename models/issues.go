package models

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// faultCode returns the issue code for a model that can't be shown. A model that the map does not name is not the map's
// fault.
func faultCode(code string, p *world.Prop) string {
	if p.Assumed && code == "model-missing" {
		return "character-missing"
	}
	return code
}

// entityOf returns the entity of a prop, or an empty one.
func entityOf(w *world.World, p *world.Prop) *world.Entity {
	if p.Entity == world.NoEntity {
		return &world.Entity{Model: world.NoModel}
	}
	return &w.Entities[p.Entity]
}

// report adds an issue at a prop to the world.
func report(w *world.World, code string, p *world.Prop, format string, args ...any) {
	where := fmt.Sprintf("%s prop %d", p.Kind, p.Record)
	if p.Kind == world.FileProp {
		where = "model"
	} else if p.Entity != world.NoEntity {
		where = fmt.Sprintf("entity %d (%s)", p.Entity, entityOf(w, p).Class())
	}
	w.Issues = append(w.Issues, world.Issue{Code: code, Where: where, Detail: fmt.Sprintf(format, args...)})
}
