package goldsrc

import (
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// brightness describes how an engine shows light. A texel t under a stored light of l, both of 0 to 1, is shown as
// t^exponent * min(scale*l, most), in gamma space.
type brightness struct {
	full, plain lightScale // plain is without overbright light; zero is full
	wide        lightScale // for HDR light, whose l exceeds 1; zero is full
	exponent    float64
	models      float64 // the factor on light of models, which end at 1, if it is another than that of surfaces; else 0
	doubled     bool    // textures are doubled first: world.DisplayLight's Doubled
	whole       bool    // world.DisplayLight's Whole, also of a single luxel
}

// lightScale is a factor on light, and its end.
type lightScale struct{ scale, most float64 }

// scaleFor returns the factor and the end for an option.
func (b brightness) scaleFor(overbright int) lightScale {
	if overbright == 0 && b.plain.most > 0 {
		return b.plain
	}
	return b.full
}

// wideScale is scaleFor for light of high dynamic range.
func (b brightness) wideScale(overbright int) lightScale {
	if b.wide.most > 0 {
		return b.wide
	}
	return b.scaleFor(overbright)
}

// steady is the factor of the steady style, m: twelve steps of 22, of 256.
const steady = 264.0 / 256

// The engines' brightness with their default settings.
var (
	// The software renderer shows a texture as it is at about half of the greatest light, and twice as bright at the greatest:
	// the rows of its colour map run from 2 to 0. The first hardware renderer ended at 1; the ports of today do not. With
	// r_lightmapwide light goes on to 8. Quake, r_surf.c, R_BuildLightMap; QuakeSpasm, r_brush.c.
	quakeBrightness = brightness{full: lightScale{2 * steady, 2}, wide: lightScale{2 * steady, 1023.0 / 128}, exponent: 1}

	// With gl_overbright, which Xash3D and the game of today start with, light is multiplied by the steady style, ends at 1, and is
	// drawn with a colour of 128/192 and doubled: 4/3. Without, it is multiplied by 2^(1/lightgamma) in 256ths, and ends at 1. Tables
	// raise light to lightgamma/gamma, which is 1 (both are 2.5, with a brightness of 0), and textures to texgamma/gamma (2 and 2.5).
	// Models are drawn without doubling. Xash3D, gamma.c; gl_rsurf.c, R_BuildLightMap and R_BlendLightmaps; ref_light.c, R_LightVec.
	goldSrcBrightness = brightness{
		full: lightScale{steady * 4 / 3, 4.0 / 3}, plain: lightScale{steady * 338 / 256, 1}, exponent: 2 / 2.5, models: steady,
	}

	// The hardware renderer doubles textures when it loads them (intensity 2), and they end at white; liquids and translucent surfaces
	// are halved again. Light is as stored (gl_modulate 1); a sum of styles above white is divided by its greatest channel. The software
	// renderer is as Quake's. Quake II, gl_image.c, GL_LightScaleTexture; gl_warp.c, gl_rsurf.c; gl_light.c, R_BuildLightMap.
	quake2Brightness = brightness{full: lightScale{1, 1}, exponent: 1, doubled: true, whole: true}

	// Alien Arena leaves textures as they are (inverse_intensity 1), multiplies light by 2 (gl_modulate), divides it by its greatest
	// channel above white, and doubles the product (r_overbrightbits; lmTexture * 2.0 in its shaders). Alien Arena, r_image.c,
	// GL_InitImages; r_light.c, R_BuildLightMap; r_surf.c, R_SetLightingMode; r_program.c.
	alienArenaBrightness = brightness{full: lightScale{4, 2}, exponent: 1, whole: true}
)

// games are those with a variant's maps and an engine of their own. A map with one of their classes is theirs.
var games = []struct {
	family, name string
	classes      []string
	show         brightness
}{
	{familyQuake2, "Alien Arena", []string{"weapon_smartgun", "weapon_disruptor", "weapon_beamgun", "weapon_vaporizer", "weapon_minderaser"},
		alienArenaBrightness},
}

// detectGame returns the variant for a map with these entities, and the class that identified the game, or "".
func (v *variant) detectGame(entities []world.Entity) (out *variant, class string) {
	for _, g := range games {
		for i := range entities {
			if c := strings.ToLower(entities[i].Class()); g.family == v.family && slices.Contains(g.classes, c) {
				own := *v
				own.game, own.show = g.name, g.show
				return &own, c
			}
		}
	}
	return v, ""
}

// table returns the linear light for each stored value.
func (s lightScale) table(c gamma.Curve, least float64) (t [256]world.Half) {
	for i := range t {
		t[i] = world.NewHalf(c.Linear(float32(max(s.shown(float64(i)/255), least*s.most))))
	}
	return t
}

// shown returns the light as displayed for a stored light.
func (s lightScale) shown(l float64) float64 { return min(s.scale*l, s.most) }
