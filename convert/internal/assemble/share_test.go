package assemble

import (
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// Two skins of a model, and a prop of the second in its own light, have the shape of the first; what differs in one place, or in
// its indices, keeps that.
func TestShareVertices(t *testing.T) {
	triangle := func() scene.Primitive {
		return scene.Primitive{
			Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, Normals: make([][3]float32, 3), UV: make([][2]float32, 3),
			Colors: make([][4]uint16, 3), Indices: []uint32{0, 1, 2},
		}
	}
	first, second, other, turned := triangle(), triangle(), triangle(), triangle()
	lit := second
	lit.Colors = [][4]uint16{{1}, {2}, {3}}
	other.Positions[1][0] = 2
	turned.Indices = []uint32{1, 2, 0}
	s := &scene.Scene{}
	for _, p := range []scene.Primitive{first, second, lit, other, turned, {}} {
		s.Meshes = append(s.Meshes, scene.Mesh{Primitives: []scene.Primitive{p}})
	}
	if err := shareVertices(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		positions, colors, indices bool // those of the first
	}{{true, true, true}, {true, true, true}, {true, false, true}, {}, {positions: true, colors: true}} {
		p := &s.Meshes[i].Primitives[0]
		if same(p.Positions, first.Positions) != want.positions || same(p.Normals, first.Normals) != want.positions ||
			same(p.UV, first.UV) != want.positions || same(p.Colors, first.Colors) != want.colors ||
			same(p.Indices, first.Indices) != want.indices {
			t.Errorf("mesh %d: %+v", i, p)
		}
	}
	if colors := s.Meshes[2].Primitives[0].Colors; !slices.Equal(colors, lit.Colors) {
		t.Error(colors)
	}
}

// same reports whether two slices are the same elements in memory.
func same[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
