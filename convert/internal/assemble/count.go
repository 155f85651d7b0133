package assemble

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/nodes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/tally"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// countSurfaces counts the faces of the map as kept or dropped; a prop's surfaces are none, and a flare is kept as a node. An overlay or a
// decal has a piece on each surface that it reaches, and counts once.
func countSurfaces(r *tally.Tally, w *world.World, surfaces [][]drawkey.Surface) {
	r.Surfaces.Kept += len(w.Billboards)
	type overlay struct{ record, material int }
	overlays := map[overlay]bool{} // whether any piece of it is shown
	for i := range w.Models {
		face := strings.HasPrefix(w.Models[i].Name, "*")
		for k := range w.Models[i].Surfaces {
			s, drop := &w.Models[i].Surfaces[k], surfaces[i][k].Drop
			_, over := s.Shape.(*world.Overlay)
			switch {
			case over:
				o := overlay{s.Record, s.Material}
				overlays[o] = overlays[o] || drop == ""
			case !face:
			case drop == "":
				r.Surfaces.Kept++
			default:
				r.Drop(drop)
			}
		}
	}
	for _, shown := range overlays {
		r.Overlays.Total++
		if shown {
			r.Overlays.Shown++
		}
	}
}

// countPlaced counts what became of entities, props and lamps.
func countPlaced(r *tally.Tally, w *world.World, placed *nodes.Placed) {
	r.Entities = report.Entities{Total: len(w.Entities), Nodes: nodesIn(placed.Entities)}
	r.Entities.Skipped = r.Entities.Total - r.Entities.Nodes
	r.Lights = report.Lights{Total: len(w.Lights), Shown: nodesIn(placed.Lamps)}
	for i := range w.Props {
		p := &w.Props[i]
		if p.Level > 0 { // another form of a prop that counts
			continue
		}
		n := max(p.Count, 1)
		r.Props.Total += n
		switch placed.Props[i].As {
		case nodes.AsMesh:
			r.Props.Meshes += n
		case nodes.AsBox:
			r.Props.Boxes += n
		case nodes.AsNode:
			r.Props.Nodes += n
		case nodes.Dropped:
			r.Props.Dropped += n
		}
	}
}

// nodesIn returns the number of nodes in a list that may have scene.None.
func nodesIn(list []int) (n int) {
	for _, node := range list {
		if node != scene.None {
			n++
		}
	}
	return n
}
