package extras

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the tables in docs")

// Documents have the table's rows between comments that name the kinds of rows, each row once.
// go test ./internal/extras -update rewrites them.
func TestDocumentsShowTheTable(t *testing.T) {
	keys, err := Keys()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../docs/*/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	block := regexp.MustCompile(`(?s)(<!-- keys: ([^>]*) -->\n)(.*?)(<!-- end of keys -->\n)`)
	var shown []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := block.ReplaceAllStringFunc(string(text), func(old string) string {
			m := block.FindStringSubmatch(old)
			kinds := strings.Split(m[2], ", ")
			shown = append(shown, kinds...)
			return m[1] + "\n" + Markdown(keys, kinds) + "\n" + m[4]
		})
		if want == string(text) {
			continue
		}
		if !*update {
			t.Errorf("%s is not what go test ./internal/extras -update makes of the table", file)
		} else if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, k := range keys {
		if n := len(slices.DeleteFunc(slices.Clone(shown), func(kind string) bool { return kind != k.On })); n != 1 {
			t.Errorf("%d documents show the keys of %s", n, k.On)
		}
	}
}

// The README of a plugin lists, between comments that name both, the keys that another reader acts on and the plugin does not.
// go test ./internal/extras -update rewrites them.
func TestReadersSayWhatTheyLack(t *testing.T) {
	keys, err := Keys()
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile(`(?s)(<!-- lacks: (\S+) beside (\S+) -->\n)(.*?)(<!-- end of lacks -->\n)`)
	for _, file := range []string{"../../addons/three/README.md", "../../addons/babylon/README.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := block.FindStringSubmatch(string(text))
		if m == nil {
			t.Errorf("%s has no list of what is lacking", file)
			continue
		}
		want := strings.Replace(string(text), m[0], m[1]+"\n"+Lacks(keys, m[2], m[3])+"\n"+m[5], 1)
		if want == string(text) {
			continue
		}
		if !*update {
			t.Errorf("%s is not what go test ./internal/extras -update makes of the table", file)
		} else if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLacks(t *testing.T) {
	keys := []Key{
		{On: "a", Name: "x", Readers: []string{"three", "babylon"}}, {On: "a", Name: "face_{rt,bk}", Readers: []string{"three"}},
		{On: "a", Name: "y", Readers: []string{"three"}}, {On: "b", Name: "z", Readers: []string{"three"}},
	}
	if got, want := Lacks(keys, "babylon", "three"), "- a: `face_rt`, `face_bk`, `y`\n- b: `z`\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := Lacks(keys, "three", "babylon"); got != "- none\n" {
		t.Error(got)
	}
}

func TestRowsOfSeveralNames(t *testing.T) {
	keys := []Key{
		{On: "a", Name: "face_{rt,bk}", Type: "text", Means: "files", Readers: []string{"three", "page"}},
		{On: "a", Name: "stage_*", Type: "text"},
		{On: "b", Name: "size", Type: "number", Means: "pixels"},
	}
	if got := keys[0].Names(); !slices.Equal(got, []string{"face_rt", "face_bk"}) {
		t.Error(got)
	}
	want := "| on | key | type | | read by |\n| --- | --- | --- | --- | --- |\n" +
		"| a | `face_rt`, `face_bk` | text | files | three.js, page |\n|  | `stage_…` | text |  |  |\n| b | `size` | number | pixels |  |\n"
	if got := Markdown(keys, []string{"a", "b"}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
