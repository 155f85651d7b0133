package valve

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// realtimeLamps are the classes that the game lights in real time: the compiler stores no direct light of them. The first two are Strata's,
// with the keys of light and light_spot.
var realtimeLamps = map[string]classes.Lamp{
	"light_rt": classes.PointLamp, "light_rt_spot": classes.SpotLamp, "env_projectedtexture": classes.OtherLamp,
}

// The spawnflags of a light that starts off, and of a projected texture that starts on.
const (
	lightOff    = 1
	projectedOn = 1
)

// lastAlwaysOn is the last map version of the branches in which a projected texture is on, whatever its flag says. Source SDK 2013,
// env_projectedtexture.cpp: it is on at the start; Alien Swarm's SDK sets it by the flag.
const lastAlwaysOn = 20

// realtime adds the lamps that the game lights in real time and that are on when the map starts, unless the compiler has stored them.
func (w *Lamps) realtime(version int) error {
	for i := range w.entities {
		e := &w.entities[i]
		kind, ok := realtimeLamps[strings.ToLower(e.Class())]
		if !ok {
			continue
		}
		var r Lamp
		if kind == classes.OtherLamp {
			if _, stated := e.Lookup("spawnflags"); stated && version > lastAlwaysOn && e.Bits("spawnflags")&projectedOn == 0 {
				continue
			}
			r = w.projected(e)
		} else {
			if e.Bits("spawnflags")&lightOff != 0 {
				continue
			}
			r = w.entityLamp(e, kind)[0]
			if radius, _ := e.Float("_rt_radius"); radius > 0 {
				r.Radius = float32(radius)
			}
		}
		light, ok := r.light()
		if !ok {
			w.dc.Issue("light", fmt.Sprintf("entity %d", i), "%s light of %g at %g is left out", light.Kind, r.Intensity, r.Origin)
			continue
		}
		stored := func(l world.Light) bool { return l.Kind == light.Kind && l.Origin == light.Origin }
		if slices.ContainsFunc(w.List, stored) {
			continue
		}
		if err := w.add(light, i); err != nil {
			return err
		}
	}
	return nil
}

// projected returns the lamp of an env_projectedtexture: it shines to its target or along its angles, in a cone about its square picture,
// and gets weaker with the distance: as it is at 100 units, to nothing at farz. Source SDK 2013, env_projectedtexture.cpp,
// c_env_projectedtexture.cpp (UpdateLight).
func (w *Lamps) projected(e *world.Entity) Lamp {
	number := func(key string, usual float64) float64 {
		if f, ok := e.Float(key); ok {
			return f
		}
		return usual
	}
	color := numbers(e.Value("lightcolor"))
	if _, ok := e.Lookup("lightcolor"); !ok {
		color = [4]float64{255, 255, 255, 255}
	}
	r := Lamp{Kind: emitSpot, Linear: 0.01, Radius: float32(number("farz", 750)), Normal: ahead(e.Angles())}
	r.Origin, _ = e.Vector("origin")
	scale := color[3] / 255 * number("brightnessscale", 1)
	for k := range r.Intensity {
		r.Intensity[k] = float32(math.Pow(min(max(color[k], 0), 1e4)/255, 2.2) * scale)
	}
	half := min(max(number("lightfov", 45)/2, 1), 89)
	r.StopDot, r.StopDot2 = cosine(float32(half*innerCone)), cosine(float32(half))
	if to, ok := w.placeOf(e.Value("target")); ok {
		var way [3]float64
		for k := range way {
			way[k] = float64(to[k]) - float64(r.Origin[k])
		}
		if far := math.Sqrt(float64(way[0]*way[0]) + float64(way[1]*way[1]) + float64(way[2]*way[2])); far > 1e-6 {
			for k := range way {
				r.Normal[k] = float32(way[k] / far)
			}
		}
	}
	return r
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
