// Package stages plans the materials of Quake III's shader scripts. It reduces their stages to an algebraic form, and
// that to a material if possible, else to a recipe for a picture.
package stages

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
)

// Planner plans the materials of shader scripts and of images without a script.
type Planner struct {
	Files   *lookup.Files
	Into    *plan.Plan
	Options plan.Options
	Shaders *q3shader.Library
	Facts   *plan.Facts
}
