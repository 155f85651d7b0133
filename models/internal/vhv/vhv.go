// Package vhv reads the light that the compiler of a Source map stores for its static props, in one file per prop: .vhv
// for vertices, .ppl for texels.
//
// A .vhv file is a header, a list of meshes and their colours. The meshes are the strip groups of the model's .vtx
// file, in the order of nested loops over body parts, variants, levels of detail, meshes and strip groups; colour k
// of a mesh belongs to vertex k of the strip group. A .ppl file has an image in place of each list of colours, placed
// by the vertices' texture coordinates. Both contain the checksum of the model, because they are meaningless for
// another one.
package vhv

import (
	"errors"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Vertices is the light of a prop's vertices.
type Vertices struct {
	Checksum uint32 // of the model's file
	Meshes   []Mesh
}

// Mesh is the light of a strip group's vertices.
type Mesh struct {
	LOD   int
	Count int // number of vertices
	size  int // bytes of each vertex
	data  []byte
}

// The sizes in bytes of a vertex.
const (
	flat   = 4  // a colour
	tilted = 12 // three colours, from the directions of world.Bump1 to Bump3, without the sun: Counter-Strike: Global Offensive
)

const (
	version  = 2
	headSize = 40
	meshSize = 28
	lost     = 3 // bytes missing at the start of old files
)

// Decode reads a .vhv file. The result refers to data, and takes at most three times as much memory.
//
// Decode fails with limit.ErrCorrupt if the file breaks its format, and with errors.ErrUnsupported for other versions
// or vertex sizes.
func Decode(data []byte) (*Vertices, error) {
	v, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("vhv: %w", err)
	}
	return v, nil
}

func decode(data []byte) (*Vertices, error) {
	c := le.NewCursor("header", data)
	shift := 0
	if len(data) > 0 && data[0] == 0 { // the first three bytes are missing; offsets count them nevertheless (SourceUtils agrees)
		shift = lost
		c.Bytes(4 - lost)
	} else if v := c.Int32(); c.Err() == nil && v != version {
		return nil, fmt.Errorf("version %d: %w", v, errors.ErrUnsupported)
	}
	v := &Vertices{Checksum: c.Uint32()}
	c.Bytes(4) // flags of the vertex's fields, which its size determines too
	size, _, count := int(c.Int32()), c.Uint32(), c.Int32()
	c.Bytes(16)
	if err := c.Err(); err != nil {
		return nil, err
	}
	if size != flat && size != tilted {
		return nil, fmt.Errorf("vertices of %d bytes: %w", size, errors.ErrUnsupported)
	}
	if err := fits(count, len(data)-headSize+shift, meshSize); err != nil {
		return nil, err
	}
	v.Meshes = make([]Mesh, count)
	for i := range v.Meshes {
		m := Mesh{LOD: int(c.Uint32()), Count: int(c.Uint32()), size: size}
		offset := int64(c.Uint32()) - int64(shift)
		c.Bytes(16)
		if m.data = part(data, offset, int64(m.Count)*int64(size)); m.data == nil {
			return nil, fmt.Errorf("mesh %d: %d vertices of %d bytes at byte %d of %d: %w", i, m.Count, size, offset, len(data),
				limit.ErrCorrupt)
		}
		v.Meshes[i] = m
	}
	return v, nil
}

// fits returns an error if a table of count records does not fit into what follows the header.
func fits(count int32, rest, size int) error {
	if count < 0 || int64(count)*int64(size) > int64(rest) {
		return fmt.Errorf("%d meshes in %d bytes: %w", count, rest, limit.ErrCorrupt)
	}
	return nil
}

// part returns length bytes of data at an offset, or nil if they are not all there.
func part(data []byte, offset, length int64) []byte {
	if offset < 0 || length < 0 || offset > int64(len(data)) || length > int64(len(data))-offset {
		return nil
	}
	return data[offset : offset+length : offset+length]
}

// Light sets the linear light of vertices, as many as to has room for, at most Count. For light from three directions
// it sets the mean, which is what a surface without a normal map shows. That light excludes the sun, which the game
// adds with moving shadows; but the sum of the fourth bytes of the three colours is the share of the sun that reaches
// the vertex, where 255 is all. In aim_aztec, the only map at hand with such files, the colours are no brighter or
// yellower where those bytes are set, and their sum is at most 255.
func (m *Mesh) Light(to []world.RGB, sun [3]float32) {
	linear := linear()
	for i := range to[:min(len(to), m.Count)] {
		var sum [3]float32
		direct := 0
		for b := m.data[i*m.size:][:m.size]; len(b) > 0; b = b[flat:] {
			for k := range sum {
				sum[k] += linear[b[2-k]] // blue, green, red
			}
			direct += int(b[3])
		}
		if m.size == tilted {
			part := float32(min(direct, 255)) / 255
			for k := range sum {
				sum[k] = sum[k]/3 + float32(part*sun[k])
			}
		}
		to[i] = world.NewRGB(sum[0], sum[1], sum[2])
	}
}
