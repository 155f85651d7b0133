package valve

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// ofEntities adds the lamps of a map that was compiled without light, from its entities. The rules are the compiler's
// (Source SDK 2013, utils/vrad/lightmap.cpp).
func (w *Lamps) ofEntities() error {
	for i := range w.entities {
		for _, r := range w.entityLamp(&w.entities[i]) {
			light, ok := r.light()
			if !ok {
				w.job.Issue("light", fmt.Sprintf("entity %d", i), "%s light of %g at %g is left out", light.Kind, r.Intensity, r.Origin)
				continue
			}
			if err := w.add(light, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// Sun adds the sun that shines along a normal, where it is not one of the lamps. Of what colour it is the entity says that it was.
func (w *Lamps) Sun(normal [3]float32) error {
	sun, entity := Lamp{Kind: emitSun, Intensity: [3]float32{1, 1, 1}}, world.NoEntity
	for i := range w.entities {
		if e := &w.entities[i]; classes.LampOf(classes.Source, e.Class()) == classes.SunLamp {
			sun, entity = w.entityLamp(e)[0], i
			break
		}
	}
	sun.Normal = normal
	if light, ok := sun.light(); ok {
		return w.add(light, entity)
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
func (w *Lamps) entityLamp(e *world.Entity) []Lamp {
	number := func(key string) float32 {
		f, _ := e.Float(key)
		return float32(f)
	}
	var r Lamp
	r.Origin, _ = e.Vector("origin")
	r.Style = int(min(max(number("style"), 0), 255))
	switch classes.LampOf(classes.Source, e.Class()) {
	case classes.PointLamp:
		r.Kind = emitPoint
	case classes.SpotLamp:
		r.Kind = emitSpot
		inner := number("_inner_cone")
		if inner == 0 {
			inner = 10
		}
		r.StopDot, r.StopDot2 = cosine(inner), cosine(max(inner, number("_cone")))
	case classes.SunLamp:
		sky := Lamp{Kind: emitAmbient, Origin: r.Origin, Intensity: w.brightness(e, "_ambient")}
		sun := Lamp{Kind: emitSun, Origin: r.Origin, Intensity: w.brightness(e, "_light"), Normal: shines(e)}
		return []Lamp{sun, sky}
	default:
		return nil
	}
	r.Normal = shines(e)
	r.Intensity = w.brightness(e, "_light")
	if half, ok := e.Float("_fifty_percent_distance"); ok && half > 0 && half < lift.Farthest {
		none, _ := e.Float("_zero_percent_distance")
		a := falloff(half, none)
		r.Constant, r.Linear, r.Quadratic = float32(a.constant), float32(a.linear), float32(a.quadratic)
		return []Lamp{r}
	}
	r.Radius = number("_distance")
	r.Constant, r.Linear, r.Quadratic = number("_constant_attn"), number("_linear_attn"), number("_quadratic_attn")
	// The brightness is that at 100 units.
	at100 := float32(r.attenuation().at(100))
	for k := range r.Intensity {
		r.Intensity[k] *= at100
	}
	return []Lamp{r}
}

// falloff is the attenuation that makes a half of the light at a distance and a 256th at another. Where the two are so
// near each other that it would first grow, the compiler brings the half nearer to a straight line, in steps of a
// twentieth, and then makes everything so much brighter that it is a half again.
func falloff(half, none float64) attenuation {
	if !(none >= half && none < lift.Farthest) {
		none = 2 * half
	}
	// In units of half, through 1 at 0, 1+rise at 1 and 256 at x.
	x := none / half
	for step := 0.0; step <= 20 && x > 1; step++ {
		rise := 1 + float64(step/20*(255/x-1))
		quadratic := (255/x - rise) / (x - 1)
		linear := rise - quadratic
		if linear >= 0 && quadratic > -1e-9 {
			scale := 2 / (1 + rise)
			return attenuation{scale, scale * linear / half, max(0, scale*quadratic/(half*half))}
		}
	}
	return attenuation{0, 0, 2 / (half * half)}
}

// brightness is the light that a key says, as four numbers: red, green and blue as of a screen and the brightness, where
// 255 is white at 100 units. With a high range it is that of a key of its own, unless that starts with -1, times a scale.
func (w *Lamps) brightness(e *world.Entity, key string) (c [3]float32) {
	v, scale := numbers(e.Value(key)), 1.0
	if w.hdr {
		if text, ok := e.Lookup(key + "HDR"); ok {
			if hdr := numbers(text); hdr[0] >= 0 {
				v = hdr
			}
		}
		if s, ok := e.Float(key + "scaleHDR"); ok && s >= 0 {
			scale = s
		}
	}
	for k := range c {
		c[k] = float32(math.Pow(min(max(v[k], 0), 1e4)/255, 2.2) * v[3] / 255 * scale)
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

// cosine is that of an angle in degrees; the compiler ends cones at 90.
func cosine(degrees float32) float32 {
	return float32(math.Cos(min(max(float64(degrees), 0), 90) * math.Pi / 180))
}
