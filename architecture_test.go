package bsp2gltf_test

import (
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The tree at the head of docs/internals/architecture.md has every package, and no other. Packages that only tests use are left out.
func TestArchitectureListsPackages(t *testing.T) {
	text, err := os.ReadFile("docs/internals/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := listing(string(text))
	packages := map[string]bool{}
	for name := range files(t, ".go") {
		if dir := path.Dir(name); dir != "." && !strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(dir, "test") &&
			!strings.HasPrefix(dir, "testdata") && !strings.HasPrefix(dir, "docs/") {
			packages[dir] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		if !listed[name] {
			t.Errorf("docs/internals/architecture.md does not list %s", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if _, err := os.Stat(name); err != nil {
			t.Errorf("docs/internals/architecture.md lists %s, which does not exist", name)
		}
	}
	if len(packages) < 50 {
		t.Errorf("only %d packages were found", len(packages))
	}
}

// listing returns the files and folders of the first indented block. A line holds one name or several of one folder, then three
// spaces and what it is; a name that is indented further lies in the folder above it.
func listing(text string) map[string]bool {
	names := map[string]bool{}
	parents := []string{}
	began := false
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "    ") {
			if began && strings.TrimSpace(line) != "" {
				break
			}
			continue
		}
		began = true
		line = strings.TrimRight(line[4:], "\n")
		depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
		if depth > len(parents) {
			continue // a description's second line
		}
		parents = parents[:depth]
		first := ""
		for _, name := range strings.Fields(strings.SplitN(strings.TrimSpace(line), "   ", 2)[0]) {
			if first == "" {
				first = path.Join(append(slices.Clone(parents), name)...)
				names[first] = true
				parents = append(parents, strings.TrimSuffix(name, "/"))
				continue
			}
			names[path.Join(path.Dir(first), name)] = true
		}
	}
	return names
}

// docs/internals/architecture.md names each kind of image.
func TestArchitectureNamesKindsOfImages(t *testing.T) {
	text, err := os.ReadFile("docs/internals/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?s)with a type for each kind: ([^.]*)\.`).FindStringSubmatch(string(text))
	if list == nil {
		t.Fatal("there is no list of kinds")
	}
	kinds := 0
	for name, source := range files(t, ".go") {
		if path.Dir(name) != "materials/internal/images" {
			continue
		}
		for _, m := range regexp.MustCompile(`(?m)^func \(\w+ (\w+)\) Key\(\) any`).FindAllStringSubmatch(source, -1) {
			kinds++
			if !strings.Contains(list[1], "`"+m[1]+"`") {
				t.Errorf("docs/internals/architecture.md does not name %s", m[1])
			}
		}
	}
	if named := strings.Count(list[1], "`") / 2; kinds != named {
		t.Errorf("there are %d kinds, the document names %d", kinds, named)
	}
}
