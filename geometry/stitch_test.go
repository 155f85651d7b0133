package geometry_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// edges returns those edges of a mesh that only one of its triangles has, by position.
func edges(m geometry.Mesh) (out [][2][3]float32) {
	has := map[[2][3]float32]int{}
	for i := range m.Indices {
		a, b := m.Indices[i], m.Indices[i/3*3+(i+1)%3]
		has[[2][3]float32{m.Vertices[a].Position, m.Vertices[b].Position}]++
	}
	for i := range m.Indices {
		a, b := m.Vertices[m.Indices[i]].Position, m.Vertices[m.Indices[i/3*3+(i+1)%3]].Position
		if has[[2][3]float32{b, a}] == 0 {
			out = append(out, [2][3]float32{a, b})
		}
	}
	return out
}

// gaps counts the border points of all meshes, and those that are within a distance of another's border edge but away
// from its ends: there one border is finer than the other.
func gaps(meshes []geometry.Mesh, within float64) (points, cracks int) {
	type edge struct {
		a, b [3]float64
		mesh int
	}
	const size = 32.0
	var all []edge
	cells := map[[3]int][]int{}
	each := func(a, b [3]float64, f func(c [3]int)) {
		var low, high [3]int
		for i := range 3 {
			low[i] = int(math.Floor((math.Min(a[i], b[i]) - within) / size))
			high[i] = int(math.Floor((math.Max(a[i], b[i]) + within) / size))
		}
		for x := low[0]; x <= high[0]; x++ {
			for y := low[1]; y <= high[1]; y++ {
				for z := low[2]; z <= high[2]; z++ {
					f([3]int{x, y, z})
				}
			}
		}
	}
	owners := map[[3]float32]map[int]bool{}
	for i, m := range meshes {
		for _, e := range edges(m) {
			all = append(all, edge{wide(e[0]), wide(e[1]), i})
			each(wide(e[0]), wide(e[1]), func(c [3]int) { cells[c] = append(cells[c], len(all)-1) })
			for _, p := range e {
				if owners[p] == nil {
					owners[p] = map[int]bool{}
				}
				owners[p][i] = true
			}
		}
	}
	for p, own := range owners {
		points++
		q := wide(p)
		cracked := false
		each(q, q, func(c [3]int) {
			for _, i := range cells[c] {
				e := all[i]
				if cracked || own[e.mesh] {
					continue
				}
				line := minus(e.b, e.a)
				along := dot(minus(q, e.a), line) / dot(line, line)
				foot := [3]float64{e.a[0] + line[0]*along, e.a[1] + line[1]*along, e.a[2] + line[2]*along}
				if along > 0 && along < 1 && distance(foot, q) <= within && distance(q, e.a) > within && distance(q, e.b) > within {
					cracked = true
				}
			}
		})
		if cracked {
			cracks++
		}
	}
	return points, cracks
}

// side returns the control points of a side of a patch: 0 bottom, 1 top, 2 left, 3 right.
func side(p *world.Patch, which int) (at []*world.Vertex) {
	w, h := p.Width, p.Height
	for i := range []int{w, w, h, h}[which] {
		at = append(at, &p.Control[[]int{i, (h-1)*w + i, i * w, i*w + w - 1}[which]])
	}
	return at
}

func TestNeighboursHaveTheSameBorderPoints(t *testing.T) {
	for seed := range uint64(40 / testkit.Step(3, 10)) {
		r := rand.New(rand.NewPCG(seed, 0))
		random := func(_, _ int) world.Vertex {
			return at(r.Float32()*128, r.Float32()*128, r.Float32()*128)
		}
		// The border has one to three spans, the patches any size beyond it, at any of their sides, in any direction.
		n := 3 + 2*r.IntN(3)
		neighbour := func() (*world.Patch, []*world.Vertex) {
			w, h, which := n, 3+2*r.IntN(3), r.IntN(4)
			if which >= 2 {
				w, h = h, w
			}
			p := grid(w, h, random)
			if r.IntN(2) == 0 { // nearly flat beside the border: few columns of its own
				for i := range p.Control {
					p.Control[i] = at(float32(i%w)*64, float32(i/w)*64, 0)
				}
			}
			return p, side(p, which)
		}
		a, sideA := neighbour()
		b, sideB := neighbour()
		reversed, nearly := r.IntN(2) == 0, r.IntN(2) == 0
		var border [][3]float64
		for i := range n {
			v := random(0, 0)
			*sideA[i] = v
			border = append(border, position(v))
			j := i
			if reversed {
				j = n - 1 - i
			}
			if nearly {
				v.Position[0] += 0.05 // a compiler's rounding
			}
			*sideB[j] = v
		}
		for _, o := range []geometry.Options{{PatchError: 4}, {PatchError: 1}} {
			meshes := build(t, o, a, b)
			pointsOn := func(m geometry.Mesh) map[[3]float32]bool {
				on := map[[3]float32]bool{}
				for _, e := range edges(m) {
					if onCurve(border, wide(e[0])) {
						on[e[0]] = true
					}
				}
				return on
			}
			if p, q := pointsOn(meshes[0]), pointsOn(meshes[1]); len(p) < n/2+1 || !maps.Equal(p, q) {
				t.Fatalf("seed %d, %v, reversed %v, nearly %v: one has %d points %v\nthe other %d %v",
					seed, o, reversed, nearly, len(p), p, len(q), q)
			}
		}
	}
}

// onCurve reports whether a point is on the curves of the border's spans.
func onCurve(border [][3]float64, p [3]float64) bool {
	for i := 0; i+2 < len(border); i += 2 {
		a := border[i]
		for step := range 256 {
			b := curve(border[i], border[i+1], border[i+2], float64(step+1)/256)
			line := minus(b, a)
			along := max(0, min(1, dot(minus(p, a), line)/dot(line, line)))
			if distance(p, [3]float64{a[0] + line[0]*along, a[1] + line[1]*along, a[2] + line[2]*along}) < 0.1 {
				return true
			}
			a = b
		}
	}
	return false
}

func TestBorderPointsOfANeighbourAreZippedIn(t *testing.T) {
	// Two sheets that meet at x = 0. The first rises in the middle of that border and so has columns; the other is
	// flat but for the border, which is enough for it to have rows there; a third, straight one, meets the far side.
	// The border's middle is 16 units from its line, 4 after a halving, 1: with an error of 2 there are 4 spans
	// with their middles, 9 points.
	rise := func(y int) float32 { return []float32{0, 32, 0}[y] }
	a := grid(3, 3, func(x, y int) world.Vertex { return at(float32(x-2)*32, float32(y)*32, rise(y)) })
	b := grid(3, 3, func(x, y int) world.Vertex { return at(float32(x)*32, float32(y)*32, rise(y)*float32(2-x)/2) })
	meshes := build(t, geometry.Options{PatchError: 2}, a, b)
	if n := len(meshes[0].Vertices); n != 18 {
		t.Errorf("the first has %d vertices", n)
	}
	if points, cracks := gaps(meshes, 0.1); cracks != 0 {
		t.Errorf("%d of %d border points are cracks", cracks, points)
	}

	// A bend of 1.5 within a patch (above 0.1: a middle; below 2: no halving) and a border it shares with a patch whose
	// other side bends by 8: halved once, 5 columns. The first gets the 2 it lacks, a triangle each.
	bow := func(z float32) func(x, y int) world.Vertex {
		return func(x, y int) world.Vertex {
			return at(float32(x)*32, float32(y)*32, 2*z*float32(x%2)*float32(y)/2+3*float32(x%2)*float32(2-y)/2)
		}
	}
	c, d := grid(3, 3, bow(1.5)), grid(3, 3, bow(8))
	for i := range d.Control {
		d.Control[i].Position[1] *= -1 // on the other side of y = 0
	}
	meshes = build(t, geometry.Options{PatchError: 2}, c, d)
	// 3 columns and 2 rows, 4 triangles; one middle of a halved span of 1.5/4 is kept.
	if v, n := len(meshes[0].Vertices), triangles(meshes[0]); v != 3*2+2 || n != 4+2 {
		t.Errorf("%d vertices, %d triangles", v, n)
	}
	if points, cracks := gaps(meshes, 0.01); cracks != 0 {
		t.Errorf("%d of %d border points are cracks", cracks, points)
	}
	alone := build(t, geometry.Options{PatchError: 2}, c)[0]
	if len(alone.Vertices) != 6 {
		t.Errorf("alone it has %d vertices", len(alone.Vertices))
	}
}

func TestALongBorderMeetsShortOnes(t *testing.T) {
	// The floor's side from (0, 0) to (128, 0) meets two floors of 48 and 80. Its corners and UVs stay, it gets the
	// point between: 3 triangles.
	floor := func(x0, x1, y0, y1 float32) *world.Patch {
		return grid(3, 3, func(x, y int) world.Vertex {
			v := at(x0+(x1-x0)*float32(x)/2, y0+(y1-y0)*float32(y)/2, 0)
			v.UV = [2]float32{v.Position[0] / 128, v.Position[1] / 128}
			return v
		})
	}
	meshes := build(t, byError, floor(0, 128, 0, 64), floor(0, 48, -64, 0), floor(48, 128, -64, 0))
	m := meshes[0]
	if len(m.Vertices) != 5 || triangles(m) != 3 {
		t.Fatalf("%d vertices, %d triangles", len(m.Vertices), triangles(m))
	}
	if v := m.Vertices[4]; v.Position != [3]float32{48, 0, 0} || v.UV != [2]float32{0.375, 0} || v.Normal != [3]float32{0, 0, 1} {
		t.Errorf("the new vertex is %v", v)
	}
	if points, cracks := gaps(meshes, 0.1); cracks != 0 {
		t.Errorf("%d of %d border points are cracks", cracks, points)
	}
}

func TestWeldKeepsSmallPatchesOpen(t *testing.T) {
	// All control points are nearer to each other than the tolerance.
	m := build(t, byError, grid(3, 3, func(x, y int) world.Vertex { return at(float32(x)/32, float32(y)/32, 0) }))[0]
	if triangles(m) != 2 {
		t.Errorf("%d triangles", triangles(m))
	}
}
