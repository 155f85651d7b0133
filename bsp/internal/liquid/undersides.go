// Package liquid finds which faces of a liquid belong together, and which boxes it fills.
package liquid

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Face is a face of a liquid.
type Face struct {
	Normal   [3]float32 // front normal of its plane
	Material int        // any number that identifies the material
	Corners  int
	Corner   func(k int) (p [3]float32, ok bool) // false if the index or the position is invalid
}

// Sides are the faces of liquids that coincide, by their index: compilers make both from one brush side.
type Sides struct {
	Below map[int]bool // visible from inside
	Above map[int]bool // visible from outside, with one of Below at the same place
}

// Undersides finds the faces of liquids that are visible from inside and coincide with one visible from outside. The underside
// of a horizontal pair is the face that faces down. That of a vertical pair is the face with a material that only undersides have (as
// in de_chakalaka's water); if both have the same material, it is the second. liquid returns a face, or false if it is not a liquid. It
// fails if ctx ends or a limit is exceeded.
func Undersides(ctx context.Context, faces int, liquid func(face int) (Face, bool)) (Sides, error) {
	type upper struct {
		face, material int
		normal         [3]float32
	}
	above, out := map[extent]upper{}, Sides{Below: map[int]bool{}, Above: map[int]bool{}}
	tops, beneath := map[int]int32{}, map[int]int32{} // greatest height of materials with an underside, and of undersides
	sides := map[extent]upper{}                       // visible from outside
	list, err := liquids(ctx, faces, liquid)
	if err != nil {
		return Sides{}, err
	}
	const level, under, outside, inside = 0, 1, 2, 3
	for pass := level; pass <= inside; pass++ {
		for k := range list {
			i, l, key := list[k].face, &list[k].liquid, list[k].extent
			upright := l.Normal[2] >= -0.5 && l.Normal[2] <= 0.5
			within := isWithin(l.Material, tops, beneath)
			top, found := above[key]
			side, beside := sides[key]
			switch {
			case pass == level && l.Normal[2] > 0.5:
				above[key] = upper{i, l.Material, l.Normal}
			case pass == under && l.Normal[2] < -0.5 && found:
				out.Below[i], out.Above[top.face] = true, true
				raise(beneath, l.Material, key.maxs[2])
				raise(tops, top.material, key.maxs[2])
			case pass == outside && upright && !within && beside && side.material == l.Material && opposite(side.normal, l.Normal),
				pass == inside && upright && within && beside:
				out.Below[i], out.Above[side.face] = true, true
			case pass == outside && upright && !within:
				sides[key] = upper{i, l.Material, l.Normal}
			}
		}
	}
	limit.From(ctx).Release(limit.Bytes[wet](cap(list)))
	return out, nil
}

// wet is a face of a liquid with its place.
type wet struct {
	face   int
	liquid Face
	extent extent
}

// liquids lists the faces that are those of liquids, and reserves their memory. It fails if ctx ends or a limit is exceeded.
func liquids(ctx context.Context, faces int, liquid func(face int) (Face, bool)) (list []wet, err error) {
	b := limit.From(ctx)
	for i := range faces {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		l, ok := liquid(i)
		if !ok || l.Corners < 3 || l.Corners > 256 {
			continue
		}
		key, ok := l.extent()
		if !ok {
			continue
		}
		if list, err = limit.Append(b, list, "liquids", wet{i, l, key}); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// opposite reports whether two normals are those of the two sides of a plane.
func opposite(a, b [3]float32) bool { return a == [3]float32{-b[0], -b[1], -b[2]} }

func raise(heights map[int]int32, material int, z int32) {
	if old, ok := heights[material]; !ok || z > old {
		heights[material] = z
	}
}

// isWithin reports whether a material is visible from inside. At the bottom of a block of water the two sides are swapped, so the
// highest pair decides.
func isWithin(material int, tops, beneath map[int]int32) bool {
	low, under := beneath[material]
	high, top := tops[material]
	return under && !(top && high >= low)
}

// extent is the box of a face in eighths of a unit, and its number of corners.
type extent struct {
	mins, maxs [3]int32
	corners    int
}

func (l *Face) extent() (e extent, ok bool) {
	e.corners = l.Corners
	for k := range l.Corners {
		p, ok := l.Corner(k)
		if !ok {
			return e, false
		}
		for c, x := range p {
			x := int32(x * 8)
			if k == 0 || x < e.mins[c] {
				e.mins[c] = x
			}
			if k == 0 || x > e.maxs[c] {
				e.maxs[c] = x
			}
		}
	}
	return e, true
}
