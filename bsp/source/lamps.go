package source

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// lamp is dworldlight_t.
type lamp struct {
	origin, intensity, normal   [3]float32
	kind, style                 int
	stopDot, stopDot2           float32 // cosines of where the cone starts to fade and is dark
	radius                      float32
	constant, linear, quadratic float32
}

// lampKinds are the kinds of light by emittype_t. Source SDK 2013, public/bspfile.h.
var lampKinds = [...]world.LightKind{
	world.AreaLight, world.PointLight, world.SpotLight, world.SunLight, world.PointLight, world.AmbientLight,
}

// lampV0 and lampV1 are the two records there are; the second has where its shadows come from behind the normal.
var (
	lampV0 = lift.Row[lamp]{Size: 88, Fields: "4*22", Lift: func(b []byte) lamp { return liftLamp(b, b[36:]) }}
	lampV1 = lift.Row[lamp]{Size: 100, Fields: "4*25", Version: 1, Lift: func(b []byte) lamp { return liftLamp(b, b[48:]) }}
)

// lampMessiah is that of Dark Messiah's players' game, with a number more at its end (bsp_tool). lampV2 is Strata's, with a
// mode behind the kind.
var (
	lampMessiah = lift.Row[lamp]{Size: 92, Fields: "4*22 4", Lift: func(b []byte) lamp { return liftLamp(b, b[36:]) }}
	lampV2      = lift.Row[lamp]{Size: 104, Fields: "4*14 1*4 4*11", Version: 2, Lift: func(b []byte) lamp {
		l := liftLamp(b, b[52:])
		l.kind = lift.I32(b[52:])
		return l
	}}
)

// liftLamp lifts a record from its start and from its cluster on.
func liftLamp(b, rest []byte) lamp {
	return lamp{
		origin: lift.V3(b), intensity: lift.V3(b[12:]), normal: lift.V3(b[24:]), kind: lift.I32(rest[4:]), style: lift.I32(rest[8:]),
		stopDot: le.Float32(rest[12:]), stopDot2: le.Float32(rest[16:]), radius: le.Float32(rest[24:]),
		constant: le.Float32(rest[28:]), linear: le.Float32(rest[32:]), quadratic: le.Float32(rest[36:]),
	}
}

// lamps lifts the lamps that the compiler has made of entities and of surfaces that shine, else the entities'.
func (d *decoder) lamps(ctx context.Context) error {
	l := d.lumps[d.light.lamps]
	if len(l.Data) == 0 {
		return d.entityLamps()
	}
	if d.lists.lamps.Fit(ctx, known) < lift.All {
		d.Issue("lump-broken", l.Name, "is left out: %d bytes are not records of %d or %d bytes", len(l.Data), lampV0.Size, lampV1.Size)
		return ctx.Err()
	}
	records, err := d.lists.lamps.Records(d.Job)
	if err != nil {
		return err
	}
	if err := d.Reserve(int64(len(records)) * lampSize); err != nil {
		return err
	}
	d.w.Lights = make([]world.Light, 0, len(records))
	entities, err := d.lampEntities()
	if err != nil {
		return err
	}
	for i := range records {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r := &records[i]
		light, ok := r.light()
		if !ok {
			d.Issue("light", fmt.Sprintf("light %d", i), "%s light of %g at %g towards %g is left out", light.Kind, r.intensity, r.origin, r.normal)
			continue
		}
		d.addLamp(light, entities.find(light.Kind, r.origin))
	}
	return nil
}

// addLamp adds a lamp of an entity. The sun and the sky shine everywhere.
func (d *decoder) addLamp(l world.Light, entity int) {
	l.Entity = entity
	l.Box = l.Kind != world.SunLight && l.Kind != world.AmbientLight && d.inBox(l.Origin)
	d.w.Lights = append(d.w.Lights, l)
}

// lampSize is about what a lamp and a world.Light take.
const lampSize = 136

// known tells whether there is such a kind of lamp.
func known(_, _ int, r lamp) bool { return r.kind >= 0 && r.kind < len(lampKinds) }

// light is the lamp as the world has it; it is none where a number is not finite, or where it takes light away.
func (r *lamp) light() (l world.Light, ok bool) {
	l = world.Light{Kind: lampKinds[r.kind], Origin: r.origin, Style: uint8(min(max(r.style, 0), 255))}
	bright := max(r.intensity[0], r.intensity[1], r.intensity[2])
	if !lift.Sane(r.origin[:]...) || !finite(r.intensity[:]...) || !finite(r.constant, r.linear, r.quadratic, r.radius, r.stopDot, r.stopDot2) ||
		min(r.intensity[0], r.intensity[1], r.intensity[2]) < 0 {
		return l, false
	}
	l.Color = [3]float32{1, 1, 1}
	if bright > 0 {
		for k, c := range r.intensity {
			l.Color[k] = c / bright
		}
	}
	if l.Kind != world.PointLight && l.Kind != world.AmbientLight {
		if l.Direction = lift.UnitOrZero(r.normal); l.Direction == ([3]float32{}) {
			return l, false
		}
	}
	switch l.Kind {
	case world.SunLight, world.AmbientLight:
		l.Intensity = float64(bright)
		return l, true
	case world.AreaLight:
		l.Outer = math.Pi / 2
	case world.SpotLight:
		l.Inner, l.Outer = angle(r.stopDot), angle(r.stopDot2)
		l.Outer = max(l.Inner, l.Outer)
	}
	falls := r.attenuation()
	l.Intensity = float64(bright) * 1e4 / falls.at(100)
	if falls.constant > 0 || falls.linear > 0 {
		part := 1e4 / falls.at(100)
		l.Falls = [3]float64{falls.constant * part, falls.linear * part, falls.quadratic * part}
	}
	l.Range = min(float64(r.radius), lift.Farthest)
	if r.radius <= 0 {
		l.Range = falls.reach(float64(bright))
	}
	return l, l.Intensity < 1e15 // where it hardly falls off at 100 units, there is no such number
}

// attenuation is what light is divided by at a distance x: constant + linear·x + quadratic·x².
type attenuation struct{ constant, linear, quadratic float64 }

// attenuation is the lamp's; where the map says none, and of surfaces, light falls with the square.
func (r *lamp) attenuation() attenuation {
	a := attenuation{max(0, float64(r.constant)), max(0, float64(r.linear)), max(0, float64(r.quadratic))}
	if a == (attenuation{}) || lampKinds[r.kind] == world.AreaLight {
		return attenuation{quadratic: 1}
	}
	return a
}

func (a attenuation) at(x float64) float64 {
	return a.constant + float64(a.linear*x) + float64(float64(a.quadratic*x)*x)
}

// reach is the distance at which light falls under one of 255 steps, or 0 where it never does.
func (a attenuation) reach(bright float64) float64 {
	rest := 255*bright - a.constant // = linear·x + quadratic·x²
	x := 0.0
	switch {
	case rest <= 0:
	case a.quadratic > 0:
		x = 2 * rest / (a.linear + sqrt(float64(a.linear*a.linear)+float64(4*float64(a.quadratic*rest))))
	case a.linear > 0:
		x = rest / a.linear
	}
	return min(x, lift.Farthest)
}

// angle is the angle in radians of a cosine. Its last digits are not the same on all processors: six are kept.
func angle(cosine float32) float64 {
	return math.Round(math.Acos(min(max(float64(cosine), -1), 1))*1e6) / 1e6
}

// finite tells whether all numbers are, and their products are far from overflow.
func finite(v ...float32) bool {
	for _, x := range v {
		if !(x > -1e15 && x < 1e15) {
			return false
		}
	}
	return true
}

// lampEntities finds the entities of which lamps were made.
type lampEntities struct {
	last        map[[3]float32]int // by origin
	before      []int              // by entity: the one before it at the same origin, or world.NoEntity
	environment int                // the first light_environment, or world.NoEntity
}

// lampEntities are those whose class says that they shine.
func (d *decoder) lampEntities() (*lampEntities, error) {
	if err := d.Borrow(int64(len(d.w.Entities)) * 64); err != nil {
		return nil, err
	}
	out := &lampEntities{map[[3]float32]int{}, make([]int, len(d.w.Entities)), world.NoEntity}
	for i := range d.w.Entities {
		e := &d.w.Entities[i]
		class := strings.ToLower(e.Class())
		at, ok := e.Vector("origin")
		switch {
		case class == "light_environment":
			if out.environment == world.NoEntity {
				out.environment = i
			}
		case ok && strings.HasPrefix(class, "light"):
			out.before[i] = world.NoEntity
			if last, ok := out.last[at]; ok {
				out.before[i] = last
			}
			out.last[at] = i
		}
	}
	return out, nil
}

// find returns the entity of the next lamp at a place, or world.NoEntity. The compiler writes lamps from the last entity
// to the first.
func (l *lampEntities) find(kind world.LightKind, at [3]float32) int {
	switch kind {
	case world.SunLight, world.AmbientLight:
		return l.environment
	case world.PointLight, world.SpotLight:
		if i, ok := l.last[at]; ok {
			if l.before[i] != world.NoEntity {
				l.last[at] = l.before[i]
			}
			return i
		}
	}
	return world.NoEntity
}
