// Package fog reads the fog that the keys of worldspawn describe, as ports of Quake show it.
package fog

import (
	"math"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// fogNumber is a place in the numbers of worldspawn's key fog.
type fogNumber int

const (
	fogDensity fogNumber = iota
	fogRed
	fogGreen
	fogBlue
	fogAlpha
	fogStart
	fogEnd
	fogNumbers
)

// fogKeys are DarkPlaces' keys for single numbers. Those of heights are not read.
var fogKeys = map[string]fogNumber{
	"fog_density": fogDensity, "fog_red": fogRed, "fog_green": fogGreen, "fog_blue": fogBlue, "fog_alpha": fogAlpha,
	"fog_start": fogStart, "fog_end": fogEnd,
}

// DarkPlaces returns the fog of worldspawn, or nil. It covers alpha · (1 - e^(-density·(d - start)/250)) of what is seen, as
// displayed, also of the sky, at a distance d from the eye of at most end. DarkPlaces, cl_parse.c, CL_ParseEntityLump; gl_rmain.c,
// R_UpdateFog and R_BuildFogTexture. Its lower edge, fog_height, is left out.
func DarkPlaces(worldspawn *world.Entity) *world.RangeFog {
	none := [fogNumbers]float64{fogAlpha: 1, fogEnd: 16384}
	n := none
	for _, p := range worldspawn.Pairs {
		key, _ := strings.CutPrefix(strings.TrimRight(p.Key, " "), "_")
		switch k, ok := fogKeys[key]; {
		case key == "fog" || key == "fog_heighttexture":
			n = none
			scanNumbers(p.Value, n[:])
		case ok:
			scanNumbers(p.Value, n[k:k+1])
		}
	}
	start := max(n[fogStart], 0)
	end := max(n[fogEnd], start+0.01)
	f := world.RangeFog{
		Start: float32(start), End: float32(min(max(2048/n[fogDensity]+start, start), end)), Most: float32(min(max(n[fogAlpha], 0), 1)),
		Thickness: float32(n[fogDensity] / 250), Power: 1, Radial: true,
	}
	f.Sky = float32(f.Share(float64(f.End)))
	return shownFog(f, n)
}

// Quake returns the fog of worldspawn, or nil. It covers 1 - e^(-(density·d/64)²) of what is seen, as displayed, at a distance d from
// the eye's plane, and a half of the sky or the part that the key skyfog says. QuakeSpasm, gl_fog.c, gl_sky.c.
func Quake(worldspawn *world.Entity) *world.RangeFog {
	n, sky := [fogNumbers]float64{fogRed: 0.3, fogGreen: 0.3, fogBlue: 0.3}, []float64{0.5}
	for _, p := range worldspawn.Pairs {
		switch key, _ := strings.CutPrefix(strings.TrimRight(p.Key, " "), "_"); key {
		case "fog":
			scanNumbers(p.Value, n[:fogAlpha])
		case "skyfog":
			scanNumbers(p.Value, sky)
		}
	}
	return squared(n, sky[0])
}

// Quake2 returns the fog of worldspawn in the re-release, or nil. It covers as much as Quake's, and as much of the sky as fog_sky_factor
// says. Quake II's re-release, g_spawn.cpp, p_client.cpp; Q2PRO, refresh, shader.c. Fog by height is left out.
func Quake2(worldspawn *world.Entity) *world.RangeFog {
	n, sky := [fogNumbers]float64{}, []float64{0}
	scanNumbers(worldspawn.Value("fog_density"), n[fogDensity:fogRed])
	scanNumbers(worldspawn.Value("fog_color"), n[fogRed:fogAlpha])
	scanNumbers(worldspawn.Value("fog_sky_factor"), sky)
	return squared(n, sky[0])
}

// squared returns a fog of numbers that grows by the square of the distance, and covers a part of the sky, or nil if it is not seen.
func squared(n [fogNumbers]float64, sky float64) *world.RangeFog {
	return shownFog(world.RangeFog{
		End: record.Farthest, Most: 1, Thickness: float32(n[fogDensity] / 64), Power: 2, Sky: float32(min(max(sky, 0), 1)),
	}, n)
}

// shownFog returns a fog with the colour of numbers, or nil if it is not seen.
func shownFog(f world.RangeFog, n [fogNumbers]float64) *world.RangeFog {
	if !(f.Thickness > 0) || !(f.Most > 0) || !record.Sane(f.Start, f.Thickness) || f.End > record.Farthest || !(f.End > f.Start) {
		return nil
	}
	for k := range f.Color {
		f.Color[k] = float32(gamma.Decode(min(max(n[fogRed+fogNumber(k)], 0), 1)))
	}
	return &f
}

// scanNumbers replaces numbers by those of a text, as C's sscanf does: until the text ends or a word is none.
func scanNumbers(text string, to []float64) {
	for i, word := range strings.Fields(text) {
		v, err := strconv.ParseFloat(word, 64)
		if i == len(to) || err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return
		}
		to[i] = v
	}
}
