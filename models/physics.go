package models

import (
	"context"
	"io/fs"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/models/internal/phy"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Physics reads the physics of Source's props that are solid by it, the .phy files beside their models, and sets the props' Pieces. A
// missing file is no issue: in the game such a prop stops nothing. It fails if a limit is exceeded or ctx ends.
func Physics(ctx context.Context, files fs.FS, w *world.World) error {
	l := &library{ctx: ctx, files: files, budget: limit.From(ctx)}
	var names []string
	users := map[string][]int{} // props by file
	for i := range w.Props {
		p := &w.Props[i]
		name := clean(p.Model)
		if path.Ext(name) != ".mdl" || p.Level > 0 || !solid(p, entityOf(w, p)) {
			continue
		}
		name = strings.TrimSuffix(name, ".mdl") + ".phy"
		if users[name] == nil {
			names = append(names, name)
		}
		users[name] = append(users[name], i)
	}
	type read struct {
		pieces []world.Piece
		err    error
	}
	list, err := par.Map(ctx, len(names), func(i int) (r read, err error) {
		data, err := l.file(names[i])
		if err == nil {
			r.pieces, r.err = phy.Decode(data, l.budget)
			err = r.err
		}
		if fatal(err) {
			return r, err
		}
		return r, ctx.Err()
	})
	if err != nil {
		return err
	}
	for i, r := range list {
		of := users[names[i]]
		if r.err != nil {
			report(w, "model-physics", &w.Props[of[0]], "%s: %v", names[i], r.err)
		}
		for _, k := range of {
			w.Props[k].Pieces = r.pieces
		}
	}
	return nil
}

// solidClasses are the beginnings of the classes whose props stop things by their physics (Source SDK 2013, props.cpp).
var solidClasses = []string{"prop_physics", "prop_dynamic", "prop_door_rotating"}

// byPhysics is SOLID_VPHYSICS.
const byPhysics = 6

// solid reports whether a prop is solid by its physics.
func solid(p *world.Prop, e *world.Entity) bool {
	if p.Box {
		return false // a miniature
	}
	if p.Kind != world.EntityProp {
		return p.Kind == world.StaticProp && p.Stored.Solid == byPhysics
	}
	for _, class := range solidClasses {
		if strings.HasPrefix(strings.ToLower(e.Class()), class) {
			return strings.TrimSpace(e.Value("solid")) != "0" && !strings.HasPrefix(strings.ToLower(e.Class()), "prop_dynamic_ornament")
		}
	}
	return false
}
