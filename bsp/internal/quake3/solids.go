package quake3

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// sidePlanes are the planes of sides: inside is where normal·p is at most distance.
func (d *decoder) sidePlanes(first, count int64) ([][4]float32, error) {
	planes, err := limit.Make[[4]float32](d.Budget, int(count), d.lumps[lumpBrushSides].Name)
	if err != nil {
		return nil, err
	}
	planes = planes[:0]
	for i := range count {
		side, ok := stored(d.v.side(), d.lumps[lumpBrushSides], first+i)
		if !ok {
			break
		}
		if p, ok := stored(planeV46, d.lumps[lumpPlanes], int64(side)); ok && p.is() {
			planes = append(planes, [4]float32{p.normal[0], p.normal[1], p.normal[2], p.distance})
		}
	}
	return planes, nil
}

// brushBox finds the box of a brush from its first six sides, which are -X +X -Y +Y -Z +Z
// (Quake III Arena, tr_bsp.c, R_LoadFogs).
func (d *decoder) brushBox(brush int64) (mins, maxs [3]float32, ok bool) {
	b, ok := stored(brushV46, d.lumps[lumpBrushes], brush)
	if !ok || b.sides < 6 {
		return [3]float32{}, [3]float32{}, false
	}
	for i := range 6 {
		p, ok := sidePlane(d.v, d.lumps[lumpBrushSides], d.lumps[lumpPlanes], b, int64(i))
		if !ok {
			return [3]float32{}, [3]float32{}, false
		}
		if i%2 == 0 {
			mins[i/2] = 0 - p.distance // never -0
		} else {
			maxs[i/2] = p.distance
		}
	}
	ok = lift.Sane(mins[:]...) && lift.Sane(maxs[:]...) && mins[0] <= maxs[0] && mins[1] <= maxs[1] && mins[2] <= maxs[2]
	if !ok {
		return [3]float32{}, [3]float32{}, false
	}
	return mins, maxs, true
}

// brushPlane returns the plane of a brush's side, or zero if it is missing or invalid.
func (d *decoder) brushPlane(brush, i int64) (normal [3]float32, distance float32) {
	b, ok := stored(brushV46, d.lumps[lumpBrushes], brush)
	if !ok || i < 0 || i >= int64(b.sides) {
		return [3]float32{}, 0
	}
	p, ok := sidePlane(d.v, d.lumps[lumpBrushSides], d.lumps[lumpPlanes], b, i)
	if !ok || !p.is() {
		return [3]float32{}, 0
	}
	return p.normal, p.distance
}

// sidePlane returns the plane of side i of a brush; ok is false if there is none.
func sidePlane(v variant, sides, planes le.Lump, b brush, i int64) (p plane, ok bool) {
	side, ok := stored(v.side(), sides, int64(b.firstSide)+i)
	if !ok {
		return p, false
	}
	return stored(planeV46, planes, int64(side))
}
