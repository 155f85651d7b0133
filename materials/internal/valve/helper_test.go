package valve

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// needed are options under which textures are combined only where that is needed; reflecting adds reflections.
var (
	needed     = plan.Options{Combine: true, Normals: true}
	reflecting = plan.Options{Combine: true, Normals: true, Reflections: true}
)

// files returns material files, by name, and textures without content: a plan needs no more than their names.
func files(texts map[string]string) fstest.MapFS {
	files := fstest.MapFS{}
	for _, name := range []string{"a", "t", "n", "m", "half", "dim", "exp"} {
		files["materials/"+name+".vtf"] = &fstest.MapFile{}
	}
	for name, text := range texts {
		files["materials/"+name+".vmt"] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

// planned plans the materials of w that have material files; the others become placeholders.
func planned(t *testing.T, files fstest.MapFS, o plan.Options, w *world.World) *plan.Plan {
	t.Helper()
	pl, fl := plantest.New(files, w, o.Baked)
	vp := Planner{Files: fl, Into: pl, Facts: pl.Facts, Options: o}
	for i := range w.Materials {
		if known, _ := vp.Plan(i, &w.Materials[i], pl.Facts.Visible[i]); !known {
			plan.MakePlaceholder(&pl.Materials[i])
		}
	}
	vp.PlanDisplacements(w)
	return pl
}

// mirrors writes what a material reflects and lets through in a line.
func mirrors(pl *plan.Plan, i int) string {
	var words []string
	say := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	slot := func(s *pbr.Slot, role func(plan.Role) bool) {
		name, _ := plantest.Of(pl, plan.Alone(i), role)
		if name == "" {
			return
		}
		say("by %s", name)
		if s.UV != pbr.Identity {
			say("uv %.3g", s.UV)
		}
	}
	m := &pl.Materials[i]
	if r := m.Reflection; r != nil {
		say("rough %.3g", r.Roughness)
		if r.Metal != 0 {
			say("metal %.3g", r.Metal)
		}
		say("specular %.3g %.3g", r.Specular, r.Color)
		if r.IOR != 0 {
			say("ior %g", r.IOR)
		}
		if r.Tinted {
			say("tinted")
		}
		slot(&r.Slot, func(r plan.Role) bool { return r == plan.AsGloss || r == plan.AsPacked })
	}
	if t := m.Transmission; t != nil {
		say("through %.3g", t.Factor)
		slot(&t.Slot, func(r plan.Role) bool { return r == plan.AsTransmission })
	}
	return strings.Join(words, " ")
}
