package source

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/solid"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// contentsSolid is the bit of solids that block all movement.
const contentsSolid = 0x1

// contentsNames lists the names of contents bits. Source SDK 2013, public/bspflags.h.
var contentsNames = []solid.Contents{
	{contentsSolid, "solid"}, {0x2, "window"}, {0x4, "aux"}, {0x8, "grate"}, {0x10, "slime"}, {0x20, "water"}, {0x40, "blocklos"},
	{0x80, "opaque"}, {0x100, "testfogvolume"}, {0x800, "team1"}, {0x1000, "team2"}, {0x2000, "ignore_nodraw_opaque"},
	{0x4000, "moveable"}, {0x8000, "areaportal"}, {0x10000, "playerclip"}, {0x20000, "monsterclip"}, {0x40000, "current_0"},
	{0x80000, "current_90"}, {0x100000, "current_180"}, {0x200000, "current_270"}, {0x400000, "current_up"},
	{0x800000, "current_down"}, {0x1000000, "origin"}, {0x2000000, "monster"}, {0x4000000, "debris"}, {0x8000000, "detail"},
	{0x10000000, "translucent"}, {0x20000000, "ladder"}, {0x40000000, "hitbox"},
}

// brush is dbrush_t.
type brush struct {
	first, sides int
	contents     uint32
}

var brushV1 = record.Layout[brush]{Size: 12, Fields: "4*3", Decode: func(b []byte) brush {
	return brush{record.I32(b), record.I32(b[4:]), binary.LittleEndian.Uint32(b[8:])}
}}

// brushSide is dbrushside_t. A bevel is a side that was added for collision. It was a 16-bit flag, which games since
// Portal 2 split into two of 8 bits; the first keeps the meaning.
type brushSide struct {
	plane   int
	texinfo int // -1 for none
	bevel   bool
}

var brushSideV1 = record.Layout[brushSide]{Size: 8, Fields: "2*3 1*2", Decode: func(b []byte) brushSide {
	return brushSide{record.U16(b), record.I16(b[2:]), b[6] != 0}
}}

// brushSideWide is the record of Vindictus and Strata.
var brushSideWide = record.Layout[brushSide]{Size: 16, Fields: "4*3 1*4", Version: 1, Decode: func(b []byte) brushSide {
	return brushSide{record.U32(b), record.I32(b[4:]), b[12] != 0}
}}

// decodeBrushes decodes the solids.
func decodeBrushes(ctx context.Context, dc *decoding.Context, l le.Lump, lists *lists, r *records) (out []world.Brush, err error) {
	records, err := decodeOptional(dc, &record.List[brush]{Layout: brushV1, Lump: l})
	if err != nil {
		return nil, err
	}
	sides, err := decodeOptional(dc, &lists.sides)
	if err != nil {
		return nil, err
	}
	owners, err := brushOwners(ctx, dc, r, &lists.leafBrushes, len(records))
	if err != nil {
		return nil, err
	}
	names := map[uint32]string{}
	taken := 0
	for i := range records {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s := &records[i]
		if s.first < 0 || s.sides < 0 || s.first > len(sides) || s.sides > len(sides)-s.first {
			dc.Issue("brush", fmt.Sprintf("brush %d", i), "%d sides from %d of %d", s.sides, s.first, len(sides))
			continue
		}
		if taken += s.sides; taken > len(sides) { // a side belongs to one brush
			dc.Issue("brush", fmt.Sprintf("brush %d", i),
				"the brushes have more than the %d sides of the map: it and what follows is left out", len(sides))
			return out, nil
		}
		if owners[i] == solid.NoOwner {
			continue
		}
		b := world.Brush{Model: owners[i], Contents: s.contents, Record: i}
		if err := dc.Reserve(limit.Bytes[[4]float32](s.sides)); err != nil {
			return nil, err
		}
		if b.Planes = brushPlanes(r.planes, sides[s.first:s.first+s.sides]); len(b.Planes) < 4 {
			dc.Issue("brush", fmt.Sprintf("brush %d", i), "it is not closed: %d of its %d sides are planes", len(b.Planes), s.sides)
			continue
		}
		name, ok := names[s.contents]
		if !ok {
			name = solid.ContentsNames(s.contents, contentsNames)
			names[s.contents] = name
			if err := dc.Reserve(int64(len(name)) + 64); err != nil {
				return nil, err
			}
		}
		b.Names = name
		if out, err = limit.Append(dc.Budget, out, "", b); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// brushPlanes returns the planes of sides, without bevels.
func brushPlanes(planes []plane, sides []brushSide) [][4]float32 {
	out := make([][4]float32, 0, len(sides))
	for _, s := range sides {
		if s.bevel || s.plane >= len(planes) {
			continue
		}
		p := &planes[s.plane]
		if n := record.UnitOrZero(p.normal); n != [3]float32{} && record.Sane(p.distance) {
			out = append(out, [4]float32{n[0], n[1], n[2], p.distance})
		}
	}
	return out
}

// brushOwners returns the models in whose leafs brushes are, or solid.NoOwner.
func brushOwners(ctx context.Context, dc *decoding.Context, r *records, leafBrushes *record.List[int], brushes int) ([]int, error) {
	heads := make([]int, len(r.models))
	for i := range heads {
		heads[i] = r.models[i].Head
	}
	return solid.BrushOwners(ctx, dc, heads, solid.BrushTree{
		Nodes: len(r.nodes), Children: func(i int) [2]int { return r.nodes[i].children },
		Leafs: len(r.leafs), Brushes: func(i int) (first, n int) { return r.leafs[i].firstBrush, r.leafs[i].brushes },
	}, leafBrushes, brushes)
}

// Contents that block light (MASK_OPAQUE), and contents that don't form leafs. Source SDK 2013, public/bspflags.h.
const (
	contentsOpaque = contentsSolid | 0x80 | 0x4000
	contentsDetail = 0x8000000
)

// shades returns, for each leaf of the world, the detail brushes that block light without forming leafs.
func shades(ctx context.Context, dc *decoding.Context, leafs []leaf, leafBrushes *record.List[int], brushes []world.Brush) (
	[][]int, error) {
	at := map[int]int{} // index into the world's brushes by index in the file
	if err := dc.Borrow(int64(len(brushes)) * 40); err != nil {
		return nil, err
	}
	for i := range brushes {
		if b := &brushes[i]; b.Model == 0 && b.Contents&contentsDetail != 0 && b.Contents&contentsOpaque != 0 {
			at[b.Record] = i
		}
	}
	if err := dc.Reserve(limit.Bytes[int](2 * leafBrushes.Count())); err != nil {
		return nil, err
	}
	list, err := limit.Make[[]int](dc.Budget, len(leafs), "")
	if err != nil {
		return nil, err
	}
	left := leafBrushes.Count() // each belongs to one leaf
	for i := range leafs {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		l := &leafs[i]
		if l.firstBrush > leafBrushes.Count()-l.brushes || l.brushes > left {
			continue // already reported
		}
		left -= l.brushes
		for k := range l.brushes {
			if b, ok := at[leafBrushes.At(l.firstBrush+k)]; ok {
				list[i] = append(list[i], b)
			}
		}
	}
	return list, nil
}

// solidDisplacements returns the displacements that stop bodies.
func solidDisplacements(dc *decoding.Context, models []world.Model, r *records) ([]world.CollisionSurface, error) {
	return solid.CollisionSurfaces(dc, models, contentsNames, func(s *world.Surface) uint32 {
		if _, ok := s.Shape.(*world.Displacement); !ok {
			return 0
		}
		return r.disps[r.faces[s.Record].disp].stops()
	})
}
