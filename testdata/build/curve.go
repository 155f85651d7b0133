package main

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
)

// patch adds a patch of w × h control points, row by row. With x along a row and y down the rows, x × y is the front. repeat
// is the number of times that the texture repeats along x and y; the chart has a luxel for each luxel's length of the curve.
func (s *scene) patch(name string, w, h int, at []vec, repeatX, repeatY float64) *surf {
	f := &surf{shader: name, look: s.looks[name], kind: ibsp.Patch, w: w, h: h, fog: -1}
	for j := range h {
		for i := range w {
			u, v := float64(i)/float64(w-1), float64(j)/float64(h-1)
			f.points = append(f.points, point{at: at[j*w+i], s: u * repeatX, t: v * repeatY, lx: u, ly: v, color: vec{1, 1, 1}, alpha: 1})
		}
	}
	for j := range h {
		for i := range w {
			f.points[j*w+i].normal = f.curve(float64(i)/float64(w-1), float64(j)/float64(h-1)).normal
		}
	}
	if !f.look.noLight {
		luxel := f.look.luxel
		if luxel == 0 {
			luxel = 8
		}
		count := func(along func(k float64) (a, b float64)) int {
			longest := 0.0
			for k := range 5 {
				sum, last := 0.0, vec{}
				for i := range 33 {
					a, b := along(float64(k) / 4)
					t := float64(i) / 32
					if a < 0 {
						a = t
					} else {
						b = t
					}
					p := f.curve(a, b).at
					if i > 0 {
						sum += p.sub(last).len()
					}
					last = p
				}
				longest = math.Max(longest, sum)
			}
			return min(max(int(math.Ceil(longest/luxel))+1, 3), 126)
		}
		c := &chart{w: count(func(k float64) (float64, float64) { return -1, k }),
			h: count(func(k float64) (float64, float64) { return k, -1 })}
		for j := range c.h {
			for i := range c.w {
				u := math.Min(math.Max(float64(i)/float64(c.w-1), 0.02), 0.98)
				v := math.Min(math.Max(float64(j)/float64(c.h-1), 0.02), 0.98)
				q := f.curve(u, v)
				p := q.at.add(q.normal)
				c.at, c.normal = append(c.at, p), append(c.normal, q.normal)
				c.valid = append(c.valid, !s.isSolid(p))
			}
		}
		for i := range f.points {
			f.points[i].lx *= float64(c.w - 1)
			f.points[i].ly *= float64(c.h - 1)
		}
		f.chart = c
	}
	s.surfs = append(s.surfs, f)
	return f
}

// curve returns the point of a patch at (u, v), each from 0 to 1 over the whole grid.
func (f *surf) curve(u, v float64) point {
	split := func(x float64, n int) (int, float64) {
		x *= float64(n-1) / 2
		i := min(int(x), (n-1)/2-1)
		return 2 * i, x - float64(i)
	}
	i, a := split(u, f.w)
	j, b := split(v, f.h)
	q := f.blend(i, j, a, b)
	// Rows that shrink to a point have no tangent; step off them.
	for _, e := range []float64{0, 0.01, -0.01, 0.05, -0.05} {
		a, b := math.Min(math.Max(a+e, 0), 1), math.Min(math.Max(b+e, 0), 1)
		const d = 1e-4
		du := f.blend(i, j, a+d, b).at.sub(f.blend(i, j, a-d, b).at)
		dv := f.blend(i, j, a, b+d).at.sub(f.blend(i, j, a, b-d).at)
		if n := du.cross(dv); n.len() > 1e-12 {
			q.normal = n.unit()
			break
		}
	}
	return q
}

func (f *surf) blend(i, j int, a, b float64) point {
	w := func(t float64) [3]float64 { return [3]float64{(1 - t) * (1 - t), 2 * t * (1 - t), t * t} }
	wa, wb := w(a), w(b)
	var q point
	for y := range 3 {
		for x := range 3 {
			q = sum(q, f.points[(j+y)*f.w+i+x], wa[x]*wb[y])
		}
	}
	return q
}

// ring returns the nine control points of a circle around c in the plane of a and b, from a towards b. The corners are
// outside the circle; the curve bulges out by 6% between the four points that it touches.
func ring(c, a, b vec) []vec {
	var out []vec
	for _, k := range [][2]float64{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0}} {
		out = append(out, c.add(a.mul(k[0])).add(b.mul(k[1])))
	}
	return out
}

// mesh adds triangles lit by their vertices, clockwise seen from the front, with smooth normals where points are shared.
func (s *scene) mesh(name string, points []point, tris []int) *surf {
	f := &surf{shader: name, look: s.looks[name], kind: ibsp.Mesh, points: points, tris: tris, fog: -1}
	for i := range f.points {
		if f.points[i].normal == (vec{}) {
			for k := 0; k < len(tris); k += 3 {
				if tris[k] == i || tris[k+1] == i || tris[k+2] == i {
					a, b, c := points[tris[k]].at, points[tris[k+1]].at, points[tris[k+2]].at
					f.points[i].normal = f.points[i].normal.add(c.sub(a).cross(b.sub(a)))
				}
			}
			f.points[i].normal = f.points[i].normal.unit()
		}
	}
	s.surfs = append(s.surfs, f)
	return f
}

// lathe turns a profile of (radius, height) around the vertical axis at c. Faceted gives each face its own normal.
func (s *scene) lathe(name string, c vec, profile [][2]float64, steps int, faceted bool) *surf {
	var points []point
	var tris []int
	at := func(i, j int) point {
		a := 2 * math.Pi * float64(i%steps) / float64(steps)
		r := profile[j]
		return point{at: c.add(vec{r[0] * math.Cos(a), r[0] * math.Sin(a), r[1]}), s: 3 * float64(i) / float64(steps),
			t: float64(j) / float64(len(profile)-1), color: vec{1, 1, 1}, alpha: 1}
	}
	if faceted {
		for j := 0; j+1 < len(profile); j++ {
			for i := range steps {
				quad := []point{at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)}
				n := quad[2].at.sub(quad[0].at).cross(quad[3].at.sub(quad[1].at)).unit()
				for k := range quad {
					quad[k].normal = n
				}
				b := len(points)
				points = append(points, quad...)
				tris = append(tris, b, b+2, b+1, b, b+3, b+2)
			}
		}
	} else {
		n := len(profile)
		for i := range steps + 1 {
			a := 2 * math.Pi * float64(i%steps) / float64(steps)
			for j := range n {
				p := at(i, j)
				lo, hi := profile[max(j-1, 0)], profile[min(j+1, n-1)]
				dr, dz := hi[0]-lo[0], hi[1]-lo[1]
				p.normal = vec{dz * math.Cos(a), dz * math.Sin(a), -dr}.unit()
				points = append(points, p)
				if i < steps && j+1 < n {
					b := len(points) - 1
					tris = append(tris, b, b+1, b+n, b+1, b+n+1, b+n)
				}
			}
		}
	}
	return s.mesh(name, points, tris)
}
