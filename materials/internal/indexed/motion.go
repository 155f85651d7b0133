package indexed

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Animations show all their frames in turn: at 5 a second in Quake (r_surf.c, R_TextureAnimation), at 10 in Half-Life, whose textures have
// their own palettes (Xash3D, gl_rsurf.c), at 2 in Quake II (ref_gl, gl_rsurf.c, R_DrawWorld).
const (
	quakeFPS    = 5
	halfLifeFPS = 10
	quake2FPS   = 2
)

// Liquids are warped by a wave of 8 texels, in Quake II and GoldSrc of 4; a texel is an eighth of a radian (Quake, gl_warp.c,
// EmitWaterPolys; Quake II, gl_rmain.c, R_Init; Xash3D, warpsin.h).
const (
	warpTexels   = 8
	rippleTexels = 4
	warpRadians  = 0.125
)

// move gives a material the motion that its name or its map implies. x is its picture.
func (ip *Planner) move(i int, wm *world.Material, name string, x images.Indexed, alpha bool) {
	m, moves := &ip.Into.Materials[i], &wm.Motion
	if size := float64(moves.Warp); size > 0 {
		kind, texels := "warp", float64(warpTexels)
		if moves.AtCorners {
			kind, texels = "ripple", rippleTexels
		}
		m.Move().Base = []pbr.Change{{Kind: kind, Numbers: []float64{texels / size, size * warpRadians, 1}}}
	}
	if moves.Swell != 0 {
		m.Move().Deforms = []pbr.Deform{{Kind: pbr.DeformSwell, Vector: [3]float64{0, 0, float64(moves.Swell)}}}
	}
	if moves.Scroll != 0 {
		m.Move().Base = append(m.Move().Base, pbr.Change{Kind: "scroll", Numbers: []float64{float64(moves.Scroll), 0}})
	}
	switch {
	case !ip.Options.Frames:
	case wm.FPS > 0 && x.Texture != nil:
		ip.animateSprite(i, wm.FPS, name, x, alpha)
	case x.WAL:
		ip.animateWAL(i, name, x, alpha)
	case len(name) > 1 && name[0] == '+':
		ip.animate(i, name, x, alpha)
	}
	if m.Motion != nil {
		m.Motion.Clock = float64(moves.Clock)
	}
}

// animate requests the frames of an animation: those with digits or those with letters, like its own.
func (ip *Planner) animate(i int, name string, x images.Indexed, alpha bool) {
	turns := "0123456789"
	if !strings.Contains(turns, name[1:2]) {
		turns = "abcdefghij"
	}
	var pictures []images.Indexed
	var names []string
	for _, c := range turns {
		y, other := x, name[:1]+string(c)+name[2:]
		switch t := ip.Facts.Frames[other]; {
		case other == name:
		case t != nil:
			y.Texture, y.File = t, ""
		default:
			y.Texture, y.File = nil, ip.Files.IndexedFile(other)
			if (y.File == "" || lookup.IsWAL(y.File)) && ip.replacement(other) == "" {
				continue
			}
		}
		pictures, names = append(pictures, y), append(names, other)
	}
	fps := float64(halfLifeFPS)
	if x.Texture == nil && x.File == "" || x.Texture != nil && x.Texture.Palette == nil || x.File != "" && !ip.Files.OwnPalette(x.File) {
		fps = quakeFPS
	}
	ip.turn(i, pictures, names, fps, alpha)
}

// animateSprite requests the pictures that follow the first one of a sprite.
func (ip *Planner) animateSprite(i int, fps float64, name string, x images.Indexed, alpha bool) {
	pictures, names := []images.Indexed{x}, []string{name}
	for k, t := range x.Texture.Next {
		y := x
		y.Texture = t
		pictures, names = append(pictures, y), append(names, name+"/"+strconv.Itoa(k+1))
	}
	ip.turn(i, pictures, names, fps, alpha)
}

// animateWAL requests the frames that follow a .wal, each of which names the next.
func (ip *Planner) animateWAL(i int, first string, x images.Indexed, alpha bool) {
	pictures, names := []images.Indexed{x}, []string{first}
	for _, name := range ip.walFrames(x.File) {
		y := x
		y.File = "textures/" + name + ".wal"
		pictures, names = append(pictures, y), append(names, name)
	}
	ip.turn(i, pictures, names, quake2FPS, alpha)
}

// turn makes pictures take turns as the base colour of a material.
func (ip *Planner) turn(i int, pictures []images.Indexed, names []string, fps float64, alpha bool) {
	if len(pictures) < 2 {
		return
	}
	m := ip.Into.Materials[i].Move()
	m.FPS, m.Frames = fps, make([]pbr.Slot, len(pictures))
	for k := range pictures {
		m.Frames[k] = pbr.Slot{Image: pbr.NoImage, UV: pbr.Identity}
		ip.use(pictures[k], names[k], plan.User{To: plan.Alone(i), Role: plan.AsFrame, Side: k, Alpha: alpha})
	}
}

// maxFrames is the maximum number of an animation's frames that are listed.
const maxFrames = 64

// walFrames returns the frames that follow a .wal in its animation.
func (ip *Planner) walFrames(file string) (names []string) {
	start := strings.TrimSuffix(strings.TrimPrefix(file, "textures/"), ".wal")
	for name := start; len(names) < maxFrames; {
		t, err := ip.Files.WALInfo("textures/" + name + ".wal")
		if err != nil || t.Next == "" || t.Next == start || slices.Contains(names, t.Next) {
			break
		}
		name = t.Next
		names = append(names, name)
	}
	return names
}
