package assemble

import (
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/nodes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/tally"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// An overlay has a piece on each surface that it reaches, and counts once. A prop's surfaces are no faces, a flare is one.
func TestSurfacesAreCounted(t *testing.T) {
	sticker := func(record int) world.Surface { return world.Surface{Shape: &world.Overlay{}, Record: record} }
	w := &world.World{Billboards: make([]world.Billboard, 1), Models: []world.Model{
		{Name: "*0", Surfaces: []world.Surface{{}, {}, {}, sticker(0), sticker(0), sticker(1)}},
		{Name: "a.mdl", Surfaces: make([]world.Surface, 2)},
	}}
	r := tally.New("test", 10)
	countSurfaces(r, w, [][]drawkey.Surface{{{}, {Drop: "sky"}, {Drop: "sky"}, {Drop: "invalid"}, {}, {Drop: "nodraw"}},
		{{}, {Drop: "nodraw"}}})
	if want := (report.Surfaces{Kept: 2, Dropped: map[string]int{"sky": 2}}); !reflect.DeepEqual(r.Surfaces, want) ||
		r.Overlays != (report.Overlays{Total: 2, Shown: 1}) {
		t.Errorf("%+v, %+v", r.Surfaces, r.Overlays)
	}
}

// A prop that stands for several counts as these. A coarser level of detail does not count.
func TestWhatIsPlacedIsCounted(t *testing.T) {
	r := tally.New("test", 10)
	w := &world.World{Entities: make([]world.Entity, 3), Lights: make([]world.Light, 2),
		Props: []world.Prop{{}, {Count: 5}, {}, {}, {Level: 1}, {}}}
	countPlaced(r, w, &nodes.Placed{
		Entities: []int{1, scene.None, 2}, Lamps: []int{scene.None, 3},
		Props: []nodes.Prop{{As: nodes.AsMesh}, {As: nodes.AsMesh}, {As: nodes.AsBox}, {As: nodes.AsNode}, {As: nodes.AsMesh},
			{As: nodes.Dropped}},
	})
	if r.Props != (report.Props{Total: 9, Meshes: 6, Boxes: 1, Nodes: 1, Dropped: 1}) {
		t.Errorf("%+v", r.Props)
	}
	if r.Entities != (report.Entities{Total: 3, Nodes: 2, Skipped: 1}) || r.Lights != (report.Lights{Total: 2, Shown: 1}) {
		t.Errorf("%+v, %+v", r.Entities, r.Lights)
	}
}
