package valve

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/entity"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The spawnflags of a light that starts off, of a projected texture that starts on, and of a light_dynamic that lights neither the world
// nor models.
const (
	lightOff    = 1
	projectedOn = 1
	dynamicOff  = 3
)

// realtime adds the lamps that the game lights in real time and that are on when the map starts. The compiler stores no direct light of
// them; but a light_rt may be in its list of lamps.
func (w *Lamps) realtime(version int) error {
	var pictures, targets int
	listed := w.List
	for i := range w.entities {
		e := &w.entities[i]
		var r Lamp
		on, mayBeListed := true, false
		switch strings.ToLower(e.Class()) {
		case "light_rt": // Strata's, with the keys of light and light_spot
			r, on = w.clustered(e, classes.PointLamp)
			mayBeListed = true
		case "light_rt_spot":
			r, on = w.clustered(e, classes.SpotLamp)
			mayBeListed = true
		case "light_dynamic":
			r, on = w.dynamic(e)
		case "env_projectedtexture":
			p := projectedTexture{e, version > lastOfSDK2013 || slices.ContainsFunc(swarmKeys, func(key string) bool {
				_, ok := e.Lookup(key)
				return ok
			})}
			switch {
			case !p.on():
				continue
			case p.flat():
				pictures++
				continue
			case p.targetOnly():
				targets++
				continue
			case p.picture():
				pictures++
			}
			r = p.lamp(w)
		default:
			continue
		}
		if !on {
			continue
		}
		light, ok := r.light()
		if !ok {
			w.dc.Issue("light", fmt.Sprintf("entity %d", i), "%s light of %g at %g is left out", light.Kind, r.Intensity, r.Origin)
			continue
		}
		same := func(l world.Light) bool { return l.Kind == light.Kind && l.Origin == light.Origin }
		if mayBeListed && slices.ContainsFunc(listed, same) {
			continue
		}
		if err := w.add(light, i); err != nil {
			return err
		}
	}
	if pictures > 0 {
		w.dc.Issue("entity-effect", "env_projectedtexture", "the picture that the game projects: not shown for %s", entity.Number(pictures))
	}
	if targets > 0 {
		w.dc.Issue("entity-effect", "env_projectedtexture", "light on its target alone: not shown for %s", entity.Number(targets))
	}
	return nil
}

// clustered returns the lamp of a light_rt or light_rt_spot, and whether it is on.
func (w *Lamps) clustered(e *world.Entity, kind classes.Lamp) (r Lamp, on bool) {
	r = w.entityLamp(e, kind)[0]
	if radius, _ := e.Float("_rt_radius"); radius > 0 {
		r.Radius = float32(radius)
	}
	return r, e.Bits("spawnflags")&lightOff == 0
}

// dynamic returns the lamp of a light_dynamic, and whether it is on. Its colour is light times two to the power of its brightness,
// within distance units. The engine's falloff is not public: the colour is taken as that at half the distance. With a cone it
// lights along its angles or to its target. Source SDK 2013, dynamiclight.cpp, c_dynamiclight.cpp.
func (w *Lamps) dynamic(e *world.Entity) (r Lamp, on bool) {
	distance, cone := float32(number(e, "distance", 0)), number(e, "_cone", 0)
	r = Lamp{Kind: emitPoint, Radius: distance, Style: int(min(max(number(e, "style", 0), 0), 255)), Quadratic: 1}
	r.Origin, _ = e.Vector("origin")
	color, half := numbers(e.Value("_light")), float64(distance)/2
	scale := math.Exp2(min(max(math.Trunc(number(e, "brightness", 0)), -127), 127)) / 255 * float64(half*half)
	for k := range r.Intensity {
		r.Intensity[k] = float32(min(max(color[k], 0), 255) * scale)
	}
	if cone > 0 {
		r.Kind = emitSpot
		r.StopDot, r.StopDot2 = cosine(float32(min(number(e, "_inner_cone", 0), cone))), cosine(float32(cone))
		angles := e.Angles()
		if pitch := number(e, "pitch", 0); pitch != 0 {
			angles[0] = float32(-pitch)
		}
		r.Normal = w.towards(e, r.Origin, angles)
	}
	return r, distance > 0 && e.Bits("spawnflags")&dynamicOff != dynamicOff
}

// projectedTexture is an env_projectedtexture. Source SDK 2013, env_projectedtexture.cpp, and its successor of Alien Swarm's SDK, which all
// later games have, and mods of the former.
type projectedTexture struct {
	*world.Entity
	swarm bool // Alien Swarm's
}

// lastOfSDK2013 is the last version of maps of the branches with the first class, unless the entity has a key of the second.
const lastOfSDK2013 = 20

var swarmKeys = []string{"brightnessscale", "colortransitiontime", "lighthorfov", "simpleprojection", "volumetric", "volumetricintensity"}

// on reports whether the entity is on when the map starts: the first class is, whatever its flag says.
func (p projectedTexture) on() bool {
	_, stated := p.Lookup("spawnflags")
	return !stated || !p.swarm || p.Bits("spawnflags")&projectedOn != 0
}

// flat reports whether the entity draws its picture on surfaces without lighting them.
func (p projectedTexture) flat() bool { return p.swarm && number(p.Entity, "simpleprojection", 0) != 0 }

// targetOnly reports whether only a target is lit.
func (p projectedTexture) targetOnly() bool {
	return number(p.Entity, "lightonlytarget", 0) != 0 && p.Value("target") != ""
}

// picture reports whether the entity projects another picture than a round patch of light.
func (p projectedTexture) picture() bool {
	name := strings.TrimSuffix(strings.ToLower(strings.ReplaceAll(p.Value("texturename"), `\`, "/")), ".vtf")
	return name != "" && !strings.HasPrefix(name, "effects/flashlight")
}

// lamp returns the entity's lamp: it shines to its target or along its angles, in a cone about its square picture, and gets weaker with the
// distance: as it is at 100 units, to nothing at farz.
func (p projectedTexture) lamp(w *Lamps) Lamp {
	color := [4]float64{255, 255, 255, 255}
	if value, ok := p.Lookup("lightcolor"); ok {
		color = numbers(value)
	}
	gamma, scale := 2.2, color[3]
	switch {
	case p.swarm:
		gamma, scale = 1, scale*number(p.Entity, "brightnessscale", 1)
	case scale <= 0:
		scale = 255
	}
	r := Lamp{Kind: emitSpot, Linear: 0.01, Radius: float32(number(p.Entity, "farz", 750))}
	r.Origin, _ = p.Vector("origin")
	r.Normal = w.towards(p.Entity, r.Origin, p.Angles())
	for k := range r.Intensity {
		r.Intensity[k] = float32(math.Pow(min(max(color[k], 0), 1e4)/255, gamma) * scale / 255)
	}
	half := min(max(number(p.Entity, "lightfov", 45)/2, 1), 89)
	r.StopDot, r.StopDot2 = cosine(float32(half*innerCone)), cosine(float32(half))
	return r
}

// number returns the number of a key, or the usual one.
func number(e *world.Entity, key string, usual float64) float64 {
	if f, ok := e.Float(key); ok {
		return f
	}
	return usual
}

// towards returns the direction from a place to an entity's target or, if there is none, along angles.
func (w *Lamps) towards(e *world.Entity, from, angles [3]float32) [3]float32 {
	to, ok := w.placeOf(e.Value("target"))
	if !ok {
		return ahead(angles)
	}
	var way [3]float64
	for k := range way {
		way[k] = float64(to[k]) - float64(from[k])
	}
	far := math.Sqrt(float64(way[0]*way[0]) + float64(way[1]*way[1]) + float64(way[2]*way[2]))
	if far <= 1e-6 {
		return ahead(angles)
	}
	return [3]float32{float32(way[0] / far), float32(way[1] / far), float32(way[2] / far)}
}

// innerCone is the part of a projected picture's half width that is bright: effects/flashlight_border gets dark beyond.
const innerCone = 0.8

// placeOf returns where the first entity with a name is.
func (w *Lamps) placeOf(name string) (at [3]float32, ok bool) {
	if w.places == nil {
		w.places = map[string]place{}
		for i := range w.entities {
			e := &w.entities[i]
			key := strings.ToLower(e.Value("targetname"))
			if _, taken := w.places[key]; !taken && key != "" {
				at, ok := e.Vector("origin")
				w.places[key] = place{at, ok}
			}
		}
	}
	p := w.places[strings.ToLower(name)]
	return p.at, p.ok
}

// place is where an entity is; ok is false if its keys don't say so.
type place struct {
	at [3]float32
	ok bool
}
