package source

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
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

// surfaceFlags returns the surface flags of the texinfo, including those of its material's name.
func (t *texinfo) surfaceFlags(material string) (flags world.Flags) {
	for _, f := range surfaceFlags {
		if t.flags&f.bit != 0 {
			flags |= f.flag
		}
	}
	return flags | valve.Tools[material]
}

// material returns the index of the texinfo's material under a lighting, with its flags.
func (t *texinfo) material(materials *valve.Materials, lighting world.Lighting) (int, world.Flags, error) {
	flags := t.surfaceFlags(materials.Name(t.texdata))
	i, err := materials.AddOf(t.texdata, world.Material{Lighting: lighting, Flags: flags, Surface: t.flags})
	return i, flags, err
}

// project returns the coordinate of a point along an axis with offset.
func project(axis [4]float32, p [3]float32) float64 {
	return lift.Dot([3]float32(axis[:3]), p) + float64(axis[3])
}

// mapping maps the points of a face to its texture and its chart.
type mapping struct {
	texinfo    *texinfo
	texels     [2]float64 // size of the texture
	mins, size [2]int32   // of the chart, as in the face
}

// set sets the texture and luxel coordinates of a vertex at its position; it reports whether they are finite.
func (m *mapping) set(v *world.Vertex) bool {
	for k := range 2 {
		uv := project(m.texinfo.texture[k], v.Position) / m.texels[k]
		luxel := project(m.texinfo.luxel[k], v.Position) - float64(m.mins[k]) + 0.5
		if uv-uv != 0 || luxel-luxel != 0 {
			v.UV[k] = float32(uv)
			return false
		}
		v.UV[k] = float32(min(max(uv, -lift.Farthest), lift.Farthest))
		v.Luxel[k] = float32(min(max(luxel, 0), float64(m.size[k])+1))
	}
	return true
}
