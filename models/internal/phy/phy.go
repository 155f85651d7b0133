// Package phy reads the physics of Source's models, .phy files.
//
// A file has solids: one, or one for each bone of a model with joints. A solid is a tree whose leafs are convex pieces, each a closed mesh
// of triangles. Lengths are metres, and Y points down: the point (x, y, z) of a file is (x, z, -y) in the map, where a unit is an inch.
//
// The layout is that of IVP's compact surfaces, as the public readers of these files have it (IVP_Compact_Surface,
// IVP_Compact_Ledgetree_Node, IVP_Compact_Ledge, IVP_Compact_Triangle); the header is phyheader_t of Source SDK 2013, public/phyfile.h.
package phy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Sizes of records.
const (
	fileHeader    = 16
	solidHeader   = 28 // of a solid that starts with VPHY: compactsurfaceheader_t
	surfaceHeader = 48 // of the tree, whose root's offset is at 32
	nodeSize      = 28
	pieceHeader   = 16
	triangleSize  = 16
	pointSize     = 16
)

// unit is the map units of a metre.
const unit = 1 / 0.0254

// ErrJoints says that a model has several solids, which hang on its bones.
var ErrJoints = fmt.Errorf("it has joints: %w", errors.ErrUnsupported)

// Decode returns the convex pieces of a file with one solid, in the model's axes.
//
// It fails with limit.ErrCorrupt if the file breaks its format, with ErrJoints if it has several solids, with errors.ErrUnsupported if the
// solid is of another kind, and with limit.ErrLimit if b is exceeded.
func Decode(data []byte, b *limit.Budget) (pieces []world.Piece, err error) {
	pieces, reserved, err := decode(data, b)
	if err != nil {
		b.Release(reserved)
		return nil, fmt.Errorf("phy: %w", err)
	}
	return pieces, nil
}

func decode(data []byte, b *limit.Budget) (pieces []world.Piece, reserved int64, err error) {
	if len(data) < fileHeader+4 {
		return nil, 0, fault("bounds", "header", "%d bytes are no header", len(data))
	}
	head, solids := int64(le.Int32(data)), le.Int32(data[8:])
	if head < fileHeader || head > int64(len(data))-4 {
		return nil, 0, fault("bounds", "header", "%d bytes of header, the file has %d", head, len(data))
	}
	if solids > 1 {
		return nil, 0, ErrJoints
	}
	size := int64(le.Int32(data[head:]))
	if solids < 1 || size < 0 || size > int64(len(data))-head-4 {
		return nil, 0, fault("bounds", "solids", "%d solids; the first has %d of %d bytes", solids, size, len(data))
	}
	w := &walk{data: data[head+4:][:size], budget: b}
	err = w.solid()
	return w.out, w.reserved, err
}

// walk collects the pieces of a solid.
type walk struct {
	data     []byte
	budget   *limit.Budget
	reserved int64
	paid     int // bytes of pieces: they may not share them, so that a small file can't become many
	out      []world.Piece
}

// solid finds the tree of a solid, and walks it.
func (w *walk) solid() error {
	at := 0
	if len(w.data) >= solidHeader && string(w.data[:4]) == "VPHY" {
		if kind := int16(binary.LittleEndian.Uint16(w.data[6:])); kind != 0 {
			return fmt.Errorf("a solid of kind %d: %w", kind, errors.ErrUnsupported)
		}
		at = solidHeader
	}
	if len(w.data) < at+surfaceHeader {
		return fault("bounds", "solid", "%d bytes are no solid", len(w.data))
	}
	stack := []int{at + int(le.Int32(w.data[at+32:]))}
	for steps := 0; len(stack) > 0; steps++ {
		if steps > len(w.data)/nodeSize {
			return fault("cycle", "tree", "it has more nodes than fit into %d bytes", len(w.data))
		}
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !w.within(at, nodeSize) {
			return fault("bounds", "tree", "a node at %d is outside the %d bytes", at, len(w.data))
		}
		right, piece := int(le.Int32(w.data[at:])), int(le.Int32(w.data[at+4:]))
		if right != 0 { // the left node follows; a node's own piece is a hull around those below it
			stack = append(stack, at+right, at+nodeSize)
			continue
		}
		if err := w.piece(at + piece); err != nil {
			return err
		}
	}
	return nil
}

// within reports whether n bytes at an offset are there.
func (w *walk) within(at, n int) bool { return at >= 0 && n >= 0 && at <= len(w.data)-n }

// piece adds the piece at an offset. Its triangles name points, of which others may use some too.
func (w *walk) piece(at int) error {
	if !w.within(at, pieceHeader) {
		return fault("bounds", "pieces", "one at %d is outside the %d bytes", at, len(w.data))
	}
	points, n := at+int(le.Int32(w.data[at:])), int(int16(binary.LittleEndian.Uint16(w.data[at+12:])))
	if n < 0 || !w.within(at+pieceHeader, n*triangleSize) {
		return fault("bounds", "pieces", "%d triangles at %d are outside the %d bytes", n, at, len(w.data))
	}
	if w.paid += pieceHeader + n*triangleSize; w.paid > len(w.data) {
		return fault("bounds", "pieces", "they share their bytes")
	}
	const entry = 40 // estimated bytes of a map's
	cost := int64(3*n) * (limit.Bytes[[3]float32](1) + 4 + entry)
	if err := w.budget.Reserve(cost); err != nil {
		return err
	}
	w.reserved += cost
	var p world.Piece
	have := map[int]uint32{}
	for k := range 3 * n {
		corner := binary.LittleEndian.Uint32(w.data[at+pieceHeader+k/3*triangleSize+4+k%3*4:])
		point := int(corner & 0xffff)
		i, ok := have[point]
		if !ok {
			from := points + point*pointSize
			if !w.within(from, pointSize) {
				return fault("bounds", "points", "point %d at %d is outside the %d bytes", point, from, len(w.data))
			}
			v := [3]float32{le.Float32(w.data[from:]) * unit, le.Float32(w.data[from+8:]) * unit, -le.Float32(w.data[from+4:]) * unit}
			for _, x := range v {
				if !(math.Abs(float64(x)) < 1<<24) {
					return fault("range", "points", "point %d is at %g", point, v)
				}
			}
			i = uint32(len(p.Positions))
			have[point], p.Positions = i, append(p.Positions, v)
		}
		p.Indices = append(p.Indices, i)
	}
	if n > 0 {
		w.out = append(w.out, p)
	}
	return nil
}

func fault(code, where, format string, args ...any) *le.FormatError {
	return &le.FormatError{Code: code, Lump: where, Index: -1, Offset: -1, Detail: fmt.Sprintf(format, args...)}
}
