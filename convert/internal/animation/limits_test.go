package animation

import (
	"context"
	"errors"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/meshes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/nodes"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// inputOf returns what Animations needs of entities behind worldspawn.
func inputOf(t *testing.T, entities ...world.Entity) Input {
	t.Helper()
	worldspawn := world.Entity{Pairs: []world.Pair{{Key: "classname", Value: "worldspawn"}}}
	w := &world.World{Models: []world.Model{{}}, Entities: append([]world.Entity{worldspawn}, entities...)}
	to := axes.Axes{Unit: 1.0 / 32}
	placed, err := nodes.Nodes(t.Context(), nodes.Input{World: w, Options: nodesOptions(pipeline.Default()), Axes: to,
		Meshes: meshes.Meshes{Models: []meshes.Model{{Mesh: scene.None, Hidden: scene.None}}}, Set: &materials.Set{}})
	if err != nil {
		t.Fatal(err)
	}
	return Input{World: w, Placed: placed, Motion: pipeline.MotionAll, Axes: to}
}

// spinning returns a movement that turns so often.
func spinning(turns float32) world.Movement {
	return world.Movement{Name: "cycle", Starts: true, Loops: true, Keys: []world.Key{key(0), key(1, 0, 0, 0, 0, 360*turns, 0)}}
}

// What a movement becomes is bounded: keys are reserved in the budget, and a movement that would need too many is coarser.
func TestKeysAreReserved(t *testing.T) {
	in := inputOf(t, mover("fan", spinning(100)))
	b := limit.NewBudget(limit.Limits{})
	list, err := Animations(limit.With(t.Context(), b), in)
	if err != nil {
		t.Fatal(err)
	}
	keys := 0
	for i := range list {
		for _, c := range list[i].Channels {
			keys += len(c.Times)
		}
	}
	if most := 1 << (deepest + 1); keys < 300 || keys > 2*most || b.Reserved() < int64(keys)*16 {
		t.Errorf("%d keys, %d bytes reserved", keys, b.Reserved())
	}
	if _, err := Animations(limit.With(t.Context(), limit.NewBudget(limit.Limits{MaxMemory: 1000})), in); !errors.Is(err, limit.ErrLimit) {
		t.Errorf("in 1000 bytes: %v", err)
	}
	m := scene.Material{Material: pbr.New("m")}
	m.Base.Image = 0
	m.Motion = &pbr.Motion{Base: []pbr.Change{{Kind: "rotate", Numbers: []float64{6}}}}
	in = inputOf(t)
	in.Pointers, in.Materials = true, []scene.Material{m}
	if _, err := Animations(limit.With(t.Context(), limit.NewBudget(limit.Limits{MaxMemory: 300})), in); !errors.Is(err, limit.ErrLimit) {
		t.Errorf("a texture, in 300 bytes: %v", err)
	}
}

func TestCancelledWhileItMoves(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Animations(ctx, inputOf(t, mover("fan", spinning(1)))); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
