package goldsrc

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// lamps decodes the lamps. The light in the charts is theirs.
type lamps struct {
	dc       *decoding.Context
	v        *variant
	entities []world.Entity
	targets  map[string]int // entity by its targetname; the first of a name
	list     []world.Light
}

// decodeLights returns the lamps of entities and of emissive textures, and sets the glow of the textures' materials. models are the map's.
func decodeLights(ctx context.Context, m *file, v *variant, entities []world.Entity, models []world.Model, materials []world.Material) (
	[]world.Light, error) {
	lamps, err := decodeLamps(m.dc, v, entities)
	if err != nil {
		return nil, err
	}
	emissive, err := m.emissive(ctx)
	if err != nil {
		return nil, err
	}
	err = lamps.areaLamps(ctx, emissive, models, materials)
	return lamps.list, err
}

// decodeLamps decodes the light entities.
func decodeLamps(dc *decoding.Context, v *variant, entities []world.Entity) (*lamps, error) {
	d := &lamps{dc: dc, v: v, entities: entities, targets: map[string]int{}}
	for i := range entities {
		name := entities[i].Value("targetname")
		if _, taken := d.targets[name]; !taken && name != "" {
			d.targets[name] = i
		}
	}
	if err := d.dc.Borrow(int64(len(d.targets)) * 64); err != nil {
		return nil, err
	}
	for i := range entities {
		e := &entities[i]
		if d.lampOf(e) == classes.NoLamp {
			continue
		}
		l, ok := v.lamp(d, e)
		if !ok {
			continue
		}
		if !(l.Intensity >= 0 && l.Intensity < 1e15) || !record.Sane(l.Origin[:]...) {
			d.dc.Issue("light", fmt.Sprintf("entity %d", i), "%s light of %g at %g is left out", l.Kind, l.Intensity, l.Origin)
			continue
		}
		l.Entity = i
		style, _ := e.Float("style")
		l.Style = uint8(min(max(style, 0), 255))
		if err := d.add(l); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// lampOf returns how an entity shines.
func (d *lamps) lampOf(e *world.Entity) classes.Lamp {
	return classes.LampOf(classesOf[d.v.family], e.Class())
}

// add adds a lamp.
func (d *lamps) add(l world.Light) (err error) {
	d.list, err = limit.Append(d.dc.Budget, d.list, "", l)
	return err
}

// color returns the colour of a lamp, scaled to a greatest channel of 1, and its brightness; negative channels
// count as 0.
func color(c [3]float64) (normal [3]float32, most float64) {
	if most = max(c[0], c[1], c[2]); !(most > 0) {
		return [3]float32{1, 1, 1}, 0
	}
	for k := range c {
		normal[k] = float32(max(c[k], 0) / most)
	}
	return normal, most
}

// quakeLamp is a lamp of Quake or Quake II, whose light of 300 on a scale of 255 falls by 1 a unit. It is written as a lamp
// that falls with the square of the distance and is as bright half way. light.c of Quake's tools and lightmap.c of Quake II's.
func quakeLamp(d *lamps, e *world.Entity) (l world.Light, ok bool) {
	value := 300.0
	for _, key := range []string{"light", "_light"} {
		if f, ok := e.Float(key); ok && f != 0 {
			value = f
		}
	}
	c, _ := e.Vector("_color") // of 1 or of 255
	l.Color, _ = color([3]float64{float64(c[0]), float64(c[1]), float64(c[2])})
	l.Origin, _ = e.Vector("origin")
	half := value / 2
	l.Intensity = gamma.Decode(d.v.show.full.shown(half/255)) * half * half
	l.Range = value
	cone, ok := e.Float(d.v.cone.key)
	if !ok || !(cone > 0) {
		cone = d.v.cone.usual
	}
	cone *= d.v.cone.half
	d.aim(&l, e, cone, cone)
	return l, value > 0 && value < record.Farthest
}

// cone is the width of a spot: by a key, in degrees, or as usual; half makes half its angle of it.
type cone struct {
	key         string
	usual, half float64
}

// GoldSrc's compiler multiplies light that comes straight from a lamp by direct (-dscale), and that of a surface by
// perUnit for each square unit of it (DIRECT_SCALE).
const (
	direct  = 2
	perUnit = 0.1
)

// goldSrcLamp is a lamp of GoldSrc, whose light of v on a scale of 255 is v³/10 at one unit, and falls with the square.
// Half-Life SDK, utils/qrad/lightmap.c, CreateDirectLights.
func goldSrcLamp(d *lamps, e *world.Entity) (l world.Light, ok bool) {
	value := lightValue(e.Value("_light"))
	sun := d.lampOf(e) == classes.SunLamp
	if value == [3]float64{} && !sun {
		value = [3]float64{300, 300, 300}
	}
	var bright float64
	l.Color, bright = color(value)
	l.Origin, _ = e.Vector("origin")
	inner, _ := e.Float("_cone")
	if !(inner > 0) {
		inner = 10
	}
	outer, _ := e.Float("_cone2")
	d.aim(&l, e, inner, max(inner, outer))
	l.Intensity = direct * bright / 255
	if sun {
		l.Kind, l.Inner, l.Outer = world.SunLight, 0, 0
	} else {
		l.Range = math.Sqrt(direct * bright * bright * bright / 10) // where it is 1 of 255
		l.Intensity *= bright * bright / 10
	}
	return l, bright > 0
}

// lightValue parses light like the compiler: one number is grey, three are red, green and blue, and a fourth is the
// brightness of 255.
func lightValue(s string) (c [3]float64) {
	var v [4]float64
	n := 0
	for _, f := range strings.Fields(s) {
		x, err := strconv.ParseFloat(f, 32)
		if n == len(v) || err != nil || x-x != 0 {
			break
		}
		v[n] = x
		n++
	}
	switch n {
	case 1:
		return [3]float64{v[0], v[0], v[0]}
	case 3:
		return [3]float64(v[:3])
	case 4:
		return [3]float64{v[0] * v[3] / 255, v[1] * v[3] / 255, v[2] * v[3] / 255}
	}
	return c
}

// aim makes a spot of a lamp that shines in a direction: to its target, or where its class says so by its angles. Its yaw
// is angle, of which -1 is up and -2 down, or that of angles; its pitch, which is up, is pitch or that of angles. Inner and
// outer are degrees off the direction.
func (d *lamps) aim(l *world.Light, e *world.Entity, inner, outer float64) {
	var way [3]float64
	if target, ok := d.targets[e.Value("target")]; ok {
		to, _ := d.entities[target].Vector("origin")
		for k := range way {
			way[k] = float64(to[k]) - float64(l.Origin[k])
		}
	} else if lamp := d.lampOf(e); lamp == classes.SpotLamp || lamp == classes.SunLamp {
		way = shines(e)
	}
	far := math.Sqrt(float64(way[0]*way[0]) + float64(way[1]*way[1]) + float64(way[2]*way[2]))
	if !(far > 1e-6 && far < record.Farthest) {
		return
	}
	l.Kind = world.SpotLight
	for k := range way {
		l.Direction[k] = float32(way[k] / far)
	}
	l.Inner, l.Outer = min(inner, 90)*math.Pi/180, min(outer, 90)*math.Pi/180
}

// shines returns the direction in which an entity shines for the compiler, which reads the keys by itself: angle, unless it is 0, and pitch
// before those of angles, whatever their order. Half-Life SDK, utils/qrad, lightmap.c.
func shines(e *world.Entity) [3]float64 {
	angles, _ := e.Vector("angles")
	yaw, _ := e.Float("angle")
	switch yaw {
	case -1:
		return [3]float64{0, 0, 1}
	case -2:
		return [3]float64{0, 0, -1}
	case 0:
		yaw = float64(angles[1])
	}
	pitch, _ := e.Float("pitch")
	if pitch == 0 {
		pitch = float64(angles[0])
	}
	return forward(yaw, pitch)
}

// forward returns the direction of a yaw and a pitch upwards, in degrees.
func forward(yaw, pitch float64) [3]float64 {
	ys, yc := math.Sincos(yaw * math.Pi / 180)
	ps, pc := math.Sincos(pitch * math.Pi / 180)
	return [3]float64{yc * pc, ys * pc, ps}
}

// spread is the distance from a model of the points from whose light the direction of the light is derived. Half-Life,
// R_StudioDynamicLight.
const spread = 16

// floorLight returns how the engine lights models by surfaces and the sun, or nil if it is as the light on surfaces.
func (v *variant) floorLight(overbright int, entities []world.Entity) *world.FloorLight {
	if v.show.models == 0 {
		return nil
	}
	return &world.FloorLight{Gain: float32(v.show.models / v.show.scaleFor(overbright).scale), Spread: spread, Sun: sunOf(entities)}
}

// sunOf returns the sun as it lights models, or nil: the game's code makes the engine's numbers of the last light_environment, in whole
// numbers. Half-Life SDK, dlls/lights.cpp, CEnvLight.
func sunOf(entities []world.Entity) (sun *world.Sun) {
	for i := range entities {
		e := &entities[i]
		if !strings.EqualFold(e.Class(), "light_environment") {
			continue
		}
		s := &world.Sun{}
		for k, x := range lightValue(e.Value("_light")) {
			s.Color[k] = float32(math.Trunc(math.Pow(math.Trunc(min(max(x, 0), 1<<16))/114, 0.6)*264) / 255)
		}
		pitch := 0.0
		for i := range e.Pairs { // in their order
			one := world.Entity{AngleRule: e.AngleRule, Pairs: e.Pairs[i : i+1]}
			if x, ok := one.Float("pitch"); ok {
				pitch = x
			} else if angles := one.AngleKeys(); strings.EqualFold(e.Pairs[i].Key, "angles") || angles[0] != 0 {
				pitch = float64(angles[0])
			}
		}
		s.Direction = space.Vector32(forward(float64(e.AngleKeys()[1]), pitch))
		if sun = s; s.Color == [3]float32{} {
			sun = nil
		}
	}
	return sun
}
