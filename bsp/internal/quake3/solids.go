package quake3

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// solids holds the lumps that brushes are made of. Their records are decoded where they are used.
type solids struct {
	brushes record.List[brush]
	sides   record.List[brushSide]
	planes  record.List[plane]
}

// solids returns the lumps of the map's brushes.
func (m *file) solids() *solids {
	return &solids{
		brushes: record.List[brush]{Layout: brushV46, Lump: m.lumps[lumpBrushes]},
		sides:   record.List[brushSide]{Layout: m.variant.side(), Lump: m.lumps[lumpBrushSides]},
		planes:  record.List[plane]{Layout: planeV46, Lump: m.lumps[lumpPlanes]},
	}
}

// box finds the box of a brush from its first six sides, which are -X +X -Y +Y -Z +Z (Quake III Arena, tr_bsp.c, R_LoadFogs).
func (s *solids) box(brush int64) (mins, maxs [3]float32, ok bool) {
	b, ok := stored(&s.brushes, brush)
	if !ok || b.sides < 6 {
		return [3]float32{}, [3]float32{}, false
	}
	for i := range 6 {
		p, ok := s.sidePlane(b, int64(i))
		if !ok {
			return [3]float32{}, [3]float32{}, false
		}
		if i%2 == 0 {
			mins[i/2] = 0 - p.distance // never -0
		} else {
			maxs[i/2] = p.distance
		}
	}
	ok = record.Sane(mins[:]...) && record.Sane(maxs[:]...) && mins[0] <= maxs[0] && mins[1] <= maxs[1] && mins[2] <= maxs[2]
	if !ok {
		return [3]float32{}, [3]float32{}, false
	}
	return mins, maxs, true
}

// plane returns the plane of side i of a brush, or zero if it is missing or invalid.
func (s *solids) plane(brush, i int64) (normal [3]float32, distance float32) {
	b, ok := stored(&s.brushes, brush)
	if !ok || i < 0 || i >= int64(b.sides) {
		return [3]float32{}, 0
	}
	p, ok := s.sidePlane(b, i)
	if !ok || !p.is() {
		return [3]float32{}, 0
	}
	return p.normal, p.distance
}

// sidePlane returns the plane of side i of a brush; ok is false if there is none.
func (s *solids) sidePlane(b brush, i int64) (p plane, ok bool) {
	side, ok := stored(&s.sides, int64(b.firstSide)+i)
	if !ok {
		return p, false
	}
	return stored(&s.planes, int64(side))
}

// planesOf returns the valid planes of count sides from first on: A point p is inside if normal·p is at most distance.
func (s *solids) planesOf(b *limit.Budget, first, count int64) ([][4]float32, error) {
	list, err := limit.Make[[4]float32](b, int(count), s.sides.Lump.Name)
	if err != nil {
		return nil, err
	}
	list = list[:0]
	for i := range count {
		side, ok := stored(&s.sides, first+i)
		if !ok {
			break
		}
		if p, ok := stored(&s.planes, int64(side)); ok && p.is() {
			list = append(list, [4]float32{p.normal[0], p.normal[1], p.normal[2], p.distance})
		}
	}
	return list, nil
}
