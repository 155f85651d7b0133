package geometry

import "github.com/bsp2gltf/bsp2gltf/world"

// Band returns the part of a mesh where the vertices' alpha is at least low and below high, or at least low where
// high is 1 or more. Triangles are cut where the alpha, linear between the vertices, crosses a bound.
func Band(m Mesh, low, high float32) Mesh {
	out := Mesh{}
	at := make([]uint32, len(m.Vertices)) // of the result, plus one
	var poly, next []world.Vertex
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
					out.Vertices = append(out.Vertices, m.Vertices[x])
					at[x] = uint32(len(out.Vertices))
				}
				out.Indices = append(out.Indices, at[x]-1)
			}
		default:
			poly = append(poly[:0], m.Vertices[t[0]], m.Vertices[t[1]], m.Vertices[t[2]])
			next = trim(next[:0], poly, low, 1)
			if high < 1 {
				poly, next = next, trim(poly[:0], next, high, -1)
			}
			first := uint32(len(out.Vertices))
			if len(next) < 3 {
				continue
			}
			out.Vertices = append(out.Vertices, next...)
			for k := 2; k < len(next); k++ {
				out.Indices = append(out.Indices, first, first+uint32(k)-1, first+uint32(k))
			}
		}
	}
	return out
}

// trim appends the part of a polygon where side·(alpha - bound) is not negative.
func trim(to, polygon []world.Vertex, bound, side float32) []world.Vertex {
	for i := range polygon {
		a, b := &polygon[i], &polygon[(i+1)%len(polygon)]
		da, db := side*(a.Color[3]-bound), side*(b.Color[3]-bound)
		if da >= 0 {
			to = append(to, *a)
		}
		if da < 0 && db > 0 || da > 0 && db < 0 {
			if !before(a, b) { // the same point from either side of an edge
				a, b, da, db = b, a, db, da
			}
			to = append(to, lerp(a, b, float64(da)/(float64(da)-float64(db))))
		}
	}
	return to
}
