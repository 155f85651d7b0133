package input

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
)

// A map's hash is the same wherever it is from, also after the memory of one from an archive was freed.
func TestMapsAreHashedWhereverTheyAreFrom(t *testing.T) {
	folder, text := t.TempDir(), []byte("not a map, but some bytes")
	sum := sha256.Sum256(text)
	want := hex.EncodeToString(sum[:])
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	if w, err := z.Create("maps/a.bsp"); err != nil {
		t.Fatal(err)
	} else if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	file, archive := filepath.Join(folder, "a.bsp"), filepath.Join(folder, "a.pk3")
	for name, data := range map[string][]byte{file: text, archive: packed.Bytes()} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		freed bool
	}{{file, false}, {file, true}, {archive + ":maps/a.bsp", false}, {archive + ":maps/a.bsp", true}, {"-", true}} {
		in, err := OpenGame(t.Context(), c.name, bytes.NewReader(text), pipeline.GameOptions{})
		if err != nil {
			t.Fatal(err)
		}
		hash, err := in.Hasher(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if c.freed {
			in.Reader = nil
		}
		if got, err := hash(); got != want || err != nil {
			t.Errorf("%s, freed %t: %s, %v", c.name, c.freed, got, err)
		}
		in.Close()
	}
}
