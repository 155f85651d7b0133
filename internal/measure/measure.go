package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
)

// count is a number and the name of what it counts.
type count struct {
	n    int
	name string
}

func (c count) String() string { return fmt.Sprintf("%d %s", c.n, c.name) }

// add keeps the larger of two counts, the first of equal ones.
func (c *count) add(n int, name string) {
	if n > c.n {
		*c = count{n, name}
	}
}

// figures holds the measures of a package.
type figures struct {
	files, arrows, back    int
	fields, methods, lines count
}

// add takes the greater of each figure.
func (f *figures) add(o figures) {
	f.files, f.arrows, f.back = max(f.files, o.files), max(f.arrows, o.arrows), max(f.back, o.back)
	f.fields.add(o.fields.n, o.fields.name)
	f.methods.add(o.methods.n, o.methods.name)
	f.lines.add(o.lines.n, o.lines.name)
}

// measure returns the figures of a package in one build, except what its types reach.
func measure(p *packages.Package) figures {
	f := figures{files: len(sources(filepath.Dir(p.GoFiles[0])))}
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				f.lines.add(lines(p.Fset, d), d.Name.Name)
			}
		}
	}
	g := calls(p)
	f.arrows, f.back = g.arrows(), g.back(g.order())
	return f
}

// lines returns how many lines a function takes, from its name to its closing brace.
func lines(files *token.FileSet, d *ast.FuncDecl) int {
	return files.Position(d.End()).Line - files.Position(d.Pos()).Line + 1
}

// graph holds, for each file of a package, the files whose declarations it uses.
type graph []map[int]bool

// uses lists the names that one file of a package uses from another.
func uses(p *packages.Package, from, to int) []string {
	names := map[string]bool{}
	a, b := p.Syntax[from], p.Syntax[to]
	for used, object := range p.TypesInfo.Uses {
		if object.Pkg() == p.Types && shared(object) && a.FileStart <= used.Pos() && used.Pos() < a.FileEnd &&
			b.FileStart <= object.Pos() && object.Pos() < b.FileEnd {
			names[object.Name()] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// calls finds the arrows between the files of a package.
func calls(p *packages.Package) graph {
	index := map[string]int{}
	g := make(graph, len(p.Syntax))
	for i, file := range p.Syntax {
		index[p.Fset.Position(file.Package).Filename] = i
		g[i] = map[int]bool{}
	}
	for used, object := range p.TypesInfo.Uses {
		if object.Pkg() != p.Types || !shared(object) {
			continue
		}
		from, ok1 := index[p.Fset.Position(used.Pos()).Filename]
		to, ok2 := index[p.Fset.Position(object.Pos()).Filename]
		if ok1 && ok2 && from != to {
			g[from][to] = true
		}
	}
	return g
}

// shared reports whether an object can connect files: package-level declarations and methods.
func shared(o types.Object) bool {
	if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
		return true
	}
	return o.Parent() == o.Pkg().Scope()
}

func (g graph) arrows() (n int) {
	for _, to := range g {
		n += len(to)
	}
	return n
}

// back returns how many arrows go to a file above the one they come from.
func (g graph) back(place []int) (n int) {
	for from, to := range g {
		for t := range to {
			if place[t] < place[from] {
				n++
			}
		}
	}
	return n
}

// order returns the place of each file, callers first, such that few arrows run back.
func (g graph) order() []int {
	return g.improved(g.greedy())
}

// improved moves single files to places where fewer arrows run back, until no move helps.
func (g graph) improved(place []int) []int {
	files := make([]int, len(place)) // by place
	for f, at := range place {
		files[at] = f
	}
	for moved := true; moved; {
		moved = false
		for f := range g {
			at := slices.Index(files, f)
			best, gain := at, 0
			for _, step := range []int{-1, 1} {
				sum := 0
				for to := at + step; to >= 0 && to < len(files); to += step {
					passed := files[to]
					sum += step * (toInt(g[passed][f]) - toInt(g[f][passed]))
					if sum > gain {
						best, gain = to, sum
					}
				}
			}
			if best != at {
				files = slices.Insert(slices.Delete(files, at, at+1), best, f)
				moved = true
			}
		}
	}
	for at, f := range files {
		place[f] = at
	}
	return place
}

func toInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// greedy is the heuristic of Eades, Lin and Smyth: files that call none of the rest go to the end, files that none
// of the rest calls go to the front; otherwise the file that calls most and is called least goes to the front.
func (g graph) greedy() []int {
	place := make([]int, len(g))
	left := map[int]bool{}
	for i := range g {
		left[i] = true
	}
	front, end := 0, len(g)-1
	for len(left) > 0 {
		best, score, sink := -1, 0, -1
		for i := range g {
			if !left[i] {
				continue
			}
			out, in := g.degrees(i, left)
			if out == 0 {
				sink = i
				break
			}
			if s := out - in; best < 0 || in == 0 || s > score {
				best, score = i, s
				if in == 0 {
					break
				}
			}
		}
		if sink >= 0 {
			place[sink], end = end, end-1
			delete(left, sink)
		} else {
			place[best], front = front, front+1
			delete(left, best)
		}
	}
	return place
}

// degrees returns how many of the files left a file calls, and how many of them call it.
func (g graph) degrees(i int, left map[int]bool) (out, in int) {
	for t := range g[i] {
		if left[t] {
			out++
		}
	}
	for f := range left {
		if g[f][i] {
			in++
		}
	}
	return out, in
}
