package geometry

import (
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// slab returns a level quad of 64 x 64 at a height of 100 around x, y = 0.
func slab() Mesh {
	m := Mesh{Indices: []uint32{0, 1, 2, 0, 2, 3}}
	for _, c := range [4][2]float32{{-32, -32}, {32, -32}, {32, 32}, {-32, 32}} {
		m.Vertices = append(m.Vertices, world.Vertex{Position: [3]float32{c[0], c[1], 100}, Normal: [3]float32{0, 0, 1},
			UV: [2]float32{c[0], c[1]}})
	}
	return m
}

func TestAutospritesStandUpright(t *testing.T) {
	given := slab()
	// The first eye is farther than the second, the third right below.
	m, n := Autosprites(given, false, [][3]float32{{0, 5000, 0}, {-1000, 0, 0}, {10, 10, 0}})
	if n != 1 {
		t.Fatalf("%d turned", n)
	}
	if !reflect.DeepEqual(given, slab()) {
		t.Errorf("the mesh that was given has changed: %+v", given)
	}
	// Seen from -x, left is +y: half a diagonal over the root of two is 32.
	want := [4]world.Vertex{
		{Position: [3]float32{0, 32, 132}, UV: [2]float32{0, 0}}, {Position: [3]float32{0, 32, 68}, UV: [2]float32{0, 1}},
		{Position: [3]float32{0, -32, 68}, UV: [2]float32{1, 1}}, {Position: [3]float32{0, -32, 132}, UV: [2]float32{1, 0}},
	}
	for i, v := range m.Vertices {
		near := toVec(v.Position).distance(toVec(want[i].Position)) < 1e-3
		if !near || v.UV != want[i].UV || v.Normal != [3]float32{-1, 0, 0} {
			t.Errorf("%d: %+v, want %+v", i, v, want[i])
		}
	}
	if n := facing(m); n.dot(vec{-1, 0, 0}) < 0.99 {
		t.Errorf("the front looks along %v", n)
	}
}

func facing(m Mesh) vec {
	at := func(k int) vec { return toVec(m.Vertices[m.Indices[k]].Position) }
	u, _ := at(1).sub(at(0)).cross(at(2).sub(at(0))).unit()
	return u
}

func TestAxialAutospritesKeepTheirAxis(t *testing.T) {
	for _, back := range []bool{false, true} {
		m := Mesh{Indices: []uint32{0, 1, 2, 0, 2, 3}}
		for _, c := range [4][2]float32{{-4, 0}, {4, 0}, {4, 100}, {-4, 100}} { // a beam that looks along -y
			m.Vertices = append(m.Vertices, world.Vertex{Position: [3]float32{c[0], 0, c[1]}, UV: [2]float32{c[0], c[1]}})
		}
		eye := [3]float32{1000, 0, 0}
		if back {
			eye = [3]float32{-1000, 0, 0}
		}
		m, n := Autosprites(m, true, [][3]float32{eye})
		if n != 1 {
			t.Fatalf("%d turned", n)
		}
		for i, v := range m.Vertices {
			p := v.Position
			if p[0] != 0 || p[1] != 4 && p[1] != -4 || p[2] != float32(i/2*100) || v.UV[1] != p[2] {
				t.Errorf("%d: %+v", i, v)
			}
		}
		if n := facing(m); n.dot(toVec(eye)) < 990 {
			t.Errorf("the front looks along %v, the eye is at %v", n, eye)
		}
		if y := m.Vertices; y[0].Position[1] != y[3].Position[1] || y[0].Position[1] == y[1].Position[1] {
			t.Errorf("the edges are crossed: %v", m.Vertices)
		}
	}
}

func TestWhatIsNotOfQuadsIsNotTurned(t *testing.T) {
	strip := slab()
	strip.Indices = []uint32{0, 1, 2}
	shared := slab()
	shared.Vertices = append(shared.Vertices, slab().Vertices...)
	shared.Indices = []uint32{0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 3} // the second has a corner of the first
	for _, m := range []Mesh{{}, strip, shared} {
		if _, n := Autosprites(m, false, [][3]float32{{1000, 0, 0}}); n != 0 {
			t.Errorf("%d of %d vertices turned", n, len(m.Vertices))
		}
	}
	if m, n := Autosprites(slab(), false, [][3]float32{{1, 1, 0}}); n != 0 || !reflect.DeepEqual(m, slab()) {
		t.Error("turned to an eye right below")
	}
}
