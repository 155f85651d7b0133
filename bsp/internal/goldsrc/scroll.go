package goldsrc

import (
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

// scrolls reports whether the name of a texture means that it scrolls. Xash3D, mod_bmodel.c, Mod_LoadFaces.
func (v *variant) scrolls(name string) bool {
	return v.family == familyGoldSrc && strings.HasPrefix(strings.TrimPrefix(name, "{"), "scroll")
}

// scrollOf returns the speed of a surface's texture in its widths per second. speed is the entity's, in texels per second.
func (v *variant) scrollOf(t *texinfo, name string, width float64, speed float32) float32 {
	switch {
	case v.scrolls(name) && width > 0:
		return float32(0 - float64(speed)/width)
	case classesOf[v.family] != classes.Quake2 || t.flags&flowing == 0:
		return 0
	case v.kindOf(t, name).flags&world.Liquid != 0:
		return liquidsFlow
	}
	return surfacesFlow
}
