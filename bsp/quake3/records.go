package quake3

import (
	"encoding/binary"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// The records in file order. Quake III Arena source, code/qcommon/qfiles.h; the wide ones as Raven's and QFusion's
// maps hold them.

// shaderRecord is dshader_t.
type shaderRecord struct {
	Name     [64]byte
	Surface  uint32
	Contents uint32
}

// modelRecord is dmodel_t.
type modelRecord struct {
	Mins, Maxs                                      [3]float32
	FirstSurface, Surfaces, FirstBrush, BrushNumber int32
}

// brushRecord is dbrush_t.
type brushRecord struct{ FirstSide, Sides, Shader int32 }

// fogRecord is dfog_t.
type fogRecord struct {
	Name        [64]byte
	Brush       int32 // -1: the fog fills the map
	VisibleSide int32
}

// The shapes of a surface.
const (
	shapePolygon = 1 + iota
	shapePatch
	shapeMesh
	shapeFlare
	shapeFoliage // Enemy Territory: a mesh repeated at points
)

// noStyle is a slot of a wide surface that holds no light.
const noStyle = 255

// surface is dsurface_t of the wide layout; the narrow one is lifted to it, with one slot of style 0.
type surface struct {
	Shader, Fog, Shape                         int32
	FirstVertex, Vertices, FirstIndex, Indices int32
	LightStyles, VertexStyles                  [4]uint8
	Lightmap, X, Y                             [4]int32
	Width, Height                              int32
	Origin                                     [3]float32
	Vectors                                    [3][3]float32
	PatchWidth, PatchHeight                    int32
}

// surfaceNarrow is dsurface_t of Quake III Arena.
type surfaceNarrow struct {
	Shader, Fog, Shape                         int32
	FirstVertex, Vertices, FirstIndex, Indices int32
	Lightmap, X, Y, Width, Height              int32
	Origin                                     [3]float32
	Vectors                                    [3][3]float32
	PatchWidth, PatchHeight                    int32
}

func (s surfaceNarrow) lift() surface {
	return surface{
		Shader: s.Shader, Fog: s.Fog, Shape: s.Shape,
		FirstVertex: s.FirstVertex, Vertices: s.Vertices, FirstIndex: s.FirstIndex, Indices: s.Indices,
		LightStyles: [4]uint8{0, noStyle, noStyle, noStyle}, VertexStyles: [4]uint8{0, noStyle, noStyle, noStyle},
		Lightmap: [4]int32{s.Lightmap, -1, -1, -1}, X: [4]int32{s.X}, Y: [4]int32{s.Y}, Width: s.Width, Height: s.Height,
		Origin: s.Origin, Vectors: s.Vectors, PatchWidth: s.PatchWidth, PatchHeight: s.PatchHeight,
	}
}

func readSurfaces(l le.Lump, wide bool) ([]surface, error) {
	if wide {
		return le.Records[surface](l)
	}
	narrow, err := le.Records[surfaceNarrow](l)
	if err != nil {
		return nil, err
	}
	out := make([]surface, len(narrow))
	for i, s := range narrow {
		out[i] = s.lift()
	}
	return out, nil
}

// vertices reads single drawVert_t from their lump: by hand, because maps hold a hundred thousand.
type vertices struct {
	data   []byte
	stride int
	slots  int // 1, or 4 in the wide layout
}

// at returns vertex i: its position, texture coordinates, normal, the lightmap coordinates of slot 0 and the colours of all slots.
func (v vertices) at(i int) (position, normal [3]float32, uv, lm [2]float32, colors [4][4]uint8) {
	b := v.data[i*v.stride : (i+1)*v.stride]
	for k := range position {
		position[k] = le.Float32(b[4*k:])
	}
	uv = [2]float32{le.Float32(b[12:]), le.Float32(b[16:])}
	lm = [2]float32{le.Float32(b[20:]), le.Float32(b[24:])}
	rest := b[20+8*v.slots:]
	for k := range normal {
		normal[k] = le.Float32(rest[4*k:])
	}
	for slot := range v.slots {
		copy(colors[slot][:], rest[12+4*slot:])
	}
	return position, normal, uv, lm, colors
}

// indices are the draw indices, relative to a surface's first vertex.
type indices []byte

func (x indices) len() int        { return len(x) / 4 }
func (x indices) at(i int) uint32 { return binary.LittleEndian.Uint32(x[4*i:]) }
