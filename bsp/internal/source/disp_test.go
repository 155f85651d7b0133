package source_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// flat is a displacement that moves no point.
func flat(int, int) ([3]float32, float32) { return [3]float32{}, 0 }

func displacement(t *testing.T, w *decoding.Map, surface int) *world.Displacement {
	t.Helper()
	s, ok := w.Models[0].Surfaces[surface].Shape.(*world.Displacement)
	if !ok {
		t.Fatalf("surface %d is a %T", surface, w.Models[0].Surfaces[surface].Shape)
	}
	return s
}

// Whatever corner the face's edges start with, the grid starts at the one nearest to the start position and goes on
// clockwise: rows to the next, columns to the one before. Luxels lie on the corners: of 5 x 5, from 0.5 to 4.5.
func TestDisplacementCorners(t *testing.T) {
	loop := square(0, 0, 0)
	for start := range 4 {
		for edge := range 4 {
			m := &vbsp.Map{}
			m.Polygon(m.Project(bricks, vec3{0, 0, 1}), append(append([][3]float32{}, loop[edge:]...), loop[:edge]...)...)
			m.Displace(0, (start+4-edge)%4, 2, func(row, column int) ([3]float32, float32) {
				return [3]float32{float32(row), float32(column), 16}, float32(51 * row)
			})
			m.DispInfo[0].Start[0] += 0.25 // nearest, not at
			m.Light(0, []uint8{0}, even(1))
			w := decode(t, m.Write(vbsp.Source2007))
			wantIssues(t, w, "entity-worldspawn: entity 0: the first entity is not worldspawn")
			d := displacement(t, w, 0)
			luxels := [4]vec2{{0.5, 0.5}, {0.5, 4.5}, {4.5, 4.5}, {4.5, 0.5}}
			for k, c := range d.Corners {
				p := loop[(start+k)%4]
				want := world.Vertex{Position: p, Normal: vec3{0, 0, 1}, UV: vec2{p[0] / 32, p[1] / -16}, Luxel: luxels[k],
					Color: [4]float32{1, 1, 1, 0}}
				want.UV[1] += 0 // not -0
				if c != want {
					t.Errorf("start %d, first edge %d: corner %d is %+v, want %+v", start, edge, k, c, want)
				}
			}
			if d.Power != 2 || len(d.Offsets) != 25 || len(d.Alpha) != 25 || d.Removed != nil || d.Blends != nil {
				t.Fatalf("%+v", d)
			}
			for i := range d.Offsets {
				row, column := i/5, i%5
				want := vec3{float32(row), float32(column), 16}
				for k, x := range d.Offsets[i] {
					if math.Abs(float64(x-want[k])) > 1e-5 {
						t.Errorf("point %d is %v off, want %v", i, d.Offsets[i], want)
					}
				}
				if d.Alpha[i] != float32(51*row)/255 {
					t.Errorf("point %d has alpha %g", i, d.Alpha[i])
				}
			}
		}
	}
}

func TestDisplacementPowers(t *testing.T) {
	for power := 2; power <= 4; power++ {
		m := floor(bricks)
		m.Displace(0, 0, power, flat)
		m.DispTris[2] |= vbsp.TriRemoved
		m.DispTris[len(m.DispTris)-1] = vbsp.TriRemoved
		d := displacement(t, decode(t, m.Write(vbsp.Source2007)), 0)
		n := 1<<power + 1
		if d.Power != power || len(d.Offsets) != n*n || len(d.Removed) != 2*(n-1)*(n-1) {
			t.Errorf("%+v", d)
		}
		for i, gone := range d.Removed {
			if gone != (i == 2 || i == len(d.Removed)-1) {
				t.Errorf("triangle %d: %v", i, gone)
			}
		}
	}
}

// The tag means "removed" up to version 20, and a property of the surface since. Removed triangles are counted.
func TestRemovedTrianglesByVersion(t *testing.T) {
	m := floor(bricks)
	m.Displace(0, 0, 2, flat)
	m.DispTris[0] |= vbsp.TriRemoved
	m.DispTris[7] |= vbsp.TriRemoved
	for _, c := range []struct {
		v    vbsp.Variant
		want []string
	}{
		{vbsp.Source2004, []string{"displacement-removed: face 0: 2 of 32 triangles are tagged as removed"}},
		{vbsp.Source2007, []string{"displacement-removed: face 0: 2 of 32 triangles are tagged as removed"}},
		{vbsp.MessiahMulti, []string{"displacement-removed: face 0: 2 of 32 triangles are tagged as removed"}},
		{vbsp.Source2010, nil}, {vbsp.Left4Dead2, nil}, {vbsp.Jabroni, nil}, {vbsp.Strata, nil},
	} {
		w := decode(t, m.Write(c.v))
		wantIssues(t, w, c.want...)
		if d := displacement(t, w, 0); (d.Removed != nil) != (c.want != nil) {
			t.Errorf("version %d: %v", c.v.Version, d.Removed)
		}
	}
}

// Alpha is 0 to 1 whatever is stored, and tags of triangles that are not there remove none.
func TestDisplacementAlphaAndTags(t *testing.T) {
	m := floor(bricks)
	m.Displace(0, 0, 2, flat)
	m.DispVerts[0].Alpha, m.DispVerts[1].Alpha, m.DispVerts[2].Alpha = -5, 256, 51
	m.DispTris = m.DispTris[:31]
	for i := range m.DispTris {
		m.DispTris[i] |= vbsp.TriRemoved
	}
	d := displacement(t, decode(t, m.Write(vbsp.Source2007)), 0)
	if d.Alpha[0] != 0 || d.Alpha[1] != 1 || d.Alpha[2] != 0.2 || d.Removed != nil {
		t.Errorf("%v, %v", d.Alpha[:3], d.Removed)
	}
}

func TestBrokenDisplacements(t *testing.T) {
	for _, c := range []struct {
		what string
		set  func(m *vbsp.Map)
		want string
	}{
		{"dispinfo", func(m *vbsp.Map) { m.Faces[1].DispInfo = 1 }, "face-displacement: face 1: dispinfo 1 of 1"},
		{"of another face", func(m *vbsp.Map) { m.DispInfo[0].Face = 0 }, "face-displacement: face 1: dispinfo 0 is of face 0"},
		{"three corners", func(m *vbsp.Map) { m.Faces[1].NumEdges = 3 }, "face-displacement: face 1: it has 3 corners"},
		{"power 1", func(m *vbsp.Map) { m.DispInfo[0].Power = 1 }, "face-displacement: face 1: power 1 is outside 2 to 4"},
		{"power 5", func(m *vbsp.Map) { m.DispInfo[0].Power = 5 }, "face-displacement: face 1: power 5 is outside 2 to 4"},
		{"a power below all", func(m *vbsp.Map) { m.DispInfo[0].Power = math.MinInt32 },
			"face-displacement: face 1: power -2147483648 is outside 2 to 4"},
		{"points before the first", func(m *vbsp.Map) { m.DispInfo[0].FirstVert = -1 },
			"face-displacement: face 1: 25 points from -1 of 25"},
		{"points after the last", func(m *vbsp.Map) { m.DispInfo[0].FirstVert = 1 }, "face-displacement: face 1: 25 points from 1 of 25"},
		{"points after all", func(m *vbsp.Map) { m.DispInfo[0].FirstVert = math.MaxInt32 },
			"face-displacement: face 1: 25 points from 2147483647 of 25"},
		{"no number", func(m *vbsp.Map) { m.DispVerts[3].Distance = float32(math.NaN()) },
			"face-number: face 1: point 3 is [NaN NaN NaN] off, with alpha 0"},
		{"far away", func(m *vbsp.Map) { m.DispVerts[3] = vbsp.DispVert{Direction: vec3{0, 0, 1}, Distance: 1 << 24} },
			"face-number: face 1: point 3 is [0 0 1.6777216e+07] off, with alpha 0"},
		{"no alpha", func(m *vbsp.Map) { m.DispVerts[3].Alpha = float32(math.Inf(1)) },
			"face-number: face 1: point 3 is [0 0 0] off, with alpha +Inf"},
	} {
		m := two(bricks)
		m.Displace(1, 0, 2, flat)
		data := m.Write(vbsp.Source2007)
		c.set(m)
		// The writer looks for neighbours among displacements that are right.
		wrong := data
		for lump, records := range map[int]any{vbsp.LumpFaces: m.Faces, vbsp.LumpDispInfo: m.DispInfo, vbsp.LumpDispVerts: m.DispVerts} {
			wrong = vbsp.Replace(wrong, lump, pack(t, records))
		}
		wantIssues(t, decode(t, wrong), c.want)
	}
}

// Weights are as many as the points of all displacements, or those of the displacements that have some.
func TestMultiblend(t *testing.T) {
	nan := float32(math.NaN())
	build := func() *vbsp.Map {
		m := two(bricks)
		m.Displace(0, 0, 2, flat)
		m.Displace(1, 0, 2, flat)
		m.DispInfo[1].MinTess = vbsp.HasBlends
		m.Blends = make([]vbsp.Blend, 50)
		for i := range m.Blends {
			m.Blends[i].Weights = [4]float32{float32(i) / 100, nan, 7, -7}
		}
		return m
	}
	check := func(what string, m *vbsp.Map, first float32) {
		t.Helper()
		w := decode(t, m.Write(vbsp.Source2007))
		wantIssues(t, w)
		if displacement(t, w, 0).Blends != nil {
			t.Errorf("%s: there are weights of the first", what)
		}
		for i, b := range displacement(t, w, 1).Blends {
			if want := [4]float32{(first + float32(i)) / 100, 0, 1, 0}; b != want {
				t.Errorf("%s: point %d has %v, want %v", what, i, b, want)
			}
		}
		if len(displacement(t, w, 1).Blends) != 25 {
			t.Errorf("%s: no weights", what)
		}
	}
	check("of all", build(), 25)
	some := build()
	some.Blends = some.Blends[:25]
	check("of some", some, 0)

	few := build()
	few.Blends = few.Blends[:24]
	w := decode(t, few.Write(vbsp.Source2007))
	wantIssues(t, w, "multiblend: lump 63 (multiblend): displacement 1 has weights from 0 of 24")
	if displacement(t, w, 1).Blends != nil {
		t.Error("there are weights")
	}
	// Without bit 31 the field is a number of triangles.
	none := build()
	none.DispInfo[1].MinTess = 0x40000000
	if d := displacement(t, decode(t, none.Write(vbsp.Source2007)), 1); d.Blends != nil {
		t.Error("there are weights")
	}
}

// pack writes records as a lump.
func pack(t *testing.T, records any) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, records); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A displacement's face keeps its material and flags, and polygons beside it do not change.
func TestDisplacementBesideAPolygon(t *testing.T) {
	m := two(bricks)
	m.Displace(1, 2, 3, func(int, int) ([3]float32, float32) { return [3]float32{0, 0, 8}, 255 })
	w := decode(t, m.Write(vbsp.Source2004))
	a, b := w.Models[0].Surfaces[0], w.Models[0].Surfaces[1]
	if a.Material != b.Material || a.Flags != b.Flags || len(polygon(t, w, 0)) != 4 {
		t.Errorf("%+v, %+v", a, b)
	}
	d := displacement(t, w, 1)
	if !reflect.DeepEqual(d.Offsets[80], [3]float32{0, 0, 8}) || d.Alpha[80] != 1 {
		t.Errorf("%v, %g", d.Offsets[80], d.Alpha[80])
	}
}
