package convert

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
)

// fixtures returns the maps of testdata.
func fixtures(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, folder := range []string{"demo/maps", "features/maps", "source/maps", "source/variants", "respawn/maps"} {
		list, err := filepath.Glob("../testdata/" + folder + "/*.bsp")
		if err != nil || len(list) == 0 {
			t.Fatalf("no maps in testdata/%s: %v", folder, err)
		}
		all = append(all, list...)
	}
	return all
}

func mapName(file string) string { return strings.TrimSuffix(filepath.Base(file), ".bsp") }

// All tests of conversions share these.
var (
	set           = scenetest.Set
	plainMaterial = scenetest.PlainMaterial
	findNode      = scenetest.FindNode
	readGLB       = scenetest.ReadGLB
	near          = scenetest.Near
	rotate        = scenetest.Rotate
	floats        = scenetest.Floats
	indices       = scenetest.Indices
	glb           = scenetest.GLB
	contents      = scenetest.Contents
	asIs          = scenetest.AsIs
)

var defaults = sync.OnceValue(pipeline.Default)

// convertMap converts a map of testdata. Every face of the file is kept or dropped for a reason, once.
func convertMap(t testing.TB, p pipeline.Pipeline, file string) (*scene.Scene, *report.Report) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, r, err := Map(t.Context(), p, Source{
		Name: mapName(file), Reader: bytes.NewReader(data), Size: int64(len(data)),
		Files: os.DirFS(filepath.Join(filepath.Dir(file), "..")),
	})
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	n := r.Surfaces.Kept
	for _, k := range r.Surfaces.Dropped {
		n += k
	}
	if n != r.Surfaces.Total || r.Surfaces.Total == 0 {
		t.Errorf("%s: %d of %d faces: %+v", file, n, r.Surfaces.Total, r.Surfaces)
	}
	if e := r.Entities; e.Total != e.Nodes+e.Skipped {
		t.Errorf("%s: %+v", file, e)
	}
	return s, r
}

// failing is a writer that fails after n bytes.
type failing struct {
	n   int
	err error
}

func (f *failing) Write(b []byte) (int, error) {
	if len(b) > f.n {
		return f.n, f.err
	}
	f.n -= len(b)
	return len(b), nil
}

var _ io.Writer = (*failing)(nil)

// recovers reports whether the build recovers from panics.
func recovers() (yes bool) {
	defer func() {
		if recover() != nil {
			yes = false
		}
	}()
	return par.Guard(func() error { panic("a test") })() != nil
}
