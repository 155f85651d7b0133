package goldsrc

import (
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Quake II's surfaces with the bit SURF_FLOWING move by so many widths of their texture a second: liquids, and all others. Quake II,
// ref_gl, gl_rsurf.c, DrawGLFlowingPoly; gl_warp.c, EmitWaterPolys, for a texture of 64 texels.
const (
	flowing      = 0x40
	liquidsFlow  = -0.5
	surfacesFlow = -1.6
)

// conveyorSpeed is that of a func_conveyor without the key speed, in texels a second.
const conveyorSpeed = 100

// conveyor returns the speed in texels a second at which an entity moves the textures on it whose names say that they scroll. The engine
// has it in sixteenths, in the colour of the entity, where a func_conveyor puts its speed. Half-Life SDK, bmodels.cpp, CFuncConveyor;
// Xash3D, gl_rsurf.c, DrawGLPoly.
func conveyor(e *world.Entity) float32 {
	if strings.EqualFold(e.Class(), "func_conveyor") {
		speed, _ := e.Float("speed")
		if speed == 0 {
			speed = conveyorSpeed
		}
		sixteenths := math.Trunc(math.Min(math.Abs(speed)*16, 1<<16-1))
		return float32(math.Copysign(sixteenths/16, speed))
	}
	c := renderTint(e)
	speed := float32(int(c[1])<<8|int(c[2])) / 16
	if c[0] != 0 {
		return -speed
	}
	return speed
}

// scrolls reports whether the name of a texture says that it scrolls. Xash3D, mod_bmodel.c, Mod_LoadFaces.
func (v *variant) scrolls(name string) bool {
	return v.family == familyGoldSrc && strings.HasPrefix(strings.TrimPrefix(name, "{"), "scroll")
}

// scrollOf returns by how many widths of its texture a surface moves in a second.
func (v *variant) scrollOf(t *texinfo, name string, width float64, l drawing) float32 {
	switch {
	case v.scrolls(name) && width > 0:
		return float32(0 - float64(l.conveyor)/width)
	case classesOf[v.family] != classes.Quake2 || t.flags&flowing == 0:
		return 0
	case v.kindOf(t, name).flags&world.Liquid != 0:
		return liquidsFlow
	}
	return surfacesFlow
}
