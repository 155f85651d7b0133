package quake3

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// decoder is the map while it is lifted.
type decoder struct {
	*lift.Job
	o         Options
	v         variant
	f         *le.File
	w         *lift.Map
	curve     *curve
	lumps     [len(lumps)]le.Lump
	shaders   []shaderRecord
	records   []modelRecord
	surfaces  []surface
	vertices  vertices
	indices   indices
	lights    *lightmaps
	materials map[materialKey]int
	arena     lift.Arena[world.Vertex] // of all surfaces
	next      []int32                  // by surface: itself while no model has it, else one after it that may be free
	kept      int                      // surfaces
}
