package convert

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
)

// The key-values of the file beside an output and the extras of its nodes are together those of an output without such a file, which is
// what standard output gets.
func TestPropertiesBesideTheOutput(t *testing.T) {
	file := set(t, "entities.properties=file")
	for _, in := range []string{"../testdata/source/maps/entities.bsp", "../testdata/features/maps/entities.bsp", demo} {
		want := extrasOf(t, in, "")
		dir := t.TempDir()
		r := mustFile(t, file, in, filepath.Join(dir, "x.glb"))
		packed, err := os.ReadFile(filepath.Join(dir, "x_entities.json.gz"))
		if err != nil || len(r.Output.Files) < 2 {
			t.Fatal(err, r.Output.Files)
		}
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		var beside struct {
			Version  int
			Map      string
			Entities map[string]map[string]any
		}
		if err := json.NewDecoder(z).Decode(&beside); err != nil || beside.Version != write.PropertiesVersion || len(beside.Map) != 64 {
			t.Fatalf("%v, %+v", err, beside)
		}
		got := extrasOf(t, "", filepath.Join(dir, "x.glb"))
		least := 0
		for node, keys := range beside.Entities {
			if got[node] == nil { // an entity without a class
				got[node] = map[string]any{}
			}
			least += len(keys) - 1
			maps.Copy(got[node], keys)
		}
		if !reflect.DeepEqual(got, want) || least == 0 {
			t.Errorf("%s: %.500v, want %.500v", in, got, want)
		}
		s, _ := convertMap(t, file, in)
		var out bytes.Buffer
		o, err := write.Write(t.Context(), s, write.Target{Out: "-", Stdout: &out}, write.FindFormat("glb"))
		if err != nil || !reflect.DeepEqual(nodeExtras(t, out.Bytes()), want) {
			t.Errorf("%s: standard output: %v", in, err)
		}
		for _, issue := range o.Issues {
			if issue.Where == "-_entities.json.gz" {
				t.Errorf("%s: %v", in, issue)
			}
		}
		mustFile(t, defaults(), in, filepath.Join(dir, "x.glb"))
		if _, err := os.Stat(filepath.Join(dir, "x_entities.json.gz")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the file stays beside an output that does not name it: %v", in, err)
		}
	}
}

// extrasOf returns the extras of nodes, by their names, of an output, or of a map that is converted with the defaults.
func extrasOf(t *testing.T, in, output string) map[string]map[string]any {
	t.Helper()
	if output == "" {
		output = filepath.Join(t.TempDir(), "y.glb")
		mustFile(t, defaults(), in, output)
	}
	data, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	return nodeExtras(t, data)
}

func nodeExtras(t *testing.T, glb []byte) map[string]map[string]any {
	t.Helper()
	out := map[string]map[string]any{}
	doc, _ := readGLB(t, glb)
	for _, n := range doc.Nodes {
		if extras, ok := n.Extras.(map[string]any); ok {
			out[n.Name] = extras
		}
	}
	return out
}
