package main

import "github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"

// mirrors are the materials of the map of reflections, wall by wall.
var mirrors = []string{"mirror", "glazed", "varnished", "worn", "neon", "window", "lens"}

// reflectionsMap has a wall of 64 × 64 units of each of mirrors, 6 the first.
func reflectionsMap() *vbsp.Map {
	m := sourceRoom("reflections")
	for i, name := range mirrors {
		upright(m, ours(name, 0), -280+80*float32(i), 0, 16, 64, 64)
	}
	m.LightAll(half)
	return m
}
