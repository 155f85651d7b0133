package quake3

import (
	"encoding/binary"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The records in file order. Quake III Arena source, code/qcommon/qfiles.h; the wide ones as Raven's and QFusion's
// maps hold them.

// plane is dplane_t.
type plane struct {
	normal   [3]float32
	distance float32
}

var planeV46 = record.Layout[plane]{Size: 16, Fields: "4*4", Decode: func(b []byte) plane {
	return plane{record.V3(b), le.Float32(b[12:])}
}}

// is reports whether the normal is one, and the distance a sensible number.
func (p plane) is() bool {
	l := space.Length(p.normal)
	return l > 0.99 && l < 1.01 && record.Sane(p.distance)
}

// brush is dbrush_t.
type brush struct{ firstSide, sides, shader int32 }

var brushV46 = record.Layout[brush]{Size: 12, Fields: "4*3",
	Decode: func(b []byte) brush { return brush{le.Int32(b), le.Int32(b[4:]), le.Int32(b[8:])} }}

// brushSide is dbrushside_t: its plane.
type brushSide int32

// The wide layout has the surface that a side is drawn with behind its shader.
var (
	brushSideV46  = record.Layout[brushSide]{Size: 8, Fields: "4*2", Decode: decodeSide}
	brushSideWide = record.Layout[brushSide]{Size: 12, Fields: "4*3", Decode: decodeSide}
)

func decodeSide(b []byte) brushSide { return brushSide(le.Int32(b)) }

// leaf is dleaf_t; outside of the map its area is -1.
type leaf struct{ cluster, area int }

var leafV46 = record.Layout[leaf]{Size: 48, Fields: "4*12", Decode: func(b []byte) leaf { return leaf{record.I32(b), record.I32(b[4:])} }}

// gridSample is a point of the light grid: by style, the light from everywhere and from one direction, as angles of 256 steps.
type gridSample struct {
	ambient, directed [4][3]uint8
	styles            [4]uint8
	polar, azimuth    uint8
}

var (
	gridV46 = record.Layout[gridSample]{Size: 8, Fields: "1*8", Decode: func(b []byte) gridSample {
		return gridSample{[4][3]uint8{[3]uint8(b)}, [4][3]uint8{[3]uint8(b[3:])}, [4]uint8{0, noStyle, noStyle, noStyle}, b[6], b[7]}
	}}
	// gridWide has four styles of both, which they are, and the angles.
	gridWide = record.Layout[gridSample]{Size: 30, Fields: "1*30", Decode: func(b []byte) (s gridSample) {
		for k := range s.styles {
			s.ambient[k], s.directed[k] = [3]uint8(b[3*k:]), [3]uint8(b[12+3*k:])
		}
		s.styles, s.polar, s.azimuth = [4]uint8(b[24:]), b[28], b[29]
		return s
	}}
)

// stored returns record i of a list; ok is false if there is none.
func stored[T any](l *record.List[T], i int64) (record T, ok bool) {
	if i < 0 || i >= int64(l.Count()) {
		return record, false
	}
	return l.At(int(i)), true
}

// shaderRecord is dshader_t.
type shaderRecord struct {
	Name     [64]byte
	Surface  uint32
	Contents uint32
}

// modelRecord is dmodel_t.
type modelRecord struct {
	Mins, Maxs                                  [3]float32
	FirstSurface, Surfaces, FirstBrush, Brushes int32
}

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

// surface is dsurface_t of the wide layout; the narrow one is decoded to it, with one slot of style 0.
type surface struct {
	Shader, Fog, Shape                         int32
	FirstVertex, Vertices, FirstIndex, Indices int32
	LightStyles, VertexStyles                  [4]uint8
	Lightmap, X, Y                             [4]int32 // page and luxels on it
	Width, Height                              int32    // luxels; q3map2 leaves them and X and Y empty in wide maps, see frame
	Origin                                     [3]float32
	Vectors                                    [3][3]float32
	PatchWidth, PatchHeight                    int32
}

// readSurfaces decodes the surfaces by hand: binary.Decode takes fifty times as long.
func readSurfaces(l le.Lump, v variant) ([]surface, error) {
	size := v.recordSize(lumpSurfaces)
	n, err := l.Count(size)
	if err != nil {
		return nil, err
	}
	out := make([]surface, n)
	for i := range out {
		s := &out[i]
		f := fields{l.Data[i*size : (i+1)*size]}
		f.ints(&s.Shader, &s.Fog, &s.Shape, &s.FirstVertex, &s.Vertices, &s.FirstIndex, &s.Indices)
		if v.wide {
			f.bytes(s.LightStyles[:])
			f.bytes(s.VertexStyles[:])
		} else {
			s.LightStyles = [4]uint8{0, noStyle, noStyle, noStyle}
			s.VertexStyles = s.LightStyles
			s.Lightmap = [4]int32{0, -1, -1, -1}
		}
		for _, a := range []*[4]int32{&s.Lightmap, &s.X, &s.Y} {
			for k := range v.slots() {
				f.ints(&a[k])
			}
		}
		f.ints(&s.Width, &s.Height)
		f.floats(&s.Origin)
		for k := range s.Vectors {
			f.floats(&s.Vectors[k])
		}
		f.ints(&s.PatchWidth, &s.PatchHeight)
		if s.Shape == shapeFlare || s.Shape == shapeFoliage {
			s.Lightmap = [4]int32{-3, -3, -3, -3} // regardless of the record
		}
	}
	return out, nil
}

// fields reads a record straight down.
type fields struct{ data []byte }

func (f *fields) ints(to ...*int32) {
	for _, p := range to {
		*p = le.Int32(f.data)
		f.data = f.data[4:]
	}
}

func (f *fields) bytes(to []byte) { f.data = f.data[copy(to, f.data):] }

func (f *fields) floats(to *[3]float32) {
	*to = le.Vector(f.data)
	f.data = f.data[12:]
}

// indices are the draw indices, relative to a surface's first vertex.
type indices []byte

func (x indices) len() int        { return len(x) / 4 }
func (x indices) at(i int) uint32 { return binary.LittleEndian.Uint32(x[4*i:]) }

// records holds the decoded lumps that surfaces are made of.
type records struct {
	shaders  []shaderRecord
	models   []modelRecord // at least the world
	surfaces []surface
	vertices vertices
	indices  indices
}

// readRecords reads the lumps that surfaces are made of.
func readRecords(dc *decoding.Context, m *file) (*records, error) {
	shaders, models, surfaces := m.lumps[lumpShaders], m.lumps[lumpModels], m.lumps[lumpSurfaces]
	// A surface costs its record, its place in a model (twice, because a growing slice wastes as much) and its shape.
	n := len(surfaces.Data) / m.variant.recordSize(lumpSurfaces)
	cost := limit.Bytes[surface](n) + limit.Bytes[int32](n) + limit.Bytes[world.Surface](2*n) + limit.Bytes[world.Triangles](n)
	if err := dc.Borrow(int64(len(shaders.Data)+3*len(models.Data)) + cost); err != nil {
		return nil, err
	}
	var err error
	r := &records{}
	if r.shaders, err = le.Records[shaderRecord](shaders); err != nil {
		return nil, err
	}
	if r.models, err = le.Records[modelRecord](models); err != nil {
		return nil, err
	}
	if len(r.models) == 0 {
		return nil, models.Fault("empty", -1, "the map has no models")
	}
	if r.surfaces, err = readSurfaces(surfaces, m.variant); err != nil {
		return nil, err
	}
	if len(r.surfaces) == 0 {
		return nil, surfaces.Fault("empty", -1, "the map has no surfaces")
	}
	r.vertices = vertices{data: m.lumps[lumpVertices].Data, stride: m.variant.recordSize(lumpVertices), slots: m.variant.slots()}
	if r.vertices.count, err = m.lumps[lumpVertices].Count(r.vertices.stride); err != nil {
		return nil, err
	}
	if _, err = m.lumps[lumpIndices].Count(4); err != nil {
		return nil, err
	}
	r.indices = m.lumps[lumpIndices].Data
	for i := range r.models {
		if b := &r.models[i]; !record.Sane(b.Mins[:]...) || !record.Sane(b.Maxs[:]...) {
			dc.Issue("model-box", fmt.Sprintf("model *%d", i), "the box from %g to %g was left out", b.Mins, b.Maxs)
			b.Mins, b.Maxs = [3]float32{}, [3]float32{}
		}
	}
	return r, nil
}
