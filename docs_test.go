package bsp2gltf_test

import (
	"go/format"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The Go that documents show parses, and is laid out as gofmt does it.
func TestDocumentsShowGo(t *testing.T) {
	fence := regexp.MustCompile("(?ms)^```go\n(.*?)^```$")
	found := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".md") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, block := range fence.FindAllSubmatch(text, -1) {
			found++
			if formatted, err := format.Source(block[1]); err != nil || string(formatted) != string(block[1]) {
				t.Errorf("%s: %v\n%s", path, err, block[1])
			}
		}
		return err
	})
	if err != nil || found == 0 {
		t.Errorf("%d pieces of Go, %v", found, err)
	}
}
