package pipeline

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf"
)

var update = flag.Bool("update", false, "rewrite docs/reference/options.md")

// docs/reference/options.md is pipeline.yaml as tables. go test ./convert/pipeline -run Document -update rewrites it.
func TestOptionsDocumentIsThePipelineFile(t *testing.T) {
	const file = "../../docs/reference/options.md"
	want := optionsDocument()
	got, err := os.ReadFile(file)
	if err == nil && string(got) == want {
		return
	}
	if !*update {
		t.Fatalf("%s is not what go test ./convert/pipeline -run Document -update makes of pipeline.yaml (%v)", file, err)
	}
	if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// optionsDocument returns a table for each section of pipeline.yaml, with the options in the order of that file.
func optionsDocument() string {
	var b strings.Builder
	b.WriteString("# Options\n\nEach option of [pipeline.yaml](../../pipeline.yaml), from which a test makes this page: its default, and what it does.\n" +
		"[The command](command.md#options) says how to set them. Those below *rarely needed* are for special cases.\n")
	link := regexp.MustCompile(`docs/((?:[\w-]+/)*([\w-]+\.md))`)
	cell := strings.NewReplacer("|", `\|`, "*", `\*`, "<", "&lt;")
	section := ""
	for line := range strings.Lines(string(bsp2gltf.DefaultPipeline)) {
		key := regexp.MustCompile(`^( *)([a-z_]+):`).FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "  # "):
			fmt.Fprintf(&b, "| *%s* | | |\n", strings.ToLower(strings.TrimSpace(line[4:])))
		case key == nil || key[2] == "version":
		case key[1] == "":
			section = key[2]
			fmt.Fprintf(&b, "\n## %s\n\n", section)
			if doc := docs()[section].text; doc != "" {
				fmt.Fprintf(&b, "%s.\n\n", strings.ToUpper(doc[:1])+doc[1:])
			}
			b.WriteString("| option | default | |\n| --- | --- | --- |\n")
		default:
			name := joinKey(section, key[2])
			for _, o := range options() {
				if o.key == name {
					p := Default()
					fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", name, scalar(o.in(&p)),
						link.ReplaceAllString(cell.Replace(o.doc()), "[$2](../$1)"))
				}
			}
		}
	}
	return b.String()
}
