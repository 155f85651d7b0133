package command

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// ways are the ways into the program. In its words PATH stands for a map in some form, OUT for an empty folder.
var ways = []struct {
	name   string
	words  []string
	typed  string
	beside bool // the output lies beside the form, else in OUT
	asks   bool // an archive of two maps is not converted: its maps are named
	lists  bool // nothing is converted: the maps are listed
}{
	{name: "command", words: []string{"bsp2gltf", "-q", "PATH", "OUT/"}, asks: true},
	{name: "batch", words: []string{"bsp2gltf", "-q", "batch", "--no-pictures", "-o", "OUT", "PATH"}},
	{name: "drop", words: []string{"dropped", "PATH"}, typed: "\n", beside: true},
	{name: "list", words: []string{"bsp2gltf", "info", "--maps", "PATH"}, lists: true},
}

// taken runs each form of a list, as addons/test/containers.py prints it, by each way: taken LIST WANTED.glb.
func taken(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: taken LIST WANTED.glb")
	}
	lines := strings.Split(strings.TrimSpace(ts.ReadFile(args[0])), "\n")
	if len(lines) < 10 {
		ts.Fatalf("the list has %d forms", len(lines))
	}
	kinds := map[string][]string{"one": {"box"}, "two": {"box", "other"}, "none": nil}
	for _, line := range lines {
		path, kind, _ := strings.Cut(line, "\t")
		path = ts.MkAbs(path)
		maps, known := kinds[kind]
		if !known {
			ts.Fatalf("%s is %q", path, kind)
		}
		for _, w := range ways {
			out := ts.MkAbs("out-" + w.name)
			ts.Check(os.RemoveAll(out))
			ts.Check(os.Mkdir(out, 0o755))
			words := slices.Clone(w.words)
			for i := range words {
				words[i] = strings.NewReplacer("PATH", path, "OUT", out).Replace(words[i])
			}
			if w.beside {
				out = path
				if kind != "two" || strings.HasSuffix(path, ".zip") {
					out = filepath.Dir(path)
				}
			}
			ts.Setenv("TYPED", w.typed)
			err := ts.Exec(words[0], words[1:]...)
			said := ts.ReadFile("stdout") + ts.ReadFile("stderr")
			made := madeIn(ts, out, ts.ReadFile(args[1]))
			what := w.name + " of " + path
			switch asked := w.asks && strings.HasSuffix(path, "two.zip"); {
			case kind == "none":
				if err == nil || len(made) > 0 || !strings.Contains(said, "archive") ||
					!strings.Contains(said, "unpack it, and convert the .bsp") {
					ts.Fatalf("%s: %v, made %q, said %s", what, err, made, said)
				}
			case w.lists, asked:
				if (err == nil) == asked || len(made) > 0 || strings.Count(said, "box.bsp") == 0 ||
					strings.Contains(said, "other.bsp") != (kind == "two") {
					ts.Fatalf("%s: %v, made %q, said %s", what, err, made, said)
				}
			case err != nil || !slices.Equal(made, maps):
				ts.Fatalf("%s: %v, made %q, said %s", what, err, made, said)
			}
		}
	}
	ts.Logf("%d forms by %d ways", len(lines), len(ways))
}

// madeIn returns the names of the .glb files below a folder, without their extensions, and removes them. A file other than wanted
// is named as such; of a map called other only the name of its scene differs.
func madeIn(ts *testscript.TestScript, dir, wanted string) []string {
	var made []string
	ts.Check(filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".glb" {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(path), ".glb")
		if data := ts.ReadFile(path); name == "box" && data != wanted || len(data) < len(wanted)/2 {
			name += " with other bytes"
		}
		made = append(made, name)
		return os.Remove(path)
	}))
	slices.Sort(made)
	return made
}
