package write_test

import (
	"io"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/converttest"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
)

var (
	set           = scenetest.Set
	plainMaterial = scenetest.PlainMaterial
	readGLB       = scenetest.ReadGLB
	floats        = scenetest.Floats
	indices       = scenetest.Indices
	glb           = scenetest.GLB
	contents      = scenetest.Contents
	listing       = scenetest.Listing
	asIs          = scenetest.AsIs
	defaults      = scenetest.Defaults
	convertMap    = converttest.Map
	mapName       = scenetest.MapName
)

const demo = "../../../testdata/demo/maps/demo.bsp"

func fixtures(t testing.TB) []string { return scenetest.Fixtures(t, "../../../testdata") }

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
