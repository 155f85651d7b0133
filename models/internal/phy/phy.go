// Package phy reads the collision models of Source's models, .phy files.
//
// A file has one solid or, for a model with joints, one for each of some bones, followed by a text that assigns them
// to bones. A solid is a tree whose leafs are convex parts, each a closed mesh of triangles. Lengths are in metres,
// and Y points down: the point (x, y, z) of a file is (x, z, -y) in the map, where a unit is an inch.
//
// The layout of the solids is that of IVP's compact surfaces, as public readers of these files describe it
// (IVP_Compact_Surface, IVP_Compact_Ledgetree_Node, IVP_Compact_Ledge, IVP_Compact_Triangle). The header is
// phyheader_t of Source SDK 2013, public/phyfile.h.
package phy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/bsp2gltf/bsp2gltf/internal/keyvalues"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Sizes of records.
const (
	fileHeader    = 16
	solidHeader   = 28 // of a solid that starts with VPHY: compactsurfaceheader_t
	surfaceHeader = 48 // of the tree; the offset of its root is at 32
	nodeSize      = 28
	pointSize     = 16
)

// layout is how a version of VPHY stores convex parts. A part starts with the offset of its points, and has its
// number of triangles at 12. A triangle names each corner by a word whose low half is the index of the point.
type layout struct {
	root                  int // offset of the root's offset
	header, size, corners int // bytes of a part's header, of a triangle, and of a word that names a corner
}

// Strata Source stores as whole words what the engine stores as bit fields. This was tested on its one map at hand
// (VBSP 25), where the six parts of the collision model are its six brushes.
var (
	compact = layout{root: 32, header: 16, size: 16, corners: 4}
	strata  = layout{root: 36, header: 64, size: 64, corners: 16}
)

const versionStrata = 0x101

// unit is the number of map units in a metre.
const unit = 1 / 0.0254

// Solid is a solid of a file.
type Solid struct {
	Bone  string // the bone in whose axes the solid is; "" for a single solid, which is in the model's axes
	Parts []world.ConvexPart
}

// Decode returns the solids of a file.
//
// It fails with limit.ErrCorrupt if the file breaks its format, with errors.ErrUnsupported if a solid is of another kind, and with
// limit.ErrLimit if b is exceeded.
func Decode(data []byte, b *limit.Budget) ([]Solid, error) {
	out, reserved, err := decode(data, b)
	if err != nil {
		b.Release(reserved)
		return nil, fmt.Errorf("phy: %w", err)
	}
	return out, nil
}

func decode(data []byte, b *limit.Budget) (out []Solid, reserved int64, err error) {
	if len(data) < fileHeader+4 {
		return nil, 0, modelfile.Fault("bounds", "header", "%d bytes are no header", len(data))
	}
	head, solids := int64(le.Int32(data)), le.Int32(data[8:])
	if head < fileHeader || head > int64(len(data))-4 {
		return nil, 0, modelfile.Fault("bounds", "header", "%d bytes of header, the file has %d", head, len(data))
	}
	if solids < 1 || solids > maxSolids {
		return nil, 0, modelfile.Fault("bounds", "solids", "%d solids", solids)
	}
	rest := data[head:]
	for i := range int(solids) {
		if len(rest) < 4 {
			return nil, reserved, modelfile.Fault("bounds", "solids", "solid %d of %d is behind the end", i, solids)
		}
		size := int64(le.Int32(rest))
		if size < 0 || size > int64(len(rest))-4 {
			return nil, reserved, modelfile.Fault("bounds", "solids", "solid %d of %d has %d of %d bytes", i, solids, size, len(data))
		}
		w := &walk{data: rest[4:][:size], budget: b}
		err = w.solid()
		if reserved += w.reserved; err != nil {
			return nil, reserved, err
		}
		out, rest = append(out, Solid{Parts: w.out}), rest[4+size:]
	}
	if solids > 1 {
		return out, reserved, assignBones(out, rest)
	}
	return out, reserved, nil
}

// maxSolids is the most solids accepted in a file. The engine's ragdolls have at most 24 (RAGDOLL_MAX_ELEMENTS;
// Source SDK 2013, ragdoll_shared.h).
const maxSolids = 1024

// longestText is the most bytes of a file's text. Real ones have up to a few tens of thousands.
const longestText = 256 << 10

// assignBones sets the bones of solids from the text behind them: solid { "index" "0" "name" "Pelvis" }.
func assignBones(solids []Solid, text []byte) error {
	if len(text) > longestText {
		return modelfile.Fault("range", "text", "%d bytes are more than %d", len(text), longestText)
	}
	pairs, _, err := keyvalues.Parse("", bytes.TrimRight(text, "\x00"), nil, nil)
	if err != nil {
		return modelfile.Fault("range", "text", "%v", err)
	}
	for i := range pairs {
		p := &pairs[i]
		index, name := keyvalues.Find(p.Pairs, "index"), keyvalues.Find(p.Pairs, "name")
		if !p.Is("solid") || index == nil || name == nil {
			continue
		}
		if n, err := strconv.Atoi(index.Value); err == nil && n >= 0 && n < len(solids) {
			solids[n].Bone = name.Value
		}
	}
	return nil
}

// walk collects the convex parts of a solid.
type walk struct {
	data     []byte
	layout   layout
	budget   *limit.Budget
	reserved int64
	paid     int // bytes used by parts: they must not share them, so that a small file can't become a large model
	out      []world.ConvexPart
}

// solid finds the tree of a solid and walks it.
func (w *walk) solid() error {
	at := 0
	w.layout = compact
	if len(w.data) >= solidHeader && string(w.data[:4]) == "VPHY" {
		if binary.LittleEndian.Uint16(w.data[4:]) == versionStrata {
			w.layout = strata
		}
		if kind := int16(binary.LittleEndian.Uint16(w.data[6:])); kind != 0 {
			return fmt.Errorf("a solid of kind %d: %w", kind, errors.ErrUnsupported)
		}
		at = solidHeader
	}
	if len(w.data) < at+surfaceHeader {
		return modelfile.Fault("bounds", "solid", "%d bytes are no solid", len(w.data))
	}
	stack := []int{at + int(le.Int32(w.data[at+w.layout.root:]))}
	for steps := 0; len(stack) > 0; steps++ {
		if steps > len(w.data)/nodeSize {
			return modelfile.Fault("cycle", "tree", "it has more nodes than fit into %d bytes", len(w.data))
		}
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !w.within(at, nodeSize) {
			return modelfile.Fault("bounds", "tree", "a node at %d is outside the %d bytes", at, len(w.data))
		}
		right, part := int(le.Int32(w.data[at:])), int(le.Int32(w.data[at+4:]))
		if right != 0 { // the left child follows the node; an inner node's own part is the hull of the parts below it
			stack = append(stack, at+right, at+nodeSize)
			continue
		}
		if err := w.part(at + part); err != nil {
			return err
		}
	}
	return nil
}

// within reports whether n bytes at an offset are inside the solid.
func (w *walk) within(at, n int) bool { return at >= 0 && n >= 0 && at <= len(w.data)-n }

// part adds the convex part at an offset. It copies the points that its triangles use, because parts share a list of
// points.
func (w *walk) part(at int) error {
	l := &w.layout
	if !w.within(at, l.header) {
		return modelfile.Fault("bounds", "convex parts", "one at %d is outside the %d bytes", at, len(w.data))
	}
	points, n := at+int(le.Int32(w.data[at:])), int(int16(binary.LittleEndian.Uint16(w.data[at+12:])))
	if n < 0 || !w.within(at+l.header, n*l.size) {
		return modelfile.Fault("bounds", "convex parts", "%d triangles at %d are outside the %d bytes", n, at, len(w.data))
	}
	if w.paid += l.header + n*l.size; w.paid > len(w.data) {
		return modelfile.Fault("bounds", "convex parts", "they share their bytes")
	}
	const entry = 40 // estimated bytes of a map entry
	cost := int64(3*n) * (limit.Bytes[[3]float32](1) + 4 + entry)
	if err := w.budget.Reserve(cost); err != nil {
		return err
	}
	w.reserved += cost
	var p world.ConvexPart
	have := map[int]uint32{}
	for k := range 3 * n {
		corner := binary.LittleEndian.Uint32(w.data[at+l.header+k/3*l.size+(1+k%3)*l.corners:])
		point := int(corner & 0xffff)
		i, ok := have[point]
		if !ok {
			from := points + point*pointSize
			if !w.within(from, pointSize) {
				return modelfile.Fault("bounds", "points", "point %d at %d is outside the %d bytes", point, from, len(w.data))
			}
			v := [3]float32{le.Float32(w.data[from:]) * unit, le.Float32(w.data[from+8:]) * unit, -le.Float32(w.data[from+4:]) * unit}
			for _, x := range v {
				if !(math.Abs(float64(x)) < 1<<24) {
					return modelfile.Fault("range", "points", "point %d is at %g", point, v)
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
