package goldsrc

import (
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// brightness describes how an engine shows light. A texel t under a stored light of l, both of 0 to 1, is shown as
// t^exponent * min(scale*l, most), in gamma space.
type brightness struct {
	scale, most, exponent float64

	plain float64 // most without overbright light; 0 is most
}

// end returns the light's maximum.
func (b brightness) end(overbright int) float64 {
	if overbright == 0 && b.plain > 0 {
		return b.plain
	}
	return b.most
}

// The engines' brightness with their default settings.
var (
	// The software renderer shows a texture as it is at about half of the light there is, and twice as bright at all of it:
	// the rows of its colour map run from 2 to 0, and the steady light style multiplies by 264/256. The first hardware
	// renderer ended at 1; the ports of today do not. Quake, r_surf.c, R_BuildLightMap.
	quakeBrightness = brightness{2 * 264.0 / 256, 2, 1, 0}

	// The renderer scales light by 264/256 of the steady style and by 2^(1/lightgamma). With gl_overbright, which Xash3D and the
	// game of today start with, it ends at 4/3, and without at 1. Its tables then raise
	// light to lightgamma/gamma, which is 1 (both are 2.5, with a brightness of 0), and textures to texgamma/gamma (2 and 2.5).
	// Xash3D, gamma.c and gl_rsurf.c.
	goldSrcBrightness = brightness{1.3195079107728942 * 264 / 256, 4.0 / 3, 2 / 2.5, 1}

	// The hardware renderer draws textures twice as bright as they are, under light that ends at 1 (intensity 2,
	// gl_modulate 1); the software renderer is as Quake's. Quake II, gl_image.c, r_light.c.
	quake2Brightness = brightness{2, 2, 1, 0}
)

// table returns the linear light for each stored value.
func (b brightness) table(c gamma.Curve, overbright int) (t [256]world.Half) {
	end := b.end(overbright)
	for i := range t {
		t[i] = world.NewHalf(c.Linear(float32(min(b.scale*float64(i)/255, end))))
	}
	return t
}
