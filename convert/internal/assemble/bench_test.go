package assemble

import (
	"fmt"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// BenchmarkNodes makes the nodes of 20,000 entities in chains of parents, each with ten keys of which two are outputs,
// and of 10,000 static props. The bytes are those of the keys and values.
func BenchmarkNodes(b *testing.B) {
	w := &world.World{Unit: 1, Models: []world.Model{{Name: "*0"}}, Entities: []world.Entity{entity(0, "classname", "worldspawn")}}
	size := 0
	for i := range 20_000 {
		e := entity(world.NoModel, "classname", "func_thing", "origin", fmt.Sprint(i, " 2 3"), "angles", "0 90 0", "targetname",
			fmt.Sprint("t", i),
			"parentname", fmt.Sprint("t", i-i%8), "OnOpen", "relay,Trigger,,0,-1", "OnClose", "relay,Kill,,0.5,1", "a", "1", "b",
			"2", "c", "3")
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

// BenchmarkProps assembles and writes 5000 props of 10 models with 2000 vertices, with and without baked light for
// each prop.
func BenchmarkProps(b *testing.B) {
	for _, lit := range []bool{false, true} {
		b.Run(map[bool]string{false: "plain", true: "lit"}[lit], func(b *testing.B) {
			w := &world.World{Unit: 1.0 / 32, Materials: []world.Material{{Name: "a"}}, Models: []world.Model{{Name: "*0"}},
				Props: make([]world.Prop, 5000)}
			m := plainMaterial("a")
			m.Draw.Unlit, m.Vertex.Color = true, true
			for range 10 {
				s := scenetest.Triangle(0)
				t := s.Shape.(*world.Triangles)
				for len(t.Vertices) < 2000 {
					n := uint32(len(t.Vertices))
					t.Vertices, t.Indices = append(t.Vertices, t.Vertices[:3]...), append(t.Indices, n, n+1, n+2)
				}
				w.Models = append(w.Models, world.Model{Name: "x.mdl", Surfaces: []world.Surface{s}})
			}
			for i := range w.Props {
				w.Props[i] = world.Prop{Kind: world.StaticProp, Model: "x.mdl", Index: 1 + i%10, Entity: world.NoEntity, Record: i,
					Origin: [3]float32{float32(i) * 64}, Scale: [3]float32{1, 1, 1}}
				if lit {
					colors := make([]world.RGB, 2001)
					colors[i%2000] = world.NewRGB(1, 0.5, 0.25)
					w.Props[i].Light.Colors = [][]world.RGB{colors}
				}
			}
			p := defaults()
			b.ReportAllocs()
			for b.Loop() {
				s, _ := assembled(b, p, w, &materials.Set{Materials: []pbr.Material{m}}, &lightmap.Atlas{})
				size := &tallied{}
				if err := write.WriteGLB(size, s); err != nil {
					b.Fatal(err)
				}
				b.SetBytes(size.n)
			}
		})
	}
}

// tallied is a writer that counts its bytes.
type tallied struct{ n int64 }

func (t *tallied) Write(b []byte) (int, error) {
	t.n += int64(len(b))
	return len(b), nil
}
