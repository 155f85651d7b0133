package report

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the tables of docs/reference/report.md")

// docs/reference/report.md has the codes of the table.
func TestCodesAreDocumented(t *testing.T) {
	const file, start, end = "../../docs/reference/report.md", "<!-- codes -->\n", "<!-- end of codes -->\n"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), start)
	_, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("%s has no place for the codes", file)
	}
	link := regexp.MustCompile(`docs/(?:reference/)?((?:\w+/)?([\w-]+\.md))`)
	var b strings.Builder
	for _, notes := range []bool{false, true} {
		head := "code"
		if notes {
			head = "note"
		}
		fmt.Fprintf(&b, "\n| %s | |\n| --- | --- |\n", head)
		for _, row := range codes {
			if row.note == notes {
				names := strings.Join(strings.Fields(row.names), "`, `")
				fmt.Fprintf(&b, "| `%s` | %s |\n", names, strings.ReplaceAll(link.ReplaceAllString(row.means, "[$2](../$1)"), "(../formats", "(formats"))
			}
		}
	}
	want := before + start + b.String() + "\n" + end + after
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want != string(data) {
		t.Errorf("%s is not what the code says: go test ./convert/report -run CodesAreDocumented -update", file)
	}
}

// given matches calls and fields that give an issue its code. It does not match codes built from parts, such as the shader
// parser's.
var given = regexp.MustCompile(`(?:\b(?:[iI]ssue|Add|[dD]rop|faultf|brushIssue|note)\((?:b, )?|world\.Issue\{Code: )"([a-z0-9]+(?:-[a-z0-9]+)*)"`)

func TestCodesInTheSourceAreInTheTable(t *testing.T) {
	known := map[string]bool{}
	for _, c := range Codes() {
		if known[c.Name] {
			t.Errorf("%s is there twice", c.Name)
		}
		known[c.Name] = true
	}
	seen := 0
	for _, dir := range []string{"assets", "bsp", "convert", "geometry", "lightmap", "materials", "models"} {
		err := filepath.WalkDir("../../"+dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return err
			}
			data, err := os.ReadFile(name)
			for _, m := range given.FindAllSubmatch(data, -1) {
				seen++
				if code := string(m[1]); !known[code] {
					t.Errorf("%s: %s is in no row of Codes", name, code)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 100 {
		t.Errorf("only %d codes are found", seen)
	}
}
