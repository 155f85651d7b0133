package thumb_test

import (
	"bytes"
	"context"
	"image"
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/convert/thumb"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
)

// converted returns the scene of a map of testdata.
func converted(t *testing.T, name string, sets ...string) (s *scene.Scene) {
	t.Helper()
	layers := []pipeline.Layer{pipeline.SetLayer("sky.mode=mesh")}
	for _, set := range sets {
		layers = append(layers, pipeline.SetLayer(set))
	}
	config, err := pipeline.Load(layers...)
	if err != nil {
		t.Fatal(err)
	}
	_, err = convert.Run(t.Context(), convert.Job{
		Pipeline: config.Pipeline, Model: inputfile.IsModel(name), In: "../../testdata/" + name,
		Show: func(_ context.Context, shown *scene.Scene) error { s = shown; return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Models with skins are seen where their joints stand, as without skins.
func TestPicturesShowSkins(t *testing.T) {
	for _, test := range []struct{ in, with, without string }{
		{"goldsrc/maps/entities.bsp", "models.animations=start", "models.animations=none"},
		{"source/models/ours/gate.mdl", "model.skeleton=true", "model.skeleton=false"},
		{"goldsrc/models/signpost.mdl", "model.skeleton=true", "model.skeleton=false"},
	} {
		model := inputfile.IsModel(test.in)
		var seen [2]*image.NRGBA
		for i, set := range []string{test.with, test.without} {
			s := converted(t, test.in, set)
			if skins := len(s.Skins) > 0; skins != (i == 0) {
				t.Fatalf("%s, %s: %d skins", test.in, set, len(s.Skins))
			}
			var err error
			seen[i], err = thumb.Draw(t.Context(), s, thumb.Options{Width: 160, Height: 90, Model: model, Eye: eyeOf(model)})
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, deviation := spread(seen[0]); deviation < 10 {
			t.Errorf("%s: deviation %.1f: next to nothing is seen", test.in, deviation)
		}
		differ := 0
		for i, v := range seen[0].Pix {
			if d := int(v) - int(seen[1].Pix[i]); d < -16 || d > 16 {
				differ++
			}
		}
		if differ > len(seen[0].Pix)/200 { // the edges of triangles
			t.Errorf("%s: %d of %d values differ", test.in, differ, len(seen[0].Pix))
		}
	}
}

// eyeOf returns an eye that sees the posts of entities.bsp, and none for a model.
func eyeOf(model bool) *thumb.MapEye {
	if model {
		return nil
	}
	return &thumb.MapEye{Position: [3]float64{-200, -200, 200}, Pitch: 30, Yaw: 45}
}

// spread returns the mean distance of a picture's brightness from its mean, and the mean.
func spread(im *image.NRGBA) (mean, deviation float64) {
	n, sum, squares := 0.0, 0.0, 0.0
	for i := 0; i < len(im.Pix); i += 4 {
		v := float64(im.Pix[i])
		n, sum, squares = n+1, sum+v, squares+v*v
	}
	mean = sum / n
	return mean, math.Sqrt(squares/n - mean*mean)
}

func TestPicturesShowTheMap(t *testing.T) {
	for _, name := range []string{"demo/maps/demo.bsp", "source/maps/showcase.bsp", "goldsrc/maps/surfaces.bsp"} {
		s := converted(t, name)
		for _, plan := range []bool{false, true} {
			im, err := thumb.Draw(t.Context(), s, thumb.Options{Width: 160, Height: 90, Plan: plan})
			if err != nil {
				t.Fatal(err)
			}
			if mean, deviation := spread(im); mean < 10 || deviation < 10 {
				t.Errorf("%s, plan %v: mean %.1f, deviation %.1f: next to nothing is seen", name, plan, mean, deviation)
			}
		}
	}
}

// All of a model is in its picture: nothing of it is at the border.
func TestPicturesOfModels(t *testing.T) {
	config, err := pipeline.Load(pipeline.SetLayer("model.skeleton=false"))
	if err != nil {
		t.Fatal(err)
	}
	var im *image.NRGBA
	_, err = convert.Run(t.Context(), convert.Job{
		Pipeline: config.Pipeline, Model: true, In: "../../testdata/goldsrc/models/signpost.mdl",
		Show: func(ctx context.Context, s *scene.Scene) (err error) {
			im, err = thumb.Draw(ctx, s, thumb.Options{Width: 96, Height: 96, Model: true})
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if mean, deviation := spread(im); mean < 2 || deviation < 10 {
		t.Errorf("mean %.1f, deviation %.1f: next to nothing is seen", mean, deviation)
	}
	for i := range 96 {
		for _, at := range []image.Point{{i, 0}, {i, 95}, {0, i}, {95, i}} {
			if r, g, b, _ := im.At(at.X, at.Y).RGBA(); r|g|b != 0 {
				t.Fatalf("the model is cut off at %v", at)
			}
		}
	}
	// It fills the picture: the smallest box of what is seen is nearly as high or as wide.
	seen := image.Rectangle{Min: image.Pt(96, 96)}
	for i := range 96 * 96 {
		if at := image.Pt(i%96, i/96); im.NRGBAAt(at.X, at.Y).A > 0 {
			seen = image.Rect(min(seen.Min.X, at.X), min(seen.Min.Y, at.Y), max(seen.Max.X, at.X+1), max(seen.Max.Y, at.Y+1))
		}
	}
	if max(seen.Dx(), seen.Dy()) < 80 {
		t.Errorf("the model takes only %v of the picture", seen)
	}
}

// The sky around a map and its 3D skybox are not in its plan, and do not shrink it.
func TestPlansShowOnlyTheMap(t *testing.T) {
	for name, without := range map[string]string{
		"demo/maps/demo.bsp": "sky.mode=none", "source/maps/sky3d.bsp": "sky.box=false", "goldsrc/maps/surfaces.bsp": "sky.mode=none",
	} {
		var pictures [2]*image.NRGBA
		for i, s := range []*scene.Scene{converted(t, name, "output.extras=false"), converted(t, name, "output.extras=false", without)} {
			im, err := thumb.Draw(t.Context(), s, thumb.Options{Width: 96, Height: 54, Plan: true})
			if err != nil {
				t.Fatal(err)
			}
			pictures[i] = im
		}
		if !bytes.Equal(pictures[0].Pix, pictures[1].Pix) {
			t.Errorf("%s: the plan is another one with %s", name, without)
		}
	}
}

// Solids for physics are in the file, but nothing that is seen: neither the exposure nor a picture changes with them.
func TestSolidsForPhysicsAreNotSeen(t *testing.T) {
	t.Parallel()
	without := converted(t, "source/maps/showcase.bsp")
	want := without.Extras["bsp2gltf_exposure"]
	for _, kind := range []string{"brushes", "omi", "unreal"} {
		with := converted(t, "source/maps/showcase.bsp", "geometry.collision="+kind)
		if len(with.Nodes) <= len(without.Nodes) {
			t.Fatalf("%s: %d nodes, %d without solids", kind, len(with.Nodes), len(without.Nodes))
		}
		if got := with.Extras["bsp2gltf_exposure"]; got != want || want == 1.0 {
			t.Errorf("%s: exposure %v, %v without solids", kind, got, want)
		}
	}
}
