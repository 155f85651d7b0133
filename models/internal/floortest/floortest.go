// Package floortest is a lit room for tests.
package floortest

import "github.com/bsp2gltf/bsp2gltf/world"

// Slab returns a floor of 64 x 64 units from 0 0 with a chart of 2 x 2 luxels, whose first centre is at 16 16.
func Slab(z float32, chart int) world.Surface {
	p := &world.Polygon{}
	for _, c := range [4][2]float32{{0, 0}, {64, 0}, {64, 64}, {0, 64}} {
		p.Corners = append(p.Corners, world.Vertex{Position: [3]float32{c[0], c[1], z}, Luxel: [2]float32{c[0] / 32, c[1] / 32}})
	}
	return world.Surface{Shape: p, Chart: chart, Fog: -1}
}

// Chart has luxels of a red of 0.25 and 0.5 in its first row, and twice that in its second.
func Chart(scale float32) world.Chart {
	var luxels []world.RGB
	for _, red := range []float32{0.25, 0.5, 0.5, 1} {
		luxels = append(luxels, world.NewRGB(red*scale, 0, scale))
	}
	return world.Chart{Width: 2, Height: 2, Layers: []world.Layer{{Luxels: luxels}}}
}

// Lit returns a map with a floor at 0 and a brighter one at 100.
func Lit() *world.World {
	return &world.World{
		Models: []world.Model{{Surfaces: []world.Surface{Slab(0, 0), Slab(100, 1)}}},
		Baked:  world.BakedLight{Charts: []world.Chart{Chart(0.5), Chart(1)}},
	}
}
