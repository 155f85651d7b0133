package convert

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
)

// fixtures returns the maps of testdata.
func fixtures(t testing.TB) []string { return scenetest.Fixtures(t, "../testdata") }

// All tests of conversions share these.
var (
	set      = scenetest.Set
	readGLB  = scenetest.ReadGLB
	glb      = scenetest.GLB
	contents = scenetest.Contents
	listing  = scenetest.Listing
	asIs     = scenetest.AsIs
	mapName  = scenetest.MapName
	defaults = scenetest.Defaults
)

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
	scenetest.CheckCounts(t, file, r)
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
