package movers

import (
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// ReportUnsupported adds an issue for each class of entities that the game moves and this package doesn't.
func ReportUnsupported(w *world.World, f classes.Family, issues *world.Issues) {
	fam := families()[f]
	if fam == nil {
		return
	}
	counts := map[string]int{}
	for i := range w.Entities {
		if class := strings.ToLower(w.Entities[i].Class()); slices.Contains(strings.Fields(fam.unsupported), class) {
			counts[class]++
		}
	}
	attached := 0
	for i := range w.Entities {
		if fam.attaches != "" && w.Entities[i].Value(fam.attaches) != "" {
			attached++
		}
	}
	if attached > 0 {
		issues.Add("mover-still", fam.attaches, "%d entities have this key and move with others in the game, but stand still here",
			attached)
	}
	for class := range strings.FieldsSeq(fam.unsupported) {
		if n := counts[class]; n > 0 {
			issues.Add("mover-still", class, "the game moves %d of them, but they stand still here", n)
		}
	}
}
