package assemble

import (
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// withSet assembles a world with a set of materials.
func withSet(t *testing.T, p pipeline.Pipeline, w *world.World, s *materials.Set) *scene.Scene {
	t.Helper()
	w.Unit = 1
	meshes, err := geometry.Build(limit.WithDefaults(t.Context()), w, p.Geometry)
	if err != nil {
		t.Fatal(err)
	}
	atlas, err := lightmap.Bake(limit.WithDefaults(t.Context()), lightmap.Input{World: w, Effort: picture.Fast}, p.Lightmap)
	if err != nil {
		t.Fatal(err)
	}
	scene, err := assemble(limit.WithDefaults(t.Context()), p, w, meshes, atlas, s, nil, report.New("test", 100))
	if err != nil {
		t.Fatal(err)
	}
	return scene
}

// The second of three displacements has a baked image of 4 x 4 pixels. The centres of the outermost pixels are on its
// border. Two of its triangles are removed, so that its vertices are not the whole grid.
func TestABakedDisplacementIsOneMaterial(t *testing.T) {
	m, own := plainMaterial("ground"), plainMaterial("ground face 7")
	m.Layers = []pbr.Material{plainMaterial("grass")}
	own.Base = pbr.Slot{Image: 0, UV: [6]float64{0.75, 0, 0.125, 0, -0.75, 0.875}, Clamp: true}
	w := &world.World{Materials: []world.Material{{Name: "ground"}}, Models: []world.Model{{Name: "*0", Surfaces: []world.Surface{bent(0), bent(0), unblended(0)}}}}
	d := w.Models[0].Surfaces[1].Shape.(*world.Displacement)
	d.Removed = make([]bool, 32)
	d.Removed[0], d.Removed[1] = true, true // the first square: no other triangle uses its least point
	made := &materials.Set{Materials: []pbr.Material{m}, Images: []materials.Image{{Name: "i", MIME: "image/png", Data: []byte("png")}},
		Baked: []materials.Baked{{Model: 0, Surface: 1, Material: own}}}
	for _, c := range []struct {
		set               string
		primitives, verts int
	}{{"geometry.displacements=true", 10, 24}, {"geometry.displacements=false", 10, 4}} {
		s := withSet(t, set(t, c.set), w, made)
		p := s.Meshes[0].Primitives
		if len(p) != c.primitives {
			t.Fatalf("%s: %d primitives", c.set, len(p))
		}
		at := len(p) - 1 // after the first displacement and its bands; the flat one is merged into the first
		if got := s.Materials[p[at].Material].Name; got != "ground face 7" || len(p[at].Positions) != c.verts {
			t.Fatalf("%s: %s with %d vertices", c.set, got, len(p[at].Positions))
		}
		// The corners at column and row 4 0, 0 4 and 4 4.
		found := 0
		for i, pos := range p[at].Positions {
			for corner, uv := range map[int][2]float32{1: {0.125, 0.125}, 2: {0.875, 0.125}, 3: {0.875, 0.875}} {
				if v := d.Corners[corner].Position; pos == (axes.Axes{Unit: 1}).Point(v) {
					found++
					if p[at].UV[i] != uv {
						t.Errorf("%s: corner %d: %v, want %v", c.set, corner, p[at].UV[i], uv)
					}
				}
			}
		}
		if found != 3 {
			t.Errorf("%s: %d corners", c.set, found)
		}
	}
	// A clamped texture has mipmaps.
	doc, _ := readGLB(t, glb(t, withSet(t, defaults(), w, made)))
	for _, m := range doc.Materials {
		if b := m.PBRMetallicRoughness.BaseColorTexture; b != nil {
			if s := doc.Samplers[*doc.Textures[b.Index].Sampler]; s.WrapS != gltf.WrapClampToEdge || s.MinFilter != gltf.MinLinearMipMapLinear {
				t.Errorf("%+v", s)
			}
		}
	}
}

// Layers with weights are blended by those, a layer without weights by the alpha.
func TestLayersHaveWeightsOfTheirOwn(t *testing.T) {
	s := bent(0)
	d := s.Shape.(*world.Displacement)
	weights := make([][4]float32, 25)
	for i := range weights {
		weights[i] = [4]float32{0, 0, float32(i%5) / 4, 1}
	}
	mesh := geometry.Mesh{Vertices: make([]world.Vertex, 25), Blends: weights}
	for i := range mesh.Vertices {
		mesh.Vertices[i].Color[3] = d.Alpha[i]
	}
	for _, c := range []struct {
		weight int
		blends [][4]float32
		want   float32 // at row 1, column 3
	}{{0, weights, 0.25}, {0, nil, 0.25}, {1, weights, 0}, {2, weights, 0.75}, {3, weights, 1}, {1, nil, 0.25}, {2, nil, 0}} {
		mesh.Blends = c.blends
		if got := weighed(&mesh, c.weight).Vertices[8].Color[3]; got != c.want {
			t.Errorf("weight %d: %v, want %v", c.weight, got, c.want)
		}
	}
	if mesh.Vertices[8].Color[3] != 0.25 {
		t.Error("the mesh itself has changed")
	}
}
