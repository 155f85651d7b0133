package main

import (
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

//go:embed templates
var templates embed.FS

// manifestFiles lists the templates of the manifests and their paths below "manifests", which follow the package
// managers' repositories.
var manifestFiles = []struct{ template, path string }{
	{"homebrew.rb", "homebrew/bsp2gltf.rb"},
	{"scoop.json", "scoop/bsp2gltf.json"},
	{"winget.yaml", "winget/bsp2gltf.bsp2gltf.yaml"},
	{"winget.installer.yaml", "winget/bsp2gltf.bsp2gltf.installer.yaml"},
	{"winget.locale.en-US.yaml", "winget/bsp2gltf.bsp2gltf.locale.en-US.yaml"},
}

// manifests writes the manifests with which Homebrew, Scoop and winget install the archives. They name every target, so it
// writes none if only some targets are built.
func (r *release) manifests(context.Context) error {
	if len(r.targets) < len(targets) {
		return nil
	}
	all, err := template.New("").Funcs(template.FuncMap{"upper": strings.ToUpper}).ParseFS(templates, "templates/*")
	if err != nil {
		return err
	}
	type archive struct{ URL, SHA256, Folder string }
	data := struct {
		Version, Date string
		Archives      map[string]archive // by the target's name without its hyphen, like macosarm64
	}{r.version, r.date.Format("2006-01-02"), map[string]archive{}}
	for _, t := range r.targets {
		name := archiveName(r.stem(t), t)
		data.Archives[t.system+t.goarch] = archive{r.base + "/" + name, r.files[name], r.stem(t)}
	}
	for _, m := range manifestFiles {
		var text strings.Builder
		if err := all.ExecuteTemplate(&text, m.template, data); err != nil {
			return err
		}
		if strings.Contains(text.String(), "<no value>") {
			return fmt.Errorf("%s: a value is missing", m.template)
		}
		path := filepath.Join(r.out, "manifests", filepath.FromSlash(m.path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
