package lift

import "context"

// Liquid is a face of a liquid.
type Liquid struct {
	Normal  [3]float32 // of its plane, towards its front
	Corners int
	Corner  func(k int) (p [3]float32, ok bool) // false where it leads nowhere or is no place of a map
}

// Undersides finds the faces of liquids that are seen from below, at the place of one that is seen from above: compilers make
// both of one side of a brush. liquid returns a face of the map's, or false where it is of no liquid. It fails when ctx ends.
func Undersides(ctx context.Context, faces int, liquid func(face int) (Liquid, bool)) (map[int]bool, error) {
	above, below := map[extent]bool{}, map[int]bool{}
	for pass := range 2 {
		for i := range faces {
			if i%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			l, ok := liquid(i)
			if !ok || l.Corners < 3 || l.Corners > 256 {
				continue
			}
			key, ok := l.extent()
			switch {
			case !ok:
			case pass == 0 && l.Normal[2] > 0.5:
				above[key] = true
			case pass == 1 && l.Normal[2] < -0.5 && above[key]:
				below[i] = true
			}
		}
	}
	return below, nil
}

// extent is the box of a face in eighths of a unit, and its corners.
type extent struct {
	mins, maxs [3]int32
	corners    int
}

func (l *Liquid) extent() (e extent, ok bool) {
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
