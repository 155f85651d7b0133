package command

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
)

// The scripts find room.vtf, whose faces are each of one half, from 0x2c00, a sixteenth, on.
func TestTextureScripts(t *testing.T) {
	room := vtf.File{Minor: 5, Width: 2, Height: 2, Mips: 2, Faces: 6, Flags: vtf.EnvMap, Format: vtf.RGBA16161616F}
	room.Slice = func(mip, _, face, _ int) []byte {
		return slices.Repeat([]byte{0, 0x2c + byte(face)}, 4*(2>>mip)*(2>>mip))
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/texture",
		Setup: func(e *testscript.Env) error {
			return os.WriteFile(filepath.Join(e.WorkDir, "room.vtf"), room.Write(), 0o666)
		},
	})
}
