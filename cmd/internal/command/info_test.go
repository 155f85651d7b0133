package command

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInfoListsTheMapsOfAnArchive(t *testing.T) {
	archive := filepath.Join(t.TempDir(), "two.pk3")
	f, err := os.Create(archive)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for _, name := range []string{"maps/b.bsp", "readme.txt", "Maps/A.BSP"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte("12345")); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"for people", []string{"info", "--maps", archive}, 0, archive + ":maps/a.bsp  5 B\n" + archive + ":maps/b.bsp  5 B\n"},
		{"a map that is not there", []string{"info", "--maps", "map.bsp"}, 66, ""},
		{"not there", []string{"info", "--maps", "none.pk3"}, 66, ""},
	} {
		var out, stderr strings.Builder
		a := newApp(nil)
		a.stdout, a.stderr, a.terminal = &out, &stderr, false
		if code := a.run(c.args); code != c.code || out.String() != c.want {
			t.Errorf("%s: exit code %d, want %d; printed %q, want %q; stderr %q", c.name, code, c.code, out.String(), c.want,
				stderr.String())
		}
	}
	var out strings.Builder
	a := newApp(nil)
	a.stdout = &out
	if code := a.run([]string{"info", "--maps", "--json", archive}); code != 0 || !strings.Contains(out.String(), `two.pk3:maps/a.bsp",`) ||
		!strings.Contains(out.String(), `"size": 5`) {
		t.Errorf("as JSON: exit code %d, printed %s", code, out.String())
	}
}
