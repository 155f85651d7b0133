package write

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// A file of an output that grows beyond MaxOutput is a limit, not a full disk, and nothing of it is left.
func TestMaxOutputBoundsEachFile(t *testing.T) {
	s := &scene.Scene{Name: "map", Unit: 1, Nodes: []scene.Node{scene.NewNode("root", scene.None)}}
	folder := t.TempDir()
	for _, c := range []struct {
		most int64
		ok   bool
	}{{10, false}, {1 << 20, true}} {
		ctx := limit.With(t.Context(), limit.NewBudget(limit.Limits{MaxOutput: c.most}))
		var out bytes.Buffer
		for _, to := range []Target{{Out: filepath.Join(folder, "out.glb")}, {Out: "-", Stdout: &out}} {
			to.ImageDir = "{name}_textures"
			_, err := Write(ctx, s, to, FindFormat("glb"))
			if (err == nil) != c.ok || err != nil && (!errors.Is(err, limit.ErrLimit) || errors.Is(err, limit.ErrWrite)) {
				t.Errorf("%d bytes, %s: %v", c.most, to.Out, err)
			}
		}
		if left, _ := os.ReadDir(folder); (len(left) > 0) != c.ok {
			t.Errorf("%d bytes: %v is left", c.most, left)
		}
	}
}
