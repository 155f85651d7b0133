// Package converttest converts maps of testdata, for tests of the packages below convert.
package converttest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// Map converts a map of testdata. Every face of the file is kept or dropped for a reason, once.
func Map(t testing.TB, p pipeline.Pipeline, file string) (*scene.Scene, *report.Report) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, r, err := convert.Map(t.Context(), p, convert.Source{
		Name: scenetest.MapName(file), Reader: bytes.NewReader(data), Size: int64(len(data)),
		Files: os.DirFS(filepath.Join(filepath.Dir(file), "..")),
	})
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	scenetest.CheckCounts(t, file, r)
	return s, r
}
