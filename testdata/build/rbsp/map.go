// Package rbsp writes compiled maps of Titanfall and Titanfall 2 from a Go description, for tests.
//
// A Map is nested: models hold meshes, meshes hold vertices and indices. Write flattens it into lumps, in the records of the
// chosen Variant, and puts those that are asked for into files of their own. Places and normals are written once each; each
// mesh has a material sort of its own. Nothing is checked: what a map says is written.
package rbsp

import (
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

// Map is a compiled map. Model 0 is the world.
type Map struct {
	Entities  []brushmap.Entity
	Parts     []Part // entities of files beside the map
	Materials []Material
	Models    []Model
	Pages     []Page
	Lamps     []Lamp
	PropFiles []string
	Props     []Prop
	Cubemaps  [][3]int32
	Sun       [3]float32
	Pak       []byte
}

// Part is a file of entities beside the map, NAME_env.ent.
type Part struct {
	Name     string
	Entities []brushmap.Entity
}

// Material is texture data.
type Material struct {
	Name          string
	Reflectivity  [3]float32
	Width, Height int32
}

// Model is a run of meshes.
type Model struct{ Meshes []Mesh }

// Kind is a kind of vertices, as a mesh's flags say it.
type Kind uint32

// The kinds of vertices.
const (
	LitFlat Kind = 0x000
	LitBump Kind = 0x200
	Unlit   Kind = 0x400
	UnlitTS Kind = 0x600
)

// The flags of meshes.
const (
	Sky2D       = 0x2
	Sky         = 0x4
	Warp        = 0x8
	Translucent = 0x10
	Skip        = 0x20000
	Trigger     = 0x40000
)

// NoPage is the page of a mesh without light.
const NoPage = -1

// Mesh is triangles, clockwise seen from the front.
type Mesh struct {
	Kind     Kind
	Flags    uint32
	Material int16
	Page     int16
	Vertices []Vertex
	Indices  []uint16
}

// Vertex is a vertex of any kind.
type Vertex struct {
	Position, Normal [3]float32
	UV               [2]float32
	Light            [2]float32 // in the page, 0 to 1
	Color            [4]uint8
}

// Page is a page of light: RGBA, row by row. B and all of the second light are made up from it.
type Page struct {
	Width, Height uint16
	A             []byte
}

// Lamp is a world light.
type Lamp struct {
	Origin, Intensity, Normal   [3]float32
	Type, Style                 int32
	StopDot, StopDot2           float32
	Radius                      float32
	Constant, Linear, Quadratic float32
}

// Prop is a static prop.
type Prop struct {
	Origin, Angles [3]float32
	Model          uint16
	Solid, Flags   uint8
	Skin           uint16
	Fade           [2]float32 // of Titanfall only
	LightAt        [3]float32
	Tint           [4]uint8
	Scale          float32
}

// Quad returns a mesh of two triangles, whose corners are clockwise seen from the front and have the corners of a rectangle of
// the page, from x0 y0 to x1 y1.
func Quad(kind Kind, material, page int16, corners [4][3]float32, light [4]float32) Mesh {
	a, b, c := corners[0], corners[1], corners[3]
	var u, v [3]float32
	for k := range u {
		u[k], v[k] = b[k]-a[k], c[k]-a[k]
	}
	n := space.Cross(v, u)
	for k, x := range n { // it is along an axis
		switch {
		case x > 0:
			n[k] = 1
		case x < 0:
			n[k] = -1
		default:
			n[k] = 0
		}
	}
	m := Mesh{Kind: kind, Material: material, Page: page, Indices: []uint16{0, 1, 2, 0, 2, 3}}
	at := [4][2]float32{{light[0], light[1]}, {light[2], light[1]}, {light[2], light[3]}, {light[0], light[3]}}
	for i, p := range corners {
		m.Vertices = append(m.Vertices, Vertex{Position: p, Normal: n, UV: [2]float32{float32((i+1)/2%2) * 2, float32(i/2) * 2},
			Light: at[i], Color: [4]uint8{255, 255, 255, 255}})
	}
	return m
}
