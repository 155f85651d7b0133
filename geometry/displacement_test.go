package geometry_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/world"
)

var bent = geometry.Options{PatchError: 4, Overlays: true}

// land is a displacement above the rectangle of a size at (x, y), seen from above. Its corner 0 is the turn-th of the
// lower left, the upper left, the upper right and the lower right one.
func land(x, y, width, depth float32, power, turn int, height func(x, y float32) float32) *world.Displacement {
	places := [4][2]float32{{x, y}, {x, y + depth}, {x + width, y + depth}, {x + width, y}}
	d := &world.Displacement{Power: power}
	for i := range d.Corners {
		p := places[(i+turn)%4]
		d.Corners[i] = world.Vertex{
			Position: [3]float32{p[0], p[1], 0}, UV: [2]float32{p[0] / 64, p[1] / 64}, Luxel: [2]float32{p[0], p[1]},
			Color: [4]float32{1, 1, 1, 1},
		}
	}
	n := 1<<power + 1
	c := &d.Corners
	for row := range n {
		for col := range n {
			ty, tx := float32(row)/float32(n-1), float32(col)/float32(n-1)
			var p [2]float32
			for k := range p {
				left := c[0].Position[k]*(1-ty) + c[1].Position[k]*ty
				right := c[3].Position[k]*(1-ty) + c[2].Position[k]*ty
				p[k] = left*(1-tx) + right*tx
			}
			d.Offsets = append(d.Offsets, [3]float32{0, 0, height(p[0], p[1])})
			d.Alpha = append(d.Alpha, ty)
		}
	}
	return d
}

func level(_, _ float32) float32 { return 0 }

// waves are even hills: a point has the same height from whichever displacement it is seen.
func waves(x, y float32) float32 { return float32(int(x*7+y*13)%64) / 4 }

func TestDisplacementIsAGridBetweenItsCorners(t *testing.T) {
	d := land(0, 0, 64, 32, 2, 0, level)
	d.Offsets[1*5+2] = [3]float32{1, 2, 3} // row 1, column 2
	for i := range d.Corners {
		d.Corners[i].Color[0] = float32(i) / 4
	}
	m := build(t, bent, d)[0]
	if len(m.Vertices) != 25 || triangles(m) != 32 || m.Blends != nil {
		t.Fatalf("%d vertices, %d triangles, blends %v", len(m.Vertices), triangles(m), m.Blends)
	}
	for _, c := range []struct {
		row, col int
		position [3]float32
		uv       [2]float32
		luxel    [2]float32
		color    [4]float32
	}{
		// A quarter up and half to the right: (32, 8). Red is the mean of ¾·0 + ¼·¼ on the left and ¾·¾ + ¼·½ on the right.
		{1, 2, [3]float32{33, 10, 3}, [2]float32{0.5, 0.125}, [2]float32{32, 8}, [4]float32{0.375, 1, 1, 0.25}},
		{0, 0, [3]float32{0, 0, 0}, [2]float32{0, 0}, [2]float32{0, 0}, [4]float32{0, 1, 1, 0}},
		{4, 0, [3]float32{0, 32, 0}, [2]float32{0, 0.5}, [2]float32{0, 32}, [4]float32{0.25, 1, 1, 1}},
		{4, 4, [3]float32{64, 32, 0}, [2]float32{1, 0.5}, [2]float32{64, 32}, [4]float32{0.5, 1, 1, 1}},
		{0, 4, [3]float32{64, 0, 0}, [2]float32{1, 0}, [2]float32{64, 0}, [4]float32{0.75, 1, 1, 0}},
	} {
		v := m.Vertices[c.row*5+c.col]
		if v.Position != c.position || v.UV != c.uv || v.Luxel != c.luxel || v.Color != c.color {
			t.Errorf("row %d, column %d: %+v, want %+v", c.row, c.col, v, c)
		}
	}
}

func TestDisplacementDiagonalsAlternate(t *testing.T) {
	m := build(t, bent, land(0, 0, 64, 64, 2, 0, level))[0]
	// Points 0 to 4 are the first row, 5 to 9 the second. The square of point 0 is even, that of 1 odd.
	want := []uint32{0, 6, 5, 0, 1, 6, 1, 2, 6, 2, 7, 6}
	if got := m.Indices[:12]; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for i := 0; i < len(m.Indices); i += 3 {
		if front(m, i)[2] != 256 { // half a square of 16 units, twice
			t.Errorf("triangle %d is %v", i/3, front(m, i))
		}
	}
}

func TestDisplacementsRoofHasItsArea(t *testing.T) {
	// A roof of 48:64 slopes: each half is 32 wide and rises 24, so that it is 40 along. Two of 40 x 64 are 5120.
	roof := func(x, _ float32) float32 { return 24 - 0.75*float32(math.Abs(float64(x)-32)) }
	for power := 2; power <= 4; power++ {
		m := build(t, bent, land(0, 0, 64, 64, power, 0, roof))[0]
		sum := 0.0
		for i := 0; i < len(m.Indices); i += 3 {
			sum += math.Sqrt(dot(front(m, i), front(m, i))) / 2
		}
		if math.Abs(sum-5120) > 1e-6 {
			t.Errorf("power %d: area %g", power, sum)
		}
		for _, v := range m.Vertices {
			want := [3]float64{-0.6, 0, 0.8}
			switch {
			case v.Position[0] == 32: // the ridge
				want = [3]float64{0, 0, 1}
			case v.Position[0] > 32:
				want[0] = 0.6
			}
			if distance(wide(v.Normal), want) > 1e-6 {
				t.Errorf("power %d: the normal at %v is %v, want %v", power, v.Position, v.Normal, want)
			}
		}
	}
}

func TestDisplacementLeavesOutWhatWasRemoved(t *testing.T) {
	d := land(0, 0, 64, 64, 2, 0, level)
	d.Removed = make([]bool, 32)
	d.Removed[0], d.Removed[1] = true, true // the square at the lower left
	d.Removed[2] = true                     // of the next square the triangle with its lower left
	d.Blends = make([][4]float32, 25)
	for i := range d.Blends {
		d.Blends[i][1] = float32(i)
	}
	m := build(t, bent, d)[0]
	// Point 0 has no triangle any more; 1 had those of both squares: (0, 1, 6) and (1, 2, 6).
	if triangles(m) != 29 || len(m.Vertices) != 23 || len(m.Blends) != 23 {
		t.Fatalf("%d triangles, %d vertices, %d blends", triangles(m), len(m.Vertices), len(m.Blends))
	}
	for i, v := range m.Vertices {
		if want := v.Position[0]/16 + v.Position[1]/16*5; m.Blends[i][1] != want {
			t.Errorf("the blend at %v is that of point %g", v.Position, m.Blends[i][1])
		}
		if v.Position == [3]float32{} || v.Position == [3]float32{16, 0, 0} {
			t.Errorf("%v is not used", v.Position)
		}
	}
	for i := range d.Removed {
		d.Removed[i] = true
	}
	if m := build(t, bent, d)[0]; len(m.Vertices) != 0 || !reflect.DeepEqual(codes(m), []string{"face-degenerate"}) {
		t.Error(m)
	}
}

// A whole grid has no numbers; a grid without its first square lacks the first point.
func TestDisplacementsKnowTheirPoints(t *testing.T) {
	d := land(0, 0, 64, 32, 2, 0, level)
	if m := build(t, bent, d)[0]; m.Points != nil {
		t.Errorf("a whole grid: %d", m.Points)
	}
	d.Removed = make([]bool, 32)
	d.Removed[0], d.Removed[1] = true, true
	m := build(t, bent, d)[0]
	if len(m.Points) != 24 || len(m.Vertices) != 24 {
		t.Fatalf("%d points of %d vertices", len(m.Points), len(m.Vertices))
	}
	for i, p := range m.Points {
		if want := [3]float32{16 * float32(p%5), 8 * float32(p/5), 0}; m.Vertices[i].Position != want {
			t.Errorf("point %d is at %v, want %v", p, m.Vertices[i].Position, want)
		}
	}
}

func TestDisplacementsThatCantBeDrawn(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, c := range map[string]struct {
		change func(d *world.Displacement)
		want   string
	}{
		"power 1":        {func(d *world.Displacement) { d.Power = 1 }, "face-displacement"},
		"power 5":        {func(d *world.Displacement) { d.Power = 5 }, "face-displacement"},
		"power -1":       {func(d *world.Displacement) { d.Power = -1 }, "face-displacement"},
		"few offsets":    {func(d *world.Displacement) { d.Offsets = d.Offsets[1:] }, "face-displacement"},
		"few alphas":     {func(d *world.Displacement) { d.Alpha = nil }, "face-displacement"},
		"few blends":     {func(d *world.Displacement) { d.Blends = make([][4]float32, 24) }, "face-displacement"},
		"few marks":      {func(d *world.Displacement) { d.Removed = make([]bool, 31) }, "face-displacement"},
		"offset":         {func(d *world.Displacement) { d.Offsets[7][1] = nan }, "face-number"},
		"far offset":     {func(d *world.Displacement) { d.Offsets[7][1] = 1 << 24 }, "face-number"},
		"corner":         {func(d *world.Displacement) { d.Corners[3].Position[0] = inf }, "face-number"},
		"corner's luxel": {func(d *world.Displacement) { d.Corners[3].Luxel[0] = nan }, "face-number"},
		"alpha":          {func(d *world.Displacement) { d.Alpha[24] = inf }, "face-number"},
		"blend":          {func(d *world.Displacement) { d.Blends = make([][4]float32, 25); d.Blends[3][3] = nan }, "face-number"},
	} {
		d := land(0, 0, 64, 64, 2, 0, level)
		c.change(d)
		meshes := build(t, bent, land(64, 0, 64, 64, 2, 0, level), d, land(-64, 0, 64, 64, 2, 0, level))
		if m := meshes[1]; len(m.Vertices) != 0 || !reflect.DeepEqual(codes(m), []string{c.want}) || m.Issues[0].Where != "face 101" {
			t.Errorf("%s: %v, want %s", name, m, c.want)
		}
		if len(meshes[0].Indices) == 0 || len(meshes[2].Indices) == 0 {
			t.Errorf("%s: its neighbours are gone", name)
		}
	}
}

// Weights are linear between the vertices, as all else.
func TestCutsKeepTheBlends(t *testing.T) {
	d := land(0, 0, 64, 64, 2, 0, level)
	d.Blends = make([][4]float32, 25)
	for i := range d.Blends {
		d.Blends[i] = [4]float32{float32(i%5) / 4, float32(i/5) / 4, 0, 1} // columns and rows
	}
	m := build(t, bent, d)[0]
	for name, c := range map[string]geometry.Mesh{"Cut": geometry.Cut(m, 5, 10_000), "Band": geometry.Band(m, 0.3, 0.6)} {
		if len(c.Vertices) <= 25 && name == "Cut" || len(c.Vertices) == 0 || len(c.Blends) != len(c.Vertices) {
			t.Fatalf("%s: %d vertices, %d blends", name, len(c.Vertices), len(c.Blends))
		}
		for i, v := range c.Vertices {
			want := [4]float32{v.Position[0] / 64, v.Position[1] / 64, 0, 1}
			for k := range want {
				if math.Abs(float64(c.Blends[i][k]-want[k])) > 1e-6 {
					t.Errorf("%s: %v at %v, want %v", name, c.Blends[i], v.Position, want)
				}
			}
		}
	}
}

// meet fails unless the meshes are one sheet above the rectangle from (0, 0) to the size: edges have a partner but
// for those on its border, triangles look up, all vertices are used, and a place has one normal.
func meet(t *testing.T, width, depth float32, meshes ...geometry.Mesh) {
	t.Helper()
	edges := map[[2][3]float32]int{}
	normals := map[[3]float32][3]float32{}
	area := 0.0
	for i, m := range meshes {
		used := make([]bool, len(m.Vertices))
		for j := 0; j < len(m.Indices); j += 3 {
			up := front(m, j)[2]
			if up <= 0 {
				t.Errorf("mesh %d: triangle %d is turned over", i, j/3)
			}
			area += up / 2
			for k := range 3 {
				a, b := m.Indices[j+k], m.Indices[j+(k+1)%3]
				used[a] = true
				edges[[2][3]float32{m.Vertices[a].Position, m.Vertices[b].Position}]++
			}
		}
		for j, v := range m.Vertices {
			if !used[j] {
				t.Errorf("mesh %d: vertex %d is not used", i, j)
			}
			if n, ok := normals[v.Position]; ok && n != v.Normal {
				t.Errorf("mesh %d: the normal at %v is %v, elsewhere %v", i, v.Position, v.Normal, n)
			}
			normals[v.Position] = v.Normal
		}
	}
	outside := func(p [3]float32) bool { return p[0] == 0 || p[1] == 0 || p[0] == width || p[1] == depth }
	for e, n := range edges {
		if n > 1 || edges[[2][3]float32{e[1], e[0]}] != 1 && !(outside(e[0]) && outside(e[1])) {
			t.Errorf("the edge from %v to %v is there %d times and %d times back", e[0], e[1], n, edges[[2][3]float32{e[1], e[0]}])
		}
	}
	if math.Abs(area-float64(width)*float64(depth)) > 1e-3 {
		t.Errorf("the area is %g, want %g", area, width*depth)
	}
}

func TestNeighboursAreSewnHoweverTheyLie(t *testing.T) {
	for powers := range 9 {
		p, q := 2+powers/3, 2+powers%3
		for turns := range 16 {
			t.Run(fmt.Sprintf("powers %d and %d, turns %d and %d", p, q, turns/4, turns%4), func(t *testing.T) {
				m := build(t, bent, land(0, 0, 64, 64, p, turns/4, waves), land(64, 0, 64, 64, q, turns%4, waves))
				meet(t, 128, 64, m...)
				for i := range m {
					n := 0
					for _, v := range m[i].Vertices {
						if v.Position[0] == 64 {
							n++
						}
					}
					if want := 1<<min(p, q) + 1; n != want {
						t.Errorf("mesh %d has %d points on the edge, want %d", i, n, want)
					}
				}
			})
		}
	}
}

func TestHalvesOfAnEdgeAreSewn(t *testing.T) {
	for powers := range 27 {
		p, q, r := 2+powers/9, 2+powers/3%3, 2+powers%3
		for turns := range 16 {
			t.Run(fmt.Sprintf("powers %d, %d and %d, turns %d and %d", p, q, r, turns/4, turns%4), func(t *testing.T) {
				m := build(t, bent,
					land(64, 64, 64, 64, q, turns%4, waves), land(0, 0, 64, 128, p, turns/4, waves),
					land(64, 0, 64, 64, r, turns/2%4, waves))
				meet(t, 128, 128, m...)
				// The whole edge has 2^(p-1) parts on each half.
				for i, c := range map[int]int{0: q, 2: r} {
					n := 0
					for _, v := range m[i].Vertices {
						if v.Position[0] == 64 {
							n++
						}
					}
					if want := 1<<min(p-1, c) + 1; n != want {
						t.Errorf("mesh %d has %d points on the edge, want %d", i, n, want)
					}
				}
			})
		}
	}
}

// One neighbour has half of the edge, the other half has none: the points there stay.
func TestHalfAnEdgeWithoutANeighbourIsKept(t *testing.T) {
	m := build(t, bent, land(0, 0, 64, 128, 4, 2, level), land(64, 64, 64, 64, 2, 3, level))[0]
	low, high := 0, 0
	for _, v := range m.Vertices {
		if v.Position[0] == 64 && v.Position[1] < 64 {
			low++
		} else if v.Position[0] == 64 && v.Position[1] > 64 {
			high++
		}
	}
	if low != 8 || high != 4 { // 16 parts; the neighbour has 4 on its half
		t.Errorf("%d points on the half without a neighbour, %d on the other", low, high)
	}
}

func TestAFieldOfAllPowersIsOneSheet(t *testing.T) {
	var shapes []world.Shape
	for i := range 36 {
		x, y := float32(i%6*64), float32(i/6*64)
		shapes = append(shapes, land(x, y, 64, 64, 2+i*7%11%3, i*5%7%4, waves))
	}
	meet(t, 384, 384, build(t, bent, shapes...)...)
}

// Where four meet, the normal is the mean of those that each has there.
func TestFourAtACornerShareItsNormal(t *testing.T) {
	pyramid := func(x, y float32) float32 {
		return 64 - float32(math.Abs(float64(x)-64))/2 - float32(math.Abs(float64(y)-64))/2
	}
	m := build(t, bent, land(0, 0, 64, 64, 2, 0, pyramid), land(64, 0, 64, 64, 2, 1, pyramid),
		land(0, 64, 64, 64, 2, 2, pyramid), land(64, 64, 64, 64, 2, 3, pyramid))
	meet(t, 128, 128, m...)
	for i := range m {
		for _, v := range m[i].Vertices {
			if v.Position == [3]float32{64, 64, 64} && distance(wide(v.Normal), [3]float64{0, 0, 1}) > 1e-6 {
				t.Errorf("mesh %d has the normal %v at the top", i, v.Normal)
			}
		}
	}
}

func TestNeighboursThatNearlyTouchAreMadeOne(t *testing.T) {
	higher := func(x, y float32) float32 { return waves(x, y) + 0.05 }
	meet(t, 128, 64, build(t, bent, land(0, 0, 64, 64, 3, 0, waves), land(64, 0, 64, 64, 3, 1, higher))...)
}

func TestNeighboursThatWereNotSewnStayApart(t *testing.T) {
	step := func(_, _ float32) float32 { return 5 }
	m := build(t, bent, land(0, 0, 64, 64, 2, 0, level), land(64, 0, 64, 64, 2, 0, step))
	for i, z := range []float32{0, 5} {
		for _, v := range m[i].Vertices {
			if v.Position[2] != z || v.Normal != [3]float32{0, 0, 1} {
				t.Errorf("mesh %d has %v", i, v)
			}
		}
	}
}

// The two sides of a wall without thickness have all edges in common.
func TestSidesOfAThinWallKeepTheirNormals(t *testing.T) {
	a, b := land(0, 0, 64, 64, 2, 0, level), land(0, 0, 64, 64, 2, 0, level)
	b.Corners[1], b.Corners[3] = b.Corners[3], b.Corners[1]
	m := build(t, bent, a, b)
	for i, z := range []float32{1, -1} {
		for _, v := range m[i].Vertices {
			if v.Normal != [3]float32{0, 0, z} {
				t.Errorf("mesh %d has %v", i, v)
			}
		}
	}
}

// A floor and a wall that meet in an edge are smooth there, as in the engine.
func TestAFoldIsSmooth(t *testing.T) {
	wall := land(0, 0, 64, 64, 2, 0, level)
	for i, p := range [4][3]float32{{64, 0, 0}, {64, 64, 0}, {64, 64, 64}, {64, 0, 64}} { // its front is to -x
		wall.Corners[(i+3)%4].Position = p
	}
	m := build(t, bent, land(0, 0, 64, 64, 2, 0, level), wall)
	h := math.Sqrt(0.5)
	for i := range m {
		n := 0
		for _, v := range m[i].Vertices {
			if v.Position[0] == 64 && v.Position[2] == 0 {
				n++
				if distance(wide(v.Normal), [3]float64{-h, 0, h}) > 1e-6 {
					t.Errorf("mesh %d has %v at %v", i, v.Normal, v.Position)
				}
			}
		}
		if n != 5 {
			t.Errorf("mesh %d has %d points on the edge", i, n)
		}
	}
}

// fieldOf returns a world of size x size displacements of a power, turned in all ways.
func fieldOf(size, power int) *world.World {
	var shapes []world.Shape
	for i := range size * size {
		shapes = append(shapes, land(float32(i%size*256), float32(i/size*256), 256, 256, power, i*5%7%4, waves))
	}
	return worldOf(shapes...)
}

// 1024 displacements of 289 points.
func BenchmarkDisplacements(b *testing.B) {
	w := fieldOf(32, 4)
	b.SetBytes(1024 * 289 * 56)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := geometry.Build(b.Context(), w, bent); err != nil {
			b.Fatal(err)
		}
	}
}
