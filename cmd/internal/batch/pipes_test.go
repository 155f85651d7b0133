//go:build unix

package batch_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
)

// A folder with pipes is read to its end: a pipe is a problem, and nothing waits for its other end.
func TestPipesInAFolder(t *testing.T) {
	in := tree(t, map[string]string{"a.bsp": "ok", "real.zip": zipOf(t, "z.bsp")})
	for _, name := range []string{"b.zip", "c_dir.vpk", "d.bsp", "e.pk3", "f.bsp.bz2", "g.pak", "h.mdl"} {
		if err := syscall.Mkfifo(filepath.Join(in, name), 0o600); err != nil {
			t.Skip(err)
		}
	}
	o := options(in, t.TempDir())
	if tally := run(t, o); tally.Converted != 2 || len(o.Problems) != 6 {
		t.Errorf("%+v, %v", tally, o.Problems)
	}
	for _, p := range o.Problems {
		if !strings.Contains(p.Err.Error(), "pipe") {
			t.Errorf("%s: %v", p.Path, p.Err)
		}
	}
	inputs, problems := batch.Expand(t.Context(), batch.Sources{Args: []string{in}, Models: true})
	if len(inputs) != 0 || len(problems) == 0 {
		t.Errorf("%v %v", inputs, problems)
	}
	_ = os.Remove(filepath.Join(in, "b.zip"))
}
