package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bsp2gltf/bsp2gltf"
)

var someFiles = []file{{name: "a/program", data: []byte("p"), program: true}, {name: "a/text", data: []byte("t")}}

func TestTarballHasModesAndOneDate(t *testing.T) {
	date := time.Unix(1700000000, 0)
	var b bytes.Buffer
	if err := tarball(&b, someFiles, date); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(z)
	var names []string
	for {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.FileInfo().Mode().String()+" "+h.Name)
		if !h.ModTime.Equal(date) {
			t.Errorf("%s: %s", h.Name, h.ModTime)
		}
	}
	if want := []string{"-rwxr-xr-x a/program", "-rw-r--r-- a/text"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

func TestZipHasModes(t *testing.T) {
	var b bytes.Buffer
	if err := zipped(&b, someFiles, time.Unix(1700000000, 0)); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"-rwxr-xr-x", "-rw-r--r--"} {
		if got := z.File[i].Mode().String(); got != want || z.File[i].Name != someFiles[i].name {
			t.Errorf("%s has mode %s, want %s", z.File[i].Name, got, want)
		}
	}
}

func TestPackageHoldsWhatItsManifestNames(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "addons", "x")
	write := func(path, text string) {
		t.Helper()
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("LICENSE", "MIT")
	write("addons/x/README.md", "read")
	write("addons/x/index.js", "code")
	write("addons/x/notes.txt", "not named")
	write("addons/x/uses.js", "import { part } from '../shared/part.js';")
	write("addons/shared/part.js", "export const part = 1;")
	r := &release{root: root, version: bsp2gltf.Version}
	for _, c := range []struct{ name, manifest, want string }{
		{"npm's, with files", `{"name": "x", "version": "` + bsp2gltf.Version + `", "files": ["index.js"]}`,
			"LICENSE README.md index.js package.json"},
		{"npm's, with a pattern", `{"name": "x", "version": "` + bsp2gltf.Version + `", "files": ["i*.js"]}`,
			"LICENSE README.md index.js package.json"},
		{"Unity's, without", `{"name": "x", "version": "` + bsp2gltf.Version + `"}`, "LICENSE README.md index.js notes.txt package.json shared/part.js uses.js"},
		{"with what packages share", `{"name": "x", "version": "` + bsp2gltf.Version + `", "files": ["uses.js"]}`,
			"LICENSE README.md package.json shared/part.js uses.js"},
		{"private", `{"name": "x", "private": true}`, ""},
	} {
		write("addons/x/package.json", c.manifest)
		_, files, err := r.npm(dir)
		var names []string
		for _, f := range files {
			names = append(names, strings.TrimPrefix(f.name, "package/"))
			if strings.Contains(string(f.data), "../shared/") {
				t.Errorf("%s: %s imports what is outside the package", c.name, f.name)
			}
		}
		if got := strings.Join(names, " "); err != nil || got != c.want {
			t.Errorf("%s: %s, %v; want %s", c.name, got, err, c.want)
		}
	}
	write("addons/x/package.json", `{"name": "x", "version": "0.0.9"}`)
	if _, _, err := r.npm(dir); err == nil {
		t.Error("a package of another version is packed")
	}
	write("addons/x/package.json", `{"name": "x", "version": "`+bsp2gltf.Version+`", "files": ["gone.js"]}`)
	if _, _, err := r.npm(dir); err == nil {
		t.Error("a package without a file that it names is packed")
	}
}

// goreleaser takes the version from the tag; a snapshot has none.
func TestSnapshotsHaveTheVersion(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", ".goreleaser.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "version_template: " + bsp2gltf.Version + "}"; !strings.Contains(string(text), want) {
		t.Errorf(".goreleaser.yaml does not say %s", want)
	}
}

func TestOtherVersionsAndCommitsAreRefused(t *testing.T) {
	for _, args := range [][]string{
		nil, {"parts"}, {"parts", "0.0.9", "0", strings.Repeat("a", 40)}, {"parts", bsp2gltf.Version, "x", strings.Repeat("a", 40)},
		{"parts", bsp2gltf.Version, "0", "main"}, {"blender", bsp2gltf.Version, strings.Repeat("a", 40), "plan9/amd64", "x"}, {"all", bsp2gltf.Version},
	} {
		if err := run(t.Context(), args); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
	if got, err := short(strings.Repeat("0a", 20) + "+"); got != "0a0a0a0a0a0a+" || err != nil {
		t.Error(got, err)
	}
}

// All add-ons have the version of the program: a release is one thing, and an error report names one number.
func TestAddonsHaveTheVersion(t *testing.T) {
	for path, expression := range map[string]string{
		"three/package.json":                               `"version": "(.*?)"`,
		"babylon/package.json":                             `"version": "(.*?)"`,
		"unity/package.json":                               `"version": "(.*?)"`,
		"godot/godot4/addons/bsp2gltf/plugin.cfg":          `version="(.*?)"`,
		"blender/bsp2gltf_lightmaps/blender_manifest.toml": `(?m)^version = "(.*?)"`,
		"blender/bsp2gltf_lightmaps/__init__.py":           `"version": \((.*?)\)`,
	} {
		text, err := os.ReadFile(filepath.Join("..", "addons", path))
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(expression).FindSubmatch(text)
		if found == nil || strings.ReplaceAll(string(found[1]), ", ", ".") != bsp2gltf.Version {
			t.Errorf("addons/%s: version %q, want %s", path, found, bsp2gltf.Version)
		}
	}
}

// What npm's page of a package shows, and what a bundler asks.
func TestNpmManifestsSayWhereTheProjectIs(t *testing.T) {
	for _, name := range []string{"three", "babylon"} {
		text, err := os.ReadFile(filepath.Join("..", "addons", name, "package.json"))
		if err != nil {
			t.Fatal(err)
		}
		var m struct {
			Repository       struct{ URL, Directory string }
			Bugs             struct{ URL string }
			Homepage, Author string
			Keywords         []string
			SideEffects      *bool
		}
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(name, err)
		}
		if m.Repository.Directory != "addons/"+name || !strings.HasSuffix(m.Repository.URL, ".git") || m.Bugs.URL == "" || m.Homepage == "" || m.Author == "" {
			t.Errorf("%s: repository, bugs, homepage or author is missing: %+v", name, m)
		}
		if len(m.Keywords) < 5 || m.SideEffects == nil || *m.SideEffects {
			t.Errorf("%s: keywords %v, sideEffects %v", name, m.Keywords, m.SideEffects)
		}
	}
}
