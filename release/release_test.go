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

func TestFolderOfOthersIsNotEmptied(t *testing.T) {
	dir := t.TempDir()
	keep := filepath.Join(dir, "thesis.txt")
	if err := os.WriteFile(keep, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := empty(dir); err == nil {
		t.Error("no error")
	}
	if _, err := os.Stat(keep); err != nil {
		t.Error(err)
	}
	ours := filepath.Join(dir, "dist")
	for range 2 {
		if err := empty(ours); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(ours, "old"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestManifestsNameEveryArchiveWithItsSum(t *testing.T) {
	r := &release{out: t.TempDir(), base: "https://example.org/v1", version: "1.2.3", date: time.Unix(1700000000, 0).UTC(),
		targets: targets, files: map[string]string{}}
	for i, target := range targets {
		r.files[archiveName(r.stem(target), target)] = strings.Repeat(string(rune('a'+i)), 64)
	}
	if err := r.manifests(t.Context()); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, m := range manifestFiles {
		data, err := os.ReadFile(filepath.Join(r.out, "manifests", m.path))
		if err != nil {
			t.Fatal(err)
		}
		texts[m.template] = string(data)
	}
	for i, target := range targets {
		name := archiveName(r.stem(target), target)
		for template, systems := range map[string]string{"homebrew.rb": "linux macos", "scoop.json": "windows",
			"winget.installer.yaml": "windows"} {
			if !strings.Contains(systems, target.system) {
				continue
			}
			text := strings.ToLower(texts[template])
			if !strings.Contains(text, "https://example.org/v1/"+name) || !strings.Contains(text, strings.Repeat(string(rune('a'+i)), 64)) {
				t.Errorf("%s: %s is not there with its sum:\n%s", template, name, texts[template])
			}
		}
	}
	if !strings.Contains(texts["winget.installer.yaml"], `RelativeFilePath: bsp2gltf-1.2.3-windows-amd64\bsp2gltf.exe`) {
		t.Errorf("winget.installer.yaml:\n%s", texts["winget.installer.yaml"])
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
