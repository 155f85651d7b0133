package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// builds lists builds that together compile all files: of the program for each system and with each tag, and of the page.
var builds = []struct{ system, architecture, tags string }{
	{"linux", "amd64", ""},
	{"linux", "amd64", "race,bsp2gltf_norecover"},
	{"windows", "amd64", ""},
	{"js", "wasm", ""},
}

// load returns the packages that match patterns as the first of builds has them, and from each other build the packages with files
// that no build before compiles. It fails if a build has an error, or if no build compiles a file of one of the packages.
func load(patterns []string) (all [][]*packages.Package, err error) {
	compiled := map[string]bool{}
	for i, b := range builds {
		c := &packages.Config{
			Mode:       packages.NeedName | packages.NeedFiles,
			Env:        append(os.Environ(), "CGO_ENABLED=0", "GOOS="+b.system, "GOARCH="+b.architecture),
			BuildFlags: []string{"-tags=" + b.tags},
		}
		listed, err := packages.Load(c, patterns...)
		if err != nil {
			return nil, err
		}
		paths := patterns
		if i > 0 {
			if paths = withNewFiles(listed, compiled); len(paths) == 0 {
				continue
			}
		}
		c.Mode |= packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps
		loaded, err := packages.Load(c, paths...)
		if err != nil {
			return nil, err
		}
		if packages.PrintErrors(loaded) > 0 {
			return nil, fmt.Errorf("the build for %s with the tags %q has errors", b.system, b.tags)
		}
		for _, p := range loaded {
			for _, name := range p.GoFiles {
				compiled[name] = true
			}
		}
		all = append(all, loaded)
	}
	return all, missed(compiled)
}

// withNewFiles returns the paths of the packages with files that are not compiled yet.
func withNewFiles(listed []*packages.Package, compiled map[string]bool) (paths []string) {
	for _, p := range listed {
		if slices.ContainsFunc(p.GoFiles, func(name string) bool { return !compiled[name] }) {
			paths = append(paths, p.PkgPath)
		}
	}
	return paths
}

// missed returns an error for each file that is not compiled but lies beside one that is.
func missed(compiled map[string]bool) error {
	folders := map[string]bool{}
	for name := range compiled {
		folders[filepath.Dir(name)] = true
	}
	var all []error
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		for _, name := range sources(folder) {
			if !compiled[name] {
				all = append(all, fmt.Errorf("%s is in none of the builds", name))
			}
		}
	}
	return errors.Join(all...)
}

// sources returns the Go files of a folder for all builds, without tests.
func sources(folder string) []string {
	names, _ := filepath.Glob(filepath.Join(folder, "*.go")) // the pattern is valid
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
}

// room is a package: the greatest figures that it has in a build.
type room struct {
	path    string // without the module's
	reaches map[string]reach
	figures
}

// merge returns the rooms of all builds, in the order of the first build.
func merge(all [][]*packages.Package) []room {
	var rooms []room
	index := map[string]int{}
	for _, loaded := range all {
		for _, p := range loaded {
			if len(p.GoFiles) == 0 {
				continue
			}
			i, ok := index[p.PkgPath]
			if !ok {
				i = len(rooms)
				index[p.PkgPath] = i
				rooms = append(rooms, room{path: short(p.PkgPath), reaches: map[string]reach{}})
			}
			r := &rooms[i]
			for name, of := range reaches(p) {
				r.reaches[name] = r.reaches[name].most(of)
			}
			r.figures.add(measure(p))
		}
	}
	for i := range rooms {
		r := &rooms[i]
		for _, name := range slices.Sorted(maps.Keys(r.reaches)) {
			r.fields.add(r.reaches[name].allFields, name)
			r.methods.add(r.reaches[name].allMethods, name)
		}
	}
	return rooms
}
