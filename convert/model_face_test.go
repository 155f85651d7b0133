package convert

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/sourcemdl"
)

// mask writes a triangle with a smile that lifts its first two corners, and another triangle without, and returns the model's name. By
// half floats the smile is 1 unit for the first corner, on the right, and 2 for the second, on the left.
func mask(t *testing.T) string {
	t.Helper()
	corner := func(x, y float32) sourcemdl.Vertex {
		return sourcemdl.Vertex{Weights: [3]float32{1}, Count: 1, Position: [3]float32{x, y, 0}, Normal: [3]float32{0, 0, 1}}
	}
	face := sourcemdl.Mesh{
		Vertices: []sourcemdl.Vertex{corner(0, 0), corner(10, 0), corner(0, 10)},
		Levels:   [][]sourcemdl.Group{{{Vertices: []uint16{0, 1, 2}, Strips: []sourcemdl.Strip{{Indices: []uint16{0, 2, 1}}}}}},
	}
	body := face
	body.Skin = 1
	face.Flexes = []sourcemdl.Flex{{Name: 1, Ramp: [4]float32{0, 1, 10, 11}, Pair: 2, Vertices: []sourcemdl.FlexVertex{
		{Vertex: 0, By: [3]uint16{2: 0x3c00}}, {Vertex: 1, Side: 255, By: [3]uint16{2: 0x4000}}}}}
	m := sourcemdl.Model{
		Bones:    []sourcemdl.Bone{{Name: "head", Parent: -1}},
		Textures: []string{"face", "body"}, Folders: []string{"ours/"}, Skins: [][]int16{{0, 1}},
		Face: &sourcemdl.Face{
			Names: []string{"none", "smile.R", "smile.L"}, Controllers: []sourcemdl.Controller{{Kind: "mouth", Name: "smile", Most: 1}},
			Rules: []sourcemdl.Rule{{Name: 1, Terms: [][2]uint32{{2, 0}}}},
		},
		Parts: []sourcemdl.Part{{Base: 1, Variants: []sourcemdl.Variant{{Meshes: []sourcemdl.Mesh{face, body}}}}},
	}
	dir := filepath.Join(t.TempDir(), "models")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for ext, data := range m.Files() {
		if err := os.WriteFile(filepath.Join(dir, "mask"+ext), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "mask.mdl")
}

// Flexes are morph targets of all primitives, with names that importers keep.
func TestModelWithFlexes(t *testing.T) {
	in := mask(t)
	doc := modelDoc(t, in, nil)
	mesh := doc.Meshes[0]
	extras, _ := mesh.Extras.(map[string]any)
	names, _ := extras["targetNames"].([]any)
	if !slices.Equal(names, []any{"smile.R", "smile.L"}) || len(mesh.Primitives) != 2 {
		t.Fatalf("targets %v of %d primitives", extras, len(mesh.Primitives))
	}
	for i, want := range [][2][3]float64{{{0, 0.0254, 0}, {0, 0.0508, 0}}, {}} {
		if n := len(mesh.Primitives[i].Targets); n != 2 {
			t.Fatalf("primitive %d has %d targets", i, n)
		}
		for k, target := range mesh.Primitives[i].Targets {
			a := doc.Accessors[target[gltf.POSITION]]
			if a.Count != 3 || (a.Sparse == nil) != (i == 1) {
				t.Errorf("primitive %d, target %d: %+v", i, k, a)
			}
			for x := range 3 {
				if d := a.Max[x] - want[k][x]; a.Min[x] != 0 || d > 1e-6 || d < -1e-6 {
					t.Errorf("primitive %d, target %d goes from %g to %g", i, k, a.Min, a.Max)
				}
			}
		}
	}
	root, _ := doc.Nodes[1].Extras.(map[string]any)
	if root["flex_controllers"] != "smile mouth 0 1" || root["flex_rules"] != "smile.R = smile" || root["flex_ramps"] != nil {
		t.Errorf("%v", root)
	}
	without := modelDoc(t, in, func(j *Job) { j.Pipeline.Model.Flexes = false })
	if len(without.Meshes[0].Primitives[0].Targets) > 0 || without.Meshes[0].Extras != nil {
		t.Error("flexes that are not wanted")
	}
	plain := modelDoc(t, in, func(j *Job) { j.Pipeline.Output.Extras = false })
	if len(plain.Meshes[0].Primitives[0].Targets) != 2 || plain.Meshes[0].Extras != nil {
		t.Error("extras that are not wanted, or no targets")
	}
}
