package inspect_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/inspect"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
)

// Inspect describes a map that can't be converted as far as it can read it. A file that is not a map is an error.
func TestInspectWhatIsRefused(t *testing.T) {
	var m vbsp.Map
	m.Entities = []vbsp.Entity{{{"classname", "worldspawn"}}, {{"classname", "light"}}}
	whole := m.Write(vbsp.Source2007)
	broken := append([]byte(nil), whole...)
	vbsp.SetLump(broken, vbsp.LumpPlanes, len(whole), 40)
	quake := (&ibsp.Map{}).Write(ibsp.Quake3)
	for _, c := range []struct {
		what     string
		data     []byte
		refused  string // how it starts
		version  int
		lumps    int
		entities int
	}{
		{"a broken lump", broken, "incomplete: the last 40 of ", 20, 64, 0},
		{"a version that nobody reads", []byte("VBSP\x64\x00\x00\x00"), "this is a map of Counter-Strike Online 2", 100, 0, 0},
		{"another family", []byte("IBSP\x29\x00\x00\x00"), "this is a Daikatana or early SiN map", 41, 0, 0},
		{"nothing in it", quake, "", 46, 17, 0},
	} {
		file := filepath.Join(t.TempDir(), "x.bsp")
		if err := os.WriteFile(file, c.data, 0o644); err != nil {
			t.Fatal(err)
		}
		i, err := inspect.Inspect(t.Context(), file, nil, nil)
		if err != nil || i.Refused == "" || !strings.HasPrefix(i.Refused, c.refused) || i.Format.Version != c.version ||
			len(i.Lumps) != c.lumps || len(i.Entities) != c.entities {
			t.Errorf("%s: %+v, %v", c.what, i, err)
		}
	}
	file := filepath.Join(t.TempDir(), "x.bsp")
	if err := os.WriteFile(file, []byte("a text of no map"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := inspect.Inspect(t.Context(), file, nil, nil); !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
}
