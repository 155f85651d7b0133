package valve

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// ofEntities adds the lamps of a map that was compiled without light, from its entities, by the compiler's rules
// (Source SDK 2013, utils/vrad/lightmap.cpp).
func (w *Lamps) ofEntities() error {
	for i := range w.entities {
		e := &w.entities[i]
		for _, r := range w.entityLamp(e, classes.LampOf(classes.Source, e.Class())) {
			light, ok := r.light()
			if !ok {
				w.dc.Issue("light", fmt.Sprintf("entity %d", i), "%s light of %g at %g is left out", light.Kind, r.Intensity, r.Origin)
				continue
			}
			if err := w.add(light, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// Sun adds the sun that shines along a normal, if it is not among the lamps. Its colour is the entity's.
func (w *Lamps) Sun(normal [3]float32) error {
	sun, entity := Lamp{Kind: emitSun, Intensity: [3]float32{1, 1, 1}}, world.NoEntity
	for i := range w.entities {
		if e := &w.entities[i]; classes.LampOf(classes.Source, e.Class()) == classes.SunLamp {
			sun, entity = w.entityLamp(e, classes.SunLamp)[0], i
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

// entityLamp returns the lamps that the compiler makes from an entity, a lamp of a kind: one, or the sun and the sky's light for a
// light_environment.
func (w *Lamps) entityLamp(e *world.Entity, kind classes.Lamp) []Lamp {
	number := func(key string) float32 {
		f, _ := e.Float(key)
		return float32(f)
	}
	var r Lamp
	r.Origin, _ = e.Vector("origin")
	r.Style = int(min(max(number("style"), 0), 255))
	switch kind {
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
	if half, ok := e.Float("_fifty_percent_distance"); ok && half > 0 && half < record.Farthest {
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

// falloff returns the attenuation with half the light at one distance and a 256th at another. If the two are so close
// that the light would first increase, the compiler moves the half toward a straight line in steps of a twentieth, and
// then brightens everything so that it is a half again.
func falloff(half, none float64) attenuation {
	if !(none >= half && none < record.Farthest) {
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

// brightness returns the light of a key with four numbers: red, green and blue in sRGB and the brightness, where 255 is
// white at 100 units. With HDR it is that of a separate key, unless that starts with -1, times a scale.
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

// numbers parses up to four numbers. A missing fourth is 255; a single one is grey.
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

// shines returns the direction in which an entity shines, from its yaw and the key pitch, where positive is up. If that
// is 0 the angles' pitch is used, also as up by the compiler, although everywhere else it is down.
func shines(e *world.Entity) [3]float32 {
	angles := e.Angles()
	if pitch, _ := e.Float("pitch"); pitch != 0 {
		angles[0] = float32(pitch)
	}
	out := ahead(angles)
	out[2] = -out[2]
	return out
}

// ahead returns the unit vector along which something with these angles looks.
func ahead(angles [3]float32) [3]float32 {
	ps, pc := math.Sincos(float64(angles[0]) * math.Pi / 180)
	ys, yc := math.Sincos(float64(angles[1]) * math.Pi / 180)
	return [3]float32{float32(yc * pc), float32(ys * pc), float32(-ps)}
}

// cosine returns the cosine of an angle in degrees; the compiler limits cones to 90.
func cosine(degrees float32) float32 {
	return float32(math.Cos(min(max(float64(degrees), 0), 90) * math.Pi / 180))
}
