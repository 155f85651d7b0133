package inputfile

import (
	"os"
	"path/filepath"
	"testing"
)

func TestNamesSayWhatFilesAre(t *testing.T) {
	for _, c := range []struct {
		name                               string
		isMap, model, archive, maps, album bool
	}{
		{"maps/q3dm1.bsp", true, false, false, false, true},
		{"DE_DUST.BSP.BZ2", true, false, false, false, true},
		{"__MACOSX/._x.bsp", false, false, false, false, false},
		{"barney.MDL", false, true, false, false, false},
		{"pak0.pk3", false, false, true, true, false},
		{"halflife.wad", false, false, true, false, true},
		{"pak01_dir.vpk", false, false, true, true, false},
		{"pak01_003.vpk", false, false, true, false, false},
		{".bsp", true, false, false, false, true},
		{"bsp", false, false, false, false, false},
		{"", false, false, false, false, false},
	} {
		got := [5]bool{IsMap(c.name), IsModel(c.name), IsArchive(c.name), MayHoldMaps(c.name), HoldsTextures(c.name)}
		if want := [5]bool{c.isMap, c.model, c.archive, c.maps, c.album}; got != want {
			t.Errorf("%q: %v, want %v", c.name, got, want)
		}
	}
	if Foreign("maps.tar.gz") == "" || Foreign("maps.zip") != "" {
		t.Error("a .tar.gz is read, or a .zip is not")
	}
}

func TestPathsAreSplitAtTheArchive(t *testing.T) {
	dir := t.TempDir()
	pak := filepath.Join(dir, "pak0.pk3")
	odd := filepath.Join(dir, "pak0.pk3:odd.zip")
	for _, name := range []string{pak, odd} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		path, archive, member string
		ok                    bool
		stem                  string
	}{
		{pak, pak, "", true, "pak0"},
		{pak + ":maps/q3dm1.bsp", pak, "maps/q3dm1.bsp", true, "q3dm1"},
		{pak + "!maps/de_x.bsp.bz2", pak, "maps/de_x.bsp.bz2", true, "de_x"},
		{odd, odd, "", true, "pak0.pk3:odd"},
		{filepath.Join(dir, "none.pk3") + ":a.bsp", "", "", false, "none.pk3:a"},
	} {
		archive, member, ok := Split(c.path)
		if archive != c.archive || member != c.member || ok != c.ok || Stem(c.path) != c.stem {
			t.Errorf("%s: %q, %q, %v, %q", c.path, archive, member, ok, Stem(c.path))
		}
	}
}
