package report

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each code has a row in docs/reference/report.md, of the same words, and each row of the document a code. A code that starts with a
// hyphen there goes on where the one before it has its first.
func TestCodesAreDocumented(t *testing.T) {
	data, err := os.ReadFile("../../docs/reference/report.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(data), "## Codes of issues")
	table, strict, _ := strings.Cut(text, "\n\nMissing images")
	strict, _, _ = strings.Cut(strict, "\n\n")
	link := regexp.MustCompile(`\[[^\]]*\]\(([^)#]*)[^)]*\)`)
	plain := func(cell string) string { // with the path of a document in place of the link to it
		return link.ReplaceAllStringFunc(cell, func(l string) string { return path.Join("docs/reference", link.FindStringSubmatch(l)[1]) })
	}
	documented := map[string]string{}
	for line := range strings.Lines(table) {
		cells := strings.SplitN(strings.TrimSpace(line), " | ", 2)
		if len(cells) < 2 || !strings.HasPrefix(cells[0], "| `") {
			continue
		}
		start := ""
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[0], -1) {
			code := name[1]
			if strings.HasPrefix(code, "-") {
				code = start + code
			} else {
				start, _, _ = strings.Cut(code, "-")
			}
			documented[code] = plain(strings.TrimSuffix(cells[1], " |"))
		}
	}
	for _, c := range Codes() {
		if means, ok := documented[c.Name]; !ok || means != c.Means {
			t.Errorf("%s: the document says %q, the table %q", c.Name, means, c.Means)
		}
		delete(documented, c.Name)
		if c.Note != strings.Contains(strict, "`"+c.Name+"`") {
			t.Errorf("%s: the document's list of notes disagrees", c.Name)
		}
	}
	for code := range documented {
		t.Errorf("%s is documented, and no code", code)
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
