package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDroppedMapsAreConvertedBesideThem(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile("../../testdata/features/maps/polygons.bsp")
	if err != nil {
		t.Fatal(err)
	}
	maps := []string{filepath.Join(dir, "first.bsp"), filepath.Join(dir, "no map.bsp"), filepath.Join(dir, "second.bsp")}
	for i, content := range [][]byte{data, []byte("text"), data} {
		if err := os.WriteFile(maps[i], content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var stderr strings.Builder
	a := newApp()
	a.stdin, a.stderr, a.terminal = strings.NewReader("\n"), &stderr, false
	if code := runDropped(a, maps); code != 65 { // the second is no map
		t.Errorf("exit code %d, want 65; stderr:\n%s", code, stderr.String())
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
	if !strings.HasSuffix(stderr.String(), "Press Enter to close this window. ") {
		t.Errorf("it does not wait at the end:\n%s", stderr.String())
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
