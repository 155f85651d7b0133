// Package quakemdl reads the models of Quake (.mdl, IDPO version 6) and Quake II (.md2, IDP2 version 8), which both
// engines call alias models.
//
// A model has triangles and, for each frame, the position of every vertex in bytes, with a scale and an offset.
// Quake's models contain their skins, as pictures in the game's palette; Quake II's name image files. Stored normals
// are indices into a list in the engines; here normals are computed from the triangles, as the models' compilers did.
package quakemdl

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// pointSize is the size of a frame's vertex: three bytes of position and the index of a normal.
const pointSize = 4

// cost estimates the bytes that a model takes while it is built: for each triangle three corners, vertices, map
// entries and indices; for each vertex of the frame its position and normal.
func cost(triangles, vertices int64) int64 { return triangles*3*(16+56+32+4) + vertices*(12+24+12) }

// corner is a corner of a triangle: a vertex of the frame and texture coordinates from 0 to 1.
type corner struct {
	vertex int
	uv     [2]float32
}

// frameAt returns the positions of a frame's vertices.
func frameAt(data []byte, scale, offset [3]float32) ([][3]float32, error) {
	for k := range scale {
		if !(math.Abs(float64(scale[k])) < 1<<15 && math.Abs(float64(offset[k])) < 1<<23) {
			return nil, modelfile.Fault("range", "frame", "its scale is %g and its offset %g", scale, offset)
		}
	}
	out := make([][3]float32, len(data)/pointSize)
	for i := range out {
		for k := range out[i] {
			out[i][k] = float32(float32(data[i*pointSize+k])*scale[k]) + offset[k]
		}
	}
	return out, nil
}

// build makes a model from corners, three for each triangle, clockwise seen from the front.
func build(name string, at [][3]float32, corners []corner) *world.Model {
	m := &world.Model{Name: name}
	t := &world.Triangles{}
	normals := skeleton.Normals(at, len(corners)/3, func(i int) [3]int {
		return [3]int{corners[3*i].vertex, corners[3*i+2].vertex, corners[3*i+1].vertex} // counter-clockwise
	})
	have := map[corner]uint32{}
	for i := 0; i+2 < len(corners); i += 3 {
		for _, k := range [3]int{0, 2, 1} {
			c := corners[i+k]
			index, ok := have[c]
			if !ok {
				index = uint32(len(t.Vertices))
				have[c] = index
				p := at[c.vertex]
				if index == 0 {
					m.Mins, m.Maxs = p, p
				}
				space.Extend(&m.Mins, &m.Maxs, p)
				t.Vertices = append(t.Vertices, world.Vertex{Position: p, Normal: normals[c.vertex], UV: c.uv,
					Color: [4]float32{1, 1, 1, 1}})
			}
			t.Indices = append(t.Indices, index)
		}
	}
	if len(t.Indices) > 0 {
		m.Surfaces = []world.Surface{{Shape: t, Chart: world.NoChart, Fog: -1}}
	}
	return m
}

// vector reads three floats.
func vector(c *le.Cursor) [3]float32 { return [3]float32{c.Float32(), c.Float32(), c.Float32()} }

// slice returns n records of size bytes at an offset of a file. what names them in errors.
func slice(data []byte, what string, at, n, size int64) ([]byte, error) {
	if n < 0 || at < 0 || at > int64(len(data)) || n*size > int64(len(data))-at {
		return nil, modelfile.Fault("bounds", what, "%d of them at %d are outside the %d bytes", n, at, len(data))
	}
	return data[at:][:n*size], nil
}
