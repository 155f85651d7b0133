package main

import (
	"bytes"
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

// blenderNames are the names of systems in Blender's extensions, and in the names of our archives.
var blenderNames = map[string][2]string{
	"linux/amd64": {"linux-x64", "linux-amd64"}, "linux/arm64": {"linux-arm64", "linux-arm64"},
	"darwin/amd64": {"macos-x64", "macos-amd64"}, "darwin/arm64": {"macos-arm64", "macos-arm64"},
	"windows/amd64": {"windows-x64", "windows-amd64"}, "windows/arm64": {"windows-arm64", "windows-arm64"},
}

// bareBlender packs Blender's add-on without a program.
func (r *release) bareBlender(ctx context.Context) error { return r.packBlender(ctx, "") }

// blender packs Blender's add-on with a program of a system inside.
func (r *release) blender(ctx context.Context, system, program string) error {
	names, ok := blenderNames[system]
	if !ok {
		return fmt.Errorf("no name in Blender for %s", system)
	}
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	return r.packBlender(ctx, "-"+names[1], program, names[0])
}

func (r *release) packBlender(ctx context.Context, suffix string, args ...string) error {
	to := filepath.Join(r.out, attached, "bsp2gltf-blender-"+r.version+suffix+".zip")
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	args = append([]string{"BSP2GLTF_COMMIT=" + r.commit, "sh", filepath.Join("addons", "blender", "pack.sh")}, append(args, to)...)
	_, err := command(ctx, r.root, "env", args...)
	return err
}

// godot packs the plugin for Godot 4 in "addons/", as Godot projects expect it, and the script for Godot 3.
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

// page builds the page that converts maps in a browser.
func (r *release) page(ctx context.Context) error {
	_, err := command(ctx, r.root, "go", "run", "./web", filepath.Join(r.out, attached, "bsp2gltf-page-"+r.version+".html"))
	return err
}

// packages packs the folders of addons that have a package.json in the form that npm and Unity expect: a .tgz with all
// files in "package/".
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

// npm returns the archive name and the files of the package in a folder. The name is "" if the package is private.
func (r *release) npm(dir string) (string, []file, error) {
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return "", nil, err
	}
	var p struct {
		Name, Version string
		Private       bool
		Files         []string // only in npm packages; Unity's include everything in the folder
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
	files, err := named(dir, p.Files)
	if err != nil {
		return "", nil, err
	}
	if files, err = withShared(dir, files); err != nil {
		return "", nil, err
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

// sharedImport is how a package imports what several packages share: addons/shared, of which each gets a copy in its folder.
const sharedImport = "'../shared/"

// withShared returns a package's files with a copy of the shared folder beside dir, if they import from it. addons/pack.mjs does the same.
func withShared(dir string, files []file) ([]file, error) {
	needed := false
	for i, f := range files {
		if strings.HasSuffix(f.name, ".js") && bytes.Contains(f.data, []byte(sharedImport)) {
			needed = true
			files[i].data = bytes.ReplaceAll(f.data, []byte(sharedImport), []byte("'./shared/"))
		}
	}
	if !needed {
		return files, nil
	}
	shared, err := tree(filepath.Join(dir, ".."), "shared")
	return append(files, shared...), err
}

// named returns the files in a folder that patterns name, as npm has them: "*.js", a file, a folder.
func named(dir string, patterns []string) (files []file, err error) {
	for _, pattern := range patterns {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err == nil && len(paths) == 0 {
			err = fmt.Errorf("no file is named %s", pattern)
		}
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			name, err := filepath.Rel(dir, path)
			if err != nil {
				return nil, err
			}
			some, err := tree(dir, name)
			if err != nil {
				return nil, err
			}
			files = append(files, some...)
		}
	}
	return files, nil
}

// tree returns the file name in the folder dir, or all files below it if it is a folder. Their names are relative to
// dir. It leaves out names that begin with a dot.
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
		data, err := os.ReadFile(path) //nolint:gosec // a folder of the repository, which does not change meanwhile
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		files = append(files, file{name: filepath.ToSlash(rel), data: data})
		return err
	})
	return files, err
}
