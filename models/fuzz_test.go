package models

import (
	"math"
	"os"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/md3test"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// FuzzFrames reads models by themselves with all that moves them, and as they play in a map.
func FuzzFrames(f *testing.F) {
	testkit.Unminimized(f)
	f.Add(rising().Bytes(), uint8(0))
	f.Add(md3test.Model{Frames: 2, Surfaces: []md3test.Surface{rising().Surfaces[0]}}.Bytes(), uint8(0))
	for i, name := range []string{"signpost", "outside"} {
		data, err := os.ReadFile("../testdata/goldsrc/models/" + name + ".mdl")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, uint8(9+4*i)) // in its second sequence
	}
	f.Fuzz(func(t *testing.T, data []byte, form uint8) {
		name := "models/a." + []string{"md3", "mdl", "md2", "spr"}[form%4]
		files := fstest.MapFS{name: {Data: data}}
		b := limit.NewBudget(limit.Limits{MaxMemory: 64 << 20})
		ctx := limit.With(t.Context(), b)
		if w, err := File(ctx, files, name, DefaultOptions(), DefaultFileOptions()); err == nil {
			soundModels(t, w)
		}
		o := DefaultOptions()
		if form&4 != 0 {
			o.Animations = AnimationsAll
		}
		w := &world.World{Models: []world.Model{{}}, Props: []world.Prop{{
			Model: name, Index: world.NoModel, Entity: world.NoEntity, Scale: [3]float32{1, 1, 1},
			Appearance: world.Appearance{Plays: world.Repeated, Sequence: int(form >> 3)},
		}}}
		if err := Gather(limit.With(t.Context(), limit.NewBudget(limit.Limits{MaxMemory: 64 << 20})), files, w, o); err == nil {
			soundModels(t, w)
		}
	})
}

// soundModels reports whether what moves models fits their vertices, and can be written.
func soundModels(t *testing.T, w *world.World) {
	t.Helper()
	for i := range w.Models {
		m := &w.Models[i]
		for k := range m.Surfaces {
			s, ok := m.Surfaces[k].Shape.(*world.Triangles)
			if !ok {
				continue
			}
			if m.Skeleton != nil && len(s.Bindings) != len(s.Vertices) {
				t.Fatalf("%d bindings of %d vertices", len(s.Bindings), len(s.Vertices))
			}
			for _, b := range s.Bindings {
				for j, bone := range b.Bones {
					if int(bone) >= len(m.Skeleton.Bones) || !(b.Weights[j] >= 0 && b.Weights[j] <= 1) {
						t.Fatalf("%+v of %d bones", b, len(m.Skeleton.Bones))
					}
				}
			}
			if m.MorphTargets != nil && len(s.MorphTargets) != m.MorphTargets.Frames-1 {
				t.Fatalf("%d shifts in %d frames", len(s.MorphTargets), m.MorphTargets.Frames)
			}
			for _, shift := range s.MorphTargets {
				if !soundShift(&shift, len(s.Vertices)) {
					t.Fatalf("a shift of %d of %d vertices", len(shift.Positions), len(s.Vertices))
				}
				for _, p := range shift.Positions {
					finite(t, float64(p[0]), float64(p[1]), float64(p[2]))
				}
			}
		}
		if m.MorphTargets != nil {
			for _, q := range m.MorphTargets.Sequences {
				for _, frame := range q.Frames {
					if frame < 0 || frame >= m.MorphTargets.Frames {
						t.Fatalf("frame %d of %d", frame, m.MorphTargets.Frames)
					}
				}
			}
		}
		if m.Skeleton != nil {
			soundSkeleton(t, m.Skeleton)
		}
	}
}

// soundShift reports whether a shift is of all vertices, of some in their order, or of none.
func soundShift(s *world.MorphTarget, vertices int) bool {
	if s.Vertices == nil {
		return len(s.Positions) == len(s.Normals) && (len(s.Positions) == vertices || len(s.Positions) == 0)
	}
	for i, v := range s.Vertices {
		if int(v) >= vertices || i > 0 && v <= s.Vertices[i-1] {
			return false
		}
	}
	return len(s.Positions) == len(s.Vertices) && len(s.Normals) == len(s.Vertices)
}

func soundSkeleton(t *testing.T, s *world.Skeleton) {
	t.Helper()
	if s.Shown >= len(s.Sequences) {
		t.Fatalf("sequence %d of %d is shown", s.Shown, len(s.Sequences))
	}
	for i := range s.Bones {
		b := &s.Bones[i]
		finite(t, b.Position[:]...)
		finite(t, b.Rotation[:]...)
		for _, row := range b.Inverse {
			finite(t, row[:]...)
		}
		if b.Parent >= i {
			t.Fatalf("bone %d hangs on %d", i, b.Parent)
		}
	}
	for _, q := range s.Sequences {
		if len(q.Tracks) != len(s.Bones) || q.Frames < 1 || !(q.FPS > 0) {
			t.Fatalf("%q: %d tracks of %d bones, %d frames, %g a second", q.Name, len(q.Tracks), len(s.Bones), q.Frames, q.FPS)
		}
		for _, track := range q.Tracks {
			for _, p := range track.Positions {
				finite(t, float64(p[0]), float64(p[1]), float64(p[2]))
			}
			for _, p := range track.Rotations {
				finite(t, float64(p[0]), float64(p[1]), float64(p[2]), float64(p[3]))
			}
		}
	}
}

func finite(t *testing.T, v ...float64) {
	t.Helper()
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("%g", v)
		}
	}
}
