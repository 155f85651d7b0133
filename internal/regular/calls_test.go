package regular_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// openers are the functions that open a file or a folder by its path.
var openers = map[string]bool{
	"os.Open": true, "os.OpenFile": true, "os.OpenInRoot": true, "os.OpenRoot": true, "os.ReadFile": true, "os.ReadDir": true, "os.DirFS": true,
	"os.Create": true, "os.WriteFile": true, "os.Truncate": true, "os.CopyFS": true, "os.StartProcess": true,
	"syscall.Open": true, "syscall.Openat": true, "unix.Open": true, "unix.Openat": true, "ioutil.ReadFile": true, "ioutil.ReadDir": true,
	"zip.OpenReader": true, "filepath.WalkDir": false, // which opens folders only that it has seen to be folders
}

// The calls that open something by its path, outside of this package, with the reason of each. What nobody named by hand is opened by
// regular.Open and regular.ReadDir: a new call belongs there, or here with a reason.
var allowed = map[string]string{
	"cmd/bsp2gltf-queue/internal/store/scratch.go os.OpenRoot": "the folder for fetched files, just made",
	"cmd/bsp2gltf-queue/internal/store/store.go os.Create":     "a file in a new folder of this process",
	"cmd/internal/batch/folder.go os.OpenRoot":                 "the folder of outputs, which the user named",
	"cmd/internal/batch/memory_linux.go os.ReadFile":           "of /proc and /sys",
	"cmd/internal/closed/stdout_linux.go os.ReadFile":          "of /proc",
	"cmd/internal/command/config.go os.OpenFile":               "a file that must not exist",
	"cmd/internal/command/convert.go os.Open":                  "a pipeline file that the user named, which may be a pipe",
	"cmd/internal/command/convert.go os.OpenFile":              "an output that the user named, which may be a device",
	"convert/inspect/games.go os.ReadFile":                     "of /proc",
	"convert/internal/write/stale.go os.DirFS":                 "walks folders that were listed",
	"convert/usage_unix.go os.ReadFile":                        "of /proc",
	"internal/buildid/buildid.go os.Open":                      "this program",
	"internal/diskcache/cache.go os.OpenRoot":                  "the folder of the cache, just made",
	"internal/outfile/begun_linux.go os.ReadFile":              "of /proc",
	"internal/outfile/outfile.go os.OpenRoot":                  "the folder of an output, just made",
	"internal/outfile/place.go os.OpenFile":                    "an output that is known to be a regular file",
}

// tools are programs of developers, which open files of this repository.
var tools = []string{"testdata", "release", "web", "docs", "internal/measure", "addons", ".ci", "node_modules"}

func TestFilesAreOpenedByThisPackage(t *testing.T) {
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	err = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(top, path)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			for _, tool := range append(tools, ".git", "internal/regular") {
				if rel == tool {
					return filepath.SkipDir
				}
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") || strings.Contains(rel, "test/") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && openers[x.Name+"."+s.Sel.Name] {
					call := rel + " " + x.Name + "." + s.Sel.Name
					found[call] = allowed[call]
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(allowed, found); diff != "" {
		t.Errorf("calls that open files (-listed +found):\n%s", diff)
	}
}
