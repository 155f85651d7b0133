package main

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// reach counts what a type's methods can use by their receiver: its fields and methods, declared and with those that embedding
// promotes from other types.
type reach struct {
	fields, methods       int // declared
	allFields, allMethods int // with the promoted ones
}

func (r reach) String() string {
	return fmt.Sprintf("%3d fields, %3d with promoted; %3d methods, %3d with promoted", r.fields, r.allFields, r.methods, r.allMethods)
}

// most returns the greater count of each kind.
func (r reach) most(o reach) reach {
	return reach{max(r.fields, o.fields), max(r.methods, o.methods), max(r.allFields, o.allFields), max(r.allMethods, o.allMethods)}
}

// reaches returns what the types of a package reach, by the types' names. It covers types that a function declares, too; aliases
// and interfaces are left out.
func reaches(p *packages.Package) map[string]reach {
	all := map[string]reach{}
	for _, o := range p.TypesInfo.Defs {
		t, ok := o.(*types.TypeName)
		if !ok || t.IsAlias() || types.IsInterface(t.Type()) {
			continue
		}
		if named, ok := t.Type().(*types.Named); ok {
			all[t.Name()] = all[t.Name()].most(reachOf(named, p.Types))
		}
	}
	return all
}

// reachOf counts what code of package from reaches through a value of a type. A member that another one hides does not count.
func reachOf(t *types.Named, from *types.Package) reach {
	r := reach{methods: t.NumMethods()}
	visible := func(o types.Object) bool { return o.Exported() || o.Pkg() == from }
	for m := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		if visible(m.Obj()) {
			r.allMethods++
		}
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return r
	}
	r.fields = s.NumFields()
	for name := range fieldNames(s, map[*types.Struct]bool{}) {
		o, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, from, name)
		if f, ok := o.(*types.Var); ok && visible(f) {
			r.allFields++
		}
	}
	return r
}

// fieldNames returns the names of the fields of a struct and of all that it embeds, at any depth.
func fieldNames(s *types.Struct, seen map[*types.Struct]bool) map[string]bool {
	names := map[string]bool{}
	if seen[s] {
		return names
	}
	seen[s] = true
	for f := range s.Fields() {
		names[f.Name()] = true
		if !f.Embedded() {
			continue
		}
		t := f.Type().Underlying()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem().Underlying()
		}
		if inner, ok := t.(*types.Struct); ok {
			for name := range fieldNames(inner, seen) {
				names[name] = true
			}
		}
	}
	return names
}

// listReaches prints a line for each type that embeds another one: what it declares and what it reaches, the farthest first.
func listReaches(rooms []room) {
	type line struct {
		name string
		reach
	}
	var lines []line
	for _, r := range rooms {
		for name, of := range r.reaches {
			if of.allFields > of.fields || of.allMethods > of.methods {
				lines = append(lines, line{r.path + "." + name, of})
			}
		}
	}
	slices.SortFunc(lines, func(a, b line) int {
		if d := b.allFields + b.allMethods - a.allFields - a.allMethods; d != 0 {
			return d
		}
		return strings.Compare(a.name, b.name)
	})
	for _, l := range lines {
		fmt.Printf("%-48s %v\n", l.name, l.reach)
	}
}
