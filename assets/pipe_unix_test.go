//go:build unix

package assets

import (
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// Nobody writes into these pipes: who opens one waits until go test ends the test.
func TestPipesAreNotOpened(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"gameinfo.txt", "a.png", "x.pk3", "m.bsp"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Skip(err)
		}
	}
	v, err := Open(t.Context(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if !slices.ContainsFunc(v.Issues(), func(i Issue) bool { return i.Code == "gameinfo" }) {
		t.Errorf("issues %v", v.Issues())
	}
	if _, err := v.ReadFile("a.png"); err == nil {
		t.Error("a.png can be read")
	}
	if _, err := ModFolder(filepath.Dir(dir)); err != nil {
		t.Error(err)
	}
	if _, err := OpenMap(t.Context(), filepath.Join(dir, "m.bsp")); err == nil {
		t.Error("m.bsp is a map")
	}
}
