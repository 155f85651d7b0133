package bsp2gltf_test

import (
	"go/format"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The Go that documents show parses, and is laid out as gofmt does it.
func TestDocumentsShowGo(t *testing.T) {
	fence := regexp.MustCompile("(?ms)^```go\n(.*?)^```$")
	found := 0
	for name, text := range documents(t) {
		for _, block := range fence.FindAllStringSubmatch(text, -1) {
			found++
			if formatted, err := format.Source([]byte(block[1])); err != nil || string(formatted) != block[1] {
				t.Errorf("%s: %v\n%s", name, err, block[1])
			}
		}
	}
	if found == 0 {
		t.Error("no document shows Go")
	}
}

// A test, benchmark or fuzz target that a document names exists. `-run Golden` names all whose names contain it.
func TestDocumentsNameTests(t *testing.T) {
	exist := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)\w+)\(`)
	for name, text := range files(t, "_test.go") {
		for _, m := range declared.FindAllStringSubmatch(text, -1) {
			exist[m[1]] = true
			exist[path.Dir(name)+" "+m[1]] = true
		}
	}
	word := regexp.MustCompile(`\b(?:Test|Benchmark|Fuzz)[A-Z]\w*`)
	run := regexp.MustCompile(`go test \./(\S+)[^\x60\n]*? -(?:run|fuzz) '?([A-Z]\w*)`)
	found := 0
	for name, text := range documents(t) {
		for _, test := range word.FindAllString(text, -1) {
			found++
			if !exist[test] {
				t.Errorf("%s names %s, which does not exist", name, test)
			}
		}
		for _, m := range run.FindAllStringSubmatch(text, -1) {
			found++
			if !slices.ContainsFunc(slices.Collect(maps.Keys(exist)), func(test string) bool {
				return strings.HasPrefix(test, strings.TrimSuffix(m[1], "/...")) && strings.Contains(test, " ") &&
					strings.Contains(test, m[2])
			}) {
				t.Errorf("%s: no test of %s is called %s", name, m[1], m[2])
			}
		}
	}
	if found == 0 {
		t.Error("no document names a test")
	}
}

// A link of a document leads to a file, and its anchor to a heading.
func TestDocumentsLinkToFiles(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:\s]*)(?:#([^)\s]*))?\)`)
	fence := regexp.MustCompile("(?ms)^```.*?^```$|^    .*?$")
	all := maps.Collect(documents(t))
	found := 0
	for name, text := range all {
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
			found++
			target := path.Join(path.Dir(name), m[1])
			if m[1] == "" {
				target = name
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %v", name, err)
			} else if m[2] != "" && !slices.Contains(anchors(all[target]), m[2]) {
				t.Errorf("%s: %s has no heading #%s", name, target, m[2])
			}
		}
	}
	if found == 0 {
		t.Error("no document has a link")
	}
}

// The index and the site's navigation have each page of docs.
func TestIndexListsDocuments(t *testing.T) {
	for _, index := range []string{"docs/README.md", "release/site/mkdocs.yml"} {
		text, err := os.ReadFile(index)
		if err != nil {
			t.Fatal(err)
		}
		for name := range documents(t) {
			page, isDoc := strings.CutPrefix(name, "docs/")
			if !isDoc || page == "README.md" || strings.HasPrefix(page, "guide/games/") && index == "docs/README.md" {
				continue // the games have an index of their own
			}
			if !strings.Contains(string(text), page) {
				t.Errorf("%s does not list %s", index, name)
			}
		}
	}
}

// A document that code, a test, an add-on or a script names exists.
func TestFilesNameDocuments(t *testing.T) {
	named := regexp.MustCompile(`(?:^|[^\w/.-])((?:docs/[\w/-]+|testdata/README|release/README)\.md)`)
	found := 0
	for _, ending := range []string{".go", ".py", ".js", ".mjs", ".cs", ".gd", ".gdshader", ".hlsl", ".shader", ".yaml", ".yml", ".toml", ".sh", ".ci/run"} {
		for name, text := range files(t, ending) {
			for _, m := range named.FindAllStringSubmatch(text, -1) {
				found++
				if _, err := os.Stat(m[1]); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d names of documents are found", found)
	}
}

// anchors returns the names that GitHub gives to the headings of a document, for links.
func anchors(text string) (names []string) {
	drop := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		heading := regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(m[1], "$1")
		names = append(names, strings.ReplaceAll(drop.ReplaceAllString(strings.ToLower(heading), ""), " ", "-"))
	}
	return names
}

// Paths in backticks are those of files and folders of the repository; NAME stands for any. The walks of
// docs/internals/architecture.md leave the first folders out.
func TestDocumentsNameFiles(t *testing.T) {
	exist := map[string]bool{}
	for name := range files(t, "") {
		exist[name] = true
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			exist[dir] = true
		}
	}
	ends := func(part string) bool {
		return slices.ContainsFunc(slices.Collect(maps.Keys(exist)),
			func(name string) bool { return strings.HasSuffix("/"+name, "/"+part) })
	}
	named := regexp.MustCompile("`((?:addons|assets|bsp|cmd|convert|deploy|docs|geometry|internal|lightmap|materials|models|release|web|world)/[\\w./-]*\\w)/?`")
	walk := regexp.MustCompile(`\b([a-z0-9]+/[a-z0-9]+\.go)\b`)
	found := 0
	for name, text := range documents(t) {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			found++
			if !exist[m[1]] && !exist[path.Join(path.Dir(name), m[1])] && !ends(m[1]) && !strings.Contains(m[1], "NAME") {
				t.Errorf("%s names %s, which does not exist", name, m[1])
			}
		}
		for _, m := range walk.FindAllStringSubmatch(text, -1) {
			found++
			if !ends(m[1]) {
				t.Errorf("%s names %s, which does not exist", name, m[1])
			}
		}
	}
	if found == 0 {
		t.Error("no document names a file")
	}
}

// What documents name with its package, like `geometry.Build`, is declared there.
func TestDocumentsNameDeclarations(t *testing.T) {
	declared := map[string]bool{}
	packages := map[string]bool{}
	declaration := regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|type |var |const |\t)([A-Z]\w*)\b`)
	for name, text := range files(t, ".go") {
		pkg := path.Base(path.Dir(name))
		packages[pkg] = true
		for _, m := range declaration.FindAllStringSubmatch(text, -1) {
			declared[pkg+"."+m[1]] = true
		}
	}
	named := regexp.MustCompile(`\b([a-z0-9]+)\.([A-Z]\w*)\b`)
	quoted := regexp.MustCompile("`[^`\n]*`")
	found := 0
	for name, text := range documents(t) {
		for _, span := range quoted.FindAllString(text, -1) {
			for _, m := range named.FindAllStringSubmatch(span, -1) {
				if !packages[m[1]] || m[2] == strings.ToUpper(m[2]) { // bsp.XXXX is a file
					continue
				}
				found++
				if !declared[m[0]] {
					t.Errorf("%s names %s, which is not declared", name, m[0])
				}
			}
		}
	}
	if found == 0 {
		t.Error("no document names a declaration")
	}
}

// The program, its tests and .ci/run read the environment variables that documents name, and .ci/run has the sections.
func TestDocumentsNameVariables(t *testing.T) {
	read := ""
	for _, ending := range []string{".go", ".py", ".mjs", ".cs", ".gd", ".ci/run"} {
		for name, text := range files(t, ending) {
			if name != "docs_test.go" {
				read += text
			}
		}
	}
	named := regexp.MustCompile(`\b(?:BSP2GLTF_[A-Z_]+|XASH_HOME)\b|\.ci/run( [a-z]+)+`)
	found := 0
	for name, text := range documents(t) {
		for _, what := range named.FindAllString(text, -1) {
			sections, isRun := strings.CutPrefix(what, ".ci/run ")
			if !isRun {
				found++
				if !strings.Contains(read, what) {
					t.Errorf("%s names %s, which nothing reads", name, what)
				}
				continue
			}
			for section := range strings.FieldsSeq(sections) {
				found++
				if !strings.Contains(read, "do_"+section+"()") {
					t.Errorf("%s names the section %s, which .ci/run does not have", name, section)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no document names a variable")
	}
}

// The README names the presets that there are.
func TestReadmeNamesPresets(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir("convert/pipeline/presets")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, e := range entries {
		want = append(want, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	var got []string
	for _, m := range regexp.MustCompile("(?m)^[|].*[|] `([a-z]+)`: [^|]*[|]$").FindAllStringSubmatch(string(text), -1) {
		got = append(got, m[1])
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the README's table has the presets %q instead of %q", got, want)
	}
}

// documents returns the text of each document.
func documents(t *testing.T) func(yield func(name, text string) bool) {
	return func(yield func(name, text string) bool) {
		for name, text := range files(t, ".md") {
			if !yield(name, text) {
				return
			}
		}
	}
}

// files returns the name and, for names with an ending, the text of each file of the repository.
func files(t *testing.T, ending string) func(yield func(name, text string) bool) {
	return func(yield func(name, text string) bool) {
		err := fs.WalkDir(os.DirFS("."), ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() {
				if base := entry.Name(); base == "node_modules" || base == ".git" {
					return fs.SkipDir
				}
				return nil
			}
			if !strings.HasSuffix(name, ending) {
				return nil
			}
			var text []byte
			if ending != "" {
				if text, err = os.ReadFile(name); err != nil {
					return err
				}
			}
			if !yield(name, string(text)) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
