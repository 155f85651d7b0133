// Package indexed plans the materials of pictures of palette indices: the textures of Quake, GoldSrc and Quake II.
package indexed

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
)

// Planner plans the materials of pictures of palette indices.
type Planner struct {
	Files    *lookup.Files
	Into     *plan.Plan
	Facts    *plan.Facts
	Options  plan.Options
	asked    [2]bool       // whether palettes has been looked for
	palettes [2][][3]uint8 // the game's: of miptex, of .wal
}
