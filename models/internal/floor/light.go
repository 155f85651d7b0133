package floor

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Light is the light at a model, in display space. Toward is the unit vector to where Directed comes from.
type Light struct{ Ambient, Directed, Toward [3]float32 }

const (
	// start is how far below the ground a model's origin may be, in map units, as in Half-Life
	// (R_StudioDynamicLight).
	start = 8

	// share is the directed part of the light, and maxAmbient clamps the ambient part. Xash3D, R_EntityDynamicLight:
	// direct, and 128.
	share      = 0.9
	maxAmbient = 128.0 / 255
)

// Light returns the light of a model at a point: the sun's if the sun is visible from there, else that of the first
// upward-facing surface below or, with above, of the first downward-facing one above. ok is false if there is none.
func (f *Floor) Light(at [3]float32, above bool) (l Light, ok bool) {
	way := float32(1) // up, away from the surface
	if above {
		way = -1
	}
	if sun := f.law.Sun; sun != nil && f.sees([3]float32{at[0], at[1], at[2] + way*start}, at, sun.Direction) {
		return f.shared(sun.Color, [3]float32{-sun.Direction[0], -sun.Direction[1], -sun.Direction[2]}), true
	}
	shown, ok := f.on(at, way)
	if !ok {
		return l, false
	}
	return f.shared(shown, f.from(at, way)), true
}

// shared divides light: a tenth is ambient, the rest directed. In GoldSrc the ambient part is clamped; brighter light
// has a greater share of it.
func (f *Floor) shared(light, toward [3]float32) (l Light) {
	l.Toward = toward
	most := max(light[0], light[1], light[2])
	if !(most > 0) {
		return l
	}
	ambient, directed := (1-share)*most, share*most
	if f.law.Gain > 0 {
		ambient = min(ambient, maxAmbient)
		directed = min(directed, 1-ambient)
	}
	for k, x := range light {
		l.Ambient[k], l.Directed[k] = x/most*ambient, x/most*directed
	}
	return l
}

// from returns the direction from which a surface's light comes: its normal, or turned toward the brighter of four
// points around.
func (f *Floor) from(at [3]float32, way float32) [3]float32 {
	toward := [3]float32{0, 0, way}
	if f.law.Spread == 0 {
		return toward
	}
	for corner := range 4 {
		x, y := float32(corner&1*2-1), float32(corner>>1*2-1)
		shown, _ := f.on([3]float32{at[0] + x*f.law.Spread, at[1] + y*f.law.Spread, at[2]}, way)
		bright := (shown[0] + shown[1] + shown[2]) / 3
		toward[0] += float32(x * bright)
		toward[1] += float32(y * bright)
	}
	return space.Unit(toward)
}

// on returns the light of the surface below a point, or above it if way is -1. In GoldSrc ok is always true: the
// light is black where neither the world nor a brush model has any.
func (f *Floor) on(at [3]float32, way float32) (shown [3]float32, ok bool) {
	if best := first(f.lit, at, way); best.found != nil {
		shown, ok = f.shown(&best), true
	}
	if f.law.Gain == 0 || shown != [3]float32{} {
		return shown, ok
	}
	if best := first(f.moved, at, way); best.found != nil {
		shown = f.shown(&best)
	}
	return shown, true
}

// first returns the nearest of faces below a point, or above it if way is -1.
func first(faces []face, at [3]float32, way float32) hit {
	best := hit{way: way}
	for i := range faces {
		c := &faces[i]
		best.at = space.Difference(at, c.at)
		if p := best.at; p[0] < c.mins[0] || p[0] > c.maxs[0] || p[1] < c.mins[1] || p[1] > c.maxs[1] ||
			best.beyond(c.mins[2]) && best.beyond(c.maxs[2]) {
			continue
		}
		best.up = float64(way) * float64(c.at[2])
		c.each(func(v, w, x *world.Vertex) { best.try(c, v, w, x) })
	}
	return best
}

// shown returns the light at a hit: the sum of its styles at the map's start, with the day's for styles of day and
// night.
func (f *Floor) shown(h *hit) (sum [3]float32) {
	chart := h.found.chart
	own := f.law.Gain > 0 // the engine has a gamma of its own for models
	gain, sample := float32(1), between
	if own {
		gain, sample = f.law.Gain, nearest
	}
	first := &chart.Layers[0]
	for i := range chart.Layers {
		layer := &chart.Layers[i]
		if layer.Basis != first.Basis || (layer.Style^first.Style)&world.NightStyle != 0 {
			continue
		}
		level := [3]float32{1, 1, 1}
		if style := layer.Style &^ world.NightStyle; style != 0 {
			if known, ok := f.w.Baked.Styles[style]; ok {
				level = known
			}
		}
		for k, x := range sample(chart, layer, h.luxel) {
			sum[k] += float32(gain * level[k] * f.Curve.Shown(x))
		}
	}
	for k := range sum {
		if own {
			sum[k] = min(sum[k], 1)
		}
	}
	return sum
}

// hit is the nearest point found below a model, or above it if way is -1.
type hit struct {
	way    float32
	at     [3]float32 // the model's position, in the axes of the faces tried
	up     float64    // the model's height, times way
	found  *face
	height float64 // times way
	luxel  [2]float64
}

// beyond reports whether a height is past the start of the look: above it for a look down, below it for a look up.
func (h *hit) beyond(z float32) bool { return h.way*z > h.way*h.at[2]+start }

// try tests a triangle of a face.
func (h *hit) try(of *face, a, b, c *world.Vertex) {
	if h.way < 0 {
		b, c = c, b
	}
	ab, ac, ap := across(a, b.Position), across(a, c.Position), across(a, h.at)
	area := wedge(ab, ac)
	if !(area > 0) { // the triangle faces away
		return
	}
	u, v := wedge(ap, ac)/area, wedge(ab, ap)/area
	if !(u >= -slack && v >= -slack && u+v <= 1+slack) {
		return
	}
	mean := func(x, y, z float32) float64 {
		return float64(x) + float64(u*(float64(y)-float64(x))) + float64(v*(float64(z)-float64(x)))
	}
	z := float64(h.way) * mean(a.Position[2], b.Position[2], c.Position[2])
	if z > float64(h.way)*float64(h.at[2])+start || h.found != nil && z+h.up <= h.height {
		return
	}
	h.found, h.height = of, z+h.up
	for k := range h.luxel {
		h.luxel[k] = mean(a.Luxel[k], b.Luxel[k], c.Luxel[k])
	}
}

// across returns the vector from a vertex to a point, projected onto the XY plane.
func across(a *world.Vertex, to [3]float32) [2]float64 {
	return [2]float64{float64(to[0]) - float64(a.Position[0]), float64(to[1]) - float64(a.Position[1])}
}

// wedge returns twice the signed area of the triangle that two vectors span, positive if the second is left of the
// first.
func wedge(a, b [2]float64) float64 { return float64(a[0]*b[1]) - float64(a[1]*b[0]) }

// nearest returns the light of the luxel that contains a point. The centre of the first luxel is at 0.5.
func nearest(c *world.Chart, l *world.Layer, at [2]float64) [3]float32 {
	x := int(min(max(math.Floor(at[0]), 0), float64(c.Width-1)))
	y := int(min(max(math.Floor(at[1]), 0), float64(c.Height-1)))
	return l.Luxels[y*c.Width+x].Float32()
}

// between returns the light at a point of a chart, interpolated between the four luxels around it.
func between(c *world.Chart, l *world.Layer, at [2]float64) (out [3]float32) {
	var cell [2]int
	var part [2]float32
	for k, size := range [2]int{c.Width, c.Height} {
		x := min(max(at[k]-0.5, 0), float64(size-1))
		cell[k] = int(x)
		part[k] = float32(x - float64(cell[k]))
	}
	for corner := range 4 {
		x, y := cell[0]+corner&1, cell[1]+corner>>1
		weight := float32(1)
		for k, side := range [2]int{corner & 1, corner >> 1} {
			if side == 0 {
				weight *= 1 - part[k]
			} else {
				weight *= part[k]
			}
		}
		if weight == 0 { // beyond the last luxel, so skip it
			continue
		}
		for k, light := range l.Luxels[y*c.Width+x].Float32() {
			out[k] += float32(weight * light)
		}
	}
	return out
}
