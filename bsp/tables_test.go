package bsp

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the tables of docs/reference/formats.md")

// docs/reference/formats.md has the tables of the code.
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
	for _, table := range tables() {
		for i, row := range table {
			fmt.Fprintf(&b, "| %s | %s |\n", row[0], row[1])
			if i == 0 {
				b.WriteString("| --- | --- |\n")
			}
		}
		b.WriteString("\n")
	}
	want := before + start + "\n" + b.String() + end + after
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want != string(data) {
		t.Errorf("%s is not what the code says: go test ./bsp -run TestTablesOfFormats -update", file)
	}
}
