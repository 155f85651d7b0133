package assemble

import (
	"fmt"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// BenchmarkNodes makes the nodes of 20,000 entities in chains of parents, each with ten keys of which two are outputs,
// and of 10,000 static props. The bytes are those of the keys and values.
func BenchmarkNodes(b *testing.B) {
	w := &world.World{Unit: 1, Models: []world.Model{{Name: "*0"}}, Entities: []world.Entity{entity(0, "classname", "worldspawn")}}
	size := 0
	for i := range 20_000 {
		e := entity(world.NoModel, "classname", "func_thing", "origin", fmt.Sprint(i, " 2 3"), "angles", "0 90 0", "targetname", fmt.Sprint("t", i),
			"parentname", fmt.Sprint("t", i-i%8), "OnOpen", "relay,Trigger,,0,-1", "OnClose", "relay,Kill,,0.5,1", "a", "1", "b", "2", "c", "3")
		for _, p := range e.Pairs {
			size += len(p.Key) + len(p.Value)
		}
		w.Entities = append(w.Entities, e)
	}
	for i := range 10_000 {
		w.Props = append(w.Props, world.Prop{Kind: world.StaticProp, Model: fmt.Sprintf("models/%d.mdl", i%100), Index: world.NoModel,
			Entity: world.NoEntity, Record: i, Scale: [3]float32{1, 1, 1}})
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		literal(b, defaults(), w)
	}
}
