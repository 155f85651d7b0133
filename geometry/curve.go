package geometry

import (
	"github.com/bsp2gltf/bsp2gltf/world"
)

// numbers holds the position, UV, luxel and colour of a vertex.
type numbers [11]float64

func toNumbers(v *world.Vertex) numbers {
	return numbers{
		float64(v.Position[0]), float64(v.Position[1]), float64(v.Position[2]),
		float64(v.UV[0]), float64(v.UV[1]), float64(v.Luxel[0]), float64(v.Luxel[1]),
		float64(v.Color[0]), float64(v.Color[1]), float64(v.Color[2]), float64(v.Color[3]),
	}
}

func (n *numbers) position() vec { return vec{n[0], n[1], n[2]} }

// to sets all fields of v except its normal.
func (n *numbers) to(v *world.Vertex) {
	v.Position = n.position().float32()
	v.UV = [2]float32{float32(n[3]), float32(n[4])}
	v.Luxel = [2]float32{float32(n[5]), float32(n[6])}
	v.Color = [4]float32{float32(n[7]), float32(n[8]), float32(n[9]), float32(n[10])}
}

// weights are the weights of three control points at a place of a span.
//
// Both patches at a border must compute the same bits from its control points, from either end. So the outer products
// are summed first, and conversions keep the compiler from fusing them: then a and c can be swapped.
type weights struct{ a, b, c float64 }

func weightsAt(place int32) weights {
	u, k := float64(spanPlaces), float64(place)
	return weights{(u - k) * (u - k) / (u * u), 2 * k * (u - k) / (u * u), k * k / (u * u)}
}

func (w weights) curve(a, b, c *numbers, out *numbers) {
	for i := range out {
		out[i] = float64(a[i]*w.a) + float64(c[i]*w.c) + float64(b[i]*w.b)
	}
}

// point is curve for a position or a direction.
func (w weights) point(a, b, c vec) (p vec) {
	for i := range p {
		p[i] = float64(a[i]*w.a) + float64(c[i]*w.c) + float64(b[i]*w.b)
	}
	return p
}

// splitPlace returns the span of a place and the place in it. The last place of an axis is in the last span.
func splitPlace(place int32, spans int) (span int, in int32) {
	span = min(int(place/spanPlaces), spans-1)
	return span, place - int32(span)*spanPlaces
}
