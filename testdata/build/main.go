// Build makes the maps and pictures of testdata from nothing but this code.
//
//	go run ./testdata/build          from the module's root: writes testdata/demo, features, goldsrc, respawn and source
//	go run ./testdata/build demo     only what has demo in its name
//	go run ./testdata/build -seeds DIR    writes files for .ci/mutants.py
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
)

func main() {
	only := ""
	if len(os.Args) > 1 {
		only = os.Args[1]
	}
	if only == "-seeds" && len(os.Args) == 3 {
		write(os.Args[2], seeds())
		return
	}
	write("testdata", files(func(name string) bool { return strings.Contains(name, only) }))
}

// write writes files into a folder, and lists them.
func write(dir string, made map[string][]byte) {
	var names []string
	total := 0
	for name := range made {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			fatal(err)
		}
		if err := os.WriteFile(path, made[name], 0o644); err != nil {
			fatal(err)
		}
		total += len(made[name])
		fmt.Printf("%8d %s\n", len(made[name]), name)
	}
	fmt.Printf("%8d bytes in %d files\n", total, len(names))
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "build:", err)
	os.Exit(1)
}

// files returns what is built: paths below testdata, with slashes, and contents. Only those that are wanted are made.
func files(wanted func(name string) bool) map[string][]byte {
	made := map[string][]byte{}
	add := func(name string, content func() []byte) {
		if wanted(name) {
			made[name] = content()
		}
	}
	add("demo/maps/demo.bsp", demoFile)
	for name, content := range demoTextures() {
		add(name, content)
	}
	add("source/maps/showcase.bsp", func() []byte { return showcase().Write(vbsp.Source2007) })
	for _, set := range []map[string]func() []byte{features(), sourceFeatures(), variantFiles(), respawnFeatures(), sourceMaterialFiles(),
		sourceModels(), goldsrcModels(), goldsrcFeatures(), wadFiles()} {
		for name, content := range set {
			add(name, content)
		}
	}
	return made
}
