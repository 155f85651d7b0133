package materials

import (
	"context"
	"errors"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// An option that is not set has its default; what can be switched stays off.
func TestZeroOptionsHaveDefaults(t *testing.T) {
	testkit.CheckFilled(t, Options{}.orDefaults(), DefaultOptions())
	if set := DefaultOptions(); set.orDefaults() != set {
		t.Errorf("%+v has changed", set)
	}
}

// A plain context, zero options and an input that holds only the world give materials. With files the scripts are read from them.
func TestLoadsWithoutCeremony(t *testing.T) {
	w := plantest.Shown(world.Material{Name: "x"})
	set, err := Load(context.Background(), Input{World: w}, Options{})
	if err != nil || !set.Materials[0].Placeholder || len(set.Missing) != 1 {
		t.Fatalf("%+v, %v", set, err)
	}
	files := imagetest.Files("a.jpg", "b.jpg")
	files["scripts/x.shader"] = &fstest.MapFile{Data: []byte("x\n{\n{ map a }\n{ map $lightmap\nblendFunc filter }\n{ map b\nblendFunc add }\n}\n")}
	for _, o := range []Options{{}, DefaultOptions()} {
		set, err := Load(context.Background(), Input{World: w, Files: files}, o)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := text(set, &set.Materials[0]), "base a emissive b emission [1 1 1] strength 1.3"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if missing, err := Find(context.Background(), nil, nil, w); err != nil || len(missing) != 1 {
		t.Error(missing, err)
	}
	if _, err := Load(context.Background(), Input{}, Options{}); !errors.Is(err, limit.ErrUsage) {
		t.Errorf("there is no world: %v", err)
	}
}
