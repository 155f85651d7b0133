package geometry

import "github.com/bsp2gltf/bsp2gltf/world"

// Band returns the part of a mesh where the vertices' alpha is at least low and below high, or at least low where
// high is 1 or more. Triangles are cut where the alpha, linear between the vertices, crosses a bound.
func Band(m Mesh, low, high float32) Mesh {
	out := Mesh{}
	add := func(v world.Vertex, blend [4]float32) {
		out.Vertices = append(out.Vertices, v)
		if m.Blends != nil {
			out.Blends = append(out.Blends, blend)
		}
	}
	at := make([]uint32, len(m.Vertices)) // index in the result plus one
	blend := func(x uint32) (b [4]float32) {
		if m.Blends != nil {
			b = m.Blends[x]
		}
		return b
	}
	var poly, next []weightedVertex
	for i := 0; i+2 < len(m.Indices); i += 3 {
		t := m.Indices[i : i+3 : i+3]
		least, most := m.Vertices[t[0]].Color[3], m.Vertices[t[0]].Color[3]
		for _, x := range t[1:] {
			least, most = min(least, m.Vertices[x].Color[3]), max(most, m.Vertices[x].Color[3])
		}
		switch {
		case most < low || least >= high && high < 1 || most == low && least < low:
		case least >= low && (most <= high || high >= 1):
			for _, x := range t {
				if at[x] == 0 {
					add(m.Vertices[x], blend(x))
					at[x] = uint32(len(out.Vertices))
				}
				out.Indices = append(out.Indices, at[x]-1)
			}
		default:
			poly = poly[:0]
			for _, x := range t {
				poly = append(poly, weightedVertex{m.Vertices[x], blend(x)})
			}
			next = trim(next[:0], poly, low, 1)
			if high < 1 {
				poly, next = next, trim(poly[:0], next, high, -1)
			}
			first := uint32(len(out.Vertices))
			if len(next) < 3 {
				continue
			}
			for i := range next {
				add(next[i].Vertex, next[i].blend)
			}
			for k := 2; k < len(next); k++ {
				out.Indices = append(out.Indices, first, first+uint32(k)-1, first+uint32(k))
			}
		}
	}
	return out
}

// weightedVertex is a vertex with its weights of four layers.
type weightedVertex struct {
	world.Vertex
	blend [4]float32
}

// trim appends the part of a polygon where side·(alpha - bound) is not negative.
func trim(to, polygon []weightedVertex, bound, side float32) []weightedVertex {
	for i := range polygon {
		a, b := &polygon[i], &polygon[(i+1)%len(polygon)]
		da, db := side*(a.Color[3]-bound), side*(b.Color[3]-bound)
		if da >= 0 {
			to = append(to, *a)
		}
		if da < 0 && db > 0 || da > 0 && db < 0 {
			if !before(&a.Vertex, &b.Vertex) { // the same point from both sides of an edge
				a, b, da, db = b, a, db, da
			}
			t := float64(da) / (float64(da) - float64(db))
			to = append(to, weightedVertex{lerp(&a.Vertex, &b.Vertex, t), lerpBlend(a.blend, b.blend, t)})
		}
	}
	return to
}
