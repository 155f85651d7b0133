package source

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// surfaceFlags maps texinfo bits to surface flags.
var surfaceFlags = []struct {
	bit  uint32
	flag world.Flags
}{
	{valve.SurfSky2D | valve.SurfSky, world.Sky}, {valve.SurfWarp, world.Liquid}, {valve.SurfTrigger, world.Trigger}, {valve.SurfNoDraw, world.NoDraw},
	{valve.SurfHint | valve.SurfSkip, world.Hint},
}

// flags returns the surface flags of a texinfo, including those of its material's name.
func (r *records) flags(materials *valve.Materials, info int) (flags world.Flags) {
	t := &r.texinfos[info]
	for _, f := range surfaceFlags {
		if t.flags&f.bit != 0 {
			flags |= f.flag
		}
	}
	return flags | valve.Tools[materials.Name(t.texdata)]
}

// material returns the index of the material of a texinfo with its flags.
func (r *records) material(materials *valve.Materials, info int, lighting world.Lighting) (int, world.Flags, error) {
	t := &r.texinfos[info]
	flags := r.flags(materials, info)
	i, err := materials.AddOf(t.texdata, world.Material{Lighting: lighting, Flags: flags, Surface: t.flags})
	return i, flags, err
}
