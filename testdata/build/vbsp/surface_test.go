package vbsp

import (
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

// A box from 0 to 64 has six faces, clockwise seen from the front, of 64² units. Its texels are four a unit and its
// luxels one in 16 units, so each face has 4 more than one.
func TestBoxHasFaces(t *testing.T) {
	m := &Map{}
	m.Box(Solid, [3]float32{0, 0, 0}, [3]float32{64, 64, 64}, Material{Name: "ours/brick", Width: 64, Height: 64})
	if len(m.Faces) != 6 || len(m.Vertices) != 8 || len(m.Edges) != 13 { // 12, and one that is nobody's
		t.Fatalf("%d faces, %d vertices, %d edges", len(m.Faces), len(m.Vertices), len(m.Edges))
	}
	for i, f := range m.Faces {
		n, area := brushmap.LoopNormal(m.Loop(i))
		if f.Plane != m.Brushes[0].Sides[i].Plane || n != m.Planes[f.Plane].Normal || area != 4096 || f.Area != 4096 {
			t.Errorf("face %d: normal %v of %v, area %v", i, n, m.Planes[f.Plane], area)
		}
		if f.LuxelSize != [2]int32{4, 4} {
			t.Errorf("face %d has %v luxels and one more, want 4 × 4", i, f.LuxelSize)
		}
	}
	up := m.TexInfo[m.Faces[5].TexInfo]
	if want := [2][4]float32{{4, 0, 0, 0}, {0, -4, 0, 0}}; up.Texture != want {
		t.Errorf("the top's texels are %v, want %v", up.Texture, want)
	}
	if want := [2][4]float32{{1. / 16, 0, 0, 0}, {0, -1. / 16, 0, 0}}; up.Luxels != want {
		t.Errorf("the top's luxels are %v, want %v", up.Luxels, want)
	}
	if mins := m.Faces[5].LuxelMins; mins != [2]int32{0, -4} {
		t.Errorf("the top's first luxel is %v, want 0, -4", mins)
	}
}

// A wedge: a box cut by a slope has five faces; the slope's is a rectangle of 64 × √2·64.
func TestWedgeIsCut(t *testing.T) {
	m := &Map{}
	mat := Material{Name: "ours/brick"}
	var sides []Side
	for _, s := range []Side{{Normal: [3]float32{-1, 0, 0}}, {Normal: [3]float32{0, -1, 0}}, {Normal: [3]float32{0, 1, 0}, Dist: 64},
		{Normal: [3]float32{0, 0, -1}}, {Normal: [3]float32{float32(math.Sqrt2 / 2), 0, float32(math.Sqrt2 / 2)}, Dist: 32 * math.Sqrt2}} {
		s.TexInfo = m.Project(mat, s.Normal)
		sides = append(sides, s)
	}
	faces := m.Brush(Solid, sides...)
	var corners []int
	for _, f := range faces {
		corners = append(corners, len(m.Loop(f)))
	}
	if want := []int{4, 3, 3, 4, 4}; !reflect.DeepEqual(corners, want) {
		t.Errorf("faces have %v corners, want %v", corners, want)
	}
	if a := float64(m.Faces[faces[4]].Area); math.Abs(a-64*64*math.Sqrt2) > 0.1 {
		t.Errorf("the slope has %v square units", a)
	}
}

// Two squares of 64 beside one of 128: its edge gets the corner between them, and a primitive of three triangles.
func TestJunctionsAreFixed(t *testing.T) {
	m := &Map{}
	info := m.Project(Material{Name: "ours/brick"}, [3]float32{0, 0, 1})
	square := func(x, y, size float32) int {
		return m.Polygon(info, [3]float32{x, y, 0}, [3]float32{x, y + size, 0}, [3]float32{x + size, y + size, 0},
			[3]float32{x + size, y, 0})
	}
	large := square(0, 0, 128)
	square(128, 0, 64)
	square(128, 64, 64)
	m.FixJunctions()
	f := m.Faces[large]
	if f.NumEdges != 5 || f.NumPrims != 1 || len(m.PrimIndices) != 9 {
		t.Fatalf("%d corners, %d primitives, indices %v", f.NumEdges, f.NumPrims, m.PrimIndices)
	}
	loop := m.Loop(large)
	total := 0.0
	for i := 0; i < 9; i += 3 {
		n, a := brushmap.LoopNormal([][3]float32{loop[m.PrimIndices[i]], loop[m.PrimIndices[i+1]], loop[m.PrimIndices[i+2]]})
		if a < 1 || n != [3]float32{0, 0, 1} {
			t.Errorf("triangle %d: normal %v, area %v", i/3, n, a)
		}
		total += a
	}
	if total != 128*128 {
		t.Errorf("triangles have %v square units, want %v", total, 128*128)
	}
}

// Light of 1 is 255·2^0, as the engine's compiler stores it, and of 16 is 255·2^4.
func TestLightIsEncoded(t *testing.T) {
	for _, c := range []struct {
		light [3]float64
		want  RGBE
	}{
		{[3]float64{1, 0.5, 0}, RGBE{255, 128, 0, 0}},
		{[3]float64{16, 16, 8}, RGBE{255, 255, 128, 4}},
		{[3]float64{0.25, 0, 0.125}, RGBE{255, 0, 128, -2}},
		{[3]float64{}, RGBE{}},
	} {
		if got := Encode(c.light); got != c.want {
			t.Errorf("%v is %v, want %v", c.light, got, c.want)
		}
	}
}

// The mean of each style stands before the luxels, the last style's first.
func TestMeansStandBeforeLuxels(t *testing.T) {
	m := &Map{}
	info := m.Project(Material{Name: "ours/brick"}, [3]float32{0, 0, 1})
	f := m.Polygon(info, [3]float32{0, 0, 0}, [3]float32{0, 16, 0}, [3]float32{32, 16, 0}, [3]float32{32, 0, 0})
	m.Light(f, []uint8{0, 32}, func(l Luxel) [3]float64 {
		if l.Style == 32 {
			return [3]float64{0.25, 0, 0}
		}
		return [3]float64{0, 1, 0}
	})
	if got := m.Faces[f]; got.LightOfs != 8 || got.Styles != [4]uint8{0, 32, NoStyle, NoStyle} || len(m.Lighting) != 2+2*3*2 {
		t.Errorf("offset %d, styles %v, %d luxels", got.LightOfs, got.Styles, len(m.Lighting))
	}
	red, green := RGBE{255, 0, 0, -2}, RGBE{0, 255, 0, 0}
	if m.Lighting[0] != red || m.Lighting[1] != green || m.Lighting[2] != green || m.Lighting[8] != red {
		t.Errorf("luxels are %v", m.Lighting)
	}
}

// Two rooms beside each other: each is one leaf with its own six faces, and the rest is solid.
func TestTreeHasALeafForEachRoom(t *testing.T) {
	m := &Map{}
	mat := Material{Name: "ours/brick"}
	m.Hollow(1, [3]float32{0, 0, 0}, [3]float32{128, 128, 128}, mat)
	m.Hollow(2, [3]float32{256, 0, 0}, [3]float32{384, 128, 128}, mat)
	m.Plant()
	for i, at := range [][3]float32{{64, 64, 64}, {320, 64, 64}} {
		l := m.Leaves[m.LeafAt(at)]
		if l.AreaFlags != uint16(i+1) || l.Contents != 0 || l.NumFaces != 6 {
			t.Errorf("leaf of room %d is %+v", i, l)
		}
		for _, f := range m.LeafFaces[l.FirstFace : l.FirstFace+l.NumFaces] {
			if int(f)/6 != i {
				t.Errorf("room %d has face %d", i, f)
			}
		}
	}
	if l := m.Leaves[m.LeafAt([3]float32{192, 64, 64})]; l.Contents != Solid || l.NumFaces != 0 || l.NumBrush == 0 {
		t.Errorf("leaf between the rooms is %+v", l)
	}
}

// The grid starts at the corner that is asked for. A square from 0 to 64, clockwise from the origin along +Y: from corner
// 1, at 0 64, rows run to 64 64 and columns to 0 0.
func TestDisplacementStartsAtItsCorner(t *testing.T) {
	m := &Map{}
	info := m.Project(Material{Name: "ours/grass"}, [3]float32{0, 0, 1})
	f := m.Polygon(info, [3]float32{0, 0, 0}, [3]float32{0, 64, 0}, [3]float32{64, 64, 0}, [3]float32{64, 0, 0})
	d := m.Displace(f, 1, 2, func(row, column int) ([3]float32, float32) {
		return [3]float32{0, 0, float32(row)}, float32(column)
	})
	if p := m.Point(d, 4, 0); p != [3]float32{64, 64, 4} {
		t.Errorf("the last row starts at %v", p)
	}
	if p := m.Point(d, 1, 2); p != [3]float32{16, 32, 1} {
		t.Errorf("point 1, 2 is %v", p)
	}
	if m.DispInfo[d].Face != uint16(f) || m.Faces[f].DispInfo != int16(d) || len(m.DispTris) != 32 {
		t.Errorf("face %d, displacement %d, %d triangles", m.DispInfo[d].Face, m.Faces[f].DispInfo, len(m.DispTris))
	}
}
