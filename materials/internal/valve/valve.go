// Package valve plans the materials of Valve's material files: their shaders and textures, with layers, blends,
// emission, reflections and normal maps.
package valve

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
)

// Planner plans the materials of Valve's material files.
type Planner struct {
	Files   *lookup.Files
	Into    *plan.Plan
	Facts   *plan.Facts
	Options plan.Options
}
