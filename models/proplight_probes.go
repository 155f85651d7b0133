package models

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// cube is linear light from +X, -X, +Y, -Y, +Z and -Z.
type cube [6][3]float32

// cubeAt returns the mean light of probes at a point, weighted by 1/(d²+1), where d is the distance in map units.
func cubeAt(probes []world.Probe, at [3]float32) *cube {
	var c cube
	var sums [6][3]float64
	total := 0.0
	for i := range probes {
		weight := 1 / (square(probes[i].Position, at) + 1)
		total += weight
		for side, light := range probes[i].Cube {
			for k, x := range light.Float32() {
				sums[side][k] += float64(weight * float64(x))
			}
		}
	}
	for side := range sums {
		for k, x := range sums[side] {
			c[side][k] = float32(x / total)
		}
	}
	return &c
}

// square returns the squared distance between two points.
func square(a, b [3]float32) (sum float64) {
	for k := range a {
		d := float64(a[k]) - float64(b[k])
		sum += float64(d * d)
	}
	return sum
}

// probesAt returns the probes in the leaf of a point or, if the leaf has none, the nearest of all, and how many it
// examined. It returns none only if the map has none.
func probesAt(a *world.Ambient, at [3]float32) (around []world.Probe, looked int) {
	if a.Leafs != nil {
		if first, n := a.Leafs.At(at); n > 0 {
			return a.Probes[first:][:n], n
		}
	}
	return nearest(a.Probes, at)
}

// maxNear is the most probes compared to find the nearest. If there are more, only every second, third and so on is
// compared.
const maxNear = 8192

// nearest returns the probe nearest to a point, as a slice, and how many were compared.
func nearest(probes []world.Probe, at [3]float32) (around []world.Probe, looked int) {
	best, least := 0, math.Inf(1)
	for i := 0; i < len(probes); i += 1 + (len(probes)-1)/maxNear {
		looked++
		if d := square(probes[i].Position, at); d < least {
			best, least = i, d
		}
	}
	return probes[best:min(best+1, len(probes))], looked
}

// light returns the light on a surface with a unit normal in the map's axes: that of the three sides it faces,
// weighted by the squares of the normal's components, which add up to 1. Without a normal it is the mean of all
// sides.
func (c *cube) light(normal [3]float32) (sum [3]float32) {
	if normal == [3]float32{} {
		for _, side := range c {
			for k := range sum {
				sum[k] += side[k] / 6
			}
		}
		return sum
	}
	for axis, n := range normal {
		side := 2 * axis
		if n < 0 {
			side++
		}
		for k := range sum {
			sum[k] += float32(float32(n*n) * c[side][k])
		}
	}
	return sum
}
