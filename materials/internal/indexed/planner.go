// Package indexed plans the materials of textures of palette indices: those of Quake, GoldSrc and Quake II.
package indexed

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
)

// Planner plans the materials of textures of palette indices.
type Planner struct {
	Files    *lookup.Files
	Into     *plan.Plan
	Facts    *plan.Facts
	Options  plan.Options
	asked    [2]bool   // whether palettes has been loaded
	palettes [2]string // the game's: for miptex, for .wal; "" if there is none
}
