package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// licences returns the licence texts of Go and of every module but ours in the program of a folder, as any system has it. Each licence
// requires that its text accompany copies.
func (r *release) licences(ctx context.Context, folder string) ([]byte, error) {
	root, err := command(ctx, r.root, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	folders := map[string]string{"Go, the standard library": root,
		"three.js, in the pages that it writes": filepath.Join(r.root, "convert", "internal", "page", "bundle")}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		list := exec.CommandContext(ctx, "go", "list", "-deps", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Dir}}{{end}}{{end}}", ".")
		list.Dir, list.Env = filepath.Join(r.root, folder), append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
		text, err := output(list)
		if err != nil {
			return nil, err
		}
		for line := range strings.SplitSeq(text, "\n") {
			if name, dir, ok := strings.Cut(line, "\t"); ok && name != ours {
				folders[name] = dir
			}
		}
	}
	var all strings.Builder
	all.WriteString("bsp2gltf is under the MIT licence (LICENSE). Its program contains the works below, each under its own licence.\n")
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		text, err := licenceOf(folders[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(&all, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), name, text)
	}
	return []byte(all.String()), nil
}

// licenceOf returns the licence in a folder, with the files that supplement it (NOTICE, PATENTS).
func licenceOf(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var texts []string
	found := false
	for _, e := range entries {
		base := strings.ToUpper(strings.TrimSuffix(e.Name(), filepath.Ext(e.Name())))
		is := base == "LICENSE" || base == "LICENCE" || base == "COPYING" || base == "UNLICENSE"
		if e.IsDir() || !is && base != "NOTICE" && base != "PATENTS" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		found = found || is
		texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n")))
	}
	if !found {
		return "", fmt.Errorf("%s has no licence", dir)
	}
	return strings.Join(texts, "\n\n"), nil
}
