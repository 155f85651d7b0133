// Command measure reports how entangled the packages are: go run ./internal/measure [-limits] [-back] [-types] [PATTERN...]
//
// For each package it counts the files of its folder and the arrows between them. An arrow goes from a file to another file of the
// same package whose functions, methods, types, constants or variables it uses. The files are ordered so that few arrows run from a
// lower file to a higher one (the heuristic of Eades, Lin and Smyth, 1993, then moves of single files); the remaining ones are
// "back". It also prints the type that reaches the most fields, the type that reaches the most methods and the longest function. A
// type reaches the members that it declares and those that embedding promotes. Each figure is the greatest of several builds, which
// together compile all files. Tests are ignored.
//
// Then it lists public packages without a doc or an example, and exported names of types that internal packages name.
//
// With -types it lists what each type that embeds another one reaches, with -back the back arrows. With -limits it exits with 1 if a
// package exceeds a limit of docs/architecture.md.
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
	mostFiles   = 25  // in a folder, for all builds
	mostFields  = 20  // that a type reaches
	mostMethods = 30  // that a type reaches
	mostLines   = 80  // of a function
	mostBack    = 200 // of all packages together
	mostInRooms = 60  // of materials, bsp/internal/source and convert
)

func main() {
	limits := flag.Bool("limits", false, "exit with 1 where a limit is exceeded")
	back := flag.Bool("back", false, "list the arrows that run back, with what they use")
	list := flag.Bool("types", false, "list what types that embed others reach")
	flag.Parse()
	patterns := flag.Args()
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	loaded, err := load(patterns)
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
	switch rooms := merge(loaded); {
	case *back:
		listBack(loaded)
	case *list:
		listReaches(rooms)
	default:
		over := append(report(rooms), door(loaded[0])...)
		for _, line := range over {
			fmt.Println("over:", line)
		}
		if len(over) > 0 && *limits {
			os.Exit(1)
		}
	}
}

// report prints a line for each package, and returns one for each exceeded limit.
func report(rooms []room) (over []string) {
	var all, large figures
	fmt.Printf("%-36s %5s %7s %5s  %-28s %-28s %s\n", "package", "files", "arrows", "back", "most fields", "most methods",
		"longest function")
	for _, r := range rooms {
		all.arrows += r.arrows
		all.back += r.back
		if inRooms(r.path) {
			large.arrows += r.arrows
			large.back += r.back
		}
		fmt.Printf("%-36s %5d %7d %5d  %-28s %-28s %s\n", r.path, r.files, r.arrows, r.back, r.fields, r.methods, r.lines)
		if r.lines.n > mostLines {
			over = append(over, fmt.Sprintf("%s: %s has %d lines, the limit is %d", r.path, r.lines.name, r.lines.n, mostLines))
		}
		over = append(over, overreaching(r)...)
	}
	for _, l := range []struct {
		what string
		figures
		most int
	}{{"materials, bsp/internal/source, convert", large, mostInRooms}, {"all packages", all, mostBack}} {
		fmt.Printf("%-36s %5s %7d %5d\n", l.what, "", l.arrows, l.back)
		if l.back > l.most {
			over = append(over, fmt.Sprintf("%s: %d arrows run back, the limit is %d", l.what, l.back, l.most))
		}
	}
	return over
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

// listBack prints the back arrows of all builds, each with the names that cause it.
func listBack(all [][]*packages.Package) {
	printed := map[string]bool{}
	for _, loaded := range all {
		for _, p := range loaded {
			g := calls(p)
			place := g.order()
			name := func(i int) string { return filepath.Base(p.Fset.Position(p.Syntax[i].Package).Filename) }
			for from := range g {
				for _, to := range slices.Sorted(maps.Keys(g[from])) {
					if place[to] >= place[from] {
						continue
					}
					line := fmt.Sprintf("%s: %s -> %s: %s", short(p.PkgPath), name(from), name(to), strings.Join(uses(p, from, to), " "))
					if !printed[line] {
						printed[line] = true
						fmt.Println(line)
					}
				}
			}
		}
	}
}
