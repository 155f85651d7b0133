package models

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Props are solid by their physics if the compiler or their class says so.
func TestSolidProps(t *testing.T) {
	for _, test := range []struct {
		prop world.Prop
		keys []string
		want bool
	}{
		{world.Prop{Kind: world.StaticProp, Stored: world.Stored{Solid: 6}}, nil, true},
		{world.Prop{Kind: world.StaticProp, Stored: world.Stored{Solid: 2}}, nil, false},
		{world.Prop{Kind: world.StaticProp, Stored: world.Stored{Solid: 6}, InSkybox: true}, nil, false},
		{world.Prop{Kind: world.DetailProp, Stored: world.Stored{Solid: 6}}, nil, false},
		{world.Prop{}, []string{"classname", "prop_physics_override"}, true},
		{world.Prop{}, []string{"classname", "PROP_dynamic"}, true},
		{world.Prop{}, []string{"classname", "prop_dynamic", "solid", "0"}, false},
		{world.Prop{}, []string{"classname", "prop_dynamic_ornament"}, false},
		{world.Prop{}, []string{"classname", "prop_ragdoll"}, false},
		{world.Prop{}, []string{"classname", "npc_citizen"}, false},
	} {
		e := entity(test.keys...)
		if got := solid(&test.prop, &e); got != test.want {
			t.Errorf("%+v %v: %v", test.prop, test.keys, got)
		}
	}
}

// A broken file is one issue, a missing one none.
func TestBrokenPhysics(t *testing.T) {
	w := newWorld(entity("classname", "prop_physics", "model", "models/a.mdl"),
		entity("classname", "prop_physics", "model", "models/a.mdl"),
		entity("classname", "prop_physics", "model", "models/b.mdl"))
	if err := Physics(t.Context(), fstest.MapFS{"models/a.phy": {Data: make([]byte, 9)}}, w); err != nil {
		t.Fatal(err)
	}
	if len(w.Issues) != 1 || w.Issues[0].Code != "model-physics" || !strings.Contains(w.Issues[0].Detail, "models/a.phy: phy: ") {
		t.Errorf("%v", w.Issues)
	}
}

// Props share the parts of their file.
func TestPhysicsOfRealProps(t *testing.T) {
	dir := filepath.Dir(filepath.Dir(testkit.Files(t, "source/_assets/who_S/models/casset")[0]))
	w := newWorld(entity("classname", "prop_physics", "model", "models/casset/tapereader.mdl"),
		entity("classname", "prop_dynamic", "model", `Models\casset/tapereader.mdl`))
	if err := Physics(t.Context(), os.DirFS(dir), w); err != nil {
		t.Fatal(err)
	}
	a, b := w.Props[0].ConvexParts, w.Props[1].ConvexParts
	if len(a) != 7 || len(b) != 7 || &a[0] != &b[0] || len(w.Issues) > 0 {
		t.Errorf("%d and %d parts, %v", len(a), len(b), w.Issues)
	}
}
