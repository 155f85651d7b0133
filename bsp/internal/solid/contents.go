// Package solid has what the solids of all families share: the names of contents, and the models that brushes belong to.
package solid

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Contents is a bit of contents with its name.
type Contents = struct {
	Bit  uint32
	Name string
}

// ContentsNames returns the names of bits, separated by spaces.
func ContentsNames(bits uint32, of []Contents) string {
	var names []string
	for _, c := range of {
		if bits&c.Bit != 0 {
			names = append(names, c.Name)
		}
	}
	return strings.Join(names, " ")
}

// CollisionSurfaces returns the curved surfaces of models that have contents, which contents returns; others return 0.
func CollisionSurfaces(dc *decoding.Context, models []world.Model, of []Contents, contents func(*world.Surface) uint32) (
	out []world.CollisionSurface, err error) {
	known := map[uint32]string{}
	for m := range models {
		for i := range models[m].Surfaces {
			bits := contents(&models[m].Surfaces[i])
			if bits == 0 {
				continue
			}
			if _, ok := known[bits]; !ok {
				known[bits] = ContentsNames(bits, of)
			}
			sheet := world.CollisionSurface{Model: m, Surface: i, Contents: bits, Names: known[bits]}
			if out, err = limit.Append(dc.Budget, out, "", sheet); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
