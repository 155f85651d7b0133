package indexed

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// Animations show all their frames, one for each digit or letter, in turn: at 5 frames a second in Quake (r_surf.c,
// R_TextureAnimation), at 10 in Half-Life, whose textures have their own palettes (Xash3D, gl_rsurf.c).
const (
	quakeFPS    = 5
	halfLifeFPS = 10
)

// Liquids are warped by a wave of 8 texels; a texel is an eighth of a radian (Quake, gl_warp.c, EmitWaterPolys).
const (
	warpTexels  = 8
	warpRadians = 0.125
)

// move gives a material the motion that its name implies. x is its picture.
func (ip *Planner) move(i int, name string, x images.Indexed, alpha bool) {
	m := &ip.Into.Materials[i]
	switch {
	case x.Texture == nil || len(name) < 2:
	case name[0] == '*' || name[0] == '!':
		if size := float64(x.Texture.Width); size > 0 {
			m.Move().Base = []pbr.Change{{Kind: "warp", Numbers: []float64{warpTexels / size, size * warpRadians, 1}}}
		}
	case name[0] == '+' && ip.Options.Frames:
		ip.animate(i, name, x, alpha)
	}
}

// animate requests the frames of an animation: those with digits or those with letters, like its own.
func (ip *Planner) animate(i int, name string, x images.Indexed, alpha bool) {
	turns := "0123456789"
	if !strings.Contains(turns, name[1:2]) {
		turns = "abcdefghij"
	}
	var names []string
	for _, c := range turns {
		if other := name[:1] + string(c) + name[2:]; ip.Facts.Frames[other] != nil || other == name {
			names = append(names, other)
		}
	}
	if len(names) < 2 {
		return
	}
	m := ip.Into.Materials[i].Move()
	m.FPS = halfLifeFPS
	if x.Texture.Palette == nil {
		m.FPS = quakeFPS
	}
	m.Frames = make([]pbr.Slot, len(names))
	for k, other := range names {
		m.Frames[k] = pbr.Slot{Image: pbr.NoImage, UV: pbr.Identity}
		y := x
		if t := ip.Facts.Frames[other]; t != nil {
			y.Texture = t
		}
		ip.Into.Use(y, nameOf(y, other), plan.User{To: plan.Alone(i), Role: plan.AsFrame, Side: k, Alpha: alpha})
	}
}
