package command

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/messages.txt")

// testdata/messages.txt has what the command says to mistakes and to what can't be converted, each with a next step: a command after
// "$", what it prints on standard error, and its exit code if that is not 0. A line that starts with # is a remark.
func TestMessagesHaveANextStep(t *testing.T) {
	golden, err := filepath.Abs("testdata/messages.txt")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	testdata, err := filepath.Abs("../../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(messageFiles(t, testdata))
	t.Setenv("HOME", t.TempDir())
	t.Setenv("STEAM_DIR", "none")
	var got strings.Builder
	n := 0
	for line := range strings.Lines(string(want)) {
		switch {
		case strings.HasPrefix(line, "$ bsp2gltf"):
			n++
			got.WriteString(line)
			var said strings.Builder
			a := newApp(nil)
			a.stdin, a.stdout, a.stderr, a.terminal = strings.NewReader(""), new(strings.Builder), &said, false
			code := a.run(strings.Fields(strings.TrimPrefix(line, "$ bsp2gltf")))
			text := regexp.MustCompile(`(?m)^  [\d.]+ m?s, [\d.]+ .?B of memory`).ReplaceAllString(said.String(),
				"  1.2 s, 34.5 MB of memory")
			got.WriteString(text)
			if code != 0 {
				fmt.Fprintf(&got, "exit %d\n", code)
			}
			got.WriteString("\n")
		case strings.HasPrefix(line, "#"):
			got.WriteString(line)
		}
	}
	if n < 30 {
		t.Errorf("the file has %d commands", n)
	}
	text := strings.TrimSuffix(got.String(), "\n")
	if regexp.MustCompile(`(?m): (usage|corrupt|limit exceeded|unreadable|unsupported operation|file does not exist)$`).MatchString(text) {
		t.Error("a message ends in the name of its kind")
	}
	if text == string(want) {
		return
	}
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("what is said has changed; go test ./cmd/bsp2gltf -run Messages -update, and read the difference; now it is\n%s", text)
}

// messageFiles makes the files that messages.txt names.
func messageFiles(t *testing.T, testdata string) string {
	t.Helper()
	dir := t.TempDir()
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(testdata, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	box := read("features/maps/polygons.bsp")
	// head is the start of a map of a version that only its number tells.
	head := func(ident string, version byte) []byte {
		return append([]byte(ident+string([]byte{version, 0, 0, 0})), make([]byte, 200)...)
	}
	for name, data := range map[string][]byte{
		"a.bsp": box, "b.bsp": box, "maps/one.bsp": box, "maps/two.bsp": box,
		"cut.bsp": box[:len(box)/2], "empty.bsp": nil, "short.bsp": box[:100],
		"source.map": []byte("{\n\"classname\" \"worldspawn\"\n"), "hammer.vmf": []byte("versioninfo\n{\n"),
		"page.bsp":       []byte("<!DOCTYPE html>\n<html>"),
		"mp_backlot.bsp": head("IBSP", 22), "toujane.bsp": head("IBSP", 4), "carentan.bsp": head("IBSP", 59),
		"dm_mohaa.bsp": head("2015", 19),
		"map.7z":       []byte("7z\xbc\xaf\x27\x1c\x00\x04...."), "map.rar": []byte("Rar!\x1a\x07\x01\x00...."),
		"program.bsp":  []byte("MZ\x90\x00........"),
		"halflife.bsp": read("goldsrc/maps/version30.bsp"), "wads.bsp": read("goldsrc/maps/surfaces.bsp"),
		"textures.wad": read("goldsrc/wads/ours.wad"), "some.vtf": []byte("VTF\x00\x07\x00\x00\x00......"),
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "nothing"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeZip(t, filepath.Join(dir, "two.zip"), "maps/a.bsp", "maps/b.bsp")
	writeZip(t, filepath.Join(dir, "readme.zip"), "readme.txt")
	return dir
}
