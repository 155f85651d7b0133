package assets

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	pack "github.com/bsp2gltf/bsp2gltf/testdata/build/vpk"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/wad"
)

// An archive that was cut, or that is something else, says so wherever it is opened.
func TestArchivesThatWereCut(t *testing.T) {
	content := strings.Repeat("IBSP and 300 bytes more.", 20)
	single, _ := pack.Write(2, pack.File{Name: "maps/a.bsp", Data: []byte(content), Chunk: pack.Here})
	whole := map[string][]byte{
		"a.zip": makeZip(t, file{"maps/a.bsp", content}), "a.pk3": makeZip(t, file{"maps/a.bsp", content}),
		"a.pak": wad.Pak(wad.File{Name: "maps/a.bsp", Data: []byte(content)}),
		"a.vpk": single,
	}
	dir := t.TempDir()
	for name, data := range whole {
		file := filepath.Join(dir, name)
		for percent := range 100 {
			if name == "a.vpk" && percent > 90 {
				break // only checksums are missing
			}
			if err := os.WriteFile(file, data[:len(data)*percent/100], 0o644); err != nil {
				t.Fatal(err)
			}
			for what, err := range map[string]error{"a map": mapError(file), "its maps": mapsError(file)} {
				if !errors.Is(err, limit.ErrCorrupt) || len(data)*percent/100 >= 4 && !strings.Contains(err.Error(), "incomplete: ") {
					t.Errorf("%s, %d %%, %s: %v", name, percent, what, err)
				}
			}
		}
		for start, want := range map[string]string{
			"version https://git-lfs.github.com/spec/v1\noid": "Git LFS: git lfs pull", "<!DOCTYPE html><html>": "a web page", "": "an empty file",
		} {
			if err := os.WriteFile(file, []byte(start), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := mapError(file); !errors.Is(err, limit.ErrCorrupt) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s with %q: %v", name, start, err)
			}
		}
	}
}

// The table of an addon is before its files.
func TestAddonsThatWereCut(t *testing.T) {
	data := someGMA()
	file := filepath.Join(t.TempDir(), "a.gma")
	for _, n := range []int{3, 10, 50, 100, len(data) - 40} {
		if err := os.WriteFile(file, bytes.Clone(data[:n]), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := mapError(file); !errors.Is(err, limit.ErrCorrupt) || n > 4 && !strings.Contains(err.Error(), "incomplete: ") {
			t.Errorf("%d of %d bytes: %v", n, len(data), err)
		}
	}
}

func mapError(file string) error {
	m, err := OpenMap(context.Background(), file)
	if err == nil {
		m.Close()
	}
	return err
}

func mapsError(file string) error {
	_, err := Maps(context.Background(), file)
	return err
}

// A name that leads out of an archive is never found, neither as it is asked for nor as an entry has it.
func TestNamesThatLeadOutOfAnArchive(t *testing.T) {
	dir := t.TempDir()
	archive := filepath.Join(dir, "sub", "a.zip")
	put(t, archive, makeZip(t, file{"../../evil.bsp", "in"}, file{"..\\evil.bsp", "in"}, file{"maps/../evil.bsp", "in"}, file{"b.bsp", "good"}))
	put(t, filepath.Join(dir, "evil.bsp"), []byte("out"))
	for _, name := range []string{"../../evil.bsp", "../evil.bsp", "..\\evil.bsp", "evil.bsp", "maps/../evil.bsp", "x/../b.bsp", "..", "../b.bsp"} {
		for _, colon := range []string{":", "!", "/"} {
			if m, err := OpenMap(t.Context(), archive+colon+name); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s%s: %v, %v", colon, name, m, err)
			}
		}
	}
}
