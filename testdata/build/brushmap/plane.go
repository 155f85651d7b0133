package brushmap

import "math"

// Plane is dplane_t: the points p with Normal·p = Dist. Type is the axis of the normal, or 3 more than its nearest.
type Plane struct {
	Normal [3]float32
	Dist   float32
	Type   int32
}

// NewPlane returns a plane and its opposite, without -0. first reports whether it is the one of the two that points along its largest
// axis, which compilers put first.
func NewPlane(normal [3]float32, dist float32) (plane, opposite Plane, first bool) {
	largest := 0
	for i, c := range normal {
		normal[i] += 0 // -0 becomes 0
		if math.Abs(float64(c)) > math.Abs(float64(normal[largest])) {
			largest = i
		}
	}
	kind := int32(largest)
	if math.Abs(float64(normal[largest])) != 1 {
		kind += 3
	}
	return Plane{normal, dist + 0, kind}, Plane{[3]float32{0 - normal[0], 0 - normal[1], 0 - normal[2]}, 0 - dist, kind},
		normal[largest] >= 0
}

// AddPlane returns the index of a plane, added with its opposite if there is none: the one that points along its largest axis comes first.
func AddPlane(planes *[]Plane, normal [3]float32, dist float32) int {
	plane, opposite, first := NewPlane(normal, dist)
	for i, q := range *planes {
		if q.Normal == plane.Normal && q.Dist == plane.Dist {
			return i
		}
	}
	i := len(*planes)
	if !first {
		*planes = append(*planes, opposite, plane)
		return i + 1
	}
	*planes = append(*planes, plane, opposite)
	return i
}

// Project returns the directions of a texture on a plane, as editors align it to the world: U goes along +Y on planes that face X and
// along +X on all others; V goes along -Y on floors and ceilings and down on all others.
func Project(normal [3]float32) (u, v [3]float32) {
	u, v = [3]float32{1, 0, 0}, [3]float32{0, 0, -1}
	x, y, z := math.Abs(float64(normal[0])), math.Abs(float64(normal[1])), math.Abs(float64(normal[2]))
	switch {
	case z >= x && z >= y:
		v = [3]float32{0, -1, 0}
	case x >= y:
		u = [3]float32{0, 1, 0}
	}
	return u, v
}

// LoopNormal returns the unit normal of a loop that is clockwise seen from the front, and its area.
func LoopNormal(loop [][3]float32) (normal [3]float32, area float64) {
	var n [3]float64
	for i, a := range loop {
		b := loop[(i+1)%len(loop)]
		for k := range 3 {
			u, v := (k+1)%3, (k+2)%3
			n[k] -= float64(float64(a[u])*float64(b[v])) - float64(float64(a[v])*float64(b[u]))
		}
	}
	l := math.Sqrt(Dot(n, n))
	for k := range n {
		normal[k] = float32(n[k] / l)
		if math.Abs(math.Abs(float64(normal[k]))-1) < 1e-6 {
			normal = [3]float32{}
			normal[k] = float32(math.Copysign(1, n[k]))
			break
		}
	}
	return normal, l / 2
}

// Dot returns the scalar product.
func Dot[T float32 | float64](a, b [3]T) float64 {
	return float64(float64(a[0])*float64(b[0])) + float64(float64(a[1])*float64(b[1])) + float64(float64(a[2])*float64(b[2]))
}

// Box is a box, from its least corner to its greatest.
type Box struct{ Mins, Maxs [3]float32 }

// Around returns the box around points, which is inside out if there are none.
func Around(points ...[3]float32) Box {
	b := Box{[3]float32{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32},
		[3]float32{-math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32}}
	b.Add(points...)
	return b
}

// Add makes the box reach to points.
func (b *Box) Add(points ...[3]float32) {
	for _, p := range points {
		for k, c := range p {
			b.Mins[k], b.Maxs[k] = min(b.Mins[k], c), max(b.Maxs[k], c)
		}
	}
}

// Bounds returns the corners of the box around points, or zeros if there are none.
func Bounds(points ...[3]float32) (mins, maxs [3]float32) {
	if len(points) == 0 {
		return mins, maxs
	}
	b := Around(points...)
	return b.Mins, b.Maxs
}

// Sides returns the planes of a box as seen from outside: -x +x -y +y -z +z.
func (b Box) Sides() (sides [6]Plane) {
	for i := range sides {
		axis := i / 2
		sides[i].Normal[axis], sides[i].Dist = 1, b.Maxs[axis]
		if i%2 == 0 {
			sides[i].Normal[axis], sides[i].Dist = -1, 0-b.Mins[axis]
		}
	}
	return sides
}
