package valve

import (
	"context"
	"fmt"
	"math"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Lamp is dworldlight_t.
type Lamp struct {
	Origin, Intensity, Normal   [3]float32
	Kind, Style                 int
	StopDot, StopDot2           float32 // cosines of the angles at which the cone starts to fade and ends
	Radius                      float32
	Constant, Linear, Quadratic float32
}

// lampKinds are the kinds of light by emittype_t. Source SDK 2013, public/bspfile.h.
var lampKinds = [...]world.LightKind{
	world.AreaLight, world.PointLight, world.SpotLight, world.SunLight, world.PointLight, world.AmbientLight,
}

// LampV0 and LampV1 are the two common records; the second has a shadow offset after the normal.
var (
	LampV0 = record.Layout[Lamp]{Size: 88, Fields: "4*22", Decode: func(b []byte) Lamp { return decodeLamp(b, b[36:]) }}
	LampV1 = record.Layout[Lamp]{Size: 100, Fields: "4*25", Version: 1, Decode: func(b []byte) Lamp { return decodeLamp(b, b[48:]) }}
)

// LampMessiah is Dark Messiah's (multiplayer), with an additional number at its end (bsp_tool). LampV2 is Strata's, with a
// mode after the kind.
var (
	LampMessiah = record.Layout[Lamp]{Size: 92, Fields: "4*22 4", Decode: func(b []byte) Lamp { return decodeLamp(b, b[36:]) }}
	LampV2      = record.Layout[Lamp]{Size: 104, Fields: "4*14 1*4 4*11", Version: 2, Decode: func(b []byte) Lamp {
		l := decodeLamp(b, b[52:])
		l.Kind = record.I32(b[52:])
		return l
	}}
)

// decodeLamp decodes a record, given its start and the part from its cluster on.
func decodeLamp(b, rest []byte) Lamp {
	return Lamp{
		Origin: record.V3(b), Intensity: record.V3(b[12:]), Normal: record.V3(b[24:]),
		Kind: record.I32(rest[4:]), Style: record.I32(rest[8:]),
		StopDot: le.Float32(rest[12:]), StopDot2: le.Float32(rest[16:]), Radius: le.Float32(rest[24:]),
		Constant: le.Float32(rest[28:]), Linear: le.Float32(rest[32:]), Quadratic: le.Float32(rest[36:]),
	}
}

// Lamps collects the lamps of a map.
type Lamps struct {
	List     []world.Light
	dc       *decoding.Context
	entities []world.Entity
	places   map[string]place      // of the entities with names, in lower case; nil until one is asked for
	hdr      bool                  // use the entities' separate keys for HDR light
	inBox    func([3]float32) bool // reports whether a place is in the 3D skybox
}

// NewLamps returns an empty collection for a map with these entities.
func NewLamps(dc *decoding.Context, entities []world.Entity, hdr bool, inBox func([3]float32) bool) *Lamps {
	return &Lamps{dc: dc, entities: entities, hdr: hdr, inBox: inBox}
}

// Read adds the lamps of a lump, those that the compiler made from entities and emissive surfaces, or if there are none, those of the
// entities; and those that the game lights in real time.
func (w *Lamps) Read(ctx context.Context, l *record.List[Lamp], version int) error {
	if err := w.lump(ctx, l); err != nil {
		return err
	}
	return w.realtime(version)
}

// lump adds the lamps of a lump, or of the entities.
func (w *Lamps) lump(ctx context.Context, l *record.List[Lamp]) error {
	if len(l.Lump.Data) == 0 {
		return w.ofEntities()
	}
	if l.Score(ctx, Known) < record.All {
		w.dc.Issue("lump-broken", l.Lump.Name, "is left out: %d bytes are not records of %d or %d bytes", len(l.Lump.Data), LampV0.Size,
			LampV1.Size)
		return ctx.Err()
	}
	records, err := l.Records(w.dc)
	if err != nil {
		return err
	}
	if w.List, err = limit.Make[world.Light](w.dc.Budget, len(records), ""); err != nil {
		return err
	}
	w.List = w.List[:0]
	entities, err := w.lampEntities()
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
			w.dc.Issue("light", fmt.Sprintf("light %d", i), "%s light of %g at %g towards %g is left out", light.Kind, r.Intensity,
				r.Origin, r.Normal)
			continue
		}
		if err := w.add(light, entities.find(light.Kind, r.Origin)); err != nil {
			return err
		}
	}
	return nil
}

// add adds a lamp of an entity. The sun and the sky apply everywhere.
func (w *Lamps) add(l world.Light, entity int) (err error) {
	l.Entity = entity
	l.InSkybox = l.Kind != world.SunLight && l.Kind != world.AmbientLight && w.inBox(l.Origin)
	w.List, err = limit.Append(w.dc.Budget, w.List, "", l)
	return err
}

// Known reports whether a record's kind of lamp is known.
func Known(_, _ int, r Lamp) bool { return r.Kind >= 0 && r.Kind < len(lampKinds) }

// light converts the lamp to a world.Light; ok is false if a number is not finite or the light is negative.
func (r *Lamp) light() (l world.Light, ok bool) {
	l = world.Light{Kind: lampKinds[r.Kind], Origin: r.Origin, Style: uint8(min(max(r.Style, 0), 255))}
	bright := max(r.Intensity[0], r.Intensity[1], r.Intensity[2])
	if !record.Sane(r.Origin[:]...) || !finite(r.Intensity[:]...) ||
		!finite(r.Constant, r.Linear, r.Quadratic, r.Radius, r.StopDot, r.StopDot2) ||
		min(r.Intensity[0], r.Intensity[1], r.Intensity[2]) < 0 {
		return l, false
	}
	l.Color = [3]float32{1, 1, 1}
	if bright > 0 {
		for k, c := range r.Intensity {
			l.Color[k] = c / bright
		}
	}
	if l.Kind != world.PointLight && l.Kind != world.AmbientLight {
		if l.Direction = record.UnitOrZero(r.Normal); l.Direction == ([3]float32{}) {
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
		l.Inner, l.Outer = angle(r.StopDot), angle(r.StopDot2)
		l.Outer = max(l.Inner, l.Outer)
	}
	falls := r.attenuation()
	l.Intensity = float64(bright) * 1e4 / falls.at(100)
	if falls.constant > 0 || falls.linear > 0 {
		part := 1e4 / falls.at(100)
		l.Falloff = [3]float64{falls.constant * part, falls.linear * part, falls.quadratic * part}
	}
	l.Range = min(float64(r.Radius), record.Farthest)
	if r.Radius <= 0 {
		l.Range = falls.reach(float64(bright))
	}
	return l, l.Intensity < 1e15 // where it hardly falls off at 100 units, there is no such number
}

// attenuation is the divisor of light at a distance x: constant + linear·x + quadratic·x².
type attenuation struct{ constant, linear, quadratic float64 }

// attenuation returns the lamp's attenuation; if the map has none, and for surfaces, it is quadratic.
func (r *Lamp) attenuation() attenuation {
	a := attenuation{max(0, float64(r.Constant)), max(0, float64(r.Linear)), max(0, float64(r.Quadratic))}
	if a == (attenuation{}) || lampKinds[r.Kind] == world.AreaLight {
		return attenuation{quadratic: 1}
	}
	return a
}

func (a attenuation) at(x float64) float64 {
	return a.constant + float64(a.linear*x) + float64(float64(a.quadratic*x)*x)
}

// reach returns the distance at which light falls below 1/255, or 0 if it never does.
func (a attenuation) reach(bright float64) float64 {
	rest := 255*bright - a.constant // = linear·x + quadratic·x²
	x := 0.0
	switch {
	case rest <= 0:
	case a.quadratic > 0:
		x = 2 * rest / (a.linear + math.Sqrt(float64(a.linear*a.linear)+float64(4*float64(a.quadratic*rest))))
	case a.linear > 0:
		x = rest / a.linear
	}
	return min(x, record.Farthest)
}

// angle returns the angle in radians of a cosine, rounded to six digits because the last ones differ between
// processors.
func angle(cosine float32) float64 {
	return math.Round(math.Acos(min(max(float64(cosine), -1), 1))*1e6) / 1e6
}

// finite reports whether all numbers are finite and their products can't overflow.
func finite(v ...float32) bool {
	for _, x := range v {
		if !(x > -1e15 && x < 1e15) {
			return false
		}
	}
	return true
}

// lampEntities finds the entities that lamps were made from.
type lampEntities struct {
	last        map[[3]float32]int // by origin
	before      []int              // by entity: the previous one at the same origin, or world.NoEntity
	environment int                // the first sun, or world.NoEntity
}

// lampEntities returns the entities whose class is a lamp.
func (w *Lamps) lampEntities() (*lampEntities, error) {
	if err := w.dc.Borrow(int64(len(w.entities)) * 64); err != nil {
		return nil, err
	}
	out := &lampEntities{map[[3]float32]int{}, make([]int, len(w.entities)), world.NoEntity}
	for i := range w.entities {
		e := &w.entities[i]
		lamp := classes.LampOf(classes.Source, e.Class())
		at, ok := e.Vector("origin")
		switch {
		case lamp == classes.SunLamp:
			if out.environment == world.NoEntity {
				out.environment = i
			}
		case ok && lamp != classes.NoLamp:
			out.before[i] = world.NoEntity
			if last, ok := out.last[at]; ok {
				out.before[i] = last
			}
			out.last[at] = i
		}
	}
	return out, nil
}

// find returns the entity of the next lamp at a position, or world.NoEntity. The compiler writes lamps from the last
// entity to the first.
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
