// Command measure reports how entangled the packages are: go run ./internal/measure [-limits] [-back] [PATTERN...]
//
// For each package it counts the files and the arrows between them. An arrow goes from a file to another file of the same package
// whose functions, methods, types, constants or variables it uses. The files are ordered so that few arrows run from a lower file
// to a higher one (the heuristic of Eades, Lin and Smyth, 1993, then moves of single files); the remaining ones are "back". It
// also prints the type with the most fields, the type with the most methods and the longest function. It ignores tests.
//
// Then it lists public packages without a doc or an example, and exported names of types that callers can't name.
//
// With -back it lists the back arrows. With -limits it exits with 1 if a package exceeds a limit of docs/architecture.md.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// The limits of docs/architecture.md.
const (
	mostFiles   = 25  // in a folder
	mostFields  = 20  // of a type
	mostMethods = 30  // of a type
	mostLines   = 80  // of a function
	mostBack    = 200 // of all packages together
	mostInRooms = 60  // of materials, bsp/internal/source and convert
)

func main() {
	limits := flag.Bool("limits", false, "exit with 1 where a limit is exceeded")
	list := flag.Bool("back", false, "list the arrows that run back, with what they use")
	flag.Parse()
	patterns := flag.Args()
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	const need = packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps
	loaded, err := packages.Load(&packages.Config{Mode: need}, patterns...)
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
	if packages.PrintErrors(loaded) > 0 {
		os.Exit(1)
	}
	if *list {
		listBack(loaded)
		return
	}
	if over := report(loaded); over > 0 && *limits {
		os.Exit(1)
	}
}

// report prints a line for each package and for each exceeded limit. It returns the number of exceeded limits.
func report(loaded []*packages.Package) int {
	var all, rooms figures
	var over []string
	fmt.Printf("%-36s %5s %7s %5s  %-28s %-28s %s\n", "package", "files", "arrows", "back", "most fields", "most methods", "longest function")
	for _, p := range loaded {
		f := measure(p)
		all.arrows += f.arrows
		all.back += f.back
		if inRooms(short(p.PkgPath)) {
			rooms.arrows += f.arrows
			rooms.back += f.back
		}
		fmt.Printf("%-36s %5d %7d %5d  %-28s %-28s %s\n", short(p.PkgPath), f.files, f.arrows, f.back, f.fields, f.methods, f.lines)
		for _, l := range []struct {
			what string
			n    count
			most int
		}{
			{"files", count{n: f.files, name: "the folder"}, mostFiles}, {"fields", f.fields, mostFields},
			{"methods", f.methods, mostMethods}, {"lines", f.lines, mostLines},
		} {
			if l.n.n > l.most {
				over = append(over, fmt.Sprintf("%s: %s has %d %s, the limit is %d", short(p.PkgPath), l.n.name, l.n.n, l.what, l.most))
			}
		}
	}
	for _, l := range []struct {
		what string
		figures
		most int
	}{{"materials, bsp/internal/source, convert", rooms, mostInRooms}, {"all packages", all, mostBack}} {
		fmt.Printf("%-36s %5s %7d %5d\n", l.what, "", l.arrows, l.back)
		if l.back > l.most {
			over = append(over, fmt.Sprintf("%s: %d arrows run back, the limit is %d", l.what, l.back, l.most))
		}
	}
	over = append(over, door(loaded)...)
	for _, line := range over {
		fmt.Println("over:", line)
	}
	return len(over)
}

// inRooms reports whether a package belongs to the three largest rooms. The parsers below materials are separate rooms.
func inRooms(name string) bool {
	switch name {
	case "bsp/internal/source", "convert", "materials", "materials/pbr":
		return true
	case "materials/internal/q3shader", "materials/internal/vmt", "materials/internal/vtf":
		return false
	}
	return strings.HasPrefix(name, "convert/") || strings.HasPrefix(name, "materials/internal/")
}

// short returns a package's path without the module's path.
func short(path string) string {
	if rest, ok := strings.CutPrefix(path, module+"/"); ok {
		return rest
	}
	return "."
}

// listBack prints the back arrows, each with the names that cause it.
func listBack(loaded []*packages.Package) {
	for _, p := range loaded {
		g := calls(p)
		place := g.order()
		name := func(i int) string { return filepath.Base(p.Fset.Position(p.Syntax[i].Package).Filename) }
		for from := range g {
			for _, to := range slices.Sorted(maps.Keys(g[from])) {
				if place[to] < place[from] {
					fmt.Printf("%s: %s -> %s: %s\n", short(p.PkgPath), name(from), name(to), strings.Join(uses(p, from, to), " "))
				}
			}
		}
	}
}
