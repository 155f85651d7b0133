package materials

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/stages"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/valve"
)

var update = flag.Bool("update", false, "write the tables of the documents")

// The document has the tables that the code has.
func TestTablesOfMaterials(t *testing.T) {
	const file, start, end = "../docs/internals/materials.md", "<!-- tables of materials -->\n", "<!-- end of tables of materials -->\n"
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
		head string
		rows [][2]string
	}{
		{"parameter of Valve's materials that is known and not shown (`shader-approximated`)", valve.Unseen()},
		{"directive of scripts that is known and not shown (`shader-approximated`)", stages.Unshown()},
	} {
		fmt.Fprintf(&b, "\n| %s | what |\n| --- | --- |\n", table.head)
		var whats []string // in their order, each once
		names := map[string][]string{}
		for _, row := range table.rows {
			if names[row[1]] == nil {
				whats = append(whats, row[1])
			}
			names[row[1]] = append(names[row[1]], "`"+row[0]+"`")
		}
		for _, what := range whats {
			fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(names[what], ", "), what)
		}
	}
	b.WriteString("\nValve's shaders that are known; any other is `shader-unknown`, and shown as LightmappedGeneric: " +
		strings.Join(valve.Shaders(), ", ") + ".\n\n")
	text := b.String()
	if want := before + start + text + end + after; *update {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want != string(data) {
		t.Errorf("%s is not what the code says: go test ./materials -run TestTablesOfMaterials -update", file)
	}
}
