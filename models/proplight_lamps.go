package models

import (
	"cmp"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The probes of a map are without the light of its lamps, because the engine adds that itself to what has no light stored: of
// the lamps that the lighting place sees, the strongest four light each vertex, the others go into the cube. Lamps that are
// switched or flicker (styles) are left out. Displacements and props throw no shadows here.

const (
	mostLamps = 4

	// leastLamp is the light at which a lamp no longer counts. Source SDK 2013, r_worldlightmin.
	leastLamp = 0.0002

	// What shines by itself is in the probes, but for surfaces that give this much light at that distance.
	// Source SDK 2013, utils/vrad/leaf_ambient_lighting.cpp, IsLeafAmbientSurfaceLight.
	leastArea, areaAway = 0.005, 512

	// outside is as many map units from any place in a map as a sun is away.
	outside = 1 << 17

	// slack is how many map units short of a lamp or of the sky a line may end: they lie on what is solid.
	slack = 1

	// sunken is how many map units deep in a solid a lighting place may lie.
	sunken = 16

	// mostSteps is how many lamps, nodes and surfaces of the sky are looked at for a prop. Real maps need a hundredth of it.
	mostSteps = 1 << 20
)

// lampSize and windowSize are what a lamp and, as slices grow, a window take.
var lampSize, windowSize = limit.Bytes[lamp](1), limit.Bytes[window](2)

// lamps are those of a map that light props.
type lamps struct {
	list  []lamp
	w     *world.World
	sky   []window
	steps int // for each prop
	size  int64
}

// lamp is a world.Light that is neither everywhere nor switched.
type lamp struct {
	sun          bool
	origin       [3]float32
	direction    [3]float32 // zero where it shines to all sides
	color        [3]float32
	strength     float64 // light at a map unit, or of a sun anywhere
	falls        [3]float64
	reach        float64 // map units
	inner, outer float64 // cosines
}

// window is a triangle of the sky.
type window [3][3]float32

// newLamps returns the lamps for so many props, or nil where there are none.
func (g *gatherer) newLamps(props int) (*lamps, error) {
	if len(g.w.Lights) == 0 || g.w.Ambient.Leafs == nil || props == 0 {
		return nil, nil
	}
	l := &lamps{w: g.w, steps: min(steps/props, mostSteps), size: int64(len(g.w.Lights)) * lampSize}
	if err := g.budget.Reserve(l.size); err != nil {
		return nil, err
	}
	l.list = make([]lamp, 0, len(g.w.Lights))
	for i := range g.w.Lights {
		if lamp, ok := newLamp(&g.w.Lights[i]); ok {
			l.list = append(l.list, lamp)
		}
	}
	models := []int{0}
	if g.w.Sky.Box != nil {
		models = append(models, g.w.Sky.Box.Model)
	}
	for _, m := range models {
		for i := range g.w.Models[m].Surfaces {
			if err := l.addSky(&g.w.Models[m].Surfaces[i], g.budget); err != nil {
				return nil, err
			}
		}
	}
	return l, nil
}

// addSky adds the triangles of a surface, if it is of the sky.
func (l *lamps) addSky(s *world.Surface, b *limit.Budget) error {
	if s.Flags&world.Sky == 0 {
		return nil
	}
	vertices, indices := ground(s)
	size := int64(max(len(vertices), len(indices)/3)) * windowSize
	if err := b.Reserve(size); err != nil {
		return err
	}
	l.size += size
	for k := 2; k < len(vertices) && indices == nil; k++ {
		l.sky = append(l.sky, window{vertices[0].Position, vertices[k-1].Position, vertices[k].Position})
	}
	for k := 0; k+2 < len(indices); k += 3 {
		l.sky = append(l.sky, window{vertices[indices[k]].Position, vertices[indices[k+1]].Position, vertices[indices[k+2]].Position})
	}
	return nil
}

func newLamp(l *world.Light) (lamp, bool) {
	switch {
	case l.Style != 0, l.Kind == world.AmbientLight, !(l.Intensity > 0),
		l.Kind == world.AreaLight && l.Intensity < leastArea*areaAway*areaAway:
		return lamp{}, false
	}
	out := lamp{
		sun: l.Kind == world.SunLight, origin: l.Origin, direction: l.Direction, color: l.Color, strength: l.Intensity, falls: l.Falls,
		reach: l.Range, inner: math.Cos(l.Inner), outer: math.Cos(l.Outer),
	}
	if out.falls == [3]float64{} {
		out.falls[2] = 1
	}
	if out.reach == 0 {
		out.reach = math.Inf(1)
	}
	out.reach = min(out.reach, out.fades())
	return out, true
}

// fades is the distance in map units beyond which a lamp gives less light than counts: of what falls with the square
// that is soon, so that only the lamps around a prop are worked out.
func (l *lamp) fades() float64 {
	// strength / (a + b·x + c·x²) = leastLamp. Where that is at several distances, the farthest counts.
	a, b, c := l.falls[0]-l.strength/leastLamp, l.falls[1], l.falls[2]
	if l.sun || !(c > 0) {
		return math.Inf(1)
	}
	root := float64(b*b) - 4*float64(a*c)
	if root < 0 {
		return 0
	}
	return math.Nextafter((math.Sqrt(root)-b)/(2*c), math.Inf(1)) * (1 + 1e-9)
}

// sunOf is the light of a map's sun on what faces it: that of the strongest.
func sunOf(w *world.World) (light [3]float32) {
	most := 0.0
	for i := range w.Lights {
		if l := &w.Lights[i]; l.Kind == world.SunLight && l.Style == 0 && l.Intensity > most {
			most = l.Intensity
			for k, c := range l.Color {
				light[k] = float32(l.Intensity) * c
			}
		}
	}
	return light
}

// at is the light of a lamp at a place on what faces it, and the unit vector to it.
func (l *lamp) at(place [3]float32) (light float64, toward [3]float32) {
	if l.sun {
		return l.strength, [3]float32{-l.direction[0], -l.direction[1], -l.direction[2]}
	}
	distance := max(math.Sqrt(square(l.origin, place)), 1)
	cosine := 0.0
	for k, way := range less64(l.origin, place) {
		way /= distance
		toward[k] = float32(way)
		cosine -= float64(way * float64(l.direction[k]))
	}
	light = l.strength / (l.falls[0] + float64(l.falls[1]*distance) + float64(l.falls[2]*float64(distance*distance)))
	switch {
	case l.direction == [3]float32{} || cosine >= l.inner:
	case cosine <= l.outer:
		light = 0
	default:
		light *= (cosine - l.outer) / (l.inner - l.outer)
	}
	return light, toward
}

// near returns the lamps that light what has its light of a place, the strongest first, and adds to its cube those that are too
// many. Of suns the strongest is the one: the compiler may make several of one.
func (l *lamps) near(place [3]float32, c *cube) []*lamp {
	type seen struct {
		*lamp
		light float64
	}
	var found []seen
	for i := range l.list[:min(len(l.list), l.steps)] {
		lamp := &l.list[i]
		if !lamp.sun && square(lamp.origin, place) > float64(lamp.reach*lamp.reach) {
			continue
		}
		if light, _ := lamp.at(place); light >= leastLamp {
			found = append(found, seen{lamp, light})
		}
	}
	// The strongest are traced first: where there are too many, those that are left out matter least.
	slices.SortStableFunc(found, func(a, b seen) int { return cmp.Compare(b.light, a.light) })
	left := l.steps
	found = slices.DeleteFunc(found, func(s seen) bool {
		left--
		return left < 0 || !l.free(s.lamp, place, &left)
	})
	var out []*lamp
	sun := false
	for _, s := range found {
		switch {
		case s.sun && sun:
			continue
		case len(out) < mostLamps:
			out = append(out, s.lamp)
		default:
			c.add(s.lamp, place)
		}
		sun = sun || s.sun
	}
	return out
}

// addLamps adds the light of lamps on a surface with a unit normal. What has no normal is lit as if it faced them.
func addLamps(c *[3]float32, list []*lamp, place, normal [3]float32) {
	for _, l := range list {
		light, toward := l.at(place)
		if normal != [3]float32{} {
			light *= max(0, float64(float32(normal[0]*toward[0])+float32(normal[1]*toward[1])+float32(normal[2]*toward[2])))
		}
		for k := range c {
			c[k] += float32(float32(light) * l.color[k])
		}
	}
}

// add adds a lamp's light at a place to a cube.
func (c *cube) add(l *lamp, place [3]float32) {
	light, toward := l.at(place)
	for axis, t := range toward {
		side := 2 * axis
		if t < 0 {
			side++
		}
		for k := range l.color {
			c[side][k] += float32(float32(light*math.Abs(float64(t))) * l.color[k])
		}
	}
}

// free reports whether nothing solid is between a lamp and a place, and for a sun whether the sky is.
func (l *lamps) free(lamp *lamp, place [3]float32, left *int) bool {
	to := lamp.origin
	if lamp.sun {
		for k := range to {
			to[k] = place[k] - float32(lamp.direction[k]*outside)
		}
	}
	distance := math.Sqrt(square(place, to))
	if distance <= slack {
		return true
	}
	end := l.w.Free(place, to, sunken/distance, left) + slack/distance
	if !lamp.sun {
		return end >= 1
	}
	*left -= len(l.sky)
	return *left >= 0 && slices.ContainsFunc(l.sky, func(w window) bool { return w.crossed(place, to) <= end })
}

// crossed is how far along the way from a to b it goes through a triangle, from 0 to 1, or 2 where it goes beside it.
func (w *window) crossed(a, b [3]float32) float64 {
	way, from := less64(b, a), less64(a, w[0])
	u, v := less64(w[1], w[0]), less64(w[2], w[0])
	// way·t + from = u·x + v·y, by Cramer's rule.
	across := cross64(way, v)
	whole := dot64(u, across)
	if whole == 0 {
		return 2
	}
	x := dot64(from, across) / whole
	over := cross64(from, u)
	y := dot64(way, over) / whole
	t := dot64(v, over) / whole
	const edge = 1e-6 // so that nothing falls through where two triangles meet
	if !(x >= -edge && y >= -edge && x+y <= 1+edge && t >= 0 && t <= 1) {
		return 2
	}
	return t
}

func less64(a, b [3]float32) (out [3]float64) {
	for k := range out {
		out[k] = float64(a[k]) - float64(b[k])
	}
	return out
}

func cross64(a, b [3]float64) [3]float64 {
	return [3]float64{
		float64(a[1]*b[2]) - float64(a[2]*b[1]), float64(a[2]*b[0]) - float64(a[0]*b[2]), float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

func dot64(a, b [3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}
