package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// checked returns the package of a source text.
func checked(t *testing.T, source string) *packages.Package {
	t.Helper()
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "p.go", "package p\n"+source, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	p, err := new(types.Config).Check("p", files, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	return &packages.Package{Types: p, TypesInfo: info}
}

func TestPromotedMembersCount(t *testing.T) {
	all := reaches(checked(t, `
		type job struct { budget, issues int }
		func (*job) reserve() {}
		type records struct { *job; faces, edges int }
		func (records) corner() {}
		func (*records) normal() {}
		type faces struct { *job; records; light, faces int }
		func (*faces) lift() {}
		type plain struct{ a, b int }
		type number int
		func (number) String() string { return "" }
		type either interface { corner() }
		func f() { type inner struct { plain } }`))
	for name, want := range map[string]reach{
		"job":     {2, 1, 2, 1},
		"records": {3, 2, 5, 3}, // job, faces, edges, and of job budget and issues; corner, normal, and of job reserve
		// job, records, light, faces, of records edges, of job budget and issues. The faces of records are hidden; job is found directly.
		"faces":  {4, 1, 7, 4},
		"plain":  {2, 0, 2, 0},
		"inner":  {1, 0, 3, 0},
		"number": {0, 1, 0, 1},
	} {
		if all[name] != want {
			t.Errorf("%s reaches %v, want %v", name, all[name], want)
		}
	}
	if _, ok := all["either"]; ok {
		t.Error("an interface reaches nothing")
	}
}

func TestFileOfNoBuildIsReported(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.go", "b.go", "a_test.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := missed(map[string]bool{filepath.Join(dir, "a.go"): true})
	if err == nil || !strings.HasSuffix(err.Error(), "b.go is in none of the builds") {
		t.Error(err)
	}
	if err := missed(map[string]bool{filepath.Join(dir, "a.go"): true, filepath.Join(dir, "b.go"): true}); err != nil {
		t.Error(err)
	}
}

func TestExceptionsThatAreNotNeededAreReported(t *testing.T) {
	large := reach{allFields: mostFields + 1}
	r := room{path: "bsp", reaches: map[string]reach{"Map": large, "Other": large, "Small": {}}}
	if over := overreaching(r); len(over) != 1 || !strings.HasPrefix(over[0], "bsp: Other reaches 21 fields") {
		t.Errorf("%q", over)
	}
	r.reaches["Map"], r.reaches["Other"] = reach{}, reach{}
	if over := overreaching(r); len(over) != 1 || !strings.HasPrefix(over[0], "bsp.Map is within the limits") {
		t.Errorf("%q", over)
	}
}
