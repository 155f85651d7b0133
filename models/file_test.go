package models

import (
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// stands returns the matrices that take vertices to where the bones put them.
func stands(bones []world.Bone) []space.Matrix {
	global, out := make([]space.Matrix, len(bones)), make([]space.Matrix, len(bones))
	for i := range bones {
		x, y, z, w := bones[i].Rotation[0], bones[i].Rotation[1], bones[i].Rotation[2], bones[i].Rotation[3]
		p := bones[i].Position
		global[i] = space.Matrix{
			{1 - 2*(y*y+z*z), 2 * (x*y - w*z), 2 * (x*z + w*y), p[0]},
			{2 * (x*y + w*z), 1 - 2*(x*x+z*z), 2 * (y*z - w*x), p[1]},
			{2 * (x*z - w*y), 2 * (y*z + w*x), 1 - 2*(x*x+y*y), p[2]},
		}
		if parent := bones[i].Parent; parent >= 0 {
			global[i] = global[parent].Times(&global[i])
		}
		inverse := space.Matrix(bones[i].Inverse)
		out[i] = global[i].Times(&inverse)
	}
	return out
}

// farthest returns how far the vertices of a skinned model are from those of the baked one, relative to the greatest coordinate from 1
// on. It fails if they differ otherwise.
func farthest(t *testing.T, skinned, baked *world.Model) (most float64) {
	t.Helper()
	if len(skinned.Surfaces) != len(baked.Surfaces) {
		t.Fatalf("%d and %d surfaces", len(skinned.Surfaces), len(baked.Surfaces))
	}
	bones := stands(skinned.Skeleton.Bones)
	for i := range skinned.Surfaces {
		s, b := skinned.Surfaces[i].Shape.(*world.Triangles), baked.Surfaces[i].Shape.(*world.Triangles)
		if len(s.Vertices) != len(b.Vertices) || len(s.Bindings) != len(s.Vertices) {
			t.Fatalf("surface %d: %d and %d vertices, %d bindings", i, len(s.Vertices), len(b.Vertices), len(s.Bindings))
		}
		for k := range s.Vertices {
			var at [3]float64
			sum := float32(0)
			for j, weight := range s.Bindings[k].Weights {
				sum += weight
				p := bones[s.Bindings[k].Bones[j]].Point(s.Vertices[k].Position)
				for x := range at {
					at[x] += float64(weight) * p[x]
				}
			}
			if math.Abs(float64(sum)-1) > 1e-6 {
				t.Fatalf("surface %d: vertex %d: weights %v", i, k, s.Bindings[k].Weights)
			}
			for x := range at {
				want := float64(b.Vertices[k].Position[x])
				most = max(most, math.Abs(at[x]-want)/max(1, math.Abs(want)))
			}
		}
	}
	return most
}

// both returns a model with its skeleton, and the same baked.
func both(t *testing.T, files fs.FS, name string) (skinned, baked *world.Model, err error) {
	t.Helper()
	var out [2]*world.Model
	for i, skeleton := range []bool{true, false} {
		w, err := File(t.Context(), files, name, DefaultOptions(), FileOptions{Skeleton: skeleton})
		if err != nil {
			return nil, nil, err
		}
		out[i] = &w.Models[w.Props[0].Index]
	}
	return out[0], out[1], nil
}

// Bones that stand as the skeleton says move the vertices to where they are in maps.
func TestSkinnedVerticesAreWhereTheBakedOnesAre(t *testing.T) {
	for _, at := range []string{"../testdata/source:models/ours/gate.mdl", "../testdata/goldsrc:models/signpost.mdl",
		"../testdata/goldsrc:models/outside.mdl"} {
		root, name, _ := strings.Cut(at, ":")
		skinned, baked, err := both(t, os.DirFS(root), name)
		if err != nil || skinned.Skeleton == nil || baked.Skeleton != nil {
			t.Fatalf("%s: %v, skeletons %v and %v", at, err, skinned.Skeleton, baked.Skeleton)
		}
		if far := farthest(t, skinned, baked); far > 1e-5 {
			t.Errorf("%s: a vertex is %g away", at, far)
		}
	}
}

// The same for all models of the corpus.
func TestSkinnedVerticesOfRealModels(t *testing.T) {
	read, still := 0, 0
	_ = filepath.WalkDir(testkit.Corpus(t), func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.EqualFold(filepath.Ext(at), ".mdl") {
			return nil
		}
		folder, name := filepath.Dir(at), strings.ToLower(filepath.Base(at))
		if root, inner, ok := strings.Cut(filepath.ToSlash(at), "/models/"); ok {
			folder, name = root, path.Join("models", strings.ToLower(inner))
		}
		files, err := assets.Open(t.Context(), []string{folder})
		if err != nil {
			t.Fatal(err)
		}
		defer files.Close()
		skinned, baked, err := both(t, files, name)
		switch {
		case err != nil: // files of textures alone, and what is beside a model that is missing
		case skinned.Skeleton == nil:
			still++
		default:
			read++
			if far := farthest(t, skinned, baked); far > 1e-4 {
				t.Errorf("%s: a vertex is %g away", at, far)
			}
		}
		return nil
	})
	t.Logf("%d models with a skeleton, %d without", read, still)
}

// Parts with one variant stay together; of the others each variant is a prop. The body number chooses those that are shown: 7 is the second
// head and the third gun.
func TestVariantsAreProps(t *testing.T) {
	list := []world.BodyPart{
		{Name: "body", Variants: []string{"body"}, Base: 1}, {Name: "head", Variants: []string{"bare", "helmet", "hat"}, Base: 1},
		{Name: "gun", Variants: []string{"none", "pistol", "rifle"}, Base: 3},
	}
	of := func([]byte) ([]world.BodyPart, error) { return list, nil }
	got, issue, err := grouped(world.Prop{Appearance: world.Appearance{Body: 7}}, nil, of)
	if err != nil || issue != nil || len(got) != 7 || got[0].Appearance.Group != nil || got[0].Appearance.BodyParts.Part != -1 {
		t.Fatalf("%+v, %v, %v", got, issue, err)
	}
	shown := ""
	for _, p := range got[1:] {
		if p.Appearance.Group.Shown {
			shown += p.Appearance.Group.Part + " " + p.Appearance.Group.Variant + "; "
		}
	}
	if shown != "head helmet; gun rifle; " {
		t.Error(shown)
	}
	list[1].Variants = make([]string, maxGroups)
	if got, issue, _ = grouped(world.Prop{}, nil, of); issue == nil || len(got) != maxGroups+1 {
		t.Errorf("%d props, %v", len(got), issue)
	}
	list = list[:1]
	if got, _, _ = grouped(world.Prop{}, nil, of); len(got) != 1 || got[0].Appearance.BodyParts != (world.BodyPartFilter{}) {
		t.Errorf("%+v", got)
	}
}
