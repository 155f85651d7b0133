package geometry_test

import (
	"encoding/binary"
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// grid returns a patch of width x height control points.
func grid(width, height int, f func(x, y int) world.Vertex) *world.Patch {
	p := &world.Patch{Width: width, Height: height}
	for y := range height {
		for x := range width {
			p.Control = append(p.Control, f(x, y))
		}
	}
	return p
}

// quarter returns a quarter of a pipe around z, seen from outside: radius 64, height 128.
func quarter() *world.Patch {
	return grid(3, 3, func(x, y int) world.Vertex {
		c := [3][2]float32{{64, 0}, {64, 64}, {0, 64}}[x]
		return at(c[0], c[1], float32(y)*64)
	})
}

// pipe returns a whole pipe around z, seen from outside: radius 64, height 128.
func pipe() *world.Patch {
	return grid(9, 3, func(x, y int) world.Vertex {
		c := [9][2]float32{{64, 0}, {64, 64}, {0, 64}, {-64, 64}, {-64, 0}, {-64, -64}, {0, -64}, {64, -64}, {64, 0}}[x]
		return at(c[0], c[1], float32(y)*64)
	})
}

// curve returns the point at t of the curve of three points.
func curve(a, b, c [3]float64, t float64) (p [3]float64) {
	for i := range p {
		p[i] = a[i]*(1-t)*(1-t) + 2*b[i]*t*(1-t) + c[i]*t*t
	}
	return p
}

func TestFlatPatchIsTwoTriangles(t *testing.T) {
	p := grid(3, 3, func(x, y int) world.Vertex {
		v := at(float32(x)*32, float32(y)*32, 8)
		v.UV = [2]float32{float32(x), float32(y) / 2}
		v.Luxel = [2]float32{float32(x) * 10, float32(y) * 20}
		v.Color = [4]float32{float32(x) / 2, 0, 0, 1}
		v.Normal = [3]float32{1, 0, 0} // not used: the surface tells
		return v
	})
	m := build(t, byError, p)[0]
	want := geometry.Mesh{Indices: []uint32{0, 1, 2, 1, 3, 2}}
	for _, c := range [][2]float32{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
		want.Vertices = append(want.Vertices, world.Vertex{
			Position: [3]float32{c[0] * 64, c[1] * 64, 8}, Normal: [3]float32{0, 0, 1},
			UV: [2]float32{c[0] * 2, c[1]}, Luxel: [2]float32{c[0] * 20, c[1] * 40}, Color: [4]float32{c[0], 0, 0, 1},
		})
	}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("got %v\nwant %v", m, want)
	}
}

func TestQuarterPipeIsCutByItsError(t *testing.T) {
	// The middle of the curve, (48, 48), is 16*sqrt(2) = 22.6 units from the line. Each halving leaves a quarter:
	// 5.7, 1.4. So there are 4 spans of 1.4 with their middles, 9 columns; the rows are straight.
	// The chords of the 8 steps are 1.4/4 = 0.35 units from the curve.
	m := build(t, byError, quarter())[0]
	if len(m.Vertices) != 18 || triangles(m) != 16 {
		t.Fatalf("%d vertices, %d triangles", len(m.Vertices), triangles(m))
	}
	a, b, c := [3]float64{64, 0, 0}, [3]float64{64, 64, 0}, [3]float64{0, 64, 0}
	worst := 0.0
	for i := range 8 {
		for j := range 11 {
			f := float64(j) / 10
			p, q := position(m.Vertices[i]), position(m.Vertices[i+1])
			chord := [3]float64{p[0] + (q[0]-p[0])*f, p[1] + (q[1]-p[1])*f, 0}
			worst = max(worst, distance(chord, curve(a, b, c, (float64(i)+f)/8)))
		}
	}
	if worst < 0.35 || worst > 0.36 {
		t.Errorf("%g units from the curve", worst)
	}
	// Seen from outside, triangles are counter-clockwise and normals look outwards.
	for i := 0; i < len(m.Indices); i += 3 {
		if p := position(m.Vertices[m.Indices[i]]); front(m, i)[0]*p[0]+front(m, i)[1]*p[1] <= 0 {
			t.Errorf("triangle %d looks inwards", i/3)
		}
	}
	// The curve starts along y, so its normal is x, whatever the length of the first chord.
	if n := m.Vertices[0].Normal; n != [3]float32{1, 0, 0} {
		t.Errorf("the first normal is %v", n)
	}
}

func TestPatchErrorDecidesTheColumns(t *testing.T) {
	for _, c := range []struct {
		o       geometry.Options
		columns int
	}{
		{geometry.Options{PatchError: 1000}, 3}, // 22.6 is within it
		{geometry.Options{PatchError: 22}, 5},   // 22.6 is not, 5.7 is
		{geometry.Options{PatchError: 5}, 9},    // 5.7 is not
		{geometry.Options{PatchError: 0.1}, 17}, // 0.35 is not; 0.09 is, and those middles are left out: 16 spans
		{geometry.Options{PatchError: math.NaN()}, 17},
	} {
		m := build(t, c.o, quarter())[0]
		if len(m.Vertices) != 2*c.columns || triangles(m) != 2*(c.columns-1) {
			t.Errorf("%v: %d vertices, %d triangles; want %d columns", c.o, len(m.Vertices), triangles(m), c.columns)
		}
	}
}

func TestGridsStopAtTheEnginesSize(t *testing.T) {
	// A curve that is 2^18 times the error off the line needs 512 spans; the engine's grid has room for 32.
	p := grid(3, 3, func(x, y int) world.Vertex {
		return at(float32(x)*60000, float32(x%2)*120000, float32(y))
	})
	m := build(t, geometry.Options{PatchError: 0.1}, p)[0]
	if len(m.Vertices) != 65*2 {
		t.Errorf("%d vertices", len(m.Vertices))
	}
}

func TestClosedPipeHasNoSeam(t *testing.T) {
	m := build(t, byError, pipe())[0]
	columns := len(m.Vertices) / 2
	if columns != 33 { // four quarters of 8 steps
		t.Fatalf("%d columns", columns)
	}
	for row := range 2 {
		a, b := m.Vertices[row*columns], m.Vertices[row*columns+columns-1]
		if a != b {
			t.Errorf("the seam has %v and %v", a, b)
		}
		if a.Normal != [3]float32{1, 0, 0} {
			t.Errorf("the normal at the seam is %v", a.Normal)
		}
	}
}

func TestBentPatchIsSmoothWhereItsSpansMeet(t *testing.T) {
	// A roof: two flat halves, 45 degrees each. The normal of the ridge is the mean of both sides.
	p := grid(5, 3, func(x, y int) world.Vertex {
		return at(float32(x)*16, float32(y)*16, 32-float32(max(x-2, 2-x))*16)
	})
	m := build(t, byError, p)[0]
	if len(m.Vertices) != 6 || triangles(m) != 4 {
		t.Fatalf("%d vertices, %d triangles", len(m.Vertices), triangles(m))
	}
	if n := m.Vertices[1].Normal; n != [3]float32{0, 0, 1} {
		t.Errorf("the ridge looks to %v", n)
	}
	if n := wide(m.Vertices[0].Normal); distance(n, [3]float64{-math.Sqrt2 / 2, 0, math.Sqrt2 / 2}) > 1e-6 {
		t.Errorf("the left half looks to %v", n)
	}
}

func TestTipOfAConeHasNormals(t *testing.T) {
	// The last row is one point. One of the two triangles of each of the 8 quads is left.
	p := grid(3, 3, func(x, y int) world.Vertex {
		c := [3][2]float32{{64, 0}, {64, 64}, {0, 64}}[x]
		f := 1 - float32(y)/2
		return at(c[0]*f, c[1]*f, float32(y)*64)
	})
	m := build(t, byError, p)[0]
	if len(m.Vertices) != 18 || triangles(m) != 8 {
		t.Fatalf("%d vertices, %d triangles", len(m.Vertices), triangles(m))
	}
	for x := range 9 {
		foot, tip := m.Vertices[x].Normal, m.Vertices[9+x].Normal
		// Straight up a cone the normal stays the same; at the tip it is taken between the chords, 11 degrees each.
		if d := dot(wide(foot), wide(tip)); d < math.Cos(12*math.Pi/180) {
			t.Errorf("column %d: the normal turns from %v to %v", x, foot, tip)
		}
	}
}

func TestPatchesThatCantBeDrawn(t *testing.T) {
	flat := func(w, h int) *world.Patch {
		return grid(w, h, func(x, y int) world.Vertex { return at(float32(x), float32(y), 0) })
	}
	short, nan, luxel := flat(3, 3), flat(3, 3), flat(3, 3)
	short.Control = short.Control[:8]
	nan.Control[4].Position[1] = float32(math.NaN())
	luxel.Control[4].Luxel[1] = float32(math.Inf(-1))
	negative := flat(3, 3)
	negative.Width, negative.Height = -3, -3
	point := grid(3, 3, func(_, _ int) world.Vertex { return at(1, 2, 3) })
	line := grid(3, 3, func(x, y int) world.Vertex { return at(float32(x+y), 0, 0) })
	for _, c := range []struct {
		name string
		p    *world.Patch
		want world.Issue
	}{
		{"even width", flat(4, 3), world.Issue{Code: "face-patch", Detail: "a patch of 4 x 3 with 12 control points"}},
		{"one row", flat(9, 1), world.Issue{Code: "face-patch", Detail: "a patch of 9 x 1 with 9 control points"}},
		{"a control point too few", short, world.Issue{Code: "face-patch", Detail: "a patch of 3 x 3 with 8 control points"}},
		{"negative", negative, world.Issue{Code: "face-patch", Detail: "a patch of -3 x -3 with 9 control points"}},
		{"empty", &world.Patch{}, world.Issue{Code: "face-patch", Detail: "a patch of 0 x 0 with 0 control points"}},
		{"too wide", flat(1<<15+1, 3), world.Issue{Code: "face-patch", Detail: "a patch of 32769 x 3 with 98307 control points"}},
		{"NaN", nan, world.Issue{Code: "face-number", Detail: "a control point has a coordinate that is not a number"}},
		{"infinite luxel", luxel, world.Issue{Code: "face-number", Detail: "a control point has a coordinate that is not a number"}},
		{"a point", point, world.Issue{Code: "face-degenerate", Detail: "a patch of 3 x 3 has no area"}},
		{"a line", line, world.Issue{Code: "face-degenerate", Detail: "a patch of 3 x 3 has no area"}},
	} {
		c.want.Where = "face 101"
		meshes := build(t, byError, quarter(), c.p, quarter())
		if m := meshes[1]; len(m.Vertices) != 0 || len(m.Issues) != 1 || m.Issues[0] != c.want {
			t.Errorf("%s: %d vertices, issues %v", c.name, len(m.Vertices), m.Issues)
		}
		if triangles(meshes[0]) != 16 || triangles(meshes[2]) != 16 {
			t.Errorf("%s: the patches beside it have %d and %d triangles", c.name, triangles(meshes[0]), triangles(meshes[2]))
		}
	}
}

// FuzzBuild makes patches that share control points of whatever bits and asks for finite meshes.
func FuzzBuild(f *testing.F) {
	f.Add([]byte{0}, uint8(0), uint8(0), float64(4))
	f.Add([]byte("\x00\x00\x80\x42\x00\x00\x80\x42\x00\x00\x00\x00\x00\x00\x00\xc2\xff\xff\x7f\x7f"), uint8(1), uint8(2),
		float64(0.1))
	f.Add([]byte("\x01\x00\x00\x00\x00\x00\x80\xff\x00\x00\xc0\x7f"), uint8(3), uint8(0), float64(1000))
	f.Fuzz(func(t *testing.T, bits []byte, w, h uint8, patchError float64) {
		if len(bits) == 0 {
			return
		}
		next := 0
		number := func() float32 {
			var b [4]byte
			for i := range b {
				b[i] = bits[next%len(bits)]
				next++
			}
			// Half of the numbers are small and round, so that points and lines coincide.
			if u := binary.LittleEndian.Uint32(b[:]); u&1 == 0 {
				return float32(int8(b[1]) / 16)
			}
			return math.Float32frombits(binary.LittleEndian.Uint32(b[:]))
		}
		vertex := func(_, _ int) world.Vertex {
			return world.Vertex{Position: [3]float32{number(), number(), number()}, UV: [2]float32{number(), 1},
				Luxel: [2]float32{1, number()}}
		}
		width, height := 3+2*int(w%6), 3+2*int(h%6)
		a := grid(width, height, vertex)
		b := grid(width, 3, vertex)
		copy(b.Control, a.Control[:width])
		polygon := &world.Polygon{Corners: a.Control[:width]}
		mesh := &world.Triangles{Vertices: a.Control, Indices: []uint32{0, 1, 2, 2, 1, uint32(w), uint32(h), 3, 4, 5}}
		meshes := build(t, geometry.Options{PatchError: patchError}, a, b, polygon, mesh)
		checkMeshes(t, meshes)
		for _, m := range meshes {
			c := geometry.Cut(m, 4, 1000)
			if len(c.Vertices) > max(1000, len(m.Vertices)) {
				t.Fatalf("%d vertices", len(c.Vertices))
			}
			checkMeshes(t, []geometry.Mesh{c})
		}
	})
}
