package models

import (
	"context"
	"io/fs"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// noShader is the material of a surface without one; the engine draws its default image.
const noShader = "noshader"

// gatherer holds the state of Gather.
type gatherer struct {
	ctx       context.Context
	o         Options
	w         *world.World
	files     fs.FS
	budget    *limit.Budget
	sources   map[string]*source
	skins     map[string]skin // by clean name; nil if missing
	variants  map[key]*variant
	materials *registry
	sun       [3]float32 // the sun's light on a surface that faces it
}
