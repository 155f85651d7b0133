package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// blender packs the add-on for each target with the program inside, and once without.
func (r *release) blender(ctx context.Context) error {
	pack := filepath.Join("addons", "blender", "pack.sh")
	name := filepath.Join(r.out, "bsp2gltf-blender-"+r.version)
	if _, err := command(ctx, r.root, "sh", pack, name+".zip"); err != nil {
		return err
	}
	for _, t := range r.targets {
		if _, err := command(ctx, r.root, "sh", pack, r.built(t), t.blender, name+"-"+t.name()+".zip"); err != nil {
			return err
		}
	}
	return nil
}

// godot packs the plugin for Godot 4 as its projects have it, in "addons/", and the script for Godot 3.
func (r *release) godot(context.Context) error {
	dir := filepath.Join(r.root, "addons", "godot")
	files, err := tree(filepath.Join(dir, "godot4"), ".")
	if err != nil {
		return err
	}
	for _, name := range []string{"README.md", "post_import.gd", "../../LICENSE"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		files = append(files, file{name: filepath.Base(name), data: data})
	}
	return r.pack("bsp2gltf-godot-"+r.version+".zip", files)
}

// page makes the page that converts maps in a browser.
func (r *release) page(ctx context.Context) error {
	_, err := command(ctx, r.root, "go", "run", "./web", filepath.Join(r.out, "bsp2gltf-page-"+r.version+".html"))
	return err
}

// packages packs the folders of addons that have a package.json, as npm and Unity want them: a .tgz with all in "package/".
func (r *release) packages(context.Context) error {
	manifests, err := filepath.Glob(filepath.Join(r.root, "addons", "*", "package.json"))
	if err != nil {
		return err
	}
	for _, path := range manifests {
		name, files, err := r.npm(filepath.Dir(path))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if name == "" {
			continue
		}
		if err := r.pack(name, files); err != nil {
			return err
		}
	}
	return nil
}

// npm returns the name and the files of a package in a folder. A package that is private has no name.
func (r *release) npm(dir string) (string, []file, error) {
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return "", nil, err
	}
	var p struct {
		Name, Version string
		Private       bool
		Files         []string // npm's; Unity's packages have none: all that is in the folder
	}
	if err := json.Unmarshal(data, &p); err != nil || p.Private {
		return "", nil, err
	}
	if p.Version != r.version {
		return "", nil, fmt.Errorf("version %s, the release has %s", p.Version, r.version)
	}
	if len(p.Files) > 0 {
		p.Files = append(p.Files, "package.json", "README.md")
	} else {
		p.Files = []string{"."}
	}
	var files []file
	for _, name := range p.Files {
		some, err := tree(dir, name)
		if err != nil {
			return "", nil, err
		}
		files = append(files, some...)
	}
	if !slices.ContainsFunc(files, func(f file) bool { return strings.HasPrefix(f.name, "LICENSE") }) {
		licence, err := os.ReadFile(filepath.Join(r.root, "LICENSE"))
		if err != nil {
			return "", nil, err
		}
		files = append(files, file{name: "LICENSE", data: licence})
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	for i := range files {
		files[i].name = "package/" + files[i].name
	}
	return p.Name + "-" + p.Version + ".tgz", files, nil
}

// tree returns a file of a folder, or all below one, with names from that folder. What begins with a dot is left out.
func tree(dir, name string) ([]file, error) {
	var files []file
	err := filepath.WalkDir(filepath.Join(dir, name), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := e.Name(); strings.HasPrefix(base, ".") && base != "." {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if e.IsDir() {
			return nil
		}
		if !e.Type().IsRegular() {
			return errors.New(path + " is not a regular file")
		}
		data, err := os.ReadFile(path) //nolint:gosec // a folder of the repository, which nobody changes meanwhile
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		files = append(files, file{name: filepath.ToSlash(rel), data: data})
		return err
	})
	return files, err
}
