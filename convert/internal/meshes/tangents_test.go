package meshes

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

func TestTangentsFollowThePicture(t *testing.T) {
	positions := [][3]float32{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}} // seen from the front X is right and Y up
	for _, test := range []struct {
		name string
		uv   [4][2]float32 // V grows downwards
		want [4]float32
	}{
		{"upright", [4][2]float32{{0, 1}, {1, 1}, {1, 0}, {0, 0}}, [4]float32{1, 0, 0, 1}},
		{"mirrored", [4][2]float32{{1, 1}, {0, 1}, {0, 0}, {1, 0}}, [4]float32{-1, 0, 0, -1}},
		{"upside down", [4][2]float32{{1, 0}, {0, 0}, {0, 1}, {1, 1}}, [4]float32{-1, 0, 0, 1}},
		{"flipped", [4][2]float32{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, [4]float32{1, 0, 0, -1}},
		{"turned left", [4][2]float32{{0, 0}, {0, 1}, {1, 1}, {1, 0}}, [4]float32{0, 1, 0, 1}},
		{"without extent", [4][2]float32{}, [4]float32{1, 0, 0, 1}},
	} {
		p := scene.Primitive{Positions: positions, Normals: [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
			Indices: []uint32{0, 1, 2, 0, 2, 3}}
		list := tangents(&p, func(i int) [2]float32 { return test.uv[i] })
		if len(list) != len(positions) {
			t.Fatalf("%s: %d tangents", test.name, len(list))
		}
		for i, got := range list {
			if got != test.want {
				t.Errorf("%s: vertex %d has %v, want %v", test.name, i, got, test.want)
			}
		}
	}
}

func TestTangentsAreUnitAndAcross(t *testing.T) {
	normals := [][3]float32{{0, 0, 1}, {1, 0, 0}, {0, 0.6, 0.8}, {}}
	p := scene.Primitive{Positions: [][3]float32{{0, 0, 0}, {3e38, 0, 0}, {0, 3e38, 0}, {0, 0, 0}}, Normals: normals,
		Indices: []uint32{0, 1, 2, 3, 3, 3}}
	list := tangents(&p, func(i int) [2]float32 { return [2]float32{3e38, float32(i) * -1e38} })
	if len(list) != len(normals) {
		t.Fatalf("%d tangents", len(list))
	}
	for i, got := range list {
		length := math.Sqrt(float64(got[0]*got[0] + got[1]*got[1] + got[2]*got[2]))
		along := got[0]*normals[i][0] + got[1]*normals[i][1] + got[2]*normals[i][2]
		if math.Abs(length-1) > 1e-6 || math.Abs(float64(along)) > 1e-6 || got[3] != 1 && got[3] != -1 {
			t.Errorf("%v on %v", got, normals[i])
		}
	}
}
