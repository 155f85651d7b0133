//go:build unix

package regular_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/regular"
)

func TestOnlyFilesAndFoldersAreOpened(t *testing.T) {
	dir := t.TempDir()
	pipe, file, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.WriteFile(file, []byte("x"), 0o600), os.Symlink("pipe", link)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{pipe: "is a pipe", link: "is a pipe", dir: "is a folder", "/dev/null": "is a device"} {
		var p *fs.PathError
		if f, err := regular.Open(name); f != nil || !errors.As(err, &p) || !strings.Contains(p.Err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f, err := regular.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	for _, name := range []string{pipe, link, file, "/dev/null"} {
		if entries, err := regular.ReadDir(name); err == nil || len(entries) > 0 {
			t.Errorf("%s: %v", name, entries)
		}
	}
	if entries, err := regular.ReadDir(dir); err != nil || len(entries) != 3 || entries[0].Name() != "file" {
		t.Errorf("%v %v", entries, err)
	}
	if _, err := regular.Open(filepath.Join(dir, "nothing")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
