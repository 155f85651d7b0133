// Package indexed plans the materials of textures of palette indices: those of Quake, GoldSrc and Quake II.
package indexed

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
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

// nameOf returns the name of an image: that of its file or texture, with an ending for each change to its pixels.
func nameOf(x images.Indexed, name string) string {
	if x.File != "" {
		name = images.Name(x.File)
	}
	name += [...]string{"", "_clouds", "_behind", "_before"}[x.Clouds]
	if x.Hole && !strings.HasPrefix(name, "{") {
		name += "_hole"
	}
	if x.Filled {
		name += "_filled"
	}
	switch x.Pixels {
	case paint.Added:
		name += "_add"
	case paint.Dimmed:
		name += "_dim"
	}
	return name
}
