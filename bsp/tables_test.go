package bsp

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/goldsrc"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/source"
)

var update = flag.Bool("update", false, "rewrite the tables of docs/reference/formats.md")

// docs/reference/formats.md has the tables that the decoders use.
func TestTablesOfFormats(t *testing.T) {
	const file, start, end = "../docs/reference/formats.md", "<!-- tables -->\n", "<!-- end of tables -->\n"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), start)
	_, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("%s has no place for the tables", file)
	}
	var b strings.Builder
	for _, table := range []struct {
		head [2]string
		rows [][2]string
	}{
		{[2]string{"block of BSPX", "what it is used for; any other is `bspx`"}, goldsrc.Blocks()},
		{[2]string{"game lump of Source", "what it is used for; any other is `lump-unsupported`"}, source.GameLumps()},
		{[2]string{"lumps of Source that are not read", "why"}, joinNames(source.UnreadLumps(), ", ")},
		{[2]string{"classes of entities that the game draws, and bsp2gltf does not (`entity-effect`)", "what"}, joinNames(classes.Effects(), " ")},
		{[2]string{"keys of worldspawn that change the picture, also with `_` before them", "what they do; other keys stay in the extras"}, classes.WorldKeys()},
		{[2]string{"skies and decals", "what is made of them"}, classes.Looks()},
	} {
		fmt.Fprintf(&b, "\n| %s | %s |\n| --- | --- |\n", table.head[0], table.head[1])
		for _, row := range table.rows {
			fmt.Fprintf(&b, "| %s | %s |\n", row[0], row[1])
		}
	}
	want := before + start + b.String() + "\n" + end + after
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want != string(data) {
		t.Errorf("%s is not what the code says: go test ./bsp -run TestTablesOfFormats -update", file)
	}
}

// joinNames returns one row for each explanation, with the names of all rows that have it, each once.
func joinNames(rows [][2]string, separator string) [][2]string {
	var joined [][2]string
	for _, row := range rows {
		i := slices.IndexFunc(joined, func(j [2]string) bool { return j[1] == row[1] })
		if i < 0 {
			i, joined = len(joined), append(joined, [2]string{"", row[1]})
		}
		names := strings.Split(joined[i][0], separator)
		for _, name := range strings.Split(row[0], separator) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		joined[i][0] = strings.TrimPrefix(strings.Join(names, separator), separator)
	}
	return joined
}
