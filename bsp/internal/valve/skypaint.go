package valve

import (
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// paintedName is the name of the sky that Garry's Mod paints.
const paintedName = "skybox/painted"

// PaintedSky returns the sky that Garry's Mod paints, by the keys of the first env_skypaint, or nil if the map's sky is another one. What
// has no key, or no entity, is as the entity starts. Facepunch's garrysmod, gamemodes/base/entities/entities/env_skypaint.lua.
func PaintedSky(sky string, entities []world.Entity) *world.PaintedSky {
	if sky != paintedName {
		return nil
	}
	s := &world.PaintedSky{
		Top: [3]float32{0.2, 0.5, 1}, Bottom: [3]float32{0.8, 1, 1}, FadeBias: 1,
		Dusk: [3]float32{1, 0.2, 0}, DuskScale: 1, DuskIntensity: 1,
		Sun: [3]float32{0.2, 0.1, 0}, ToSun: [3]float32{0.4, 0, 0.01}, SunSize: 2, Stars: true,
	}
	for i := range entities {
		e := &entities[i]
		if !strings.EqualFold(e.Class(), "env_skypaint") {
			continue
		}
		for key, to := range map[string]*[3]float32{"topcolor": &s.Top, "bottomcolor": &s.Bottom, "duskcolor": &s.Dusk, "suncolor": &s.Sun,
			"sunnormal": &s.ToSun} {
			if v, ok := e.Vector(key); ok {
				*to = v
			}
		}
		for key, to := range map[string]*float32{"fadebias": &s.FadeBias, "duskscale": &s.DuskScale, "duskintensity": &s.DuskIntensity,
			"sunsize": &s.SunSize} {
			if f, ok := e.Float(key); ok {
				*to = float32(f)
			}
		}
		if f, ok := e.Float("drawstars"); ok {
			s.Stars = f != 0
		}
		break
	}
	if way, ok := sunDirection(entities); ok {
		s.ToSun = way
	}
	if n := length(s.ToSun); n > 0 {
		for k := range s.ToSun {
			s.ToSun[k] /= n
		}
	}
	return s
}

// sunDirection returns the way to the map's first env_sun, which a painted sky follows. With use_angles the sun stands against the
// direction of its light, which is given as that of a light_environment; else it is seen from its target through its own place;
// else it is overhead. Source SDK 2013, sun.cpp.
func sunDirection(entities []world.Entity) (way [3]float32, ok bool) {
	for i := range entities {
		e := &entities[i]
		if !strings.EqualFold(e.Class(), "env_sun") {
			continue
		}
		if byAngles, _ := e.Float("use_angles"); byAngles != 0 {
			light := shines(e)
			return [3]float32{-light[0], -light[1], -light[2]}, true
		}
		at, _ := e.Vector("origin")
		for k := range entities {
			if to := entities[k].Value("targetname"); to != "" && strings.EqualFold(to, e.Value("target")) {
				target, _ := entities[k].Vector("origin")
				return [3]float32{at[0] - target[0], at[1] - target[1], at[2] - target[2]}, true
			}
		}
		return [3]float32{0, 0, 1}, true
	}
	return way, false
}

func length(v [3]float32) float32 {
	return float32(math.Sqrt(float64(v[0]*v[0]) + float64(v[1]*v[1]) + float64(v[2]*v[2])))
}
