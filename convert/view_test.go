package convert

import (
	"context"
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/convert/thumb"
)

// opened is the scene of a map as it is written to a file with this extension.
func opened(t *testing.T, in, ext string) (s *scene.Scene) {
	t.Helper()
	_, err := Run(t.Context(), Job{
		Pipeline: defaults(), In: filepath.FromSlash(in), Out: filepath.Join(t.TempDir(), "out."+ext),
		Show: func(_ context.Context, of *scene.Scene) error { s = of; return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A page begins where a thumbnail is taken; other files say nothing of that.
func TestPagesOpenWithTheViewOfThumbnails(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"demo/maps/demo.bsp", "goldsrc/maps/entities.bsp", "source/maps/sky3d.bsp"} {
		in = "../testdata/" + in
		if eye, ok := opened(t, in, "glb").StartView(); ok {
			t.Errorf("%s: a .glb begins at %v", in, eye)
		}
		s := opened(t, in, "html")
		want, err := thumb.Find(t.Context(), s, nil)
		got, ok := s.StartView()
		if err != nil || !ok {
			t.Fatalf("%s: %v, %v", in, got, err)
		}
		far := max(math.Abs(got.Yaw-want.Yaw), math.Abs(got.Pitch-want.Pitch))
		for k := range got.Position {
			far = max(far, math.Abs(got.Position[k]-want.Position[k]))
		}
		if far > 0.001 {
			t.Errorf("%s: the page begins at %v, a thumbnail at %v", in, got, want)
		}
	}
}

// A page states which textures and models were not found; other files, and pages that lack nothing, say nothing of that.
func TestPagesStateWhatIsMissing(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]scene.Missing{
		"demo/maps/demo.bsp":        {},
		"features/maps/missing.bsp": {Textures: 1, Names: []string{"textures/features/missing"}},
	} {
		if got := opened(t, "../testdata/"+in, "glb").Missing(); got.Names != nil {
			t.Errorf("%s: a .glb states %v", in, got)
		}
		if got := opened(t, "../testdata/"+in, "html").Missing(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", in, got, want)
		}
	}
}

// A scene of the library has the same camera as a file of the command.
func TestTheCameraOfTheFirstViewIsThatOfTheCommand(t *testing.T) {
	t.Parallel()
	in := filepath.FromSlash("../testdata/source/maps/sky3d.bsp")
	p := set(t, "entities.start_camera=true")
	mine, _ := convertMap(t, p, in)
	var files *scene.Scene
	if _, err := Run(t.Context(), Job{
		Pipeline: p, In: in, Out: filepath.Join(t.TempDir(), "out.glb"),
		Show: func(_ context.Context, of *scene.Scene) error { files = of; return nil },
	}); err != nil {
		t.Fatal(err)
	}
	camera := func(s *scene.Scene) (n scene.Node) {
		for i := range s.Nodes {
			if s.Nodes[i].Name == scene.StartCamera {
				n = s.Nodes[i]
			}
		}
		return n
	}
	got, want := camera(mine), camera(files)
	if want.Name == "" || got.Translation != want.Translation || got.Rotation != want.Rotation {
		t.Errorf("the library's camera is at %v, %v, the command's at %v, %v", got.Translation, got.Rotation, want.Translation, want.Rotation)
	}
}

// A model has no solids that a page could lack.
func TestPagesOfModelsLackNoSolids(t *testing.T) {
	t.Parallel()
	r, err := Run(t.Context(), Job{
		Pipeline: defaults(), Model: true, In: filepath.FromSlash("../testdata/goldsrc/models/walker.mdl"),
		Out: filepath.Join(t.TempDir(), "out.html"),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range r.Issues {
		if w.Code == "collision-missing" {
			t.Error(w)
		}
	}
}
