package convert

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
)

// A conversion with a cold, warm or damaged cache writes the same files as one without a cache.
func TestCacheChangesNothing(t *testing.T) {
	for _, in := range testkit.Some([]string{"../testdata/source/maps/showcase.bsp", "../testdata/demo/maps/demo.bsp"}, 2, 2) {
		if _, err := os.Stat(in); err != nil {
			t.Skip(err)
		}
		dir := t.TempDir()
		write := func(name string, c *Cache) ([]byte, *Report) {
			out := filepath.Join(t.TempDir(), name)
			r, err := Run(t.Context(), Job{Pipeline: DefaultPipeline(), In: in, Out: out, Cache: c})
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			return data, r
		}
		want, report := write("map.glb", nil)
		folder := filepath.Join(dir, "cache")
		for _, state := range []string{"cold", "warm", "damaged"} {
			c, err := OpenCache(folder, 0)
			if err != nil {
				t.Fatal(err)
			}
			if state == "damaged" {
				damage(t, folder)
			}
			got, r := write("map.glb", c)
			if !bytes.Equal(got, want) {
				t.Errorf("%s, %s: another output", in, state)
			}
			if len(r.Textures) != len(report.Textures) || len(r.Issues) != len(report.Issues) {
				t.Errorf("%s, %s: another report", in, state)
			}
			n := c.Counts()
			if warm := state == "warm"; (n.Hits > 0) != warm || (n.Misses > 0) == warm {
				t.Errorf("%s, %s: %s", in, state, n)
			}
		}
	}
}

// damage changes the last byte of each entry.
func damage(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		if err == nil && len(data) > 0 {
			data[len(data)-1] ^= 1
			err = os.WriteFile(p, data, 0o644)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
