package assets

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Of names that differ in case alone the lower-case one counts, else the first in the alphabet, in whatever order the disk lists them.
func TestOneOfNamesThatDifferInCaseCounts(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"aB.txt", "Ab.txt", "AB.txt", "c.TXT", "c.txt", "C.txt", "Sub/x", "sUb/x", "sub/x"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, err := openFolder(dir, limit.NewBudget(limit.Limits{}))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"ab.txt": "AB.txt", "c.txt": "c.txt", "sub/x": "sub/x"} {
		if got, _ := d.find(name); got != filepath.Join(dir, want) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for name, want := range map[string]string{"aB.TXT": "AB.txt", "C.tXt": "C.txt", "suB/x": "Sub/x"} {
		if got, ok := onDisk(filepath.Join(dir, name)); got != filepath.Join(dir, want) || !ok {
			t.Errorf("%s on the disk: %s, want %s", name, got, want)
		}
	}
	if got, ok := onDisk(filepath.Join(dir, "none.txt")); got != "" || ok {
		t.Errorf("a file that is missing: %q, %t", got, ok)
	}
}
