package source_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/source"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The lump of solids that the compiler makes for the physics of the world and of brush models: for each model its number, the bytes of its
// solids, the bytes of a text, and the number of solids; each solid after its size, in the layout of .phy files. Source SDK 2013,
// public/bspfile.h, dphysmodel_t.
const (
	lumpPhysics = 29
	shrunk      = 0.5 // map units by which the compiler makes solids of brush models smaller (VPHYSICS_SHRINK)
	physical    = 0x1 | 0x2 | 0x8 | 0x4000 | 0x10000 | 0x20000
)

// piece is a convex part of a solid: the planes of its triangles, and its corners.
type piece struct {
	planes  [][4]float64
	corners [][3]float64
}

// piecesIn returns the pieces of a solid: the leafs of a tree of nodes of 28 bytes, whose right child, or 0, is at the first offset, and
// whose piece is at the second. A piece has triangles of 16 bytes, which name points.
func piecesIn(data []byte) (out []piece) {
	const metre = 1 / 0.0254
	at := func(i int) int { return int(le.Int32(data[i:])) }
	stack := []int{28 + at(28+32)}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at(n) != 0 {
			stack = append(stack, n+28, n+at(n))
			continue
		}
		head := n + at(n+4)
		var p piece
		for i := range int(binary.LittleEndian.Uint16(data[head+12:])) {
			var c [3][3]float64
			for k := range c {
				from := head + at(head) + 16*int(binary.LittleEndian.Uint16(data[head+16+16*i+4+4*k:]))
				c[k] = [3]float64{float64(le.Float32(data[from:])) * metre, float64(le.Float32(data[from+8:])) * metre,
					-float64(le.Float32(data[from+4:])) * metre}
				p.corners = append(p.corners, c[k])
			}
			var u, v [3]float64
			for k := range u {
				u[k], v[k] = c[1][k]-c[0][k], c[2][k]-c[0][k]
			}
			n := space.Cross(u, v)
			if l := math.Hypot(math.Hypot(n[0], n[1]), n[2]); l > 0.5 {
				n = [3]float64{n[0] / l, n[1] / l, n[2] / l}
				p.planes = append(p.planes, [4]float64{n[0], n[1], n[2], n[0]*c[0][0] + n[1]*c[0][1] + n[2]*c[0][2]})
			}
		}
		out = append(out, p)
	}
	return out
}

// beyond returns how far a point is in front of the nearest of some planes: below 0 inside.
func beyond[T float32 | float64](planes [][4]T, p [3]float64) float64 {
	out := math.Inf(-1)
	for _, q := range planes {
		out = max(out, float64(q[0])*p[0]+float64(q[1])*p[1]+float64(q[2])*p[2]-float64(q[3]))
	}
	return out
}

// The solids that Source's compiler makes for physics add nothing to the brushes but the triangles of displacements, in maps whose engine
// can't make these itself: those of the world are its brushes, those of brush models theirs less half a unit.
func TestPhysicsOfBrushModelsIsTheirBrushes(t *testing.T) {
	solids, points, flat := 0, 0, 0
	realMaps(t, func(t *testing.T, data []byte, name string) {
		if name == "v21_l4d2_tooltextures" {
			t.Skip("its directory has another order")
		}
		w := decodeOptions(t, data, source.Options{Name: name})
		lump, random := stored(data, lumpPhysics), rand.New(rand.NewPCG(1, 2))
		for at := 0; at+16 <= len(lump); {
			model, size, text := int(le.Int32(lump[at:])), int(le.Int32(lump[at+4:])), int(le.Int32(lump[at+8:]))
			n := int(le.Int32(lump[at+12:]))
			if model < 0 {
				break
			}
			var pieces []piece
			for k, from := 0, at+16; k < n; k++ {
				length := int(le.Int32(lump[from:]))
				pieces, from = append(pieces, piecesIn(lump[from+4:][:length])...), from+4+length
			}
			at += 16 + size + text
			pieces, thin := thick(pieces)
			solids, points = solids+len(pieces), points+comparePhysics(t, w.World, model, pieces, random)
			if model == 0 && len(thin) > 0 { // a thin brush model may be nothing when it is smaller
				flat += len(thin)
				compareTerrain(t, w.World, thin)
			}
		}
	})
	t.Logf("%d pieces, %d points inside, %d triangles of terrain", solids, points, flat)
	if solids < 3500 || points < 100000 || flat == 0 {
		t.Errorf("%d pieces, %d points, %d triangles: too few to prove anything", solids, points, flat)
	}
}

// thick returns the pieces that have a volume, and the others, the triangles of displacements.
func thick(pieces []piece) (out, thin []piece) {
	for _, p := range pieces {
		low := 0.0
		for _, c := range p.corners {
			for _, q := range p.planes {
				low = min(low, q[0]*c[0]+q[1]*c[1]+q[2]*c[2]-q[3])
			}
		}
		if low < -0.02 {
			out = append(out, p)
		} else {
			thin = append(thin, p)
		}
	}
	return out, thin
}

// comparePhysics compares points in the pieces of a model, and in its brushes, with the other, and returns how many were inside.
func comparePhysics(t *testing.T, w *world.World, model int, pieces []piece, random *rand.Rand) (inside int) {
	const tries = 20
	var solid []*world.Brush
	for i := range w.Volumes.Brushes {
		if b := &w.Volumes.Brushes[i]; b.Model == model {
			solid = append(solid, b)
		}
	}
	for i := range pieces {
		for range tries {
			p := between(pieces[i].corners, random)
			best := math.Inf(1)
			for _, b := range solid {
				best = min(best, beyond(b.Planes, p))
			}
			if inside++; best > 0.25 {
				t.Fatalf("model %d: %v, in piece %d, is %g outside of its brushes", model, p, i, best)
			}
		}
	}
	hulls, err := geometry.Hulls(t.Context(), w.Volumes.Brushes)
	if err != nil {
		t.Fatal(err)
	}
	for i := range hulls {
		b := &w.Volumes.Brushes[i]
		if b.Model != model || b.Contents&physical == 0 || len(hulls[i].Vertices) == 0 {
			continue
		}
		var corners [][3]float64
		for _, v := range hulls[i].Vertices {
			corners = append(corners, space.Vector64(v.Position))
		}
		for range tries {
			p := between(corners, random)
			if beyond(b.Planes, p) > -shrunk-0.05 {
				continue
			}
			best := math.Inf(1)
			for k := range pieces {
				best = min(best, beyond(pieces[k].planes, p))
			}
			if inside++; best > 0.25 {
				t.Fatalf("model %d: %v, in brush %d (%s), is %g outside of the pieces", model, p, b.Record, b.Names, best)
			}
		}
	}
	return inside
}

// between returns a point between some of the corners of a convex solid.
func between(corners [][3]float64, random *rand.Rand) (p [3]float64) {
	sum := 0.0
	for range 4 {
		c, weight := corners[random.IntN(len(corners))], random.Float64()
		for k := range p {
			p[k] += c[k] * weight
		}
		sum += weight
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}

// compareTerrain tests that the sheets of a map are the triangles of its physics: each of them has its corners, and they are as many.
func compareTerrain(t *testing.T, w *world.World, thin []piece) {
	sheets, err := geometry.CollisionSurfaces(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	round := func(p [3]float64) [3]int { // to a quarter of a unit
		return [3]int{int(math.Round(4 * p[0])), int(math.Round(4 * p[1])), int(math.Round(4 * p[2]))}
	}
	n, corners := 0, map[[3]int]bool{}
	for i := range sheets {
		n += len(sheets[i].Indices) / 3
		for _, v := range sheets[i].Vertices {
			for k := range 27 { // and its neighbours
				c := round(space.Vector64(v.Position))
				corners[[3]int{c[0] + k%3 - 1, c[1] + k/3%3 - 1, c[2] + k/9 - 1}] = true
			}
		}
	}
	for i := range thin {
		for _, c := range thin[i].corners {
			if !corners[round(c)] {
				t.Fatalf("no sheet has the corner %v of triangle %d", c, i)
			}
		}
	}
	if n != len(thin) {
		t.Errorf("the sheets have %d triangles, the physics %d", n, len(thin))
	}
}
