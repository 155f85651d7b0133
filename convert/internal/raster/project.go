package raster

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// triangle is a triangle projected to the screen.
type triangle struct {
	material                 int32
	fog                      *Fog     // of its instance
	left, right, top, bottom int32    // samples that it may cover: left to right-1, top to bottom-1
	x, y                     float64  // the corner that is the origin of the planes
	edges                    [3]plane // at least 0 inside; points at exactly 0 belong to the triangle if onEdge is set
	onEdge                   [3]bool  // top and left edges
	near                     plane    // nearness; in a perspective view 1/distance
	at                       []plane  // attributes; in a perspective view divided by the distance
	far, sort                float64  // distance of its centre and Sort of its material, for sorting
}

// plane is a value that is linear over the screen.
type plane struct{ at, dx, dy float64 }

func (p *plane) over(x, y float64) float64 { return p.at + float64(p.dx*x) + float64(p.dy*y) }

func (p *plane) scale(by float64) { p.at, p.dx, p.dy = p.at*by, p.dx*by, p.dy*by }

// triangles holds the triangles that may be visible: solid ones, which hide what is behind them, and blended ones,
// in the order in which they are drawn.
type triangles struct{ solid, blended []triangle }

// project projects the scene's triangles to the screen and drops those outside it.
func project(ctx context.Context, s *Scene, v view) (*triangles, error) {
	// One part per instance, so that the order does not depend on the scheduler.
	parts, err := par.Map(ctx, len(s.Instances), func(i int) ([]triangle, error) {
		in := &s.Instances[i]
		place := in.Matrix
		if in.Around {
			place = v.around(&place)
		}
		alpha := 1.0
		if in.Sprite != nil {
			place, alpha = v.spriteTransform(&place, in.Sprite)
		}
		m := s.Meshes[in.Mesh]
		m.Positions = v.positions(&m, &place, s.Materials[m.Material].Facing)
		list := v.mesh(&m, &place, &s.Materials[m.Material])
		for k := range list {
			list[k].fog, list[k].sort = in.Fog, s.Materials[m.Material].Sort
			list[k].at[opacity].scale(alpha)
		}
		return list, nil
	})
	if err != nil {
		return nil, err
	}
	out := &triangles{}
	for i, part := range parts {
		if len(part) == 0 {
			continue
		}
		parts[i] = nil
		if s.Materials[part[0].material].Alpha == Blend {
			out.blended = append(out.blended, part...)
		} else {
			out.solid = append(out.solid, part...)
		}
	}
	slices.SortStableFunc(out.blended, func(a, b triangle) int { return cmp.Or(cmp.Compare(a.sort, b.sort), cmp.Compare(b.far, a.far)) })
	return out, nil
}

// farAway is the factor by which a sky is enlarged.
const farAway = 1e4

// around returns the transform of a sky, which has the eye as its origin.
func (v *view) around(place *space.Matrix) (out space.Matrix) {
	for row := range out {
		for col := range 3 {
			out[row][col] = place[row][col] * farAway
		}
		out[row][3] = v.eye[row]
	}
	return out
}

// mesh returns the triangles of a mesh that may be visible.
func (v *view) mesh(m *Mesh, place *space.Matrix, material *Material) (out []triangle) {
	t := v.matrix.Times(place)
	seen := make([][3]float64, len(m.Positions))
	for i, p := range m.Positions {
		seen[i] = t.Point(p)
		seen[i][2] = -seen[i][2]
	}
	mirrored := t.Determinant() < 0
	var polygon, cut []corner
	var planes []plane
	for i := 0; i+2 < len(m.Indices); i += 3 {
		a, b, c := &seen[m.Indices[i]], &seen[m.Indices[i+1]], &seen[m.Indices[i+2]]
		if v.outside(a, b, c) {
			continue
		}
		polygon = polygon[:0]
		for k, p := range [3]*[3]float64{a, b, c} {
			polygon = append(polygon, corner{x: p[0], y: p[1], z: p[2]})
			m.attributes(m.Indices[i+k], &polygon[k])
			if m.Pivots != nil {
				v.chrome(m, m.Indices[i+k], place, &polygon[k])
			}
			if material.Mirror != nil {
				v.mirror(m, m.Indices[i+k], place, material.Mirror, &polygon[k])
			}
		}
		if material.Directed != nil {
			v.frame(m, m.Indices[i:i+3], place, polygon)
		}
		if mirrored {
			polygon[1], polygon[2] = polygon[2], polygon[1]
		}
		cut = v.clip(polygon, cut[:0])
		for k := 2; k < len(cut); k++ {
			n := attributesOf(material)
			if len(planes) < n {
				planes = make([]plane, manyPlanes*n)
			}
			if t, ok := v.triangle([3]*corner{&cut[0], &cut[k-1], &cut[k]}, planes[:n:n], material.TwoSided); ok {
				t.material, planes = int32(m.Material), planes[n:]
				out = append(out, t)
			}
		}
	}
	return out
}

// manyPlanes is the number of triangles whose planes are allocated at once.
const manyPlanes = 16

// attributesOf returns the number of attributes that a material's triangles have.
func attributesOf(m *Material) int {
	switch {
	case m.Directed != nil:
		return allAttributes
	case m.Mirror != nil:
		return mirrorAttributes
	default:
		return attributes
	}
}

// outside reports whether a triangle lies entirely outside one of the view's planes.
func (v *view) outside(a, b, c *[3]float64) bool {
	wide, high := float64(v.width)/2/v.scale, float64(v.height)/2/v.scale
	var left, right, below, above, behind int
	for _, p := range [3]*[3]float64{a, b, c} {
		w, h := wide, high
		if !v.flat {
			w, h = wide*p[2], high*p[2]
		}
		left += of(p[0] < -w)
		right += of(p[0] > w)
		below += of(p[1] < -h)
		above += of(p[1] > h)
		behind += of(p[2] < v.near)
	}
	return max(left, right, below, above, behind) == 3
}

func of(b bool) int {
	if b {
		return 1
	}
	return 0
}

// attributes sets the interpolated attributes of a corner from vertex i.
func (m *Mesh) attributes(i uint32, c *corner) {
	c.at = [allAttributes]float64{red: 1, green: 1, blue: 1, opacity: 1}
	if m.UV != nil {
		c.at[u0], c.at[v0] = float64(m.UV[i][0]), float64(m.UV[i][1])
	}
	if m.UV2 != nil {
		c.at[u1], c.at[v1] = float64(m.UV2[i][0]), float64(m.UV2[i][1])
	}
	if m.Colors != nil {
		for k, x := range m.Colors[i] {
			c.at[red+k] = float64(x) / 65535
		}
		if m.Bright && m.Colors[i][3] > 0 {
			for k := range 3 {
				c.at[red+k] /= c.at[opacity]
			}
			c.at[opacity] = 1
		}
	}
}

// triangle sets up a triangle with room for the planes of its attributes. Ok is false if it is seen from the back, covers no sample or
// is not finite.
func (v *view) triangle(c [3]*corner, room []plane, twoSided bool) (t triangle, ok bool) {
	var x, y, near [3]float64
	for i := range c {
		x[i], y[i], near[i] = v.screen(c[i])
	}
	area := float64((x[1]-x[0])*(y[2]-y[0])) - float64((x[2]-x[0])*(y[1]-y[0])) // negative: counter-clockwise, as y goes down
	if !(area < 0) && !(area > 0 && twoSided) || math.IsInf(area, 0) {
		return t, false
	}
	t.left, t.right = span(x, v.width)
	t.top, t.bottom = span(y, v.height)
	if t.left >= t.right || t.top >= t.bottom {
		return t, false
	}
	t.x, t.y = x[0], y[0]
	sign := 1.0
	if area < 0 {
		sign = -1
	}
	for i := range 3 {
		j := (i + 1) % 3
		dx, dy := float64(sign*(x[j]-x[i])), float64(sign*(y[j]-y[i]))
		// The cross product of the edge and the vector from its start to a point.
		t.edges[i] = plane{at: float64(dx*(y[0]-y[i])) - float64(dy*(x[0]-x[i])), dx: -dy, dy: dx}
		t.onEdge[i] = dy < 0 || dy == 0 && dx > 0
	}
	solve := func(a0, a1, a2 float64) plane {
		d1, d2 := a1-a0, a2-a0
		return plane{
			at: a0,
			dx: (float64(d1*(y[2]-y[0])) - float64(d2*(y[1]-y[0]))) / area,
			dy: (float64(d2*(x[1]-x[0])) - float64(d1*(x[2]-x[0]))) / area,
		}
	}
	t.near = solve(near[0], near[1], near[2])
	t.at = room
	w := [3]float64{1, 1, 1}
	if !v.flat {
		w = near
	}
	for k := range t.at {
		t.at[k] = solve(c[0].at[k]*w[0], c[1].at[k]*w[1], c[2].at[k]*w[2])
	}
	t.far = (c[0].z + c[1].z + c[2].z) / 3
	return t, true
}

// span returns the range of samples whose centres may be between three coordinates. Rounding of the edges may move a triangle by less than
// the slack. In a small picture most triangles of a detailed model contain no centre.
func span(a [3]float64, n int) (from, to int32) {
	const toCentre, slack = 0.5, 1e-3
	lo, hi := min(a[0], a[1], a[2])-toCentre-slack, max(a[0], a[1], a[2])-toCentre+slack
	if !(hi >= 0) || !(lo < float64(n)) {
		return 0, 0
	}
	return int32(max(0, math.Ceil(lo))), int32(min(float64(n), math.Floor(hi)+1))
}

// has reports whether any triangle of a list has a material.
func (*triangles) has(list []triangle, material int) bool {
	return slices.ContainsFunc(list, func(t triangle) bool { return t.material == int32(material) })
}
