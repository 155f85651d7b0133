package convert

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/cache"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
)

// A conversion with a cold, warm or damaged cache writes the same files as one without a cache.
func TestCacheChangesNothing(t *testing.T) {
	for _, in := range testkit.Some([]string{"../testdata/source/maps/showcase.bsp", "../testdata/demo/maps/demo.bsp"}, 2, 2) {
		if _, err := os.Stat(in); err != nil {
			t.Skip(err)
		}
		dir := t.TempDir()
		write := func(name string, c *cache.Cache) ([]byte, *report.Report) {
			out := filepath.Join(t.TempDir(), name)
			r, err := Run(t.Context(), Job{Pipeline: pipeline.Default(), In: in, Out: out, Cache: c})
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
			c, err := cache.Open(folder, 0)
			if err != nil {
				t.Fatal(err)
			}
			if state == "damaged" {
				damage(t, folder)
			}
			links := linkEntries(t, folder)
			got, r := write("map.glb", c)
			if !bytes.Equal(got, want) {
				t.Errorf("%s, %s: another output", in, state)
			}
			if len(r.Textures) != len(report.Textures) || len(r.Issues) != len(report.Issues) {
				t.Errorf("%s, %s: another report", in, state)
			}
			kept, written := compareEntries(t, folder, links)
			if warm := state == "warm"; (kept > 0) != warm || (written > 0) == warm {
				t.Errorf("%s, %s: %d entries kept, %d written", in, state, kept, written)
			}
		}
	}
}

// An entry whose header fits, but whose data is none of what was put there, changes nothing either: not the file, and not that the
// conversion succeeds.
func TestForgedEntriesChangeNothing(t *testing.T) {
	in, folder := "../testdata/source/maps/hdr.bsp", filepath.Join(t.TempDir(), "cache")
	convert := func(c *cache.Cache) map[string]string {
		dir := t.TempDir()
		if _, err := Run(t.Context(), Job{Pipeline: set(t, "lightmap.hdr=always"), In: in, Out: filepath.Join(dir, "m.glb"),
			Cache: c}); err != nil {
			t.Fatal(err)
		}
		return state(t, dir)
	}
	want := convert(nil)
	for what, forged := range map[string]func([]byte) []byte{
		"nothing":  func([]byte) []byte { return nil },
		"a byte":   func([]byte) []byte { return []byte{1} },
		"zeros":    func(b []byte) []byte { return make([]byte, len(b)) },
		"cut":      func(b []byte) []byte { return b[:len(b)/2] },
		"longer":   func(b []byte) []byte { return append(b, 0) },
		"its tail": func(b []byte) []byte { return append(bytes.Clone(b[:8]), make([]byte, max(len(b)-8, 0))...) },
	} {
		c, err := cache.Open(folder, 0)
		if err != nil {
			t.Fatal(err)
		}
		convert(c)
		n := forge(t, folder, forged)
		if got := convert(c); !maps.Equal(got, want) || n == 0 {
			t.Errorf("%s in %d entries: another output", what, n)
		}
		links := linkEntries(t, folder)
		got := convert(c)
		if _, written := compareEntries(t, folder, links); !maps.Equal(got, want) || written > 0 {
			t.Errorf("%s: %d entries were not replaced", what, written)
		}
	}
}

// linkEntries gives each file of a cache a second name in another folder, by which compareEntries knows whether it is still the same.
func linkEntries(t *testing.T, dir string) (links string) {
	t.Helper()
	links = t.TempDir()
	for name := range state(t, filepath.Join(dir, "v1")) {
		link := filepath.Join(links, name)
		if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Link(filepath.Join(dir, "v1", name), link); err != nil {
			t.Skip("the file system has no links: ", err)
		}
	}
	return links
}

// compareEntries counts the files of a cache that stayed as they were, and those that were written or written again.
func compareEntries(t *testing.T, dir, links string) (kept, written int) {
	t.Helper()
	for name := range state(t, filepath.Join(dir, "v1")) {
		info, err := os.Stat(filepath.Join(dir, "v1", name))
		if err != nil {
			t.Fatal(err)
		}
		if old, err := os.Stat(filepath.Join(links, name)); err == nil && os.SameFile(old, info) {
			kept++
		} else {
			written++
		}
	}
	return kept, written
}

// forge replaces the data of each entry, with a header that fits: see internal/cache.
func forge(t *testing.T, dir string, forged func([]byte) []byte) (n int) {
	t.Helper()
	for name, entry := range state(t, filepath.Join(dir, "v1")) {
		key, err := hex.DecodeString(strings.ReplaceAll(name, "/", ""))
		if err != nil {
			t.Fatal(err)
		}
		data := forged([]byte(entry)[48:])
		sum := sha256.Sum256(append(key, data...))
		head := binary.LittleEndian.AppendUint64([]byte(entry[:8]), uint64(len(data)))
		if err := os.WriteFile(filepath.Join(dir, "v1", name), append(append(head, sum[:]...), data...), 0o600); err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
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
