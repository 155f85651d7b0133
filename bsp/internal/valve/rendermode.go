package valve

import "github.com/bsp2gltf/bsp2gltf/world"

// The render modes of Source's entities. Source SDK 2013, public/const.h.
const (
	renderNormal = iota
	renderTransColor
	renderTransTexture
	renderGlow
	renderTransAlpha
	renderTransAdd
	renderEnvironmental
	renderTransAddFrameBlend
	renderTransAlphaAdd
	renderWorldGlow
	renderNone
)

// renderBlends maps render modes to blend modes.
var renderBlends = [...]world.Blend{
	renderNormal: world.BlendNone, renderTransColor: world.BlendAlpha, renderTransTexture: world.BlendAlpha, renderGlow: world.BlendAdd,
	renderTransAlpha: world.BlendMask, renderTransAdd: world.BlendAdd, renderEnvironmental: world.BlendNone,
	renderTransAddFrameBlend: world.BlendAdd, renderTransAlphaAdd: world.BlendAdd, renderWorldGlow: world.BlendAdd,
	renderNone: world.BlendNone,
}

// Rendering returns an entity's blend mode, its sRGB colour with alpha, and whether it is drawn.
func Rendering(e *world.Entity) (blend world.Blend, tint [4]uint8, seen bool) {
	tint = [4]uint8{255, 255, 255, 255}
	if c, ok := e.Vector("rendercolor"); ok {
		for k, x := range c {
			tint[k] = uint8(min(max(x, 0), 255))
		}
	}
	if a, ok := e.Float("renderamt"); ok {
		tint[3] = uint8(min(max(a, 0), 255))
	}
	mode := renderMode(e)
	if mode == renderNormal {
		tint[3] = 255
	}
	return renderBlends[mode], tint, mode != renderNone && tint[3] > 0
}

// renderMode returns an entity's render mode. An unknown mode counts as normal.
func renderMode(e *world.Entity) int {
	if m, ok := e.Float("rendermode"); ok && m >= 0 && m <= renderNone {
		return int(m)
	}
	return renderNormal
}
