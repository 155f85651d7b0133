package command

import (
	"archive/zip"
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDroppedMapsAreConvertedBesideThem(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile("../../../testdata/features/maps/polygons.bsp")
	if err != nil {
		t.Fatal(err)
	}
	maps := []string{filepath.Join(dir, "first.bsp"), filepath.Join(dir, "no map.bsp"), filepath.Join(dir, "second.bsp")}
	foreign := filepath.Join(dir, "third.glb") // of another program
	maps = append(maps, filepath.Join(dir, "third.bsp"))
	if err := os.WriteFile(foreign, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	for i, content := range [][]byte{data, []byte("text"), data, data} {
		if err := os.WriteFile(maps[i], content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var stderr strings.Builder
	a := newApp(nil)
	a.stdin, a.stderr, a.terminal = strings.NewReader("\n"), &stderr, false
	if code := runDropped(t.Context(), a, maps); code != 73 { // the third can't be written, and the second is no map
		t.Errorf("exit code %d, want 73; stderr:\n%s", code, stderr.String())
	}
	if content, err := os.ReadFile(foreign); err != nil || string(content) != "mine" ||
		strings.Contains(stderr.String(), "Written: "+foreign) {
		t.Errorf("a file that nobody named was replaced: %q, %v", content, err)
	}
	if code := runDropped(t.Context(), a, maps[:1]); code != 0 {
		t.Errorf("exit code %d where bsp2gltf's own output is there", code)
	}
	for name, want := range map[string]bool{"first.glb": true, "no map.glb": false, "second.glb": true} {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v, want it written: %v", name, err, want)
		}
		if strings.Contains(stderr.String(), "Written: "+path) != want {
			t.Errorf("the message names %s: want %v:\n%s", name, want, stderr.String())
		}
	}
	if !strings.HasSuffix(stderr.String(), "Press Enter to close this window, or type v and Enter to look at the map in the browser. ") {
		t.Errorf("it does not wait at the end:\n%s", stderr.String())
	}
	shown := ""
	a.stdin, a.open = strings.NewReader("v\n"), func(page string) bool { shown = page; return true }
	if code := runDropped(t.Context(), a, maps[:1]); code != 0 || filepath.Base(shown) != "first.html" {
		t.Errorf("exit code %d, opened %q", code, shown)
	}
	if err := os.RemoveAll(filepath.Dir(shown)); shown == "" || err != nil {
		t.Error(err)
	}
}

func TestFlagsAreNoDrop(t *testing.T) {
	abs, err := filepath.Abs("a.bsp")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want bool
	}{{nil, true}, {[]string{abs}, true}, {[]string{abs, "--quiet"}, false}, {[]string{"info", abs}, false}} {
		if got := isDrop(c.args); got != c.want {
			t.Errorf("isDrop(%q) is %v", c.args, got)
		}
	}
}

func TestADropAsksWhichMapsOfAnArchive(t *testing.T) {
	for typed, want := range map[string]string{"2\n": "b", "2, 1\n": "b a", "\n": "a b c", "": "a b c", "4\nx\n0\n1\n": "a", "9": "a b c"} {
		got := ""
		var said strings.Builder
		archive := filepath.Join(t.TempDir(), "three.zip")
		writeZip(t, archive, "maps/a.bsp", "maps/b.bsp", "maps/c.bsp")
		maps, err := chooseMaps(t.Context(), &said, archive, bufio.NewReader(strings.NewReader(typed)))
		for _, m := range maps {
			got = strings.TrimSpace(got + " " + strings.TrimSuffix(filepath.Base(m), ".bsp"))
		}
		if got != want || err != nil || !strings.Contains(said.String(), "   2  maps/b.bsp\n") {
			t.Errorf("%q: %q, %v, want %q; said %s", typed, got, err, want, said.String())
		}
	}
}

func writeZip(t *testing.T, path string, names ...string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for _, name := range names {
		if _, err := z.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}
