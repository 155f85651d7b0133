package goldsrc

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// lampSize is what a world.Light takes.
var lampSize = limit.Bytes[world.Light](1)

// lamps lifts the light entities and, where the map names textures that shine, the faces that have them. The light in the
// charts is theirs.
func (d *decoder) lamps(ctx context.Context) error {
	targets := map[string]int{} // entity by its targetname; the first of a name
	for i := range d.w.Entities {
		name := d.w.Entities[i].Value("targetname")
		if _, taken := targets[name]; !taken && name != "" {
			targets[name] = i
		}
	}
	if err := d.borrow(int64(len(targets)) * 64); err != nil {
		return err
	}
	for i := range d.w.Entities {
		e := &d.w.Entities[i]
		if !strings.HasPrefix(strings.ToLower(e.Class()), "light") {
			continue
		}
		l, ok := d.v.lamp(d, e, targets)
		if !ok {
			continue
		}
		if !(l.Intensity >= 0 && l.Intensity < 1e15) || !sane(l.Origin[:]...) {
			d.issue("light", fmt.Sprintf("entity %d", i), "%s light of %g at %g is left out", l.Kind, l.Intensity, l.Origin)
			continue
		}
		if err := d.reserve(2 * lampSize); err != nil {
			return err
		}
		l.Entity = i
		style, _ := e.Float("style")
		l.Style = uint8(min(max(style, 0), 255))
		d.w.Lights = append(d.w.Lights, l)
	}
	return d.areaLamps(ctx)
}

// color is the colour of a lamp, its greatest channel 1, and how bright that is; negative channels are none.
func color(c [3]float64) (normal [3]float32, most float64) {
	if most = max(c[0], c[1], c[2]); !(most > 0) {
		return [3]float32{1, 1, 1}, 0
	}
	for k := range c {
		normal[k] = float32(max(c[k], 0) / most)
	}
	return normal, most
}

// quakeLamp is a lamp of Quake or Quake II, whose light of 300 on a scale of 255 falls by 1 a unit. What falls with the
// square and is as bright half way stands for it. light.c of Quake's tools and lightmap.c of Quake II's.
func quakeLamp(d *decoder, e *world.Entity, targets map[string]int) (l world.Light, ok bool) {
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
	l.Intensity = gamma.Decode(min(d.v.show.scale*half/255, d.v.show.most)) * half * half
	l.Range = value
	cone, ok := e.Float(d.v.cone.key)
	if !ok || !(cone > 0) {
		cone = d.v.cone.usual
	}
	cone *= d.v.cone.half
	d.aim(&l, e, targets, cone, cone)
	return l, value > 0 && value < farthest
}

// cone is how wide a spot is: by a key, in degrees, or as usual; half makes half its angle of it.
type cone struct {
	key         string
	usual, half float64
}

// What GoldSrc's compiler multiplies light by: direct that which comes straight from a lamp (-dscale), perUnit that of a
// surface, for each square unit of it (DIRECT_SCALE).
const (
	direct  = 2
	perUnit = 0.1
)

// goldSrcLamp is a lamp of GoldSrc, whose light of v on a scale of 255 is v³/10 at one unit, and falls with the square.
// Half-Life SDK, utils/qrad/lightmap.c, CreateDirectLights.
func goldSrcLamp(d *decoder, e *world.Entity, targets map[string]int) (l world.Light, ok bool) {
	value := lightValue(e.Value("_light"))
	sun := strings.EqualFold(e.Class(), "light_environment")
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
	d.aim(&l, e, targets, inner, max(inner, outer))
	l.Intensity = direct * bright / 255
	if sun {
		l.Kind, l.Inner, l.Outer = world.SunLight, 0, 0
	} else {
		l.Range = math.Sqrt(direct * bright * bright * bright / 10) // where it is 1 of 255
		l.Intensity *= bright * bright / 10
	}
	return l, bright > 0
}

// lightValue is light as the compiler reads it: one number is grey, three are red, green and blue, and a fourth says how
// bright 255 of them is.
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
func (d *decoder) aim(l *world.Light, e *world.Entity, targets map[string]int, inner, outer float64) {
	class := strings.ToLower(e.Class())
	var way [3]float64
	if target, ok := targets[e.Value("target")]; ok {
		to, _ := d.w.Entities[target].Vector("origin")
		for k := range way {
			way[k] = float64(to[k]) - float64(l.Origin[k])
		}
	} else if class == "light_spot" || class == "light_environment" {
		way = shines(e)
	}
	far := math.Sqrt(float64(way[0]*way[0]) + float64(way[1]*way[1]) + float64(way[2]*way[2]))
	if !(far > 1e-6 && far < farthest) {
		return
	}
	l.Kind = world.SpotLight
	for k := range way {
		l.Direction[k] = float32(way[k] / far)
	}
	l.Inner, l.Outer = min(inner, 90)*math.Pi/180, min(outer, 90)*math.Pi/180
}

// shines is the direction in which an entity shines by its angles.
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
	ys, yc := math.Sincos(yaw * math.Pi / 180)
	ps, pc := math.Sincos(pitch * math.Pi / 180)
	return [3]float64{yc * pc, ys * pc, ps}
}

// areaLamps lifts the faces whose textures shine, as the compiler's lists and the keys of an info_texlights say. Their light
// is by their area.
func (d *decoder) areaLamps(ctx context.Context) error {
	shine, err := d.lists(ctx)
	if err != nil {
		return err
	}
	for i := range d.w.Entities {
		e := &d.w.Entities[i]
		if !strings.EqualFold(e.Class(), "info_texlights") {
			continue
		}
		if err := d.borrow(int64(len(e.Pairs)) * 96); err != nil {
			return err
		}
		for _, p := range e.Pairs {
			if c := lightValue(p.Value); max(c[0], c[1], c[2]) > 0 {
				shine[entlump.Lower(p.Key)] = c
			}
		}
	}
	if len(shine) == 0 {
		return nil
	}
	for m := range d.records { // whose variants have the same faces
		for i := range d.w.Models[m].Surfaces {
			if i%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			s := &d.w.Models[m].Surfaces[i]
			c, ok := shine[d.w.Materials[s.Material].Name]
			if !ok {
				continue
			}
			if err := d.reserve(2 * lampSize); err != nil {
				return err
			}
			l := world.Light{Kind: world.AreaLight, Entity: world.NoEntity, Outer: math.Pi / 2}
			var bright, area float64
			l.Color, bright = color(c)
			d.w.Materials[s.Material].Glow = l.Color
			l.Origin, l.Direction, area = middle(s.Shape.(*world.Polygon).Corners)
			if l.Intensity = direct * perUnit * area * bright / 255; l.Intensity > 0 && l.Intensity < 1e15 {
				d.w.Lights = append(d.w.Lights, l)
			}
		}
	}
	return nil
}

// longestLine is far above what a line of such a list has.
const longestLine = 1 << 10

// lists reads the lists of textures that shine beside a map of GoldSrc: those of all maps, then the map's own. A line has a
// texture's name and its light. Half-Life SDK, utils/qrad/qrad.c, ReadLightFile.
func (d *decoder) lists(ctx context.Context) (map[string][3]float64, error) {
	shine := map[string][3]float64{}
	if d.v.family != familyGoldSrc {
		return shine, nil
	}
	for _, file := range []string{"lights.rad", d.o.Name + ".rad"} {
		data, _, err := d.beside(file)
		if err != nil {
			return nil, err
		}
		lines := 0
		for b := range bytes.Lines(data) {
			if lines++; lines%100000 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if len(b) > longestLine {
				continue
			}
			line, _, _ := strings.Cut(string(b), "//")
			name, value, ok := strings.Cut(strings.TrimSpace(strings.ReplaceAll(line, "\t", " ")), " ")
			c := lightValue(value)
			if !ok || !(max(c[0], c[1], c[2]) > 0) {
				continue
			}
			if err := d.borrow(96 + int64(len(name))); err != nil {
				return nil, err
			}
			shine[entlump.Lower(name)] = c
		}
	}
	return shine, nil
}

// middle is the mean of the corners of a face, its normal and its area.
func middle(corners []world.Vertex) (at, normal [3]float32, area float64) {
	var sum, n [3]float64
	first := corners[0].Position
	for i := range corners {
		a, b := corners[i].Position, corners[(i+1)%len(corners)].Position
		var u, v [3]float64
		for k := range 3 {
			sum[k] += float64(a[k])
			u[k], v[k] = float64(a[k])-float64(first[k]), float64(b[k])-float64(first[k])
		}
		for k := range 3 {
			x, y := (k+1)%3, (k+2)%3
			n[k] += float64(u[x]*v[y]) - float64(u[y]*v[x])
		}
	}
	l := math.Sqrt(float64(n[0]*n[0]) + float64(n[1]*n[1]) + float64(n[2]*n[2]))
	for k := range 3 {
		at[k] = float32(sum[k] / float64(len(corners)))
		if l > 0 {
			normal[k] = float32(n[k] / l)
		}
	}
	return at, normal, l / 2
}
