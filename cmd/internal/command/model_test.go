package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestModelCommand(t *testing.T) {
	dir := t.TempDir()
	model := "../../../testdata/goldsrc/models/signpost.mdl"
	for _, test := range []struct {
		name  string
		words []string
		code  int
		says  string // on standard output or error
		file  string // that must be there afterwards, or ""
	}{
		{"to a file", []string{"model", model, filepath.Join(dir, "a.glb")}, 0, "2 joints", "a.glb"},
		{"to a folder", []string{"model", model, dir}, 0, "signpost.glb", "signpost.glb"},
		{"without skins", []string{"model", model, filepath.Join(dir, "a.obj")}, 0, "0 joints, 0 animations", "a.obj"},
		{"without sequences", []string{"model", model, filepath.Join(dir, "b.glb"), "--sequences", "none"}, 0,
			"2 joints, 0 animations", "b.glb"},
		{"a map", []string{"model", "x.bsp", filepath.Join(dir, "c.glb")}, 64, "is a map", ""},
		{"a part of one", []string{"model", "../../../testdata/goldsrc/models/outside01.mdl", filepath.Join(dir, "c.glb")}, 67,
			"is converted with that: convert outside.mdl", ""},
		{"nothing", []string{"model"}, 64, "takes a model", ""},
		{"one that is missing", []string{"model", "none.mdl", filepath.Join(dir, "c.glb")}, 66, "none.mdl", ""},
		{"several", []string{"model", model, "../../../testdata/goldsrc/sprites/alpha.spr", filepath.Join(dir, "two") + "/"}, 0, "alpha.glb",
			"two/alpha.glb"},
		{"a folder", []string{"model", "../../../testdata/source/models", filepath.Join(dir, "all") + "/"}, 0, "table.glb", "all/gate.glb"},
		{"a folder without models", []string{"model", "../../../testdata/source/maps", filepath.Join(dir, "no") + "/"}, 66,
			"holds no models", ""},
		{"a picture of it", []string{"thumb", model, filepath.Join(dir, "a.png")}, 0, "", "a.png"},
		{"a page of it", []string{"model", model, filepath.Join(dir, "a.html")}, 0, "2 joints, 2 animations", "a.html"},
		{"described", []string{"info", model}, 0, "GoldSrc model", ""},
		{"described as JSON", []string{"info", "--json", model}, 0, `"sequences"`, ""},
	} {
		var out bytes.Buffer
		a := newApp(nil)
		a.stdout, a.stderr = &out, &out
		if code := a.run(test.words); code != test.code || !strings.Contains(out.String(), test.says) {
			t.Errorf("%s: code %d: %s", test.name, code, out.String())
		}
		if test.file != "" {
			if _, err := os.Stat(filepath.Join(dir, test.file)); err != nil {
				t.Errorf("%s: %v", test.name, err)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "c.glb")); err == nil {
		t.Error("a conversion that failed left a file")
	}
}
