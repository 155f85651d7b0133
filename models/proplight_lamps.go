package models

import (
	"cmp"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/floor"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A map's probes don't include the light of its lamps, because the engine adds that to props without stored light. Of
// the lamps visible from the lighting point, the strongest four light each vertex; the others are added to the light
// cube. Lamps that are switched or flicker (light styles) are left out. Displacements and props cast no shadows here.

const (
	maxLamps = 4

	// leastLamp is the light below which a lamp is ignored. Source SDK 2013, r_worldlightmin.
	leastLamp = 0.0002

	// Emissive surfaces are included in the probes, except those that give at least this much light at this distance.
	// Source SDK 2013, utils/vrad/leaf_ambient_lighting.cpp, IsLeafAmbientSurfaceLight.
	leastArea, areaAway = 0.005, 512

	// outside is the length of the line toward a sun, in map units: more than any map's size.
	outside = 1 << 17

	// slack is how close to a lamp or the sky, in map units, a line may be blocked, because they lie on solid
	// surfaces.
	slack = 1

	// sunken is how deep a lighting point may be inside a solid, in map units.
	sunken = 16

	// maxSteps limits the boxes of lamps, tree nodes and sky triangles tested for a prop. Real maps need a hundredth
	// of it.
	maxSteps = 1 << 20
)

// windowSize is the memory of a skyTriangle, with slice growth.
var windowSize = limit.Bytes[skyTriangle](2)

// lamps holds the lamps of a map that light props.
type lamps struct {
	suns  []lamp // strongest first
	tree  *lampTree
	w     *world.World
	sky   []skyTriangle
	steps int // limit on tests per prop
	size  int64
}

// lamp is a world.Light that is neither ambient nor switched.
type lamp struct {
	index        int // in World.Lights
	sun          bool
	origin       [3]float32
	direction    [3]float32 // zero if it shines in all directions
	color        [3]float32
	strength     float64 // the light at one map unit; for a sun at any distance
	falls        [3]float64
	reach        float64 // map units beyond which its light is ignored
	inner, outer float64 // cosines of a spotlight's cone
}

// skyTriangle is a triangle of the sky.
type skyTriangle [3][3]float32

// newLamps returns the lamps for this number of props, or nil if there are none.
func newLamps(b *limit.Budget, w *world.World, props int) (*lamps, error) {
	if len(w.Lights) == 0 || w.Ambient.Leafs == nil || props == 0 {
		return nil, nil
	}
	l := &lamps{w: w, steps: min(steps/props, maxSteps), size: treeSize(len(w.Lights))}
	if err := b.Reserve(l.size); err != nil {
		return nil, err
	}
	list := make([]lamp, 0, len(w.Lights))
	for i := range w.Lights {
		lamp, ok := newLamp(&w.Lights[i])
		lamp.index = i
		switch {
		case ok && lamp.sun:
			l.suns = append(l.suns, lamp)
		case ok:
			list = append(list, lamp)
		}
	}
	slices.SortStableFunc(l.suns, func(a, b lamp) int { return cmp.Compare(b.strength, a.strength) })
	l.suns = l.suns[:min(len(l.suns), maxTraced)]
	l.tree = newLampTree(list)
	models := []int{0}
	if w.Sky.Skybox3D != nil {
		models = append(models, w.Sky.Skybox3D.Model)
	}
	for _, m := range models {
		for i := range w.Models[m].Surfaces {
			if err := l.addSky(&w.Models[m].Surfaces[i], b); err != nil {
				return nil, err
			}
		}
	}
	return l, nil
}

// addSky adds the triangles of a surface if it shows the sky.
func (l *lamps) addSky(s *world.Surface, b *limit.Budget) error {
	if s.Flags&world.Sky == 0 {
		return nil
	}
	vertices, indices := floor.Triangles(s)
	size := int64(max(len(vertices), len(indices)/3)) * windowSize
	if err := b.Reserve(size); err != nil {
		return err
	}
	l.size += size
	for k := 2; k < len(vertices) && indices == nil; k++ {
		l.sky = append(l.sky, skyTriangle{vertices[0].Position, vertices[k-1].Position, vertices[k].Position})
	}
	for k := 0; k+2 < len(indices); k += 3 {
		l.sky = append(l.sky, skyTriangle{vertices[indices[k]].Position, vertices[indices[k+1]].Position, vertices[indices[k+2]].Position})
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
		sun: l.Kind == world.SunLight, origin: l.Origin, direction: l.Direction, color: l.Color, strength: l.Intensity, falls: l.Falloff,
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

// fades returns the distance in map units beyond which a lamp's light is ignored. With a quadratic falloff it is
// short, so that only lamps near a prop are evaluated.
func (l *lamp) fades() float64 {
	// strength / (a + b·x + c·x²) = leastLamp. If there are several solutions, the farthest counts.
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

// sunOf returns the light of a map's strongest sun on a surface that faces it.
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

// at returns the light of a lamp on a surface at a point that faces it, and the unit vector to the lamp.
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

// near returns the lamps that light a lighting point, strongest first, and adds those beyond maxLamps to its cube.
// Only the strongest sun counts: the compiler may turn one into several.
func (l *lamps) near(place [3]float32, c *cube) []*lamp {
	left := l.steps
	found := l.tree.strongest(place, maxTraced, &left)
	for i := range l.suns {
		if light, _ := l.suns[i].at(place); light >= leastLamp {
			found = append(found, ratedLamp{&l.suns[i], light})
		}
	}
	// The strongest are traced first: if steps run out, the weakest are missing.
	slices.SortFunc(found, stronger)
	left = l.steps
	var out []*lamp
	sun := false
	for _, s := range found {
		if left--; left < 0 {
			break
		}
		if s.lamp.sun && sun || !l.free(s.lamp, place, &left) {
			continue
		}
		sun = sun || s.lamp.sun
		if len(out) < maxLamps {
			out = append(out, s.lamp)
		} else {
			c.add(s.lamp, place)
		}
	}
	return out
}

// addLamps adds the light of lamps to a surface with a unit normal. A surface without a normal is lit as if it faced
// them.
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

// add adds a lamp's light at a point to a cube.
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

// free reports whether no solid is between a lamp and a point; for a sun also that the line reaches the sky.
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
	end := l.w.TraceFraction(place, to, sunken/distance, left) + slack/distance
	if !lamp.sun {
		return end >= 1
	}
	*left -= len(l.sky)
	return *left >= 0 && slices.ContainsFunc(l.sky, func(w skyTriangle) bool { return w.crossed(place, to) <= end })
}

// crossed returns the fraction, 0 to 1, at which the segment from a to b passes through a triangle, or 2 if it
// misses.
func (w *skyTriangle) crossed(a, b [3]float32) float64 {
	way, from := less64(b, a), less64(a, w[0])
	u, v := less64(w[1], w[0]), less64(w[2], w[0])
	// way·t + from = u·x + v·y, by Cramer's rule.
	across := space.Cross(way, v)
	whole := dot64(u, across)
	if whole == 0 {
		return 2
	}
	x := dot64(from, across) / whole
	over := space.Cross(from, u)
	y := dot64(way, over) / whole
	t := dot64(v, over) / whole
	const edge = 1e-6 // tolerance against gaps between triangles
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

func dot64(a, b [3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}
