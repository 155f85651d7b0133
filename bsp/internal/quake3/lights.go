package quake3

import (
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// photons is the compiler's light per unit of a light entity, pointScale in q3map's light.c: a surface at distance d
// gets light*7500/d², where 255 is white.
const photons = 7500

// decodeLamps decodes the light entities: each is the light of one lamp, with a target a spot. The light in the charts is theirs.
func decodeLamps(dc *decoding.Context, family classes.Family, entities []world.Entity) ([]world.Light, error) {
	isLamp := func(e *world.Entity) bool { return classes.LampOf(family, e.Class()) == classes.PointLamp }
	targets := map[string]int{} // entity by its lower-case targetname; the first of a name
	n := 0
	for i := range entities {
		e := &entities[i]
		name := strings.ToLower(e.Value("targetname"))
		if _, taken := targets[name]; !taken && name != "" {
			targets[name] = i
		}
		if isLamp(e) {
			n++
		}
	}
	if err := dc.Reserve(limit.Bytes[world.Light](n)); err != nil {
		return nil, err
	}
	var list []world.Light
	for i := range entities {
		if !isLamp(&entities[i]) {
			continue
		}
		if l, ok := lamp(entities, i, targets); ok {
			list = append(list, l)
		}
	}
	return list, nil
}

// lamp returns the light of entity i; ok is false for a negative light.
func lamp(entities []world.Entity, i int, targets map[string]int) (l world.Light, ok bool) {
	e := &entities[i]
	value := 300.0
	for _, key := range []string{"light", "_light"} {
		if f, ok := e.Float(key); ok && f != 0 {
			value = f
		}
	}
	if scale, ok := e.Float("scale"); ok && scale > 0 {
		value *= scale
	}
	if value < 0 {
		return l, false
	}
	l = world.Light{
		Entity: i, Color: [3]float32{1, 1, 1}, Intensity: value * photons / 255, Range: math.Sqrt(value * photons),
	}
	l.Origin, _ = e.Vector("origin")
	if c, ok := e.Vector("_color"); ok {
		if most := max(c[0], c[1], c[2]); most > 0 {
			for k := range c {
				l.Color[k] = max(c[k], 0) / most
			}
		}
	}
	spot(&l, e, entities, targets)
	return l, true
}

// spot turns a light into a spot if its target is elsewhere.
func spot(l *world.Light, e *world.Entity, entities []world.Entity, targets map[string]int) {
	target, named := targets[strings.ToLower(e.Value("target"))]
	from, placed := e.Vector("origin")
	if !named || !placed {
		return
	}
	to, ok := entities[target].Vector("origin")
	if !ok || to == from {
		return
	}
	var way [3]float64
	far := 0.0
	for k := range way {
		way[k] = float64(to[k]) - float64(from[k])
		far += float64(way[k] * way[k])
	}
	far = math.Sqrt(far)
	for k := range way {
		l.Direction[k] = float32(way[k] / far)
	}
	radius := 64.0
	if r, ok := e.Float("radius"); ok && r > 0 {
		radius = r
	}
	// The compiler's cone fades out over the last 16 units of the radius at the target's distance.
	l.Kind = world.SpotLight
	l.Outer = min(math.Atan2(radius+16, far), math.Pi/2)
	l.Inner = min(math.Atan2(radius, far), l.Outer*0.999)
}
