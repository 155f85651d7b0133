package source

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// entityLamps lifts the lamps of a map that was compiled without light, from its entities. The rules are the compiler's
// (Source SDK 2013, utils/vrad/lightmap.cpp).
func (d *decoder) entityLamps() error {
	for i := range d.w.Entities {
		for _, r := range d.entityLamp(&d.w.Entities[i]) {
			light, ok := r.light()
			if !ok {
				d.issue("light", fmt.Sprintf("entity %d", i), "%s light of %g at %g is left out", light.Kind, r.intensity, r.origin)
				continue
			}
			if err := d.reserve(2 * lampSize); err != nil {
				return err
			}
			light.Entity = i
			light.Box = light.Kind != world.SunLight && light.Kind != world.AmbientLight && d.inBox(r.origin)
			d.w.Lights = append(d.w.Lights, light)
		}
	}
	return nil
}

// The kinds of lamps that entities become: emittype_t.
const (
	emitPoint   = 1
	emitSpot    = 2
	emitSun     = 3
	emitAmbient = 5
)

// entityLamp is what the compiler makes of an entity: one lamp, of a light_environment the sun and the sky's light.
func (d *decoder) entityLamp(e *world.Entity) []lamp {
	number := func(key string, otherwise float64) float32 {
		if f, ok := e.Float(key); ok {
			otherwise = f
		}
		return float32(otherwise)
	}
	var r lamp
	r.origin, _ = e.Vector("origin")
	r.style = int(min(max(number("style", 0), 0), 255))
	switch strings.ToLower(e.Class()) {
	case "light":
		r.kind = emitPoint
	case "light_spot":
		r.kind = emitSpot
		inner := number("_inner_cone", 0)
		if inner == 0 {
			inner = 10
		}
		r.stopDot, r.stopDot2 = cosine(inner), cosine(max(inner, number("_cone", 0)))
	case "light_environment":
		sky := lamp{kind: emitAmbient, origin: r.origin, intensity: d.brightness(e, "_ambient"), quadratic: 1}
		sun := lamp{kind: emitSun, origin: r.origin, intensity: d.brightness(e, "_light"), normal: shines(e)}
		return []lamp{sun, sky}
	default:
		return nil
	}
	r.normal = shines(e)
	r.intensity = d.brightness(e, "_light")
	r.radius = number("_distance", 0)
	if half := number("_fifty_percent_distance", 0); half > 0 && half < farthest {
		r.constant, r.quadratic = 1, 1/(half*half)
		return []lamp{r}
	}
	r.constant, r.linear, r.quadratic = number("_constant_attn", 0), number("_linear_attn", 0), number("_quadratic_attn", 0)
	// The brightness is that at 100 units.
	at100 := float32(r.attenuation().at(100))
	for k := range r.intensity {
		r.intensity[k] *= at100
	}
	return []lamp{r}
}

// brightness is the light that a key says, as four numbers: red, green and blue as of a screen and the brightness, where
// 255 is white at 100 units. With a high range it is that of a key of its own, unless that starts with -1.
func (d *decoder) brightness(e *world.Entity, key string) (c [3]float32) {
	v := numbers(e.Value(key))
	if hdr := numbers(e.Value(key + "HDR")); d.light.hdr && hdr[0] >= 0 && hdr[3] > 0 {
		v = hdr
	}
	for k := range c {
		c[k] = float32(math.Pow(min(max(v[k], 0), 1e4)/255, 2.2) * v[3] / 255)
	}
	return c
}

// numbers are up to four numbers in a text. A missing fourth is 255; one alone is grey.
func numbers(s string) [4]float64 {
	v := [4]float64{0, 0, 0, 255}
	n := 0
	for _, f := range strings.Fields(s) {
		x, err := strconv.ParseFloat(f, 32)
		if n == 4 || err != nil || x-x != 0 {
			break
		}
		v[n] = x
		n++
	}
	if n == 1 {
		v[1], v[2] = v[0], v[0]
	}
	return v
}

// shines is the direction in which an entity shines: that of its yaw and of the pitch key, which is up. Where that is 0
// it is the angles' pitch, which the compiler takes to be up as well, though everywhere else it is down.
func shines(e *world.Entity) [3]float32 {
	angles := e.Angles()
	pitch, _ := e.Float("pitch")
	if pitch == 0 {
		pitch = float64(angles[0])
	}
	ps, pc := math.Sincos(pitch * math.Pi / 180)
	ys, yc := math.Sincos(float64(angles[1]) * math.Pi / 180)
	return [3]float32{float32(yc * pc), float32(ys * pc), float32(ps)}
}

// cosine is that of an angle in degrees.
func cosine(degrees float32) float32 { return float32(math.Cos(float64(degrees) * math.Pi / 180)) }
