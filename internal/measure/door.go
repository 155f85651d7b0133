package main

import (
	"fmt"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

const module = "github.com/bsp2gltf/bsp2gltf"

// door returns the faults of the public packages: packages without a doc or an example, and exported names whose types are named by
// an internal package, and not by an alias of a public one.
func door(loaded []*packages.Package) []string {
	var public []*packages.Package
	for _, p := range loaded {
		if p.Name != "main" && strings.HasPrefix(p.PkgPath, module+"/") && !internal(p.PkgPath) {
			public = append(public, p)
		}
	}
	var wrong []string
	for _, p := range public {
		if !documented(p) {
			wrong = append(wrong, short(p.PkgPath)+": the public package has no doc")
		}
		if !exemplified(p) {
			wrong = append(wrong, short(p.PkgPath)+": the public package has no example")
		}
		unnamed := map[string]bool{}
		for _, o := range exported(p.Types.Scope()) {
			for _, word := range strings.FieldsFunc(o.Type().String(), func(r rune) bool { return strings.ContainsRune(" *[](),;{}", r) }) {
				if strings.HasPrefix(word, module) && internal(word) {
					unnamed[fmt.Sprintf("%s: %s is of type %s, which callers can't name", short(p.PkgPath), o.Name(), short(word))] = true
				}
			}
		}
		wrong = append(wrong, slices.Sorted(maps.Keys(unnamed))...)
	}
	return wrong
}

func internal(path string) bool { return strings.Contains(path, "/internal/") }

func documented(p *packages.Package) bool {
	for _, f := range p.Syntax {
		if f.Doc != nil {
			return true
		}
	}
	return false
}

func exemplified(p *packages.Package) bool {
	names, _ := filepath.Glob(filepath.Join(filepath.Dir(p.GoFiles[0]), "example*_test.go")) // the pattern is valid
	return len(names) > 0
}

// exported returns the exported functions and variables of a package, and the exported fields and methods of its exported types.
func exported(s *types.Scope) []types.Object {
	var all []types.Object
	add := func(o types.Object) {
		if o.Exported() {
			all = append(all, o)
		}
	}
	for _, name := range s.Names() {
		o := s.Lookup(name)
		t, isType := o.(*types.TypeName)
		if !isType {
			add(o)
			continue
		}
		if t.IsAlias() || !t.Exported() {
			continue
		}
		if fields, ok := t.Type().Underlying().(*types.Struct); ok {
			for f := range fields.Fields() {
				add(f)
			}
		}
		for m := range types.NewMethodSet(types.NewPointer(t.Type())).Methods() {
			add(m.Obj())
		}
	}
	return all
}
