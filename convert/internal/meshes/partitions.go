package meshes

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// partition is a part of the world with a separate mesh, for engines that draw only what is in view: an area of the map, or a cell.
// The zero partition is the rest: surfaces in no area, or everything if the world is not split. A partition is identified by its position,
// so that it keeps its name while the map changes elsewhere.
type partition struct {
	kind byte // 0 the rest, 'a' area, 'c' cell, 's' what is seen from the same places
	at   [3]int
}

// name returns the suffix of the names of a partition's node and mesh.
func (r partition) name() string {
	switch r.kind {
	case 'a':
		return fmt.Sprintf("area_%d", r.at[0])
	case 's':
		return fmt.Sprintf("seen_%d", r.at[0])
	}
	return fmt.Sprintf("cell_%d_%d_%d", r.at[0], r.at[1], r.at[2])
}

// compare orders partitions by position.
func (r partition) compare(s partition) int {
	return cmp.Or(cmp.Compare(r.kind, s.kind), slices.Compare(r.at[:], s.at[:]))
}

// splitter finds the partitions of surfaces.
type splitter struct {
	areas *world.Areas // or nil
	cell  float64      // map units; 0 does not split
}

// cellMetres is the side of a cell if output.split asks for areas and the map has fewer than two areas or parts.
const cellMetres = 32

// areaAbove is the distance above a surface in map units at which its area is looked up: exactly on the surface the tree may
// lead to either side.
const areaAbove = 1.5

// newSplitter returns the splitter for output.split. If the map's areas do not serve, it is cut into cells, which is an issue. unit is
// the metres per map unit.
func newSplitter(split pipeline.Split, areas *world.Areas, unit float64) (splitter, []world.Issue) {
	var issues []world.Issue
	metres := split.Cell()
	switch {
	case metres > 0:
	case split != pipeline.SplitAreas:
		return splitter{}, nil
	case areas.Several() || areas != nil && areas.Seen:
		return splitter{areas: areas}, nil
	default:
		metres = cellMetres
		issues = []world.Issue{{Code: "split-cells", Where: "map",
			Detail: fmt.Sprintf("output.split: the map has no areas that could be told apart, and no parts that are not seen from each other: it is cut into cells of %d metres", metres)}}
	}
	return splitter{cell: float64(metres) / unit}, issues
}

// surfacePart is a surface, or a part of it, in its partition.
type surfacePart struct {
	partition partition
	mesh      *geometry.Mesh
}

// split returns the parts of a surface of the world: one, unless it spans several partitions. whole is set if it can't be cut.
func (s splitter) split(m *geometry.Mesh, whole bool) []surfacePart {
	switch {
	case s.areas != nil:
		best, of := s.area(m)
		if whole || of == nil {
			return []surfacePart{{best, m}}
		}
		return byTriangle(m, of)
	case s.cell == 0:
		return []surfacePart{{partition{}, m}}
	}
	lo, hi := m.Vertices[0].Position, m.Vertices[0].Position
	for i := range m.Vertices {
		space.Extend(&lo, &hi, m.Vertices[i].Position)
	}
	var middle [3]float64
	large := false
	for k := range middle {
		middle[k] = (float64(lo[k]) + float64(hi[k])) / 2
		large = large || float64(hi[k])-float64(lo[k]) > s.cell
	}
	if whole || !large {
		return []surfacePart{{s.cellOf(middle), m}}
	}
	of := make([]partition, 0, len(m.Indices)/3)
	for i := 0; i+2 < len(m.Indices); i += 3 {
		p, _ := triangleAt(m, i)
		of = append(of, s.cellOf(p))
	}
	return byTriangle(m, of)
}

// byTriangle cuts a surface into parts, by the partitions of its triangles.
func byTriangle(m *geometry.Mesh, of []partition) []surfacePart {
	triangles := map[partition][]uint32{}
	for i, r := range of {
		triangles[r] = append(triangles[r], m.Indices[3*i:3*i+3]...)
	}
	parts := make([]surfacePart, 0, len(triangles))
	for r, indices := range triangles {
		parts = append(parts, surfacePart{r, trianglesOf(m, indices)})
	}
	slices.SortFunc(parts, func(a, b surfacePart) int { return a.partition.compare(b.partition) })
	return parts
}

// cellOf returns the cell of a point. Cells are counted from the map's origin.
func (s splitter) cellOf(p [3]float64) partition {
	r := partition{kind: 'c'}
	for k := range p {
		r.at[k] = int(math.Floor(p[k] / s.cell))
	}
	return r
}

// nearlyAll is the share of a surface in one area above which it is not cut.
const nearlyAll = 0.9

// area returns the area that contains most of a surface, by triangle size. If that is not nearly all of it (compilers join
// triangles of one material across half a map), it also returns the areas of the triangles; triangles in no area get the
// majority's.
func (s splitter) area(m *geometry.Mesh) (partition, []partition) {
	votes, of := map[int]float64{}, make([]int, 0, len(m.Indices)/3)
	best, most, all := world.NoArea, 0.0, 0.0
	for i := 0; i+2 < len(m.Indices); i += 3 {
		at, size := triangleAt(m, i)
		n := m.Vertices[m.Indices[i]].Normal
		var p [3]float32
		for k := range p {
			p[k] = float32(at[k]) + float32(areaAbove*n[k])
		}
		area := s.areas.At(p)
		of = append(of, area)
		if area == world.NoArea {
			continue
		}
		all += size
		votes[area] += size
		if v := votes[area]; v > most || v == most && area < best {
			best, most = area, v
		}
	}
	if most >= nearlyAll*all {
		return s.partitionOf(best), nil
	}
	partitions := make([]partition, len(of))
	for i, area := range of {
		if area == world.NoArea {
			area = best
		}
		partitions[i] = s.partitionOf(area)
	}
	return s.partitionOf(best), partitions
}

// partitionOf returns the partition of an area.
func (s splitter) partitionOf(area int) partition {
	switch {
	case area == world.NoArea:
		return partition{}
	case s.areas.Seen:
		return partition{kind: 's', at: [3]int{area}}
	}
	return partition{kind: 'a', at: [3]int{area}}
}

// triangleAt returns the centre of the triangle whose first index is at i, and twice its area.
func triangleAt(m *geometry.Mesh, i int) (middle [3]float64, size float64) {
	a, b, c := m.Vertices[m.Indices[i]].Position, m.Vertices[m.Indices[i+1]].Position, m.Vertices[m.Indices[i+2]].Position
	var u, v [3]float64
	for k := range a {
		middle[k] = (float64(a[k]) + float64(b[k]) + float64(c[k])) / 3
		u[k], v[k] = float64(b[k])-float64(a[k]), float64(c[k])-float64(a[k])
	}
	n := space.Cross(u, v)
	return middle, math.Sqrt(space.Sum(n[0]*n[0], n[1]*n[1], n[2]*n[2], 0))
}

// trianglesOf returns the part of a mesh with the given triangles.
func trianglesOf(m *geometry.Mesh, indices []uint32) *geometry.Mesh {
	out := &geometry.Mesh{Indices: make([]uint32, 0, len(indices))}
	at := make(map[uint32]uint32, len(indices))
	for _, x := range indices {
		i, ok := at[x]
		if !ok {
			i = uint32(len(out.Vertices))
			at[x] = i
			out.Vertices = append(out.Vertices, m.Vertices[x])
			if m.Blends != nil {
				out.Blends = append(out.Blends, m.Blends[x])
			}
			if m.Points != nil {
				out.Points = append(out.Points, m.Points[x])
			}
		}
		out.Indices = append(out.Indices, i)
	}
	return out
}
