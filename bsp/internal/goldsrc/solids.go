package goldsrc

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/bsptree"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/solid"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// solids collects the solids of a map.
type solids struct {
	dc      *decoding.Context
	file    *file
	records *records
	out     []world.Brush
}

// decodeSolids returns the solids of the map: Quake II's brushes, those that a compiler of Quake's maps added (BSPX BRUSHLIST), or else
// the leafs of the models' trees.
func decodeSolids(ctx context.Context, m *file, r *records) ([]world.Brush, error) {
	s := &solids{dc: m.dc, file: m, records: r}
	if m.v.family == familyQuake2 {
		err := s.brushes(ctx)
		return s.out, err
	}
	listed, err := s.listed(ctx)
	if err == nil && !listed {
		err = s.cells(ctx)
	}
	return s.out, err
}

// contentsNames are the bits of Quake II's contents (qfiles.h), which also stand for the numbers that Quake's leafs have.
var contentsNames = []solid.Contents{
	{0x1, "solid"}, {0x2, "window"}, {0x4, "aux"}, {0x8, "lava"}, {0x10, "slime"},
	{0x20, "water"}, {0x40, "mist"}, {0x8000, "areaportal"}, {0x10000, "playerclip"},
	{0x20000, "monsterclip"}, {0x40000, "current_0"}, {0x80000, "current_90"},
	{0x100000, "current_180"}, {0x200000, "current_270"}, {0x400000, "current_up"},
	{0x800000, "current_down"}, {0x1000000, "origin"}, {0x2000000, "monster"},
	{0x4000000, "deadmonster"}, {0x8000000, "detail"}, {0x10000000, "translucent"},
	{0x20000000, "ladder"},
}

// leafContents are the bits for the contents of Quake's and GoldSrc's leafs (bspfile.h): empty space has none. The sky stops bodies, as in
// the engines' hulls for bodies.
var leafContents = map[int]uint32{
	-2: 0x1, -3: 0x20, -4: 0x10, -5: 0x8, -6: 0x1, -8: 0x10000, -9: 0x40020, -10: 0x80020, -11: 0x100020, -12: 0x200020, -13: 0x400020,
	-14: 0x800020, -16: 0x20000000,
}

// add adds a solid.
func (s *solids) add(b world.Brush) (err error) {
	if err = s.dc.Reserve(limit.Bytes[[4]float32](len(b.Planes)) + 32); err != nil {
		return err
	}
	b.Names = solid.ContentsNames(b.Contents, contentsNames)
	s.out, err = limit.Append(s.dc.Budget, s.out, "", b)
	return err
}

// lump returns the content of a lump that few maps need, or nil if it is missing or broken, which is an issue.
func (s *solids) lump(name string, size int) ([]byte, error) {
	for _, l := range s.file.table {
		if l.Name == name && l.Size > 0 {
			return s.dc.Optional(s.file.f, l, size)
		}
	}
	return nil, nil
}

// brushSize is the size of dbrush_t.
const brushSize = 12

// index is the layout of records that are, or start with, an index. size is that of the record.
func (l *layout) index(size int) record.Layout[int] {
	if l.wide {
		return record.Layout[int]{Size: size, Decode: record.U32}
	}
	return record.Layout[int]{Size: size, Decode: record.U16}
}

// recordSize returns the size of a lump's records.
func (l *layout) recordSize(lump string) int {
	return l.lumps[slices.IndexFunc(l.lumps, func(e entry) bool { return e.name == lump })].size
}

// brushes decodes Quake II's brushes.
func (s *solids) brushes(ctx context.Context) error {
	data, err := s.lump("brushes", brushSize)
	if err != nil || data == nil {
		return err
	}
	layout := &s.file.v.layout
	side := layout.index(layout.recordSize("brush sides")) // dbrushside_t starts with its plane
	sides, err := s.lump("brush sides", side.Size)
	if err != nil || sides == nil {
		return err
	}
	owners, err := s.owners(ctx, len(data)/brushSize)
	if err != nil {
		return err
	}
	left := len(sides) / side.Size // each belongs to one brush
	for i := range owners {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		b := data[i*brushSize:]
		first, n := record.I32(b), record.I32(b[4:])
		if first < 0 || n < 0 || n > left || first > len(sides)/side.Size-n {
			s.dc.Issue("brush", fmt.Sprintf("brush %d", i), "%d sides from %d of %d: it is left out", n, first, len(sides)/side.Size)
			continue
		}
		if left -= n; owners[i] == solid.NoOwner {
			continue
		}
		out := world.Brush{Model: owners[i], Contents: binary.LittleEndian.Uint32(b[8:]), Record: i}
		for k := first; k < first+n; k++ {
			out.Planes = s.plane(out.Planes, side.Decode(sides[k*side.Size:]), 1)
		}
		if err := s.closed(out); err != nil {
			return err
		}
	}
	return nil
}

// closed adds a brush, or an issue if it can't be closed.
func (s *solids) closed(b world.Brush) error {
	if len(b.Planes) < 4 {
		s.dc.Issue("brush", fmt.Sprintf("brush %d", b.Record), "it is not closed: it has %d planes", len(b.Planes))
		return nil
	}
	return s.add(b)
}

// plane appends a plane of the map, with side -1 in the other direction; a broken one is left out.
func (s *solids) plane(to [][4]float32, i int, side float32) [][4]float32 {
	if i < 0 || i >= len(s.records.planes) {
		return to
	}
	p := &s.records.planes[i]
	if n := record.UnitOrZero(p.normal); n != [3]float32{} && record.Sane(p.distance) {
		to = append(to, [4]float32{side * n[0], side * n[1], side * n[2], side * p.distance})
	}
	return to
}

// owners returns the models of Quake II's brushes, which are those whose leafs contain them.
func (s *solids) owners(ctx context.Context, brushes int) ([]int, error) {
	tree := treeOf(s.file, s.records)
	nodes, leafs, err := bsptree.ReadNodes(s.dc, s.file.f, tree)
	if err != nil {
		return nil, err
	}
	index := s.file.v.layout.index(s.file.v.layout.recordSize("leaf brushes"))
	list, err := s.lump("leaf brushes", index.Size)
	if err != nil {
		return nil, err
	}
	layout := s.file.v.layout.leaf
	heads := make([]int, len(s.records.models))
	for i := range heads {
		heads[i] = s.records.models[i].head
	}
	return solid.BrushOwners(ctx, s.dc, heads, solid.BrushTree{
		Nodes: len(nodes), Children: func(i int) [2]int { return nodes[i].Children },
		Leafs: len(leafs) / layout.Size, Brushes: func(i int) (first, n int) {
			l := layout.Decode(leafs[i*layout.Size:])
			return l.firstBrush, l.brushes
		},
	}, &record.List[int]{Layout: index, Lump: le.Lump{Data: list}}, brushes)
}

// listed decodes the brushes of BSPX BRUSHLIST; ok is false if there are none. For each model it has a version, the model's number and
// counts of its brushes and their planes; for each brush a box, contents, and the planes that are not those of its box (ericw-tools,
// bspx.hh).
func (s *solids) listed(ctx context.Context) (ok bool, err error) {
	data, err := s.file.block(brushList, anySize)
	if err != nil || len(data) == 0 {
		return false, err
	}
	return s.read(ctx, data)
}

const brushList = "BRUSHLIST"

// read reads that block; ok is false if it has no brushes.
func (s *solids) read(ctx context.Context, data []byte) (ok bool, err error) {
	const modelHead, brushHead, planeBytes = 16, 28, 16
	broken := func(format string, args ...any) (bool, error) {
		s.dc.Issue("lump-broken", "BSPX "+brushList, format+": it is left out from there on", args...)
		return len(s.out) > 0, nil
	}
	for len(data) > 0 {
		if len(data) < modelHead || record.I32(data) != 1 {
			return broken("%d bytes are no model of version 1", len(data))
		}
		model, n := record.I32(data[4:]), record.I32(data[8:])
		if model < 0 || model >= len(s.records.models) {
			return broken("model %d of %d", model, len(s.records.models))
		}
		data = data[modelHead:]
		for range n {
			if err := ctx.Err(); err != nil {
				return false, err
			}
			if len(data) < brushHead {
				return broken("a brush has %d bytes", len(data))
			}
			planes := record.U16(data[26:])
			if len(data)-brushHead < planes*planeBytes {
				return broken("a brush of %d planes has %d bytes", planes, len(data))
			}
			b := world.Brush{
				Model: model, Contents: leafContents[record.I16(data[24:])], Record: len(s.out),
				Planes: box(record.V3(data), record.V3(data[12:]), 0),
			}
			for k := range planes {
				p := data[brushHead+k*planeBytes:]
				b.Planes = append(b.Planes, [4]float32{le.Float32(p), le.Float32(p[4:]), le.Float32(p[8:]), le.Float32(p[12:])})
			}
			data = data[brushHead+planes*planeBytes:]
			if err := s.add(b); err != nil {
				return false, err
			}
		}
	}
	return len(s.out) > 0, nil
}

// box returns the planes of a box that is larger by a margin on each side.
func box(mins, maxs [3]float32, margin float32) (out [][4]float32) {
	for k := range 3 {
		var up, down [4]float32
		up[k], up[3] = 1, maxs[k]+margin
		down[k], down[3] = -1, margin-mins[k]
		out = append(out, up, down)
	}
	return out
}
