package assemble

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/pick"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
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
		p := scene.Primitive{Positions: positions, Normals: [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, Indices: []uint32{0, 1, 2, 0, 2, 3}}
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
	p := scene.Primitive{Positions: [][3]float32{{0, 0, 0}, {3e38, 0, 0}, {0, 3e38, 0}, {0, 0, 0}}, Normals: normals, Indices: []uint32{0, 1, 2, 3, 3, 3}}
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

func TestNormalMapsHaveTangents(t *testing.T) {
	m := plainMaterial("m")
	m.Normal.Image = 0
	a := mesherOf(assembly{w: &world.World{}, p: defaults(), axes: axes.Axes{Unit: 1}, set: &materials.Set{Materials: []pbr.Material{m, plainMaterial("flat")}}})
	for material, want := range []int{4, 0} {
		s := square(material, world.NoChart, 1)
		p, err := a.primitive(limit.WithDefaults(t.Context()), pick.Key{Material: material, Page: scene.None}, []part{{&s, world.NoChart, squareMesh(&s)}})
		if err != nil || len(p.Tangents) != want {
			t.Errorf("%d tangents, want %d, %v", len(p.Tangents), want, err)
		}
	}
}

// The picture of the surroundings is multiplied by what the engine shows of a vertex' colour, or by the rest.
func TestReflectionsFollowTheVertices(t *testing.T) {
	curve := gamma.New(0.35, 1)
	w := lit()
	w.Baked.Display = &world.DisplayLight{Albedo: 0.35, Exponent: 1}
	vertices := w.Models[0].Surfaces[0].Shape.(*world.Polygon).Corners
	for i := range vertices {
		vertices[i].Color = [4]float32{curve.Linear(0.25), curve.Linear(1), curve.Linear(0), 1}
	}
	for tint, want := range map[pbr.VertexTint][4]uint16{pbr.ByColor: {16384, 65535, 0, 65535}, pbr.ByRestColor: {49151, 0, 65535, 65535}} {
		m := plainMaterial("tin")
		m.Environment = &pbr.Environment{Vertex: tint}
		s, _ := literal(t, defaults(), w, m)
		p := s.Meshes[0].Primitives[0]
		if len(p.Mirrors) != len(p.Positions) {
			t.Fatalf("%d of %d", len(p.Mirrors), len(p.Positions))
		}
		for k, x := range p.Mirrors[0] {
			if d := int(x) - int(want[k]); d < -8 || d > 8 {
				t.Errorf("%d: %v, want %v", tint, p.Mirrors[0], want)
			}
		}
	}
	m := plainMaterial("tin")
	m.Environment = &pbr.Environment{}
	if s, _ := literal(t, defaults(), w, m); s.Meshes[0].Primitives[0].Mirrors != nil || s.Materials[0].Environment == nil {
		t.Error("a picture that the vertices do not change needs no attribute")
	}
	if s, _ := literal(t, set(t, "lightmap.carrier=vertex"), w, m); s.Materials[0].Environment != nil {
		t.Error("with light in the vertices there is no picture of the surroundings")
	}
}
