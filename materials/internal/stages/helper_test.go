package stages

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// needed are options under which stages are combined only where that is needed.
var needed = plan.Options{Combine: true, Normals: true}

// empty returns files without content: a plan needs no more than their names.
func empty(names ...string) fstest.MapFS {
	files := fstest.MapFS{}
	for _, name := range names {
		files[name] = &fstest.MapFile{}
	}
	return files
}

// planned plans the materials of w by a script, or by images.
func planned(t *testing.T, files fstest.MapFS, script string, o plan.Options, w *world.World) *plan.Plan {
	t.Helper()
	shaders := q3shader.NewLibrary()
	if _, err := shaders.Add("scripts/test.shader", []byte(script)); err != nil {
		t.Fatal(err)
	}
	pl, fl := plantest.New(files, w, false)
	sp := Planner{Files: fl, Into: pl, Options: o, Shaders: shaders, Facts: pl.Facts}
	for i := range w.Materials {
		if wm, visible := &w.Materials[i], pl.Facts.Visible[i]; !sp.Plan(i, wm, visible) {
			sp.PlanImage(i, wm, visible)
		}
	}
	return pl
}

// lit are the stages of a texture under a lightmap.
const lit = "{ map $lightmap }\n{ map %s\nblendFunc filter }\n"

// block returns a shader of a texture under a lightmap.
func block(name, texture string) string { return name + "\n{\n" + fmt.Sprintf(lit, texture) + "}\n" }
