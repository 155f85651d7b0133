package bsp_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// A map that was cut is named as incomplete in each format, wherever it was cut; and with AllowIncomplete it is decoded, or there is too
// little of it.
func TestMapsThatWereCut(t *testing.T) {
	cuts := []int{0, 1, 30, 50, 70, 90, 99}
	converted := 0
	names, err := filepath.Glob("../testdata/*/*/*.bsp")
	if err != nil || len(names) < 100 {
		t.Fatalf("%d fixtures, %v", len(names), err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, percent := range cuts {
			cut := data[:len(data)*percent/100]
			what := fmt.Sprintf("%s, %d %%", name, percent)
			if percent == 1 && strings.Contains(name, "tactical") {
				continue // its key is at byte 384
			}
			_, _, err := decode(cut, limit.Limits{}, bsp.Options{})
			if !errors.Is(err, limit.ErrCorrupt) || !strings.HasPrefix(err.Error(), "incomplete: ") ||
				!strings.Contains(err.Error(), "download it again") {
				t.Errorf("%s: %v", what, err)
			}
			w, _, err := decode(cut, limit.Limits{}, bsp.Options{AllowIncomplete: true})
			switch {
			case err == nil && !hasIssue(w, "incomplete"):
				t.Errorf("%s: nothing says that it is incomplete", what)
			case err == nil:
				converted++
			case !errors.Is(err, limit.ErrCorrupt) || !strings.HasPrefix(err.Error(), "incomplete"):
				t.Errorf("%s: with AllowIncomplete: %v", what, err)
			}
		}
	}
	if converted < 100 {
		t.Errorf("%d cut maps are decoded with AllowIncomplete", converted)
	}
}

func hasIssue(m *bsp.Map, code string) bool {
	for _, i := range m.Issues {
		if i.Code == code {
			return true
		}
	}
	return false
}
