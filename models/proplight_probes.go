package models

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// cube is linear light from +X, -X, +Y, -Y, +Z and -Z.
type cube [6][3]float32

// cubeAt is the light of probes at a place: the mean of all, those that are near the place counting more, by 1/(d²+1) of their
// distance in map units.
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

// square is the square of the distance between two places.
func square(a, b [3]float32) (sum float64) {
	for k := range a {
		d := float64(a[k]) - float64(b[k])
		sum += float64(d * d)
	}
	return sum
}

// probes are those in the leaf of a place, or where it has none the nearest of all. There are none only where the map has none.
func (g *gatherer) probes(at [3]float32) []world.Probe {
	if g.w.Ambient.Leafs != nil {
		if first, n := g.w.Ambient.Leafs.At(at); n > 0 {
			return g.w.Ambient.Probes[first:][:n]
		}
	}
	return nearest(g.w.Ambient.Probes, at)
}

// mostNear is how many probes are compared to find the nearest. Of more, every second, every third and so on is.
const mostNear = 8192

// nearest is the probe that is nearest to a place, alone.
func nearest(probes []world.Probe, at [3]float32) []world.Probe {
	best, least := 0, math.Inf(1)
	for i := 0; i < len(probes); i += 1 + (len(probes)-1)/mostNear {
		if d := square(probes[i].Position, at); d < least {
			best, least = i, d
		}
	}
	return probes[best:min(best+1, len(probes))]
}

// light is the light on a surface with a unit normal in the map's axes: of the three sides that it faces, by the squares of the
// normal's parts, which add up to 1. What has no normal has the mean of all sides.
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
